import { expect, test } from "@jest/globals";
import { createSeededRandom } from "../../../src/gate/chance.ts";
import { judgeGates } from "../../../src/gate/judge.ts";
import { lowerBoundOfMean } from "../../../src/gate/mean-bound.ts";
import type { GateTable } from "../../../src/gate/row.ts";
import {
  bits,
  clusteredScores,
  exampleAt,
  gatesOf,
  normal,
  rowOf,
  scores,
  tableOf,
} from "../../gate/tables.ts";

// How often the rules err, counted over drawn agents whose true values are known.

const proven = (line: string, head: GateTable) =>
  judgeGates({ head, base: null, gates: gatesOf(`gates: ${line}\nfloors: proven`) }).gates[0]!;

test("floors: proven rarely fails an agent at its true value, however few different values it has", () => {
  const random = createSeededRandom(11);
  for (const n of [10, 12, 15, 20]) {
    let failed = 0;
    for (let run = 0; run < 1000; run++) {
      const head = scores(Array.from({ length: n }, () => (random() < 0.9 ? 0.8 : 1)));
      if (proven("score >= 0.82", head).verdict === "fail") failed++;
    }
    // 5 %, and three standard errors of 1,000 runs.
    expect([n, failed <= 71]).toEqual([n, true]);
  }
});

test("floors: proven rarely fails clusters that score nearly alike, since a different cluster may not have been drawn", () => {
  const random = createSeededRandom(13);
  for (const clusters of [3, 6, 10, 20]) {
    let failed = 0;
    for (let run = 0; run < 300; run++) {
      const head = clusteredScores(clusters, () => (random() < 0.95 ? 0.5 + 0.01 * random() : 1));
      if (proven("score >= 0.5297\ncluster_by: inputs.c", head).verdict === "fail") failed++;
    }
    // 5 %, and three standard errors of 300 runs.
    expect([clusters, failed <= 26]).toEqual([clusters, true]);
  }
});

test.each([
  [20, 0.05, 0.05],
  [100, 0.02, 0.1],
  [500, 0.02, 0.05],
])(
  "with %d scores and a share of %d that collapses, the proven bound of their mean is above the true mean in at most 5 %% of the samples",
  (n, share, spread) => {
    const random = createSeededRandom(n);
    const samples = 400;
    let missed = 0;
    for (let sample = 0; sample < samples; sample++) {
      const values = Float64Array.from({ length: n }, () =>
        random() < share ? -0.8 : spread * normal(random),
      );
      if (lowerBoundOfMean(values, -1, 0.95) > -0.8 * share) missed++;
    }
    // Two standard errors of 400 samples.
    expect(missed / samples).toBeLessThan(0.05 + 0.022);
  },
);

test("unequal repeats are judged by the exchange, and a single failure of the baseline is not proof", () => {
  // An agent that fails one run in a thousand, ten runs against one: a paired t fails a quarter of such pairs.
  const random = createSeededRandom(3);
  const run = (repeats: number): GateTable =>
    tableOf(
      Array.from({ length: 300 * repeats }, (_, i) =>
        rowOf(exampleAt(Math.floor(i / repeats)), {
          scores: { score: Number(random() < 0.999) },
        }),
      ),
    );
  const gates = gatesOf("score drop <= 0");
  const failed = Array.from({ length: 100 }, () =>
    judgeGates({ head: run(10), base: run(1), gates, isMeasured: false }),
  ).filter(({ verdict }) => verdict === "fail").length;
  // 5 %, and three standard errors of 100 runs.
  expect(failed).toBeLessThanOrEqual(11);
});

test("a stated fall is found in 8 of 10 runs, also of single marks", () => {
  const random = createSeededRandom(12);
  const run = (fall: number): GateTable =>
    bits(Array.from({ length: 100 }, () => Number(random() < 0.9 * (1 - fall / 0.9))).join(""));
  const gates = gatesOf("correctness drop <= 0.02");
  const stated = Array.from(
    { length: 10 },
    () => judgeGates({ head: run(0), base: run(0), gates }).gates[0]!.mde!,
  );
  const fall = stated.reduce((sum, one) => sum + one, 0) / stated.length;
  const found = Array.from({ length: 300 }, () =>
    judgeGates({ head: run(fall), base: run(0), gates, isMeasured: false }),
  ).filter(({ verdict }) => verdict === "fail").length;
  // Five points, and two standard errors of 300 runs.
  expect(found / 300).toBeGreaterThan(0.7);
  expect(found / 300).toBeLessThan(0.9);
});
