import { describe, expect, test } from "@jest/globals";
import type { ReadRow } from "../../src/experiment/input/row.ts";
import { instantAt, parseInstant } from "../../src/experiment/input/timestamp.ts";
import {
  createRowCollector,
  type GivenTimes,
  type RowFacts,
} from "../../src/experiment/row-collector.ts";

const NOON = parseInstant("2026-01-01T12:00:00.000Z")!;
/** A time some seconds after noon. */
const at = (seconds: number): string => instantAt(NOON.us + seconds * 1e6).text;

type GivenRow = Omit<ReadRow, "place">;

/** Rows of a file that was written at noon, in its window. */
function factsOf(
  rows: readonly GivenRow[],
  { strict = false, window = [null, null] as readonly (number | null)[] } = {},
): RowFacts {
  const [start, end] = window.map((seconds) => parseInstant(seconds === null ? null : at(seconds)));
  const times: GivenTimes = { start: start ?? null, end: end ?? null, fileTime: NOON };
  const { add, finish } = createRowCollector("r.json", times, { strict, shown: Infinity });
  for (const [index, row] of rows.entries())
    add({ inputs: { n: index }, ...row, place: { file: "r.json", index, line: index + 1 } });
  return finish({});
}

const row = (given: GivenRow, how?: Parameters<typeof factsOf>[1]) =>
  factsOf([given], how).shown[0]!;
const messagesOf = ({ problems }: RowFacts): string[] => problems.map(({ message }) => message);
const scored = (...scores: unknown[]): GivenRow => ({ evaluation_scores: scores });

describe("the times of a row", () => {
  const NO_TIME = "1 row without a time: the file's own time is the start";
  const NO_DURATION = "1 row without a duration: the end is the start, so the latency shown is 0";

  test.each<[string, GivenRow, [number, number, number | null], string[]]>([
    ["nothing", {}, [0, 0, null], [NO_TIME, NO_DURATION]],
    ["empty texts", { start_time: "", end_time: null }, [0, 0, null], [NO_TIME, NO_DURATION]],
    ["a duration", { duration_s: 1.5 }, [0, 1.5, 1.5], [NO_TIME]],
    ["no time at all", { duration_s: 0 }, [0, 0, 0], [NO_TIME]],
    ["a negative duration", { duration_s: -1 }, [0, 0, null], [NO_TIME, NO_DURATION]],
    ["NaN", { duration_s: Number.NaN }, [0, 0, null], [NO_TIME, NO_DURATION]],
    ["thirty years", { duration_s: 999_999_999 }, [0, 999_999_999, 999_999_999], [NO_TIME]],
    ["a billion seconds", { duration_s: 1e9 }, [0, 0, null], [NO_TIME, NO_DURATION]],
    ["a start", { start_time: at(5) }, [5, 5, null], [NO_DURATION]],
    ["an end", { end_time: at(5) }, [5, 5, null], [NO_DURATION]],
    ["a start and a duration", { start_time: at(5), duration_s: 2 }, [5, 7, 2], []],
    ["an end and a duration", { end_time: at(5), duration_s: 2 }, [3, 5, 2], []],
    ["all three", { start_time: at(5), end_time: at(6), duration_s: 9 }, [5, 6, 1], []],
    ["one instant", { start_time: at(5), end_time: at(5) }, [5, 5, 0], []],
  ])("with %s", (_, given, [start, end, duration], warnings) => {
    const facts = factsOf([given]);
    const { body, duration_s } = facts.shown[0]!;
    expect([body.start_time, body.end_time, duration_s]).toEqual([at(start), at(end), duration]);
    expect(facts.timeWarnings).toEqual(warnings);
    expect([facts.window.start.text, facts.window.end.text]).toEqual([at(start), at(end)]);
    expect(facts.problems).toEqual([]);
  });

  test("keep the text that the file has for them", () => {
    const start_time = "2026-01-01T12:00:05Z";
    expect(row({ start_time }).body).toMatchObject({ start_time, end_time: start_time });
  });

  test("are reported with the number of rows that lack them", () => {
    expect(factsOf([{}, {}, { duration_s: 1 }]).timeWarnings).toEqual([
      "3 rows without a time: the file's own time is the start",
      "2 rows without a duration: the end is the start, so the latency shown is 0",
    ]);
  });

  // What the file's own time, noon, becomes for a row that says nothing.
  test.each<[string, readonly (number | null)[], GivenRow, readonly [number, number]]>([
    ["a window that begins later", [10, 20], {}, [10, 10]],
    ["a window that begins now", [0, 20], {}, [0, 0]],
    ["a window that ended before", [-20, -10], {}, [-20, -20]],
    ["a window that ended before, without a start", [null, -10], {}, [-10, -10]],
    ["a window that ends now", [-20, 0], {}, [0, 0]],
    ["a duration that just fits", [-20, 3], { duration_s: 3 }, [0, 3]],
    ["a duration that would end after the window", [-20, 3], { duration_s: 4 }, [-1, 3]],
    [
      "a duration that begins at its own time",
      [-20, 3],
      { start_time: at(1), duration_s: 2 },
      [1, 3],
    ],
  ])("follow %s", (_, window, given, [start, end]) => {
    const facts = factsOf([given], { window });
    const { body } = facts.shown[0]!;
    expect([body.start_time, body.end_time]).toEqual([at(start), at(end)]);
    expect(facts.problems).toEqual([]);
  });

  test("set the window, from the first start to the last end, or noon without rows", () => {
    const { window } = factsOf([
      { start_time: at(5), end_time: at(9) },
      { start_time: at(4), end_time: at(6) },
    ]);
    expect([window.start.text, window.end.text]).toEqual([at(4), at(9)]);
    expect(factsOf([]).window).toMatchObject({ start: { us: NOON.us }, end: { us: NOON.us } });
  });

  test("must be inside the window of the file, which includes both ends", () => {
    const messages = (window: readonly (number | null)[], start: number, end: number): string[] =>
      messagesOf(factsOf([{ start_time: at(start), end_time: at(end) }], { window }));
    const early = `row 1: start_time is before experiment_start_time (${at(-1)} < ${at(0)})`;
    const late = `row 1: end_time is after experiment_end_time (${at(6)} > ${at(5)})`;
    expect(messages([0, 5], 0, 5)).toEqual([]);
    expect(messages([0, 5], -1, 6)).toEqual([early, late]);
    expect(messages([0, null], -1, 6)).toEqual([early]);
    expect(messages([null, 5], -1, 6)).toEqual([late]);
    expect(messages([5, 5], 5, 5)).toEqual([]);
    expect(messages([6, 5], 5, 5).at(0)).toBe(
      "experiment_end_time is before experiment_start_time",
    );
  });

  test("must be dates and in order", () => {
    expect(messagesOf(factsOf([{ start_time: at(1), end_time: at(0) }]))).toEqual([
      "row 1: end_time is before start_time",
    ]);
    expect(messagesOf(factsOf([{}, { start_time: "noon" }]))).toEqual([
      "row 2: start_time is not a date-time; write ISO 8601, as 2026-01-31T12:00:00Z",
    ]);
  });
});

describe("the fields of a row", () => {
  test("a value that is not an object is wrapped, and reported only in the service's own format", () => {
    const given = { inputs: "q", actual_outputs: 0, expected_outputs: [1], run_metadata: true };
    expect(row(given).body).toMatchObject({
      inputs: { input: "q" },
      actual_outputs: { output: 0 },
      expected_outputs: { output: [1] },
      run_metadata: { value: true },
    });
    expect(factsOf([given]).warnings).toEqual([]);
    expect(factsOf([given], { strict: true }).warnings).toEqual([
      '4 values are not objects, which the service wants: wrapped as {"input": …}, {"output": …} or {"value": …}',
    ]);
  });

  test.each<[unknown, string | undefined]>([
    [undefined, undefined],
    [null, undefined],
    ["", undefined],
    ["boom", "boom"],
    [0, "0"],
    [false, "false"],
    [{ message: "boom", code: 1 }, "boom"],
    [{ message: "", code: 1 }, '{"message":"","code":1}'],
    [{ code: 1 }, '{"code":1}'],
    [["a"], '["a"]'],
  ])("an error of %j is read as a text", (error, text) => {
    expect(row({ error }).body.error).toBe(text);
    expect(factsOf([{ error }]).errorCount).toBe(text === undefined ? 0 : 1);
    expect(messagesOf(factsOf([{ error }], { strict: true }))).toEqual(
      text === undefined || typeof error === "string" ? [] : ["row 1: error must be a text"],
    );
  });

  test("usage is merged with the usage in the metadata, and its own numbers take precedence", () => {
    const usage = { total_tokens: 7 };
    expect(row({ usage }).body.run_metadata).toEqual({ usage });
    expect(row({ usage, run_metadata: { a: 1, usage: "much" } }).body.run_metadata).toEqual({
      ...{ a: 1, usage },
    });
    expect(
      row({ usage, run_metadata: { usage: { total_tokens: 1, cached: 2 } } }).body.run_metadata,
    ).toEqual({ usage: { total_tokens: 7, cached: 2 } });
    expect(row({}).body).not.toHaveProperty("run_metadata", expect.anything());
  });

  test.each([
    [undefined, [0, 1]],
    [3, [0, 3]],
    // Its id is taken, so it gets the next one.
    [0, [0, 1]],
    [-1, [0, 1]],
    [1.5, [0, 1]],
  ])(
    "the second row of an example gets a repeat number of its own if it calls itself repeat %p",
    (repeat, ks) => {
      const { shown } = factsOf([
        { inputs: { q: 1 } },
        { inputs: { q: 1 }, ...(repeat === undefined ? {} : { repeat }) },
      ]);
      expect(shown.map(({ k }) => k)).toEqual(ks);
    },
  );

  test("a repeated id is a problem that names the first row with it", () => {
    const row_id = "0b6f0f6e-0000-4000-8000-000000000001";
    expect(messagesOf(factsOf([{}, { row_id }, { row_id }]))).toEqual([
      `row 3: row_id ${row_id} is also that of row 2; an id may appear once in an upload`,
    ]);
    expect(messagesOf(factsOf([{ row_id: null }, { row_id: 5 }]))).toEqual([
      "row 2: row_id must be a UUID; leave it out and it is made from the inputs",
    ]);
  });

  test("ten thousand problems are listed, and the rest are counted", () => {
    const wrong = (count: number): string[] =>
      messagesOf(factsOf(Array.from({ length: count }, () => ({ row_id: 5 }))));
    expect(wrong(10_000).at(-1)).toMatch(/^row 10000: row_id/);
    expect(wrong(10_003).slice(-2)).toEqual([
      expect.stringMatching(/^row 10000: row_id/),
      "and 3 more",
    ]);
  });
});

describe("the totals of the scores", () => {
  test("count rows with a number, with only words, and with neither", () => {
    const facts = factsOf([
      scored({ key: "a", score: 0.75 }),
      scored({ key: "a", score: 0.25 }, { key: "a", score: 0.75 }, { key: "b", value: "good" }),
      scored({ key: "b", value: "bad" }),
      scored({ key: "c", score: Number.NaN }),
      { ...scored({ key: "a", score: 0.25 }, { key: "b", value: "bad" }), error: "boom" },
      {},
    ]);
    expect(facts).toMatchObject({
      ...{ rowCount: 6, errorCount: 1, scored: 3, worded: 1, unscored: ["c"] },
      scores: { a: { mean: 0.5, n: 3 } },
      sent: { a: { mean: 0.5, n: 4 } },
      words: { b: { rows: 2, mappable: false } },
    });
    expect(facts.words).not.toHaveProperty("a");
  });

  test("do not count a metric as unscored if it has a number in any row", () => {
    const { unscored } = factsOf([
      scored({ key: "a", score: Number.NaN }),
      scored({ key: "a", score: 1 }),
    ]);
    expect(unscored).toEqual([]);
  });

  test("say that a score in words can be mapped, and a value next to it cannot", () => {
    expect(factsOf([scored({ key: "a", score: "good" }, { key: "b", value: "x" })]).words).toEqual({
      a: { rows: 1, mappable: true },
      b: { rows: 1, mappable: false },
    });
  });
});

describe("warnings about rows", () => {
  const said = (rows: readonly GivenRow[], strict = false): readonly string[] =>
    factsOf(rows, { strict }).warnings;
  const keys = (count: number): unknown[] =>
    Array.from({ length: count }, (_, n) => ({ key: `m${n}`, score: "NaN" }));
  const twenty = Array.from({ length: 20 }, (_, n) => `1 of m${n}`).join(", ");
  const twice = (where: string): string =>
    "scores that appear more than once in a row count there as their mean: " +
    `a (${where}); give two evaluators two names`;

  test.each<[string, readonly GivenRow[], string]>([
    [
      "one missing score",
      [scored({ key: "a", score: "NaN" })],
      "1 score is missing, NaN or infinite (1 of a): unscored, not sent, in no mean",
    ],
    [
      "missing scores of 21 metrics",
      [scored(...keys(21))],
      `21 scores are missing, NaN or infinite (${twenty}, 1 more): unscored, not sent, in no mean`,
    ],
    [
      "missing scores of 20 metrics",
      [scored(...keys(20))],
      `20 scores are missing, NaN or infinite (${twenty}): unscored, not sent, in no mean`,
    ],
    [
      "numbers that JSON cannot hold",
      [{ inputs: { a: [Infinity, Number.NaN] } }],
      "2 numbers outside of scores that JSON cannot hold (NaN, Infinity, 1e400) became null",
    ],
    [
      "large integers",
      [{ inputs: { a: 2 ** 53, b: 2 ** 53 - 1 } }],
      "1 integer is beyond 2^53 and sent rounded; write them as text",
    ],
    [
      "a config without a type",
      [scored({ key: "a", score: 1, feedback_config: { min: 0 } })],
      "a feedback_config has no type; the hosted service requires one",
    ],
    [
      "a name of 181 characters",
      [scored({ key: "k".repeat(181), score: 1 }, { key: "l".repeat(180), score: 1 })],
      `feedback key "${"k".repeat(40)}…" is longer than 180 characters, which the hosted service refuses`,
    ],
    [
      "an unknown field",
      [{ unknown: ["u".repeat(70)] }],
      `there is no field "${"u".repeat(60)}" in a row; it is not sent`,
    ],
    [
      "an unknown field of a score",
      [scored({ key: "a", score: 1, ["u".repeat(70)]: 1, id: "x", extra: {} })],
      `there is no field feedback "${"u".repeat(60)}"; it is not sent`,
    ],
    [
      "an unknown field of a config",
      [scored({ key: "a", score: 1, feedback_config: { type: "freeform", ["u".repeat(70)]: 1 } })],
      `there is no field feedback_config "${"u".repeat(60)}"; it is not sent`,
    ],
    [
      "scores that are words",
      [scored({ key: "a", score: "good" })],
      "scores that are words, not numbers: 1 of a; no gate can judge these (a mapping turns words into numbers)",
    ],
    [
      "values in place of a score that other rows have",
      [scored({ key: "a", score: 1 }), scored({ key: "a", value: "x" })],
      "a value without a score, where other rows have one: 1 of a; no gate can judge these",
    ],
    [
      "one row with two scores of a name",
      [{}, scored({ key: "a", score: 1 }, { key: "a", score: 0 })],
      twice("row 2 of r.json"),
    ],
    [
      "rows with two scores of a name",
      [{}, ...[1, 2].map(() => scored({ key: "a", score: 1 }, { key: "a", score: 0 }))],
      twice("2 rows, the first is row 2 of r.json"),
    ],
    [
      "numbers that are not read",
      [{ unread: ["x", "y".repeat(90)] }],
      `numbers not read: x, ${"y".repeat(80)} (a mapping can name them as scores)`,
    ],
  ])("report %s", (_, rows, warning) => {
    expect(said(rows)).toEqual([warning]);
  });

  test("shorten a metric's name to sixty characters", () => {
    expect(said([scored({ key: "m".repeat(61), score: "NaN" })])).toEqual([
      `1 score is missing, NaN or infinite (1 of ${"m".repeat(60)}): unscored, not sent, in no mean`,
    ]);
  });

  test("do not report a metric that has only values, or values next to words", () => {
    expect(said([scored({ key: "a", value: "x" })])).toEqual([]);
    const rows = [{ score: 1 }, { score: "good" }, { value: "x" }];
    expect(said(rows.map((one) => scored({ key: "a", ...one })))).toEqual([
      expect.stringMatching(/^scores that are words, not numbers: 1 of a;/),
    ]);
  });

  test("count a number of the inputs once, even if the inputs are also the identity", () => {
    const inputs = { a: Infinity };
    expect(said([{ inputs, identity: inputs }])).toEqual([
      "1 number outside of scores that JSON cannot hold (NaN, Infinity, 1e400) became null",
    ]);
    expect(said([{ inputs, identity: { ...inputs } }])).toEqual([
      "2 numbers outside of scores that JSON cannot hold (NaN, Infinity, 1e400) became null",
    ]);
  });

  test("list the first twenty unknown fields", () => {
    const unknown = Array.from({ length: 21 }, (_, n) => `u${n}`);
    expect(said([{ unknown }])).toEqual(
      unknown.slice(0, 20).map((name) => `there is no field "${name}" in a row; it is not sent`),
    );
  });

  test("say that the scores of more metrics than a report holds are sent, but in no mean", () => {
    const score = 1;
    const facts = factsOf([
      scored(...Array.from({ length: 20_002 }, (_, n) => ({ key: `m${n}`, score }))),
      scored({ key: "m20001", score }, { key: "m20001", score }),
    ]);
    expect(facts.warnings).toEqual([
      "the file has more metrics than a report holds: 4 scores are in no mean shown, but sent and judged",
    ]);
    expect(Object.keys(facts.scores)).toHaveLength(20_000);
    expect(facts.shown[1]!.body.evaluation_scores).toHaveLength(2);
  });

  test("metrics without a number take at most half of the room for metrics", () => {
    const facts = factsOf([
      scored(...keys(10_001)),
      scored(...Array.from({ length: 10_001 }, (_, n) => ({ key: `n${n}`, score: 1 }))),
    ]);
    expect(Object.keys(facts.scores)).toHaveLength(10_000);
    expect(facts.unscored).toHaveLength(10_000);
  });
});

describe("the warning about rows that crashed", () => {
  const crashed = (...errors: string[]): string =>
    factsOf(errors.map((error) => ({ error }))).warnings[0]!;

  test.each<[string, readonly string[], string]>([
    ["one error", ["boom"], "1 row crashed: “boom”"],
    ["errors that differ only in numbers and ids", ["at 12", "at 3.5"], "2 rows crashed: “at 12”"],
    ["two kinds of errors", ["a", "b", "b"], "3 rows crashed: “b” (2), “a” (1)"],
    ["three kinds of errors", ["a", "b", "c"], "3 rows crashed: “a” (1), “b” (1), “c” (1)"],
    [
      "three of four kinds of errors",
      [..."abcd"],
      "4 rows crashed: “a” (1), “b” (1), “c” (1), and 1 more error",
    ],
    [
      "three of five kinds of errors",
      [..."abcde"],
      "5 rows crashed: “a” (1), “b” (1), “c” (1), and 2 more errors",
    ],
    ["the first line of an error", ["what\nwhere"], "1 row crashed: “what”"],
    [
      "the last line of a traceback",
      ["Traceback (most recent call last):\n  File x\nValueError: no\n"],
      "1 row crashed: “ValueError: no”",
    ],
    ["an error of 160 characters", ["e".repeat(160)], `1 row crashed: “${"e".repeat(160)}”`],
    [
      "the beginning of an error of 161 characters",
      ["e".repeat(161)],
      `1 row crashed: “${"e".repeat(159)}…”`,
    ],
    [
      "the end of a long traceback",
      [`Traceback (most recent call last):\n${"x".repeat(5000)}`],
      `1 row crashed: “${"x".repeat(159)}…”`,
    ],
  ])("reports %s", (_, errors, sentence) => {
    expect(crashed(...errors)).toBe(sentence);
  });

  test("counts a thousand kinds of errors, and all others as one kind", () => {
    const letters = "abcdefghij";
    const kinds = Array.from({ length: 1002 }, (_, n) =>
      [...String(n)].map((digit) => letters[Number(digit)]).join(""),
    );
    expect(crashed(...kinds, "j")).toBe(
      "1003 rows crashed: “j” (2), “other errors” (2), “a” (1), and 998 more errors",
    );
  });
});
