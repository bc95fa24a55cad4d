import { columnOf, parseMetric, rowValues, type Column } from "./metric.ts";
import type { Judging, ReferenceRun } from "./side.ts";

/** Rows that errored now and whose example did not error in the baseline. */
export interface Crashes {
  /** By head row. */
  readonly isNew: Uint8Array;
  readonly count: number;
  /** All rows of the head. */
  readonly rows: number;
}

/** Finds the new crashes; without a baseline every crash is new. */
export function findCrashes(judging: Judging): Crashes {
  const { index } = judging.head;
  const { table, order, start } = index;
  const isNew = Uint8Array.from(table.error);
  if (judging.base !== null) forgiveOld(judging.base, isNew, order, start);
  let count = 0;
  for (const mark of isNew) count += mark;
  return { isNew, count, rows: table.size };
}

function forgiveOld(
  { side, shared }: ReferenceRun,
  isNew: Uint8Array,
  order: Int32Array,
  start: Int32Array,
): void {
  const before = side.index;
  for (let i = 0; i < shared.head.length; i++) {
    const b = shared.base[i]!;
    let errored = false;
    for (let at = before.start[b]!; at < before.start[b + 1]!; at++)
      if (before.table.error[before.order[at]!] === 1) errored = true;
    if (!errored) continue;
    const h = shared.head[i]!;
    for (let at = start[h]!; at < start[h + 1]!; at++) isNew[order[at]!] = 0;
  }
}

/** A metric of the head with its new crashes at the worst value; null where no crash lacks a value. */
export function columnWithCrashes(
  judging: Judging,
  crashes: Crashes,
  metricName: string,
): { readonly column: Column; readonly count: number; readonly worst: number } | null {
  const metric = parseMetric(metricName);
  if (crashes.count === 0 || metric.kind === "rows" || metric.kind === "error_rate") return null;
  const { table } = judging.head.index;
  const values = rowValues(table, metric).slice();
  const worst = worstValue(judging, metricName, values);
  let count = 0;
  for (let row = 0; row < values.length; row++) {
    if (crashes.isNew[row] !== 1 || !Number.isNaN(values[row]!)) continue;
    values[row] = worst;
    count++;
  }
  if (count === 0) return null;
  return { column: columnOf(judging.head.index, metric, values), count, worst };
}

/** The same metric of a reference with its own crashes at that value: what crashes as often as before is not worse. */
export function referenceWithCrashes(
  { table, side }: ReferenceRun,
  metricName: string,
  worst: number,
): Column {
  const metric = parseMetric(metricName);
  const values = rowValues(table, metric).slice();
  for (let row = 0; row < values.length; row++)
    if (table.error[row] === 1 && Number.isNaN(values[row]!)) values[row] = worst;
  return columnOf(side.index, metric, values);
}

/** 0 (or 1) for what lies in 0…1, else the worst that either run has. */
function worstValue(judging: Judging, metricName: string, values: Float64Array): number {
  const metric = parseMetric(metricName);
  const others = [judging.base, judging.anchor].flatMap((one) =>
    one === null ? [] : [rowValues(one.table, metric)],
  );
  let [low, high] = [Infinity, -Infinity];
  for (const column of [values, ...others]) {
    for (const value of column) {
      if (value < low) low = value;
      if (value > high) high = value;
    }
  }
  const lower = judging.lowerIsBetter(metricName);
  const unit = metric.kind !== "latency" && low >= 0 && high <= 1;
  if (unit || low > high) return lower ? 1 : 0;
  return lower ? high : low;
}
