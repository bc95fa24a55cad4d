import { directionOf, type BetterSide } from "./direction.ts";
import { compareNames } from "./example-names.ts";
import type { GateSet } from "./gate-set.ts";
import { columnOf, createIndex, parseMetric, type Column, type TableIndex } from "./metric.ts";
import type { GateTable } from "./row.ts";

/** Head or baseline, grouped once; each metric is read off it once. */
export interface Side {
  readonly index: TableIndex;
  readonly column: (metric: string) => Column;
}

/** Groups a table and remembers the columns that gates ask for. */
function createSide(table: GateTable): Side {
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
function shareExamples(head: TableIndex, base: TableIndex): Shared {
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

/** A run that the head is compared with: the baseline, or the anchor it keeps. */
export interface ReferenceRun {
  readonly table: GateTable;
  readonly side: Side;
  readonly shared: Shared;
}

/** Groups a reference and finds what it shares with the head. */
function createReference(head: Side, table: GateTable): ReferenceRun {
  const side = createSide(table);
  return { table, side, shared: shareExamples(head.index, side.index) };
}

/** The cluster number of every head example; one without the tag is a cluster of its own. */
function clustersOf(
  index: TableIndex,
  name: string,
): { readonly of: Int32Array; readonly untagged: number } {
  const numbers = new Map<string, number>();
  const of = new Int32Array(index.examples.length);
  let untagged = 0;
  for (let e = 0; e < of.length; e++) {
    let value: string | undefined;
    for (let at = index.start[e]!; at < index.start[e + 1]!; at++) {
      const found = index.table.tag(index.order[at]!, name);
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

/** What every gate of one head is judged with. */
export interface Judging {
  readonly gates: GateSet;
  /** Provider and prompt where a file holds several; else empty. */
  readonly label: string;
  readonly head: Side;
  readonly base: ReferenceRun | null;
  readonly anchor: ReferenceRun | null;
  /** The parts of alpha that comparisons with baseline and anchor have. */
  readonly shares: { readonly base: number; readonly anchor: number };
  readonly clusterOf: Int32Array | null;
  /** Examples without the field that clusters are made by. */
  readonly untagged: number;
  readonly direction: (metric: string) => BetterSide | "unclear";
  readonly lowerIsBetter: (metric: string) => boolean;
}

/** Parts of alpha in a series of runs against one anchor: by the square of the run's number they shrink to the least. */
const BASE_SHARE = { first: 0.2, least: 0.01 };
const ANCHOR_SHARE = { first: 1.4, least: 0.05 };

/**
 * A series of merges tests the same agent again and again. All of alpha goes to the first run against an anchor; later
 * ones have less and less, so that twenty merges are red by chance in few of twenty series. A least part stays, since a
 * fall has to be provable after a hundred merges too. Most of it goes to the anchor: its chance is the same from merge to
 * merge, that of the baseline is new each time.
 */
function shareAlpha(looks: number): Judging["shares"] {
  if (looks <= 1) return { base: 1, anchor: 1 };
  const shareOf = ({ first, least }: typeof BASE_SHARE): number =>
    Math.max(least, first / looks ** 2);
  return { base: shareOf(BASE_SHARE), anchor: shareOf(ANCHOR_SHARE) };
}

/** The score that a metric is made of; the metric itself where it is none. */
function scoreOf(metric: string): string {
  const parsed = parseMetric(metric);
  return parsed.kind === "pass" || parsed.kind === "score" ? parsed.key : metric;
}

/** Resolves references, directions and clusters for a head. */
export function createJudging({
  label,
  head: table,
  base,
  anchor,
  looks,
  gates,
}: {
  readonly label: string;
  readonly head: GateTable;
  readonly base: GateTable | null;
  readonly anchor: GateTable | null;
  /** How many runs in a row were held against the same anchor, this one included. */
  readonly looks: number;
  readonly gates: GateSet;
}): Judging {
  const head = createSide(table);
  const clusters = gates.cluster_by === null ? null : clustersOf(head.index, gates.cluster_by);
  const own = <T extends string>(record: Readonly<Record<string, T>> | undefined, key: string) =>
    record !== undefined && Object.hasOwn(record, key) ? record[key] : undefined;
  const sides = new Map<string, BetterSide | "unclear">();
  const findSide = (metric: string): BetterSide | "unclear" =>
    directionOf({
      metric,
      declared: own(gates.direction, metric),
      operators: gates.rules
        .filter((rule) => rule.kind === "floor" && rule.metric === metric)
        .map((rule) => rule.operator),
      known: own(table.known, scoreOf(metric)),
    });
  const direction = (metric: string): BetterSide | "unclear" => {
    let side = sides.get(metric);
    if (side === undefined) {
      side = findSide(metric);
      sides.set(metric, side);
    }
    return side;
  };
  return {
    gates,
    label,
    head,
    base: base === null ? null : createReference(head, base),
    anchor: anchor === null ? null : createReference(head, anchor),
    shares: shareAlpha(looks),
    clusterOf: clusters?.of ?? null,
    untagged: clusters?.untagged ?? 0,
    direction,
    lowerIsBetter: (metric) => direction(metric) === "lower",
  };
}
