import { describe, expect, test } from "@jest/globals";
import { judgeGates } from "../../src/gate/judge.ts";
import { createSeededRandom } from "../../src/gate/chance.ts";
import { planSamples, type MetricPlan } from "../../src/gate/sample-plan.ts";
import { runCli } from "../support/cli-run.ts";
import { createTree } from "../support/tree.ts";
import { exampleAt, gatesOf, rowOf, scores, tableOf } from "../gate/tables.ts";

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
    const judged = judgeGates({
      head: draw(1 - fall / 0.82),
      base: draw(1),
      gates,
      isMeasured: false,
    });
    if (judged.verdict === "fail") found++;
  }
  return found / runs;
}

describe("gate --plan", () => {
  test("asks for a number that finds the fall in 8 of 10 simulated runs, with one run and with three", async () => {
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

  test("counts all of the spread as chance if there are no repeats, which never asks for too few", async () => {
    const one = await plan(fileOf(400, 1, 5));
    const five = await plan(fileOf(400, 5, 5));
    expect([one.measured, five.measured]).toEqual([false, true]);
    const needed = ({ falls }: MetricPlan): number => falls[1]!.needs[0]!.examples!;
    expect(needed(one)).toBeGreaterThan(needed(five));
  });

  test("asks for more with more gates, a limit or a smaller fall, and never finds what the limit allows", async () => {
    const file = fileOf(200, 3, 7);
    const needed = ({ falls }: MetricPlan, at: number) => falls[at]!.needs[1]!.examples;
    const bare = await plan(file);
    const two = await plan(file, "--gate", "correct drop <= 0, error_rate drop <= 0");
    const limited = await plan(file, "--gate", "correct drop <= 0.08");
    expect(needed(two, 1)!).toBeGreaterThan(needed(bare, 1)!);
    expect(needed(limited, 2)!).toBeGreaterThan(needed(bare, 2)!);
    expect(needed(bare, 0)!).toBeGreaterThan(needed(bare, 1)!);
    expect(needed(limited, 1)).toBeNull();
  });

  test("prints a table and a sentence that says what to run, and judges nothing", async () => {
    const workspace = createTree({ "results.jsonl": fileOf(60, 1, 9) });
    const run = await runCli(["gate", "results.jsonl", "--plan"], { workspace });
    expect(run.code).toBe(0);
    expect(run.stdout).toMatch(/^Examples needed to notice a fall in 8 of 10 runs \(one score/u);
    expect(run.stdout).toMatch(/correct ↑ +60 × 1 +0\.\d+ +0\.02 /u);
    expect(run.stdout).toMatch(
      /To notice a fall of 0\.05 in correct, run \d+ examples once, or \d+ examples three times/u,
    );
    expect(run.stdout).toMatch(/too few repeats here, so all of the spread counts as chance/u);
  });

  test("asks for few examples if all marks were right, also with repeats, and these find the fall", async () => {
    const right = Array.from({ length: 60 }, (_, i) =>
      JSON.stringify({ inputs: { q: i }, evaluation_scores: [{ key: "correct", score: 1 }] }),
    ).join("\n");
    const { falls, notices } = await plan([right, right, right].join("\n"));
    expect(notices).toBeLessThan(0.05);
    const { examples } = falls[1]!.needs[1]!;
    const random = createSeededRandom(3);
    const draw = (rate: number) =>
      tableOf(
        Array.from({ length: 3 * examples! }, (_, k) =>
          rowOf(exampleAt(Math.floor(k / 3)), { scores: { correct: Number(random() < rate) } }),
        ),
      );
    const gates = gatesOf("correct drop <= 0");
    const found = Array.from({ length: 200 }, () =>
      judgeGates({ head: draw(0.95), base: draw(1), gates, isMeasured: false }),
    ).filter(({ verdict }) => verdict === "fail").length;
    expect(found / 200).toBeGreaterThan(0.69);
    expect(found / 200).toBeLessThan(0.93);
  });

  test("plans for clusters that move as one with cluster_by, with as many as find the fall", async () => {
    const random = createSeededRandom(12);
    const rowsOf = (clusters: number, fall: number): { document: string; score: number }[] =>
      Array.from({ length: clusters }, (_, d) => {
        // A document is read well or badly as a whole, anew in every run.
        const score = (random() + random() + random()) / 3 - fall;
        return Array.from({ length: 5 }, () => ({ document: `d${d}`, score }));
      }).flat();
    const file = rowsOf(200, 0)
      .map(({ document, score }, i) =>
        JSON.stringify({
          inputs: { q: i, document },
          evaluation_scores: [{ key: "quality", score }],
        }),
      )
      .join("\n");
    const workspace = createTree({
      "results.jsonl": file,
      "gates.yml": "gates: [quality drop <= 0]\ncluster_by: inputs.document\n",
    });
    const planned = async (...args: string[]): Promise<MetricPlan> => {
      const run = await runCli(["gate", "results.jsonl", "--plan", "--json", ...args], {
        workspace,
      });
      expect(run.code).toBe(0);
      return (JSON.parse(run.stdout) as { metrics: MetricPlan[] }[])[0]!.metrics[0]!;
    };
    const alone = await planned();
    const clustered = await planned("--gate", "gates.yml");
    expect([alone.clusters, clustered.clusters]).toEqual([null, 200]);
    const needed = ({ falls }: MetricPlan): number => falls[2]!.needs[0]!.examples!;
    expect(needed(clustered)).toBeGreaterThan(2 * needed(alone));
    const gates = { ...gatesOf("quality drop <= 0"), cluster_by: "inputs.document" };
    const draw = (fall: number) =>
      tableOf(
        rowsOf(Math.ceil(needed(clustered) / 5), fall).map(({ document, score }, i) =>
          rowOf(exampleAt(i), {
            scores: { quality: score },
            tags: { "inputs.document": document },
          }),
        ),
      );
    const found = Array.from({ length: 200 }, () =>
      judgeGates({ head: draw(0.1), base: draw(0), gates, isMeasured: false }),
    ).filter(({ verdict }) => verdict === "fail").length;
    expect(found / 200).toBeGreaterThan(0.69);
  });

  test.each([
    ["corrrect drop <= 0", /did you mean correct\?/u],
    ["correct drop <= 5", /can never fail/u],
    ["correct drop <= 0, no_errors drop <= 0", /no_errors/u],
  ])("refuses %s as gate itself does, and says so once", async (gate, why) => {
    const workspace = createTree({ "results.jsonl": fileOf(20, 1, 9) });
    const run = await runCli(["gate", "results.jsonl", "--plan", "--gate", gate], { workspace });
    expect([run.code, run.stdout]).toEqual([2, ""]);
    expect(run.stderr.split("\n").filter((line) => why.test(line))).toHaveLength(1);
  });

  test("reports what it cannot plan for, each with its reason", async () => {
    const rows = Array.from({ length: 20 }, (_, i) =>
      JSON.stringify({
        inputs: { q: i },
        evaluation_scores: [
          { key: "correct", score: i % 2 },
          { key: "no_hallucination", score: i % 2 },
          { key: "flat", score: 0.5 },
        ],
      }),
    ).join("\n");
    const workspace = createTree({ "results.jsonl": rows });
    const bare = await runCli(["gate", "results.jsonl", "--plan"], { workspace });
    expect(bare.stdout).toMatch(
      /^no_hallucination is not planned for: its name does not say which side/mu,
    );
    expect(bare.stdout).not.toMatch(/no_hallucination ↑/u);
    expect(bare.stdout).toMatch(/^Every row has the same flat/mu);
    const slow = await runCli(
      [
        "gate",
        "results.jsonl",
        "--plan",
        "--gate",
        "latency_p95 rise <= 200ms, error_rate rise <= 0",
      ],
      { workspace },
    );
    expect(slow.stdout).toMatch(/^latency_p95 is not planned for/mu);
    expect(slow.stdout).toMatch(/^Examples needed to notice a rise/mu);
  });

  test("exits with 2 if there is no result file", async () => {
    const run = await runCli(["gate", "--plan"], { workspace: createTree() });
    expect([run.code, /needs a result file/u.test(run.stderr)]).toEqual([2, true]);
  });
});

test("with a baseline, a plan asks for no more examples than it takes to find what runs like this one find", () => {
  const values = Array.from({ length: 80 }, (_, i) => (i % 20) / 20 + 0.02);
  const base = values.map((value, i) => value + (i % 2 === 0 ? 0.02 : -0.02));
  const gates = gatesOf("score drop <= 0");
  const needed = (compared?: { base: ReturnType<typeof scores> }) => {
    const [plan] = planSamples(scores(values), gates, compared).plan.metrics;
    const { fall, needs } = plan!.falls[1]!;
    return {
      notices: plan!.notices!,
      fall,
      measured: plan!.measured,
      examples: needs[0]!.examples!,
    };
  };
  // One run each does not show that the spread is between the examples.
  expect(needed()).toMatchObject({ measured: false });
  expect(needed().examples).toBeGreaterThan(80);
  const compared = needed({ base: scores(base) });
  expect(compared.measured).toBe(true);
  expect(compared.notices).toBeLessThan(compared.fall);
  expect(compared.examples).toBeLessThan(80);
});
