import { incompleteBeta, normalQuantile, studentQuantile } from "./distribution.ts";
import { meanOf, quantile, standardError } from "./interval.ts";
import { fallOfMarks } from "./mark-fall.ts";
import { POWER, smallestWhere } from "./power.ts";
import { createSeededRandom } from "./random.ts";
import { createSkewTest } from "./skew.ts";

/** What the size of a shortfall that a floor finds depends on. */
export type FloorScatter =
  | {
      readonly kind: "rate";
      readonly trials: number;
      /** The floor, counted so that higher is better. */
      readonly bar: number;
      /** Null where trials do not change with the rate: single runs, and clusters. */
      readonly repeats: RepeatedMarks | null;
    }
  | {
      readonly kind: "clusters";
      readonly se: number;
      readonly df: number;
    }
  | {
      readonly kind: "values";
      readonly values: Float64Array;
      /** -1 where lower is better. */
      readonly sign: number;
    };

/** Pass marks of examples that were run several times. */
export interface RepeatedMarks {
  /** Part of the marks' variance that lies within examples. */
  readonly wavering: number;
  /** Mean over the examples of 1 / runs. */
  readonly inverse: number;
  readonly examples: number;
  readonly draws: number;
  /** What the number of trials is cut by, since their error is itself an estimate. */
  readonly penalty: number;
}

/** Values beyond which a mean is as good as normal, and from which fewer samples are drawn. */
const [MOST_DRAWN, MANY] = [2000, 500] as const;
const [RESAMPLES, RESAMPLES_OF_MANY] = [200, 100] as const;
const SEED = 20261123;
/** Of the spread of the values, for samples of one; it shrinks as samples grow. */
const BLUR = 0.25;
/** A critical gap is this exact, relative to itself. */
const CLOSE = 0.01;
/** Standard errors that no critical gap lies beyond. */
const FURTHEST = 50;

/** How far under a floor the true value must lie to be failed in 8 of 10 runs; null where no distance is. */
export function detectableShortfall(scatter: FloorScatter, level: number): number | null {
  switch (scatter.kind) {
    case "rate":
      return shortfallOfRate(scatter, level);
    case "clusters":
      return shortfallOfClusters(scatter, level);
    case "values":
      return shortfallOfValues(scatter, level);
  }
}

function shortfallOfRate(
  { trials, bar, repeats }: Extract<FloorScatter, { kind: "rate" }>,
  level: number,
): number | null {
  if (repeats === null) {
    const all = Math.max(1, Math.round(trials));
    const failures = Math.ceil(criticalFailures(all, bar, level) - 1e-9);
    if (failures > all) return null;
    return smallestWhere(bar, (gap) => failureChance(failures, all, 1 - bar + gap));
  }
  const power = (gap: number): number => {
    const own = trialsAt(repeats, bar, gap);
    const counted = Math.max(repeats.examples, Math.min(repeats.draws, own * repeats.penalty));
    const share = criticalFailures(counted, bar, level) / counted;
    return share > 1 ? 0 : failureChance(share * own, own, 1 - bar + gap);
  };
  return smallestWhere(bar, power);
}

/** The trials whose rate scatters as the mean of repeated marks does once their rate is this far under the floor. */
function trialsAt(
  { wavering, inverse, examples }: RepeatedMarks,
  bar: number,
  gap: number,
): number {
  const good = Math.min(1 - 1e-9, bar);
  const all = good * (1 - good);
  const { within, squared } = fallOfMarks({ good, within: wavering * all }, gap);
  const rate = Math.max(0, good - gap);
  const variance = Math.max(0, squared - rate * rate) + within * inverse;
  return variance === 0 ? examples : (examples * rate * (1 - rate)) / variance;
}

/**
 * The failures, not whole ones, that chance at the floor reaches no more often than the level; more
 * than the trials where none are that rare.
 */
function criticalFailures(trials: number, bar: number, level: number): number {
  let [low, high] = [0, trials + 1];
  for (let i = 0; i < 50; i++) {
    const middle = (low + high) / 2;
    if (failureChance(middle, trials, 1 - bar) >= level) low = middle;
    else high = middle;
  }
  return high;
}

/** Chance of this many failures or more; the binomial's, continued between whole numbers. */
function failureChance(failures: number, trials: number, chance: number): number {
  if (failures <= 0) return 1;
  if (failures > trials || chance <= 0) return 0;
  if (chance >= 1) return 1;
  return incompleteBeta(failures, trials - failures + 1, chance, 1 - chance);
}

function shortfallOfClusters(
  { se, df }: Extract<FloorScatter, { kind: "clusters" }>,
  level: number,
): number | null {
  if (se === 0) return null;
  const critical = studentQuantile(1 - level, Math.max(1, df));
  // The critical value scatters with the error that it is made of.
  const wobble = Math.sqrt(1 + (critical * critical) / (2 * Math.max(1, df)));
  return (critical + normalQuantile(POWER) * wobble) * se;
}

/** Samples are drawn anew from the values: how far under the floor must the true mean lie for 8 of 10 to fail? */
function shortfallOfValues(
  { values, sign }: Extract<FloorScatter, { kind: "values" }>,
  level: number,
): number | null {
  const n = values.length;
  const mean = meanOf(values);
  const se = standardError(values, mean);
  if (se === 0) return null;
  const critical = studentQuantile(1 - level, n - 1);
  if (n > MOST_DRAWN)
    return criticalGap(values, sign, { level, critical }) + normalQuantile(POWER) * se;
  const random = createSeededRandom(SEED);
  // Values drawn twice would make tails look rougher than new ones are, so each is drawn with a little noise.
  const blur = BLUR * n ** -0.2;
  const kept = 1 / Math.sqrt(1 + blur * blur);
  const noise = blur * se * Math.sqrt(n);
  const grown = Math.sqrt(n / (n - 1));
  const drawn = new Float64Array(n);
  const needed = Array.from({ length: n > MANY ? RESAMPLES_OF_MANY : RESAMPLES }, () => {
    for (let i = 0; i < n; i++)
      drawn[i] =
        mean + kept * (values[Math.floor(random() * n)]! - mean + noise * normalQuantile(random()));
    return grown * (sign * (meanOf(drawn) - mean) + criticalGap(drawn, sign, { level, critical }));
  });
  const found = quantile(Float64Array.from(needed).sort(), POWER);
  return Number.isFinite(found) ? found : null;
}

/** How far under the floor the mean of these values must lie to be failed. */
function criticalGap(
  values: Float64Array,
  sign: number,
  { level, critical }: { readonly level: number; readonly critical: number },
): number {
  const se = standardError(values, meanOf(values));
  if (se === 0) return 0;
  const skew = createSkewTest(values, sign);
  const isFailed = (t: number): boolean => skew(-t * se, "coarse") < level;
  // Student's t is needed in any case, and most often enough.
  let low = critical;
  if (isFailed(low)) return low * se;
  let high = 1.5 * low;
  while (!isFailed(high)) {
    if (high > FURTHEST) return Infinity;
    [low, high] = [high, 1.5 * high];
  }
  while (high - low > CLOSE * high) {
    const middle = (low + high) / 2;
    if (isFailed(middle)) high = middle;
    else low = middle;
  }
  return high * se;
}
