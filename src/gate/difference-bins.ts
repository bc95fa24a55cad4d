import type { DifferenceBin } from "../report/report.ts";
import { tidy } from "../report/numbers.ts";
import { SLACK } from "./gate-rule.ts";
import { extentOf } from "./metric.ts";

/** Up to this many different values, each gets its own bin: as many as there are ranges below, and no change. */
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
  const bins = binValues(differences) ?? binRanges(differences);
  return bins
    .map(({ low, high, count }) => ({ low: tidy(low), high: tidy(high), count }))
    .sort((a, b) => a.low - b.low);
}

interface Bin {
  low: number;
  high: number;
  count: number;
}

/** A bin for each value; null if there are too many different ones. */
function binValues(differences: Float64Array): readonly Bin[] | null {
  const bins = new Map<number, Bin>();
  // Rounding to twelve digits is slow, so a value that comes again is not rounded again.
  const known = new Map<number, Bin>();
  for (let i = 0; i < differences.length; i++) {
    const value = differences[i]!;
    if (Number.isNaN(value)) continue;
    let bin = known.get(value);
    if (bin === undefined) {
      const shown = tidy(value);
      bin = bins.get(shown) ?? { low: shown, high: shown, count: 0 };
      if (bins.set(shown, bin).size > MAX_VALUES) return null;
      if (known.size > 4 * MAX_VALUES) known.clear();
      known.set(value, bin);
    }
    bin.count++;
  }
  return [...bins.values()];
}

/** Bins of equal width on each side of "no change". */
function binRanges(differences: Float64Array): readonly Bin[] {
  const [lowest, highest] = extentOf(differences);
  const width = niceWidth(tidy(Math.max(-lowest, highest)) / BINS_A_SIDE);
  const bins: Bin[] = [];
  for (let i = 0; i < differences.length; i++) {
    const value = differences[i]!;
    if (Number.isNaN(value)) continue;
    // Slightly less, so that a value on an edge stays below it despite rounding.
    const steps = Math.max(1, Math.ceil((Math.abs(value) / width) * (1 - SLACK)));
    const at = MAX_STEPS + Math.sign(value) * steps;
    const bin = bins[at] ?? { low: value, high: value, count: 0 };
    bins[at] = bin;
    if (value < bin.low) bin.low = value;
    if (value > bin.high) bin.high = value;
    bin.count++;
  }
  return Object.values(bins);
}

/** The next larger width that is easy to add up. */
function niceWidth(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  // Rounding must not take the next larger one.
  return power * NICE_STEPS.find((step) => step * power >= least * (1 - 1e-9))!;
}
