import { describe, expect, test } from "@jest/globals";
import { draftFor, draftOf } from "./draft-of.ts";
import { jsonLines } from "./sent-rows.ts";

/** The mapping that is drafted for a table, or for a document; empty if there is none. */
const mappingFor = async (file: unknown): Promise<string> => (await draftOf(file))[1];

/** The columns that a draft takes for metrics. */
const metricsIn = async (table: string): Promise<string[]> =>
  [...(await mappingFor(table)).matchAll(/evaluation_scores\.([\w.]+):/g)].map(([, name]) => name!);

describe("a column of numbers with a neutral name, next to a score", () => {
  test.each<[string, boolean, readonly (number | boolean)[]]>([
    ["a count of the rows", false, [0, 1, 2]],
    ["a count of the rows from 1", false, [1, 2, 3]],
    ["0 and 1 in two rows", true, [0, 1]],
    ["0 and 1 in three rows", true, [0, 1, 1]],
    ["whole numbers from -1 to 1", true, [-1, 0, 1]],
    ["whole numbers with a gap", true, [10, 11, 13]],
    ["the same whole number everywhere", false, [5, 5, 5]],
    ["1 in all rows", false, [1, 1, 1]],
    ["the same whole number in two rows", true, [5, 5]],
    ["the same fraction everywhere", true, [0.5, 0.5, 0.5]],
    ["fractions from -1 to 1", true, [-1, -0.5, 1]],
    ["a number below -1", false, [-1.5, 0, 1]],
    ["numbers up to 100", true, [0, 50, 100]],
    ["a number above 100", false, [0, 50, 100.5]],
    ["numbers below 0 and above 1", false, [-2, 50, 60]],
    ["flags", false, [true, false, true]],
  ])("%s (a metric: %s)", async (_, isMetric, values) => {
    const rows = values.map((value, n) => `q${n},0.5,${value}\n`).join("");
    expect(await metricsIn(`question,score,alpha\n${rows}`)).toEqual([
      "score",
      ...(isMetric ? ["alpha"] : []),
    ]);
  });
});

describe("metrics by the names of their columns", () => {
  test.each<[string, string, readonly string[]]>([
    [
      "a flag that begins with is",
      "question,score,is_alpha\na,1,true\nb,1,false\n",
      ["score", "is_alpha"],
    ],
    ["a status that is a flag", "question,status\na,true\nb,false\n", ["status"]],
    ["an outcome below 0", "question,score,outcome\na,1,-0.1\nb,1,1\n", ["score"]],
    ["an outcome above 1", "question,score,outcome\na,1,0.1\nb,1,1.1\n", ["score"]],
    ["an outcome from 0 to 1", "question,score,outcome\na,1,0\nb,1,1\n", ["score", "outcome"]],
    [
      "0 and 1 of a total",
      "question,fields_correct,fields_total\na,1,4\nb,0,4\n",
      ["fields_correct"],
    ],
    ["0 and 2 of a total", "question,fields_correct,fields_total\na,2,4\nb,0,4\n", []],
    [
      "1.5 of a total",
      "question,fields_correct,fields_total\na,1.5,4\nb,0,4\n",
      ["fields_correct"],
    ],
    ["points of a total", "question,points,total\na,3,4\nb,2,4\n", []],
    [
      "points next to a total of something else",
      "question,points,other_total\na,3,4\nb,2,4\n",
      ["points"],
    ],
    ["a name with two values", "name,score\nx,1\ny,0\n", ["score"]],
    [
      "numbers under the name of an input",
      "question,prompt,score\na,1,1\nb,2,0\n",
      ["prompt", "score"],
    ],
    [
      "values of metrics by name and another score",
      "metric,value,score\nf1,0.5,1\nem,0.2,1\n",
      ["value", "score"],
    ],
    ["values of metrics by name", "metric,value\nf1,0.5\nem,0.2\n", []],
  ])("are found in a table with %s", async (_, table, metrics) => {
    expect(await metricsIn(table)).toEqual(metrics);
  });
});

test("a table with one row per metric gets the advice to write a column per score", async () => {
  const [said] = await draftOf("metric,value\nf1,0.5\nem,0.2\n");
  expect(said).toContain(
    "metric names the score of each row: write a column per score (pandas: pivot_table), " +
      "or the scores of all would be one",
  );
});

describe("the input of a table whose columns have neutral names", () => {
  const places = (rows: number, kinds: number): string =>
    `place,correct\n${Array.from({ length: rows }, (_, n) => `p${n % kinds},${n % 3 ? 1 : 0}\n`).join("")}`;
  test.each([
    ["one row", 1, 1, true],
    ["two equal rows", 2, 1, false],
    ["a tenth of the rows", 20, 2, true],
    ["less than a tenth of the rows", 21, 2, false],
  ])("is the text column if it differs often enough: %s", async (_, rows, kinds, isInput) => {
    const input = isInput ? "inputs.place: place" : "inputs.input: THE_COLUMN_WITH_THE_INPUT";
    expect(await mappingFor(places(rows, kinds))).toBe(
      `{ ${input}, evaluation_scores.correct: correct }`,
    );
  });
});

describe("columns by their prefix and depth", () => {
  const expectedOnes = Object.fromEntries(
    Array.from({ length: 9 }, (_, n) => [`expected_${n}`, "x"]),
  );
  const firstEight = Array.from(
    { length: 8 },
    (_, n) => `expected_outputs.expected_${n}: expected_${n}`,
  ).join(", ");
  const s = "evaluation_scores.score: score";
  test.each<[string, unknown, string]>([
    [
      "a name that begins with a dot",
      "question,.answer,score\na,b,1\n",
      `{ inputs.question: question, ${s} }`,
    ],
    [
      "numbers below inputs and references",
      "question,inputs.n,reference.n,score\na,1,2,1\nb,3,4,0\n",
      `{ inputs.question: question, expected_outputs.reference_n: reference.n, ${s} }`,
    ],
    [
      "answers and references among the inputs",
      "inputs.response,inputs.reference,inputs.context,score\na,b,c,1\n",
      "{ inputs.context: inputs.context, expected_outputs.reference: inputs.reference, " +
        `actual_outputs.response: inputs.response, ${s} }`,
    ],
    [
      "words for tokens below usage",
      [{ question: "a", score: 1, usage: { prompt: 3, completion: 4 } }],
      "{ inputs.question: question, usage.prompt_tokens: usage.prompt, " +
        `usage.completion_tokens: usage.completion, ${s} }`,
    ],
    [
      "the same words outside of usage",
      "question,prompt,total,score\na,3,4,1\n",
      `{ inputs.question: question, ${s} }`,
    ],
    [
      "eight of nine expected columns",
      [{ question: "a", score: 1, ...expectedOnes }],
      `{ inputs.question: question, ${firstEight}, ${s} }`,
    ],
    [
      "the first duration",
      "question,score,latency,duration\na,1,2,3\n",
      `{ inputs.question: question, duration_s: latency, ${s} }`,
    ],
    [
      "the only number of a list",
      [{ question: "a", m: { f1: [0.5] } }],
      '{ inputs.question: question, evaluation_scores.f1: "m.f1[0]" }',
    ],
    [
      "whole inputs and outputs",
      [{ inputs: { a: 1 }, outputs: { b: 1 }, score: 1 }],
      `{ inputs: inputs, actual_outputs: outputs, ${s} }`,
    ],
    [
      "inputs and outputs that are texts",
      [{ inputs: '{"a":1}', outputs: "x", score: 1 }],
      `{ inputs: inputs, actual_outputs.outputs: outputs, ${s} }`,
    ],
    [
      "an error that is an object",
      [
        { question: "a", error: { type: "T" }, score: 1 },
        { question: "b", error: null, score: 1 },
      ],
      `{ inputs.question: question, error: error, ${s} }`,
    ],
  ])("maps %s", async (_, file, mapping) => {
    expect(await mappingFor(file)).toBe(mapping);
  });
});

describe("the rows that a draft finds in a document", () => {
  const asked = (count: number, more: object): object[] =>
    Array.from({ length: count }, (_, n) => ({
      question: `q${n}${Object.keys(more)[0]!}`,
      ...more,
    }));
  const s = "evaluation_scores.score: score";
  test.each<[string, unknown, string]>([
    [
      "those with scores before those with questions",
      { a: [{ question: "a" }, { question: "b" }], b: [{ score: 0.5 }, { score: 1 }] },
      `{ rows: b, inputs.input: THE_COLUMN_WITH_THE_INPUT, ${s} }`,
    ],
    [
      "rows before averages",
      {
        summary: [
          { name: "n", accuracy: 0.5, count: 3, n: 1 },
          { name: "m", accuracy: 0.2, count: 3, n: 2 },
        ],
        results: [{ question: "a", score: 1 }],
      },
      `{ rows: results, inputs.question: question, ${s} }`,
    ],
    [
      "the longer list before the shorter one",
      { a: asked(3, { f1: 1 }), b: asked(5, { em: 1 }) },
      "{ rows: b, inputs.question: question, evaluation_scores.em: em }",
    ],
    [
      "a shallow list before a deep one",
      { a: { b: { c: asked(3, { f1: 1 }) } }, d: asked(3, { em: 1 }) },
      "{ rows: d, inputs.question: question, evaluation_scores.em: em }",
    ],
    [
      "each row once",
      {
        results: [
          { question: "a", score: 1 },
          { question: "b", score: 0 },
        ],
        worst: [{ question: "b", score: 0 }],
      },
      `{ rows: results, inputs.question: question, ${s} }`,
    ],
    ["none without a score, an input or a name", { a: [{ x: { y: "t" } }] }, ""],
    [
      "those whose task is a text",
      {
        a: [
          { task: "do it", score: 1 },
          { task: "that", score: 0 },
        ],
      },
      `{ rows: a, inputs.task: task, ${s} }`,
    ],
    [
      "the columns of one row",
      { question: ["a"], score: [1] },
      `{ orient: columns, inputs.question: question, ${s} }`,
    ],
    ["not a single column", { question: ["a", "b"] }, ""],
    ["not columns of different lengths", { question: ["a", "b"], score: [1] }, ""],
    ["not empty columns", { question: [], score: [] }, ""],
    ["not lists of ids", { input_ids: [1, 2], token_id: [3, 4] }, ""],
  ])("are %s", async (_, document, mapping) => {
    expect(await mappingFor(document)).toBe(mapping);
  });
});

describe("lines of several kinds", () => {
  const linesFor = async (...rows: readonly object[]): Promise<string> => {
    const [, mapping] = await draftFor("a.jsonl", jsonLines(...rows));
    return mapping;
  };
  const s = "evaluation_scores.score: score";
  test.each<[string, readonly object[], string]>([
    [
      "of one shape are read the same way",
      [
        { type: "a", question: "q", score: 1 },
        { type: "b", question: "r", score: 0 },
      ],
      `{ inputs.question: question, ${s} }`,
    ],
    [
      "with one field each and nothing that names their kind are all read",
      [{ score: 1 }, { score: 0 }, { other: 2 }],
      '{ inputs.input: THE_COLUMN_WITH_THE_INPUT, evaluation_scores.score: "score?" }',
    ],
    [
      "are distinguished by a field of their own",
      [{ question: "", score: 1 }, { question: "b", score: 0 }, { summary: 0.5 }],
      `{ where: { "summary?": "" }, inputs.question: question, ${s} }`,
    ],
    [
      "are distinguished by a field of the rows if they have none of their own",
      [
        { question: "a", note: "x", score: 1 },
        { question: "b", score: 0 },
        { question: "c", score: 0 },
        { note: "the end" },
      ],
      `{ where: { question: { not: "" } }, inputs.question: question, ${s} }`,
    ],
    [
      "include a crashed row whose input was never written",
      [
        { question: "a", answer: "x", score: 1 },
        { question: "b", answer: "y", score: 1 },
        { score: 0, error: "Timeout" },
      ],
      `{ inputs.question: "question?", actual_outputs.answer: "answer?", error: "error?", ${s} }`,
    ],
    [
      "are all read if each kind is half of them",
      [{ question: "a", score: 1 }, { summary: 1 }],
      '{ inputs.question: "question?", evaluation_scores.score: "score?" }',
    ],
  ])("%s", async (_, rows, mapping) => {
    expect(await linesFor(...rows)).toBe(mapping);
  });
});
