import { binomialUpperTail, normalQuantile, studentCdf, studentQuantile } from "./distribution.ts";
import { clusteredError, meanOf, standardError, type Interval } from "./interval.ts";

/** Below this many pairs no test is run: the rows themselves are shown. */
export const FEWEST_PAIRS = 10;
/** Up to this many pairs every sign pattern is counted; above, the t distribution serves. */
const MOST_EXACT = 30;
/** Fewer changed pairs than this are too few for the t distribution, however many pairs did not change. */
const FEWEST_CHANGED_FOR_T = 10;
/** Relative slack against the last bits of differences. */
const SLACK = 1e-12;
/** Share of real drops that the minimum detectable drop is found with. */
const POWER = 0.8;

/** Paired differences, one per shared example; negative is worse, whichever way the metric runs. */
export interface Differences {
  readonly values: Float64Array;
  /** Cluster of each difference, or null when examples are independent. */
  readonly clusterOf: ArrayLike<number> | null;
}

/** What the differences say. */
export interface PairedResult {
  readonly mean: number;
  readonly se: number;
  readonly df: number;
  /** One-sided chance of a fall at least this large when nothing changed; before Holm. */
  readonly p: number;
  readonly method: string;
}

/** Tests whether the mean difference is below zero; null when there is only one cluster and so no spread to see. */
export function testPaired({ values, clusterOf }: Differences): PairedResult | null {
  const mean = meanOf(values);
  const n = values.length;
  if (clusterOf !== null) {
    const { se: spread, clusters } = clusteredError(values, mean, clusterOf);
    if (clusters < 2) return null;
    const se = settled(spread, mean);
    const df = clusters - 1;
    return {
      mean,
      se,
      df,
      p: studentTail({ mean, se, df }),
      method: `paired t, ${clusters} clusters, df ${df}`,
    };
  }
  const se = settled(standardError(values, mean), mean);
  const df = n - 1;
  const changed = values.filter((value) => value !== 0);
  // Single 0/1 outcomes: all sign patterns of equal steps are a binomial, exact at any size.
  if (changed.every((value) => value === 1 || value === -1))
    return { mean, se, df, p: mcNemar(changed), method: "exact McNemar" };
  if (n <= MOST_EXACT || changed.length < FEWEST_CHANGED_FOR_T) {
    return {
      mean,
      se,
      df,
      p: signFlip(changed),
      method: `exact sign-flip, ${changed.length} changed`,
    };
  }
  return { mean, se, df, p: studentTail({ mean, se, df }), method: `paired t, df ${df}` };
}

/** Differences that are all alike differ in their last bits when they come from different numbers. */
function settled(se: number, mean: number): number {
  return se < SLACK * Math.abs(mean) ? 0 : se;
}

function studentTail({
  mean,
  se,
  df,
}: {
  readonly mean: number;
  readonly se: number;
  readonly df: number;
}): number {
  // Everything moved alike: no spread to weigh it against, so a coin is thrown for each, as in the exact test.
  if (se === 0) return mean < 0 ? 0.5 ** (df + 1) : 1;
  return studentCdf(mean / se, df);
}

/** One-sided exact McNemar: chance of at least this many worse pairs among the changed ones, a coin deciding each. */
export function mcNemar(changed: ArrayLike<number>): number {
  let worse = 0;
  for (let i = 0; i < changed.length; i++) if (changed[i]! < 0) worse++;
  return binomialUpperTail(worse, changed.length, 0.5);
}

/**
 * One-sided exact sign-flip test: the share of the 2^m sign patterns whose sum is at most the one seen. All of them
 * are counted, as pairs of halves of a sorted list, so 30 differences cost two lists of 32,768 and no random draw.
 */
export function signFlip(changed: ArrayLike<number>): number {
  const sizes = Float64Array.from(changed, Math.abs).sort();
  let seen = 0;
  let scale = 0;
  // Ascending by size like the patterns, so that ties stay ties up to the slack.
  for (const value of Float64Array.from(changed).sort((a, b) => Math.abs(a) - Math.abs(b))) {
    seen += value;
    scale += Math.abs(value);
  }
  const low = patternSums(sizes.filter((_, at) => at % 2 === 0)).sort();
  const high = patternSums(sizes.filter((_, at) => at % 2 === 1)).sort();
  const limit = seen + scale * 1e-12;
  let count = 0;
  let fits = high.length;
  for (const sum of low) {
    while (fits > 0 && sum + high[fits - 1]! > limit) fits--;
    count += fits;
  }
  return count / (low.length * high.length);
}

function patternSums(sizes: Float64Array): Float64Array {
  const sums = new Float64Array(2 ** sizes.length);
  sizes.forEach((size, bit) => {
    const half = 1 << bit;
    // sums[0] starts as the empty sum: every pattern so far, once with the size taken off and once with it put on.
    for (let at = 0; at < half; at++) {
      sums[at + half] = sums[at]! + size;
      sums[at]! -= size;
    }
  });
  return sums;
}

/** Two-sided interval of the mean difference by Student's t. */
export function pairedInterval({ mean, se, df }: PairedResult, confidence: number): Interval {
  const half = studentQuantile((1 + confidence) / 2, df) * se;
  return [mean - half, mean + half];
}

/** One-sided lower bound of the mean difference at level alpha. */
export function lowerBound({ mean, se, df }: PairedResult, alpha: number): number {
  return mean - studentQuantile(1 - alpha, df) * se;
}

/** Factor from a standard error to the smallest drop that would be found four times out of five. */
export function detectableFactor(alpha: number): number {
  return normalQuantile(1 - alpha) + normalQuantile(POWER);
}

/** Holm's adjustment (1979): p values as they stand once every one of the family was looked at; order kept. */
export function holm(ps: readonly number[]): number[] {
  const order = ps.map((_, at) => at).sort((a, b) => ps[a]! - ps[b]! || a - b);
  const adjusted: number[] = new Array<number>(ps.length);
  let largest = 0;
  order.forEach((at, rank) => {
    largest = Math.max(largest, Math.min(1, (ps.length - rank) * ps[at]!));
    adjusted[at] = largest;
  });
  return adjusted;
}
