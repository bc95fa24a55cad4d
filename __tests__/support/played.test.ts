import { describe, expect, test } from "@jest/globals";
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

/** Runs with RUNS as given. */
async function withRuns<Run>(runs: string, run: () => Promise<Run>): Promise<Run> {
  const before = process.env["RUNS"];
  process.env["RUNS"] = runs;
  try {
    return await run();
  } finally {
    if (before === undefined) delete process.env["RUNS"];
    else process.env["RUNS"] = before;
  }
}

/** What a run is as a process of its own, and what it is after another in the process of both, or played by src/. */
const bothWays = async <Run>(
  runs: string,
  run: () => Promise<Run>,
): Promise<readonly [Run, Run]> => [await withRuns("spawned", run), await withRuns(runs, run)];

describe.each(["kept", "played"])("a run that is %s", (runs) => {
  test("ends like a spawned one", async () => {
    const rows = JSON.stringify([
      { inputs: { q: 1 }, evaluation_scores: [{ key: "m", score: 0 }] },
    ]);
    const judge = () =>
      runCli(["gate", "head.json", "--gate", "m >= 0.5"], {
        workspace: createTree({ "head.json": rows }),
      });
    const [spawned, other] = await bothWays(runs, judge);
    expect(spawned.code).toBe(4);
    expect(other).toEqual({ ...spawned, stderr: expect.any(String) });
    expect(plain(other.stderr)).toBe(plain(spawned.stderr));
  });

  test("of the Action leaves the same outputs, summary and log", async () => {
    const { emulator, workspace } = await createStage(CONTAINER);
    const plan = () => runAction({ ...emulator.inputs, command: "plan" }, { workspace });
    const [spawned, other] = (await bothWays(runs, plan)).map(
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
    expect(other).toEqual(spawned);
  });
});

test("a played run restores what it changed in the process", async () => {
  const before = [process.cwd(), process.argv, process.env["HOME"], process.exitCode];
  const bad = () => runCli(["validate"], { workspace: createTree({}) });
  const [spawned, other] = await bothWays("played", bad);
  expect([spawned.code, other]).toEqual([2, spawned]);
  expect([process.cwd(), process.argv, process.env["HOME"], process.exitCode]).toEqual(before);
  expect(process.listenerCount("SIGTERM")).toBe(0);
});
