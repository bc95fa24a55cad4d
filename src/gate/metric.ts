import type { GateRow, GateTable } from "./row.ts";

/** What a gated name means: a score of the file, or a metric derived from the rows. */
export type Metric =
  | { readonly kind: "score"; readonly key: string }
  | { readonly kind: "error_rate" }
  | { readonly kind: "rows" }
  | { readonly kind: "latency"; readonly quantile: number }
  | { readonly kind: "pass"; readonly key: string; readonly k: number };

/** Names that every file has, for messages; `latency_p1` to `latency_p99` and `pass^k(metric)` work alike. */
export const DERIVED_METRICS = [
  "error_rate",
  "latency_p50",
  "latency_p95",
  "latency_p99",
  "rows",
] as const;

/** Reads a gated name; whatever is not derived is a score of that name. */
export function parseMetric(name: string): Metric {
  if (name === "error_rate" || name === "rows") return { kind: name };
  const latency = /^latency_p([1-9]\d?)$/.exec(name);
  if (latency) return { kind: "latency", quantile: Number(latency[1]) / 100 };
  const pass = /^pass\^([1-9]\d?)\((.+)\)$/.exec(name);
  if (pass) return { kind: "pass", k: Number(pass[1]), key: pass[2]!.trim() };
  return { kind: "score", key: name };
}

/**
 * Words that make a metric "lower is better" when neither `direction` nor a floor says: whole words of the name, so
 * `toxicity_score` is one and `detoxified` is not. Listed in docs/gates.md.
 */
const LOWER_WORDS = [
  "error",
  "errors",
  "failure",
  "failures",
  "latency",
  "duration",
  "hallucination",
  "hallucinations",
  "toxicity",
  "toxic",
  "bias",
  "harm",
  "harmfulness",
  "cost",
  "token",
  "tokens",
  "perplexity",
  "loss",
  "wer",
  "cer",
] as const;

/** Which way is better: declared, else the side its own floor guards, else by name, else higher. */
export function isLowerBetter({
  metric,
  declared,
  operators,
}: {
  readonly metric: string;
  readonly declared: "lower" | "higher" | undefined;
  /** Operators of the floors on this metric. */
  readonly operators: readonly string[];
}): boolean {
  if (declared !== undefined) return declared === "lower";
  const ceilings = operators.filter((operator) => operator.startsWith("<")).length;
  if (operators.length > 0 && (ceilings === 0 || ceilings === operators.length))
    return ceilings > 0;
  const parsed = parseMetric(metric);
  if (parsed.kind === "pass") return false;
  const words: readonly string[] = metric
    .replace(/([a-z])([A-Z])/g, "$1_$2")
    .toLowerCase()
    .split(/[^a-z]+/);
  return LOWER_WORDS.some((word) => words.includes(word));
}

/** Whether a row ran without error and has any score. */
export function isScored(row: GateRow): boolean {
  if (row.error) return false;
  for (const key in row.scores) if (Number.isFinite(row.scores[key])) return true;
  return false;
}

/** The scores that a table holds, sorted. */
export function metricsOf(table: GateTable): string[] {
  const seen = new Set<string>();
  for (const row of table.rows) if (!row.error) for (const key in row.scores) seen.add(key);
  return [...seen].sort();
}

/** Rows of a table grouped by example, examples in a fixed order that does not depend on the file's. */
export interface TableIndex {
  readonly table: GateTable;
  readonly examples: readonly string[];
  /** Positions in `table.rows`, grouped: those of example e are `order[start[e]]` to `order[start[e + 1] - 1]`. */
  readonly order: Int32Array;
  readonly start: Int32Array;
  /** Most rows that one example has. */
  readonly repeats: number;
}

/** Groups once what every gate of the table needs. */
export function createIndex(table: GateTable): TableIndex {
  const first = new Map<string, number>();
  const group = new Int32Array(table.rows.length);
  table.rows.forEach((row, at) => {
    let id = first.get(row.example);
    if (id === undefined) first.set(row.example, (id = first.size));
    group[at] = id;
  });
  const examples = sorted([...first.keys()]);
  const rank = new Int32Array(examples.length);
  examples.forEach((example, at) => {
    rank[first.get(example)!] = at;
  });
  const start = new Int32Array(examples.length + 1);
  for (const id of group) start[rank[id]! + 1]! += 1;
  for (let e = 0; e < examples.length; e++) start[e + 1]! += start[e]!;
  const next = start.slice();
  const order = new Int32Array(table.rows.length);
  group.forEach((id, at) => {
    order[next[rank[id]!]!++] = at;
  });
  let repeats = 0;
  for (let e = 0; e < examples.length; e++) repeats = Math.max(repeats, start[e + 1]! - start[e]!);
  return { table, examples, order, start, repeats };
}

/** Sorts by code unit, in place; most baselines are sorted already, and looking costs less than sorting. */
export function sorted(texts: string[]): string[] {
  for (let at = 1; at < texts.length; at++) if (texts[at - 1]! > texts[at]!) return texts.sort();
  return texts;
}

/** One metric of one table, an entry per example of its index; repeats are averaged first. */
export interface Column {
  /** NaN where the example has no value. */
  readonly mean: Float64Array;
  /** Rows of the example that have a value. */
  readonly scored: Int32Array;
  /** Rows of the example that have none: errored, or the key is missing. */
  readonly missing: Int32Array;
  /** Sum of squares of the repeats around their mean; empty when no example is repeated. */
  readonly within: Float64Array;
  /** Whether every single value is 0 or 1. */
  readonly binary: boolean;
}

/** The value that one row has for a metric; NaN when it has none. `rows` has no value per row. */
export function valueOf(row: GateRow, metric: Metric): number {
  if (metric.kind === "error_rate") return row.error ? 1 : 0;
  if (row.error) return NaN;
  if (metric.kind === "latency") return row.latency ?? NaN;
  if (metric.kind === "rows") return NaN;
  const score = row.scores[metric.key];
  return score === undefined || !Number.isFinite(score) ? NaN : score;
}

/** Reads one metric off a table. For pass^k an example with fewer than k scored repeats has no value. */
export function columnOf(index: TableIndex, metric: Metric): Column {
  const n = index.examples.length;
  const column = {
    mean: new Float64Array(n),
    scored: new Int32Array(n),
    missing: new Int32Array(n),
    binary: true,
    within: new Float64Array(index.repeats > 1 ? n : 0),
  };
  const {
    order,
    start,
    table: { rows: all },
  } = index;
  const values: number[] = [];
  for (let e = 0; e < n; e++) {
    if (start[e + 1]! - start[e]! === 1 && metric.kind !== "pass") {
      readSingle(column, e, valueOf(all[order[start[e]!]!]!, metric));
      continue;
    }
    values.length = 0;
    for (let at = start[e]!; at < start[e + 1]!; at++) {
      const value = valueOf(all[order[at]!]!, metric);
      if (value !== value) continue;
      values.push(value);
      if (value !== 0 && value !== 1) column.binary = false;
    }
    const rows = start[e + 1]! - start[e]!;
    const usable = metric.kind === "pass" && values.length < metric.k ? 0 : values.length;
    column.scored[e] = usable;
    column.missing[e] = rows - usable;
    if (usable === 0) column.mean[e] = NaN;
    else if (metric.kind === "pass") column.mean[e] = passAll(values, metric.k);
    else averageInto(column, e, values);
  }
  return column;
}

/** The common case, an example without repeats; large files spend their time here. */
function readSingle(
  column: { mean: Float64Array; scored: Int32Array; missing: Int32Array; binary: boolean },
  e: number,
  value: number,
): void {
  column.mean[e] = value;
  if (value !== value) column.missing[e] = 1;
  else {
    column.scored[e] = 1;
    if (value !== 0 && value !== 1) column.binary = false;
  }
}

function averageInto(
  column: { mean: Float64Array; within: Float64Array },
  e: number,
  values: number[],
): void {
  // Added in ascending order, so that the order of the rows cannot move the last digit.
  if (values.length > 1) values.sort((a, b) => a - b);
  let sum = 0;
  for (const value of values) sum += value;
  const mean = sum / values.length;
  column.mean[e] = mean;
  if (values.length > 1) for (const value of values) column.within[e]! += (value - mean) ** 2;
}

/** Chance that k repeats drawn without return all pass, C(c, k) / C(K, k); a repeat passes with a score of at least 1. */
function passAll(values: readonly number[], k: number): number {
  const passed = values.filter((value) => value >= 1).length;
  let chance = 1;
  for (let i = 0; i < k; i++) chance *= Math.max(0, passed - i) / (values.length - i);
  return chance;
}

/** Every single value that some examples have for a metric, ascending; for quantiles, which averages would blunt. */
export function valuesOf(
  { order, start, table }: TableIndex,
  metric: Metric,
  examples?: ArrayLike<number>,
): Float64Array {
  const values = new Float64Array(table.rows.length);
  let counted = 0;
  const chosen = examples?.length ?? start.length - 1;
  for (let i = 0; i < chosen; i++) {
    const e = examples?.[i] ?? i;
    for (let at = start[e]!; at < start[e + 1]!; at++) {
      const value = valueOf(table.rows[order[at]!]!, metric);
      if (value === value) values[counted++] = value;
    }
  }
  return values.subarray(0, counted).sort();
}

/** One number for each of some positions; a plain loop, since `Float64Array.from` with a function is many times slower. */
export function gather(
  positions: ArrayLike<number>,
  value: (position: number) => number,
): Float64Array {
  const values = new Float64Array(positions.length);
  for (let i = 0; i < values.length; i++) values[i] = value(positions[i]!);
  return values;
}

/** Share of an example's values that lie above a cut; 0 when it has none. */
export function shareAbove({
  index,
  metric,
  example,
  cut,
}: {
  readonly index: TableIndex;
  readonly metric: Metric;
  readonly example: number;
  readonly cut: number;
}): number {
  let above = 0;
  let counted = 0;
  for (let at = index.start[example]!; at < index.start[example + 1]!; at++) {
    const value = valueOf(index.table.rows[index.order[at]!]!, metric);
    if (value !== value) continue;
    counted++;
    if (value > cut) above++;
  }
  return counted === 0 ? 0 : above / counted;
}
