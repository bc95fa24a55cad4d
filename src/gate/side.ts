import type { GateSet } from "./language.ts";
import {
  columnOf,
  createIndex,
  isLowerBetter,
  parseMetric,
  type Column,
  type TableIndex,
} from "./metric.ts";
import type { GateTable } from "./row.ts";

/** Head or baseline, grouped once; each metric is read off it once. */
export interface Side {
  readonly index: TableIndex;
  readonly column: (metric: string) => Column;
}

/** Groups a table and remembers the columns that gates ask for. */
export function createSide(table: GateTable): Side {
  const index = createIndex(table);
  const columns = new Map<string, Column>();
  return {
    index,
    column: (metric) => {
      const known = columns.get(metric);
      if (known !== undefined) return known;
      const column = columnOf(index, parseMetric(metric));
      columns.set(metric, column);
      return column;
    },
  };
}

/** Positions in head and baseline of the examples that both have, in the order of examples. */
export interface Shared {
  readonly head: Int32Array;
  readonly base: Int32Array;
}

/** Finds the shared examples of two sides. */
export function shareExamples(head: TableIndex, base: TableIndex): Shared {
  const inHead: number[] = [];
  const inBase: number[] = [];
  for (let h = 0, b = 0; h < head.examples.length && b < base.examples.length; ) {
    const left = head.examples[h]!;
    const right = base.examples[b]!;
    if (left === right) {
      inHead.push(h++);
      inBase.push(b++);
    } else if (left < right) h++;
    else b++;
  }
  return { head: Int32Array.from(inHead), base: Int32Array.from(inBase) };
}

/** The cluster number of every head example; one without the tag is a cluster of its own. */
function clustersOf(
  index: TableIndex,
  tag: string,
): { readonly of: Int32Array; readonly untagged: number } {
  const numbers = new Map<string, number>();
  const of = new Int32Array(index.examples.length);
  let untagged = 0;
  for (let e = 0; e < of.length; e++) {
    let value: string | undefined;
    for (let at = index.start[e]!; at < index.start[e + 1]!; at++) {
      const found = index.table.rows[index.order[at]!]!.tags[tag];
      // The smallest, so that the order of repeats that disagree does not matter.
      if (found !== undefined && (value === undefined || found < value)) value = found;
    }
    if (value === undefined) {
      untagged++;
      of[e] = -untagged;
    } else {
      if (!numbers.has(value)) numbers.set(value, numbers.size);
      of[e] = numbers.get(value)!;
    }
  }
  return { of, untagged };
}

/** What every gate of a run is judged with. */
export interface Judging {
  readonly gates: GateSet;
  readonly head: Side;
  readonly clusterOf: Int32Array | null;
  readonly lowerIsBetter: (metric: string) => boolean;
}

/** Resolves directions and clusters for a head. */
export function createJudging(
  table: GateTable,
  gates: GateSet,
): Judging & { readonly untagged: number } {
  const head = createSide(table);
  const clusters = gates.cluster_by === null ? null : clustersOf(head.index, gates.cluster_by);
  const lowerIsBetter = (metric: string): boolean =>
    isLowerBetter({
      metric,
      declared: Object.hasOwn(gates.direction, metric) ? gates.direction[metric] : undefined,
      operators: gates.rules
        .filter((rule) => rule.kind === "floor" && rule.metric === metric)
        .map((rule) => rule.operator),
    });
  return {
    gates,
    head,
    clusterOf: clusters?.of ?? null,
    lowerIsBetter,
    untagged: clusters?.untagged ?? 0,
  };
}
