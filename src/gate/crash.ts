import { compareMetric, FEWEST_PAIRS, type Comparison } from "./comparison.ts";
import {
  columnOf,
  crashShares,
  isUsage,
  parseMetric,
  rowValues,
  type MetricColumn,
} from "./metric.ts";
import type { GateTable } from "./row.ts";
import type { CrashCount } from "./sentence.ts";
import type { Judging } from "./judging.ts";
import type { ReferenceRun } from "./side.ts";
import { withUnsharedCrashes } from "./unshared-crash.ts";

/** Rows that crashed now, although their example did not crash in the baseline. */
export interface Crashes extends CrashCount {
  /** By head row. */
  readonly isNew: Uint8Array;
}

/** Finds crashes that a reference does not have; without one every crash is new. */
export function findCrashes({ head: { table } }: Judging, reference: ReferenceRun | null): Crashes {
  const isNew = table.error.slice();
  if (reference !== null) {
    const before = crashShares(reference.table);
    reference.shared.base.forEach((b, i) => {
      const h = reference.shared.head[i]!;
      if (before[b]! > 0) isNew.fill(0, table.start[h], table.start[h + 1]);
    });
  }
  const crashes = isNew.reduce((sum, one) => sum + one, 0);
  return { isNew, crashes, rows: table.size };
}

/** A run that the head is compared with, and what crashed: found once for all gates. */
export interface ComparedRun {
  readonly reference: ReferenceRun;
  /** The same with crashes without a counterpart paired. */
  readonly whole: ReferenceRun;
  readonly crashes: Crashes;
}

/** Finds what crashed now and not in a run to compare with. */
export function toComparedRun(judging: Judging, reference: ReferenceRun): ComparedRun {
  const whole = withUnsharedCrashes(judging, reference);
  return { reference, whole, crashes: findCrashes(judging, reference) };
}

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
  if (crashes.crashes === 0 || kind === "rows" || kind === "error_rate") return null;
  const worst = worstValue(judging, metricName, lowerIsBetter);
  const found = putAtWorst(judging.head.table, metricName, { isCrash: crashes.isNew, worst });
  return found.count === 0 ? null : { ...found, worst };
}

/** A comparison with every crash at the worst value. */
export interface CrashImputed {
  readonly comparison: Comparison;
  /**
   * Whether it contains at least all evidence of the scored rows: this run's crashes count as
   * drops, and the reference has none that could hide others.
   */
  readonly stronger: boolean;
}

/** Compares a metric with a reference as if every new crash had the worst score; null if no crash lacks a value. */
export function compareCrashImputed(
  judging: Judging,
  metric: string,
  { reference: { table }, whole, crashes }: ComparedRun,
): CrashImputed | null {
  if (judging.gates.errors === "ignore") return null;
  const crashImputed = columnWithCrashes(judging, crashes, metric);
  if (crashImputed === null) return null;
  // An example that crashes as often as before is not worse.
  const before = putAtWorst(table, metric, {
    isCrash: table.error,
    worst: crashImputed.worst,
  });
  const columns = { head: crashImputed.column, base: before.column };
  const comparison = compareMetric({ judging, metric, reference: whole, columns });
  if (comparison === null || comparison.n < FEWEST_PAIRS) return null;
  return { comparison, stronger: before.count === 0 && comparison.binary };
}

/** 0 (or 1) for scores within 0…1, else the worst value in the compared runs. */
function worstValue({ head, base, anchor }: Judging, metricName: string, lower: boolean): number {
  const seen = [head, base, anchor].flatMap((side) => side?.column(metricName).extent ?? []);
  const [low, high] = [Math.min(...seen), Math.max(...seen)];
  const unit = !isUsage(metricName) && low >= 0 && high <= 1;
  if (unit || low > high) return lower ? 1 : 0;
  return lower ? high : low;
}
