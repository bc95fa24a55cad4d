import { normalCdf } from "./distribution.ts";
import { exchangeVariance, meanBetween } from "./exchange-moments.ts";
import { type CountedExchanges, countOnGrid } from "./grid.ts";
import { keepOpen, type Pools } from "./pool.ts";
import { sortFew } from "./selection.ts";
import { suissaShuster } from "./single-pairs.ts";

/** Chance of a fall at least as large as the one seen when labels are exchanged, and how it was found. */
export interface ExchangeResult {
  readonly p: number;
  readonly method: string;
}

/** Up to this many changed examples every exchange is counted; above, only those of values on a grid are. */
const MOST_COUNTED = 20;
/** Distinct sums that a count may hold. */
const MAX_SUMS = 4000;
/** Sums so far times those of one more example; the repeats of one example can make more sums than memory holds. */
const MAX_PAIRS = 8 * MAX_SUMS;
/** Fewer changed examples than this are judged by the whole p, without the half weight of ties. */
const FEWEST_FOR_MID = 10;
/** Above this many changed examples the sum is normal for every purpose. */
const MOST_TILTED = 20_000;
/** Sums that a count may make on its way; repeats of one example make many times more than they leave. */
const MOST_MADE = 4_000_000;
/** Repeats of one example, and terms of all, beyond which the sum is normal for every purpose. */
const [MOST_REPEATS, MOST_TERMS] = [500, 2_000_000] as const;
const SLACK = 1e-12;

/**
 * Tests single runs: each example's difference may have had either sign. Of marks, which are on one side of something
 * or on the other, all changes have one size.
 */
export function testSigns(differences: Float64Array, areMarks: boolean): ExchangeResult {
  const changed = withoutZeros(differences);
  if (changed.length === 0) return { p: 1, method: "no change" };
  if (areMarks && isOneSize(changed, Math.abs(changed[0]!))) {
    let worse = 0;
    for (let i = 0; i < changed.length; i++) if (changed[i]! < 0) worse++;
    return {
      p: suissaShuster(worse, changed.length - worse, differences.length),
      method: "exact unconditional (Suissa-Shuster)",
    };
  }
  const isFew = changed.length < FEWEST_FOR_MID;
  const method = `sign flips, ${changed.length} changed, ${isFew ? "exact" : "mid-p"}`;
  if (changed.length <= MOST_COUNTED) return { p: chanceOf(countSigns(changed), isFew), method };
  if (changed.length > MOST_TILTED) return { p: normalSignTail(changed), method };
  return { p: testPools(poolsOfSigns(changed)).p, method };
}

/** Each difference beside none: exchanged, it has the other sign. */
function poolsOfSigns(changed: Float64Array): Pools {
  const count = changed.length;
  const values = new Float64Array(2 * count);
  for (let i = 0; i < count; i++) values[2 * i] = changed[i]!;
  const start = Int32Array.from({ length: count + 1 }, (_, i) => 2 * i);
  return { count, values, start, head: new Int32Array(count).fill(1) };
}

function withoutZeros(differences: Float64Array): Float64Array {
  let count = 0;
  for (let i = 0; i < differences.length; i++) if (differences[i] !== 0) count++;
  const changed = new Float64Array(count);
  for (let i = 0, at = 0; at < count; i++) {
    const value = differences[i]!;
    if (value !== 0) changed[at++] = value;
  }
  return changed;
}

function isOneSize(values: Float64Array, size: number): boolean {
  for (let i = 0; i < values.length; i++)
    if (!(Math.abs(Math.abs(values[i]!) - size) <= SLACK * size)) return false;
  return true;
}

/** So many signs make a normal sum; no example needs an object of its own. */
function normalSignTail(changed: Float64Array): number {
  let [sum, squares] = [0, 0];
  for (let i = 0; i < changed.length; i++) {
    const value = changed[i]!;
    sum += value;
    squares += value * value;
  }
  return normalCdf(sum / Math.sqrt(squares));
}

/**
 * The shares of the 2^m sign patterns whose sum is under the one seen, and equal to it. All of them are counted, as
 * pairs of halves of a sorted list, so 20 differences cost two lists of 1,024 and no random draw.
 */
function countSigns(changed: Float64Array): CountedExchanges {
  const sizes = Float64Array.from(changed, Math.abs).sort();
  let seen = 0;
  let scale = 0;
  // Ascending by size like the patterns, so that ties stay ties up to the slack.
  for (const value of Float64Array.from(changed).sort((a, b) => Math.abs(a) - Math.abs(b))) {
    seen += value;
    scale += Math.abs(value);
  }
  const low = patternSums(sizes.filter((_, at) => at % 2 === 0)).sort();
  const high = patternSums(sizes.filter((_, at) => at % 2 === 1)).sort();
  const all = low.length * high.length;
  const countTo = (limit: number): number => {
    let count = 0;
    let fits = high.length;
    for (const sum of low) {
      while (fits > 0 && sum + high[fits - 1]! > limit) fits--;
      count += fits;
    }
    return count / all;
  };
  const slack = scale * 1e-12;
  const under = countTo(seen - slack);
  return { under, equal: countTo(seen + slack) - under };
}

function patternSums(sizes: Float64Array): Float64Array {
  const sums = new Float64Array(2 ** sizes.length);
  sizes.forEach((size, bit) => {
    const half = 1 << bit;
    // sums[0] starts as the empty sum: every pattern so far, once with the size taken off and once with it put on.
    for (let at = 0; at < half; at++) {
      sums[at + half] = sums[at]! + size;
      sums[at]! -= size;
    }
  });
  return sums;
}

/** Tests examples with repeats: labels are exchanged within each example. */
export function testLabels(pools: Pools): ExchangeResult {
  const open = keepOpen(pools);
  if (open.count === 0) return { p: 1, method: "no change" };
  return testPools(open);
}

function testPools(pools: Pools): ExchangeResult {
  const { count } = pools;
  const word = `label exchange, ${count} ${count === 1 ? "example varies" : "examples vary"}`;
  const isFew = count < FEWEST_FOR_MID;
  const method = `${word}, ${isFew ? "exact" : "mid-p"}`;
  if (count > MOST_COUNTED) {
    const counted = countOnGrid(pools);
    if (counted !== null) return { p: chanceOf(counted, false), method };
  }
  const tilts = toTilts(pools);
  const counted = count <= MOST_COUNTED ? countSums(tilts) : null;
  if (counted === null) return { p: saddleTail(pools, tilts), method: `${word}, mid-p` };
  return { p: chanceOf(counted, isFew), method };
}

/** The share of exchanges as low as the one seen; what equals it counts half, unless few examples vary. */
function chanceOf({ under, equal }: CountedExchanges, isWhole: boolean): number {
  return Math.min(1, under + (isWhole ? equal : equal / 2));
}

/** The examples' exchangeable parts of the sum: of each, k of its steps are drawn. */
interface Tilts {
  readonly count: number;
  /** Those of example i are from `start[i]` to before `start[i + 1]`, ascending. */
  readonly steps: Float64Array;
  readonly start: Int32Array;
  readonly k: Int32Array;
  /** The sum as the labels are. */
  readonly seen: number;
}

function toTilts({ count, values, start, head }: Pools): Tilts {
  const steps = new Float64Array(start[count]!);
  const k = new Int32Array(count);
  let seen = 0;
  for (let e = 0; e < count; e++) {
    const [from, to, own] = [start[e]!, start[e + 1]!, head[e]!];
    const others = to - from - own;
    const mean = meanBetween(values, from, to);
    let now = 0;
    for (let at = from; at < from + own; at++) now += values[at]! - mean;
    const scale = 1 / own + 1 / others;
    seen += scale * now;
    // The smaller side is drawn: fewer terms, the same sums.
    k[e] = Math.min(own, others);
    const sign = own <= others ? scale : -scale;
    for (let at = from; at < to; at++) steps[at] = sign * (values[at]! - mean);
    sortFew(steps, from, to);
  }
  return { count, steps, start, k, seen };
}

/** All sums with their chances, as long as there are few different ones. */
function countSums({ count, steps, start, k, seen }: Tilts): CountedExchanges | null {
  let largest = 0;
  for (let at = 0; at < start[count]!; at++) largest = Math.max(largest, Math.abs(steps[at]!));
  const grain = largest * 1e-9;
  const budget = { left: MOST_MADE };
  let sums = new Map<number, number>([[0, 1]]);
  for (let e = 0; e < count; e++) {
    const draws = drawsOf(steps.subarray(start[e]!, start[e + 1]!), k[e]!, grain, budget);
    if (draws === null || sums.size * draws.size > MAX_PAIRS) return null;
    const choices = [...draws];
    const next = new Map<number, number>();
    for (const [sum, chance] of sums)
      for (const [step, share] of choices)
        next.set(sum + step, (next.get(sum + step) ?? 0) + chance * share);
    if (next.size > MAX_SUMS) return null;
    sums = next;
  }
  const limit = seen / grain;
  const slack = 4 * count + 4;
  let [under, equal] = [0, 0];
  for (const [sum, chance] of sums) {
    if (Math.abs(sum - limit) <= slack) equal += chance;
    else if (sum < limit) under += chance;
  }
  return { under, equal };
}

/** The sums that k steps of one example can make, in grains, with their chances; null where they are too many. */
function drawsOf(
  steps: Float64Array,
  k: number,
  grain: number,
  budget: { left: number },
): Map<number, number> | null {
  let levels: Map<number, number>[] = Array.from({ length: k + 1 }, () => new Map());
  levels[0]!.set(0, 1);
  for (const step of steps) {
    const size = Math.round(step / grain);
    const next = levels.map((level) => new Map(level));
    for (let drawn = 0; drawn < k; drawn++)
      for (const [sum, ways] of levels[drawn]!)
        next[drawn + 1]!.set(sum + size, (next[drawn + 1]!.get(sum + size) ?? 0) + ways);
    for (const level of next) budget.left -= level.size + 1;
    if (budget.left < 0 || next.some((level) => level.size > MAX_PAIRS)) return null;
    levels = next;
  }
  const ends = levels[k]!;
  let all = 0;
  for (const ways of ends.values()) all += ways;
  return new Map([...ends].map(([sum, ways]) => [sum, ways / all]));
}

/** Cumulants of the tilted sum: the function's value and two derivatives. */
type Cumulants = [value: number, mean: number, variance: number];

/** Cumulant function of the exchanged sum with two derivatives. */
function cumulantsAt({ count, steps, start, k }: Tilts, s: number): Cumulants {
  const sum: Cumulants = [0, 0, 0];
  for (let e = 0; e < count; e++) {
    const [from, to, drawn] = [start[e]!, start[e + 1]!, k[e]!];
    if (drawn === 1) addOneDraw(sum, steps, from, to, s);
    else if (drawn <= 3) addFewDraws(sum, steps, from, to, drawn, s);
    else addDraws(sum, steps.subarray(from, to), drawn, s);
  }
  return sum;
}

/** Adds one example of which one step is drawn. */
function addOneDraw(
  sum: Cumulants,
  steps: Float64Array,
  from: number,
  to: number,
  s: number,
): void {
  const end = s > 0 ? to - 1 : from;
  const most = steps[end]!;
  const top = s * most;
  // The weight of the step at the end is 1: one exponential less, which is half of them for a change of sign.
  let [w0, w1, w2] = [0, 0, 0];
  for (let at = from; at < to; at++) {
    const v = steps[at]!;
    const w = at === end ? 1 : Math.exp(s * v - top);
    w0 += w;
    w1 += v * w;
    w2 += v * v * w;
  }
  sum[0] += Math.log(w0 / (to - from)) + top;
  sum[1] += w1 / w0;
  sum[2] += w2 / w0 - (w1 / w0) ** 2;
}

/** Adds one example of which two or three steps are drawn: as below, with a name for every sum. */
function addFewDraws(
  sum: Cumulants,
  steps: Float64Array,
  from: number,
  to: number,
  drawn: number,
  s: number,
): void {
  let [a1, a2, a3] = [0, 0, 0];
  let [b1, b2, b3] = [0, 0, 0];
  let [c1, c2, c3] = [0, 0, 0];
  for (let at = from; at < to; at++) {
    const v = steps[at]!;
    const w = Math.exp(s * v);
    const square = v * v;
    c3 += w * (c2 + 2 * v * b2 + square * a2);
    b3 += w * (b2 + v * a2);
    a3 += w * a2;
    c2 += w * (c1 + 2 * v * b1 + square * a1);
    b2 += w * (b1 + v * a1);
    a2 += w * a1;
    c1 += w * square;
    b1 += w * v;
    a1 += w;
  }
  if (drawn === 3) addRatio(sum, a3, b3, c3, choices(to - from, 3));
  else addRatio(sum, a2, b2, c2, choices(to - from, 2));
}

/**
 * Adds one example of which k steps are drawn without return: elementary symmetric sums,
 * differentiated along.
 */
function addDraws(sum: Cumulants, steps: Float64Array, k: number, s: number): void {
  const [p, p1, p2] = [new Float64Array(k + 1), new Float64Array(k + 1), new Float64Array(k + 1)];
  p[0] = 1;
  for (let j = 0; j < steps.length; j++) {
    const v = steps[j]!;
    const w = Math.exp(s * v);
    for (let i = Math.min(k, j + 1); i >= 1; i--) {
      p2[i]! += w * (p2[i - 1]! + 2 * v * p1[i - 1]! + v * v * p[i - 1]!);
      p1[i]! += w * (p1[i - 1]! + v * p[i - 1]!);
      p[i]! += w * p[i - 1]!;
    }
  }
  addRatio(sum, p[k]!, p1[k]!, p2[k]!, choices(steps.length, k));
}

/** Adds the logarithm of a sum over so many choices, and its derivatives. */
function addRatio(sum: Cumulants, all: number, first: number, second: number, of: number): void {
  const mean = first / all;
  sum[0] += Math.log(all / of);
  sum[1] += mean;
  sum[2] += second / all - mean * mean;
}

/** n choose k. */
function choices(n: number, k: number): number {
  let ways = 1;
  for (let i = 0; i < k; i++) ways *= (n - i) / (i + 1);
  return ways;
}

/** Whether repeats are so many that their sums could not be held, or would take minutes. */
function isLong({ count, start, k }: Tilts): boolean {
  let terms = 0;
  for (let e = 0; e < count; e++) {
    const n = start[e + 1]! - start[e]!;
    if (n > MOST_REPEATS) return true;
    terms += n * k[e]!;
  }
  return terms > MOST_TERMS;
}

/** What the drawn steps of all examples can make at the most on one side, and the largest of those steps. */
function reachOf(
  { count, steps, start, k }: Tilts,
  isLow: boolean,
): { readonly end: number; readonly largest: number } {
  let [end, largest] = [0, 0];
  for (let e = 0; e < count; e++)
    for (let i = 0; i < k[e]!; i++) {
      const extreme = isLow ? steps[start[e]! + i]! : steps[start[e + 1]! - 1 - i]!;
      end += extreme;
      largest = Math.max(largest, Math.abs(extreme));
    }
  return { end, largest };
}

/**
 * Chance of a sum of at most the one seen, ties half: Lugannani and Rice's saddle point; the normal
 * where it is flat.
 */
function saddleTail(pools: Pools, tilts: Tilts): number {
  const { count, seen } = tilts;
  const sd = Math.sqrt(exchangeVariance(pools));
  const z = seen / sd;
  if (count > MOST_TILTED || Math.abs(z) < 0.05 || isLong(tilts)) return normalCdf(z);
  const { end, largest } = reachOf(tilts, z < 0);
  // At the very end of what exchanges can reach there is no saddle point; the normal is too large there, not too small.
  if (Math.abs(seen) > 0.995 * Math.abs(end)) return normalCdf(z);
  const most = 300 / largest;
  let s = Math.max(-most, Math.min(most, z / sd));
  let [low, high] = z < 0 ? [-most, 0] : [0, most];
  let [k0, k1, k2] = cumulantsAt(tilts, s);
  for (let i = 0; i < 60 && Math.abs(k1 - seen) > 1e-9 * sd; i++) {
    if (k1 > seen) high = s;
    else low = s;
    let next = s - (k1 - seen) / k2;
    if (!(next > low && next < high)) next = (low + high) / 2;
    if (next === s) break;
    s = next;
    [k0, k1, k2] = cumulantsAt(tilts, s);
  }
  const w = Math.sign(s) * Math.sqrt(Math.max(0, 2 * (s * seen - k0)));
  const u = s * Math.sqrt(k2);
  if (Math.abs(w) < 1e-4) return normalCdf(z);
  const density = Math.exp((-w * w) / 2) / Math.sqrt(2 * Math.PI);
  const tail = normalCdf(w) + density * (1 / w - 1 / u);
  return Math.min(1, Math.max(0, tail));
}
