import { describe, expect, test } from "@jest/globals";
import { problemsOf, readTexts, rowsOf } from "./read-text.ts";
import { bodiesOf, jsonLines, readOnly } from "./sent-rows.ts";

const json = JSON.stringify;
const NEW_YEAR = "2026-01-01T00:00:00.000Z";

/** The warning about a file with fewer rows than its own total. */
const fewerThan = (share: string): string =>
  `the file holds ${share} that it counts itself: ` +
  "the others are in no score, and it makes no baseline unless you accept it";

describe("Google ADK", () => {
  const said = (text: string): object => ({ parts: [{ text }, { data: 1 }, { text: "!" }] });
  const turn = {
    expected_invocation: { user_content: said("q"), final_response: said("e") },
    actual_invocation: { user_content: said("asked"), final_response: said("a") },
  };
  const unexpected = {
    expectedInvocation: {},
    actualInvocation: { userContent: said("asked"), finalResponse: said("a") },
  };

  test("reads old pairs and both spellings, and counts a case that was not evaluated as an error", async () => {
    const experiment = await readOnly(
      json({
        eval_set_id: "set",
        creation_timestamp: 1_767_225_600,
        eval_case_results: [
          {
            ...{ eval_set_id: "own", eval_id: "c1", final_eval_status: 1, session_id: "s" },
            eval_metric_results: [
              [
                { metric_name: "m", threshold: 0.5 },
                { score: 0.75, eval_status: 1 },
              ],
              { metric_name: "n", score: 0.25, eval_status: 2, threshold: 0.5 },
            ],
            eval_metric_result_per_invocation: [turn, { ...turn, expected_invocation: {} }],
          },
          {
            ...{ eval_id: "c2", finalEvalStatus: "FAILED", overall_eval_metric_results: [] },
            evalMetricResultPerInvocation: [unexpected],
          },
          {
            ...{ eval_id: "c3", final_eval_status: 3 },
            overall_eval_metric_results: [{ metric_name: "m", score: null, eval_status: 3 }],
          },
          {
            ...{ eval_id: "c4", final_eval_status: 3 },
            overall_eval_metric_results: [{ metric_name: "m", score: 1, eval_status: 3 }],
          },
          {
            ...{ eval_id: "c5", final_eval_status: 2, error_message: "boom" },
            overall_eval_metric_results: [],
          },
        ],
      }),
    );
    const silent = { user: [] as string[] };
    const nothing = { responses: [] as string[] };
    expect(bodiesOf(experiment)).toEqual([
      {
        inputs: { eval_id: "c1", user: ["q!"] },
        expected_outputs: { responses: ["e!"] },
        actual_outputs: { responses: ["a!", "a!"] },
        evaluation_scores: [
          { key: "m", score: 0.75 },
          { key: "m.pass", score: 1, comment: "threshold 0.5" },
          { key: "n", score: 0.25 },
          { key: "n.pass", score: 0, comment: "threshold 0.5" },
          { key: "pass", score: 1 },
        ],
        run_name: "c1",
        run_metadata: { eval_set_id: "own", session_id: "s" },
      },
      {
        inputs: { eval_id: "c2", user: ["asked!"] },
        actual_outputs: { responses: ["a!"] },
        ...{ run_name: "c2", error: "the case was not evaluated" },
        run_metadata: { eval_set_id: "set" },
      },
      {
        ...{ inputs: { eval_id: "c3", ...silent }, actual_outputs: nothing },
        ...{ run_name: "c3", error: "the case was not evaluated" },
        run_metadata: { eval_set_id: "set" },
      },
      {
        ...{ inputs: { eval_id: "c4", ...silent }, actual_outputs: nothing, run_name: "c4" },
        evaluation_scores: [{ key: "m", score: 1 }],
        run_metadata: { eval_set_id: "set" },
      },
      {
        ...{ inputs: { eval_id: "c5", ...silent }, actual_outputs: nothing },
        ...{ run_name: "c5", error: "boom", run_metadata: { eval_set_id: "set" } },
      },
    ]);
    expect(experiment).toMatchObject({ suite: "set", created_at: NEW_YEAR });
  });

  test("reads JSON inside of a text, and refuses a text with something else", async () => {
    const inner = {
      eval_set_result_id: "r",
      eval_set_id: "set",
      eval_case_results: [{ eval_id: "c1", finalEvalStatus: 1, overallEvalMetricResults: [] }],
    };
    expect(bodiesOf(await readOnly(json(json(inner))))).toMatchObject([
      { evaluation_scores: [{ key: "pass", score: 1 }], run_metadata: { eval_set_id: "set" } },
    ]);
    expect(await problemsOf(json('{"eval_set_result_id":[}'))).toEqual([
      "the file is not valid JSON",
    ]);
  });
});

test("CTRF: reads passed, failed and broken tests, counts the skipped, and warns of missing ones", async () => {
  const test = (name: string, status: string, more: object = {}): object => ({
    ...{ name, status, duration: 1500, ...more },
  });
  const experiment = await readOnly(
    json({
      results: {
        summary: { tests: 9, skipped: 1, pending: 1, start: 1_767_225_600_000 },
        tests: [
          test("a", "passed", { suite: "s1 > s2", filePath: "f.ts", score: 0.5, extra: { x: 1 } }),
          test("b", "failed", { message: "no", trace: "at", suite: ["s1", "s2"] }),
          test("c", "failed", { trace: "at" }),
          test("d", "other"),
          test("e", "skipped"),
          test("f", "pending"),
          test("g", "other", { message: "m", start: 1_767_225_600_000, stop: 1_767_225_601_000 }),
        ],
      },
    }),
  );
  const failed = (comment: string): object[] => [{ key: "pass", score: 0, comment }];
  expect(bodiesOf(experiment)).toEqual([
    {
      inputs: { test: "a", suite: "s1 > s2", file: "f.ts" },
      evaluation_scores: [{ key: "pass", score: 1 }],
      ...{ run_name: "a", run_metadata: { extra: { x: 1 } }, duration_s: 1.5 },
    },
    {
      inputs: { test: "b", suite: "s1 > s2" },
      ...{ evaluation_scores: failed("no"), run_name: "b", duration_s: 1.5 },
    },
    { inputs: { test: "c" }, evaluation_scores: failed("at"), run_name: "c", duration_s: 1.5 },
    { inputs: { test: "d" }, error: "the test ended as other", run_name: "d", duration_s: 1.5 },
    { inputs: { test: "g" }, error: "m", run_name: "g", duration_s: 1 },
  ]);
  expect(experiment).toMatchObject({ state: "incomplete", skipped: 2, created_at: NEW_YEAR });
  expect(experiment.warnings).toEqual([
    fewerThan("7 of the 9 tests"),
    "2 skipped tests are not rows and are in no score",
    "2 rows crashed: “the test ended as other” (1), “m” (1)",
    "numbers not read: score, extra.x (a mapping can name them as scores)",
  ]);
  const broken = { tool: { name: "t" }, tests: [{ name: "a", status: "passed" }, 5] };
  expect(await problemsOf(json({ results: broken }))).toEqual(["row 2 is not an object"]);
});

test("DeepEval: reads cases, conversations, flaky metrics and the summary of the tool", async () => {
  const metric = (name: string, score: number, success: boolean, more: object = {}): object => ({
    ...{ name, score, success, threshold: 0.5, ...more },
  });
  const turns = [
    { role: "user", content: "hi", order: 0 },
    { role: "assistant", content: "yo", order: 1 },
  ];
  const experiment = await readOnly(
    json({
      testRunData: {
        ...{ identifier: "id", testPassed: 2, testFailed: 2 },
        metricsScores: [
          { metric: "M", scores: [0.5, 1, null, "x"], passes: 1, fails: 2 },
          { metric: "none", scores: [null] },
          { scores: [1] },
        ],
        testCases: [
          {
            ...{ name: "t1", input: "i", actualOutput: "o", success: true, runDuration: 1.5 },
            metricsData: [
              metric("M", 0.75, true, { evaluationModel: "judge-1", flaky: true }),
              metric("N", 0.25, false, { evaluationModel: "judge-2" }),
            ],
            trace: {
              agentSpans: [{ metricsData: [{ score: 1 }] }],
              toolSpans: [{ metricsData: [{ name: "S" }] }],
              metricsData: [{ score: 1 }],
            },
          },
        ],
        conversationalTestCases: [
          {
            ...{ name: "c1", scenario: "sc", context: ["x"], turns, success: false },
            ...{ expectedOutcome: "oc", metricsData: [metric("M", 0, false)] },
          },
          { name: "c2", scenario: "", turns: turns.slice(0, 1), metricsData: [] },
        ],
      },
    }),
  );
  expect(bodiesOf(experiment)).toEqual([
    {
      ...{ inputs: { input: "i" }, actual_outputs: { output: "o" }, run_name: "t1" },
      evaluation_scores: [
        { key: "M", score: 0.75 },
        { key: "M.pass", score: 1, comment: "threshold 0.5, flaky" },
        { key: "N", score: 0.25 },
        { key: "N.pass", score: 0, comment: "threshold 0.5" },
        { key: "pass", score: 1 },
      ],
      duration_s: 1.5,
    },
    {
      inputs: { scenario: "sc", context: ["x"], turns: [{ role: "user", content: "hi" }] },
      ...{ expected_outputs: { outcome: "oc" }, actual_outputs: { turns }, run_name: "c1" },
      evaluation_scores: [
        { key: "M", score: 0 },
        { key: "M.pass", score: 0, comment: "threshold 0.5" },
        { key: "pass", score: 0 },
      ],
    },
    {
      inputs: { scenario: "", turns: [{ role: "user", content: "hi" }] },
      ...{ actual_outputs: { turns: turns.slice(0, 1) }, run_name: "c2" },
    },
  ]);
  expect(experiment).toMatchObject({ suite: "id", judge: "judge-1", state: "incomplete" });
  expect(experiment.given).toEqual({
    summary_experiment_scores: [
      { key: "M", score: 0.75, comment: "mean of 2; passes 1, fails 2, errors 0" },
    ],
  });
  expect(experiment.warnings).toEqual([
    fewerThan("3 of the 4 test cases"),
    "numbers not read: trace.agentSpans[].metricsData[].score (a mapping can name them as scores)",
  ]);
});

describe("DeepEval's simulated users", () => {
  const examplesOf = async (...scenarios: (string | undefined)[]): Promise<number> => {
    const conversationalTestCases = scenarios.map((scenario, n) => ({
      ...{ name: "c", scenario, metricsData: [], turns: [{ role: "user", content: `${n}` }] },
    }));
    const shown = rowsOf(await readOnly(json({ conversationalTestCases })));
    return new Set(shown.map(({ example }) => example)).size;
  };
  test("are one example per scenario, and without a scenario are identified by what they say", async () => {
    expect(await examplesOf("sc", "sc")).toBe(1);
    expect(await examplesOf("", "")).toBe(2);
    expect(await examplesOf(undefined, undefined)).toBe(2);
  });
});

test("TRX: reads durations with hours, minutes and seconds, and finds classes by id", async () => {
  const result = (id: number, outcome: string, duration: string, inner = ""): string =>
    `<UnitTestResult testId="${id}" testName="T${id}" outcome="${outcome}" duration="${duration}">` +
    `${inner}</UnitTestResult>`;
  const definition = (id: number): string =>
    `<UnitTest id="${id}"><TestMethod className="C${id}"/></UnitTest>`;
  const failure = "<Output><ErrorInfo><Message>no</Message></ErrorInfo></Output>";
  const experiment = await readOnly({
    "a.trx": [
      ...["<TestRun><Results>", result(1, "Passed", "01:02:03.5000000")],
      ...[result(2, "Failed", "5", failure), "</Results><TestDefinitions>"],
      ...[definition(1), definition(2), "</TestDefinitions></TestRun>"],
    ].join(""),
  });
  expect(bodiesOf(experiment)).toEqual([
    {
      inputs: { test: "T1", classname: "C1" },
      ...{ evaluation_scores: [{ key: "pass", score: 1 }], run_name: "C1.T1", duration_s: 3723.5 },
    },
    {
      inputs: { test: "T2", classname: "C2" },
      ...{ evaluation_scores: [{ key: "pass", score: 0, comment: "no" }], run_name: "C2.T2" },
    },
  ]);
});

test("evalite: adds the variant to the name, and leaves out the output of a task that threw", async () => {
  const results = [
    { input: "i", output: "o", scores: [{ name: "s", score: 0.5 }], duration: 1500 },
    { input: "j", output: { message: "boom" }, scores: [], status: "fail" },
    { input: "k", output: { x: 1 }, scores: [], status: "fail" },
    { input: "l", output: "o", scores: [{ name: "s", score: 0 }], status: "fail" },
    { input: "m", output: "o", scores: [], status: "success" },
  ];
  const withVariant = async (variantName?: string): Promise<object[]> =>
    bodiesOf(await readOnly(json({ run: {}, evals: [{ name: "E", variantName, results }] })));
  const around = { run_name: "E (v1)", run_metadata: { eval: "E", variant: "v1" } };
  const actual_outputs = { output: "o" };
  expect(await withVariant("v1")).toEqual([
    {
      ...{ ...around, inputs: { input: "i" }, actual_outputs, duration_s: 1.5 },
      evaluation_scores: [{ key: "s", score: 0.5 }],
    },
    { ...around, inputs: { input: "j" }, error: "boom" },
    { ...around, inputs: { input: "k" }, error: "the task failed" },
    {
      ...{ ...around, inputs: { input: "l" }, actual_outputs },
      evaluation_scores: [{ key: "s", score: 0 }],
    },
    { ...around, inputs: { input: "m" }, actual_outputs },
  ]);
  expect((await withVariant())[0]).toMatchObject({ run_name: "E" });
});

describe("Langfuse", () => {
  test.each([
    ["item_results", { item_results: [{}] }],
    ["itemResults", { itemResults: [{}] }],
    ["results of the action", { results: [{ experiment_result: { item_results: [{}] } }] }],
  ])("is recognised by %s", async (_, document) => {
    const { experiments } = await readTexts({ "a.json": json(document) });
    expect(experiments.map(({ format }) => format)).toEqual(["langfuse"]);
  });

  test("is not recognised by another tool's results", async () => {
    expect(await problemsOf(json({ results: [{ input: 1, score: 1 }] }))).toEqual([
      expect.stringMatching(/^the format is not known \(json, keys results, /),
    ]);
  });
});

test("lm-eval: reads the metrics that a record lists, or all its numbers; another filter is another example", async () => {
  const experiment = await readOnly({
    "out/samples_task_a_2026-01-01T00-00-00.jsonl": jsonLines(
      {
        ...{ doc_id: 0, doc: { q: 1 }, target: "t", resps: [["r"]], filtered_resps: ["f"] },
        ...{
          filter: "none",
          metrics: ["acc", "bleu", "gone", 5],
          acc: 1,
          bleu: [1, 2],
          extra: 0.5,
        },
      },
      {
        ...{ doc_id: 1, doc: { q: 1 }, resps: [["r"]], filter: "strict" },
        ...{ exact: true, word: "x", nested: { a: 1 }, gone: null },
      },
    ),
  });
  expect(bodiesOf(experiment)).toEqual([
    {
      ...{ inputs: { q: 1 }, expected_outputs: { target: "t" } },
      actual_outputs: { output: ["f"], responses: [["r"]] },
      evaluation_scores: [{ key: "acc", score: 1 }],
      run_metadata: { doc_id: 0, filter: "none" },
    },
    {
      ...{ inputs: { q: 1 }, actual_outputs: { responses: [["r"]] } },
      evaluation_scores: [{ key: "exact,strict", score: 1 }],
      run_metadata: { doc_id: 1, filter: "strict" },
    },
  ]);
  const [one, other] = rowsOf(experiment);
  expect(one!.example).not.toBe(other!.example);
  expect(experiment).toMatchObject({
    suite: "task_a",
    warnings: ["numbers not read: bleu, extra, nested.a (a mapping can name them as scores)"],
  });
});

test("OpenAI Evals: reads the names of criteria, items that errored, and one page of several", async () => {
  const experiment = await readOnly(
    json({
      has_more: true,
      data: [
        {
          datasource_item: { q: "a", ideal: "i", response: "r", thread_id: "t", agent_name: "n" },
          results: [
            {
              ...{ name: "c1-11111111-2222-3333-4444-555555555555", score: 1, passed: true },
              ...{ label: "ok", reason: "why", threshold: 0.5 },
            },
            { metric: "m", name: "m-x", score: 0.5 },
            { metric: "m", name: "other", score: 0.25 },
            { metric: "m", score: 0.1 },
            { metric: "k", name: "n", score: 0.2 },
            { status: "error", name: "e", score: 1 },
            { type: "t", score: 0 },
            { score: 1 },
          ],
          sample: { model: "g", output: [{ content: "o1" }, { content: "o2" }] },
        },
        {
          ...{ datasource_item: {}, status: "error", results: [] },
          sample: {
            input: [
              { role: "user", content: "hi" },
              { role: "assistant", content: "yo" },
            ],
            output: [{ content: "one" }],
          },
        },
        {
          ...{ datasource_item: { q: "b" }, status: "error", results: [] },
          sample: { error: { message: "boom" } },
        },
      ],
    }),
  );
  expect(bodiesOf(experiment)).toEqual([
    {
      ...{ inputs: { q: "a" }, expected_outputs: { ideal: "i" } },
      actual_outputs: { response: "r", output: ["o1", "o2"] },
      evaluation_scores: [
        { key: "c1", score: 1, value: "ok", comment: "why" },
        { key: "c1.pass", score: 1, comment: "threshold 0.5" },
        { key: "m-x", score: 0.5 },
        { key: "other.m", score: 0.25 },
        { key: "m", score: 0.1 },
        { key: "k", score: 0.2 },
        { key: "t", score: 0 },
      ],
      run_metadata: { model: "g", thread_id: "t", agent_name: "n" },
    },
    {
      inputs: { input: [{ role: "user", content: "hi" }] },
      actual_outputs: { output: "one" },
      error: "the item errored and the file does not say why",
    },
    { inputs: { q: "b" }, error: "boom" },
  ]);
  expect(experiment).toMatchObject({
    state: "incomplete",
    directions: new Map([["c1", "higher"]]),
  });
  expect(await problemsOf(json({ data: [{ datasource_item: {}, results: [] }] }))).toEqual([
    "row 1: inputs is required",
  ]);
});

test("tau-bench: a simulation that has no reward, or that the infrastructure ended, is an error", async () => {
  const simulation = (more: object): object => ({ task_id: "1", ...more });
  const experiment = await readOnly(
    json({
      info: { num_trials: 2, environment_info: { domain_name: "retail" } },
      tasks: [{}, {}, {}],
      simulations: [
        simulation({
          termination_reason: "user_stop",
          duration: 2,
          reward_info: { reward: 1, reward_breakdown: { DB: 0.5 } },
        }),
        simulation({ termination_reason: "infrastructure_error", reward_info: { reward: 0 } }),
        simulation({ termination_reason: "too_many_errors", reward_info: null }),
        simulation({ reward_info: { reward: null } }),
      ],
    }),
  );
  expect(bodiesOf(experiment)).toMatchObject([
    {
      evaluation_scores: [
        { key: "reward", score: 1 },
        { key: "reward.DB", score: 0.5 },
      ],
      duration_s: 2,
    },
    { error: "infrastructure_error" },
    { error: "too_many_errors" },
    { error: "the simulation has no reward" },
  ]);
  expect(experiment).toMatchObject({ suite: "retail", errorCount: 3, state: "incomplete" });
  expect(experiment.warnings).toEqual([
    fewerThan("4 of the 6 simulations"),
    "3 rows crashed: “infrastructure_error” (1), “too_many_errors” (1), “the simulation has no reward” (1)",
  ]);
  const older = await readOnly(
    json([
      { task_id: 1, reward: 1, traj: [1] },
      { task_id: 1, reward: 0, traj: [], info: { error: "x" } },
    ]),
  );
  expect(older).toMatchObject({
    rowCount: 2,
    errorCount: 1,
    scores: { reward: { mean: 1, n: 1 } },
  });
});
