import { describe, expect, test } from "@jest/globals";
import { draftOf } from "./draft-of.ts";
import { readTexts, rowsOf } from "./read-text.ts";

const json = (value: unknown): string => JSON.stringify(value);

/** The examples of a file by a mapping, and how many of its rows crashed. */
async function read(file: unknown, mapping: string) {
  const { experiments, problems } = await readTexts({ "a.json": json(file) }, { mapping });
  expect(problems).toEqual([]);
  const [experiment] = experiments;
  const rows = await rowsOf(experiment!);
  const examples = rows.map(({ example }) => String(example)).sort();
  return { examples, errors: experiment!.errorCount, scores: experiment!.scores };
}

interface Test {
  readonly q: string;
  readonly end: "passed" | "failed" | "crashed";
}

const run = (...ends: readonly Test["end"][]): Test[] =>
  ends.map((end, n) => ({ q: `q${n}`, end }));

describe("an example is the same whether its row passed, failed or crashed", () => {
  test.each<[string, (of: Test) => object]>([
    [
      "a message of the test that failed",
      ({ q, end }) => ({
        input: q,
        ...(end === "passed" ? { status: end } : { status: "failed", message: `expected ${q}` }),
      }),
    ],
    [
      "an empty message of the test that passed",
      ({ q, end }) => ({
        input: q,
        ok: end === "passed",
        message: end === "passed" ? "" : `no ${q}`,
      }),
    ],
    [
      "a message of every test",
      ({ q, end }) => ({
        input: q,
        status: end === "passed" ? end : "failed",
        msg: `${end} on ${q}`,
      }),
    ],
    [
      "a message below the result",
      ({ q, end }) => ({
        input: q,
        result: end === "passed" ? { status: "pass", score: 0.9 } : { status: "error", message: q },
      }),
    ],
    [
      "a message of a row without a score",
      ({ q, end }) =>
        end === "passed" ? { input: q, score: 0.9 } : { input: q, message: `no ${q}` },
    ],
    [
      "a message next to checks",
      ({ q, end }) => ({
        input: q,
        checks: [{ name: "a", passed: end === "passed" }],
        ...(end === "passed" ? {} : { message: `no ${q}` }),
      }),
    ],
    [
      "a transcript of what was said",
      ({ q, end }) => ({ input: q, passed: end === "passed", transcript: `${q}: ${end}` }),
    ],
    [
      "the text of a failure under the name of an input",
      ({ q, end }) => ({
        id: q,
        passed: end === "passed",
        ...(end === "passed" ? {} : { document: `diff of ${q}` }),
      }),
    ],
    [
      "the text of a failure under a name that says nothing",
      ({ q, end }) => ({
        place: q,
        passed: end === "passed",
        ...(end === "passed" ? {} : { diff: `diff of ${q}`, task: `t ${q}` }),
      }),
    ],
    [
      "a message if only an id says what was tested",
      ({ q, end }) => ({
        test_id: q,
        status: end === "passed" ? end : "failed",
        message: `${end} ${q}`,
      }),
    ],
  ])("despite %s", async (_, row) => {
    const before = {
      tests: run("passed", "passed", "passed", "failed", "passed", "passed").map(row),
    };
    const after = {
      tests: run("passed", "failed", "failed", "failed", "crashed", "passed").map(row),
    };
    const [, mapping] = await draftOf(after);
    const [a, b] = [await read(before, mapping), await read(after, mapping)];
    expect(new Set(b.examples).size).toBe(6);
    expect(b.examples).toEqual(a.examples);
  });
});

describe("the draft of a file whose rows all passed", () => {
  test.each([
    ["passed", "failed"],
    ["Pass", "Fail"],
    ["yes", "no"],
    ["CORRECT", "INCORRECT"],
    ["✅", "❌"],
  ])("counts %s as 1, and %s of the next file as 0", async (good, bad) => {
    const rows = ["a", "b", "c"].map((question) => ({ question, verdict: good }));
    const [, mapping] = await draftOf(rows);
    const next = rows.map((row, n) => (n === 2 ? { ...row, verdict: bad } : row));
    expect((await read(next, mapping)).scores).toEqual({ verdict: { mean: 2 / 3, n: 3 } });
  });

  test("counts a test of the next file that ended in an error as a crash", async () => {
    const rows = ["a", "b", "c"].map((question) => ({ question, outcome: "passed" }));
    const [, mapping] = await draftOf(rows);
    const next = rows.map((row, n) => (n === 2 ? { ...row, outcome: "error" } : row));
    const { errors, scores } = await read(next, mapping);
    expect([errors, scores["outcome"]]).toEqual([1, { mean: 1, n: 2 }]);
  });

  test("adds no word if the file has both outcomes", async () => {
    const rows = ["pass", "incorrect"].map((verdict, n) => ({ question: `q${n}`, verdict }));
    expect((await draftOf(rows))[1]).toContain("words: { pass: 1, incorrect: 0 }");
  });
});

describe("what a draft reads a message as", () => {
  const tests = (...rows: readonly object[]): object => ({ tests: rows });
  const status = "evaluation_scores.status: { column: status, words: { passed: 1, failed: 0 } }";
  test.each<[string, object, string]>([
    [
      "the reason of a test that failed",
      tests({ input: "a", status: "passed" }, { input: "b", status: "failed", message: "x" }),
      "{ rows: tests, inputs.input: input, error: { column: status, when: [error] }, " +
        `${status}, evaluation_scores.status.comment: "message?" }`,
    ],
    [
      "the error of a test that crashed",
      tests(
        { input: "a", result: { status: "pass", score: 0.9 } },
        { input: "b", result: { status: "error", message: "boom" } },
      ),
      '{ rows: tests, inputs.input: input, error: "result.message?", ' +
        "evaluation_scores.status: { column: result.status, words: { pass: 1, fail: 0 } }, " +
        'evaluation_scores.score: "result.score?" }',
    ],
    [
      "a reason, if the status says which tests crashed",
      tests(
        { input: "a", status: "passed", message: "" },
        { input: "b", status: "failed", message: "x" },
        { input: "c", status: "error", message: "y" },
      ),
      "{ rows: tests, inputs.input: input, error: { column: status, when: [error] }, " +
        `${status}, evaluation_scores.status.comment: message }`,
    ],
    [
      "what the user wrote, if there is no other input",
      tests({ message: "hi", passed: true }, { message: "bye", passed: false }),
      "{ rows: tests, inputs.message: message, evaluation_scores.passed: passed }",
    ],
    [
      "what the user wrote, if the rows differ by nothing else",
      tests(
        { prompt: "be kind", message: "hi", score: 0.9 },
        { prompt: "be kind", message: "bye", score: 0.2 },
      ),
      "{ rows: tests, inputs.prompt: prompt, inputs.message: message, evaluation_scores.score: score }",
    ],
    [
      "not an error, if nothing judges the rows",
      tests({ input: "a", message: "x" }, { input: "b", message: "y" }),
      "{ rows: tests, inputs.input: input }",
    ],
  ])("%s", async (_, file, mapping) => {
    expect((await draftOf(file))[1]).toBe(mapping);
  });

  test("a transcript is the input if all rows ask for the same to be done with it", async () => {
    const rows = ["a", "b"].map((transcript) => ({ question: "sum up", transcript, score: 0.5 }));
    expect((await draftOf(rows))[1]).toContain("inputs.transcript: transcript");
  });
});

describe("an error on rows that were judged", () => {
  test("is their reason, with a note on what to write if they crashed", async () => {
    const rows = [
      { query: "x", score: 0, error: "Connection refused" },
      { query: "y", score: 0.8, error: null },
    ];
    const [said, mapping] = await draftOf(rows);
    expect(mapping).toContain("evaluation_scores.score.comment: error");
    expect(said).toContain(
      "error is read as the reason of rows that failed: if these rows crashed, write error: error",
    );
  });

  test("is their reason if a status says which rows crashed", async () => {
    const rows = [
      { query: "x", status: "failed", error: "expected 9" },
      { query: "y", status: "error", error: "429" },
      { query: "z", status: "passed", error: null },
    ];
    const { errors, scores } = await read(rows, (await draftOf(rows))[1]);
    expect([errors, scores["status"]]).toEqual([1, { mean: 0.5, n: 2 }]);
  });

  test("becomes the comment of the score, under the name that the mapping gives it", async () => {
    const rows = [
      { query: "x", a: { score: 0 }, b: { score: 0.5 }, error: "wrong city" },
      { query: "y", a: { score: 1 }, b: { score: 1 }, error: null },
    ];
    expect((await draftOf(rows))[1]).toContain("evaluation_scores.a_score.comment: error");
  });
});
