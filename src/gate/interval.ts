import { binomialUpperTail, studentQuantile } from "./distribution.ts";
import { SLACK } from "./gate-rule.ts";
import { tidy } from "../report/numbers.ts";

/** What a shown interval covers, two-sided (contributing/gate-method.md). */
export const CONFIDENCE = 0.95;
/** How often a one-sided proof may be wrong (contributing/gate-method.md). */
export const PROOF = 0.05;

/** Both ends, low first. */
export type Interval = readonly [number, number];

/**
 * Mean of values; the caller passes them in a fixed order, so that the last digit is fixed too. Adds what each
 * step lost (Kahan 1965): a plain sum of a million equal values is off in the eleventh digit.
 */
export function meanOf(values: ArrayLike<number>): number {
  let [sum, lost] = [0, 0];
  for (let i = 0; i < values.length; i++) {
    const value = values[i]! - lost;
    const next = sum + value;
    lost = next - sum - value;
    sum = next;
  }
  return sum / values.length;
}

/** The z that 97.5 % of the normal distribution is below (scipy 1.17.1, norm.ppf). */
const Z = 1.959963984540054;

/** Score interval of a rate, 95 % (Wilson 1927); an effective number of trials may be fractional. */
export function wilson(rate: number, trials: number): Interval {
  const square = (Z * Z) / trials;
  const middle = (rate + square / 2) / (1 + square);
  const half = (Z * Math.sqrt((rate * (1 - rate)) / trials + square / (4 * trials))) / (1 + square);
  // The formula leaves rounding errors at the ends.
  return [rate <= 0 ? 0 : Math.max(0, middle - half), rate >= 1 ? 1 : Math.min(1, middle + half)];
}

/** Standard error of a mean, and degrees of freedom of its t distribution. */
interface Scatter {
  readonly se: number;
  readonly df: number;
}

/**
 * Adds one change each way, as large as the largest observed, since few changes understate the
 * spread. Null if nothing changed.
 */
function scatterOf(changes: Float64Array, mean: number): Scatter | null {
  let [most, squares] = [0, 0];
  for (let i = 0; i < changes.length; i++) most = Math.max(most, Math.abs(changes[i]!));
  if (most < SLACK) return null;
  for (let i = 0; i < changes.length; i++) squares += (changes[i]! - mean) ** 2;
  squares += (most - mean) ** 2 + (most + mean) ** 2;
  const n = changes.length;
  return { se: Math.sqrt(squares / (n + 1) / n), df: n + 1 };
}

/** Student's 95 % interval of a mean change; null if nothing changed. */
export function changeInterval(changes: Float64Array, mean: number): Interval | null {
  const scatter = scatterOf(changes, mean);
  return scatter === null ? null : studentInterval(mean, scatter);
}

/** Each cluster's contribution to the mean, times the number of clusters: as if it were one value. */
export function clusterMeans(values: Float64Array, clusterOf: ArrayLike<number>): Float64Array {
  const sums = new Map<number, number>();
  for (let i = 0; i < values.length; i++)
    sums.set(clusterOf[i]!, (sums.get(clusterOf[i]!) ?? 0) + values[i]!);
  return Float64Array.from(sums.values(), (sum) => (sum * sums.size) / values.length);
}

/**
 * Estimates the mean of values that are independent, or correlated within clusters; its scatter is
 * null for one value or cluster, or equal ones.
 */
export function estimateMean(
  values: Float64Array,
  clusterOf: ArrayLike<number> | null,
): { readonly mean: number; readonly scatter: Scatter | null; readonly clusters: number | null } {
  const mean = meanOf(values);
  const off = values.map((value) => value - mean);
  if (clusterOf !== null) {
    const sums = clusterMeans(off, clusterOf);
    const clusters = sums.length;
    return { mean, clusters, scatter: clusters < 2 ? null : scatterOf(sums, 0) };
  }
  const n = values.length;
  let squares = 0;
  for (let i = 0; i < n; i++) squares += off[i]! ** 2;
  const se = n < 2 ? 0 : Math.sqrt(squares / (n - 1) / n);
  // Equal values leave rounding errors.
  const isAlike = se <= SLACK * Math.abs(mean);
  return { mean, clusters: null, scatter: isAlike ? null : { se, df: n - 1 } };
}

/** Student's interval of a mean. */
export function studentInterval(
  mean: number,
  { se, df }: Scatter,
  confidence: number = CONFIDENCE,
): Interval {
  const half = studentQuantile((1 + confidence) / 2, Math.max(df, 1)) * se;
  return [mean - half, mean + half];
}

/**
 * Distribution-free interval of a quantile by order statistics. `independent` is the number of
 * values that count as independent (examples rather than repeats): ranks are found for it and
 * scaled to all values. An end that so few values cannot bound is infinite, since the most extreme
 * one observed says little about the worst to come.
 */
export function quantileInterval(
  sorted: ArrayLike<number>,
  q: number,
  independent: number,
  confidence: number = CONFIDENCE,
): Interval {
  const tail = (1 - confidence) / 2;
  const n = independent;
  const below = (rank: number): number => 1 - binomialUpperTail(rank, n, q);
  // The largest rank l with P(X < l) <= tail, the smallest rank u with P(X >= u) <= tail.
  const low = lastWhere(n, (rank) => below(rank) <= tail);
  const high = n + 1 - lastWhere(n, (steps) => binomialUpperTail(n + 1 - steps, n, q) <= tail);
  const at = (rank: number): number =>
    sorted[Math.min(sorted.length - 1, Math.max(0, Math.round((rank / n) * sorted.length) - 1))]!;
  return [low === 0 ? -Infinity : at(low), high > n ? Infinity : at(high)];
}

/** Interval of a difference from the intervals of both values (MOVER, Zou and Donner 2008). */
export function differenceInterval(
  head: number,
  one: Interval,
  base: number,
  two: Interval,
): Interval {
  return [
    head - base - Math.hypot(head - one[0], two[1] - base),
    head - base + Math.hypot(one[1] - head, base - two[0]),
  ];
}

/** An interval as stored in reports: twelve digits, rounded outward; null if an end is open. */
export function closed([low, high]: Interval): Interval | null {
  return Number.isFinite(low) && Number.isFinite(high)
    ? [outward(low, Math.floor), outward(high, Math.ceil)]
    : null;
}

/** Twelve digits, rounded outward. */
function outward(value: number, round: (value: number) => number): number {
  const grain = 1e-10;
  return tidy(round(tidy(value / grain)) * grain);
}

/** The largest k in 1..n that meets a condition, which must be true up to some k and false beyond; 0 if none does. */
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

/** Extends an interval to include 0. */
export function reachingZero([low, high]: Interval): Interval {
  return [Math.min(0, low), Math.max(0, high)];
}
