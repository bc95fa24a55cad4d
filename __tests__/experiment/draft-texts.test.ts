import { describe, expect, test } from "@jest/globals";
import { draftFor, draftOf } from "./draft-of.ts";
import { jsonLines } from "./sent-rows.ts";

const table = (header: string, ...rows: readonly string[]): string =>
  `${[header, ...rows].join("\n")}\n`;
const NO_NUMBERS = "it has no column of numbers";
const NO_METRIC =
  "no column was taken for a metric; name one under evaluation_scores " +
  "(words: { good: 1, bad: 0 } makes numbers of words)";
const numeric = (...names: readonly string[]): string =>
  `numeric columns not read: ${names.join(", ")}`;
const score = "evaluation_scores.score: score";

/** Says that a column multiplies the examples. */
const each = (column: string): string =>
  `each example is there once for every ${column} (2 values): ` +
  `they count as different examples; leave ${column} out if they are repeats`;

type Case = readonly [is: string, file: unknown, said: string, mapping: string];

describe("a draft for a table", () => {
  const all = "correct 0 or false: if the file lists only what failed, give one with every row";
  const missing = (rows: string): string =>
    `score is -1 in ${rows}: if that means not scored, leave them out with where: { score: { not: -1 } }`;
  const seconds =
    "latency does not name its unit and is read as seconds: write duration_ms if it holds milliseconds";
  const sum = (path: string): string =>
    `the last row looks like a sum of the others (${path} is Total): this mapping leaves it out`;
  const correct = "{ inputs.question: question, evaluation_scores.correct: correct }";
  const scored = `{ inputs.question: question, ${score} }`;
  const timed = `{ inputs.question: question, duration_s: latency, ${score} }`;

  test.each<Case>([
    [
      "names what was asked, answered and judged",
      table("question,answer,correct", "a,b,1", "c,d,0"),
      numeric("correct"),
      "{ inputs.question: question, actual_outputs.answer: answer, evaluation_scores.correct: correct }",
    ],
    [
      "asks for a metric",
      table("question,answer", "a,b"),
      `${NO_NUMBERS}; ${NO_METRIC}`,
      "{ inputs.question: question, actual_outputs.answer: answer }",
    ],
    [
      "questions three rows that all failed",
      table("question,correct", "a,0", "b,false", "c,0"),
      `${numeric("correct")}; all rows have ${all}`,
      correct,
    ],
    [
      "does not question two rows that all failed",
      table("question,correct", "a,0", "b,0"),
      numeric("correct"),
      correct,
    ],
    [
      "does not question three rows if one passed",
      table("question,correct", "a,0", "b,0", "c,1"),
      numeric("correct"),
      correct,
    ],
    [
      "asks what -1 means",
      table("question,score", "a,-1", "b,1", "c,0"),
      `${numeric("score")}; ${missing("1 row")}`,
      scored,
    ],
    [
      "counts rows of -1",
      table("question,score", "a,-1", "b,-1", "c,0"),
      `${numeric("score")}; ${missing("2 rows")}`,
      scored,
    ],
    [
      "takes -1 for a score on a scale that has -0.5",
      table("question,score", "a,-1", "b,-0.5", "c,1"),
      numeric("score"),
      scored,
    ],
    [
      "asks for the unit of a latency of 100",
      table("question,score,latency", "a,1,100", "b,0,3"),
      `${numeric("score", "latency")}; ${seconds}`,
      timed,
    ],
    [
      "takes a latency of 99.9 for seconds",
      table("question,score,latency", "a,1,99.9", "b,0,3"),
      numeric("score", "latency"),
      timed,
    ],
    [
      "reads milliseconds",
      table("question,score,latency_ms", "a,1,500"),
      numeric("score", "latency_ms"),
      `{ inputs.question: question, duration_ms: latency_ms, ${score} }`,
    ],
    [
      "reads seconds",
      table("question,score,Latency (s)", "a,1,500"),
      numeric("score", "Latency (s)"),
      `{ inputs.question: question, duration_s: "Latency (s)", ${score} }`,
    ],
    [
      "leaves out a row with the sum",
      table("question,score", "a,1", "b,0", "Total,0.5"),
      `${numeric("score")}; ${sum("question")}`,
      `{ inputs.question: question, where: { question: { not: Total } }, ${score} }`,
    ],
    [
      "leaves out a row with the sum whose name is its only text",
      table("question,group,score", "a,x,1", "b,x,0", ",Total,0.5"),
      `${numeric("score")}; ${sum("group")}`,
      `{ inputs.question: question, where: { group: { not: Total } }, ${score} }`,
    ],
    [
      "keeps a word in a row that has a name",
      table("question,note,score", "a,x,1", "b,x,0", "c,Total,0.5"),
      numeric("score"),
      scored,
    ],
    [
      "keeps Total after a single row",
      table("question,score", "a,1", "Total,0.5"),
      numeric("score"),
      scored,
    ],
    [
      "keeps Total where another row is total too",
      table("question,score", "total,1", "b,0", "Total,0.5"),
      numeric("score"),
      scored,
    ],
    [
      "takes numbers of no known scale for a metric if there are no others",
      table("question,weird", "a,150", "b,300", "c,700"),
      numeric("weird"),
      "{ inputs.question: question, evaluation_scores.weird: weird }",
    ],
    [
      "does not take a row number for a metric",
      table("question,nr", "a,1", "b,2", "c,3"),
      `${numeric("nr")}; ${NO_METRIC}`,
      "{ inputs.question: question }",
    ],
    [
      "does not take a count out of a total for a metric",
      table("question,fields_correct,fields_total", "a,3,4", "b,2,4"),
      `${numeric("fields_correct", "fields_total")}; ${NO_METRIC}`,
      "{ inputs.question: question }",
    ],
    [
      "does not take a setting, count or rank for a metric",
      table(
        "question,score,temperature,config.k,is_ok,num_docs,rank",
        "a,1,0.5,3,true,5,2",
        "b,0,0.7,4,false,6,1",
      ),
      numeric("score", "temperature", "config.k", "is_ok", "num_docs", "rank"),
      `{ inputs.question: question, ${score}, evaluation_scores.is_ok: is_ok }`,
    ],
    [
      "does not take a status code for a metric",
      table("question,status,score", "a,200,1", "b,500,0"),
      numeric("status", "score"),
      scored,
    ],
    [
      "takes an outcome between 0 and 1 for a metric",
      table("question,outcome", "a,0.5", "b,1"),
      numeric("outcome"),
      "{ inputs.question: question, evaluation_scores.outcome: outcome }",
    ],
    [
      "reads four kinds of usage",
      table(
        "question,score,prompt_tokens,completion_tokens,total_tokens,total_cost,cost",
        "a,1,1,2,3,0.1,0.2",
      ),
      numeric("score", "prompt_tokens", "completion_tokens", "total_tokens", "total_cost", "cost"),
      "{ inputs.question: question, usage.prompt_tokens: prompt_tokens, " +
        "usage.completion_tokens: completion_tokens, usage.total_tokens: total_tokens, " +
        `usage.cost: total_cost, ${score} }`,
    ],
    [
      "turns the words of a verdict into numbers",
      table("question,verdict", "a,pass", "b,fail", "c,partial"),
      numeric("verdict"),
      "{ inputs.question: question, evaluation_scores.verdict: " +
        "{ column: verdict, words: { pass: 1, fail: 0, partial: 0.5 } } }",
    ],
    [
      "distinguishes crashed from skipped rows",
      table("question,status,score", "a,pass,1", "b,error,", "c,timeout,", "d,skipped,"),
      numeric("score"),
      "{ inputs.question: question, error: { column: status, when: [error, timeout] }, " +
        "where: { status: { not: [skipped] } }, " +
        `evaluation_scores.status: { column: status, words: { pass: 1, fail: 0 } }, ${score} }`,
    ],
    [
      "does not take how a run ended for a metric",
      table("question,status,score", "a,completed,1", "b,error,0"),
      `${numeric("score")}; not taken as metrics: status`,
      `{ inputs.question: question, error: { column: status, when: [error] }, ${score} }`,
    ],
    [
      "takes an error text for a crash",
      table("question,score,error", "a,1,", "b,,ValueError: x"),
      numeric("score"),
      `{ inputs.question: question, error: error, ${score} }`,
    ],
    [
      "takes an error text next to a failure for its reason",
      table("question,correct,error", "a,1,", "b,0,wrong city"),
      `${numeric("correct")}; error is read as the reason of rows that failed: if these rows crashed, write error: error`,
      "{ inputs.question: question, evaluation_scores.correct: correct, evaluation_scores.correct.comment: error }",
    ],
    [
      "takes the exception of a failed row for a crash",
      table("question,correct,error", "a,1,", "b,0,TimeoutError: x"),
      numeric("correct"),
      "{ inputs.question: question, error: error, evaluation_scores.correct: correct }",
    ],
    [
      "takes an error flag for the metric if there is no other",
      table("question,error", "a,true", "b,false"),
      numeric("error"),
      "{ inputs.question: question, evaluation_scores.error: error }",
    ],
    [
      "takes an error flag next to a score for a crash",
      table("question,error,score", "a,true,0", "b,false,1"),
      numeric("error", "score"),
      `{ inputs.question: question, error: error, ${score} }`,
    ],
    [
      "names columns by what they are below a prefix",
      table("inputs.question,reference.answer,outputs.answer,metrics.f1", "a,b,c,0.5"),
      numeric("metrics.f1"),
      "{ inputs.question: inputs.question, expected_outputs.reference_answer: reference.answer, " +
        "actual_outputs.answer: outputs.answer, evaluation_scores.f1: metrics.f1 }",
    ],
    [
      "identifies rows by an id",
      table("case_id,correct", "1,1", "2,0", "3,1"),
      numeric("case_id", "correct"),
      "{ identity: case_id, evaluation_scores.correct: correct }",
    ],
    [
      "identifies rows by an id if some inputs are missing",
      table("id,question,correct", "1,a,1", "2,,0", "3,c,1"),
      numeric("id", "correct"),
      "{ inputs.question: question, identity: id, evaluation_scores.correct: correct }",
    ],
    [
      "takes the text that differs most for the input",
      table("kind,place,correct", "x,Rome,1", "x,Oslo,0"),
      numeric("correct"),
      "{ inputs.place: place, evaluation_scores.correct: correct }",
    ],
    [
      "leaves the input open",
      table("place,correct", "Rome,1", "Rome,0"),
      numeric("correct"),
      "{ inputs.input: THE_COLUMN_WITH_THE_INPUT, evaluation_scores.correct: correct }",
    ],
  ])("%s", async (_, file, said, mapping) => {
    expect(await draftOf(file)).toEqual([said, mapping]);
  });

  test("names the columns that multiply the examples", async () => {
    const rows = ["a,m1,p1,1", "a,m1,p2,1", "a,m2,p1,0", "a,m2,p2,1"];
    const [said, mapping] = await draftOf(table("question,model,prompt_version,correct", ...rows));
    expect(said).toBe(`${numeric("correct")}; ${each("model")}; ${each("prompt_version")}`);
    expect(mapping).toBe(
      "{ inputs.question: question, inputs.model: model, inputs.prompt_version: prompt_version, " +
        "evaluation_scores.correct: correct }",
    );
  });

  test("names ten of the columns that are not metrics", async () => {
    const names = Array.from({ length: 11 }, (_, n) => `weird${n}`);
    const rows = ["q1", "q2", "q3"].map((q, n) =>
      [q, "0.5", ...names.map(() => 150 + 10 * n)].join(),
    );
    const [said] = await draftOf(table(["question", "score", ...names].join(), ...rows));
    expect(said).toBe(
      `${numeric("score", ...names)}; not taken as metrics: ${names.slice(0, 10).join(", ")}`,
    );
  });
});

describe("a draft for a document", () => {
  const rows = [
    { question: "a", score: 1 },
    { question: "b", score: 0 },
  ];
  const list = "numeric columns not read: score";
  const asked = `inputs.question: question, ${score}`;

  test.each<Case>([
    [
      "reads cases that crashed too",
      { results: rows, failures: [{ question: "c", message: "x" }] },
      list,
      '{ rows: [results, failures], inputs.question: question, error: "message?", ' +
        'evaluation_scores.score: "score?" }',
    ],
    [
      "reads cases that crashed even if there are none yet",
      { results: rows, errors: [] },
      list,
      '{ rows: [results, errors], inputs.question: "question?", ' +
        'error: "error_message?", evaluation_scores.score: "score?" }',
    ],
    [
      "reads lists of one shape together, and names one of another shape",
      { results: rows, more: [{ question: "d", score: 1 }], odd: [{ input: "x", f1: 0.5 }] },
      `${list}; the file has another list of rows, odd (1), that this mapping leaves out`,
      `{ rows: [results, more], ${asked} }`,
    ],
    [
      "reads lists of scores",
      { rows: [{ question: "a", scores: [{ name: "s", score: 1, reason: "r" }] }] },
      "numeric columns not read: scores[].score",
      "{ rows: rows, inputs.question: question, evaluation_scores: " +
        "{ list: scores, key: name, score: score, comment: reason } }",
    ],
    [
      "reads scores by name",
      { rows: [{ question: "a", scores: { s: { value: 1, comment: "c" } } }, { question: "b" }] },
      "numeric columns not read: scores.*.value",
      "{ rows: rows, inputs.question: question, evaluation_scores: " +
        "{ list: scores, score: value, comment: comment, optional: true } }",
    ],
    [
      "reads lists by verdict",
      { passed: [{ question: "a" }], failed: [{ question: "b" }] },
      NO_NUMBERS,
      '{ rows: "*[]", inputs.question: question, pass: $key }',
    ],
    [
      "reads rows by id",
      { by_id: { a: { answer: "x", correct: true }, b: { answer: "y", correct: false } } },
      "numeric columns not read: correct",
      '{ rows: "by_id.*", actual_outputs.answer: answer, identity: $key, evaluation_scores.correct: correct }',
    ],
    [
      "reads columns",
      { question: ["a", "b"], score: [1, 0] },
      list,
      `{ orient: columns, ${asked} }`,
    ],
    [
      "reads columns by row",
      { question: { 0: "a", 1: "b" }, score: { 0: 1, 1: 0 } },
      list,
      `{ orient: columns, ${asked} }`,
    ],
    [
      "reads a split table",
      {
        columns: ["question", "score"],
        data: [
          ["a", 1],
          ["b", 0],
        ],
      },
      list,
      `{ orient: split, ${asked} }`,
    ],
    [
      "marks columns that some rows lack as optional",
      [
        { question: "a", score: 1 },
        { question: "b", verdict: "pass" },
      ],
      list,
      '{ inputs.question: question, evaluation_scores.score: "score?", ' +
        "evaluation_scores.verdict: { column: verdict, words: { pass: 1, fail: 0 }, optional: true } }",
    ],
    [
      "distinguishes cases of two suites",
      {
        suites: [
          {
            name: "s1",
            cases: [
              { case_id: 1, passed: true },
              { case_id: 2, passed: false },
            ],
          },
          { name: "s2", cases: [{ case_id: 1, passed: true }] },
        ],
      },
      `${numeric("case_id", "passed")}; ${each("suites[].name")}`,
      '{ rows: "suites[].cases[]", identity: [case_id, "suites[].name"], evaluation_scores.passed: passed }',
    ],
  ])("%s", async (_, file, said, mapping) => {
    expect(await draftOf(file)).toEqual([said, mapping]);
  });

  test.each([
    [
      "lines of one kind",
      [{ type: "meta", model: "m" }, ...rows.map((row) => ({ type: "row", ...row }))],
      `{ where: { type: row }, ${asked} }`,
    ],
    [
      "lines but not a summary",
      [...rows, { summary: 0.5 }],
      `{ where: { "summary?": "" }, ${asked} }`,
    ],
    [
      "lines of one kind that were not skipped",
      [
        { type: "meta", model: "m" },
        { type: "row", question: "a", status: "skipped" },
        ...rows.map((row) => ({ type: "row", status: "completed", ...row })),
      ],
      "{ where: { type: row, status: { not: [skipped] } }, inputs.question: question, " +
        "error: { column: status, when: [error] }, " +
        'evaluation_scores.status: { column: status, words: { completed: 1 } }, evaluation_scores.score: "score?" }',
    ],
    [
      "lines but neither a summary nor a sum",
      [...rows, { question: "Total", score: 0.5 }, { summary: 0.5 }],
      `{ where: { "summary?": "", question: { not: Total } }, ${asked} }`,
      "; the last row looks like a sum of the others (question is Total): this mapping leaves it out",
    ],
  ])("reads %s", async (_, lines, mapping, more = "") => {
    expect(await draftFor("a.jsonl", jsonLines(...lines))).toEqual([`${list}${more}`, mapping]);
  });
});
