import { beforeAll, describe, expect, test } from "@jest/globals";
import { runCli } from "../support/cli-run.ts";
import type { Finished } from "../support/child.ts";
import { startTestEmulator, type TestEmulator } from "../support/emulator-process.ts";
import { createTree } from "../support/tree.ts";

const DATASET = "acme/agents/suite";
const TIME = "2026-11-01T10:00:00Z";

/** Marks by run: the third example goes back and forth. */
const RUNS = ["1110", "1100", "1110", "1100"];

describe("history --dataset", () => {
  let service: TestEmulator;
  const workspace = createTree();
  const cli = (args: readonly string[], env: Record<string, string> = {}): Promise<Finished> =>
    runCli(args, { workspace, env: { ...service.env, ...env } });

  const store = async (at: number, marks: string): Promise<void> => {
    const marker = {
      version: 1,
      commit: String(at + 1).repeat(40),
      branch: "main",
      complete: true,
      rows: marks.length,
      dataset: "same",
      evaluator: at < 2 ? "judge-1" : "judge-2",
      model: "m-1",
      gate_verdict: "pass",
    };
    const results = [...marks].map((mark, i) => ({
      inputs: { question: `question ${i}` },
      evaluation_scores: [
        { key: "correctness", score: Number(mark) },
        { key: "tone", score: 0.5 },
      ],
      start_time: TIME,
      end_time: TIME,
    }));
    const reply = await fetch(`${service.url}/api/v1/datasets/upload-experiment`, {
      method: "POST",
      headers: { "x-api-key": "test-key", "content-type": "application/json" },
      body: JSON.stringify({
        experiment_name: `an-experiment-with-a-long-name-${at}`,
        experiment_start_time: TIME,
        experiment_end_time: TIME,
        dataset_name: DATASET,
        experiment_metadata: { agent_deploy: marker },
        results,
      }),
    });
    expect(reply.status).toBe(200);
  };

  beforeAll(async () => {
    service = await startTestEmulator({ lags: { statistics: 0 } });
    for (const [at, marks] of RUNS.entries()) await store(at, marks);
  });

  test("shows runs, trend, changes and flips in 80 columns", async () => {
    const { code, stdout } = await cli(["history", "--dataset", DATASET]);
    expect(code).toBe(0);
    const lines = stdout.trimEnd().split("\n");
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
    expect(lines[0]).toMatch(/RUN +STARTED \(UTC\) +COMMIT +ROWS +CORRECTNESS +TONE +GATE +FLIPS/);
    expect(lines[1]).toMatch(/^ +4 +2026-11-01 10:00 +4444444 +4 +0\.5 +0\.5 +pass +\+0 -1/);
    expect(stdout).toMatch(/^correctness {2}\S{4} {2}0\.75 → 0\.5/m);
    expect(stdout).toMatch(/^\* run 3: evaluator judge-1 → judge-2$/m);
    expect(stdout).toMatch(/^flipped 3 times: question 2$/m);
  });

  test("accepts --metric, --last and --json", async () => {
    const { stdout } = await cli([
      ...["history", "--dataset", DATASET, "--metric", "tone", "--last", "2", "--json"],
    ]);
    const shown = JSON.parse(stdout);
    expect(shown).toMatchObject({ metric: "tone", metrics: ["correctness", "tone"], flipping: [] });
    expect(shown.runs.map(({ number }: { number: number }) => number)).toEqual([3, 4]);
  });

  test("draws the trend in the summary of a job", async () => {
    workspace.write("summary.md", "");
    await cli(["history", "--dataset", DATASET, "--metric", "correctness"], {
      GITHUB_STEP_SUMMARY: `${workspace.path}/summary.md`,
    });
    expect(workspace.read("summary.md")).toContain("line [0.75, 0.5, 0.75, 0.5]");
  });

  test("exits with 2 and the closest name for an unknown one, and without arguments names both forms", async () => {
    const cases: readonly (readonly [readonly string[], string])[] = [
      [["--dataset", "acme/agents/suit"], `did you mean ${DATASET}?`],
      [["--dataset", DATASET, "--metric", "correctnes"], "did you mean correctness?"],
      [[], "history --dataset DATASET"],
      [["a-name", "--dataset", DATASET], "not both"],
    ];
    for (const [args, words] of cases) {
      const run = await cli(["history", ...args]);
      expect([run.code, run.stderr]).toEqual([2, expect.stringContaining(words)]);
    }
  });
});
