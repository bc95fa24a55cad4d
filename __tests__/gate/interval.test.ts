import { expect, test } from "@jest/globals";
import { changeInterval, estimateMean, quantileInterval, wilson } from "../../src/gate/interval.ts";
import { extentOf, quantileOf } from "../../src/gate/metric.ts";

/** proportion_confint of statsmodels 0.14, method "wilson". */
test.each([
  [8, 12, 0.390622, 0.86188],
  [12, 12, 0.757506, 1],
  [0, 5, 0, 0.434482],
  [39, 50, 0.647585, 0.872461],
])("Wilson's interval for %d of %d", (k, n, low, high) => {
  const [from, to] = wilson(k / n, n);
  expect(from).toBeCloseTo(low, 5);
  expect(to).toBeCloseTo(high, 5);
});

test("an interval of changes is wider than Student's, and there is none where nothing changed", () => {
  const changes = Float64Array.from([0, -1, 0, 0, -1, 0, 0, 0, 0, 0, -1, 0]);
  const [low, high] = changeInterval(changes, -0.25)!;
  expect(low).toBeLessThan(-0.537357);
  expect(high).toBeGreaterThan(0.037357);
  expect(changeInterval(new Float64Array(12), 0)).toBeNull();
});

test("quantiles are type 7 of Hyndman and Fan, R's default", () => {
  const ten = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
  expect(quantileOf(ten, 0.1)).toBeCloseTo(1.9, 12);
  expect(quantileOf(ten, 0.5)).toBeCloseTo(5.5, 12);
  expect(quantileOf(ten, 0.95)).toBeCloseTo(9.55, 12);
  expect(quantileOf([3], 0.99)).toBe(3);
});

test("the interval of a median takes the ranks that Campbell and Gardner 1988 print", () => {
  const upTo = (n: number): Float64Array => Float64Array.from({ length: n }, (_, i) => i + 1);
  expect(quantileInterval(upTo(10), 0.5, 10)).toEqual([2, 9]);
  expect(quantileInterval(upTo(20), 0.5, 20)).toEqual([6, 15]);
  expect(quantileInterval(upTo(50), 0.5, 50)).toEqual([18, 33]);
});

test("an end that too few values cannot bound is open", () => {
  expect(quantileInterval([1, 2, 3, 4, 5], 0.95, 5)[1]).toBe(Infinity);
});

test("repeats of equal values do not narrow the interval of a quantile", () => {
  const once = Float64Array.from({ length: 40 }, (_, i) => i);
  const thrice = Float64Array.from({ length: 120 }, (_, i) => Math.floor(i / 3));
  expect(quantileInterval(thrice, 0.5, 40)).toEqual(quantileInterval(once, 0.5, 40));
});

test("plain errors of the reference vector; clusters have more", () => {
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
