import { estimateClusters } from "./cluster.ts";
import { exchangeSkew, exchangeVariance } from "./exchange-moments.ts";
import { standardError } from "./interval.ts";
import type { MarkNoise } from "./mark-fall.ts";
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
      /** How lopsided the distribution is that the fall must beat. */
      readonly skew: number;
      /** Null for values other than pass marks: their noise does not change with the fall. */
      readonly marks: MarkSpread | null;
    };

/** What the noise of pass marks depends on when they fall. */
export interface MarkSpread extends MarkNoise {
  /**
   * Means over the examples of 1 / runs: of this run, and of the reference, which dilutes what the
   * fall adds to the exchanged variance.
   */
  readonly headInverse: number;
  readonly baseInverse: number;
  /**
   * What an example that breaks adds to the variance that exchanging labels gives: the mean of 1 / (runs of both
   * sides - 1). Null where the variance is read off the differences themselves.
   */
  readonly exchanged: number | null;
}

/** Added to the summed variance of all examples: where few wavered, chance may well have hidden one. */
const UNSEEN_RUNS = 0.3;

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
  const noise = binary && good > 0 ? marksOf({ pools, good, changed: (worse + better) / n }) : null;
  if (clusterOf !== null) {
    const { se, df } = estimateClusters(differences, clusterOf);
    // The error is read off the run itself, so the noise that the fall adds is in it as well.
    return {
      kind: "spread",
      se,
      df,
      skew: 0,
      marks: noise === null ? null : { ...noise, exchanged: null },
    };
  }
  if (marks)
    return { kind: "marks", changed: (worse + better) / n, net: (worse - better) / n, good };
  if (noise === null || pools === null)
    return {
      kind: "spread",
      se: standardError(differences, mean),
      df: n - 1,
      skew: pools === null ? 0 : exchangeSkew(pools),
      marks: null,
    };
  const { within, headInverse, baseInverse } = noise;
  const se = Math.sqrt((within * (headInverse + baseInverse)) / n);
  return { kind: "spread", se, df: 1e6, skew: 0, marks: noise };
}

function marksOf({
  pools,
  good,
  changed,
}: {
  readonly pools: Pools | null;
  readonly good: number;
  /** Share of the pairs that differ. */
  readonly changed: number;
}): MarkSpread {
  if (pools === null)
    return { good, within: changed / 2, headInverse: 1, baseInverse: 1, exchanged: 1 };
  const { count } = pools;
  let [head, base, exchanged] = [0, 0, 0];
  for (let i = 0; i < count; i++) {
    const [own, others] = [pools.head[i]!, othersOf(pools, i)];
    head += 1 / own / count;
    base += 1 / others / count;
    exchanged += 1 / (own + others - 1) / count;
  }
  const within = exchangeVariance(pools) / count / (head + base) + UNSEEN_RUNS / count;
  return { good, within, headInverse: head, baseInverse: base, exchanged };
}

/** How many values of an example are the reference's. */
function othersOf({ start, head }: Pools, example: number): number {
  return start[example + 1]! - start[example]! - head[example]!;
}
