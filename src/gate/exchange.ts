import { normalCdf } from "./distribution.ts";
import { type CountedExchanges, countOnGrid } from "./grid.ts";
import { isOpen, type Pool } from "./pool.ts";
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
const SLACK = 1e-12;

/** Tests single runs: each example's difference may have had either sign. */
export function testSigns(differences: Float64Array): ExchangeResult {
  const changed = withoutZeros(differences);
  if (changed.length === 0) return { p: 1, method: "no change" };
  const size = Math.abs(changed[0]!);
  if (isOneSize(changed, size)) {
    let worse = 0;
    for (let i = 0; i < changed.length; i++) if (changed[i]! < 0) worse++;
    return {
      p: suissaShuster(worse, changed.length - worse, differences.length),
      method: "exact unconditional (Suissa-Shuster)",
    };
  }
  const method = `sign flips, ${changed.length} changed`;
  if (changed.length <= MOST_COUNTED) {
    return { p: chanceOf(countSigns(changed), changed.length < FEWEST_FOR_MID), method };
  }
  if (changed.length > MOST_TILTED) return { p: normalSignTail(changed), method };
  const pools = Array.from(
    changed,
    (value): Pool => ({ values: Float64Array.of(value, 0), head: 1 }),
  );
  return { p: testPools(pools).p, method };
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
export function testLabels(pools: readonly Pool[]): ExchangeResult {
  const open = pools.filter(isOpen);
  if (open.length === 0) return { p: 1, method: "no change" };
  return testPools(open);
}

function testPools(pools: readonly Pool[]): ExchangeResult {
  const word = `label exchange, ${pools.length} ${pools.length === 1 ? "example varies" : "examples vary"}`;
  const isFew = pools.length < FEWEST_FOR_MID;
  const method = `${word}, ${isFew ? "exact" : "mid-p"}`;
  if (pools.length > MOST_COUNTED) {
    const counted = countOnGrid(pools);
    if (counted !== null) return { p: chanceOf(counted, false), method };
  }
  const tilts = pools.map(toTilt);
  const seen = tilts.reduce((sum, tilt) => sum + tilt.seen, 0);
  const counted = pools.length <= MOST_COUNTED ? countSums(tilts, seen) : null;
  if (counted === null) return { p: saddleTail(tilts, seen), method: `${word}, mid-p` };
  return { p: chanceOf(counted, isFew), method };
}

/** The share of exchanges as low as the one seen; what equals it counts half, unless few examples vary. */
function chanceOf({ under, equal }: CountedExchanges, isWhole: boolean): number {
  return Math.min(1, under + (isWhole ? equal : equal / 2));
}

/** One example's exchangeable part of the sum: k of these steps are drawn. */
interface Tilt {
  readonly steps: Float64Array;
  readonly k: number;
  readonly seen: number;
}

function toTilt({ values, head }: Pool): Tilt {
  const n = values.length;
  let sum = 0;
  for (const value of values) sum += value;
  const mean = sum / n;
  let now = 0;
  for (let i = 0; i < head; i++) now += values[i]! - mean;
  const scale = 1 / head + 1 / (n - head);
  // The smaller side is drawn: fewer terms, the same sums.
  const [k, sign] = head <= n - head ? [head, 1] : [n - head, -1];
  const steps = new Float64Array(n);
  for (let i = 0; i < n; i++) steps[i] = sign * scale * (values[i]! - mean);
  sortFew(steps, n);
  return { steps, k, seen: scale * now };
}

/** All sums with their chances, as long as there are few different ones. */
function countSums(tilts: readonly Tilt[], seen: number): CountedExchanges | null {
  let largest = 0;
  for (const { steps } of tilts)
    largest = Math.max(largest, Math.abs(steps[0]!), Math.abs(steps.at(-1)!));
  const grain = largest * 1e-9;
  let sums = new Map<number, number>([[0, 1]]);
  for (const tilt of tilts) {
    const draws = drawsOf(tilt, grain);
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
  const slack = 4 * tilts.length + 4;
  let [under, equal] = [0, 0];
  for (const [sum, chance] of sums) {
    if (Math.abs(sum - limit) <= slack) equal += chance;
    else if (sum < limit) under += chance;
  }
  return { under, equal };
}

/** The sums that k steps of one example can make, in grains, with their chances; null where they are too many. */
function drawsOf({ steps, k }: Tilt, grain: number): Map<number, number> | null {
  let levels: Map<number, number>[] = Array.from({ length: k + 1 }, () => new Map());
  levels[0]!.set(0, 1);
  for (const step of steps) {
    const size = Math.round(step / grain);
    const next = levels.map((level) => new Map(level));
    for (let drawn = 0; drawn < k; drawn++)
      for (const [sum, ways] of levels[drawn]!)
        next[drawn + 1]!.set(sum + size, (next[drawn + 1]!.get(sum + size) ?? 0) + ways);
    if (next.some((level) => level.size > MAX_PAIRS)) return null;
    levels = next;
  }
  const ends = levels[k]!;
  let all = 0;
  for (const ways of ends.values()) all += ways;
  return new Map([...ends].map(([sum, ways]) => [sum, ways / all]));
}

/** Cumulant function of the exchanged sum with two derivatives. */
function cumulants(tilts: readonly Tilt[], s: number): readonly [number, number, number] {
  let [k0, k1, k2] = [0, 0, 0];
  for (const { steps, k } of tilts) {
    if (k === 1) {
      const n = steps.length;
      const top = s > 0 ? s * steps[n - 1]! : s * steps[0]!;
      let [w0, w1, w2] = [0, 0, 0];
      for (let i = 0; i < n; i++) {
        const v = steps[i]!;
        const w = Math.exp(s * v - top);
        w0 += w;
        w1 += v * w;
        w2 += v * v * w;
      }
      k0 += Math.log(w0 / n) + top;
      k1 += w1 / w0;
      k2 += w2 / w0 - (w1 / w0) ** 2;
    } else {
      const [a, b, c] = drawCumulants(steps, k, s);
      k0 += a;
      k1 += b;
      k2 += c;
    }
  }
  return [k0, k1, k2];
}

/**
 * The same for one example of which k steps are drawn without return: elementary symmetric sums,
 * differentiated along.
 */
function drawCumulants(
  steps: Float64Array,
  k: number,
  s: number,
): readonly [number, number, number] {
  const [p, p1, p2] = [new Float64Array(k + 1), new Float64Array(k + 1), new Float64Array(k + 1)];
  p[0] = 1;
  let choices = 1;
  for (let j = 0; j < steps.length; j++) {
    const v = steps[j]!;
    const w = Math.exp(s * v);
    for (let i = Math.min(k, j + 1); i >= 1; i--) {
      p2[i]! += w * (p2[i - 1]! + 2 * v * p1[i - 1]! + v * v * p[i - 1]!);
      p1[i]! += w * (p1[i - 1]! + v * p[i - 1]!);
      p[i]! += w * p[i - 1]!;
    }
  }
  for (let i = 0; i < k; i++) choices *= (steps.length - i) / (i + 1);
  const mean = p1[k]! / p[k]!;
  return [Math.log(p[k]! / choices), mean, p2[k]! / p[k]! - mean * mean];
}

/**
 * Chance of a sum of at most the one seen, ties half: Lugannani and Rice's saddle point; the normal
 * where it is flat.
 */
function saddleTail(tilts: readonly Tilt[], seen: number): number {
  const [, , variance] = cumulants(tilts, 0);
  const sd = Math.sqrt(variance);
  const z = seen / sd;
  if (tilts.length > MOST_TILTED || Math.abs(z) < 0.05) return normalCdf(z);
  let least = 0;
  let largest = 0;
  for (const { steps, k } of tilts)
    for (let i = 0; i < k; i++) {
      const extreme = z < 0 ? steps[i]! : steps[steps.length - 1 - i]!;
      least += extreme;
      largest = Math.max(largest, Math.abs(extreme));
    }
  // At the very end of what exchanges can reach there is no saddle point; the normal is too large there, not too small.
  if (Math.abs(seen) > 0.995 * Math.abs(least)) return normalCdf(z);
  const most = 300 / largest;
  let s = Math.max(-most, Math.min(most, z / sd));
  let [low, high] = z < 0 ? [-most, 0] : [0, most];
  let [k0, k1, k2] = cumulants(tilts, s);
  for (let i = 0; i < 60 && Math.abs(k1 - seen) > 1e-9 * sd; i++) {
    if (k1 > seen) high = s;
    else low = s;
    let next = s - (k1 - seen) / k2;
    if (!(next > low && next < high)) next = (low + high) / 2;
    if (next === s) break;
    s = next;
    [k0, k1, k2] = cumulants(tilts, s);
  }
  const w = Math.sign(s) * Math.sqrt(Math.max(0, 2 * (s * seen - k0)));
  const u = s * Math.sqrt(k2);
  if (Math.abs(w) < 1e-4) return normalCdf(z);
  const density = Math.exp((-w * w) / 2) / Math.sqrt(2 * Math.PI);
  const tail = normalCdf(w) + density * (1 / w - 1 / u);
  return Math.min(1, Math.max(0, tail));
}

/** Variance of the exchanged sum: what the labels alone can make of these values. */
export function exchangeVariance(pools: readonly Pool[]): number {
  const open = pools.filter(isOpen).map(toTilt);
  return open.length === 0 ? 0 : cumulants(open, 0)[2];
}
