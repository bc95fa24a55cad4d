import { compareMetric, type Comparison } from "./comparison.ts";
import type { Judging } from "./judging.ts";
import { columnOf, isUsage, parseMetric, rowValues, type MetricColumn } from "./metric.ts";
import type { Crashes, ReferenceRun } from "./reference.ts";
import type { GateTable } from "./row.ts";

/** A metric with crashes at the worst value, and how many of them had no value. */
interface WithCrashes {
  readonly column: MetricColumn;
  readonly count: number;
}

function putAtWorst(
  table: GateTable,
  metricName: string,
  { isCrash, worst }: { readonly isCrash: Uint8Array; readonly worst: number },
): WithCrashes {
  const metric = parseMetric(metricName);
  const values = rowValues(table, metric).slice();
  let count = 0;
  for (let row = 0; row < values.length; row++) {
    if (isCrash[row] !== 1 || !Number.isNaN(values[row]!)) continue;
    values[row] = worst;
    count++;
  }
  return { column: columnOf(table, metric, values), count };
}

/**
 * A metric of the head with its new crashes at the worst value; null if no crash lacks a value.
 * For a floor, its operator decides which side is worst.
 */
export function columnWithCrashes(
  judging: Judging,
  crashes: Crashes,
  metricName: string,
  lowerIsBetter = judging.lowerIsBetter(metricName),
): (WithCrashes & { readonly worst: number }) | null {
  const { kind } = parseMetric(metricName);
  const isCounted = judging.gates.errors === "count" && crashes.crashes > 0;
  if (!isCounted || kind === "rows" || kind === "error_rate") return null;
  const worst = worstValue(judging, metricName, lowerIsBetter);
  const found = putAtWorst(judging.head.table, metricName, { isCrash: crashes.isNew, worst });
  return found.count === 0 ? null : { ...found, worst };
}

/**
 * Compares a metric with a reference as if every new crash had the worst score; null if no crash
 * lacks a value. `stronger`: whether that contains at least all evidence of the scored rows, since
 * this run's crashes count as drops, and the reference has none that could hide others.
 */
export function compareCrashImputed(
  judging: Judging,
  metric: string,
  reference: ReferenceRun,
): { readonly comparison: Comparison; readonly stronger: boolean } | null {
  const { table, crashes, whole: shared } = reference;
  const head = columnWithCrashes(judging, crashes, metric);
  if (head === null) return null;
  // An example that crashes as often as before is not worse.
  const base = putAtWorst(table, metric, { isCrash: table.error, worst: head.worst });
  const columns = { head: head.column, base: base.column };
  const comparison = compareMetric({ judging, metric, reference, shared, columns });
  if (comparison === null) return null;
  return { comparison, stronger: base.count === 0 && comparison.binary };
}

/** 0 (or 1) for scores within 0…1, else the worst value in the compared runs. */
function worstValue({ head, base, anchor }: Judging, metricName: string, lower: boolean): number {
  const seen = [head, base, anchor].flatMap((side) => side?.column(metricName).extent ?? []);
  const [low, high] = [Math.min(...seen), Math.max(...seen)];
  const unit = !isUsage(metricName) && low >= 0 && high <= 1;
  if (unit || low > high) return lower ? 1 : 0;
  return lower ? high : low;
}
