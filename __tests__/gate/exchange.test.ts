import { describe, expect, test } from "@jest/globals";
import type { GateRow, GateTable } from "../../src/gate/row.ts";
import { exampleAt, judge, rowOf, tableOf } from "./tables.ts";

/** One example for each word, with a run for each of its digits; `-` is a run without the score. */
const runs = (words: readonly string[]): GateTable =>
  tableOf(
    words.flatMap((word, i) =>
      [...word].map((mark) =>
        rowOf(exampleAt(i), { scores: mark === "-" ? { other: 1 } : { ok: Number(mark) } }),
      ),
    ),
  );
const times = (many: number, word: string): string[] => Array.from({ length: many }, () => word);
const only = (gates: string, head: GateTable, base: GateTable) =>
  judge(gates, head, base).gates[0]!;

describe("labels of repeats are exchanged", () => {
  const LOST = [...times(8, "10"), ...times(4, "11")];
  const KEPT = [...times(8, "11"), ...times(4, "10")];
  const lacking = (words: readonly string[]) => words.map((word) => `${word}-`);

  // Of 12 fair coins 8 or more are heads in 0.1938 of throws, 9 or more in 0.0730: ties count half.
  test.each<[string, readonly string[], readonly string[]]>([
    ["two runs each", LOST, KEPT],
    ["a run without the score now", lacking(LOST), KEPT],
    ["a run without the score before", LOST, lacking(KEPT)],
    ["a run without the score on both sides", lacking(LOST), lacking(KEPT)],
  ])("for pass^2 and for the mean: %s", (_, now, before) => {
    for (const rule of ["pass^2(ok) drop <= 0", "ok drop <= 0"]) {
      const gate = only(rule, runs(now), runs(before));
      expect(gate.p_own!).toBeGreaterThan(0.1334 - 0.03);
      expect(gate.p_own!).toBeLessThan(0.1334 + 0.03);
      expect(gate.method).toBe("label exchange");
    }
    const better = only("pass^2(ok) drop <= 0", runs(before), runs(now));
    expect(better.p_own!).toBeCloseTo(1 - 0.1334, 1);
    expect(better.verdict).toBe("pass");
  });

  test("if one side has more of them", () => {
    // Each of ten examples failed once in five runs, always on the side with three of them: half of 0.6 ** 10.
    for (const rule of ["pass^2(ok) drop <= 0", "ok drop <= 0"]) {
      const gate = only(rule, runs(times(10, "011")), runs(times(10, "11")));
      expect(gate).toMatchObject({ verdict: "fail", repeats: 3, n: 10 });
      expect(gate.p_own!).toBeGreaterThan(0.001);
      expect(gate.p_own!).toBeLessThan(0.006);
    }
    // On the side with two of them: half of 0.4 ** 10, less than any draw shows.
    expect(only("ok drop <= 0", runs(times(10, "01")), runs(times(10, "111"))).p_own!).toBeLessThan(
      0.0005,
    );
  });

  test("so that a drop of pass^2 is one of the share that passes twice", () => {
    const gate = only("pass^2(ok) drop <= 0", runs(times(10, "0111")), runs(times(10, "1111")));
    expect(gate).toMatchObject({ head: 0.5, base: 1, delta: -0.5, n: 10 });
  });
});

test("a few shuffles of each example serve all draws for fifty thousand rows", () => {
  // Each deal of 0, 0, 1 and 1 to two sides has a variance of 1/3: 83 falls of 1 are 1.286 deviations.
  const many = (fallen: string, usual: string) =>
    runs(Array.from({ length: 12_500 }, (_, i) => (i % 150 === 0 && i < 12_450 ? fallen : usual)));
  const { p_own, delta } = only("ok drop <= 0", many("00", "01"), many("11", "01"));
  expect(delta).toBeCloseTo(-83 / 12_500, 9);
  expect(p_own!).toBeGreaterThan(0.0993 - 0.02);
  expect(p_own!).toBeLessThan(0.0993 + 0.02);
});

/** Twenty clusters of three examples each, with a time by cluster and example. */
const timed = (secondsOf: (cluster: number, k: number) => number): GateTable =>
  tableOf(
    Array.from({ length: 60 }, (_, i): GateRow => {
      const cluster = Math.floor(i / 3);
      return rowOf(exampleAt(i), {
        latency: secondsOf(cluster, i % 3),
        scores: { s: 1 },
        tags: { "inputs.doc": `d${cluster}` },
      });
    }),
  );

describe("the median time in clusters", () => {
  const GATES = "gates: latency_p50 rise <= 0.1s\ncluster_by: inputs.doc";
  const usual = (cluster: number, k: number): number => 1 + cluster / 20 + k / 100;

  test("fails when it rises in every cluster", () => {
    const gate = only(
      GATES,
      timed((c, k) => usual(c, k) + 0.3),
      timed(usual),
    );
    expect(gate).toMatchObject({
      verdict: "fail",
      method: "label exchange, 20 clusters, values clipped around the quantile",
      direction: "lower",
      n: 60,
    });
    expect(gate.delta).toBeCloseTo(0.3, 9);
    expect(gate.p_own!).toBeLessThan(0.001);
  });

  test("has a detectable rise that grows with the scatter of its clusters", () => {
    // Half of the clusters are slower and half faster, by a little and by a lot.
    const scattered = (by: number) => (c: number, k: number) =>
      usual(c, k) + (c % 2 === 0 ? by : -by);
    const [little, lot] = [0.02, 0.3].map(
      (by) => only(GATES, timed(scattered(by)), timed(usual)).mde!,
    );
    expect(little!).toBeGreaterThan(0.1);
    expect(little!).toBeLessThan(0.3);
    expect(lot!).toBeGreaterThan(1.5 * little!);
  });
});
