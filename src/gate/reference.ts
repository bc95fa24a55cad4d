import { crashShares } from "./metric.ts";
import type { GateTable } from "./row.ts";
import type { CrashCount } from "./sentence.ts";
import { createSide, shareExamples, type Shared, type Side } from "./side.ts";
import { withUnsharedCrashes } from "./unshared-crash.ts";

/** Rows that crashed now, although their example did not crash in the baseline. */
export interface Crashes extends CrashCount {
  /** By head row. */
  readonly isNew: Uint8Array;
}

/** A run that the head is compared with: the baseline or its anchor. */
export interface ReferenceRun extends Side {
  readonly shared: Shared;
  /** The same with crashes without a counterpart paired. */
  readonly whole: Shared;
  /** What crashed now and not in this run. */
  readonly crashes: Crashes;
}

/** Compares the examples and crashes of two runs, once for all gates. */
export function createReference(head: GateTable, table: GateTable): ReferenceRun {
  const shared = shareExamples(head, table);
  const whole = withUnsharedCrashes(head, table, shared);
  return { ...createSide(table), shared, whole, crashes: findCrashes(head, { table, shared }) };
}

/** Finds crashes that a reference does not have; without one every crash is new. */
export function findCrashes(
  table: GateTable,
  reference: Pick<ReferenceRun, "table" | "shared"> | null,
): Crashes {
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
