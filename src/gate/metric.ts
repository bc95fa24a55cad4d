import { compareNames, orderRows, type ExampleNames } from "./example-names.ts";
import type { GateTable } from "./row.ts";
import { sortFew } from "./selection.ts";

/** The meaning of a gated name: a score of the file, or a metric derived from the rows. */
export type Metric =
  | { readonly kind: "score"; readonly key: string }
  | { readonly kind: "error_rate" }
  | { readonly kind: "rows" }
  /** A quantile of the rows; null: the mean. */
  | { readonly kind: "latency"; readonly quantile: number | null }
  | { readonly kind: "pass"; readonly key: string; readonly k: number };

/** Names that every file has, for messages; `latency_p1` to `latency_p99` and `pass^k(metric)` work the same way. */
export const DERIVED_METRICS = [
  "error_rate",
  "latency",
  "latency_p50",
  "latency_p90",
  "latency_p95",
  "latency_p99",
  "rows",
] as const;

/** Parses a gated name; anything not derived is a score of that name. */
export function parseMetric(name: string): Metric {
  if (name === "error_rate" || name === "rows") return { kind: name };
  if (name === "latency") return { kind: "latency", quantile: null };
  const latency = /^latency_p([1-9]\d?)$/.exec(name);
  if (latency) return { kind: "latency", quantile: Number(latency[1]) / 100 };
  const pass = /^pass\^([1-9]\d?)\((.+)\)$/.exec(name);
  if (pass) return { kind: "pass", k: Number(pass[1]), key: pass[2]!.trim() };
  return { kind: "score", key: name };
}

/** Resources used by a run, which a gate on every metric leaves out. */
export const USAGE: readonly string[] = [
  "completion_tokens",
  "cost",
  "cost_usd",
  "duration",
  "input_tokens",
  "latency",
  "latency_ms",
  "latency_s",
  "output_tokens",
  "prompt_tokens",
  "tokens",
  "total_cost",
  "total_tokens",
];

/** Normalises `Noise Sensitivity`, `noiseSensitivity`, `noise-sensitivity` and `noise[sensitivity]` to one spelling. */
export function normalName(metric: string): string {
  return metric
    .replace(/([a-z0-9])([A-Z])/gu, "$1_$2")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "_")
    .replace(/^_|_$/gu, "");
}

/** Whether a metric is the cost, tokens or time of a run. */
export function isUsage(metric: string): boolean {
  return measuresUsage(parseMetric(metric));
}

function measuresUsage(metric: Metric): boolean {
  return (
    metric.kind === "latency" || (metric.kind === "score" && USAGE.includes(normalName(metric.key)))
  );
}

/** The score that a metric is based on; null if it is computed from the rows. */
export function scoreOf(name: string): string | null {
  const metric = parseMetric(name);
  return metric.kind === "score" || metric.kind === "pass" ? metric.key : null;
}

/** Whether a row has any score, also if it crashed after something was scored. */
function isScored(table: GateTable, row: number): boolean {
  for (const values of table.scores.values()) if (!Number.isNaN(values[row]!)) return true;
  return false;
}

/** Rows of a table that have a score. */
export function countScored(table: GateTable): number {
  let count = 0;
  for (let row = 0; row < table.size; row++) if (isScored(table, row)) count++;
  return count;
}

/** Rows of a table that crashed. */
export function countErrors(table: GateTable): number {
  let count = 0;
  for (let row = 0; row < table.size; row++) count += table.error[row]!;
  return count;
}

/** Rows of a table grouped by example, in an order of examples that does not depend on the file's. */
export interface TableIndex {
  readonly table: GateTable;
  readonly examples: ExampleNames;
  /** Grouped rows of the table: those of example e are `order[start[e]]` to `order[start[e + 1] - 1]`. */
  readonly order: Int32Array;
  readonly start: Int32Array;
  /** Rows of each example, and as many zeros. */
  readonly rows: Counts;
  readonly none: Counts;
  /** The most rows of any example. */
  readonly repeats: number;
  /** Whether rows and examples have the same numbers: one row each, in the order of examples. */
  readonly plain: boolean;
}

/** Groups a table once for all gates. */
export function createIndex(table: GateTable): TableIndex {
  const index = groupRows(table);
  if (index.repeats > 1) sortRepeats(index);
  return index;
}

/** Sorts repeats by their scores, so that the order of a file's rows does not matter. */
function sortRepeats({ table, order, start, examples }: TableIndex): void {
  const columns = [...table.scores.values(), table.error, table.latency];
  const compare = (a: number, b: number): number => {
    for (const values of columns) {
      const [one, other] = [values[a]!, values[b]!];
      if (one < other) return -1;
      if (one > other) return 1;
      if (Number.isNaN(one) !== Number.isNaN(other)) return Number.isNaN(one) ? 1 : -1;
    }
    return a - b;
  };
  for (let e = 0; e < examples.length; e++)
    if (start[e + 1]! - start[e]! > 1) order.subarray(start[e]!, start[e + 1]!).sort(compare);
}

function groupRows(table: GateTable): TableIndex {
  const { example } = table;
  const order = orderRows(example);
  const starts = new Int32Array(order.length + 1);
  let count = 0;
  let repeats = 0;
  let plain = true;
  for (let at = 0; at < order.length; at++) {
    if (at === 0 || compareNames(example, order[at]!, example, order[at - 1]!) !== 0)
      starts[count++] = at;
    starts[count] = at + 1;
    repeats = Math.max(repeats, at + 1 - starts[count - 1]!);
    plain &&= order[at] === at && repeats === 1;
  }
  const start = starts.subarray(0, count + 1);
  const examples = { length: count, at: (e: number) => example.at(order[start[e]!]!) };
  const [rows, none] = [createCounts(count, repeats), createCounts(count, repeats)];
  for (let e = 0; e < count; e++) rows[e] = start[e + 1]! - start[e]!;
  return { table, examples, order, start, rows, none, repeats, plain };
}

/** One byte per count if that is enough: large files have few repeats. */
type Counts = Uint8Array | Int32Array;

const createCounts = (length: number, most: number): Counts =>
  most < 256 ? new Uint8Array(length) : new Int32Array(length);

/** One metric of one table, with one entry per example; repeats are averaged first. */
export interface MetricColumn {
  /** NaN if the example has no value. */
  readonly mean: Float64Array;
  /** Rows of the example with a value. */
  readonly scored: Counts;
  /** Rows of the example without one: crashed, or the key is missing. */
  readonly missing: Counts;
  /** One value per row of the table. */
  readonly values: Float64Array;
  /** Whether every value is a mark, 0 or 1; a cost, a count of tokens or a time never is. */
  readonly binary: boolean;
  /** Whether every row has a value, as in most columns. */
  readonly whole: boolean;
  /** Lowest and highest value; Infinity and -Infinity if there is none. */
  readonly extent: readonly [low: number, high: number];
}

/** The values of a metric by row, NaN if missing. `rows` has no value per row. */
export function rowValues(table: GateTable, metric: Metric): Float64Array {
  switch (metric.kind) {
    case "error_rate":
      return Float64Array.from(table.error);
    case "latency":
      if (metric.quantile === null && table.scores.has("latency"))
        return table.scores.get("latency")!;
      return table.latency.map((seconds, row) => (table.error[row] === 1 ? NaN : seconds));
    case "rows":
      return new Float64Array(table.size).fill(NaN);
    case "score":
    case "pass":
      return table.scores.get(metric.key) ?? new Float64Array(table.size).fill(NaN);
  }
}

/** Reads one metric from a table. For pass^k, an example with fewer than k scored repeats has no value. */
export function columnOf(
  index: TableIndex,
  metric: Metric,
  all = rowValues(index.table, metric),
): MetricColumn {
  const { order, start, rows, none, repeats } = index;
  const n = index.examples.length;
  const found = scan(all);
  const about = {
    ...found,
    values: all,
    binary: found.binary && !measuresUsage(metric),
    whole: found.whole && metric.kind !== "pass",
  };
  // If there is one row per example in the order of examples, values are means.
  if (about.whole && index.plain) return { ...about, mean: all, scored: rows, missing: none };
  const column = {
    ...about,
    mean: new Float64Array(n),
    scored: createCounts(n, repeats),
    missing: createCounts(n, repeats),
  };
  const values = new Float64Array(repeats);
  for (let e = 0; e < n; e++) {
    let count = 0;
    for (let at = start[e]!; at < start[e + 1]!; at++) {
      const value = all[order[at]!]!;
      if (!Number.isNaN(value)) values[count++] = value;
    }
    const usable = metric.kind === "pass" && count < metric.k ? 0 : count;
    column.scored[e] = usable;
    column.missing[e] = rows[e]! - usable;
    if (usable === 0) column.mean[e] = NaN;
    else if (metric.kind === "pass") column.mean[e] = passAll(values.subarray(0, count), metric.k);
    else column.mean[e] = averageOf(values, count);
  }
  return column;
}

/** Whether no value is missing, whether the others are all 0 or 1, and the lowest and highest. */
function scan(values: Float64Array): Pick<MetricColumn, "whole" | "binary" | "extent"> {
  let [lacking, others, low, high] = [0, 0, Infinity, -Infinity];
  for (let row = 0; row < values.length; row++) {
    const value = values[row]!;
    if (Number.isNaN(value)) lacking++;
    else if (value !== 0 && value !== 1) others++;
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return { whole: lacking === 0, binary: others === 0, extent: [low, high] };
}

function averageOf(values: Float64Array, count: number): number {
  // Added in ascending order, so that the order of rows cannot change the last digit.
  sortFew(values, 0, count);
  let sum = 0;
  for (let i = 0; i < count; i++) sum += values[i]!;
  return sum / count;
}

/**
 * Probability that k repeats drawn without replacement all pass, C(c, k) / C(K, k); a repeat
 * passes with a score of at least 1.
 */
export function passAll(values: Float64Array, k: number): number {
  const passed = values.filter((value) => value >= 1).length;
  let chance = 1;
  for (let i = 0; i < k; i++) chance *= Math.max(0, passed - i) / (values.length - i);
  return chance;
}

/** Every value of some examples for a metric, ascending; for quantiles, which averages would distort. */
export function valuesOf(
  index: TableIndex,
  column: MetricColumn,
  examples: ArrayLike<number>,
): Float64Array {
  let [size, counted] = [0, 0];
  for (let i = 0; i < examples.length; i++) size += column.scored[examples[i]!]!;
  const values = new Float64Array(size);
  for (let i = 0; i < examples.length; i++) {
    const e = examples[i]!;
    for (let at = index.start[e]!; at < index.start[e + 1]!; at++) {
      const value = column.values[index.order[at]!]!;
      if (!Number.isNaN(value)) values[counted++] = value;
    }
  }
  return values.sort();
}

/**
 * Quantile by linear interpolation between order statistics (type 7 of Hyndman and Fan 1996);
 * `sorted` is ascending and not empty.
 */
export function quantileOf(sorted: ArrayLike<number>, q: number): number {
  const position = (sorted.length - 1) * q;
  const below = Math.floor(position);
  const low = sorted[below]!;
  const high = sorted[Math.min(below + 1, sorted.length - 1)]!;
  return low + (position - below) * (high - low);
}

/** One number per position; a plain loop, since `Float64Array.from` with a function is many times slower. */
export function gather(
  positions: ArrayLike<number>,
  value: (position: number) => number,
): Float64Array {
  const values = new Float64Array(positions.length);
  for (let i = 0; i < values.length; i++) values[i] = value(positions[i]!);
  return values;
}
