import { describe, expect, test } from "@jest/globals";
import { toDifferenceBins } from "../../src/gate/difference-bins.ts";

const binsOf = (...values: readonly number[]): ReturnType<typeof toDifferenceBins> =>
  toDifferenceBins(Float64Array.from(values));

describe("differences by how far they moved", () => {
  test("few different values have a bin each, from the lowest up", () => {
    expect(binsOf(1, -1, 0, 0, -1)).toEqual([
      { low: -1, high: -1, count: 2 },
      { low: 0, high: 0, count: 2 },
      { low: 1, high: 1, count: 1 },
    ]);
  });

  test("values that differ in their last bits alone share a bin", () => {
    expect(binsOf(0.1 + 0.2 - 0.3, 0, 0.3 - 0.2, 0.1)).toEqual([
      { low: 0, high: 0, count: 1 },
      { low: 5.55111512313e-17, high: 5.55111512313e-17, count: 1 },
      { low: 0.1, high: 0.1, count: 2 },
    ]);
  });

  test("an example without a score on one side is in none", () => {
    expect(binsOf(NaN, 0, NaN)).toEqual([{ low: 0, high: 0, count: 1 }]);
    expect(binsOf(NaN)).toEqual([]);
    expect(binsOf()).toEqual([]);
  });

  test("many values have few bins; each value is in one, and none holds a fall and a rise", () => {
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
