import { describe, expect, test } from "@jest/globals";
import { problemsOf, readOne, readTexts, rowsOf } from "./read-text.ts";

const json = (value: unknown): string => JSON.stringify(value);

async function examplesOf(text: string, name = "results"): Promise<string[]> {
  const { experiments, problems } = await readTexts({ [name]: text });
  expect(problems).toEqual([]);
  return rowsOf(experiments[0]!).map(({ example }) => example);
}

test("a JUnit test whose status says that it was not run is skipped, but fails if it has a failure", async () => {
  const { experiment } = await readOne(
    '<testsuites><testsuite name="s"><testcase name="a" status="run"/><testcase name="DISABLED_b" status="notrun" result="suppressed"/><testcase name="c" status="disabled"/><testcase name="d" status="notrun"><failure message="x"/></testcase></testsuite></testsuites>',
    { name: "gtest.xml" },
  );
  expect([experiment.rowCount, experiment.scores["pass"]?.mean]).toEqual([2, 0.5]);
  expect(experiment.warnings.join()).toContain("2 skipped tests are not rows");
});

test("a JUnit test whose status says that it failed or broke does not pass", async () => {
  const { experiment } = await readOne(
    '<testsuite name="s"><testcase name="a" status="failed"/><testcase name="b" status="error"/><testcase name="c" status="passed"/><testcase name="d" result="completed" status="run"/></testsuite>',
    { name: "status.xml" },
  );
  expect([experiment.rowCount, experiment.errorCount]).toEqual([4, 1]);
  expect(experiment.scores["pass"]).toMatchObject({ n: 3, mean: 2 / 3 });
});

test("a JUnit test whose status or result is another runner's word for failed or skipped does not pass either", async () => {
  const { experiment } = await readOne(
    '<testsuite name="s"><testcase name="a" status="timeout"/><testcase name="b" result="interrupted"/><testcase name="c" status="pending"/><testcase name="d" result="skipped"/><testcase name="e" status="passed"/></testsuite>',
    { name: "words.xml" },
  );
  expect([experiment.rowCount, experiment.errorCount]).toEqual([3, 2]);
  expect(experiment.scores["pass"]).toMatchObject({ n: 1, mean: 1 });
  expect(experiment.warnings.join()).toContain("2 skipped tests are not rows");
});

test("a safety evaluator of Azure is scored by the number next to its word, and by its verdict", async () => {
  const row = (score: number, result: string): object => ({
    "inputs.query": `q${score}`,
    "outputs.violence.violence": score > 3 ? "High" : "Very low",
    "outputs.violence.violence_score": score,
    "outputs.violence.violence_result": result,
    "outputs.violence.violence_threshold": 3,
    "outputs.violence.violence_reason": "r",
  });
  const { experiment } = await readOne(
    JSON.stringify({ rows: [row(0, "pass"), row(7, "fail")], metrics: {} }),
  );
  expect(Object.entries(experiment.scores).map(([key, { mean }]) => [key, mean])).toEqual([
    ["violence.violence_score", 3.5],
    ["violence.violence_score.pass", 0.5],
  ]);
});

test("a case of Google ADK that was not evaluated is an error", async () => {
  const scored = (id: string, status: number, score: number | null): object => ({
    eval_set_id: "s",
    eval_id: id,
    final_eval_status: status,
    overall_eval_metric_results: [{ metric_name: "m", threshold: 0.8, score, eval_status: status }],
    eval_metric_result_per_invocation: [],
    session_id: id,
  });
  const { experiment } = await readOne(
    JSON.stringify({
      eval_set_result_id: "r",
      eval_set_id: "s",
      eval_case_results: [scored("a", 1, 0.9), scored("b", 2, 0.5), scored("c", 3, null)],
    }),
  );
  expect([experiment.rowCount, experiment.errorCount]).toEqual([3, 1]);
  expect(experiment.scores["pass"]).toMatchObject({ n: 2, mean: 0.5 });
});

test("a metric of lm-eval that a row holds in parts is reported as not read, and is not a score", async () => {
  const row = {
    doc_id: 0,
    doc: { text: "a" },
    target: "a",
    filter: "none",
    metrics: ["acc", "word_perplexity", "bleu"],
    acc: 1,
    word_perplexity: [-12, 5],
    bleu: ["a", "b"],
    resps: [["a"]],
    filtered_resps: ["a"],
    doc_hash: "h",
  };
  const { experiment } = await readOne(`${JSON.stringify(row)}\n`, { name: "samples.jsonl" });
  expect([experiment.format, Object.keys(experiment.scores)]).toEqual(["lm-eval", ["acc"]]);
  expect(experiment.warnings.join()).toContain("numbers not read: word_perplexity, bleu (");
});

test("a row of MLflow whose agent threw is an error, but its scores still count", async () => {
  const { experiment } = await readOne(
    "exact/value,state,request,response\nTrue,OK,a,b\nFalse,ERROR,c,\n",
    { name: "result.csv" },
  );
  expect([experiment.rowCount, experiment.errorCount]).toEqual([2, 1]);
  expect(experiment.scores["exact"]).toMatchObject({ n: 2, mean: 0.5 });
});

test("what Phoenix's client returns is refused for what it lacks, not taken for a request body", async () => {
  const [message] = await problemsOf(
    JSON.stringify({
      experiment_id: "E",
      dataset_id: "D",
      task_runs: [{ id: "r", dataset_example_id: "x", output: "o" }],
      evaluation_runs: [{ experiment_run_id: "r", name: "exact", result: { score: 0.5 } }],
      experiment_metadata: {},
    }),
  );
  expect(message).toMatch(/Phoenix's client returns holds no inputs.*\/v1\/experiments\/ID\/json/);
});

describe("runners' reports", () => {
  const report = (tests: readonly object[], rest: object = {}): string =>
    json({
      numTotalTests: tests.length,
      testResults: [{ name: "/r/a.test.ts", status: "failed", assertionResults: tests }],
      ...rest,
    });

  test("a failed test is pass 0, its message loses its colours, and a warning counts the skipped tests", async () => {
    const { rows, experiment } = await readOne(
      report([
        { title: "a", ancestorTitles: ["s"], status: "passed" },
        { title: "b", status: "failed", failureMessages: ["\u001b[31mError: expect(1)\u001b[39m"] },
        { title: "c", status: "failed", failureMessages: ["TypeError: x"] },
        { title: "d", status: "pending" },
      ]),
    );
    expect(experiment.format).toBe("vitest");
    expect(experiment.scores).toEqual({ pass: { mean: 1 / 3, n: 3 } });
    expect(rows[1]!.evaluation_scores).toEqual([
      { key: "pass", score: 0, comment: "Error: expect(1)" },
    ]);
    expect(experiment.warnings).toContain("1 skipped test is not a row and is in no score");
    expect(experiment.warnings.join()).not.toMatch(/LangSmith|side file/);
  });

  test("a file that could not be loaded and tests whose describe failed are errors", async () => {
    const { rows, experiment } = await readOne(
      json({
        numTotalTests: 3,
        numFailedTestSuites: 3,
        testResults: [
          {
            name: "/r/b.test.ts",
            status: "failed",
            message: "Cannot find x",
            assertionResults: [],
          },
          {
            name: "/r/a.test.ts",
            status: "failed",
            assertionResults: [
              { title: "ok", ancestorTitles: [], status: "passed" },
              { title: "no", ancestorTitles: [], status: "failed", failureMessages: ["e"] },
              { title: "lost", ancestorTitles: ["h"], status: "skipped" },
            ],
          },
        ],
      }),
    );
    expect(rows.map(({ inputs, error }) => [inputs["test"], error])).toEqual([
      ["b.test.ts", "Cannot find x"],
      ["ok", undefined],
      ["no", undefined],
      ["lost", "its describe failed before it ran"],
    ]);
    expect(experiment.errorCount).toBe(2);
  });

  test("a test file that could not be loaded is an error, even if others have side files of LangSmith", async () => {
    const [id, title] = ["0123456789abc", "t, test_id=0123456789abc"];
    const lost = { name: "/r/b.test.ts", status: "failed", message: "Cannot find x" };
    const ran = {
      name: "/r/a.test.ts",
      status: "passed",
      assertionResults: [{ title, status: "passed" }],
    };
    const { experiments } = await readTexts({
      "vitest.json": json({
        numTotalTests: 1,
        testResults: [{ ...lost, assertionResults: [] }, ran],
      }),
      [`${id}.json`]: json({
        inputs: { q: 1 },
        outputs: { a: 1 },
        feedback: [{ key: "pass", score: true }],
      }),
    });
    expect(rowsOf(experiments[0]!).map(({ body }) => [body.error, body.evaluation_scores])).toEqual(
      [
        ["Cannot find x", undefined],
        [undefined, [{ key: "pass", score: 1 }]],
      ],
    );
  });

  test("an errored LangSmith row sends no pass mark", async () => {
    const { experiments } = await readTexts({
      "vitest.json": report([
        { title: "t, test_id=0123456789abc", status: "failed", failureMessages: ["TypeError: x"] },
      ]),
      "0123456789abc.json": json({
        inputs: { q: 1 },
        outputs: null,
        feedback: [{ key: "pass", score: false }],
      }),
    });
    const [row] = rowsOf(experiments[0]!);
    expect([row!.body.error, row!.body.evaluation_scores]).toEqual(["TypeError: x", undefined]);
  });

  test("node:test's JUnit cases next to its suites and mocha's timestamps are read", async () => {
    const { rows, experiment } = await readOne(
      `<testsuites><testcase name="a" classname="test"/><testcase name="b" classname="test"><failure message="no"/></testcase><testsuite name="g"><testcase name="c"/><testcase name="d"><skipped/></testcase></testsuite></testsuites>`,
    );
    expect(experiment.scores["pass"]).toEqual({ mean: 2 / 3, n: 3 });
    expect(rows).toHaveLength(3);
    expect(experiment.warnings).toContain("1 skipped test is not a row and is in no score");
    const mocha = await readOne(
      `<testsuite name="Mocha Tests" timestamp="Sun, 22 Nov 2026 00:01:29 GMT"><testcase name="a" time="0.5"/></testsuite>`,
    );
    expect(mocha.rows[0]!.start_time).toBe("2026-11-22T00:01:29.000Z");
    const odd = await readOne(
      `<testsuite timestamp="last tuesday"><testcase name="a"/></testsuite>`,
    );
    expect(odd.experiment.scores["pass"]!.n).toBe(1);
  });
});

test("a suite that failed by itself is an error, not a skipped test", async () => {
  const { experiment } = await readOne(
    `<testsuites><testsuite name="s" errors="1"><error message="no setup"/></testsuite><testsuite name="t"><testcase name="a"/><testcase name="b"><skipped/></testcase></testsuite></testsuites>`,
  );
  expect([experiment.rowCount, experiment.errorCount]).toEqual([2, 1]);
  expect(experiment.warnings).toContain("1 skipped test is not a row and is in no score");
});

test("a task of evalite that threw is an error, and one without scores is not", async () => {
  const result = { input: "q", output: "a", status: "success", scores: [] };
  const scored = [{ name: "exact", score: 1 }];
  const results = [
    { ...result, input: "1", scores: scored },
    { ...result, input: "2", status: "fail", scores: scored },
    { ...result, input: "3", status: "fail", output: { name: "Error", message: "boom" } },
    { ...result, input: "4" },
  ];
  const { rows } = await readOne(json({ run: { id: 1 }, evals: [{ name: "capitals", results }] }));
  expect(rows.map(({ error }) => error)).toEqual([undefined, undefined, "boom", undefined]);
});

describe("promptfoo", () => {
  const row = (extra: object): object => ({
    vars: { q: "a" },
    success: false,
    score: 0.5,
    failureReason: 1,
    promptIdx: 0,
    provider: { id: "p" },
    ...extra,
  });
  const asserts = [
    { score: 1, assertion: { type: "contains", metric: "accuracy", weight: 3 } },
    { score: 0, assertion: { type: "equals", metric: "accuracy" } },
  ];

  test("named scores up to 0.121.3 are sums over the asserts, unless the weights mark them as means", async () => {
    const old = await readOne(
      json([row({ namedScores: { accuracy: 1 }, gradingResult: { componentResults: asserts } })]),
    );
    const since = await readOne(
      json([
        row({
          namedScores: { accuracy: 0.75 },
          gradingResult: { namedScoreWeights: { accuracy: 4 }, componentResults: asserts },
        }),
      ]),
    );
    expect(old.experiment.scores["accuracy"]!.mean).toBe(0.75);
    expect(since.experiment.scores["accuracy"]!.mean).toBe(0.75);
  });

  test("version 2 without prompt indices is one experiment per prompt, not per row", async () => {
    const result = (q: string): object => ({
      vars: { q },
      prompt: { raw: `Answer: ${q}`, label: `Answer: ${q}` },
      provider: { id: "p" },
      success: true,
      score: 1,
    });
    const { experiments } = await readTexts({
      "v2.json": json({ results: { version: 2, results: ["a", "b", "c"].map(result), stats: {} } }),
    });
    expect(experiments.map(({ rowCount }) => rowCount)).toEqual([3]);
  });

  test("the Node API's summary is recognised, and derived metrics are reported as not read", async () => {
    const { experiment } = await readOne(
      json({
        version: 3,
        results: [row({ namedScores: {} })],
        prompts: [{ provider: "p" }],
        stats: {},
        config: { derivedMetrics: [{ name: "f1", value: "x" }] },
      }),
    );
    expect(experiment.format).toBe("promptfoo");
    expect(experiment.warnings.join()).toMatch(/numbers not read: .*f1/);
  });
});

describe("Inspect", () => {
  const log = (samples: readonly object[]): string =>
    json({ version: 2, status: "success", eval: { task: "t" }, samples });
  const chat = (id: string, content: string): object => ({ id, role: "user", content });

  test("message ids and shuffled choices do not make examples different", async () => {
    const run = (id: string, choices: string[]): string =>
      log([
        { id: 1, epoch: 1, input: [chat(id, "a")], choices, scores: { s: { value: "C" } } },
        { id: 2, epoch: 1, input: "b", scores: { s: { value: "I" } } },
      ]);
    expect(await examplesOf(run("x1", ["p", "q"]))).toEqual(
      await examplesOf(run("y2", ["q", "p"])),
    );
  });

  test("ids that a person gave identify examples, even if the input changes; ids from 1 to n do not", async () => {
    const one = await examplesOf(log([{ id: "geo-1", input: "a" }]));
    expect(await examplesOf(log([{ id: "geo-1", input: "a, reworded" }]))).toEqual(one);
    expect(await examplesOf(log([{ id: "geo-2", input: "a" }]))).not.toEqual(one);
    expect(await examplesOf(log([{ id: 1, input: "a" }]))).not.toEqual(
      await examplesOf(log([{ id: 1, input: "b" }])),
    );
  });

  test("a sample that reached a limit is scored and counts", async () => {
    const { experiment } = await readOne(
      log([
        { id: 1, input: "a", scores: { s: { value: "C" } } },
        { id: 2, input: "b", scores: { s: { value: "I" } }, limit: { type: "message", limit: 2 } },
      ]),
    );
    expect([experiment.errorCount, experiment.scores["s"]!.mean]).toEqual([0, 0.5]);
  });
});

describe("conversations", () => {
  test("the agent's own turns are output, in DeepEval, ragas and rows with message ids", async () => {
    const deepeval = (answer: string): string =>
      json({
        conversationalTestCases: [
          {
            turns: [
              { role: "user", content: "hi" },
              { role: "assistant", content: answer },
            ],
            metricsData: [{ name: "m", score: 1 }],
          },
        ],
      });
    expect(await examplesOf(deepeval("a"))).toEqual(await examplesOf(deepeval("b")));
    const ragas = (answer: string): string =>
      json([
        {
          user_input: [
            { type: "human", content: "hi" },
            { type: "ai", content: answer },
          ],
          reference: "r",
          faithfulness: 1,
        },
      ]);
    expect(await examplesOf(ragas("a"))).toEqual(await examplesOf(ragas("b")));
    const rows = (id: string): string =>
      `${json({ inputs: { messages: [{ id, role: "user", content: "hi" }] }, start_time: "2026-01-01T00:00:00Z", end_time: "2026-01-01T00:00:01Z" })}\n`;
    expect(await examplesOf(rows("m-1"), "a.jsonl")).toEqual(
      await examplesOf(rows("m-2"), "a.jsonl"),
    );
    const chat = (answer: string): string =>
      `${json({
        inputs: {
          messages: [
            { role: "user", content: "hi" },
            { role: "assistant", content: answer },
          ],
        },
      })}\n`;
    expect(await examplesOf(chat("a"), "a.jsonl")).toEqual(await examplesOf(chat("b"), "a.jsonl"));
    const said = (text: string): string =>
      `${json({ inputs: { messages: [{ role: "assistant", content: text }] } })}\n`;
    expect(await examplesOf(said("a"), "a.jsonl")).not.toEqual(
      await examplesOf(said("b"), "a.jsonl"),
    );
  });
});

describe("a file that holds no results", () => {
  test.each([
    [
      "a table with only question and answer, which is not ragas'",
      "question,answer,latency,score\na,b,1,0.5\n",
      /format is not known.*latency, score.*evaluation_scores\.score: score/s,
    ],
    ["null", "null\n", /holds only null/],
    ["a web page", "<!DOCTYPE html><html></html>", /web page/],
    ["gzip", Buffer.from([0x1f, 0x8b, 8, 0]), /gzip/],
    ["averages of lm-eval", json({ results: {}, configs: {}, versions: {} }), /only averages/],
    [
      "averages of an early lm-eval",
      json({ results: { logiqa: { acc: 0.2 } }, versions: { logiqa: 0 } }),
      /only averages/,
    ],
    [
      "a pointer of Git LFS",
      "version https://git-lfs.github.com/spec/v1\noid sha256:0a\nsize 133\n",
      /pointer of Git LFS.*git lfs pull/,
    ],
    [
      "Playwright's JSON report",
      json({ config: { rootDir: "/w", projects: [{ retries: 0 }] }, suites: [], stats: {} }),
      /^Playwright's JSON report is not read.*JUnit/,
    ],
    [
      "a CSV to which a run was appended, header and all",
      "user_input,response,faithfulness\na,b,0.9\nuser_input,response,faithfulness\na,b,0.2\n",
      /^the header is here again: .*a file of its own/,
    ],
    [
      "two JUnit reports in one file",
      '<?xml version="1.0"?>\n<testsuites><testsuite name="a"><testcase name="x"/></testsuite></testsuites>\n'.repeat(
        2,
      ),
      /^the file holds several reports/,
    ],
    [
      "averages in a format of the user's own",
      json({ examples: 400, metrics: { faithfulness: 0.54, context_recall: null } }),
      /format is not known.*; it begins without a list of rows, and gates compare rows/,
    ],
    ["TAP", "TAP version 13\n1..2\nok 1 - a\nnot ok 2 - b\n", /^TAP is not read.*JUnit/],
    ["TAP without its version", "1..1\nok 1 - a\n", /^TAP is not read/],
  ])("is refused with the reason: %s", async (_, text, message) => {
    expect((await problemsOf(text)).join("\n")).toMatch(message);
  });

  test("a file without a score says what numbers it holds, and gives a mapping that reads them", async () => {
    const text = "input,output,expected,score\na,b,c,0.5\n";
    const { experiment } = await readOne(text);
    const why = experiment.whyUnscored!;
    expect(why).toMatch(/^no row has a score \(read as csv\); numeric columns not read: score; /);
    const mapping = why.slice(why.indexOf("{"));
    const mapped = await readOne(text, { mapping });
    expect(mapped.experiment.scores).toEqual({ score: { mean: 0.5, n: 1 } });
    expect(mapped.experiment.whyUnscored).toBeNull();
  });

  test("columns of counts and names are not scores of ragas", async () => {
    const { experiment } = await readOne(
      "id,user_input,response,latency_ms,faithfulness\n1,a,b,20,0.5\n",
    );
    expect(Object.keys(experiment.scores)).toEqual(["faithfulness"]);
    expect(experiment.warnings.join()).toMatch(/numbers not read: id, latency_ms/);
  });
});

test("a ragas metric whose name is a column's in another case is scored, and is not part of the example", async () => {
  const { experiment } = await readOne(
    "user_input,response,faithfulness,Rubrics,Answer\nq1,r1,0.9,0.1,0.3\nq2,r2,0.8,0.1,0.4\n",
    { name: "ragas.csv" },
  );
  expect(Object.keys(experiment.scores)).toEqual(["faithfulness", "Rubrics", "Answer"]);
  expect(rowsOf(experiment).map(({ body }) => body.inputs)).toEqual([
    { user_input: "q1" },
    { user_input: "q2" },
  ]);
});

test("numbers in the extra of a CTRF test are reported as not read", async () => {
  const { experiment } = await readOne(
    json({
      reportFormat: "CTRF",
      specVersion: "0.0.0",
      results: {
        tool: { name: "jest" },
        summary: { tests: 1, passed: 1, failed: 0, pending: 0, skipped: 0, other: 0 },
        tests: [{ name: "a", status: "passed", duration: 3, extra: { accuracy: 0.1 } }],
      },
    }),
  );
  expect(experiment.warnings.join()).toContain("numbers not read: extra.accuracy");
  expect(rowsOf(experiment)[0]!.body).toMatchObject({ run_metadata: { extra: { accuracy: 0.1 } } });
});

test.each([[false], [{}], [[]], [""]])(
  "a DeepEval metric whose error is %j keeps its score",
  async (error) => {
    const metric = { name: "M", score: 0.1, success: false, threshold: 0.5, error };
    const { experiment } = await readOne(
      json({ testCases: [{ name: "t", input: "q", success: false, metricsData: [metric] }] }),
    );
    expect(experiment.scores["M"]).toMatchObject({ n: 1, mean: 0.1 });
  },
);

test.each([
  ["ragas", { question: "q", answer: "a" }, { model: "x" }, "exact_match"],
  ["our own rows", { inputs: { q: 1 }, actual_outputs: {} }, { run_metadata: { model: "x" } }, ""],
])(
  "two models in one file of %s cause a warning, since their rows look like repeats",
  async (_, row, arm, metric) => {
    const scores = (score: number): object =>
      metric === "" ? { evaluation_scores: [{ key: "m", score }] } : { [metric]: score };
    const other = JSON.parse(json(arm).replace('"x"', '"y"'));
    const lines = (second: object): string =>
      [
        { ...row, ...arm, ...scores(1) },
        { ...row, ...second, ...scores(0) },
      ]
        .map(json)
        .join("\n");
    const { experiment } = await readOne(lines(other), { name: "two.jsonl" });
    expect(experiment.warnings.join()).toMatch(
      /2 rows are 1 example with up to 2 repeats each: (run_metadata\.)?model has 2 values that multiply the rows/,
    );
    const once = await readOne(lines(arm), { name: "one.jsonl" });
    expect(once.experiment.warnings.join()).not.toContain("multiply");
  },
);
