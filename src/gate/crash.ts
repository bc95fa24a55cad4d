import { compareMetric, FEWEST_PAIRS, type Comparison } from "./comparison.ts";
import { columnOf, parseMetric, rowValues, type MetricColumn } from "./metric.ts";
import { extentOf } from "./selection.ts";
import type { Judging, ReferenceRun } from "./side.ts";
import { withUnsharedCrashes } from "./unshared-crash.ts";

/** Rows that errored now and whose example did not error in the baseline. */
export interface Crashes {
  /** By head row. */
  readonly isNew: Uint8Array;
  readonly count: number;
  /** All rows of the head. */
  readonly rows: number;
}

/** Finds the crashes that the baseline, or another reference, does not have; without one every crash is new. */
export function findCrashes(judging: Judging, reference = judging.base): Crashes {
  const { index } = judging.head;
  const { table, order, start } = index;
  const isNew = table.error.slice();
  if (reference !== null && isNew.includes(1)) forgiveOld(reference, isNew, order, start);
  let count = 0;
  for (let row = 0; row < isNew.length; row++) count += isNew[row]!;
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

/**
 * A metric of the head with its new crashes at the worst value; null where no crash lacks a value. Which side is the
 * worst one a floor says by its own operator.
 */
export function columnWithCrashes(
  judging: Judging,
  crashes: Crashes,
  metricName: string,
  lowerIsBetter = judging.lowerIsBetter(metricName),
): { readonly column: MetricColumn; readonly count: number; readonly worst: number } | null {
  const metric = parseMetric(metricName);
  if (crashes.count === 0 || metric.kind === "rows" || metric.kind === "error_rate") return null;
  const { table } = judging.head.index;
  const values = rowValues(table, metric).slice();
  const worst = worstValue({ judging, metricName, values, lowerIsBetter });
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
function referenceWithCrashes(
  { table, side }: ReferenceRun,
  metricName: string,
  worst: number,
): { readonly column: MetricColumn; readonly count: number } {
  const metric = parseMetric(metricName);
  const values = rowValues(table, metric).slice();
  let count = 0;
  for (let row = 0; row < values.length; row++) {
    if (table.error[row] !== 1 || !Number.isNaN(values[row]!)) continue;
    values[row] = worst;
    count++;
  }
  return { column: columnOf(side.index, metric, values), count };
}

/** A comparison with every crash at the worst value. */
export interface Spoilt {
  readonly comparison: Comparison;
  /**
   * Whether it sees everything that the scored rows could show, and more: crashes of this run are in it as falls,
   * and the reference has none that could hide others.
   */
  readonly stronger: boolean;
}

/** Compares a metric with a reference as if every new crash had scored worst; null where no crash lacks a value. */
export function compareSpoilt(
  judging: Judging,
  metric: string,
  reference: ReferenceRun,
): Spoilt | null {
  if (judging.gates.errors === "ignore") return null;
  const spoilt = columnWithCrashes(judging, findCrashes(judging, reference), metric);
  if (spoilt === null) return null;
  const before = referenceWithCrashes(reference, metric, spoilt.worst);
  const columns = { head: spoilt.column, base: before.column };
  const whole = withUnsharedCrashes(judging, reference);
  const comparison = compareMetric({ judging, metric, reference: whole, columns });
  if (comparison === null || comparison.n < FEWEST_PAIRS) return null;
  return { comparison, stronger: before.count === 0 && comparison.binary };
}

/** 0 (or 1) for what is in 0…1, else the worst that either run has. */
function worstValue({
  judging,
  metricName,
  values,
  lowerIsBetter: lower,
}: {
  readonly judging: Judging;
  readonly metricName: string;
  readonly values: Float64Array;
  readonly lowerIsBetter: boolean;
}): number {
  const metric = parseMetric(metricName);
  const others = [judging.base, judging.anchor].flatMap((one) =>
    one === null ? [] : [rowValues(one.table, metric)],
  );
  const [low, high] = extentOf(values, ...others);
  const unit = metric.kind !== "latency" && low >= 0 && high <= 1;
  if (unit || low > high) return lower ? 1 : 0;
  return lower ? high : low;
}
