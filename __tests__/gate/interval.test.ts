import { expect, test } from "@jest/globals";
import {
  changeInterval,
  closed,
  clusterMeans,
  differenceInterval,
  estimateMean,
  meanOf,
  quantileInterval,
  reachingZero,
  wilson,
} from "../../src/gate/interval.ts";
import { extentOf, quantileOf } from "../../src/gate/metric.ts";

/** proportion_confint of statsmodels 0.14, method "wilson". */
test.each([
  [8, 12, 0.390622, 0.86188],
  [12, 12, 0.757506, 1],
  [0, 5, 0, 0.434482],
  [39, 50, 0.647585, 0.872461],
])("the interval of %d of %d is Wilson's", (k, n, low, high) => {
  const [from, to] = wilson(k / n, n);
  expect(from).toBeCloseTo(low, 5);
  expect(to).toBeCloseTo(high, 5);
});

test("quantiles are type 7 of Hyndman and Fan, R's default", () => {
  const ten = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
  expect(quantileOf(ten, 0.1)).toBeCloseTo(1.9, 12);
  expect(quantileOf(ten, 0.5)).toBeCloseTo(5.5, 12);
  expect(quantileOf(ten, 0.95)).toBeCloseTo(9.55, 12);
  expect(quantileOf([3], 0.99)).toBe(3);
});

const upTo = (n: number): Float64Array => Float64Array.from({ length: n }, (_, i) => i + 1);

test("the interval of a median takes the ranks in Campbell and Gardner 1988", () => {
  expect(quantileInterval(upTo(10), 0.5, 10)).toEqual([2, 9]);
  expect(quantileInterval(upTo(20), 0.5, 20)).toEqual([6, 15]);
  expect(quantileInterval(upTo(50), 0.5, 50)).toEqual([18, 33]);
});

test("repeats of equal values do not narrow the interval of a quantile", () => {
  const once = Float64Array.from({ length: 40 }, (_, i) => i);
  const thrice = Float64Array.from({ length: 120 }, (_, i) => Math.floor(i / 3));
  expect(quantileInterval(thrice, 0.5, 40)).toEqual(quantileInterval(once, 0.5, 40));
});

test("the error of the reference vector is right, and larger with clusters", () => {
  const d = Float64Array.from([0, -1, 0, 0, -1, 0, 0, 0, 0, 0, -1, 0]);
  const plain = estimateMean(d, null);
  expect(plain).toMatchObject({ clusters: null, mean: -0.25 });
  expect(Math.abs(plain.scatter!.se - 0.130558)).toBeLessThan(1e-6);
  const found = estimateMean(
    d,
    d.map((_, i) => Math.floor(i / 3)),
  );
  expect(found).toMatchObject({ clusters: 4, mean: -0.25 });
  expect(found.scatter!.se).toBeGreaterThan(0.083333);
});

test("the extent is the lowest and the highest number of all columns", () => {
  expect(extentOf(Float64Array.of(3, NaN, 5), Float64Array.of(NaN, -2))).toEqual([-2, 5]);
  expect(extentOf(Float64Array.of(NaN))).toEqual([Infinity, -Infinity]);
});

test("an interval of changes adds one change in each direction, as large as the largest", () => {
  const changes = Float64Array.from([0, -1, 0, 0, -1, 0, 0, 0, 0, 0, -1, 0]);
  // Squares of 2.25 around the mean and 2.125 of the two added, by 13 and 12; t of 13 is 2.160368656.
  const half = 2.160368656 * Math.sqrt(4.375 / 13 / 12);
  const [low, high] = changeInterval(changes, -0.25)!;
  expect(low).toBeCloseTo(-0.25 - half, 8);
  expect(high).toBeCloseTo(-0.25 + half, 8);
});

test("changes that are only rounding have no interval", () => {
  expect(changeInterval(Float64Array.of(1e-13, 0), 0)).toBeNull();
  expect(changeInterval(new Float64Array(12), 0)).toBeNull();
});

test("clusters count as one value each, by their part of the mean", () => {
  expect([...clusterMeans(Float64Array.of(1, 2, 3, 4), [0, 0, 7, 7])]).toEqual([1.5, 3.5]);
  expect([...clusterMeans(Float64Array.of(1, 2, 3, 4), [5, 0, 0, 0])]).toEqual([0.5, 4.5]);
  const found = estimateMean(
    Float64Array.of(0, -1, 0, 0, -1, 0, 0, 0, 0, 0, -1, 0),
    Int32Array.of(0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3),
  );
  // Three of 1/12 below the mean and one of 1/4 above it; one of 1/4 is added each way.
  expect(found.scatter!.se).toBeCloseTo(Math.sqrt((3 / 144 + 1 / 16 + 2 / 16) / 5 / 4), 12);
  expect(found.scatter!.df).toBe(5);
});

test.each<[string, readonly number[], readonly number[] | null, object]>([
  ["one value", [0.5], null, { mean: 0.5, clusters: null, scatter: null }],
  ["equal values", [0.3, 0.3, 0.3], null, { mean: 0.3, clusters: null, scatter: null }],
  ["two values", [0, 1], null, { mean: 0.5, clusters: null, scatter: { se: 0.5, df: 1 } }],
  ["one cluster", [0, 1, 0, 1], [3, 3, 3, 3], { mean: 0.5, clusters: 1, scatter: null }],
  ["equal clusters", [0, 1, 0, 1], [3, 3, 4, 4], { mean: 0.5, clusters: 2, scatter: null }],
])("the mean of %s is found with its scatter", (_, values, clusterOf, found) => {
  expect(estimateMean(Float64Array.from(values), clusterOf)).toEqual(found);
});

test("the mean of a million equal values is that value, to its last digit", () => {
  expect(meanOf(new Float64Array(1_000_000).fill(0.1))).toBe(0.1);
});

test("the interval of a tail takes the ranks of the binomial, and is open if there is none", () => {
  // Of ten, P(X <= 6) = 0.0128 and P(X <= 7) = 0.0702 with a chance of 0.9.
  expect(quantileInterval(upTo(10), 0.9, 10)).toEqual([7, Infinity]);
  expect(quantileInterval(upTo(10), 0.1, 10)).toEqual([-Infinity, 4]);
  // P(X <= 7) is within a tail of 0.1.
  expect(quantileInterval(upTo(10), 0.9, 10, 0.8)).toEqual([8, Infinity]);
  expect(quantileInterval(upTo(20), 0.9, 10)).toEqual([14, Infinity]);
  expect(quantileInterval(upTo(15), 0.9, 10)).toEqual([11, Infinity]);
  // Of five, P(X <= 3) = 0.0226 and P(X <= 4) = 0.2262 with a chance of 0.95.
  expect(quantileInterval(upTo(5), 0.95, 5)).toEqual([4, Infinity]);
  expect(quantileInterval(upTo(5), 0.5, 6)).toEqual([1, 5]);
  expect(quantileInterval(upTo(5), 0.5, 5)).toEqual([-Infinity, Infinity]);
});

test("the interval of a difference combines the near ends of both", () => {
  const [low, high] = differenceInterval(0.5, [0.4, 0.6], 0.7, [0.65, 0.8]);
  expect(low).toBeCloseTo(-0.2 - Math.SQRT2 / 10, 12);
  expect(high).toBeCloseTo(-0.2 + Math.hypot(0.1, 0.05), 12);
});

test("a stored interval is rounded outward to ten decimals, and is null if an end is open", () => {
  expect(closed([1 / 3, 2 / 3])).toEqual([0.3333333333, 0.6666666667]);
  expect(closed([-2 / 3, -1 / 3])).toEqual([-0.6666666667, -0.3333333333]);
  expect(closed([0.1, 0.3])).toEqual([0.1, 0.3]);
  expect(closed([-Infinity, 1])).toBeNull();
  expect(closed([1, Infinity])).toBeNull();
});

test("an interval is extended to 0 from either side", () => {
  expect(reachingZero([1, 2])).toEqual([0, 2]);
  expect(reachingZero([-2, -1])).toEqual([-2, 0]);
  expect(reachingZero([-1, 2])).toEqual([-1, 2]);
});
