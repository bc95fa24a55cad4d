import { csv, doc, first, lines, many, type Shape } from "./shape.ts";

const qa = (i: number, right: number): object => ({
  question: `What is ${i} + ${i}?`,
  expected: String(2 * i),
  answer: i < right ? String(2 * i) : "unknown",
  correct: i < right,
});

/** Where rows are: in lists in lists, in several lists, by id, by arm. */
export const LISTS: readonly Shape[] = [
  doc(
    "results next to a summary",
    { model: "m-1", accuracy: 0.6, results: many(10, (i) => qa(i, 6)) },
    { rows: 10, examples: 10, metrics: { correct: 0.6 } },
  ),
  doc(
    "suites of cases",
    {
      suites: many(2, (s) => ({
        name: `suite-${s}`,
        cases: many(4, (i) => ({ id: `c${i}`, input: `do ${s}-${i}`, passed: i < 3 })),
      })),
    },
    { rows: 8, examples: 8, metrics: { passed: 0.75 } },
  ),
  doc(
    "suites of cases whose ids begin anew",
    {
      suites: many(2, (s) => ({
        name: `suite-${s}`,
        cases: many(4, (i) => ({ case_id: i + 1, passed: i < 3 })),
      })),
    },
    { rows: 8, examples: 8, metrics: { passed: 0.75 } },
  ),
  doc(
    "an object of lists of one shape",
    {
      date: "2026-01-02",
      eval: {
        "HumanEval/0": [{ task_id: "HumanEval/0", solution: "def f(): pass", passed: true }],
        "HumanEval/1": [{ task_id: "HumanEval/1", solution: "def g(): pass", passed: false }],
        "HumanEval/2": [{ task_id: "HumanEval/2", solution: "def h(): pass", passed: true }],
      },
    },
    { rows: 3, examples: 3, metrics: { passed: 2 / 3 } },
  ),
  doc(
    "an object of lists of samples, each by its key",
    {
      results: Object.fromEntries(
        many(4, (i) => [
          `task-${i}`,
          many(3, (k) => ({ attempt: k + 1, success: (i + k) % 2 === 0 })),
        ]),
      ),
    },
    { rows: 12, examples: 4, metrics: { success: 0.5 } },
  ),
  doc(
    "EvalPlus results",
    {
      date: "2024-05-01 10:00",
      hash: "abc",
      eval: Object.fromEntries(
        many(5, (i) => [
          `HumanEval/${i}`,
          [
            {
              task_id: `HumanEval/${i}`,
              solution: "def f(x):\n  return x",
              base_status: i < 4 ? "pass" : "fail",
              plus_status: i < 3 ? "pass" : "fail",
              base_fail_tests: [],
              plus_fail_tests: [],
            },
          ],
        ]),
      ),
    },
    { rows: 5, examples: 5, metrics: { base_status: 0.8, plus_status: 0.6 } },
  ),
  doc(
    "two lists of different suites",
    {
      rag: many(10, (i) => ({ question: `q${i}`, answer: "a", pass: i < 7 })),
      parser: many(8, (i) => ({ document: `d${i}.pdf`, fields_ok: 0, pass: false })),
      took: 12,
    },
    undefined,
    /parser|rag/,
  ),
  doc(
    "two lists of one shape",
    {
      rag: many(6, (i) => ({ id: `r${i}`, query: `rag ${i}`, pass: i < 4 })),
      parser: many(4, (i) => ({ id: `p${i}`, query: `parse ${i}`, pass: i < 1 })),
      version: 3,
    },
    { rows: 10, examples: 10, metrics: { pass: 0.5 } },
  ),
  doc(
    "the worst of a run next to the run",
    {
      summary: { mean: 0.7 },
      worst: many(3, (i) => ({ id: `q${i + 7}`, question: `text ${i + 7}`, score: 0 })),
      results: many(10, (i) => ({ id: `q${i}`, question: `text ${i}`, score: first(7, i) })),
    },
    { rows: 10, examples: 10, metrics: { score: 0.7 } },
  ),
  doc(
    "rows by id",
    {
      by_id: Object.fromEntries(
        many(5, (i) => [`q-${i}`, { prompt: `p${i}`, response: "r", score: first(3, i) }]),
      ),
    },
    { rows: 5, examples: 5, metrics: { score: 0.6 } },
  ),
  doc(
    "a report by id without inputs",
    Object.fromEntries(
      many(6, (i) => [
        `django__django-${10000 + i}`,
        {
          patch_is_None: false,
          patch_exists: true,
          patch_successfully_applied: true,
          resolved: i < 2,
          tests_status: {
            FAIL_TO_PASS: { success: ["t1"], failure: [] },
            PASS_TO_PASS: { success: [], failure: [] },
          },
        },
      ]),
    ),
    { rows: 6, examples: 6, metrics: { resolved: 1 / 3 } },
  ),
  doc(
    "ids of what was resolved, and nothing else",
    {
      total_instances: 5,
      resolved_instances: 2,
      resolved_ids: ["a__a-1", "b__b-2"],
      unresolved_ids: ["c__c-3", "d__d-4"],
      error_ids: ["e__e-5"],
      schema_version: 2,
    },
    undefined,
    /resolved_ids|no list of rows|without a list of rows/,
  ),
  doc(
    "averages by task",
    {
      results: { arc: { acc: 0.5, acc_stderr: 0.01 }, mmlu: { acc: 0.6, acc_stderr: 0.02 } },
      versions: { arc: 1, mmlu: 1 },
      config: { model: "hf" },
    },
    undefined,
    /averages|list of rows/,
  ),
  doc(
    "a summary only",
    { accuracy: 0.83, f1: 0.8, total: 100, model: "m" },
    undefined,
    /averages|list of rows/,
  ),
  doc(
    "lm-eval's result in Python, written as JSON",
    {
      results: { arc: { alias: "arc", "acc,none": 0.5 } },
      configs: { arc: {} },
      versions: { arc: 1 },
      samples: {
        arc: many(4, (i) => ({
          doc_id: i,
          doc: { question: `q${i}`, choices: ["a", "b"] },
          target: "a",
          arguments: [["q", "a"]],
          resps: [["a"]],
          filtered_resps: ["a"],
          doc_hash: `h${i}`,
          acc: first(2, i),
        })),
        mmlu: many(2, (i) => ({
          doc_id: i,
          doc: { question: `m${i}`, choices: ["a", "b"] },
          target: "b",
          arguments: [["q", "b"]],
          resps: [["b"]],
          filtered_resps: ["b"],
          doc_hash: `m${i}`,
          acc: first(1, i),
        })),
      },
    },
    { rows: 6, examples: 6, metrics: { acc: 0.5 } },
  ),
  doc(
    "rows deep in a run",
    {
      run: {
        id: "r1",
        output: {
          version: "1.2",
          details: many(5, (i) => ({
            utterance: `u${i}`,
            intent_expected: "x",
            intent_predicted: "x",
            match: i < 4,
          })),
        },
      },
    },
    { rows: 5, examples: 5, metrics: { match: 0.8 } },
  ),
  doc(
    "details, a summary and an empty list of errors",
    {
      summary: { passed: 3, failed: 1 },
      details: many(4, (i) => ({ input: `i${i}`, output: "o", passed: i < 3 })),
      errors: [],
    },
    { rows: 4, examples: 4, metrics: { passed: 0.75 } },
  ),
  doc(
    "cases, and those that crashed apart from them",
    {
      cases: many(4, (i) => ({ input: `i${i}`, output: "o", passed: i < 3 })),
      failures: [{ input: "i9", error_message: "RuntimeError: 429" }],
    },
    { rows: 5, examples: 5, metrics: { passed: 0.75 }, errors: 1 },
  ),
  doc(
    "arms as an object of results",
    {
      models: {
        "gpt-x": { results: many(5, (i) => ({ question: `q${i}`, score: first(4, i) })) },
        "claude-y": { results: many(5, (i) => ({ question: `q${i}`, score: first(2, i) })) },
      },
    },
    { rows: 10, examples: 10, metrics: { score: 0.6 } },
  ),
  doc(
    "arms as a list of runs",
    {
      runs: ["baseline", "treatment"].map((condition) => ({
        condition,
        results: many(5, (i) => ({ question: `q${i}`, answer: "a", correct: i < 3 })),
      })),
    },
    { rows: 10, examples: 10, metrics: { correct: 0.6 } },
  ),
  doc(
    "answers of models in each question",
    {
      questions: many(4, (i) => ({
        question: `q${i}`,
        reference: "r",
        answers: [
          { model: "a", text: "x", score: 1 },
          { model: "b", text: "y", score: first(2, i) },
        ],
      })),
    },
    { rows: 8, examples: 8, metrics: { score: 0.75 } },
  ),
  doc(
    "trials in each task",
    {
      tasks: many(3, (i) => ({
        task_id: `t${i}`,
        instruction: `do ${i}`,
        trials: many(4, (k) => ({ trial: k, success: k < 2, steps: 7 })),
      })),
    },
    { rows: 12, examples: 3, metrics: { success: 0.5 } },
  ),
  doc(
    "a table of columns and data",
    {
      columns: ["question", "answer", "score"],
      index: [0, 1, 2, 3],
      data: many(4, (i) => [`q${i}`, "a", first(3, i)]),
    },
    { rows: 4, examples: 4, metrics: { score: 0.75 } },
  ),
  doc(
    "columns of lists",
    {
      question: many(4, (i) => `q${i}`),
      answer: many(4, () => "a"),
      score: many(4, (i) => first(3, i)),
    },
    { rows: 4, examples: 4, metrics: { score: 0.75 } },
  ),
  doc(
    "columns of cells by row, as pandas writes them",
    {
      question: Object.fromEntries(many(4, (i) => [String(i), `q${i}`])),
      exact_match: Object.fromEntries(many(4, (i) => [String(i), first(1, i)])),
    },
    { rows: 4, examples: 4, metrics: { exact_match: 0.25 } },
  ),
  doc(
    "a list of lists under a header",
    [
      ["question", "score"],
      ["a", 1],
      ["b", 0],
    ],
    undefined,
    /list of (?:lists|rows)|objects/,
  ),
  doc(
    "one result and no list",
    { question: "q", answer: "a", score: 0.5 },
    undefined,
    /list of rows/,
  ),
  doc(
    "categories with averages",
    {
      categories: [
        { category: "math", accuracy: 0.5, total: 20 },
        { category: "law", accuracy: 0.7, total: 30 },
      ],
      overall: 0.6,
    },
    undefined,
    /averages|total/,
  ),
  lines(
    "a first line about the run",
    [
      { type: "meta", model: "m", started: "2026-01-01T00:00:00Z" },
      ...many(5, (i) => ({ type: "result", question: `q${i}`, correct: i < 3 })),
    ],
    { rows: 5, examples: 5, metrics: { correct: 0.6 } },
  ),
  lines(
    "a last line of averages",
    [
      ...many(5, (i) => ({ id: `q${i}`, question: `text ${i}`, correct: i < 3 })),
      { summary: true, accuracy: 0.6, total: 5 },
    ],
    { rows: 5, examples: 5, metrics: { correct: 0.6 } },
  ),
  lines(
    "garak's report",
    [
      {
        entry_type: "start_run setup",
        "_config.version": "0.9",
        "_config.seed": 1,
        "_config.eval_threshold": 0.5,
        "_config.parallel_attempts": 8,
      },
      { entry_type: "init", garak_version: "0.9", run: "r" },
      ...many(4, (i) => ({
        entry_type: "attempt",
        uuid: `00000000-0000-4000-8000-00000000000${i}`,
        seq: i,
        status: 2,
        probe_classname: "dan.Dan",
        prompt: `jailbreak ${i}`,
        outputs: ["no"],
        detector_results: { "mitigation.MitigationBypass": [i < 3 ? 0 : 1] },
        goal: "g",
      })),
      { entry_type: "eval", probe: "dan.Dan", detector: "detector.m", passed: 3, total: 4 },
      { entry_type: "completion", run: "r" },
    ],
    { rows: 4, examples: 4, metrics: { "mitigation.MitigationBypass": 0.25 } },
  ),
  lines(
    "BFCL's scores: an average, then what failed",
    [
      { accuracy: 0.9, correct_count: 36, total_count: 40 },
      ...many(4, (i) => ({
        id: `simple_${i}`,
        model_name: "m",
        test_category: "simple",
        valid: false,
        error: ["wrong value"],
        error_type: "value_error",
        prompt: {},
        model_result_raw: "x",
        possible_answer: {},
      })),
    ],
    undefined,
    /only (?:rows|cases) that failed|every row|all rows have 0|accuracy/,
  ),
  lines(
    "HumanEval's results",
    many(6, (i) => ({
      task_id: `HumanEval/${Math.floor(i / 2)}`,
      completion: "  return x",
      result: i % 2 === 0 ? "passed" : "failed: AssertionError",
      passed: i % 2 === 0,
      completion_id: [i % 2],
    })),
    { rows: 6, examples: 3, metrics: { passed: 0.5 } },
  ),
  doc(
    "HELM's statistics by instance",
    many(3, (i) => ({
      instance_id: `id${i}`,
      train_trial_index: 0,
      stats: [
        {
          name: { name: "exact_match", split: "test" },
          count: 1,
          sum: first(2, i),
          sum_squared: 1,
          mean: first(2, i),
        },
      ],
    })),
    { rows: 3, examples: 3, metrics: { exact_match: 2 / 3 } },
  ),
  csv(
    "arms by provider",
    `question,provider,answer,score
    a,openai,x,1
    b,openai,x,1
    c,openai,x,0
    a,anthropic,y,1
    b,anthropic,y,0
    c,anthropic,y,0`,
    { rows: 6, examples: 6, metrics: { score: 0.5 } },
  ),
  csv(
    "arms by a column that no list of names knows",
    `query,retriever,hit,ndcg
    a,bm25,1,0.5
    b,bm25,0,0.25
    a,dense,1,1
    b,dense,1,0.25
    a,hybrid,1,0.5
    b,hybrid,1,0.5`,
    { rows: 6, examples: 6, metrics: { hit: 5 / 6, ndcg: 0.5 } },
  ),
  csv(
    "arms behind the first twenty rows",
    `question,condition,correct\n${many(60, (i) => `q${i % 30},${i < 30 ? "control" : "treatment"},${i % 2}`).join("\n")}`,
    { rows: 60, examples: 60, metrics: { correct: 0.5 } },
  ),
  csv(
    "arms by two columns",
    `prompt,model,temperature_setting,accuracy
    a,m1,low,1
    a,m1,high,0
    a,m2,low,1
    a,m2,high,0
    b,m1,low,1
    b,m1,high,1
    b,m2,low,1
    b,m2,high,1`,
    { rows: 8, examples: 8, metrics: { accuracy: 0.75 } },
  ),
  lines(
    "MT-Bench judgments",
    many(2, (m) =>
      many(3, (q) =>
        many(2, (t) => ({
          question_id: 81 + q,
          model: `model-${m}`,
          judge: ["gpt-4", "single-v1"],
          user_prompt: `judge ${q} ${t}`,
          judgment: "Rating: [[8]]",
          score: 8,
          turn: t + 1,
          tstamp: 1690000000.5 + q,
        })),
      ),
    ).flat(2),
    { rows: 12, examples: 12, metrics: { score: 8 } },
  ),
  csv(
    "repeats with a number",
    `question,run,score
    a,1,1
    a,2,0
    b,1,1
    b,2,1`,
    { rows: 4, examples: 2, metrics: { score: 0.75 } },
  ),
  csv(
    "repeats by seed",
    `task_id,seed,reward
    t1,0,1
    t1,1,0
    t2,0,0
    t2,1,0`,
    { rows: 4, examples: 2, metrics: { reward: 0.25 } },
  ),
  csv(
    "repeats that nothing counts",
    `question,answer,score
    a,x,1
    a,y,0
    b,x,1
    b,z,1`,
    { rows: 4, examples: 2, metrics: { score: 0.75 } },
  ),
  csv(
    "a category that multiplies nothing",
    `id,category,question,passed
    1,math,a,true
    2,math,b,false
    3,law,c,true
    4,law,d,true`,
    { rows: 4, examples: 4, metrics: { passed: 0.75 } },
  ),
];
