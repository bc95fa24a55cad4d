import { groupBy } from "../model/group-by.ts";
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

/** Pairs in sequence, turned so that more is better, with the start of each unit's pairs. */
export interface Pairs extends Layout {
  /** How many examples a pair represents. */
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
    weight: new Float64Array(pairs).fill(1),
    first: new Int32Array(units + 1),
  };
}

/** Makes a pool of pairs; for pass marks it also estimates how a worse agent fails. */
export function createPool(
  pairs: Pairs,
  isMarks: boolean,
  {
    quantile = null,
    seen = null,
    largest,
  }: Partial<Pick<Pool, "quantile" | "seen" | "largest">> = {},
): Pool {
  const { start, first } = pairs;
  const most = { pairs: 0, values: 0 };
  for (let unit = 1; unit < first.length; unit++) {
    const [from, to] = [first[unit - 1]!, first[unit]!];
    most.pairs = Math.max(most.pairs, to - from);
    most.values = Math.max(most.values, start[to]! - start[from]!);
  }
  const marks = isMarks ? learnMarks(pairs) : null;
  return { pairs, most, marks, largest: largest ?? marks?.good ?? Infinity, quantile, seen };
}

function learnMarks({ values, start, head }: Pairs): Pool["marks"] {
  const rates = Array.from(head, (_, pair) =>
    meanOf(values.subarray(start[pair], start[pair + 1])),
  );
  const good = meanOf(rates);
  const within = meanOf(
    rates.map((rate, pair) => {
      const rows = start[pair + 1]! - start[pair]!;
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
    const pairs = sumClusters(column.differences, clusterOf);
    return createPool(pairs, false, binary ? { largest: good } : {});
  }
  const pairs = readPairs(comparison);
  if (quantile === null) return createPool(pairs, binary);
  return createPool(pairs, false, {
    quantile: column.sign === 1 ? quantile : 1 - quantile,
    seen: clusterOf === null ? null : change,
  });
}

/** Pairs of equally many values, `head` of them this run's, each a unit of its own. */
export function alonePairs(values: Float64Array, size: number, head: number): Pairs {
  const count = values.length / size;
  const pairs = createPairs(count, count, 0);
  pairs.head.fill(head);
  for (let at = 1; at <= count; at++) [pairs.start[at], pairs.first[at]] = [at * size, at];
  return { ...pairs, values };
}

/** Clusters change their sign as a whole, like a pair of their mean change and zero. */
function sumClusters(differences: Float64Array, clusterOf: Float64Array): Pairs {
  const sums = new Map<number, { total: number; size: number }>();
  for (let i = 0; i < differences.length; i++) {
    const one = sums.get(clusterOf[i]!) ?? { total: 0, size: 0 };
    one.total += differences[i]!;
    one.size++;
    sums.set(clusterOf[i]!, one);
  }
  const clusters = [...sums.values()];
  const values = Float64Array.from(clusters.flatMap(({ total, size }) => [total / size, 0]));
  const weight = Float64Array.from(clusters, ({ size }) => size);
  return { ...alonePairs(values, 2, 1), weight };
}

/** The pairs of each example or cluster, sorted by value, so that names do not matter. */
function readPairs({ column, rows, binary, clusterOf }: Comparison): Pairs {
  const n = column.differences.length;
  const many = Math.min(n, MAX_PAIRS);
  const chosen = Array.from({ length: many }, (_, at) => Math.floor((at * n) / many));
  const changes = (): number[] => chosen.flatMap((pair) => [column.differences[pair]!, 0]);
  const laid =
    rows === null ? alonePairs(Float64Array.from(changes()), 2, 1) : layOut(rows, chosen);
  const turn = (value: number): number =>
    binary && column.sign === -1 ? 1 - value : column.sign * value;
  // pass^k has one value per example, which is turned already.
  const values = rows === null ? laid.values : laid.values.map(turn);
  const compare = (a: number, b: number): number => {
    const from = laid.start[a]!;
    const other = laid.start[b]!;
    const size = laid.start[a + 1]! - from;
    const otherSize = laid.start[b + 1]! - other;
    for (let k = 0; k < size; k++) {
      const one = values[from + k]!;
      const two = k < otherSize ? values[other + k]! : 0;
      if (one !== two || k >= otherSize) return one - two;
    }
    return 0;
  };
  const ordered = [...chosen.keys()].sort(compare);
  const units = groupBy(ordered, (at) => clusterOf?.[chosen[at]!] ?? at);
  return gatherPairs({ ...laid, values }, [...units.values()]);
}

function gatherPairs(
  { values, start, head }: Layout,
  units: readonly (readonly number[])[],
): Pairs {
  const order = units.flat();
  const pairs = createPairs(units.length, order.length, values.length);
  for (const [at, pair] of order.entries()) {
    const own = values.subarray(start[pair], start[pair + 1]);
    pairs.values.set(own, pairs.start[at]);
    pairs.start[at + 1] = pairs.start[at]! + own.length;
    pairs.head[at] = head[pair]!;
  }
  for (const [at, { length }] of units.entries()) pairs.first[at + 1] = pairs.first[at]! + length;
  return pairs;
}
