import { binomialUpperTail, normalQuantile, studentQuantile } from "./distribution.ts";

/** Both ends, low first. */
export type Interval = readonly [number, number];

/** z of a two-sided 95 % interval. */
export const Z_95 = normalQuantile(0.975);

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

/** Standard error of a mean whose values share luck inside clusters, and the number of clusters (Miller 2024). */
export function clusteredError(
  values: ArrayLike<number>,
  mean: number,
  clusterOf: ArrayLike<number>,
): { se: number; clusters: number } {
  const sums = new Map<number, number>();
  for (let i = 0; i < values.length; i++)
    sums.set(clusterOf[i]!, (sums.get(clusterOf[i]!) ?? 0) + values[i]! - mean);
  const clusters = sums.size;
  if (clusters < 2) return { se: 0, clusters };
  let squares = 0;
  for (const sum of sums.values()) squares += sum * sum;
  return { se: Math.sqrt((clusters / (clusters - 1)) * squares) / values.length, clusters };
}

/** Wilson's interval for a rate `p` seen in `n` trials, which may be an effective number and so fractional. */
export function wilson(p: number, n: number, z = Z_95): Interval {
  const centre = p + (z * z) / (2 * n);
  const spread = z * Math.sqrt((p * (1 - p)) / n + (z * z) / (4 * n * n));
  const scale = 1 + (z * z) / n;
  return [
    p <= 0 ? 0 : Math.max(0, (centre - spread) / scale),
    p >= 1 ? 1 : Math.min(1, (centre + spread) / scale),
  ];
}

/** An interval with the words that name its method. */
export interface Estimate {
  readonly mean: number;
  /** Null where one value alone gives no spread. */
  readonly ci: Interval | null;
  readonly se: number;
  readonly method: string;
}

/**
 * Mean over examples with its two-sided 95 % interval. A rate (0/1 metric) takes Wilson's; where repeats or clusters
 * change its error, the number of trials is the one that an ordinary rate with this error would have had.
 */
export function estimate({
  values,
  rate,
  draws,
  clusterOf,
}: {
  readonly values: Float64Array;
  readonly rate: boolean;
  /** Scored rows behind the values: repeats of an example may sharpen a rate up to this many trials, never beyond. */
  readonly draws: number;
  readonly clusterOf: ArrayLike<number> | null;
}): Estimate {
  const n = values.length;
  const mean = meanOf(values);
  const plain = standardError(values, mean);
  const clustered = clusterOf === null ? null : clusteredError(values, mean, clusterOf);
  const se = clustered?.se ?? plain;
  const df = (clustered?.clusters ?? n) - 1;
  if (rate) {
    // The plug-in variance (divisor n), so that a plain rate keeps exactly its n trials.
    const variance = clustered === null ? (plain * plain * (n - 1)) / n : se * se;
    const most = clustered === null ? Math.max(n, draws) : n;
    const trials =
      variance > 0 ? Math.min(most, (mean * (1 - mean)) / variance) : (clustered?.clusters ?? n);
    const ci =
      df < 1 && clustered !== null
        ? null
        : wilson(mean, trials, clustered === null ? Z_95 : studentQuantile(0.975, df));
    return {
      mean,
      ci,
      se,
      method:
        clustered === null ? "Wilson interval" : `Wilson interval, ${clustered.clusters} clusters`,
    };
  }
  if (df < 1) return { mean, ci: null, se, method: "mean" };
  const half = studentQuantile(0.975, df) * se;
  return {
    mean,
    ci: [mean - half, mean + half],
    se,
    method:
      clustered === null
        ? `t interval, df ${df}`
        : `t interval, ${clustered.clusters} clusters, df ${df}`,
  };
}

/** Quantile by linear interpolation between order statistics (type 7 of Hyndman and Fan 1996); `sorted` ascending, not empty. */
export function quantile(sorted: ArrayLike<number>, q: number): number {
  const position = (sorted.length - 1) * q;
  const below = Math.floor(position);
  const low = sorted[below]!;
  const high = sorted[Math.min(below + 1, sorted.length - 1)]!;
  return low + (position - below) * (high - low);
}

/** A quantile's interval by order statistics; an end that so few values cannot bound is the extreme value and says so. */
export interface QuantileInterval {
  readonly ci: Interval;
  readonly lowBounded: boolean;
  readonly highBounded: boolean;
}

/**
 * Distribution-free interval of a quantile. `independent` is the number of values that count as independent
 * (examples, not repeats): ranks are found for it and stretched over all the values.
 */
export function quantileInterval(
  sorted: ArrayLike<number>,
  q: number,
  independent: number,
  confidence = 0.95,
): QuantileInterval {
  const tail = (1 - confidence) / 2;
  const n = independent;
  const below = (rank: number): number => 1 - binomialUpperTail(rank, n, q);
  // Largest rank l with P(X < l) <= tail, smallest rank u with P(X >= u) <= tail.
  const low = lastWhere(n, (rank) => below(rank) <= tail);
  const high = n + 1 - lastWhere(n, (steps) => binomialUpperTail(n + 1 - steps, n, q) <= tail);
  const at = (rank: number): number =>
    sorted[Math.min(sorted.length - 1, Math.max(0, Math.round((rank / n) * sorted.length) - 1))]!;
  return {
    ci: [low === 0 ? sorted[0]! : at(low), high > n ? sorted[sorted.length - 1]! : at(high)],
    lowBounded: low > 0,
    highBounded: high <= n,
  };
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
