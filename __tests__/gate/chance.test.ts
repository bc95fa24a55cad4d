import { describe, expect, test } from "@jest/globals";
import {
  coinAt,
  createSeededRandom,
  mcnemar,
  randomAt,
  shareBelow,
} from "../../src/gate/chance.ts";

/** By another program: mulberry32, so that a verdict is the same on every machine and in every version. */
describe("random numbers match mulberry32", () => {
  test.each([
    [0, [1144304738, 1416247, 958946056, 627933444, 2007157716]],
    [1, [2693262067, 11749833, 2265367787, 4213581821, 4159151403]],
    [20261125, [1176269751, 1461114176, 3047578727, 954939906, 300765720]],
  ])("for seed %i", (seed, bits) => {
    const next = createSeededRandom(seed);
    const later = createSeededRandom(seed, 2);
    const shares = bits.map((word) => word / 2 ** 32);
    expect(shares.map((_, place) => randomAt(seed, place))).toEqual(shares);
    expect(shares.map((_, place) => coinAt(seed, place))).toEqual(
      bits.map((word) => Number(word >= 2 ** 31)),
    );
    expect(shares.map(next)).toEqual(shares);
    expect(shares.slice(2).map(later)).toEqual(shares.slice(2));
  });
});

test("a share of draws counts ties as half, and is never 0", () => {
  const draws = Float64Array.of(-2, -1, 0, 1);
  expect(shareBelow(draws, 0, 0.3)).toBe(0.625);
  expect(shareBelow(draws, 0.5, 0.3)).toBe(0.75);
  expect(shareBelow(draws, 1 + 1e-10, 0.3)).toBe(0.875);
  expect(shareBelow(draws, -1 - 1e-10, 0.3)).toBe(0.375);
  expect(shareBelow(draws, -3, 0.3)).toBe(0.125);
  expect(shareBelow(draws, -3, 0.01)).toBe(0.01);
});

test("McNemar's test counts up to fourteen changed marks by the binomial, and fifteen by z", () => {
  expect(mcnemar(0, 0)).toBe(1);
  expect(mcnemar(1, 0)).toBeCloseTo(0.25, 12);
  expect(mcnemar(0, 1)).toBeCloseTo(0.75, 12);
  expect(mcnemar(14, 0)).toBeCloseTo(2 ** -15, 12);
  // P(Z <= -15 / √15), which is 2 ** -16 by the binomial.
  expect(mcnemar(15, 0)).toBeCloseTo(5.3751e-5, 7);
});
