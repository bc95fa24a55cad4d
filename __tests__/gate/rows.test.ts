import { describe, expect, test } from "@jest/globals";
import { judgeGroups } from "../../src/gate/judge.ts";
import type { GateRow, GateTable } from "../../src/gate/row.ts";
import { exampleAt, gatesOf, judge, rowOf, scores, tableOf } from "./tables.ts";

/** Examples by name, with two scores each; null is none. */
const pairsOf = (
  rows: Readonly<Record<string, readonly [m: number | null, n: number | null]>>,
): GateTable =>
  tableOf(
    Object.entries(rows).map(([name, [m, n]]) =>
      rowOf(name, { scores: { ...(m === null ? {} : { m }), ...(n === null ? {} : { n }) } }),
    ),
  );

describe("examples that changed", () => {
  const BOTH = "m drop <= 0.5\nn drop <= 0.5";
  const judged = judge(
    BOTH,
    pairsOf({
      a: [0.2, 0.9],
      b: [0.8, 0.5],
      c: [0.7, 0.6],
      d: [0.5, 0.5],
      e: [null, 0.5],
      f: [0.2, 0.5],
      g: [1, 0],
    }),
    pairsOf({
      a: [0.5, 0.5],
      b: [0.5, 0.5],
      c: [0.5, 0.5],
      d: [0.5, 0.5],
      e: [0.5, 0.5],
      f: [0.5, 0.5],
      g: [1, 0],
    }),
  );

  test("are counted by score, and once each, as worse if any score fell", () => {
    expect(judged.row_counts.examples).toEqual({ worse: 2, better: 2 });
    expect(judged.row_counts.changed["m"]).toMatchObject({ worse: 2, better: 2 });
    expect(judged.row_counts.changed["n"]).toMatchObject({ worse: 0, better: 2 });
    expect(Object.keys(judged.row_counts.changed)).toEqual(["m", "n"]);
  });

  test("are listed by how far they changed, and equal ones by score and example", () => {
    const listed = (rows: typeof judged.rows_worse) =>
      rows.map(({ metric, example, base, head }) => [metric, example, base, head]);
    expect(listed(judged.rows_worse)).toEqual([
      ["m", "a", 0.5, 0.2],
      ["m", "f", 0.5, 0.2],
    ]);
    expect(listed(judged.rows_better)).toEqual([
      ["n", "a", 0.5, 0.9],
      ["m", "b", 0.5, 0.8],
      ["m", "c", 0.5, 0.7],
      ["n", "c", 0.5, 0.6],
    ]);
  });

  test("are none if no score moved", () => {
    const same = judge("score drop <= 0.5", scores([0.1, 0.2]), scores([0.1, 0.2]));
    expect(same.row_counts).toMatchObject({
      examples: { worse: 0, better: 0 },
      new: 0,
      missing: 0,
    });
    expect(same.row_counts.changed).toEqual({});
    expect([same.rows_worse, same.rows_better]).toEqual([[], []]);
  });

  test("are listed up to five hundred, across all scores and for each side", () => {
    const many = (of: (i: number) => number) =>
      tableOf(
        Array.from({ length: 1002 }, (_, i) =>
          rowOf(exampleAt(i), { scores: { m: of(i), n: of(i) } }),
        ),
      );
    // The first half falls, the more the later; the second half rises.
    const after = many((i) => (i < 501 ? 0.5 - i / 2000 : 0.5 + i / 4000));
    const { rows_worse, rows_better, row_counts } = judge(
      BOTH,
      after,
      many(() => 0.5),
    );
    expect(row_counts.changed["m"]).toMatchObject({ worse: 500, better: 501 });
    expect(rows_worse).toHaveLength(500);
    expect(rows_better).toHaveLength(500);
    expect(rows_worse.slice(0, 3).map(({ metric, example }) => [metric, example])).toEqual([
      ["m", exampleAt(500)],
      ["n", exampleAt(500)],
      ["m", exampleAt(499)],
    ]);
    expect(rows_worse.at(-1)).toMatchObject({ metric: "n", example: exampleAt(251) });
  });
});

describe("examples on one side only", () => {
  test.each([
    [0, 1],
    [100, 1],
    [101, 3],
  ])("are counted, and up to a hundred are listed: %i new ones and %i missing", (added, gone) => {
    const named = (prefix: string, many: number) =>
      Array.from({ length: many }, (_, i) =>
        rowOf(`${prefix}${exampleAt(i)}`, { scores: { score: 1 } }),
      );
    const judged = judge(
      "gates: score drop <= 0.5\nmin_overlap: 0",
      tableOf([...named("kept", 12), ...named("new", added)]),
      tableOf([...named("kept", 12), ...named("gone", gone)]),
    );
    expect(judged.row_counts).toMatchObject({ new: added, missing: gone });
    expect(judged.rows_new).toEqual(
      Array.from({ length: Math.min(100, added) }, (_, i) => `question new${exampleAt(i)}`),
    );
    expect(judged.rows_missing).toHaveLength(gone);
  });

  test("are named by their id if they have no text", () => {
    const bare = { scores: { score: 1 }, preview: { input: "", expected: "", output: "" } };
    const judged = judge("score drop <= 0.5", tableOf([rowOf("a"), rowOf("b", bare)]), scores([1]));
    expect(judged.rows_new).toEqual(["question a", "b"]);
  });
});

describe("without a baseline, examples beyond a failed floor", () => {
  const listed = (gates: string, values: readonly number[]) => {
    const { rows_missed = [], row_counts } = judge(gates, scores(values));
    return { rows: rows_missed.map(({ example, head }) => [example, head]), row_counts };
  };

  test("are listed with the farthest first, once each", () => {
    const { rows, row_counts } = listed(
      "score >= 0.6\nscore >= 0.8\nscore >= 0.5",
      [0.9, 0.7, 0.4, 0.1],
    );
    expect(rows).toEqual([
      [exampleAt(3), 0.1],
      [exampleAt(2), 0.4],
      [exampleAt(1), 0.7],
    ]);
    expect(row_counts.missed).toBe(3);
  });

  test("are those above a ceiling, and none for a limit that is met", () => {
    expect(
      listed("gates: score <= 0.5\ndirection: { score: lower }", [0.4, 0.9, 0.5]).rows,
    ).toEqual([[exampleAt(1), 0.9]]);
    const met = listed("score >= 0.5", [0.9, 0.4]);
    expect(met.rows).toEqual([]);
    expect(met.row_counts).not.toHaveProperty("missed");
  });

  test("are those of the group that failed, and of the rule that failed", () => {
    const heads = [
      { label: "small", head: scores([0.9, 0.4]), base: null },
      { label: "large", head: scores([0.9, 0.9, 0.7]), base: null },
    ];
    const of = (gates: string) =>
      judgeGroups(heads, gatesOf(gates)).rows_missed?.map(({ head }) => head);
    expect(of("score >= 0.8")).toEqual([0.4]);
    expect(of("score >= 0.65")).toBeUndefined();
    // The farthest of all groups first, whatever the spread of each group.
    expect(of("score >= 0.8\nscore >= 0.95")).toEqual([0.4, 0.7, 0.9, 0.9, 0.9]);
  });

  test("are listed up to five hundred", () => {
    const { rows, row_counts } = listed(
      "score >= 0.9",
      Array.from({ length: 501 }, () => 0.5),
    );
    expect(rows).toHaveLength(500);
    expect(rows[0]).toEqual([exampleAt(0), 0.5]);
    expect(row_counts.missed).toBe(501);
  });
});

describe("the run that is shown for an example", () => {
  const run = (score: number | null, output: string, more: Partial<GateRow> = {}) =>
    rowOf("a", {
      scores: score === null ? { other: 1 } : { s: score },
      preview: { input: "i", expected: "e", output },
      ...more,
    });
  const shown = (gates: string, ...runs: readonly GateRow[]) =>
    judge(gates, tableOf(runs), tableOf([run(1.5, "before")])).rows_worse[0];
  const LESS = "gates: s drop <= 5\ndirection: { s: lower }";

  test.each<[string, string, readonly GateRow[], string]>([
    ["scored worst", "s drop <= 5", [run(1, "b"), run(0, "c"), run(0.5, "a")], "c"],
    ["scored highest, if less is better", LESS, [run(2, "b"), run(9, "c"), run(3, "a")], "c"],
    ["comes first by its output, among equal ones", "s drop <= 5", [run(0, "b"), run(0, "a")], "a"],
    ["has the score", "s drop <= 5", [run(null, "a"), run(0, "z")], "z"],
    ["scored worst, whatever its output", "s drop <= 5", [run(1, "a"), run(0, "z")], "z"],
  ])("%s", (_, gates, runs, output) => {
    expect(shown(gates, ...runs)).toMatchObject({ head_output: output, base_output: "before" });
  });

  test("is marked if it crashed", () => {
    expect(shown("s drop <= 5", run(0, "b", { error: true }))).toMatchObject({ crashed: true });
    expect(shown("s drop <= 5", run(0, "b"))).not.toHaveProperty("crashed");
  });
});
