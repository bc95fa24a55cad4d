import { expect, test } from "@jest/globals";
import { runAction } from "../support/action-run.ts";
import { startTestEmulator } from "../support/emulator-process.ts";
import { createTree } from "../support/tree.ts";

const ROWS =
  '{"inputs":{"q":1},"evaluation_scores":[{"key":"a","score":1}]}\n{"inputs":{"q":2},"evaluation_scores":[{"key":"a","score":0}]}\n';

test("two matrix legs that upload the same file name and lose the answers make two experiments, and each leg reports its own", async () => {
  const emulator = await startTestEmulator({
    faults: [{ route: "POST /api/v1/datasets/upload-experiment", kind: "reset-after", times: 2 }],
  });
  const legs = await Promise.all(
    ["linux", "mac"].map((os) =>
      runAction(
        {
          ...emulator.inputs,
          command: "upload",
          experiment: "results.jsonl",
          matrix: JSON.stringify({ os }),
        },
        { workspace: createTree({ "results.jsonl": ROWS }) },
      ),
    ),
  );
  expect(legs.map(({ code, stdout }) => [code, code === 0 ? "" : stdout])).toEqual([
    [0, ""],
    [0, ""],
  ]);
  const sessions = emulator.emulator.world.store.all("sessions");
  expect(sessions.map(({ name }) => /linux|mac/.exec(name)?.[0]).sort()).toEqual(["linux", "mac"]);
  expect(emulator.writes()).toHaveLength(2);
  for (const [index, os] of ["linux", "mac"].entries()) {
    const own = sessions.find(({ name }) => name.includes(os))!;
    expect(JSON.stringify(legs[index]!.outputs)).toContain(own.id);
    expect(JSON.stringify(legs[index]!.outputs)).not.toContain(
      sessions.find(({ id }) => id !== own.id)!.id,
    );
  }
});
