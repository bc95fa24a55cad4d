import type { Pool } from "./pool.ts";

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
export function countOnGrid(pools: readonly Pool[]): CountedExchanges | null {
  const { head, values } = pools[0]!;
  const all = values.length;
  if (all > MOST_REPEATS || pools.some((one) => one.head !== head || one.values.length !== all))
    return null;
  // The smaller side is drawn: fewer terms, the same sums.
  const drawn = Math.min(head, all - head);
  const stepsOf = readGrid(pools, drawn);
  if (stepsOf === null) return null;
  const from = head <= all - head ? 0 : head;
  let seen = 0;
  let sums: Sums = { chances: Float64Array.of(1), first: 0 };
  const known = new Map<string, Float64Array>();
  for (const pool of pools) {
    const steps = stepsOf(pool);
    for (let i = from; i < from + drawn; i++) seen += steps[i]!;
    const key = steps.sort().join();
    const draws = known.get(key) ?? drawChances(steps, drawn);
    known.set(key, draws);
    sums = trim(addTo(sums, draws));
  }
  const { under, equal, over } = split(sums, seen);
  // What is drawn of the baseline is what this run does not have.
  const counted = { under: from === 0 ? under : over, equal };
  return counted.under + equal < LEAST_TOLD ? null : counted;
}

/** Turns the values of an example into steps of the grid that all lie on; null where they lie on none. */
function readGrid(pools: readonly Pool[], drawn: number): ((pool: Pool) => Int32Array) | null {
  let largest = 0;
  for (const { values } of pools)
    for (let i = 0; i < values.length; i++) largest = Math.max(largest, Math.abs(values[i]!));
  const grain = largest * SAME;
  const found = new Set<number>();
  for (const { values } of pools) {
    for (let i = 0; i < values.length; i++) found.add(Math.round(values[i]! / grain));
    if (found.size > MOST_VALUES) return null;
  }
  const sorted = Float64Array.from(found).sort();
  const low = sorted[0]!;
  const step = stepOf(sorted);
  if (step === null) return null;
  const steps = Math.round((sorted.at(-1)! - low) / step);
  if (9 * (pools.length * drawn) ** 1.5 * steps ** 2 > MOST_WORK) return null;
  return ({ values }) => {
    const own = new Int32Array(values.length);
    for (let i = 0; i < own.length; i++)
      own[i] = Math.round((Math.round(values[i]! / grain) - low) / step);
    return own;
  };
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

/** Chances of the sums that so many draws of an example's values make, without return. */
function drawChances(steps: Int32Array, drawn: number): Float64Array {
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

/** Chances of sums that follow one another, from the first on. */
interface Sums {
  readonly chances: Float64Array;
  readonly first: number;
}

function addTo({ chances, first }: Sums, draws: Float64Array): Sums {
  const next = new Float64Array(chances.length + draws.length - 1);
  for (let j = 0; j < draws.length; j++) {
    const share = draws[j]!;
    if (share === 0) continue;
    for (let i = 0; i < chances.length; i++) next[i + j]! += share * chances[i]!;
  }
  return { chances: next, first };
}

function trim({ chances, first }: Sums): Sums {
  let [from, to] = [0, chances.length];
  while (chances[from]! < LEAST_KEPT) from++;
  while (chances[to - 1]! < LEAST_KEPT) to--;
  return { chances: chances.subarray(from, to), first: first + from };
}

function split({ chances, first }: Sums, seen: number): CountedExchanges & { over: number } {
  let [under, over] = [0, 0];
  chances.forEach((chance, i) => {
    if (first + i < seen) under += chance;
    else if (first + i > seen) over += chance;
  });
  return { under, equal: chances[seen - first] ?? 0, over };
}
