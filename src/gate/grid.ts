import type { Pools } from "./pool.ts";
import { sortFew } from "./selection.ts";

/** The exchanges whose sum is under the one seen, and those that equal it, as shares of all. */
export interface CountedExchanges {
  readonly under: number;
  readonly equal: number;
}

/** More different values than this are taken for ones without a grid. */
const MOST_VALUES = 64;
/** Steps from the lowest value to the highest. */
const MOST_STEPS = 200;
/** The step may be this part of the smallest gap: 0, 0.4 and 1 lie on a grid of 0.2. */
const FINEST_PART = 10;
/** Values are told apart to this part of the largest, and lie on a grid to that part of its step. */
const [SAME, NEAR] = [1e-9, 1e-3] as const;
/** With more repeats the number of exchanges is larger than a floating-point number can be. */
const MOST_REPEATS = 100;
/** Bounds the sums and products; by then a step is so small beside the whole that the saddle point is as good. */
const MOST_WORK = 1e7;
/** Sums less likely than this are left out, and chances this close to none are left to the saddle point. */
const [LEAST_KEPT, LEAST_TOLD] = [1e-18, 1e-11] as const;

/**
 * Counts all exchanges of labels where the values are marks, ratings or other steps of a grid and all examples have the
 * same number of repeats: then few sums are possible, however many examples there are. Null elsewhere.
 */
export function countOnGrid(pools: Pools): CountedExchanges | null {
  const [head, all] = [pools.head[0]!, pools.start[1]!];
  if (all > MOST_REPEATS || !isEven(pools, head, all)) return null;
  // The smaller side is drawn: fewer terms, the same sums.
  const drawn = Math.min(head, all - head);
  const steps = readSteps(pools, drawn);
  if (steps === null) return null;
  const isHead = head <= all - head;
  const from = isHead ? 0 : head;
  let seen = 0;
  for (let at = from; at < steps.length; at += all)
    for (let i = 0; i < drawn; i++) seen += steps[at + i]!;
  const { under, equal, over } = split(addAll(steps, all, drawn), seen);
  // What is drawn of the baseline is what this run does not have.
  const counted = { under: isHead ? under : over, equal };
  return counted.under + equal < LEAST_TOLD ? null : counted;
}

/** Whether all examples have the same numbers of values on either side. */
function isEven({ count, start, head }: Pools, first: number, all: number): boolean {
  for (let e = 1; e < count; e++)
    if (head[e] !== first || start[e + 1]! - start[e]! !== all) return false;
  return true;
}

/** The values of the examples as steps of the grid that all lie on; null where they lie on none. */
function readSteps({ count, values, start }: Pools, drawn: number): Float64Array | null {
  const size = start[count]!;
  let largest = 0;
  for (let at = 0; at < size; at++) largest = Math.max(largest, Math.abs(values[at]!));
  const grain = largest * SAME;
  const found = new Set<number>();
  for (let at = 0; at < size; at++) {
    if (at > 0 && values[at] === values[at - 1]) continue;
    found.add(Math.round(values[at]! / grain));
    if (found.size > MOST_VALUES) return null;
  }
  const sorted = Float64Array.from(found).sort();
  const low = sorted[0]!;
  const step = stepOf(sorted);
  if (step === null) return null;
  const most = Math.round((sorted.at(-1)! - low) / step);
  if (9 * (count * drawn) ** 1.5 * most ** 2 > MOST_WORK) return null;
  const steps = new Float64Array(size);
  for (let at = 0; at < size; at++)
    steps[at] =
      at > 0 && values[at] === values[at - 1]
        ? steps[at - 1]!
        : Math.round((Math.round(values[at]! / grain) - low) / step);
  return steps;
}

/** The largest step that leads from the lowest of some sorted values to each of them. */
function stepOf(sorted: Float64Array): number | null {
  const low = sorted[0]!;
  let gap = Infinity;
  for (let i = 1; i < sorted.length; i++) gap = Math.min(gap, sorted[i]! - sorted[i - 1]!);
  for (let part = 1; part <= FINEST_PART; part++) {
    const step = gap / part;
    if ((sorted.at(-1)! - low) / step > MOST_STEPS) return null;
    const isOn = (value: number): boolean => {
      const place = (value - low) / step;
      return Math.abs(place - Math.round(place)) < NEAR;
    };
    if (sorted.every(isOn)) return step;
  }
  return null;
}

/** The sums of the steps drawn of every example, so many of each, with their chances. */
function addAll(steps: Float64Array, all: number, drawn: number): Sums {
  let most = 0;
  for (let at = 0; at < steps.length; at++) most = Math.max(most, steps[at]!);
  const room = drawn * most * (steps.length / all) + 1;
  let [sums, next] = [createSums(room), createSums(room)];
  const known = new Map<string | number, Float64Array>();
  for (let at = 0; at < steps.length; at += all) {
    sortFew(steps, at, at + all);
    const own = steps.subarray(at, at + all);
    const key = keyOf(own, most + 1);
    let draws = known.get(key);
    if (draws === undefined) {
      draws = drawChances(own, drawn);
      known.set(key, draws);
    }
    addTo(next, sums, draws);
    [sums, next] = [next, sums];
  }
  return sums;
}

/** One key for each list of steps: a number where the steps are its digits, else a text. */
function keyOf(steps: Float64Array, base: number): string | number {
  if (base ** steps.length > Number.MAX_SAFE_INTEGER) return steps.join();
  let key = 0;
  for (let i = 0; i < steps.length; i++) key = key * base + steps[i]!;
  return key;
}

/** Chances of the sums that so many draws of an example's values make, without return. */
function drawChances(steps: Float64Array, drawn: number): Float64Array {
  const size = drawn * steps.at(-1)! + 1;
  const ways = Array.from({ length: drawn + 1 }, () => new Float64Array(size));
  ways[0]![0] = 1;
  for (const step of steps)
    for (let j = drawn; j >= 1; j--) {
      const [to, before] = [ways[j]!, ways[j - 1]!];
      for (let sum = step; sum < size; sum++) to[sum]! += before[sum - step]!;
    }
  const ends = ways[drawn]!;
  let all = 0;
  for (const count of ends) all += count;
  return ends.map((count) => count / all);
}

/** Chances of the sums from one to before another; the array has room for all. */
interface Sums {
  readonly chances: Float64Array;
  from: number;
  to: number;
}

/** The empty sum alone. */
function createSums(room: number): Sums {
  const chances = new Float64Array(room);
  chances[0] = 1;
  return { chances, from: 0, to: 1 };
}

/** Makes the sums of one example more; what is too unlikely at either end is left out. */
function addTo(next: Sums, { chances, from, to }: Sums, draws: Float64Array): void {
  const made = next.chances;
  const last = to + draws.length - 1;
  made.fill(0, from, last);
  for (let j = 0; j < draws.length; j++) {
    const share = draws[j]!;
    if (share === 0) continue;
    for (let i = from; i < to; i++) made[i + j]! += share * chances[i]!;
  }
  next.from = from;
  next.to = last;
  while (made[next.from]! < LEAST_KEPT) next.from++;
  while (made[next.to - 1]! < LEAST_KEPT) next.to--;
}

function split({ chances, from, to }: Sums, seen: number): CountedExchanges & { over: number } {
  let [under, over] = [0, 0];
  for (let sum = from; sum < to; sum++) {
    if (sum < seen) under += chances[sum]!;
    else if (sum > seen) over += chances[sum]!;
  }
  const equal = seen >= from && seen < to ? chances[seen]! : 0;
  return { under, equal, over };
}
