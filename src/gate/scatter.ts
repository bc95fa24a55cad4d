import { estimateClusters } from "./cluster.ts";
import { exchangeVariance } from "./exchange.ts";
import { standardError } from "./interval.ts";
import { clustersOfPairs, type Frame } from "./pairs.ts";
import type { Pools } from "./pool.ts";

/** How far the estimate scatters, for the size of fall that a rule can find. */
export type Scatter =
  | {
      /** Single pass marks: shares of the pairs. */
      readonly kind: "marks";
      readonly changed: number;
      readonly net: number;
      readonly good: number;
    }
  | {
      /** A quantile: how far the values reach, and the power of its test. */
      readonly kind: "quantile";
      readonly reach: number;
      readonly power: (fall: number, limit: number, level: number) => number;
    }
  | {
      readonly kind: "spread";
      readonly se: number;
      readonly df: number;
      /** What one unit of a fall of pass marks adds to the variance; 0 for other values. */
      readonly perFall: number;
      readonly perSquare: number;
      /**
       * The same for the variance that exchanging labels gives, which the fall must beat: repeats
       * of the reference dilute it.
       */
      readonly exchangedPerFall: number;
      readonly exchangedPerSquare: number;
    };

/** Values other than pass marks: their noise does not change with the fall. */
const FLAT = {
  perFall: 0,
  perSquare: 0,
  exchangedPerFall: 0,
  exchangedPerSquare: 0,
} as const;

/** How far the estimate of this comparison scatters. */
export function scatterOf({
  frame,
  differences,
  mean,
  changed: { worse, better },
  pools,
  marks,
  base,
}: {
  readonly frame: Frame;
  readonly differences: Float64Array;
  /** Their mean. */
  readonly mean: number;
  readonly changed: { readonly worse: number; readonly better: number };
  readonly pools: Pools | null;
  readonly marks: boolean;
  readonly base: number;
}): Scatter {
  const n = differences.length;
  const good = frame.sign === 1 ? base : 1 - base;
  const binary = frame.left.binary && frame.right.binary;
  const clusterOf = clustersOfPairs(frame);
  if (clusterOf !== null) {
    const { se, df } = estimateClusters(differences, clusterOf);
    if (!binary || good <= 0) return { kind: "spread", se, df, ...FLAT };
    // The error is read off the run itself, so the noise that the fall adds is in it as well.
    const within = pools === null ? (worse + better) / (2 * n) : withinOf(pools);
    const inverse = pools === null ? 1 / n : inverseOf(pools, n, (i) => pools.head[i]!);
    const grown = growthOf(good, within, inverse);
    return {
      kind: "spread",
      se,
      df,
      ...grown,
      exchangedPerFall: grown.perFall,
      exchangedPerSquare: grown.perSquare,
    };
  }
  if (marks)
    return { kind: "marks", changed: (worse + better) / n, net: (worse - better) / n, good };
  const se = standardError(differences, mean);
  if (pools === null || !binary) return { kind: "spread", se, df: n - 1, ...FLAT };
  // Repeats of the reference dilute what the fall adds to the exchanged variance.
  const within = withinOf(pools);
  const exchanged = growthOf(
    good,
    within,
    inverseOf(pools, n, (i) => othersOf(pools, i)),
  );
  return {
    kind: "spread",
    se: Math.sqrt(exchangeVariance(pools)) / n,
    df: 1e6,
    ...growthOf(
      good,
      within,
      inverseOf(pools, n, (i) => pools.head[i]!),
    ),
    exchangedPerFall: exchanged.perFall,
    exchangedPerSquare: exchanged.perSquare,
  };
}

/** What a fall of pass marks adds to the variance of their mean: every pass rate falls in proportion. */
function growthOf(
  good: number,
  within: number,
  inverse: number,
): { readonly perFall: number; readonly perSquare: number } {
  if (good <= 0) return { perFall: 0, perSquare: 0 };
  const squared = Math.max(0, good - within);
  return {
    perFall: inverse * ((2 * squared) / good - 1),
    perSquare: (-inverse * squared) / (good * good),
  };
}

/** Variance of one run of an example. */
function withinOf(pools: Pools): number {
  return exchangeVariance(pools) / pools.count / meanInverse(pools);
}

function inverseOf({ count }: Pools, n: number, runs: (example: number) => number): number {
  let sum = 0;
  for (let i = 0; i < count; i++) sum += 1 / runs(i) / (n * n);
  return sum;
}

/** How many values of an example are the reference's. */
function othersOf({ start, head }: Pools, example: number): number {
  return start[example + 1]! - start[example]! - head[example]!;
}

function meanInverse(pools: Pools): number {
  let sum = 0;
  for (let i = 0; i < pools.count; i++) sum += 1 / pools.head[i]! + 1 / othersOf(pools, i);
  return sum / pools.count;
}
