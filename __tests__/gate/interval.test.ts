import { expect, test } from "@jest/globals";
import { clusterTail, estimateClusters } from "../../src/gate/cluster.ts";
import { normalQuantile } from "../../src/gate/distribution.ts";
import {
  exactRate,
  meanOf,
  pairedRate,
  quantile,
  quantileInterval,
  standardError,
} from "../../src/gate/interval.ts";
import { valuesToBound } from "../../src/gate/quantile-bound.ts";

test.each([
  [8, 12, 0.348875, 0.900754],
  [12, 12, 0.735353, 1],
  [0, 5, 0, 0.521824],
])("the exact interval for %d of %d is that of scipy's binomtest", (k, n, low, high) => {
  const [from, to] = exactRate(k / n, n);
  expect(Math.abs(from - low)).toBeLessThan(1e-5);
  expect(Math.abs(to - high)).toBeLessThan(1e-5);
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
  expect(quantileInterval(upTo(10), 0.5, 10)).toEqual([2, 9]);
  expect(quantileInterval(upTo(20), 0.5, 20)).toEqual([6, 15]);
  expect(quantileInterval(upTo(50), 0.5, 50)).toEqual([18, 33]);
});

test("an end that too few values cannot bound is open, and how many bound it is told", () => {
  const upTo = (n: number): Float64Array => Float64Array.from({ length: n }, (_, i) => i);
  expect(quantileInterval([1, 2, 3, 4, 5], 0.95, 5)[1]).toBe(Infinity);
  for (const [q, side, end] of [
    [0.95, "above", 1],
    [0.99, "above", 1],
    [0.95, "below", 0],
    [0.5, "below", 0],
  ] as const) {
    const needed = valuesToBound(q, side, 0.025);
    expect(Number.isFinite(quantileInterval(upTo(needed), q, needed)[end])).toBe(true);
    expect(Number.isFinite(quantileInterval(upTo(needed - 1), q, needed - 1)[end])).toBe(false);
  }
});

test("repeats of equal values do not narrow the interval of a quantile", () => {
  const once = Float64Array.from({ length: 40 }, (_, i) => i);
  const thrice = Float64Array.from({ length: 120 }, (_, i) => Math.floor(i / 3));
  expect(quantileInterval(thrice, 0.5, 40)).toEqual(quantileInterval(once, 0.5, 40));
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
