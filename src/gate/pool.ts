import type { Comparison } from "./comparison.ts";
import { meanOf } from "./interval.ts";
import { type Layout, layOut } from "./pairing.ts";

/**
 * How many pairs runs are drawn from, evenly spread: a spread estimated from n of them has an
 * error of 1 / √2n, here 1.1 %.
 */
export const MAX_PAIRS = 4000;
/**
 * The share of the marks' variance within examples at which worse agents break some examples
 * permanently, and at which all examples waver: with these, drops of the stated size are found in
 * 75 to 85 % of runs (npm run bench -- gates, "stated").
 */
const [BREAKS, WAVERS] = [1 / 3, 2 / 3] as const;

/** Values of an example on both sides, this run's first; turned so that more is better. */
export interface Pair {
  readonly values: readonly number[];
  /** How many of them are this run's. */
  readonly head: number;
  /** How many examples it represents. */
  readonly weight: number;
}

/** Pairs in sequence, with the start of each unit's pairs. */
export interface Pairs extends Layout {
  readonly weight: Float64Array;
  /** Units are examples, or clusters that are drawn as one. */
  readonly first: Int32Array;
}

/** An unchanged agent to draw runs from. */
export interface Pool {
  readonly pairs: Pairs;
  /** The most pairs and values of any unit. */
  readonly most: { readonly pairs: number; readonly values: number };
  /**
   * For pass marks: the share that is good, and the share of a worse agent's losses that hits
   * single runs; else null.
   */
  readonly marks: { readonly good: number; readonly withinShare: number } | null;
  /** The largest possible drop: for pass marks, the share that is good; else Infinity. */
  readonly largest: number;
  readonly quantile: number | null;
  /** The observed change, for clusters that keep their labels; null: labels are dealt again. */
  readonly seen: number | null;
}

/** Allocates room for units, pairs and values. */
export function createPairs(units: number, pairs: number, values: number): Pairs {
  return {
    values: new Float64Array(values),
    start: new Int32Array(pairs + 1),
    head: new Int32Array(pairs),
    weight: new Float64Array(pairs),
    first: new Int32Array(units + 1),
  };
}

/** Makes a pool of units; for pass marks it also estimates how a worse agent fails. */
export function createPool(
  units: readonly (readonly Pair[])[],
  isMarks: boolean,
  {
    quantile = null,
    seen = null,
    largest,
  }: Partial<Pick<Pool, "quantile" | "seen" | "largest">> = {},
): Pool {
  const sizes = units.map((unit) => unit.reduce((sum, { values }) => sum + values.length, 0));
  const add = (sum: number, one: number): number => sum + one;
  const pairs = createPairs(
    units.length,
    units.map(({ length }) => length).reduce(add, 0),
    sizes.reduce(add, 0),
  );
  let [pair, at] = [0, 0];
  for (const [unit, all] of units.entries()) {
    for (const { values, head, weight } of all) {
      pairs.values.set(values, at);
      pairs.head[pair] = head;
      pairs.weight[pair] = weight;
      pairs.start[++pair] = at += values.length;
    }
    pairs.first[unit + 1] = pair;
  }
  const longest = (counts: readonly number[]): number =>
    counts.reduce((most, one) => Math.max(most, one), 0);
  const most = { pairs: longest(units.map(({ length }) => length)), values: longest(sizes) };
  const marks = isMarks ? learnMarks(units.flat()) : null;
  return { pairs, most, marks, largest: largest ?? marks?.good ?? Infinity, quantile, seen };
}

function learnMarks(pairs: readonly Pair[]): Pool["marks"] {
  const rates = pairs.map(({ values }) => meanOf(values));
  const good = meanOf(rates);
  const within = meanOf(
    rates.map((rate, at) => {
      const rows = pairs[at]!.values.length;
      return (rate * (1 - rate) * rows) / (rows - 1);
    }),
  );
  const all = good * (1 - good);
  // Equal marks do not show whether a worse agent breaks examples or single runs; single runs take more.
  const share = all === 0 ? 1 : within / all;
  const withinShare = Math.min(1, Math.max(0, (share - BREAKS) / (WAVERS - BREAKS)));
  return { good, withinShare };
}

/** The unchanged agent of a comparison: its examples are resampled and their labels exchanged. */
export function poolOf(comparison: Comparison): Pool {
  const { column, clusterOf, quantile, binary, change, base } = comparison;
  if (quantile === null && clusterOf !== null) {
    const good = column.sign === 1 ? base : 1 - base;
    const units = sumClusters(column.differences, clusterOf);
    return createPool(units, false, binary ? { largest: good } : {});
  }
  const units = readUnits(comparison);
  if (quantile === null) return createPool(units, binary);
  return createPool(units, false, {
    quantile: column.sign === 1 ? quantile : 1 - quantile,
    seen: clusterOf === null ? null : change,
  });
}

/** Clusters change their sign as a whole, like a pair of their mean change and zero. */
function sumClusters(differences: Float64Array, clusterOf: Float64Array): Pair[][] {
  const sums = new Map<number, { total: number; size: number }>();
  for (let i = 0; i < differences.length; i++) {
    const one = sums.get(clusterOf[i]!) ?? { total: 0, size: 0 };
    one.total += differences[i]!;
    one.size++;
    sums.set(clusterOf[i]!, one);
  }
  return [...sums.values()].map(({ total, size }) => [
    { values: [total / size, 0], head: 1, weight: size },
  ]);
}

/** The pairs of each example or cluster, sorted by value, so that names do not matter. */
function readUnits({ column, rows, binary, clusterOf }: Comparison): Pair[][] {
  const turn = (value: number): number =>
    binary && column.sign === -1 ? 1 - value : column.sign * value;
  const n = column.differences.length;
  const many = Math.min(n, MAX_PAIRS);
  const pairs = Array.from({ length: many }, (_, at) => Math.floor((at * n) / many));
  const { values, start, head } = layOut({ ...column, rows }, pairs);
  const units = new Map<number, Pair[]>();
  for (const [at, pair] of pairs.entries()) {
    const own = [...values.subarray(start[at], start[at + 1])];
    // pass^k has one value per example, which is turned already.
    const one = { values: rows === null ? own : own.map(turn), head: head[at]!, weight: 1 };
    const unit = clusterOf?.[pair] ?? pair;
    const known = units.get(unit);
    if (known === undefined) units.set(unit, [one]);
    else known.push(one);
  }
  const compare = (a: Pair, b: Pair): number => {
    const at = a.values.findIndex((value, k) => value !== b.values[k]);
    return at === -1 ? 0 : a.values[at]! - (b.values[at] ?? 0);
  };
  return [...units.values()]
    .map((unit) => unit.sort(compare))
    .sort((a, b) => compare(a[0]!, b[0]!));
}
