import { compareNames } from "./example-names.ts";
import {
  columnOf,
  createIndex,
  parseMetric,
  type MetricColumn,
  type TableIndex,
} from "./metric.ts";
import type { GateTable } from "./row.ts";

/** Head or baseline, grouped once; each metric is read once. */
export interface Side {
  readonly index: TableIndex;
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

/** Groups a table and caches the columns that gates need. */
export function createSide(table: GateTable): Side {
  const index = createIndex(table);
  return { index, column: once((metric) => columnOf(index, parseMetric(metric))) };
}

/** Positions in head and baseline of the shared examples, in the order of examples. */
export interface Shared {
  readonly head: Int32Array;
  readonly base: Int32Array;
}

/** Finds the shared examples of two sides. */
export function shareExamples(head: TableIndex, base: TableIndex): Shared {
  const most = Math.min(head.examples.length, base.examples.length);
  const [inHead, inBase] = [new Int32Array(most), new Int32Array(most)];
  const [left, right] = [head.table.example, base.table.example];
  let count = 0;
  for (let h = 0, b = 0; h < head.examples.length && b < base.examples.length; ) {
    const rows = [head.order[head.start[h]!]!, base.order[base.start[b]!]!] as const;
    const order = compareNames(left, rows[0], right, rows[1]);
    if (order === 0) {
      inHead[count] = h++;
      inBase[count++] = b++;
    } else if (order < 0) h++;
    else b++;
  }
  return { head: inHead.subarray(0, count), base: inBase.subarray(0, count) };
}

/** Positions of a run's examples that the other lacks. */
export function unsharedOf({ examples }: TableIndex, shared: Int32Array): number[] {
  const has = new Uint8Array(examples.length);
  for (let i = 0; i < shared.length; i++) has[shared[i]!] = 1;
  const found: number[] = [];
  for (let e = 0; e < examples.length; e++) if (has[e] === 0) found.push(e);
  return found;
}
