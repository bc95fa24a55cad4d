import type { DifferenceBin } from "../report/report.ts";
import { tidy } from "../report/numbers.ts";
import { SLACK } from "./gate-rule.ts";

/** Up to this many different values, each gets its own bin. */
const MAX_VALUES = 9;
/** Otherwise, the number of bins on each side of "no change". */
const BINS_A_SIDE = 4;
/** More steps than any difference is from zero, so that indexes of bins are positive. */
const MAX_STEPS = 2 * BINS_A_SIDE;
const NICE_STEPS = [1, 2, 2.5, 5, 10];

/**
 * Bins differences from the lowest up. No bin contains both drops and rises: unchanged ones have
 * their own. Leaves out NaN, which marks an example without a score on one side.
 */
export function toDifferenceBins(differences: Float64Array): readonly DifferenceBin[] {
  const values = withoutGaps(differences);
  const alone = countValues(values);
  if (alone !== null)
    return [...alone]
      .map(([value, count]) => ({ low: value, high: value, count }))
      .sort((a, b) => a.low - b.low);
  let farthest = 0;
  for (let i = 0; i < values.length; i++) farthest = Math.max(farthest, Math.abs(values[i]!));
  const width = niceWidth(tidy(farthest) / BINS_A_SIDE);
  const bins: { low: number; high: number; count: number }[] = [];
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!;
    // Slightly less, so that a value on an edge stays below it despite rounding.
    const steps = Math.max(1, Math.ceil((Math.abs(value) / width) * (1 - SLACK)));
    const at = MAX_STEPS + Math.sign(value) * steps;
    const bin = bins[at];
    if (bin === undefined) bins[at] = { low: value, high: value, count: 1 };
    else {
      if (value < bin.low) bin.low = value;
      if (value > bin.high) bin.high = value;
      bin.count++;
    }
  }
  return Object.values(bins)
    .map(({ low, high, count }) => ({ low: tidy(low), high: tidy(high), count }))
    .sort((a, b) => a.low - b.low);
}

function withoutGaps(differences: Float64Array): Float64Array {
  let count = 0;
  for (let i = 0; i < differences.length; i++) if (!Number.isNaN(differences[i]!)) count++;
  if (count === differences.length) return differences;
  const values = new Float64Array(count);
  for (let i = 0, at = 0; at < count; i++) {
    const value = differences[i]!;
    if (!Number.isNaN(value)) values[at++] = value;
  }
  return values;
}

/** Counts each value; null if there are too many different ones. */
function countValues(values: Float64Array): ReadonlyMap<number, number> | null {
  const counts = new Map<number, number>();
  // Rounding to twelve digits is slow, so each value is rounded once.
  const rounded = new Map<number, number>();
  let last = NaN;
  let shown: number | undefined;
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!;
    if (value !== last) shown = rounded.get(value);
    last = value;
    if (shown === undefined) {
      shown = tidy(value);
      if (rounded.size > 4 * MAX_VALUES) rounded.clear();
      rounded.set(value, shown);
    }
    counts.set(shown, (counts.get(shown) ?? 0) + 1);
    if (counts.size > MAX_VALUES) return null;
  }
  return counts;
}

/** The next larger width that is easy to add up. */
function niceWidth(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  return power * NICE_STEPS.find((step) => step * power >= least * (1 - 1e-9))!;
}
