import { normalCdf } from "./distribution.ts";
import { clusterMeans, meanOf } from "./interval.ts";

/** More values are grouped into bins by size, each with its own mean: less than 1/4096 of the range from any of them. */
const MAX_POINTS = 4096;
/** Halvings of an interval: more change no digit of a double. */
const STEPS = 60;
/** The saddlepoint approximation is right to about one hundredth of the probability, which counts against the run. */
const SAFETY = 0.98;

/**
 * What a bound counts: values, or what each cluster adds to their mean, as if it were one value. The
 * largest cluster at the end of the scale is then the lowest of them.
 */
export function toUnits(
  values: Float64Array,
  clusterOf: ArrayLike<number> | null,
  least: number,
): { readonly units: Float64Array; readonly least: number } {
  if (clusterOf === null) return { units: values, least };
  const sizes = clusterMeans(
    values.map(() => 1),
    clusterOf,
  );
  return { units: clusterMeans(values, clusterOf), least: least * Math.max(...sizes) };
}

interface Point {
  readonly value: number;
  readonly weight: number;
}

/**
 * Lower bound of a mean, valid with at least `confidence` for any distribution with no value below
 * `least`. Gaffke's bound (2005; Learned-Miller and Thomas 2020): the quantile of the mean under
 * random Dirichlet weights, with one value at `least` added for what the sample did not show. For
 * 0/1 it equals Clopper and Pearson's.
 */
export function lowerBoundOfMean(values: Float64Array, least: number, confidence: number): number {
  const mean = meanOf(values);
  const points: Point[] = [...gatherPoints(values), { value: least, weight: 1 }];
  const chance = (1 - confidence) * SAFETY;
  let [low, high] = [least, mean];
  for (let step = 0; step < STEPS && high - low > 1e-9 * (mean - least); step++) {
    const middle = (low + high) / 2;
    if (chanceBelow(points, middle) < chance) low = middle;
    else high = middle;
  }
  return low;
}

/** How often the draws of that bound put the mean below 0, if the mean of the values is above. */
export function chanceOfMean(values: Float64Array, least: number): number {
  if (least >= 0) return 0;
  const points = [...gatherPoints(values), { value: least, weight: 1 }];
  return Math.min(1, chanceBelow(points, 0) / SAFETY);
}

function gatherPoints(values: Float64Array): Point[] {
  const sorted = values.slice().sort();
  const counts = new Map<number, number>();
  for (const value of sorted) counts.set(value, (counts.get(value) ?? 0) + 1);
  if (counts.size <= MAX_POINTS) return [...counts].map(([value, weight]) => ({ value, weight }));
  const low = sorted[0]!;
  const width = (sorted[sorted.length - 1]! - low) / MAX_POINTS;
  const bins = new Map<number, { sum: number; weight: number }>();
  for (const value of sorted) {
    const at = Math.min(MAX_POINTS - 1, Math.floor((value - low) / width));
    const bin = bins.get(at) ?? { sum: 0, weight: 0 };
    bin.sum += value;
    bin.weight++;
    bins.set(at, bin);
  }
  return [...bins.values()].map(({ sum, weight }) => ({ value: sum / weight, weight }));
}

/**
 * Probability that the mean under random weights is below `at`: that of a sum of exponential
 * variables below 0, by the saddlepoint of Lugannani and Rice (1980).
 */
function chanceBelow(points: readonly Point[], at: number): number {
  const s = saddlepoint(points, at);
  let [logs, spread] = [0, 0];
  for (const { value, weight } of points) {
    const part = 1 - s * (value - at);
    logs += weight * Math.log(part);
    spread += weight * ((value - at) / part) ** 2;
  }
  const w = -Math.sqrt(2 * Math.max(0, logs));
  const u = s * Math.sqrt(spread);
  // At the mean itself the formula is 0/0, and next to it rounding.
  if (w > -1e-6 || u > -1e-6) return 0.5;
  const density = Math.exp(-(w * w) / 2) / Math.sqrt(2 * Math.PI);
  return normalCdf(w) + density * (1 / w - 1 / u);
}

/** Root of the derivative of the cumulant generating function; negative, since `at` is less than the mean. */
function saddlepoint(points: readonly Point[], at: number): number {
  let low = 1 / Math.min(...points.map(({ value }) => value - at));
  let high = 0;
  for (let step = 0; step < STEPS; step++) {
    const middle = (low + high) / 2;
    let slope = 0;
    for (const { value, weight } of points)
      slope += (weight * (value - at)) / (1 - middle * (value - at));
    if (slope > 0) high = middle;
    else low = middle;
  }
  return (low + high) / 2;
}
