import { describe, expect, test } from "@jest/globals";
import {
  binomialUpperTail,
  logChoose,
  normalCdf,
  studentCdf,
  studentQuantile,
} from "../../src/gate/distribution.ts";

/** Reference values of scipy 1.17.1. */
describe("distributions agree with scipy to 1e-10", () => {
  test.each([
    [-1.914854, 11, 0.04093213054154108],
    [-3, 3, 0.02883444281121865],
    [0.1, 1, 0.5317255174305535],
    [2.5, 4.5, 0.9700471567488997],
    [-1.2, 99999, 0.11507109167402041],
    [30, 2, 0.9994453686590201],
    [1e-8, 7, 0.5000000038499145],
  ])("P(T <= %d) with %d degrees of freedom", (t, df, p) => {
    expect(Math.abs(studentCdf(t, df) - p)).toBeLessThan(1e-10);
  });

  test.each([
    [-6, 9.865876450377012e-10],
    [-3, 0.0013498980316300957],
    [-2, 0.02275013194817922],
    [-1.5, 0.06680720126885809],
    [-1, 0.15865525393145707],
    [-0.5, 0.3085375387259869],
    [0, 0.5],
    [0.25, 0.5987063256829237],
    [1, 0.8413447460685429],
    [1.96, 0.9750021048517795],
    [4, 0.9999683287581669],
  ])("P(Z <= %d)", (z, p) => {
    expect(Math.abs(normalCdf(z) - p)).toBeLessThan(1e-10);
  });

  test.each([
    [-7.5, 3.190891672910919e-14],
    [-8, 6.220960574271786e-16],
    [-10, 7.619853024160527e-24],
    [-20, 2.7536241186062337e-89],
  ])("P(Z <= %d), far out, by its relative error", (z, p) => {
    expect(Math.abs(normalCdf(z) / p - 1)).toBeLessThan(1e-6);
  });

  test.each([
    [600, 1100, 0.5, 0.0014097724957182142],
    [50500, 100000, 0.5, 0.0007911799394257577],
    [950, 1000, 0.95, 0.537529040801425],
    [96000, 100000, 0.95, 3.598593303709725e-51],
  ])("P(X >= %d) of %d trials with chance %d", (k, n, q, p) => {
    expect(Math.abs(binomialUpperTail(k, n, q) / p - 1)).toBeLessThan(1e-10);
  });
});

/** Reference values of mpmath 1.3.0 with 40 digits. */
describe("distributions are exact to the last digits, relative to the smaller tail", () => {
  const offBy = (found: number, exact: number): number => Math.abs(found / exact - 1);

  test.each([
    [-0.3, 2, 0.39624283042008881],
    [-2, 5, 0.050969739414929178],
    [-6, 16, 9.2610664354529023e-6],
    [-4, 31, 0.0001826525267823224],
    [-9, 40, 1.8400822358530897e-11],
    [-0.01, 33, 0.49604074930553699],
    [-2.5, 200, 0.0066115863208503955],
    [-25, 3, 7.0165694978774293e-5],
    [0, 7, 0.5],
  ])("P(T <= %d) with %d degrees of freedom, and the other tail", (t, df, p) => {
    expect(offBy(studentCdf(t, df), p)).toBeLessThan(2e-14);
    expect(studentCdf(-t, df)).toBeCloseTo(1 - p, 14);
  });

  test.each([
    [0.975, 1, 12.706204736174693],
    [0.975, 2, 4.3026527297494618],
    [0.975, 5, 2.5705818356363148],
    [0.975, 11, 2.2009851600916394],
    [0.95, 17, 1.7396067260750725],
    [0.95, 30, 1.6972608865939574],
    [0.9, 100, 1.2900747613465161],
    [0.975, 99999, 1.9599877077718444],
    [0.9999, 3, 22.203742273205002],
    [0.6, 2, 0.28867513459481282],
    [0.55, 4, 0.13383036711194348],
  ])("the %d quantile of t with %d degrees of freedom", (p, df, t) => {
    expect(offBy(studentQuantile(p, df), t)).toBeLessThan(1e-12);
  });

  test.each([
    [3, 17, 0.5, 0.9988250732421875],
    [9, 16, 0.05, 1.6195209928169258e-8],
    [31, 32, 0.95, 0.51996240565176578],
    [17, 40, 0.3, 0.06331287547840555],
    [200, 400, 0.45, 0.025217891625501358],
    [1, 5, 0.05, 0.2262190625],
    [16, 31, 0.5, 0.5],
    [1000, 1900, 0.5, 0.011554422554450536],
    [0, 7, 0.5, 1],
    [8, 7, 0.5, 0],
  ])("P(X >= %d) of %d trials with chance %d", (k, n, q, p) => {
    expect(Math.abs(binomialUpperTail(k, n, q) - p)).toBeLessThanOrEqual(5e-14 * p);
  });

  test.each([
    [-0.7, 0.24196365222307303, 1e-10],
    [-3.3, 0.00048342414238377751, 1e-10],
    [-5, 2.8665157187919391e-7, 1e-10],
    [-7.05, 8.945889558769922e-13, 1e-8],
    [-7.1, 6.2378444633315911e-13, 1e-8],
    [-37, 5.7255712225245768e-300, 1e-8],
    [-100, 0, 0],
    [-Infinity, 0, 0],
  ])("P(Z <= %d), and the other tail", (z, p, off) => {
    expect(Math.abs(normalCdf(z) - p)).toBeLessThanOrEqual(off * p);
    expect(normalCdf(-z)).toBeCloseTo(1 - p, 14);
  });

  test.each([
    [7, 0, 0],
    [7, 7, 0],
    [2, 1, Math.LN2],
    [5, 2, Math.LN10],
    [10, 5, 5.5294290875114233],
    [40, 13, 23.210937234627641],
    [100, 50, 66.783841652017426],
    [1000, 3, 18.9285038647141],
    [170, 85, 115.0398595442661],
  ])("the logarithm of %d choose %d", (n, k, log) => {
    expect(Math.abs(logChoose(n, k) - log)).toBeLessThan(2e-12);
  });
});

test("t quantiles match the NIST/SEMATECH e-Handbook's table 1.3.6.7.2", () => {
  const table: readonly (readonly [number, number, number])[] = [
    [0.9, 1, 3.078],
    [0.95, 10, 1.812],
    [0.975, 10, 2.228],
    [0.99, 30, 2.457],
    [0.975, 100, 1.984],
    [0.999, 5, 5.893],
  ];
  for (const [p, df, t] of table)
    expect(Math.abs(studentQuantile(p, df) - t)).toBeLessThanOrEqual(0.0005);
});

test("binomial tails of a fair coin match the sums of Pascal's triangle", () => {
  for (let n = 1; n <= 40; n++) {
    let choose = 1;
    let tail = 0;
    for (let k = n; k >= 0; k--) {
      tail += choose;
      expect(Math.abs(binomialUpperTail(k, n, 0.5) - tail / 2 ** n)).toBeLessThan(1e-12);
      choose = (choose * k) / (n - k + 1);
    }
  }
});
