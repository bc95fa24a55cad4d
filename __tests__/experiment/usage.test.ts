import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "@jest/globals";
import { runCli } from "../support/cli-run.ts";
import { createTree, repositoryRoot } from "../support/tree.ts";
import { readOne, readTexts, rowsOf } from "./read-text.ts";

const json = (value: unknown): string => JSON.stringify(value);
const lines = (...rows: unknown[]): string => rows.map((row) => `${json(row)}\n`).join("");

/** One row a format, which states ten tokens and a hundredth of a dollar as its tool does. */
const STATED: readonly (readonly [format: string, name: string, text: string, how?: string])[] = [
  [
    "promptfoo",
    "r.jsonl",
    lines({
      vars: { q: "a" },
      promptIdx: 0,
      success: true,
      score: 1,
      response: { output: "b" },
      tokenUsage: { total: 10, prompt: 4, completion: 6 },
      cost: 0.01,
    }),
  ],
  [
    "inspect",
    "log.json",
    json({
      version: 2,
      status: "success",
      eval: { task: "t", model: "m" },
      samples: [
        {
          id: "a",
          epoch: 1,
          input: "a",
          target: "b",
          scores: { s: { value: "C" } },
          model_usage: {
            m: { input_tokens: 3, output_tokens: 5, total_tokens: 8 },
            judge: { input_tokens: 1, output_tokens: 1, total_tokens: 2 },
          },
          total_cost: 0.01,
        },
      ],
    }),
  ],
  [
    "openai-run",
    "items.jsonl",
    lines({
      datasource_item: { q: "a" },
      results: [{ name: "s", score: 1, passed: true }],
      sample: { usage: { prompt_tokens: 4, completion_tokens: 6, total_tokens: 10, cost: 0.01 } },
    }),
  ],
  [
    "braintrust",
    "rows.jsonl",
    lines({
      input: "a",
      output: "b",
      expected: "b",
      scores: { s: 1 },
      metrics: { prompt_tokens: 4, completion_tokens: 6, tokens: 10, estimated_cost: 0.01 },
      span_attributes: { name: "eval" },
    }),
  ],
  [
    "csv",
    "r.csv",
    "inputs.q,feedback.s,prompt_tokens,completion_tokens,total_cost\na,1,4,6,0.01\n",
  ],
  [
    "ragas",
    "r.csv",
    "user_input,response,faithfulness,prompt_tokens,completion_tokens,total_cost\na,b,1,4,6,0.01\n",
  ],
  [
    "mapping",
    "r.csv",
    "q,s,in,out,usd\na,1,4,6,0.01\n",
    "inputs.q: q\nevaluation_scores.s: s\nusage: { prompt_tokens: in, completion_tokens: out, cost: usd }",
  ],
  [
    "rows",
    "r.json",
    json([
      {
        inputs: { q: "a" },
        evaluation_scores: [{ key: "s", score: 1 }],
        start_time: "2026-01-01T00:00:00Z",
        end_time: "2026-01-01T00:00:01Z",
        run_metadata: { usage: { input_tokens: 4, output_tokens: 6, cost: 0.01 } },
      },
    ]),
  ],
];

describe("cost and tokens that a file states per row", () => {
  test.each(STATED)("%s: are in the row, and gates judge them", async (...stated) => {
    const [format, name, text, how] = stated;
    const mapping = how === undefined ? {} : { mapping: how };
    const { experiments, problems } = await readTexts({ [name]: text }, mapping);
    expect([problems, experiments[0]?.format]).toEqual([[], format]);
    const [row] = await rowsOf(experiments[0]!);
    const usage = { prompt_tokens: 4, completion_tokens: 6, total_tokens: 10, cost: 0.01 };
    if (format !== "rows") expect(row!.body.run_metadata).toMatchObject({ usage });
    const workspace = createTree({ [name]: text, "m.yml": how ?? "" });
    const gates = [
      "cost <= 0.01",
      "total_tokens <= 10",
      "prompt_tokens <= 4",
      "completion_tokens <= 6",
    ];
    const args = [...(how === undefined ? [] : ["--mapping", "m.yml"]), "--gate", gates.join()];
    const run = await runCli(["gate", name, ...args, "--json"], { workspace });
    const report = JSON.parse(run.stdout) as {
      gates: { metric: string; head: number; direction: string }[];
    };
    expect(report.gates.map(({ metric, head, direction }) => [metric, head, direction])).toEqual([
      ["cost", 0.01, "lower"],
      ["total_tokens", 10, "lower"],
      ["prompt_tokens", 4, "lower"],
      ["completion_tokens", 6, "lower"],
    ]);
  });

  test("are better when they are lower, even if every score of the format is a grade", async () => {
    const run = (cost: number): string =>
      lines(
        ...Array.from({ length: 20 }, (_, n) => ({
          vars: { q: n },
          promptIdx: 0,
          success: true,
          score: 1,
          response: { output: "b" },
          cost: cost + n / 1000,
        })),
      );
    const workspace = createTree({ "head.jsonl": run(1), "base.jsonl": run(0.5) });
    const args = ["head.jsonl", "--baseline", "base.jsonl", "--gate", "cost rise <= 10%", "--json"];
    const { code, stdout } = await runCli(["gate", ...args], { workspace });
    const [gate] = JSON.parse(stdout).gates;
    expect([code, gate.verdict, gate.direction]).toEqual([4, "fail", "lower"]);
  });

  test("do not replace a score of the file under the same name", async () => {
    const text = lines({
      vars: { q: 1 },
      promptIdx: 0,
      success: true,
      score: 1,
      namedScores: { cost: 0.5 },
      response: { output: "b" },
      cost: 7,
    });
    const workspace = createTree({ "r.jsonl": text });
    const args = ["r.jsonl", "--gate", "cost >= 0.5", "--json"];
    expect(JSON.parse((await runCli(["gate", ...args], { workspace })).stdout).gates[0].head).toBe(
      0.5,
    );
  });

  test.each([
    [
      "tokens that one leaves out are unknown",
      [{ total_tokens: 10, cost: 0.01 }, { cost: 0.02 }],
      { cost: 0.03 },
    ],
    [
      "a cost that one leaves out is unknown",
      [{ total_tokens: 10, cost: 0.01 }, { total_tokens: 5 }],
      { total_tokens: 15 },
    ],
    [
      "an entry without any usage is not a call",
      [{ total_tokens: 10 }, { role: "tool" }],
      { total_tokens: 10 },
    ],
  ])("are added up over several calls: %s", async (...given) => {
    const [, calls, usage] = given;
    const text = json([{ q: "a", s: 1, calls }]);
    const { rows } = await readOne(text, {
      mapping: "inputs.q: q\nevaluation_scores.s: s\nusage: calls",
    });
    expect(rows[0]!.run_metadata?.["usage"]).toEqual(usage);
  });

  test("are read from files of real tools", async () => {
    const folder = join(repositoryRoot, "__tests__/experiment/producers/files");
    const name = "promptfoo-0.123.1/a/results.jsonl";
    const { experiments } = await readTexts({ [name]: readFileSync(join(folder, name)) });
    const rows = await rowsOf(experiments[0]!);
    expect(rows.some(({ body }) => body.run_metadata?.["usage"] !== undefined)).toBe(true);
  });
});

test("of two columns of ragas for one metric, the one that does not count is reported as not read", async () => {
  const { experiment, rows } = await readOne(
    "user_input,response,faithfulness,cost,total_cost\na,b,1,0.01,0.02\n",
  );
  expect(rows[0]!.run_metadata).toMatchObject({ usage: { cost: 0.01 }, total_cost: "0.02" });
  expect(experiment.warnings.join()).toContain("numbers not read: total_cost");
});
