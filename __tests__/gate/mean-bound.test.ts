import { expect, test } from "@jest/globals";
import { binomialUpperTail } from "../../src/gate/distribution.ts";
import { lowerBoundOfMean } from "../../src/gate/mean-bound.ts";
import { createSeededRandom } from "../../src/gate/chance.ts";
import { normal } from "./tables.ts";

/** Clopper and Pearson's upper 95 % bound of a rate. */
function upperRate(hits: number, n: number): number {
  let [low, high] = [0, 1];
  for (let i = 0; i < 60; i++) {
    const middle = (low + high) / 2;
    if (1 - binomialUpperTail(hits + 1, n, middle) > 0.05) low = middle;
    else high = middle;
  }
  return high;
}

test.each([
  [10, 0],
  [20, 0],
  [20, 3],
  [50, 1],
  [100, 50],
  [1000, 5],
])(
  "the bound of %d marks with %d falls is the exact bound of a rate, or slightly wider",
  (n, falls) => {
    const bound = lowerBoundOfMean(
      Float64Array.from({ length: n }, (_, i) => (i < falls ? -1 : 0)),
      -1,
      0.95,
    );
    const exact = -upperRate(falls, n);
    expect(bound).toBeLessThanOrEqual(exact);
    expect(bound).toBeGreaterThan(exact * 1.02);
  },
);

test("many different values are put into bins, which move the bound by less than a ten-thousandth", () => {
  const random = createSeededRandom(7);
  const few = Float64Array.from({ length: 4000 }, () => 0.1 * normal(random));
  const many = Float64Array.from({ length: 8000 }, (_, i) => few[i >> 1]! + (i % 2) * 1e-9);
  const tied = Float64Array.from({ length: 8000 }, (_, i) => few[i >> 1]!);
  expect(lowerBoundOfMean(many, -1, 0.95)).toBeCloseTo(lowerBoundOfMean(tied, -1, 0.95), 4);
});
