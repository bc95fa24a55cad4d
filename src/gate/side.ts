import { compareNames } from "./example-names.ts";
import { columnOf, parseMetric, type MetricColumn } from "./metric.ts";
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
