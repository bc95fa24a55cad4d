import { describe, expect, test } from "@jest/globals";
import { judgeGates } from "../../src/gate/judge.ts";
import { createSeededRandom } from "../../src/gate/random.ts";
import type { MetricPlan } from "../../src/gate/sample-plan.ts";
import { runCli } from "../support/cli-run.ts";
import { createTree } from "../support/tree.ts";
import { exampleAt, gatesOf, rowOf, tableOf } from "./tables.ts";

/** Pass rates of examples, most of them nearly sure. */
const rateOf = (random: () => number): number => 1 - 0.9 * random() ** 4;

function fileOf(examples: number, repeats: number, seed: number): string {
  const random = createSeededRandom(seed);
  return Array.from({ length: examples }, (_, i) => {
    const rate = rateOf(random);
    return Array.from({ length: repeats }, () =>
      JSON.stringify({
        inputs: { question: `question ${i}` },
        evaluation_scores: [{ key: "correct", score: Number(random() < rate) }],
      }),
    );
  })
    .flat()
    .join("\n");
}

async function plan(file: string, ...args: string[]): Promise<MetricPlan> {
  const workspace = createTree({ "results.jsonl": file });
  const run = await runCli(["gate", "results.jsonl", "--plan", "--json", ...args], { workspace });
  expect(run.code).toBe(0);
  const [only] = JSON.parse(run.stdout) as { metrics: MetricPlan[] }[];
  return only!.metrics[0]!;
}

/** How often a fall of every pass rate in proportion is found. */
function powerOf(n: number, repeats: number, fall: number, runs: number): number {
  const random = createSeededRandom(n + repeats);
  const gates = gatesOf("correct drop <= 0");
  let found = 0;
  for (let run = 0; run < runs; run++) {
    const rates = Array.from({ length: n }, () => rateOf(random));
    const draw = (factor: number) =>
      tableOf(
        rates.flatMap((rate, i) =>
          Array.from({ length: repeats }, () =>
            rowOf(exampleAt(i), { scores: { correct: Number(random() < rate * factor) } }),
          ),
        ),
      );
    // The mean of 1 - 0.9 u^4 is 0.82.
    const judged = judgeGates({ head: draw(1 - fall / 0.82), base: draw(1), gates });
    if (judged.verdict === "fail") found++;
  }
  return found / runs;
}

describe("gate --plan", () => {
  test("what it asks for finds the fall in 8 of 10 simulated runs, with one run and with three", async () => {
    const { falls, measured } = await plan(fileOf(400, 5, 5));
    expect(measured).toBe(true);
    const tenth = falls.find(({ fall }) => fall === 0.1)!;
    for (const repeats of [1, 3]) {
      const { examples } = tenth.needs.find((need) => need.repeats === repeats)!;
      const power = powerOf(examples!, repeats, 0.1, 200);
      // Five points, what the file's own noise adds, and two standard errors of 200 runs.
      expect(power).toBeGreaterThan(0.69);
      expect(power).toBeLessThan(0.91);
    }
  });

  test("without repeats all of the spread counts as chance, which never asks for too few", async () => {
    const one = await plan(fileOf(400, 1, 5));
    const five = await plan(fileOf(400, 5, 5));
    expect([one.measured, five.measured]).toEqual([false, true]);
    const needed = ({ falls }: MetricPlan): number => falls[1]!.needs[0]!.examples!;
    expect(needed(one)).toBeGreaterThan(needed(five));
  });

  test("more gates, a limit and a smaller fall each ask for more; what the limit allows is never found", async () => {
    const file = fileOf(200, 3, 7);
    const needed = ({ falls }: MetricPlan, at: number) => falls[at]!.needs[1]!.examples;
    const bare = await plan(file);
    const two = await plan(file, "--gate", "correct drop <= 0, correct >= 0.5");
    const limited = await plan(file, "--gate", "correct drop <= 0.08");
    expect(needed(two, 1)!).toBeGreaterThan(needed(bare, 1)!);
    expect(needed(limited, 2)!).toBeGreaterThan(needed(bare, 2)!);
    expect(needed(bare, 0)!).toBeGreaterThan(needed(bare, 1)!);
    expect(needed(limited, 1)).toBeNull();
  });

  test("it prints a table and a sentence that says what to run, and judges nothing", async () => {
    const workspace = createTree({ "results.jsonl": fileOf(60, 1, 9) });
    const run = await runCli(["gate", "results.jsonl", "--plan"], { workspace });
    expect(run.code).toBe(0);
    expect(run.stdout).toMatch(/^Examples needed to notice a fall in 8 of 10 runs \(one gate/u);
    expect(run.stdout).toMatch(/correct ↑ +60 × 1 +0\.\d+ +0\.02 /u);
    expect(run.stdout).toMatch(
      /To notice a fall of 0\.05 in correct, run \d+ examples once, or \d+ examples three times/u,
    );
    expect(run.stdout).toMatch(/no repeats here/u);
  });

  test("no result file is exit 2", async () => {
    const run = await runCli(["gate", "--plan"], { workspace: createTree() });
    expect([run.code, /needs a result file/u.test(run.stderr)]).toEqual([2, true]);
  });
});
