import { csv, doc, first, lines, many, type Shape } from "./shape.ts";

/** What distinguishes examples, what came out, and what crashed. */
export const KEYS: readonly Shape[] = [
  doc(
    "trials under each task's average",
    {
      tasks: many(3, (i) => ({
        task: `t${i}`,
        score: [1, 0.5, 0][i],
        trials: many(2, (n) => ({ trial: n + 1, score: first(2 - i, n) })),
      })),
    },
    { rows: 3, examples: 3, metrics: { score: 0.5 } },
    /another list of rows, tasks\[\]\.trials\[\] \(6\), that this mapping leaves out/,
  ),
  lines(
    "an object of the tests of each row, by their names",
    many(4, (i) => ({
      problem_statement: `fix ${i}`,
      is_resolved: i < 3,
      parser_results: { [`test_${i}`]: "passed", [`check_${i}`]: i < 3 ? "passed" : "failed" },
    })),
    { rows: 4, examples: 4, metrics: { is_resolved: 0.75 } },
    /not taken as metrics: parser_results\.test_0, parser_results\.check_0/,
  ),
  lines(
    "an object of the tests of each row, and nothing that judges the whole row",
    many(3, (i) => ({ question: `q${i}`, checks: { [`test_${i}`]: i < 2 } })),
    { rows: 3, examples: 3, metrics: { test_0: 1, test_1: 1, test_2: 0 } },
    /3 metrics that less than half of the rows have \(checks\.test_0, .*\): leave out those that name single tests/,
  ),
  ...[
    "task_id",
    "scenario_id",
    "query_id",
    "eval",
    "test",
    "file",
    "claim_text",
    "input_text",
    "original_prompt",
    "instance_id",
    "test_name",
    "problem_id",
    "id",
    "name",
    "sample",
    "url",
    "filename",
    "title",
  ].map((key) =>
    lines(
      `rows known by ${key}`,
      many(4, (i) => ({ [key]: `${key} ${i}`, passed: i < 3 })),
      { rows: 4, examples: 4, metrics: { passed: 0.75 } },
    ),
  ),
  lines(
    "an id and a question",
    many(3, (i) => ({ id: i + 1, question: `q${i}`, answer: "a", score: 0.5 })),
    { rows: 3, examples: 3, metrics: { score: 0.5 } },
  ),
  lines(
    "numbers and no name at all",
    many(3, (i) => ({ faithfulness: 0.5 + i / 4, relevancy: 0.5 })),
    undefined,
    /THE_COLUMN_WITH_THE_INPUT/,
  ),
  lines(
    "messages",
    many(3, (i) => ({
      messages: [
        { role: "system", content: "s" },
        { role: "user", content: `u${i}` },
      ],
      completion: "c",
      score: first(2, i),
    })),
    { rows: 3, examples: 3, metrics: { score: 2 / 3 } },
  ),
  lines(
    "the conversation that came out",
    many(3, (i) => ({
      task: `t${i}`,
      conversation: [
        { role: "user", content: "u" },
        { role: "assistant", content: `a${i}` },
      ],
      success: i < 2,
    })),
    { rows: 3, examples: 3, metrics: { success: 2 / 3 } },
  ),
  lines(
    "an input of its own parts",
    many(3, (i) => ({ input: { text: `t${i}`, lang: "en" }, output: { text: "o" }, match: i < 2 })),
    { rows: 3, examples: 3, metrics: { match: 2 / 3 } },
  ),
  doc(
    "a task and its result",
    many(3, (i) => ({
      task: { id: `t${i}`, instruction: `do ${i}` },
      result: { success: i < 2, steps: 10, elapsed_seconds: 3.5 },
    })),
    { rows: 3, examples: 3, metrics: { success: 2 / 3 } },
  ),
  doc(
    "an example and its prediction",
    many(3, (i) => ({
      example: { id: `e${i}`, inputs: { q: `q${i}` } },
      prediction: { answer: "a" },
      scores: { exact: first(2, i) },
    })),
    { rows: 3, examples: 3, metrics: { exact: 2 / 3 } },
  ),
  lines(
    "rows that crashed before their input",
    [
      ...many(4, (i) => ({ id: `r${i}`, input: `i${i}`, output: "o", score: 1 })),
      { id: "r9", error: "TimeoutError: 30 s" },
    ],
    { rows: 5, examples: 5, metrics: { score: 1 }, errors: 1 },
  ),
  lines(
    "rows with an error that is null",
    many(4, (i) => ({
      question: `q${i}`,
      error: i === 3 ? "boom" : null,
      score: i === 3 ? null : 1,
    })),
    { rows: 4, examples: 4, metrics: { score: 1 }, errors: 1 },
  ),
  csv(
    "an empty cell for no error",
    `question,answer,score,error
    a,x,1,
    b,y,0,
    c,,,Timeout`,
    { rows: 3, examples: 3, metrics: { score: 0.5 }, errors: 1 },
  ),
  lines(
    "what an assert says is no crash",
    many(10, (i) => ({
      name: `case ${i}`,
      output: "o",
      passed: i < 5,
      error: i < 5 ? null : `expected 1 to be ${i}`,
    })),
    { rows: 10, examples: 10, metrics: { passed: 0.5 } },
  ),
  lines(
    "a status that may say error",
    many(6, (i) => ({
      case: `case ${i}`,
      status: ["passed", "passed", "failed", "error", "passed", "failed"][i],
    })),
    { rows: 6, examples: 6, metrics: { status: 0.6 }, errors: 1 },
  ),
  lines(
    "a status of the run, and a score",
    many(4, (i) => ({
      input: `i${i}`,
      status: i < 3 ? "completed" : "crashed",
      score: i < 3 ? 0.5 : null,
    })),
    { rows: 4, examples: 4, metrics: { score: 0.5 }, errors: 1 },
  ),
  csv(
    "a test and its status",
    `test,status,duration
    a,PASSED,0.5
    b,FAILED,0.25
    c,PASSED,0.25
    d,SKIPPED,0`,
    { rows: 3, examples: 3, metrics: { status: 2 / 3 } },
    /SKIPPED/,
  ),
  lines(
    "the outcome, and why it failed",
    many(4, (i) => ({
      scenario: `s${i}`,
      outcome: i < 3 ? "success" : "failure",
      failure_reason: i < 3 ? null : "wrong tool",
    })),
    { rows: 4, examples: 4, metrics: { outcome: 0.75 } },
  ),
  lines(
    "GAIA",
    many(4, (i) => ({
      task_id: `uuid-${i}`,
      Question: `q${i}`,
      model_answer: "m",
      ground_truth: "g",
      is_correct: i < 1,
      Level: 1,
    })),
    { rows: 4, examples: 4, metrics: { is_correct: 0.25 } },
  ),
  lines(
    "AlpacaEval",
    many(2, (i) => ({
      instruction: `i${i}`,
      output_1: "a",
      generator_1: "ref",
      output_2: "b",
      generator_2: "m",
      annotator: "w",
      preference: 1 + i,
    })),
    { rows: 2, examples: 2, metrics: { preference: 1.5 } },
  ),
  lines(
    "text to SQL by difficulty",
    many(3, (i) => ({
      question_id: i,
      db_id: "db",
      question: `q${i}`,
      predicted_sql: "s",
      gold_sql: "g",
      difficulty: "simple",
      res: first(1, i),
    })),
    { rows: 3, examples: 3, metrics: { res: 1 / 3 } },
  ),
  lines(
    "retrieval with its documents",
    many(3, (i) => ({
      query: `q${i}`,
      retrieved_ids: ["a", "b"],
      relevant_ids: ["a"],
      precision: 0.5,
      recall: 1,
    })),
    { rows: 3, examples: 3, metrics: { precision: 0.5, recall: 1 } },
  ),
  lines(
    "an agent's run",
    many(3, (i) => ({
      goal: `g${i}`,
      trajectory: [{ step: 1, action: "a" }],
      num_steps: 5,
      completed: i < 2,
      reward: first(2, i),
    })),
    { rows: 3, examples: 3, metrics: { completed: 2 / 3, reward: 2 / 3 } },
  ),
  csv(
    "three columns of a human's review",
    `Prompt,Response,Human Rating,Comments
    a,x,4,ok
    b,y,2,bad`,
    { rows: 2, examples: 2, metrics: { "Human Rating": 3 } },
  ),
];
