import { describe, expect, test } from "@jest/globals";
import { judgeGates } from "../../src/gate/judge.ts";
import { createSeededRandom, mcnemar } from "../../src/gate/chance.ts";
import { logChoose, normalCdf } from "../../src/gate/distribution.ts";
import type { GateTable } from "../../src/gate/row.ts";
import { exampleAt, gatesOf, rowOf, scores, tableOf } from "./tables.ts";

const judge = (gates: string, head: GateTable, base: GateTable) =>
  judgeGates({ head, base, gates: gatesOf(gates) }).gates;

/** Values of scipy 1.17.1: binom.sf(worse - 1, n, 0.5) less half of binom.pmf(worse, n, 0.5), and norm.cdf. */
test.each([
  [4, 0, 0.03125],
  [8, 1, 0.0107421875],
  [7, 7, 0.5],
  [12, 3, 0.0100683758],
  [30, 18, 0.0416322583],
])("McNemar's test of %i worse and %i better marks matches scipy", (worse, better, p) => {
  expect(mcnemar(worse, better)).toBeCloseTo(p, 7);
});

test.each([20, 50, 200])(
  "McNemar's test on %i examples, with any rate of change, finds an unchanged agent worse in at most 5.2 %% of runs",
  (n) => {
    const chanceOf = (k: number, of: number, rate: number): number =>
      Math.exp(logChoose(of, k) + k * Math.log(rate) + (of - k) * Math.log(1 - rate));
    const falselyWorse = Array.from({ length: n + 1 }, (_, changed) =>
      Array.from({ length: changed + 1 }, (__, worse) => worse)
        .filter((worse) => mcnemar(worse, changed - worse) < 0.05)
        .reduce((sum, worse) => sum + chanceOf(worse, changed, 0.5), 0),
    );
    const shares = Array.from({ length: 24 }, (_, i) => (i + 1) / 25).map((rate) =>
      falselyWorse.reduce((sum, share, changed) => sum + share * chanceOf(changed, n, rate), 0),
    );
    expect(Math.max(...shares)).toBeLessThan(0.052);
  },
);

describe("chance by exchanged labels", () => {
  test("is counted in full if few examples changed, with ties as half", () => {
    const changes = [-0.5, -0.4, -0.3, 0.1, -0.2];
    const base = scores([...changes.map(() => 0.5), ...Array.from({ length: 10 }, () => 0.5)]);
    const head = scores([
      ...changes.map((change) => 0.5 + change),
      ...Array.from({ length: 10 }, () => 0.5),
    ]);
    let [lower, equal] = [0, 0];
    const seen = changes.reduce((sum, value) => sum + value, 0);
    for (let pattern = 0; pattern < 32; pattern++) {
      const sum = changes.reduce(
        (all, value, bit) => all + (((pattern >> bit) & 1) === 1 ? -value : value),
        0,
      );
      if (Math.abs(sum - seen) < 1e-9) equal++;
      else if (sum < seen) lower++;
    }
    expect(judge("score drop <= 0", head, base)[0]!.p_own).toBeCloseTo((lower + equal / 2) / 32, 9);
  });

  test("gives nearly the same detectable fall after one more run of one example", () => {
    const random = createSeededRandom(9);
    const row = (i: number) => rowOf(exampleAt(i), { scores: { score: Number(random() < 0.8) } });
    const rows = Array.from({ length: 60 }, (_, i) => row(i));
    const base = Array.from({ length: 60 }, (_, i) => row(i));
    const stated = [base, [...base, row(7)]].map(
      (all) => judge("score drop <= 0.02", tableOf(rows), tableOf(all))[0]!.mde,
    );
    const [once, again] = stated as [number, number];
    expect(Math.abs(again / once - 1)).toBeLessThan(0.1);
  });

  test.each([5000, 20_000, 50_000])(
    "finds the stated fall of %i marks in 8 of 10 runs, within 5 points",
    (n) => {
      const random = createSeededRandom(n);
      const run = () => scores(Array.from({ length: n }, () => Number(random() < 0.8)));
      const [gate] = judge("score drop <= 0.01", run(), run());
      const share = gate!.mde! / 0.8;
      // Single marks of one rate: those that were good twice break, those that turned good do too.
      const worse = 0.16 + 0.64 * share;
      const better = 0.16 * (1 - share);
      const needed = Math.max(0.01, 1.645 * Math.sqrt((worse + better) / n));
      const error = Math.sqrt((worse + better - gate!.mde! ** 2) / n);
      expect(Math.abs(normalCdf((gate!.mde! - needed) / error) - 0.8)).toBeLessThan(0.05);
    },
  );

  test("follows from the size of a fall that no draw reaches, wherever a metric's zero is", () => {
    const random = createSeededRandom(4);
    const run = (repeats: number, fall: number) =>
      Array.from({ length: 30 * repeats }, (_, i) => ({
        example: exampleAt(Math.floor(i / repeats)),
        score: random() - fall,
      }));
    const [now, before] = [run(3, 0.45), run(2, 0)];
    const chance = (zero: number): number => {
      const [head, base] = [now, before].map((rows) =>
        tableOf(rows.map(({ example, score }) => rowOf(example, { scores: { m: score + zero } }))),
      );
      return judge("m drop <= 0", head!, base!)[0]!.p_own!;
    };
    expect(chance(0)).toBeLessThan(1e-6);
    expect(Math.log10(chance(64))).toBeCloseTo(Math.log10(chance(0)), 6);
  });

  test("is the same for any order of an example's rows", () => {
    const random = createSeededRandom(5);
    const rows = Array.from({ length: 120 }, (_, i) =>
      rowOf(exampleAt(i % 40), { scores: { a: random(), b: Math.round(random()) } }),
    );
    const base = tableOf(rows.map((row) => ({ ...row, scores: { a: random(), b: 1 } })));
    const gates = "a drop <= 0\nb drop <= 0";
    expect(judge(gates, tableOf([...rows].reverse()), base)).toEqual(
      judge(gates, tableOf(rows), base),
    );
  });
});

describe("one alpha for the run", () => {
  const metrics = (count: number, of: (i: number, m: number) => number): GateTable =>
    tableOf(
      Array.from({ length: 60 }, (_, i) =>
        rowOf(exampleAt(i), {
          scores: Object.fromEntries(Array.from({ length: count }, (__, m) => [`m${m}`, of(i, m)])),
        }),
      ),
    );
  const drops = (count: number): string =>
    Array.from({ length: count }, (_, m) => `m${m} drop <= 0`).join("\n");

  test("gives a metric a chance between its own and Holm's", () => {
    const random = createSeededRandom(8);
    const [head, base] = [metrics(8, () => random()), metrics(8, () => random())];
    const gates = judge(drops(8), head, base).filter(({ metric }) => metric !== "errors");
    const sorted = gates.map(({ p_own }) => p_own!).sort((a, b) => a - b);
    let holm = 0;
    for (const [rank, own] of sorted.entries()) {
      holm = Math.max(holm, Math.min(1, (8 - rank) * own));
      const gate = gates.find(({ p_own }) => p_own === own)!;
      expect(gate.p!).toBeGreaterThanOrEqual(own);
      expect(gate.p!).toBeLessThanOrEqual(holm + 1e-12);
    }
  });

  test("costs nothing for equal columns, and little for stable ones", () => {
    const random = createSeededRandom(9);
    const [now, before] = [0, 1].map(() => Array.from({ length: 60 }, () => random()));
    const [single, equal] = [1, 10].map((count) =>
      judge(
        drops(count),
        metrics(count, (i) => now![i]!),
        metrics(count, (i) => before![i]!),
      ),
    );
    expect(equal![0]!.p).toBeCloseTo(equal![0]!.p_own!, 2);
    // Nor does the family see less.
    expect(equal![0]!.mde! / single![0]!.mde!).toBeCloseTo(1, 1);
    const fallen = (i: number, m: number): number => Number(m > 0 || i >= 7);
    const stable = judge(
      drops(20),
      metrics(20, fallen),
      metrics(20, () => 1),
    );
    expect(stable[0]).toMatchObject({ verdict: "fail" });
    expect(stable[0]!.p).toBe(stable[0]!.p_own);
  });
});
