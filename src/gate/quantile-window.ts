import { quantile } from "./interval.ts";
import { columnOf, type Column, type TableIndex } from "./metric.ts";
import { type Frame, poolsOf } from "./pairs.ts";
import { listPools } from "./pool.ts";

/**
 * The two runs with every value moved to the nearest end of the window in which their quantile may lie.
 *
 * Quantiles have no difference per row; what is left of the values in this window has one. The window goes from the
 * quantile that either run would have if its values were the lowest of each pair to the one it would have if they were
 * the highest. Exchanging labels does not move it, so the tests of means stay exact; and where the quantiles differ it
 * is never empty, so a run that is slower throughout, and one of which a few rows hang, both show.
 */
export function clipToWindow(frame: Frame, q: number): Frame {
  const { judging, reference, left, right } = frame;
  const [low, high] = windowOf(frame, q);
  const clip = (index: TableIndex, column: Column): Column =>
    columnOf(
      index,
      frame.metric,
      column.values.map((value) => Math.min(high, Math.max(low, value))),
    );
  return {
    ...frame,
    left: clip(judging.head.index, left),
    right: clip(reference.side.index, right),
  };
}

/** The values of one example, ascending, and how many of them each run has. */
export interface Sized {
  readonly values: Float64Array;
  readonly sizes: readonly [number, number];
}

function windowOf(frame: Frame, q: number): readonly [number, number] {
  const { pairs, left, right } = frame;
  if (!pairs.single) {
    const pools = listPools(poolsOf({ ...frame, sign: 1 }));
    return windowOfPools(
      pools.map(({ values, head }) => ({
        values: values.sort(),
        sizes: [head, values.length - head],
      })),
      q,
    );
  }
  const ends = (pick: (a: number, b: number) => number): number => {
    const picked = new Float64Array(pairs.head.length);
    for (let i = 0; i < picked.length; i++)
      picked[i] = pick(left.mean[pairs.head[i]!]!, right.mean[pairs.base[i]!]!);
    return quantile(picked.sort(), q);
  };
  return [ends(Math.min), ends(Math.max)];
}

/** The window of examples with repeats: as many of the lowest, or of the highest, as each run has. */
export function windowOfPools(pools: readonly Sized[], q: number): readonly [number, number] {
  const end = (side: 0 | 1, highest: boolean): number => {
    let total = 0;
    for (const { sizes } of pools) total += sizes[side];
    const picked = new Float64Array(total);
    let at = 0;
    for (const { values, sizes } of pools) {
      const from = highest ? values.length - sizes[side] : 0;
      for (let i = 0; i < sizes[side]; i++) picked[at++] = values[from + i]!;
    }
    return quantile(picked.sort(), q);
  };
  return [Math.min(end(0, false), end(1, false)), Math.max(end(0, true), end(1, true))];
}
