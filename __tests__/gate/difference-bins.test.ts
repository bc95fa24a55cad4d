import { describe, expect, test } from "@jest/globals";
import { toDifferenceBins } from "../../src/gate/difference-bins.ts";

const binsOf = (...values: readonly number[]): ReturnType<typeof toDifferenceBins> =>
  toDifferenceBins(Float64Array.from(values));

describe("differences by how far they moved", () => {
  test("few different values have one bin each, in ascending order", () => {
    expect(binsOf(1, -1, 0, 0, -1)).toEqual([
      { low: -1, high: -1, count: 2 },
      { low: 0, high: 0, count: 2 },
      { low: 1, high: 1, count: 1 },
    ]);
  });

  test("values that differ only in their last bits share a bin", () => {
    expect(binsOf(0.1 + 0.2 - 0.3, 0, 0.3 - 0.2, 0.1)).toEqual([
      { low: 0, high: 0, count: 1 },
      { low: 5.55111512313e-17, high: 5.55111512313e-17, count: 1 },
      { low: 0.1, high: 0.1, count: 2 },
    ]);
  });

  test("an example without a score on one side is in no bin", () => {
    expect(binsOf(NaN, 0, NaN)).toEqual([{ low: 0, high: 0, count: 1 }]);
    expect(binsOf(NaN)).toEqual([]);
    expect(binsOf()).toEqual([]);
  });

  test("many values have few bins, each value is in one, and no bin holds both a fall and a rise", () => {
    for (const size of [1e-6, 1, 3.7, 250, 1e9]) {
      const values = Array.from({ length: 400 }, (_, at) => size * Math.sin(at) ** 3);
      const bins = binsOf(...values, 0, 0);
      expect(bins.length).toBeLessThanOrEqual(9);
      expect(bins.reduce((sum, { count }) => sum + count, 0)).toBe(402);
      for (const { low, high } of bins) expect(Math.sign(low) * Math.sign(high)).not.toBe(-1);
      const worse = values.filter((value) => value < 0).length;
      const counted = bins.filter(({ low }) => low < 0).reduce((sum, one) => sum + one.count, 0);
      expect(counted).toBe(worse);
      const ends = bins.flatMap(({ low, high }) => [low, high]);
      expect(ends).toEqual([...ends].sort((a, b) => a - b));
    }
  });
});

test("nine different values have one bin each, and ten share bins of one width", () => {
  const nine = [-4, -3, -2, -1, 0, 1, 2, 3, 4];
  expect(binsOf(...nine)).toEqual(nine.map((value) => ({ low: value, high: value, count: 1 })));
  expect(binsOf(...nine, -3.5)).toEqual([
    { low: -4, high: -3.5, count: 2 },
    ...nine.slice(1).map((value) => ({ low: value, high: value, count: 1 })),
  ]);
});

test.each([
  ["1", 4, [2, 3, 2, 3]],
  ["2", 8, [2, 3, 2, 3]],
  ["2.5", 10, [2, 3, 2, 3]],
  ["5", 20, [2, 3, 2, 3]],
  ["10", 40, [2, 3, 2, 3]],
  ["2, the next after 1.1", 4.4, [4, 5, 1]],
  ["5, the next after 3", 12, [4, 4, 2]],
  ["10, the next after 6", 24, [4, 4, 2]],
  ["0.01", 0.04, [2, 3, 2, 3]],
  ["200", 800, [2, 3, 2, 3]],
])("bins have a width of %s for ten equal steps up to %d, or down", (_, most, counts) => {
  const steps = Array.from({ length: 10 }, (__, i) => (most * (i + 1)) / 10);
  expect(binsOf(...steps).map(({ count }) => count)).toEqual(counts);
  expect(binsOf(...steps.map((step) => -step)).map(({ count }) => count)).toEqual(
    counts.toReversed(),
  );
});
