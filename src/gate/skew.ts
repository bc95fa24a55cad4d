import { studentTail } from "./comparison.ts";
import { standardError, meanOf, quantile } from "./interval.ts";
import { createSeededRandom } from "./random.ts";

/** Values by which the skew seen in few of them is taken too small: a long tail mostly lies where none fell. */
const UNSEEN_TAIL = 20;
/** From this chance on Hall's test alone serves. */
const LEAST_DOUBTFUL = 0.1;
/** Chances between which the spread of the tail's estimate is counted in, not at all and whole. */
const [SURE_AT, DOUBTFUL_AT] = [0.05, 0.0025] as const;
/** The standard error of the tail's estimate, times the root of the number of values. */
const TAIL_ERROR = 1.6;
const LONGEST_TAIL = 2;
/**
 * Tails are rounded to a step, up where the tail decides, and larger samples are drawn as ones of
 * `most` values that are as skewed as their means. To state what a test would find takes many tails,
 * none of them as exact as the test itself.
 */
const GRAINS = {
  fine: { step: 0.05, most: 400, round: Math.ceil, draws: 8192 },
  coarse: { step: 0.1, most: 100, round: Math.round, draws: 2048 },
} as const;
type Grain = keyof typeof GRAINS;
const SEED = 19920214;

/**
 * Chance of a mean this low when the values have a long tail on the good side, which makes low
 * means look surer than they are; 0 where they have none. The larger of two: Student's tail after
 * Hall's transformation (1992), and the share of lognormal samples with as long a tail that give
 * such a t. How long the tail is comes from quantiles, since the rows that would show it are
 * missing exactly when the mean is low. It only rises with the gap.
 */
export function createSkewTest(
  values: Float64Array,
  sign: number,
): (gap: number, grain: Grain) => number {
  const n = values.length;
  const mean = meanOf(values);
  const se = standardError(values, mean);
  if (se === 0) return () => 0;
  const skew = skewSeen(values, sign, mean, se);
  let seen: number | undefined;
  return (gap, grain) => {
    const hall = hallTail({ skew, gap, se, n });
    if (hall >= LEAST_DOUBTFUL || gap >= 0) return hall;
    const ordinary = Math.max(hall, studentTail(gap, se, n));
    if (ordinary >= LEAST_DOUBTFUL) return ordinary;
    seen ??= tailOf(values, sign);
    const tail = seen + (TAIL_ERROR / Math.sqrt(n)) * doubtOf(ordinary);
    if (tail < GRAINS.fine.step) return hall;
    const sigma = Math.min(tail, LONGEST_TAIL);
    return Math.max(hall, lognormalTail({ sigma, n, t: gap / se, grain: GRAINS[grain] }));
  };
}

function doubtOf(p: number): number {
  const share = Math.log(SURE_AT / Math.max(p, 1e-12)) / Math.log(SURE_AT / DOUBTFUL_AT);
  return Math.max(0, Math.min(1, share));
}

/** The skew of the values, the good side counted as positive; allowing for a tail that none of them fell into. */
function skewSeen(values: Float64Array, sign: number, mean: number, se: number): number {
  const n = values.length;
  const deviation = se * Math.sqrt(n);
  let third = 0;
  for (const value of values) third += ((sign * (value - mean)) / deviation) ** 3 / n;
  return third * (1 + UNSEEN_TAIL / n);
}

function hallTail({
  skew,
  gap,
  se,
  n,
}: {
  readonly skew: number;
  readonly gap: number;
  readonly se: number;
  readonly n: number;
}): number {
  if (skew <= 0) return 0;
  const deviation = se * Math.sqrt(n);
  const t = gap / deviation;
  const turned = t + (skew * t * t) / 3 + (skew * skew * t ** 3) / 27 + skew / (6 * n);
  return studentTail(turned * deviation, se, n);
}

/**
 * The deviation of the logarithms of a shifted lognormal with this asymmetry of quantiles; 0 where
 * it leans the other way.
 */
function tailOf(values: Float64Array, sign: number): number {
  const sorted = values.map((value) => sign * value).sort();
  const [low, middle, high] = [0.1, 0.5, 0.9].map((q) => quantile(sorted, q)) as [
    number,
    number,
    number,
  ];
  if (!(middle > low) || !(high > middle)) return 0;
  return Math.max(0, Math.log((high - middle) / (middle - low)) / 1.2815515655446004);
}

function skewOf(sigma: number): number {
  const grown = Math.exp(sigma * sigma);
  return (grown + 2) * Math.sqrt(grown - 1);
}

/** The deviation whose lognormal has a skew. */
function sigmaOf(skew: number): number {
  let [low, high] = [0, LONGEST_TAIL];
  for (let i = 0; i < 40; i++) {
    const middle = (low + high) / 2;
    if (skewOf(middle) < skew) low = middle;
    else high = middle;
  }
  return high;
}

const known = new Map<string, Float64Array>();

/** The share of lognormal samples whose t is at most the one seen; one draw is counted against the run. */
function lognormalTail({
  sigma,
  n,
  t,
  grain: { step, most, round, draws: count },
}: {
  readonly sigma: number;
  readonly n: number;
  readonly t: number;
  readonly grain: (typeof GRAINS)[Grain];
}): number {
  const size = Math.min(n, most);
  const same = size === n ? sigma : sigmaOf(skewOf(sigma) * Math.sqrt(size / n));
  const rounded = round(same / step - 1e-9) * step;
  const key = `${count} ${size} ${rounded.toFixed(2)}`;
  let draws = known.get(key);
  if (draws === undefined) {
    draws = drawLognormal(rounded, size, count);
    if (known.size > 60) known.clear();
    known.set(key, draws);
  }
  let [low, high] = [0, draws.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (draws[middle]! <= t) low = middle + 1;
    else high = middle;
  }
  return (low + 1) / (count + 1);
}

/** The t of many lognormal samples about their true mean, sorted. */
function drawLognormal(sigma: number, n: number, count: number): Float64Array {
  const random = createSeededRandom(SEED);
  const mean = Math.exp((sigma * sigma) / 2);
  const draws = new Float64Array(count);
  let spare = NaN;
  const normal = (): number => {
    if (!Number.isNaN(spare)) {
      const value = spare;
      spare = NaN;
      return value;
    }
    const radius = Math.sqrt(-2 * Math.log(1 - random()));
    const angle = 2 * Math.PI * random();
    spare = radius * Math.sin(angle);
    return radius * Math.cos(angle);
  };
  for (let draw = 0; draw < count; draw++) {
    let [sum, squares] = [0, 0];
    for (let i = 0; i < n; i++) {
      const value = Math.exp(sigma * normal()) - mean;
      sum += value;
      squares += value * value;
    }
    const centre = sum / n;
    draws[draw] = centre / Math.sqrt((squares / n - centre * centre) / (n - 1));
  }
  return draws.sort();
}
