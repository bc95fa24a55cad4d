import { expect, test } from "@jest/globals";
import { clusterTail, estimateClusters } from "../../src/gate/cluster.ts";
import { normalQuantile } from "../../src/gate/distribution.ts";
import {
  exactRate,
  lowRateChance,
  meanOf,
  pairedRate,
  quantile,
  quantileInterval,
  standardError,
} from "../../src/gate/interval.ts";

test.each([
  [8, 12, 0.348875, 0.900754],
  [12, 12, 0.735353, 1],
  [0, 5, 0, 0.521824],
])("the exact interval for %d of %d is that of scipy's binomtest", (k, n, low, high) => {
  const [from, to] = exactRate(k / n, n);
  expect(Math.abs(from - low)).toBeLessThan(1e-5);
  expect(Math.abs(to - high)).toBeLessThan(1e-5);
});

test("one-sided chances of a low rate are the binomial's", () => {
  expect(lowRateChance(0.5, 4, 0.5)).toBeCloseTo(11 / 16, 12);
  expect(lowRateChance(0, 3, 0.5)).toBeCloseTo(1 / 8, 12);
  expect(lowRateChance(1, 3, 0.5)).toBe(1);
});

test("no change among n pairs leaves more open than the rule of three", () => {
  for (const n of [30, 100, 200, 1000]) {
    const [low] = pairedRate(0, 0, n, normalQuantile(0.95));
    expect(-low).toBeGreaterThan(1 - 0.05 ** (1 / n));
    expect(-low).toBeLessThan(5 / n);
  }
});

test("quantiles are type 7 of Hyndman and Fan, R's default", () => {
  const ten = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
  expect(quantile(ten, 0.1)).toBeCloseTo(1.9, 12);
  expect(quantile(ten, 0.5)).toBeCloseTo(5.5, 12);
  expect(quantile(ten, 0.95)).toBeCloseTo(9.55, 12);
  expect(quantile([3], 0.99)).toBe(3);
});

test("the interval of a median takes the ranks that Campbell and Gardner 1988 print", () => {
  const upTo = (n: number): Float64Array => Float64Array.from({ length: n }, (_, i) => i + 1);
  expect(quantileInterval(upTo(10), 0.5, 10).ci).toEqual([2, 9]);
  expect(quantileInterval(upTo(20), 0.5, 20).ci).toEqual([6, 15]);
  expect(quantileInterval(upTo(50), 0.5, 50).ci).toEqual([18, 33]);
});

test("an end that too few values cannot bound says so", () => {
  const few = quantileInterval([1, 2, 3, 4, 5], 0.95, 5);
  expect(few.highBounded).toBe(false);
  expect(few.ci[1]).toBe(5);
  expect(
    quantileInterval(
      Float64Array.from({ length: 100 }, (_, i) => i),
      0.95,
      100,
    ).highBounded,
  ).toBe(true);
});

test("repeats of equal values do not narrow the interval of a quantile", () => {
  const once = Float64Array.from({ length: 40 }, (_, i) => i);
  const thrice = Float64Array.from({ length: 120 }, (_, i) => Math.floor(i / 3));
  expect(quantileInterval(thrice, 0.5, 40).ci).toEqual(quantileInterval(once, 0.5, 40).ci);
});

test("plain errors of the reference vector", () => {
  const d = [0, -1, 0, 0, -1, 0, 0, 0, 0, 0, -1, 0];
  expect(meanOf(d)).toBe(-0.25);
  expect(Math.abs(standardError(d, -0.25) - 0.130558)).toBeLessThan(1e-6);
});

test("clusters of one size have the plain cluster error and one degree of freedom less than clusters", () => {
  const d = [0, -1, 0, 0, -1, 0, 0, 0, 0, 0, -1, 0];
  const found = estimateClusters(
    d,
    d.map((_, i) => Math.floor(i / 3)),
  );
  expect(found).toMatchObject({ clusters: 4, largest: 0.25 });
  expect(found.se).toBeCloseTo(0.083333, 6);
  expect(found.df).toBeCloseTo(3, 9);
  expect(clusterTail(found)).toBeCloseTo(0.028834, 6);
});
