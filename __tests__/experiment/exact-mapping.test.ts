import { describe, expect, test } from "@jest/globals";
import { memberOf, Q, readMapped, S } from "./mapped-rows.ts";
import { problemsOf } from "./read-text.ts";

const EXACT = "exact: true";

describe("an exact mapping, which keeps values as they are in the file", () => {
  test("reads a missing value as null, unless the value is optional", async () => {
    const rows = [{ q: 1, s: 1 }, {}, { q: "", s: "" }];
    const needed = await readMapped(rows, EXACT, Q, S);
    expect(memberOf(needed, "inputs")).toEqual([{ q: 1 }, { q: null }, { q: "" }]);
    expect(needed.warnings).toEqual([
      "2 scores are missing, NaN or infinite (2 of s): unscored, not sent, in no mean",
    ]);
    const optional = [EXACT, "inputs.q: q?", "evaluation_scores.s: s?"];
    const text = JSON.stringify([{ q: 1 }, {}]);
    expect(await problemsOf(text, { name: "a.json", mapping: optional.join("\n") })).toEqual([
      "row 2: inputs is required",
    ]);
    expect((await readMapped([{ q: 1 }], ...optional)).warnings).toEqual([]);
  });

  test("does not read text as a duration, reads any text as an error, and keeps metadata apart", async () => {
    const document = { m: "x", rows: [{ q: 1, s: 1, d: "250", e: "false" }] };
    const lines = ["rows: rows", Q, S, "duration_ms: d", "error: e", "experiment_metadata.m: m"];
    const exact = await readMapped(document, EXACT, ...lines);
    expect([memberOf(exact, "duration_s"), memberOf(exact, "error")]).toEqual([
      [undefined],
      ["false"],
    ]);
    expect([exact.given, exact.metadata]).toEqual([{}, { m: "x" }]);
    const plain = await readMapped(document, ...lines);
    expect([memberOf(plain, "duration_s"), memberOf(plain, "error")]).toEqual([
      [0.25],
      [undefined],
    ]);
    expect([plain.given, plain.metadata]).toEqual([{ experiment_metadata: { m: "x" } }, {}]);
  });

  test("keeps scores in the order of the mapping, while others put lists first", async () => {
    const rows = [{ q: 1, a: 1, l: [{ name: "b", score: 0 }] }];
    const one = "evaluation_scores.a: a";
    const list = "evaluation_scores: { list: l, key: name, score: score }";
    const orderBy = async (...mapping: readonly string[]): Promise<string[]> =>
      Object.keys((await readMapped(rows, Q, ...mapping)).scores);
    expect(await orderBy(EXACT, one, list)).toEqual(["a", "b"]);
    expect(await orderBy(EXACT, list, one)).toEqual(["b", "a"]);
    expect(await orderBy(one, list)).toEqual(["b", "a"]);
  });

  test("leaves out an optional part of an identity that is null", async () => {
    const rows = [null, "a", undefined].map((v) => ({ id: 1, v, s: 1 }));
    expect(memberOf(await readMapped(rows, EXACT, "identity: [id, v?]", S), "inputs")).toEqual([
      { id: 1 },
      { id: 1, v: "a" },
      { id: 1 },
    ]);
  });

  test("does not note the rows that `where` leaves out", async () => {
    const rows = [
      { q: 1, k: "x", s: 1 },
      { q: 2, k: "y", s: 1 },
    ];
    expect((await readMapped(rows, EXACT, Q, S, "where: { k: x }")).notes).toEqual([]);
  });
});

test("a row that crashed has no score if the mapping says so", async () => {
  const rows = [
    { q: 1, s: 1, e: "x" },
    { q: 2, s: 1 },
  ];
  const scored = async (...more: readonly string[]): Promise<unknown> =>
    (await readMapped(rows, Q, S, "error: e?", ...more)).sent["s"];
  expect(await scored()).toEqual({ mean: 1, n: 2 });
  expect(await scored("score_errored: false")).toEqual({ mean: 1, n: 1 });
});

test("a time of the experiment is the time of its rows", async () => {
  const document = { at: "2026-01-01T00:00:05Z", rows: [{ q: 1, s: 1 }] };
  const { created_at, window } = await readMapped(document, "rows: rows", Q, S, "started_at: at");
  expect([created_at, window.start.text]).toEqual([
    "2026-01-01T00:00:05Z",
    "2026-01-01T00:00:05.000Z",
  ]);
});

describe("the warning about what a mapping leaves unread", () => {
  const MAPPED = ["inputs.q: question", "evaluation_scores.s: score"];
  const row = (question: string): object => ({ question, score: 1 });
  const warningsFor = async (document: object, ...mapping: readonly string[]): Promise<unknown> =>
    (await readMapped(document, ...mapping)).warnings;

  test.each<[string, readonly object[], string | undefined]>([
    ["rows once each", ["a", "b"].map((q) => ({ q, s: 1 })), undefined],
    [
      "rows of two models",
      ["a", "b"].flatMap((q) => ["m1", "m2"].map((model) => ({ q, model, s: 1 }))),
      "4 rows are 2 examples with up to 2 repeats each: model has 2 values that multiply the rows; " +
        "add it to inputs or identity if they are not repeats",
    ],
    [
      "rows whose comments differ",
      ["a", "b"].flatMap((q) => ["m1", "m2"].map((comment) => ({ q, comment, s: 1 }))),
      "4 rows are 2 examples with up to 2 repeats each",
    ],
    [
      "rows of one example",
      [1, 2, 3].map(() => ({ q: "a", s: 1 })),
      "3 rows are 1 example with up to 3 repeats each",
    ],
  ])("counts repeats: %s", async (_, rows, warning) => {
    expect(await warningsFor(rows, Q, S)).toEqual(warning === undefined ? [] : [warning]);
  });

  test("names ten other lists of rows", async () => {
    const others = Object.fromEntries(
      Array.from({ length: 11 }, (_, n) => [`l${n}`, [row(`b${n}`)]]),
    );
    expect(await warningsFor({ rows: [row("a")], ...others }, "rows: rows", ...MAPPED)).toEqual([
      "the file has other lists of rows that the mapping does not read: l0 (1), l1 (1), l2 (1), l3 (1), " +
        "l4 (1), l5 (1), l6 (1), l7 (1), l8 (1), l9 (1); rows: [rows, l0] reads l0 too",
    ]);
  });

  test("counts cases that crashed", async () => {
    const failed = (count: number): object[] =>
      Array.from({ length: count }, (_, n) => ({ question: `c${n}`, message: "x" }));
    const said = async (count: number): Promise<unknown> =>
      warningsFor({ results: [row("a")], errors: failed(count) }, "rows: results", ...MAPPED);
    const sentence = (entries: string): string =>
      `the file has ${entries} under errors that the mapping does not read: ` +
      "cases that crashed are rows too (rows: [results, errors], with an error)";
    expect(await said(0)).toEqual([]);
    expect(await said(1)).toEqual([sentence("1 entry")]);
    expect(await said(2)).toEqual([sentence("2 entries")]);
  });
});
