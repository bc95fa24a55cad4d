import { describe, expect, test } from "@jest/globals";
import { runCli } from "../support/cli-run.ts";
import { createTree } from "../support/tree.ts";
import { readOne, readTexts } from "./read-text.ts";

const json = (value: unknown): string => JSON.stringify(value);

/** A record of promptfoo's version 2, as it was written in 2023: no code of failure, and no grading. */
const record = (n: number, more: object): object => ({
  prompt: { raw: `Say ${n}`, display: "Say {{n}}" },
  vars: { n },
  response: { output: `answer ${n}` },
  success: true,
  score: 1,
  namedScores: {},
  latencyMs: 5,
  ...more,
});
const failed = {
  success: false,
  score: 0,
  error: 'Expected output "answer 3" to contain "4"',
};

describe("promptfoo version 2", () => {
  const file = (...last: object[]): string =>
    json({
      version: 2,
      results: {
        version: 2,
        results: [record(0, {}), record(1, {}), record(2, {}), ...last],
        stats: { successes: 3, failures: last.length },
      },
    });

  test("an assert that failed is a failure, not a crash: 3 of 4 do not pass a floor of 0.9", async () => {
    const workspace = createTree({ "r.json": file(record(3, failed)) });
    const { code, stderr, stdout } = await runCli(
      ["gate", "r.json", "--gate", "pass >= 0.9", "--json"],
      { workspace },
    );
    expect([code, stderr]).toEqual([4, expect.stringContaining("promptfoo")]);
    expect(JSON.parse(stdout).gates[0]).toMatchObject({ verdict: "fail", head: 0.75 });
  });

  test("prompts are distinguished by what they display, since records have no index", async () => {
    const told = { prompt: { raw: "Tell 0", display: "Tell {{n}}" } };
    const { experiments } = await readTexts({ "r.json": file(record(0, told)) });
    expect(experiments.map(({ label, rowCount }) => [label, rowCount])).toEqual([
      ["provider · Say {{n}}", 3],
      ["provider · Tell {{n}}", 1],
    ]);
  });

  test("the table separates prompts whose records show only the rendered text", async () => {
    const provider = { id: "p" };
    const plain = (raw: string, n: number): object =>
      record(n, { provider, prompt: { raw, display: raw } });
    const [rows, prompts] = [
      [0, 1],
      ["Hello", "Bye"],
    ];
    const head = { prompts: prompts.map((raw) => ({ raw, display: raw, provider: "p" })) };
    const outputs = prompts.map((prompt) => ({ prompt, pass: true, text: "x" }));
    const table = { head: { ...head, vars: ["n"] }, body: rows.map(() => ({ outputs, vars: [] })) };
    const results = rows.flatMap((n) => prompts.map((raw) => plain(raw, n)));
    const { experiments } = await readTexts({
      "r.json": json({ version: 2, results: { version: 2, results, table, stats: {} } }),
    });
    expect(experiments.map(({ label, rowCount }) => [label, rowCount])).toEqual([
      ["p · Hello", 2],
      ["p · Bye", 2],
    ]);
  });

  test("what an assert said is the comment of the pass mark", async () => {
    const { experiment, rows } = await readOne(file(record(3, failed)));
    expect([experiment.rowCount, experiment.errorCount]).toEqual([4, 0]);
    expect(rows[3]!.evaluation_scores).toContainEqual({
      key: "pass",
      score: 0,
      comment: failed.error,
    });
  });

  test.each([
    ["no response", { response: undefined }],
    ["an error in the response", { response: { error: "429", output: "partial" } }],
    ["no output", { response: { output: null } }],
    ["an empty output", { response: { output: "" } }],
  ])("a record with %s crashed", async (_, more) => {
    const { experiment } = await readOne(file(record(3, { ...failed, ...more })));
    expect([experiment.rowCount, experiment.errorCount]).toEqual([4, 1]);
  });
});

/** What `JSON.stringify(await promptfoo.evaluate(…))` of 0.123.1 writes: `vars` only in the test case. */
const evaluated = (n: number): object => ({
  id: `00000000-0000-4000-8000-00000000000${n}`,
  evalId: "eval-HTJ-2026-11-25T15:33:08",
  promptIdx: n % 2,
  testIdx: Math.floor(n / 2),
  testCase: { vars: { q: `q${Math.floor(n / 2)}` }, assert: [{ type: "equals", value: "no" }] },
  prompt: { raw: `Say q${n}`, label: n % 2 === 0 ? "Say {{q}}" : "Tell {{q}}", config: {} },
  promptId: `prompt${n % 2}`,
  success: n < 2,
  score: n < 2 ? 1 : 0,
  ...(n < 2 ? {} : { error: "Expected output to equal no" }),
  response: { output: `out ${n}` },
  gradingResult: { pass: n < 2, score: n < 2 ? 1 : 0, reason: "r", componentResults: [] },
  namedScores: {},
  provider: { id: "custom-function-0" },
  latencyMs: 16,
  failureReason: n < 2 ? 0 : 1,
  persisted: false,
});

test("the return value of promptfoo's evaluate() is read, whole and row by row", async () => {
  const results = [0, 1, 2, 3].map(evaluated);
  const whole = json({
    id: "eval-HTJ-2026-11-25T15:33:08",
    createdAt: 1795620788785,
    author: null,
    config: { tests: [{ vars: { q: "q0" } }, { vars: { q: "q1" } }] },
    results,
    prompts: [0, 1].map((n) => ({ raw: "Say {{q}}", label: `p${n}`, provider: "p" })),
    persisted: false,
    vars: ["q"],
  });
  const lines = results.map((row) => `${json(row)}\n`).join("");
  for (const [name, text] of [
    ["r.json", whole],
    ["r.jsonl", lines],
  ] as const) {
    const { experiments, problems } = await readTexts({ [name]: text });
    expect(problems).toEqual([]);
    expect(experiments.map(({ format, rowCount }) => [format, rowCount])).toEqual([
      ["promptfoo", 2],
      ["promptfoo", 2],
    ]);
    expect(experiments[0]!.scores["pass"]).toMatchObject({ mean: 0.5, n: 2 });
    expect(experiments[0]!.warnings.join()).not.toContain("numbers not read");
  }
});

test("the input of vitest-evals 0.16 is read from the events of the session", async () => {
  const test = (events: readonly object[]): object => ({
    title: "answers",
    ancestorTitles: ["capitals"],
    status: "passed",
    failureMessages: [],
    meta: {
      eval: { scores: [{ score: 1, name: "exact" }] },
      harness: { name: "agent", run: { session: { events }, output: "Paris", errors: [] } },
    },
  });
  const { rows } = await readOne(
    json({
      numTotalTests: 1,
      testResults: [
        {
          name: "/r/a.eval.ts",
          status: "passed",
          assertionResults: [
            test([
              { type: "message", role: "system", content: "be short" },
              { type: "message", role: "user", content: "capital of France?" },
              { type: "tool_call", name: "look", arguments: {} },
              { type: "message", role: "assistant", content: "Paris" },
            ]),
          ],
        },
      ],
    }),
  );
  expect(rows[0]!.inputs).toMatchObject({ test: "answers", input: "capital of France?" });
});

test("a todo of node:test that fails is skipped, as node:test counts it", async () => {
  const { experiment } = await readOne(
    `<?xml version="1.0" encoding="utf-8"?>
<testsuites>
  <testcase name="works" time="0.001" classname="test"/>
  <testcase name="later" time="0.002" classname="test" failure="no"><skipped type="todo" message="true"/><failure type="testCodeFailure" message="no">no</failure></testcase>
</testsuites>`,
    { name: "report.xml" },
  );
  expect([experiment.rowCount, experiment.scores["pass"]!.mean]).toEqual([1, 1]);
  expect(experiment.warnings.join()).toContain("1 skipped test");
});
