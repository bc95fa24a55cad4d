import { describe, expect, test } from "@jest/globals";
import {
  detectableFactor,
  holm,
  mcNemar,
  pairedInterval,
  signFlip,
  testPaired,
} from "../../src/gate/paired.ts";

const REFERENCE = Float64Array.from(
  "100100111001",
  (bit, i) => Number(bit) - Number("110110111011"[i]),
);
const plain = (values: Float64Array) => testPaired({ values, clusterOf: null })!;

describe("the reference vector of twelve examples", () => {
  test("exact McNemar and exact sign-flip agree on 1 of 8", () => {
    expect(plain(REFERENCE)).toMatchObject({ method: "exact McNemar" });
    expect(plain(REFERENCE).p).toBeCloseTo(0.125, 12);
    expect(signFlip(REFERENCE.filter((value) => value !== 0))).toBe(0.125);
  });

  test("mean, error and interval", () => {
    const result = plain(REFERENCE);
    expect(result.mean).toBe(-0.25);
    expect(Math.abs(result.se - 0.130558)).toBeLessThan(1e-6);
    const [low, high] = pairedInterval(result, 0.95);
    expect(Math.abs(low + 0.537357)).toBeLessThan(1e-6);
    expect(Math.abs(high - 0.037357)).toBeLessThan(1e-6);
  });

  test("four clusters of three", () => {
    const result = testPaired({
      values: REFERENCE,
      clusterOf: REFERENCE.map((_, i) => Math.floor(i / 3)),
    })!;
    expect(result.df).toBe(3);
    expect(Math.abs(result.se - 0.083333)).toBeLessThan(1e-6);
    expect(Math.abs(result.p - 0.028834)).toBeLessThan(1e-6);
  });
});

test("Student's sleep data, as R's t.test documents them", () => {
  const values = Float64Array.from([-1.2, -2.4, -1.3, -1.3, 0, -1, -1.8, -0.8, -4.6, -1.4]);
  const result = plain(values);
  expect(result.mean / result.se).toBeCloseTo(-4.062128, 6);
  const [low, high] = pairedInterval(result, 0.95);
  expect(low).toBeCloseTo(-2.4598858, 7);
  expect(high).toBeCloseTo(-0.7001142, 7);
  expect(result.p).toBeCloseTo(1 / 512, 12);
});

test("Darwin's maize: Fisher 1935 counts 863 of 32,768 sign patterns", () => {
  const eighths = [49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48];
  expect(signFlip(eighths.map((value) => -value))).toBe(863 / 32768);
});

test("sign patterns are counted exactly where differences are thirds, which no float holds", () => {
  const thirds = [-1 / 3, -2 / 3, 1 / 3, -1 / 3, 2 / 3 - 1, 1 - 1 / 3 - 1];
  let count = 0;
  const whole = thirds.map((value) => Math.round(3 * value));
  const seen = whole.reduce((sum, value) => sum + value, 0);
  for (let pattern = 0; pattern < 64; pattern++) {
    const sum = whole.reduce(
      (total, value, bit) => total + (pattern & (1 << bit) ? value : -value),
      0,
    );
    if (sum <= seen) count++;
  }
  expect(signFlip(thirds)).toBe(count / 64);
});

test("thirty differences are still counted, not drawn", () => {
  expect(signFlip(new Float64Array(30).fill(-0.1))).toBe(2 ** -30);
  expect(signFlip(new Float64Array(30).fill(0.1))).toBe(1);
});

test("no changed pair is no evidence", () => {
  expect(signFlip([])).toBe(1);
  expect(mcNemar([])).toBe(1);
});

test("fewer than five changed rows never reach one in twenty", () => {
  expect(mcNemar([-1, -1, -1, -1])).toBeCloseTo(0.0625, 12);
  expect(mcNemar([-1, -1, -1, -1, -1])).toBeCloseTo(0.03125, 12);
  const sparse = new Float64Array(200);
  sparse.fill(-1 / 3, 0, 4);
  expect(plain(sparse).p).toBeCloseTo(0.0625, 12);
});

test("above thirty pairs the t distribution serves", () => {
  const values = Float64Array.from({ length: 40 }, (_, i) => ((i * 7) % 11) / 10 - 0.6);
  const result = plain(values);
  expect(result.method).toBe("paired t, df 39");
  expect(result.p).toBeCloseTo(0.03637058819146674, 10);
});

test("one cluster has no spread and so no test", () => {
  expect(testPaired({ values: REFERENCE, clusterOf: REFERENCE.map(() => 7) })).toBeNull();
});

test("Holm's adjustment keeps order and never falls", () => {
  expect(holm([0.01, 0.04, 0.03, 0.02])).toEqual([0.04, 0.06, 0.06, 0.06]);
  expect(holm([0.5, 0.9])).toEqual([1, 1]);
  expect(holm([])).toEqual([]);
});

test("the factor of the detectable drop is 2.49 at one-sided 5 % and four of five", () => {
  expect(detectableFactor(0.05)).toBeCloseTo(2.4864748605243, 10);
});
