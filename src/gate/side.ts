import { directionOf, ruleOfEvery, type BetterSide } from "./direction.ts";
import { compareNames } from "./example-names.ts";
import { unitsOf, type Units } from "./exchange.ts";
import type { GateSet } from "./gate-set.ts";
import {
  columnOf,
  createIndex,
  parseMetric,
  scoreOf,
  type MetricColumn,
  type TableIndex,
} from "./metric.ts";
import type { GateTable } from "./row.ts";
import { EVERY_METRIC, type GateRule } from "./gate-rule.ts";

/** Head or baseline, grouped once; each metric is read once. */
export interface Side {
  readonly index: TableIndex;
  readonly column: (metric: string) => MetricColumn;
}

/** Computes the value of each name once. */
const once = <T>(find: (name: string) => T): ((name: string) => T) => {
  const known = new Map<string, T>();
  return (name) => {
    if (!known.has(name)) known.set(name, find(name));
    return known.get(name)!;
  };
};

/** Groups a table and caches the columns that gates need. */
function createSide(table: GateTable): Side {
  const index = createIndex(table);
  return { index, column: once((metric) => columnOf(index, parseMetric(metric))) };
}

/** Positions in head and baseline of the shared examples, in the order of examples. */
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

/** Positions of a run's examples that the other lacks. */
export function unsharedOf({ examples }: TableIndex, shared: Int32Array): number[] {
  const has = new Uint8Array(examples.length);
  for (let i = 0; i < shared.length; i++) has[shared[i]!] = 1;
  const found: number[] = [];
  for (let e = 0; e < examples.length; e++) if (has[e] === 0) found.push(e);
  return found;
}

/** A run that the head is compared with: the baseline or its anchor. */
export interface ReferenceRun extends Side {
  readonly shared: Shared;
}

/** Groups a reference and finds the examples that it shares with the head. */
function createReference(head: Side, table: GateTable): ReferenceRun {
  const side = createSide(table);
  return { ...side, shared: shareExamples(head.index, side.index) };
}

/** The cluster number of every head example; one without the tag is its own cluster. */
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
      // The smallest, so that the order of differing repeats does not matter.
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

/** Everything that the gates of one head are judged with. */
export interface Judging {
  readonly gates: GateSet;
  /** Rules on every metric that match none. */
  readonly unmatched: readonly GateRule[];
  /** Provider and prompt if a file has several; else empty. */
  readonly label: string;
  readonly head: Side;
  readonly base: ReferenceRun | null;
  readonly anchor: ReferenceRun | null;
  readonly clusterOf: Int32Array | null;
  /** What changes sides in the family's draws. */
  readonly units: Units;
  /** Examples without the field that clusters are made by. */
  readonly untagged: number;
  readonly direction: (metric: string) => BetterSide | "unclear";
  readonly lowerIsBetter: (metric: string) => boolean;
}

/**
 * Expands rules on every metric: a drop for each score on both sides, a floor for each score of the
 * head. Leaves out the cost, tokens and time of the run. A score that the head names without any
 * number is one of its scores: its judge was down.
 */
function spellOut(
  rules: readonly GateRule[],
  head: GateTable,
  base: GateTable | null,
): readonly GateRule[] {
  const named = [...head.metrics, ...(head.unscored ?? [])].sort();
  return rules.flatMap((rule) =>
    rule.metric === EVERY_METRIC
      ? ruleOfEvery(
          rule,
          named.filter(
            (metric) => rule.kind === "floor" || base === null || base.scores.has(metric),
          ),
        )
      : [rule],
  );
}

/** Resolves references, directions and clusters for a head. */
export function createJudging({
  label,
  head: table,
  base,
  anchor,
  gates: asked,
}: {
  readonly label: string;
  readonly head: GateTable;
  readonly base: GateTable | null;
  readonly anchor: GateTable | null;
  readonly gates: GateSet;
}): Judging {
  const head = createSide(table);
  const gates = { ...asked, rules: spellOut(asked.rules, table, base) };
  const clusters = gates.cluster_by === null ? null : clustersOf(head.index, gates.cluster_by);
  const own = <T extends string>(record: Readonly<Record<string, T>> | undefined, key: string) =>
    record !== undefined && Object.hasOwn(record, key) ? record[key] : undefined;
  const direction = once((metric) =>
    directionOf({
      metric,
      declared: own(gates.direction, metric),
      operators: gates.rules
        .filter((rule) => rule.kind === "floor" && rule.metric === metric && !rule.ofEvery)
        .map((rule) => rule.operator),
      known: own(table.known, scoreOf(metric) ?? metric),
    }),
  );
  return {
    gates,
    unmatched: asked.rules.filter(
      (rule) => rule.metric === EVERY_METRIC && spellOut([rule], table, base).length === 0,
    ),
    label,
    head,
    base: base === null ? null : createReference(head, base),
    anchor: anchor === null ? null : createReference(head, anchor),
    clusterOf: clusters?.of ?? null,
    untagged: clusters?.untagged ?? 0,
    units: unitsOf(head.index.examples.length, clusters?.of ?? null),
    direction,
    lowerIsBetter: (metric) => direction(metric) === "lower",
  };
}
