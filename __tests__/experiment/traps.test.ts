import { describe, expect, test } from "@jest/globals";
import { readOne, readTexts, rowsOf } from "./read-text.ts";

const lines = (...values: unknown[]): string =>
  `${values.map((value) => JSON.stringify(value)).join("\n")}\n`;

describe("scores", () => {
  test("booleans are 0 and 1; NaN, Infinity, 1e400 and null are unscored, omitted and counted", async () => {
    const { experiment, rows } = await readOne(
      '{"inputs":{"q":1},"evaluation_scores":[{"key":"a","score":true},{"key":"b","score":NaN},{"key":"c","score":-Infinity,"comment":"judge down"},{"key":"d","score":1e400},{"key":"e","score":null}]}\n{"inputs":{"q":2}}\n',
    );
    expect(rows[0]!.evaluation_scores).toEqual([
      { key: "a", score: 1 },
      { key: "c", comment: "judge down" },
    ]);
    expect(experiment.warnings).toContain(
      "4 scores are missing, NaN or infinite (1 of b, 1 of c, 1 of d, 1 of e): unscored, not sent, in no mean",
    );
    expect(experiment.scores).toEqual({ a: { mean: 1, n: 1 } });
  });

  test("words become a value if the format is another tool's", async () => {
    const { rows } = await readOne(
      "inputs.q,feedback.tone,feedback.ok,feedback.n\nx,fair,True,0.25\n",
    );
    expect(rows[0]!.evaluation_scores).toEqual([
      { key: "tone", value: "fair" },
      { key: "ok", score: 1 },
      { key: "n", score: 0.25 },
    ]);
  });

  test("a failed row's scores are in the means, as they are sent and judged", async () => {
    const { experiment } = await readOne(
      lines(
        { inputs: { q: 1 }, evaluation_scores: [{ key: "a", score: 1 }] },
        { inputs: { q: 2 }, error: "timeout", evaluation_scores: [{ key: "a", score: 0 }] },
      ),
    );
    expect(experiment.scores).toEqual({ a: { mean: 0.5, n: 2 } });
    expect(experiment.sent).toEqual({ a: { mean: 0.5, n: 2 } });
  });
});

describe("times", () => {
  test("a row without a time starts at the file's time, a duration sets its end, and a missing one is reported", async () => {
    const { experiment, rows } = await readOne("inputs.q,execution_time\na,1.5\nb,\n");
    expect(rows.map(({ start_time, end_time }) => [start_time, end_time])).toEqual([
      ["2026-01-01T00:00:00.000Z", "2026-01-01T00:00:01.500Z"],
      ["2026-01-01T00:00:00.000Z", "2026-01-01T00:00:00.000Z"],
    ]);
    expect(experiment.window.end.text).toBe("2026-01-01T00:00:01.500Z");
    expect(experiment.timeWarnings).toEqual([
      "2 rows without a time: the file's own time is the start",
      "1 row without a duration: the end is the start, so the latency shown is 0",
    ]);
  });

  test("a time without a zone gets a Z, a space becomes a T, and six digits stay", async () => {
    const { rows } = await readOne(
      lines({
        inputs: { q: 1 },
        start_time: "2026-01-01 10:00:00.000001",
        end_time: "2026-01-01T10:00:01",
      }),
    );
    expect([rows[0]!.start_time, rows[0]!.end_time]).toEqual([
      "2026-01-01T10:00:00.000001Z",
      "2026-01-01T10:00:01.000Z",
    ]);
  });

  test("rows without a time stay inside a window that the file gives", async () => {
    const { rows } = await readOne(
      JSON.stringify({
        experiment_start_time: "2025-06-01T00:00:00Z",
        experiment_end_time: "2025-06-01T00:10:00Z",
        dataset_name: "d",
        results: [{ inputs: { q: 1 } }],
      }),
    );
    expect([rows[0]!.start_time, rows[0]!.end_time]).toEqual([
      "2025-06-01T00:00:00Z",
      "2025-06-01T00:00:00Z",
    ]);
  });
});

describe("identity", () => {
  test("equal inputs are repeats in their order, whatever the order of their keys; different ones are not", async () => {
    const { experiments } = await readTexts({
      "rows.jsonl":
        '{"inputs":{"a":1,"b":[1.0]}}\n{"inputs":{"b":[1],"a":1e0}}\n{"inputs":{"a":"1","b":[1]}}\n',
    });
    const rows = rowsOf(experiments[0]!);
    expect(rows.map(({ k }) => k)).toEqual([0, 1, 0]);
    expect(rows[0]!.example).toBe(rows[1]!.example);
    expect(new Set(rows.map(({ body }) => body.row_id)).size).toBe(3);
  });

  test("given ids are kept, and repeats are still recognised by their content", async () => {
    const ids = ["0b6f0f6e-0000-4000-8000-000000000001", "0b6f0f6e-0000-4000-8000-000000000002"];
    const { experiments } = await readTexts({
      "rows.jsonl": lines(...ids.map((row_id) => ({ row_id, inputs: { q: 1 } }))),
    });
    const rows = rowsOf(experiments[0]!);
    expect(rows.map(({ body }) => body.row_id)).toEqual(ids);
    expect(rows.map(({ k, example }) => [k, example === rows[0]!.example])).toEqual([
      [0, true],
      [1, true],
    ]);
  });

  test("an example_id that is a UUID is the row id of the first run; its repeats get ids of their own", async () => {
    const id = "0b6f0f6e-0000-4000-8000-000000000001";
    const { rows } = await readOne(`inputs.q,example_id,id\nx,${id},run-1\nx,${id},run-2\n`);
    expect(rows[0]!.row_id).toBe(id);
    expect(rows[1]!.row_id).not.toBe(id);
    expect(rows[1]!.run_metadata).toEqual({ id: "run-2" });
  });

  test("Phoenix and Inspect count repeats themselves, and two samples with the same text and epoch still get two ids", async () => {
    const phoenix = await readTexts({
      "p.json": JSON.stringify(
        [2, 1].map((n) => ({
          example_id: "e1",
          repetition_number: n,
          input: { q: 1 },
          output: "o",
          annotations: [],
        })),
      ),
    });
    expect(rowsOf(phoenix.experiments[0]!).map(({ k }) => k)).toEqual([1, 0]);
    const inspect = await readTexts({
      "i.json": JSON.stringify({
        version: 2,
        status: "success",
        eval: { task: "t" },
        samples: [1, 2].map((id) => ({ id, epoch: 1, input: "same", target: "x" })),
      }),
    });
    expect(rowsOf(inspect.experiments[0]!).map(({ k }) => k)).toEqual([0, 1]);
  });

  test("scalars are wrapped", async () => {
    const { rows } = await readOne(
      lines({ inputs: "hello", expected_outputs: 5, actual_outputs: ["a"] }),
    );
    expect(rows[0]).toMatchObject({
      inputs: { input: "hello" },
      expected_outputs: { output: 5 },
      actual_outputs: { output: ["a"] },
    });
  });
});

describe("promptfoo", () => {
  const row = (more: object): object => ({
    vars: { q: 1 },
    promptIdx: 0,
    provider: "echo",
    prompt: { label: "l" },
    ...more,
  });

  test("an API error and a run that was never graded are errors without scores; object outputs stay objects", async () => {
    const { rows, experiment } = await readOne(
      lines(
        row({ success: false, score: 0, failureReason: 2, error: "API error 500" }),
        row({
          vars: { q: 2 },
          success: false,
          score: 0,
          failureReason: 0,
          gradingResult: null,
          error: "No output",
        }),
        row({
          vars: { q: 3 },
          success: true,
          score: 1,
          failureReason: 0,
          gradingResult: { componentResults: [] },
          response: { output: { a: 1 } },
        }),
        row({
          vars: { q: 4 },
          success: false,
          score: 0,
          failureReason: 1,
          gradingResult: { componentResults: [] },
          error: "Expected x",
          response: { output: null },
        }),
      ),
    );
    expect(rows.map(({ error }) => error)).toEqual([
      "API error 500",
      "No output",
      undefined,
      undefined,
    ]);
    expect(rows.map(({ evaluation_scores }) => evaluation_scores?.length)).toEqual([
      undefined,
      undefined,
      2,
      2,
    ]);
    expect(rows[2]!.actual_outputs).toEqual({ a: 1 });
    expect(experiment.errorCount).toBe(2);
  });

  test("several asserts of one type without a metric are numbered", async () => {
    const { rows } = await readOne(
      lines(
        row({
          success: true,
          score: 1,
          failureReason: 0,
          namedScores: {},
          gradingResult: {
            componentResults: [
              { score: 1, assertion: { type: "contains" } },
              { score: 0, reason: "no", assertion: { type: "contains" } },
            ],
          },
        }),
      ),
    );
    expect(rows[0]!.evaluation_scores!.map(({ key }) => key)).toEqual([
      "contains",
      "contains#2",
      "score",
      "pass",
    ]);
  });

  test("the grade of a time or cost is not mistaken for the time or cost that the row states", async () => {
    const graded = {
      success: true,
      score: 1,
      failureReason: 0,
      gradingResult: {
        componentResults: [
          { score: 0, assertion: { type: "latency" } },
          { score: 1, assertion: { type: "cost" } },
        ],
      },
    };
    const { rows } = await readOne(
      lines(row({ ...graded, latencyMs: 4000, cost: 0.02 }), row({ ...graded, vars: { q: 2 } })),
    );
    const keys = rows.map(({ evaluation_scores }) => evaluation_scores!.map(({ key }) => key));
    expect(keys).toEqual([
      ["latency.pass", "cost.pass", "score", "pass"],
      ["latency", "cost", "score", "pass"],
    ]);
  });
});

describe("other formats", () => {
  test("Inspect: words and mappings are grades, NaN tokens are unscored, and a limit is not an error", async () => {
    const { rows } = await readOne(
      '{"version":2,"status":"success","eval":{"task":"t","model":"m"},"samples":[{"id":1,"epoch":1,"input":"a","target":["x","y"],"scores":{"s":{"value":{"one":"P","two":"yes","three":NaN}},"w":{"value":"maybe"}},"limit":{"type":"token"}}]}',
    );
    expect(rows[0]).toMatchObject({
      expected_outputs: { target: ["x", "y"] },
      run_metadata: { limit: { type: "token" } },
      evaluation_scores: [
        { key: "s.one", score: 0.5 },
        { key: "s.two", score: 1 },
        { key: "w", value: "maybe" },
      ],
    });
    expect(rows[0]!.error).toBeUndefined();
  });

  test("Inspect: metrics of several epoch reducers name the reducer, and those of one reducer do not", async () => {
    const entry = (name: string, reducer: string, value: number): object => ({
      name,
      scorer: name,
      reducer,
      metrics: { accuracy: { name: "accuracy", value }, stderr: { name: "stderr", value: 0 } },
    });
    const { experiment } = await readOne(
      JSON.stringify({
        version: 2,
        status: "success",
        eval: { task: "choice", config: { epochs: 2, epochs_reducer: ["mean", "at_least_1"] } },
        results: {
          scores: [
            entry("includes", "mean", 0.5),
            entry("includes", "at_least_1", 1),
            entry("match", "mean", 0.25),
          ],
        },
        samples: [{ id: 1, epoch: 1, input: "a", scores: { includes: { value: "C" } } }],
      }),
    );
    expect(
      experiment.given.summary_experiment_scores!.map(({ key, score }) => [key, score]),
    ).toEqual([
      ["includes.mean.accuracy", 0.5],
      ["includes.mean.stderr", 0],
      ["includes.at_least_1.accuracy", 1],
      ["includes.at_least_1.stderr", 0],
      ["match.accuracy", 0.25],
      ["match.stderr", 0],
    ]);
  });

  test("Inspect: a log that is not finished is incomplete", async () => {
    const { experiment } = await readOne(
      JSON.stringify({
        version: 2,
        status: "success",
        eval: { task: "t" },
        results: { total_samples: 2 },
        samples: [{ id: 1, epoch: 1, input: "a" }],
      }),
    );
    expect([experiment.state, experiment.warnings[0]]).toEqual([
      "incomplete",
      "the file holds 1 of the 2 samples that it counts itself: the others are in no score, and it makes no baseline unless you accept it",
    ]);
  });

  test("ragas: Python lists are read, empty cells are unscored, and neither the index column nor words are scores", async () => {
    const { rows } = await readOne(
      `,user_input,retrieved_contexts,response,reference,faithfulness,answer_relevancy,verdict\n0,q?,"['it\\'s ""x""', ""it's"", 'a\\nb']",r,g,0.5,,good\n`,
    );
    expect(rows[0]).toMatchObject({
      inputs: { user_input: "q?" },
      expected_outputs: { reference: "g" },
      actual_outputs: { retrieved_contexts: ['it\'s "x"', "it's", "a\nb"], response: "r" },
      evaluation_scores: [{ key: "faithfulness", score: 0.5 }],
      run_metadata: { verdict: "good" },
    });
  });

  test("ragas: JSONL with the old names is read", async () => {
    const { rows, experiment } = await readOne(
      '{"question":"q","contexts":["c"],"answer":"a","ground_truth":"g","faithfulness":NaN,"recall":1}\n{"question":"q2","answer":"b","recall":0}\n',
    );
    expect(experiment.format).toBe("ragas");
    expect(rows[0]).toMatchObject({
      inputs: { question: "q" },
      actual_outputs: { contexts: ["c"], answer: "a" },
      expected_outputs: { ground_truth: "g" },
      evaluation_scores: [{ key: "recall", score: 1 }],
    });
  });

  test("DeepEval: only a metric that passes sometimes is called flaky", async () => {
    const metric = { score: 0.6, threshold: 0.5, success: true, flaky: false };
    const metricsData = [
      { ...metric, name: "steady" },
      { ...metric, name: "shaky", flaky: true },
    ];
    const { rows } = await readOne(
      JSON.stringify({ testCases: [{ name: "t", input: "i", success: true, metricsData }] }),
    );
    const comments = rows[0]!.evaluation_scores!.flatMap(({ key, comment }) =>
      comment?.includes("flaky") === true ? [key] : [],
    );
    expect(comments).toEqual(["shaky.pass"]);
  });

  test("DeepEval: a metric that failed has no score, and the wrapped file and conversations are read", async () => {
    const { rows } = await readOne(
      JSON.stringify({
        testRunData: {
          testCases: [
            {
              name: "t",
              input: "i",
              metricsData: [{ name: "m", score: 0, success: false, error: "judge 500" }],
            },
          ],
          conversationalTestCases: [
            {
              name: "c",
              scenario: "s",
              turns: [{ role: "user", content: "hi" }],
              expectedOutcome: "o",
            },
          ],
        },
        testRunLink: "x",
      }),
    );
    expect(rows[0]!.evaluation_scores).toEqual([{ key: "m", comment: "not scored: judge 500" }]);
    expect(rows[1]).toMatchObject({
      inputs: { scenario: "s", turns: [{ role: "user", content: "hi" }] },
      expected_outputs: { outcome: "o" },
    });
  });

  test("OpenAI evals: a file without a final report is incomplete", async () => {
    const { experiment } = await readOne(
      lines(
        { spec: { eval_name: "e", run_id: "r" } },
        {
          run_id: "r",
          event_id: 0,
          sample_id: "s",
          type: "match",
          data: { correct: true },
          created_at: "2026-01-01 00:00:00.000001+00:00",
        },
      ),
    );
    expect(experiment.state).toBe("incomplete");
  });

  test("LangSmith: an exception that is not an assert is an error, and a report without side files says what is missing", async () => {
    const report = {
      numTotalTests: 2,
      testResults: [
        {
          startTime: 1767225600000,
          assertionResults: [
            {
              title: "a, test_id=0123456789abc",
              status: "failed",
              duration: 1,
              failureMessages: ["TypeError: x is undefined\n at y"],
            },
            { title: "b", status: "skipped" },
          ],
        },
      ],
    };
    const { rows, experiment } = await readOne(JSON.stringify(report));
    expect(rows).toMatchObject([{ inputs: { test: "a" }, error: "TypeError: x is undefined" }]);
    expect(experiment.warnings[0]).toMatch(/1 test has no side file/);
  });

  test("Phoenix: fields map one to one", async () => {
    const { rows } = await readOne(
      JSON.stringify([
        {
          example_id: "RGF0",
          repetition_number: 1,
          input: { q: "a" },
          reference_output: { a: "b" },
          output: "c",
          error: null,
          latency_ms: 1500,
          start_time: "2026-01-01T00:00:00+00:00",
          end_time: "2026-01-01T00:00:01.500000+00:00",
          annotations: [
            { name: "n", label: "good", score: 1, explanation: "w" },
            { name: "broken", error: "x" },
          ],
        },
      ]),
    );
    expect(rows[0]).toMatchObject({
      inputs: { q: "a" },
      expected_outputs: { a: "b" },
      actual_outputs: { output: "c" },
      start_time: "2026-01-01T00:00:00+00:00",
      end_time: "2026-01-01T00:00:01.500000+00:00",
      evaluation_scores: [
        { key: "n", score: 1, value: "good", comment: "w" },
        { key: "broken", comment: "not scored: x" },
      ],
      run_metadata: { example_id: "RGF0" },
    });
    expect(rows[0]!.error).toBeUndefined();
  });

  test("a row longer than the part that formats are detected by is still a row", async () => {
    const long = (n: number): object => ({
      inputs: { context: `${n}${"x".repeat(600_000)}` },
      evaluation_scores: [{ key: "k", score: 1 }],
    });
    const { rows, experiment } = await readOne(lines(long(1), long(2)), { name: "rows.jsonl" });
    expect([experiment.format, rows.length, (rows[1]!.inputs["context"] as string).length]).toEqual(
      ["rows", 2, 600_001],
    );
  });
});
