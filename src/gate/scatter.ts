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
  const clusterOf = clustersOfPairs(frame);
  if (clusterOf !== null) {
    const { se, df } = estimateClusters(differences, clusterOf);
    return { kind: "spread", se, df, ...FLAT };
  }
  if (marks)
    return { kind: "marks", changed: (worse + better) / n, net: (worse - better) / n, good };
  const se = standardError(differences, mean);
  if (pools === null || !frame.left.binary || !frame.right.binary)
    return { kind: "spread", se, df: n - 1, ...FLAT };
  // Pass marks with repeats: every pass rate falls in proportion, so the noise of the head changes with the fall.
  const noise = exchangeVariance(pools) / (n * n);
  const within = (noise * n) / meanInverse(pools);
  let [inverse, diluted] = [0, 0];
  for (let i = 0; i < pools.count; i++) {
    inverse += 1 / pools.head[i]! / (n * n);
    diluted += 1 / othersOf(pools, i) / (n * n);
  }
  const squared = Math.max(0, good - within);
  const perFall = good > 0 ? (2 * squared) / good - 1 : 0;
  const perSquare = good > 0 ? -squared / (good * good) : 0;
  return {
    kind: "spread",
    se: Math.sqrt(noise),
    df: 1e6,
    perFall: inverse * perFall,
    perSquare: inverse * perSquare,
    exchangedPerFall: diluted * perFall,
    exchangedPerSquare: diluted * perSquare,
  };
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
