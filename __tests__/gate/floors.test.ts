import { describe, expect, test } from "@jest/globals";
import type { GateTable } from "../../src/gate/row.ts";
import { bits, clusteredScores, exampleAt, judge, rowOf, scores, tableOf } from "./tables.ts";

const only = (gates: string, head: GateTable) => judge(gates, head).gates[0]!;
const proven = (line: string, head: GateTable) => only(`gates: ${line}\nfloors: proven`, head);

/** So many examples with some seconds, and so many with others. */
const timed = (...groups: readonly (readonly [many: number, seconds: number])[]): GateTable =>
  tableOf(
    groups
      .flatMap(([many, seconds]) => Array.from({ length: many }, () => seconds))
      .map((latency, i) => rowOf(exampleAt(i), { latency, scores: { s: 1 } })),
  );

describe("a quantile's limit that must be proven is tested by the binomial", () => {
  test.each([
    // P(X <= 5) and P(X <= 6) of 20 fair coins; P(X <= 15) and P(X <= 16) with a chance of 0.9.
    ["latency_p50 <= 10s", timed([5, 1], [15, 20]), "fail", 0.0207],
    ["latency_p50 <= 10s", timed([6, 1], [14, 20]), "inconclusive", 0.0577],
    ["latency_p50 >= 10s", timed([15, 1], [5, 20]), "fail", 0.0207],
    ["latency_p50 >= 10s", timed([14, 1], [6, 20]), "inconclusive", 0.0577],
    ["latency_p90 <= 10s", timed([15, 1], [5, 20]), "fail", 0.0432],
    ["latency_p90 <= 10s", timed([16, 1], [4, 20]), "inconclusive", 0.133],
    // P(X = 0) and P(X <= 1) of 40 with a chance of 0.1.
    ["latency_p90 >= 10s", timed([40, 1]), "fail", 0.0148],
    ["latency_p90 >= 10s", timed([39, 1], [1, 20]), "inconclusive", 0.0805],
  ])("%s", (rule, table, verdict, p) => {
    const gate = proven(rule, table);
    expect(gate).toMatchObject({
      verdict,
      limit: 10,
      method: "order statistics; proof by Gaffke's bound",
    });
    expect(gate.p! / p).toBeGreaterThan(0.99);
    expect(gate.p! / p).toBeLessThan(1.06);
    expect(gate.p_own).toBe(gate.p);
  });

  test("counts the share of an example's runs", () => {
    // Of 20 examples each has one of four runs within: only a weight of a third on what was not shown helps.
    const table = tableOf(
      Array.from({ length: 80 }, (_, i) =>
        rowOf(exampleAt(Math.floor(i / 4)), {
          latency: i % 4 === 0 ? 1 : 20,
          scores: { s: 1 },
        }),
      ),
    );
    const { verdict, p } = proven("latency_p50 <= 10s", table);
    expect(verdict).toBe("fail");
    expect(p! / (2 / 3) ** 20).toBeGreaterThan(0.99);
    expect(p! / (2 / 3) ** 20).toBeLessThan(1.06);
  });
});

describe("a floor that must be proven on a scale of unknown range", () => {
  const said = (values: readonly number[]) => proven("score >= 80", scores(values));

  test("needs ten examples that are not all equal", () => {
    const spread = Array.from({ length: 9 }, (_, i) => 30 + i);
    expect(said(spread)).toMatchObject({
      verdict: "inconclusive",
      p: null,
      reason:
        "score is 34 on 9 examples, below the floor of 80; fewer than 10 examples cannot prove it. " +
        "Look at the rows, or add examples.",
    });
    expect(said([...spread, 39]).verdict).toBe("fail");
    expect(said(Array.from({ length: 10 }, () => 30)).reason).toBe(
      "score is 30 on 10 examples, below the floor of 80, but all values are alike, " +
        "so chance cannot be judged. Look at the rows that score badly.",
    );
  });
});

test("a floor that must be proven needs two clusters", () => {
  const clustered = (many: number) =>
    proven(
      "score >= 0.8\ncluster_by: inputs.c",
      clusteredScores(many, () => 0.3),
    );
  expect(clustered(1)).toMatchObject({
    verdict: "inconclusive",
    p: null,
    reason: expect.stringContaining("all belong to one cluster, so chance cannot be judged"),
  });
  // At most 2 of 7 clusters score 0.3 where the mean is 0.8 and the best is 1.
  const { p } = clustered(2);
  expect(p! / (2 / 7) ** 2).toBeGreaterThan(0.99);
  expect(p! / (2 / 7) ** 2).toBeLessThan(1.06);
});

test("a ceiling on a scale of unknown range assumes that it extends as far below the values as they span", () => {
  const values = Array.from({ length: 11 }, (_, i) => 30 + i);
  const below = (limit: number) =>
    proven(`score <= ${limit}\ndirection: { score: lower }`, scores(values));
  // The values span 10, so that no true mean is below 20.
  expect(below(20)).toMatchObject({ verdict: "fail", p: 0 });
  expect(below(29).p!).toBeGreaterThan(0);
  expect(below(29).verdict).toBe("fail");
  expect(below(34).verdict).toBe("inconclusive");
});

test("a proof has a level of 0.05, whatever alpha the file sets", () => {
  const head = scores([0.2, 0.4]);
  expect(only("gates: score >= 0.9\nalpha: 0.1\nfloors: proven", head).alpha).toBe(0.05);
  expect(only("gates: score >= 0.9\nalpha: 0.1", head).alpha).toBe(0.1);
});

describe("the interval of a floor", () => {
  test("counts clusters for a rate whose clusters are all equal", () => {
    const gate = only(
      "gates: score >= 0.5\ncluster_by: inputs.c",
      clusteredScores(6, () => 1),
    );
    expect(gate.method).toBe("Wilson, 6.0 effective trials");
    // 1 / (1 + z² / 6)
    expect(gate.ci![0]).toBeCloseTo(0.609666, 6);
    expect(gate.ci![1]).toBe(1);
  });

  test.each<[readonly number[], string]>([
    [[0.2], "mean"],
    [[0.2, 0.4], "Student, df 1"],
    [[0.2, 0.4, 0.7], "Student, df 2"],
  ])("of %j is computed by %s", (values, method) => {
    expect(only("score >= 0.1", scores(values)).method).toBe(method);
  });

  test("counts clusters for means in clusters", () => {
    const table = clusteredScores(6, (c) => 0.3 + 0.05 * c);
    expect(only("gates: score >= 0.1\ncluster_by: inputs.c", table).method).toBe(
      "Student, 6 clusters",
    );
  });
});

describe("a gate on rows", () => {
  test.each([
    ["rows >= 3", "pass", "the results hold 3 rows; the gate asks for >= 3."],
    ["rows >= 4", "fail", "the results hold 3 rows; the gate asks for >= 4. Run the missing rows."],
    ["rows <= 2", "fail", "the results hold 3 rows; the gate asks for <= 2. Check the evaluation."],
    ["rows < 4", "pass", "the results hold 3 rows; the gate asks for < 4."],
  ])("%s", (rule, verdict, reason) => {
    expect(only(rule, bits("111"))).toMatchObject({ verdict, reason, n: 3, head: 3 });
  });
});

describe("fewer rows with a score than min_rows asks for", () => {
  const few = (marks: string, gates = "gates: correctness >= 0.1\nmin_rows: 3") => {
    return judge(gates, bits(marks)).gates.find(({ rule }) => rule.startsWith("min_rows"))?.reason;
  };

  test.each([
    ["111", undefined],
    ["11", "2 of 2 rows have a score, and min_rows asks for 3. Run the missing rows."],
    ["1", "1 of 1 row has a score, and min_rows asks for 3. Run the missing rows."],
    [
      "11x",
      "2 of 3 rows have a score, and min_rows asks for 3; 1 crashed. Look at the rows without a score.",
    ],
    [
      "1xx",
      "1 of 3 rows has a score, and min_rows asks for 3; 2 crashed. Look at the rows without a score.",
    ],
    [
      "xxx",
      "0 of 3 rows have a score, and min_rows asks for 3; 3 crashed. Fix the crashes, or the scorer.",
    ],
    ["", "the results hold no row. Check the evaluation."],
  ])("%s", (marks, reason) => {
    expect(few(marks)).toBe(reason);
  });

  test("are not reported again if one row is enough and a gate fails for it", () => {
    expect(few("xx", "correctness >= 0.5")).toBeUndefined();
    expect(few("xx", "error_rate <= 1")).toBeUndefined();
    expect(few("", "error_rate <= 0.5")).toBeUndefined();
  });
});

describe("a metric without any value", () => {
  test.each([
    [
      "correctness >= 0.5",
      bits("xx"),
      "correctness cannot be judged: none of the 2 rows has a score for it. Fix the crashes or the scorer.",
    ],
    [
      "latency <= 5s",
      bits("1"),
      "latency cannot be judged: none of the 1 row ran without error and has a duration. Look at these rows.",
    ],
    [
      "pass^2(correctness) >= 0.5",
      bits("11"),
      "pass^2(correctness) cannot be judged: no example has that many scored repeats. Run the examples more often.",
    ],
  ])("is reported with the reason: %s", (rule, table, reason) => {
    expect(only(rule, table)).toMatchObject({ verdict: "fail", head: null, n: 0, reason });
  });
});

test.each([
  ["latency <= 1s", timed([3, 2]), "Fix the slow rows."],
  ["error_rate <= 0.1", bits("1x"), "Fix the crashes."],
  ["correctness >= 0.9", bits("10"), "Fix the rows that score badly."],
])("a missed limit says what to do: %s", (rule, table, advice) => {
  expect(only(rule, table).reason.split(". ").at(-1)).toBe(advice);
});
