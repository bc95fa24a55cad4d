import { binomialUpperTail, logChoose, normalQuantile } from "./distribution.ts";

/**
 * Exact unconditional test of single pass marks (Suissa and Shuster 1985): pairs are ordered by
 * McNemar's statistic, and the chance is the largest over every share of pairs that change by
 * chance. Larger sets than this are tested as this many pairs: by then the largest chance no longer
 * depends on the number.
 */
const MOST_PAIRS = 1000;
/** Step, in standard deviations of the number of changed pairs' arcsine, where the largest chance is looked for. */
const STEP = 0.2;
const SLACK = 1e-9;

/** McNemar's statistic; positive when more pairs got worse. */
function mcNemarStatistic(worse: number, better: number): number {
  return worse + better === 0 ? 0 : (worse - better) / Math.sqrt(worse + better);
}

/** Of m changed pairs, the fewest worse ones that reach a statistic. */
export function fewestWorse(m: number, z: number): number {
  return Math.ceil((m + z * Math.sqrt(m)) / 2 - SLACK);
}

/** Chance, for every number of changed pairs, that the statistic is reached. */
function tailsOf(n: number, z: number): Float64Array {
  const tails = new Float64Array(n + 1);
  for (let m = 1; m <= n; m++) tails[m] = binomialUpperTail(fewestWorse(m, z), m, 0.5);
  return tails;
}

const logFactorials = new Map<number, Float64Array>();

function logChoices(n: number): Float64Array {
  let known = logFactorials.get(n);
  if (known === undefined) {
    known = new Float64Array(n + 1);
    for (let m = 0; m <= n; m++) known[m] = logChoose(n, m);
    logFactorials.set(n, known);
  }
  return known;
}

/** Sum over binomial chances of m changed pairs out of n, each pair with chance q, of some value by m. */
export function overChanged(n: number, q: number, value: (m: number) => number): number {
  if (q <= 0) return value(0);
  if (q >= 1) return value(n);
  const log = logChoices(n);
  const spread = 7 * Math.sqrt(n * q * (1 - q)) + 7;
  const from = Math.max(0, Math.floor(n * q - spread));
  const to = Math.min(n, Math.ceil(n * q + spread));
  const [a, b] = [Math.log(q), Math.log1p(-q)];
  let sum = 0;
  for (let m = from; m <= to; m++) sum += Math.exp(log[m]! + m * a + (n - m) * b) * value(m);
  return sum;
}

/** The largest chance of reaching a statistic among n pairs. */
function largestChance(n: number, z: number): number {
  const tails = tailsOf(n, z);
  const scale = Math.sqrt(n);
  const end = (scale * Math.PI) / 2;
  // The arcsine makes peaks equally wide everywhere, also the narrow ones where nearly every pair changes.
  const at = (angle: number): number =>
    overChanged(n, Math.sin(Math.min(angle, end) / scale) ** 2, (m) => tails[m]!);
  let best = 0;
  let where = 0;
  for (let angle = STEP; angle <= end + STEP; angle += STEP) {
    const chance = at(angle);
    if (chance > best) [best, where] = [chance, angle];
  }
  let [low, high] = [Math.max(0, where - STEP), Math.min(end, where + STEP)];
  for (let i = 0; i < 10; i++) {
    const [left, right] = [low + (high - low) / 3, high - (high - low) / 3];
    const [a, b] = [at(left), at(right)];
    best = Math.max(best, a, b);
    if (a > b) high = right;
    else low = left;
  }
  return Math.min(1, best);
}

/** What was worked out before, since simulations and families ask the same again. */
const chances = new Map<string, number>();
const MAX_KNOWN = 20_000;

/** One-sided p of `worse` pairs against `better` ones among n. */
export function suissaShuster(worse: number, better: number, n: number): number {
  if (worse + better === 0) return 1;
  if (worse <= better) return Math.max(0.5, binomialUpperTail(worse, worse + better, 0.5));
  const pairs = Math.min(n, MOST_PAIRS);
  const z = mcNemarStatistic(worse, better);
  const key = `${pairs} ${z.toFixed(9)}`;
  let p = chances.get(key);
  if (p === undefined) {
    p = z > 8 ? binomialUpperTail(worse, worse + better, 0.5) : largestChance(pairs, z);
    if (chances.size > MAX_KNOWN) chances.clear();
    chances.set(key, p);
  }
  return p;
}

const criticals = new Map<string, number>();

/** The smallest statistic whose p is under a level: what the mark has to beat. */
export function criticalStatistic(n: number, level: number): number {
  const pairs = Math.min(n, MOST_PAIRS);
  const rounded = Number(level.toPrecision(2));
  const key = `${pairs} ${rounded}`;
  const known = criticals.get(key);
  if (known !== undefined) return known;
  let low = Math.max(0, normalQuantile(1 - rounded) - 0.3);
  let high = low + 1.5;
  for (let i = 0; i < 14; i++) {
    const middle = (low + high) / 2;
    if (largestChance(pairs, middle) < rounded) high = middle;
    else low = middle;
  }
  criticals.set(key, high);
  return high;
}
