import {
  betaQuantile,
  binomialUpperTail,
  normalQuantile,
  studentQuantile,
} from "./distribution.ts";

/** Both ends, low first. */
export type Interval = readonly [number, number];

/** Mean of values over examples; the caller gives them in a fixed order, so that the last digit is fixed too. */
export function meanOf(values: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i]!;
  return sum / values.length;
}

/** Standard error of the mean of independent values; 0 for fewer than two. */
export function standardError(values: ArrayLike<number>, mean: number): number {
  const n = values.length;
  if (n < 2) return 0;
  let squares = 0;
  for (let i = 0; i < n; i++) squares += (values[i]! - mean) ** 2;
  return Math.sqrt(squares / (n - 1) / n);
}

/** Exact interval of a rate (Clopper and Pearson); trials may be an effective number and so fractional. */
export function exactRate(rate: number, trials: number, confidence = 0.95): Interval {
  const tail = (1 - confidence) / 2;
  const hits = rate * trials;
  return [
    rate <= 0 ? 0 : betaQuantile(tail, hits, trials - hits + 1),
    rate >= 1 ? 1 : betaQuantile(1 - tail, hits + 1, trials - hits),
  ];
}

/** Score interval of a rate, 95 % (Wilson 1927); trials may be an effective number and so fractional. */
export function wilson(rate: number, trials: number): Interval {
  const z = normalQuantile(0.975);
  const square = (z * z) / trials;
  const middle = (rate + square / 2) / (1 + square);
  const half = (z * Math.sqrt((rate * (1 - rate)) / trials + square / (4 * trials))) / (1 + square);
  // At the ends the formula leaves last bits.
  return [rate <= 0 ? 0 : Math.max(0, middle - half), rate >= 1 ? 1 : Math.min(1, middle + half)];
}

/**
 * Score interval of the mean difference of paired pass marks (Tango 1998), with half a pair of continuity so that it
 * errs on the wide side: `better` and `worse` pairs among n, which may be fractional.
 */
export function pairedRate(better: number, worse: number, n: number, z: number): Interval {
  const score = (theta: number, correction: number): number => {
    const a = 2 * n;
    const b = -better - worse + (2 * n - better + worse) * theta;
    const c = -worse * theta * (1 - theta);
    const q = (Math.sqrt(Math.max(0, b * b - 4 * a * c)) - b) / (2 * a);
    const variance = n * (2 * q + theta * (1 - theta));
    const gap = better - worse - n * theta + correction;
    return variance <= 0 ? Math.sign(gap) * Infinity : gap / Math.sqrt(variance);
  };
  const solve = (correction: number, target: number): number => {
    let [low, high] = [-1, 1];
    for (let i = 0; i < 50; i++) {
      const middle = (low + high) / 2;
      if (score(middle, correction) > target) low = middle;
      else high = middle;
    }
    return (low + high) / 2;
  };
  return [Math.max(-1, solve(-0.5, z)), Math.min(1, solve(0.5, -z))];
}

/** Student's interval of a mean. */
export function studentInterval(
  mean: number,
  se: number,
  df: number,
  confidence: number,
): Interval {
  const half = studentQuantile((1 + confidence) / 2, Math.max(df, 1)) * se;
  return [mean - half, mean + half];
}

/**
 * Quantile by linear interpolation between order statistics (type 7 of Hyndman and Fan 1996);
 * `sorted` ascending, not empty.
 */
export function quantile(sorted: ArrayLike<number>, q: number): number {
  const position = (sorted.length - 1) * q;
  const below = Math.floor(position);
  const low = sorted[below]!;
  const high = sorted[Math.min(below + 1, sorted.length - 1)]!;
  return low + (position - below) * (high - low);
}

/**
 * Distribution-free interval of a quantile by order statistics. `independent` is the number of values that count as
 * independent (examples, not repeats): ranks are found for it and stretched over all the values. An end that so few
 * values cannot bound is infinite: the most extreme one seen says little of the worst to come.
 */
export function quantileInterval(
  sorted: ArrayLike<number>,
  q: number,
  independent: number,
  confidence = 0.95,
): Interval {
  const tail = (1 - confidence) / 2;
  const n = independent;
  const below = (rank: number): number => 1 - binomialUpperTail(rank, n, q);
  // Largest rank l with P(X < l) <= tail, smallest rank u with P(X >= u) <= tail.
  const low = lastWhere(n, (rank) => below(rank) <= tail);
  const high = n + 1 - lastWhere(n, (steps) => binomialUpperTail(n + 1 - steps, n, q) <= tail);
  const at = (rank: number): number =>
    sorted[Math.min(sorted.length - 1, Math.max(0, Math.round((rank / n) * sorted.length) - 1))]!;
  return [low === 0 ? -Infinity : at(low), high > n ? Infinity : at(high)];
}

/** An interval as reports carry it: twelve digits, never inward; null where an end is open. */
export function closed([low, high]: Interval): Interval | null {
  return Number.isFinite(low) && Number.isFinite(high)
    ? [outward(low, Math.floor), outward(high, Math.ceil)]
    : null;
}

/** Twelve digits, never inward. */
export function outward(value: number, round: (value: number) => number): number {
  const grain = 1e-10;
  return Number((round(value / grain) * grain).toPrecision(12)) + 0;
}

/** The largest k in 1..n for which a claim, true up to some k and false after it, holds; 0 when it never does. */
function lastWhere(n: number, holds: (k: number) => boolean): number {
  let low = 0;
  let high = n;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (holds(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The same, stretched so that it does not exclude 0. */
export function reachingZero([low, high]: Interval): Interval {
  return [Math.min(0, low), Math.max(0, high)];
}
