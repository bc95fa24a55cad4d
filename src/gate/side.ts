import { compareNames } from "./example-names.ts";
import {
  columnOf,
  type CrashCount,
  crashShares,
  type MetricColumn,
  parseMetric,
} from "./metric.ts";
import type { GateTable } from "./row.ts";

/** Head or baseline; each metric is read once. */
export interface Side {
  readonly table: GateTable;
  readonly column: (metric: string) => MetricColumn;
}

/** Computes the value of each name once. */
export const once = <T>(find: (name: string) => T): ((name: string) => T) => {
  const known = new Map<string, T>();
  return (name) => {
    if (!known.has(name)) known.set(name, find(name));
    return known.get(name)!;
  };
};

/** A table with the columns that gates need. */
export const createSide = (table: GateTable): Side => ({
  table,
  column: once((metric) => columnOf(table, parseMetric(metric))),
});

/** Positions of examples of this run and of a reference that belong together. */
export interface Shared {
  readonly head: Int32Array;
  readonly base: Int32Array;
}

/** Finds the examples that a reference shares with the head, in the order of examples. */
export function shareExamples(head: GateTable, table: GateTable): Shared {
  const most = Math.min(head.examples, table.examples);
  const [inHead, inBase] = [new Int32Array(most), new Int32Array(most)];
  let count = 0;
  for (let h = 0, b = 0; h < head.examples && b < table.examples; ) {
    const order = compareNames(head.example, head.start[h]!, table.example, table.start[b]!);
    if (order === 0) {
      inHead[count] = h++;
      inBase[count++] = b++;
    } else if (order < 0) h++;
    else b++;
  }
  return { head: inHead.subarray(0, count), base: inBase.subarray(0, count) };
}

/** Positions of a run's examples that the other lacks. */
export function unsharedOf({ examples }: GateTable, shared: Int32Array): number[] {
  const has = new Uint8Array(examples);
  for (let i = 0; i < shared.length; i++) has[shared[i]!] = 1;
  const found: number[] = [];
  for (let e = 0; e < examples; e++) if (has[e] === 0) found.push(e);
  return found;
}

/** What identifies an example, which all of its rows share. */
export const nameOf = ({ example, start }: GateTable, e: number): string => example.at(start[e]!)!;

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

/**
 * Adds crashes without a counterpart to the shared examples of a reference. A crash often loses
 * what identifies its example (a prompt that was never made, properties that were never written),
 * so that it seems to be a new one, and its own seems not to have been run. Each such crash is
 * paired with one of those; which one makes no difference, since all crashes have the worst value.
 * Crashes of the reference that lost their name are paired likewise and weigh against them, since a
 * run that crashes as often as before is not worse.
 */
function withUnsharedCrashes(table: GateTable, other: GateTable, shared: Shared): Shared {
  if (!table.error.includes(1) || hasRepeats(table, other)) return shared;
  const head = splitUnshared(table, shared.head);
  const base = splitUnshared(other, shared.base);
  const falls = Math.min(head.crashed.length, base.ran.length);
  const gains = Math.min(base.crashed.length, head.ran.length);
  if (falls + gains === 0) return shared;
  const added = {
    head: [...head.crashed.slice(0, falls), ...head.ran.slice(0, gains)],
    base: [...base.ran.slice(0, falls), ...base.crashed.slice(0, gains)],
  };
  return {
    head: Int32Array.from([...shared.head, ...added.head]),
    base: Int32Array.from([...shared.base, ...added.base]),
  };
}

/** A repeat that lost its name seems to be a separate example, although its own example was run. */
export const hasRepeats = (head: GateTable, base: GateTable): boolean =>
  head.repeats > 1 || base.repeats > 1;

/** The examples that only one side has, separated into those with a crashed row and the others. */
export function splitUnshared(
  table: GateTable,
  shared: Int32Array,
): { readonly crashed: number[]; readonly ran: number[] } {
  const shares = crashShares(table);
  const found = unsharedOf(table, shared);
  return {
    crashed: found.filter((e) => shares[e]! > 0),
    ran: found.filter((e) => shares[e] === 0),
  };
}
