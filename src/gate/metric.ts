import type { GateTable } from "./row.ts";

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

/** Rows of a table that have a score, also those that crashed after something was scored. */
export function countScored({ size, scores }: GateTable): number {
  const columns = [...scores.values()];
  let count = 0;
  for (let row = 0; row < size; row++)
    if (columns.some((values) => !Number.isNaN(values[row]!))) count++;
  return count;
}

/** The share of crashed rows of each example. */
export const crashShares = (table: GateTable): Float64Array =>
  columnOf(table, { kind: "error_rate" }).mean;

/** How many of the rows crashed. */
export interface CrashCount {
  readonly crashes: number;
  readonly rows: number;
}

/** Rows of a table that crashed. */
export function countErrors(table: GateTable): number {
  let count = 0;
  for (let row = 0; row < table.size; row++) count += table.error[row]!;
  return count;
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

/** One metric of one table, with one entry per example; repeats are averaged first. */
export interface MetricColumn {
  /** NaN if the example has no value. */
  readonly mean: Float64Array;
  /** Rows of the example with a value; one byte each if that is enough. */
  readonly scored: Uint8Array | Int32Array;
  /** One value per row of the table. */
  readonly values: Float64Array;
  /** Whether every value is a mark, 0 or 1; a cost, a count of tokens or a time never is. */
  readonly binary: boolean;
  /** Lowest and highest value; Infinity and -Infinity if there is none. */
  readonly extent: readonly [low: number, high: number];
}

/** Reads one metric from a table. For pass^k, an example with fewer than k scored repeats has no value. */
export function columnOf(
  table: GateTable,
  metric: Metric,
  values = rowValues(table, metric),
): MetricColumn {
  const { examples, repeats } = table;
  const scored = repeats < 256 ? new Uint8Array(examples) : new Int32Array(examples);
  return {
    mean: meansOf(table, metric, values, scored),
    scored,
    values,
    binary: !measuresUsage(metric) && areMarks(values),
    extent: extentOf(values),
  };
}

/** The mean of each example's values, or its pass^k; fills in how many values it has, 0 if too few. */
function meansOf(
  { start, examples, repeats }: GateTable,
  metric: Metric,
  values: Float64Array,
  scored: Uint8Array | Int32Array,
): Float64Array {
  if (repeats <= 1 && metric.kind !== "pass") {
    // With one row per example, values are means.
    for (let e = 0; e < examples; e++) if (!Number.isNaN(values[e]!)) scored[e] = 1;
    return values;
  }
  const mean = new Float64Array(examples);
  const fewest = metric.kind === "pass" ? metric.k : 1;
  for (let e = 0; e < examples; e++) {
    let sum = 0;
    let count = 0;
    for (let row = start[e]!; row < start[e + 1]!; row++) {
      if (Number.isNaN(values[row]!)) continue;
      sum += values[row]!;
      count++;
    }
    if (count >= fewest) scored[e] = count;
    if (count < fewest) mean[e] = NaN;
    else if (metric.kind !== "pass") mean[e] = sum / count;
    else mean[e] = passAll(values.subarray(start[e], start[e + 1]), metric.k);
  }
  return mean;
}

/** Whether every value is 0 or 1, or missing. */
function areMarks(values: Float64Array): boolean {
  for (let row = 0; row < values.length; row++) {
    const value = values[row]!;
    if (value !== 0 && value !== 1 && !Number.isNaN(value)) return false;
  }
  return true;
}

/** The examples with a value; not a list, since growing one to a million takes five times the memory. */
export function scoredExamples({ scored }: MetricColumn): Int32Array {
  const examples = new Int32Array(scored.length);
  let count = 0;
  for (let e = 0; e < scored.length; e++) if (scored[e]! > 0) examples[count++] = e;
  return examples.subarray(0, count);
}

/**
 * Probability that k of the repeats with a value, drawn without replacement, all pass,
 * C(c, k) / C(K, k); a repeat passes with a score of at least 1.
 */
export function passAll(values: Float64Array, k: number): number {
  let [passed, count, chance] = [0, 0, 1];
  for (const value of values) {
    if (value >= 1) passed++;
    if (!Number.isNaN(value)) count++;
  }
  for (let i = 0; i < k; i++) chance *= Math.max(0, passed - i) / (count - i);
  return chance;
}

/** Every value of some examples for a metric, ascending; for quantiles, which averages would distort. */
export function valuesOf(
  { start }: GateTable,
  column: MetricColumn,
  examples: ArrayLike<number>,
): Float64Array {
  let [size, counted] = [0, 0];
  for (let i = 0; i < examples.length; i++) size += column.scored[examples[i]!]!;
  const values = new Float64Array(size);
  for (let i = 0; i < examples.length; i++) {
    const e = examples[i]!;
    for (let row = start[e]!; row < start[e + 1]!; row++) {
      const value = column.values[row]!;
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

/** The numbers at some positions of a column. */
export function pick(column: ArrayLike<number>, positions: ArrayLike<number>): Float64Array {
  const picked = new Float64Array(positions.length);
  for (let i = 0; i < picked.length; i++) picked[i] = column[positions[i]!]!;
  return picked;
}

/**
 * Lowest and highest value of some columns, ignoring NaN; Infinity and -Infinity if there are no
 * numbers. Columns are iterated by index, here and elsewhere: `for … of` creates an object for
 * each number.
 */
export function extentOf(...columns: readonly Float64Array[]): readonly [number, number] {
  let low = Infinity;
  let high = -Infinity;
  for (const values of columns) {
    for (let i = 0; i < values.length; i++) {
      const value = values[i]!;
      if (value < low) low = value;
      if (value > high) high = value;
    }
  }
  return [low, high];
}
