import { expect, test } from "@jest/globals";
import { createStage, CONTAINER } from "../scenarios/stage.ts";
import { runAction } from "./action-run.ts";
import { runCli } from "./cli-run.ts";
import { createTree } from "./tree.ts";

/** Without what differs from run to run: ids, times, ports and folders. */
const plain = (text: string): string =>
  text
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{22}/g, "ID")
    .replace(/\/tmp\/[\w.-]+/g, "FOLDER")
    .replace(/127\.0\.0\.1:\d+/g, "SERVICE")
    .replace(/\d+(\.\d+)? ?(ms|s)\b/g, "TIME")
    .replace(/\d{4}-\d\d-\d\d[T ][\d:.]+/g, "DATE")
    // A report says how long it took from one second on.
    .replaceAll(" · took TIME", "");

/** What a run is as a process, and what it is played by src/. */
async function bothWays<Run>(run: () => Promise<Run>): Promise<readonly [Run, Run]> {
  const spawned = await run();
  const before = process.env["RUNS"];
  process.env["RUNS"] = "played";
  try {
    return [spawned, await run()];
  } finally {
    if (before === undefined) delete process.env["RUNS"];
    else process.env["RUNS"] = before;
  }
}

test("a run that is played ends as one that is spawned", async () => {
  const rows = JSON.stringify([{ inputs: { q: 1 }, evaluation_scores: [{ key: "m", score: 0 }] }]);
  const judge = () =>
    runCli(["gate", "head.json", "--gate", "m >= 0.5"], {
      workspace: createTree({ "head.json": rows }),
    });
  const [spawned, played] = await bothWays(judge);
  expect(spawned.code).toBe(4);
  expect(played).toEqual({ ...spawned, stderr: expect.any(String) });
  expect(plain(played.stderr)).toBe(plain(spawned.stderr));
});

test("the Action leaves the same outputs, summary and log", async () => {
  const { emulator, workspace } = await createStage(CONTAINER);
  const plan = () => runAction({ ...emulator.inputs, command: "plan" }, { workspace });
  const [spawned, played] = (await bothWays(plan)).map(
    ({ code, stdout, stderr, outputs, summary, state }) => ({
      ...{ code, stderr, state },
      ...{
        stdout: plain(stdout),
        summary: plain(summary),
        outputs: plain(JSON.stringify(outputs)),
      },
    }),
  );
  expect(spawned!.code).toBe(0);
  expect(played).toEqual(spawned);
});

test("what a played run has changed of the process is as before", async () => {
  const before = [process.cwd(), process.argv, process.env["HOME"], process.exitCode];
  const bad = () => runCli(["validate"], { workspace: createTree({}) });
  const [spawned, played] = await bothWays(bad);
  expect([spawned.code, played]).toEqual([2, spawned]);
  expect([process.cwd(), process.argv, process.env["HOME"], process.exitCode]).toEqual(before);
  expect(process.listenerCount("SIGTERM")).toBe(0);
});
