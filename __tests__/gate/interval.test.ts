import { expect, test } from "@jest/globals";
import {
  clusteredError,
  estimate,
  meanOf,
  quantile,
  quantileInterval,
  standardError,
  wilson,
} from "../../src/gate/interval.ts";

test.each([
  [81, 263, 0.2553, 0.3662],
  [15, 148, 0.0624, 0.1605],
  [0, 20, 0, 0.1611],
  [1, 29, 0.0061, 0.1718],
])("Wilson's interval for %d of %d is that of Newcombe 1998, table I", (k, n, low, high) => {
  const [from, to] = wilson(k / n, n);
  expect(Math.abs(from - low)).toBeLessThan(0.00005 + 1e-9);
  expect(Math.abs(to - high)).toBeLessThan(0.00005 + 1e-9);
});

test.each([
  [8, 12, 0.390622, 0.86188],
  [12, 12, 0.757506, 1],
  [0, 5, 0, 0.434482],
])("Wilson's interval for %d of %d is the reference vector", (k, n, low, high) => {
  const [from, to] = wilson(k / n, n);
  expect(Math.abs(from - low)).toBeLessThan(1e-6);
  expect(Math.abs(to - high)).toBeLessThan(1e-6);
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

test("clustered and plain errors of the reference vector", () => {
  const d = [0, -1, 0, 0, -1, 0, 0, 0, 0, 0, -1, 0];
  expect(meanOf(d)).toBe(-0.25);
  expect(Math.abs(standardError(d, -0.25) - 0.130558)).toBeLessThan(1e-6);
  const { se, clusters } = clusteredError(
    d,
    -0.25,
    d.map((_, i) => Math.floor(i / 3)),
  );
  expect(clusters).toBe(4);
  expect(Math.abs(se - 0.083333)).toBeLessThan(1e-6);
});

test("a rate keeps its own number of trials, however often equal repeats were drawn", () => {
  const values = Float64Array.from([1, 1, 0, 1, 1, 1, 0, 1, 1, 0, 1, 0]);
  const plain = estimate({ values, rate: true, draws: 12, clusterOf: null });
  expect(Math.abs(plain.ci![0] - 0.390622)).toBeLessThan(1e-6);
  const repeated = estimate({ values, rate: true, draws: 36, clusterOf: null });
  expect(repeated.ci![0]).toBeCloseTo(plain.ci![0], 9);
});

test("clusters widen the interval of a rate and never narrow it", () => {
  const values = Float64Array.from({ length: 40 }, (_, i) => (i < 30 ? 1 : 0));
  const plain = estimate({ values, rate: true, draws: 40, clusterOf: null }).ci!;
  const clustered = estimate({
    values,
    rate: true,
    draws: 40,
    clusterOf: values.map((_, i) => Math.floor(i / 10)),
  }).ci!;
  expect(clustered[0]).toBeLessThan(plain[0]);
  expect(clustered[1]).toBeGreaterThan(plain[1]);
  const perfect = estimate({
    values: values.map(() => 1),
    rate: true,
    draws: 40,
    clusterOf: values.map((_, i) => i % 4),
  }).ci!;
  expect(perfect[0]).toBeLessThan(0.5);
});
