import type { MetricChanges, RowDelta, MissedRow } from "../report/report.ts";
import { toDifferenceBins } from "./difference-bins.ts";
import { differenceOf, type GateRule, meetsRule } from "./gate-rule.ts";
import { extentOf, scoreOf } from "./metric.ts";
import type { GateTable } from "./row.ts";
import type { Judging } from "./judging.ts";
import { nameOf, once, type ReferenceRun, type Side, unsharedOf } from "./side.ts";
import { tidy } from "../report/numbers.ts";
import { scoreName } from "../report/gate-numbers.ts";

/** The most rows in a list; counts are complete. */
const MAX_ROWS = 500;

/** A row and how far it is from the baseline or the limit, as a share of the metric's range; of a change, negative is worse. */
export interface WeighedRow<Row = RowDelta> {
  readonly row: Row;
  readonly weight: number;
}

/** Rows that changed since the baseline. */
export interface RowChanges {
  /** Worst first, by the share of the metric's range; at most MAX_ROWS. */
  readonly worse: readonly WeighedRow[];
  /** Best first; at most MAX_ROWS. */
  readonly better: readonly WeighedRow[];
  /** All changed examples, by the name of the score. */
  readonly counts: Readonly<Record<string, MetricChanges>>;
  /** Number of examples, whatever the number of their metrics: worse in any, and better in one but worse in none. */
  readonly examples: { readonly worse: number; readonly better: number };
}

/** The size of a metric's range: one for all heads, so that their changes can be compared. */
export type RangeOf = (metric: string) => number;

/** Ranges over the examples of all heads and of the baselines they are compared with. */
export function toRanges(sides: readonly Pick<Side, "column">[]): RangeOf {
  return once((metric) => {
    const [low, high] = extentOf(...sides.map(({ column }) => column(metric).mean));
    return high - low || 1;
  });
}

interface Candidate {
  readonly metric: string;
  readonly h: number;
  readonly b: number;
  /** Change divided by the range; negative is worse. */
  readonly weight: number;
}

/** Lists the shared examples whose gated scores changed. */
export function listChanges(judging: Judging, base: ReferenceRun, rangeOf: RangeOf): RowChanges {
  const { shared } = base;
  const metrics = new Set(judging.gates.rules.flatMap(({ metric }) => scoreOf(metric) ?? []));
  let worse: Candidate[] = [];
  let better: Candidate[] = [];
  const counts = new Map<string, MetricChanges>();
  const n = shared.head.length;
  const moved = new Uint8Array(n);
  // One array of each for all metrics: new ones would stay in memory until collected.
  const changes: Changes = { differences: new Float64Array(n), weights: new Float64Array(n) };
  const room = new Float64Array(n);
  for (const metric of [...metrics].sort()) {
    const count = readChanges(changes, moved, judging, base, {
      metric,
      range: rangeOf(metric),
    });
    const { weights, differences } = changes;
    const toCandidate = (i: number): Candidate => ({
      metric,
      h: shared.head[i]!,
      b: shared.base[i]!,
      weight: weights[i]!,
    });
    const add = (list: Candidate[], side: -1 | 1): Candidate[] =>
      farthestOf([...list, ...farthest(weights, side, leastOf(list), room).map(toCandidate)]);
    worse = add(worse, -1);
    better = add(better, 1);
    if (count.worse + count.better > 0)
      counts.set(scoreName({ group: judging.label, metric }), {
        ...count,
        differences: toDifferenceBins(differences),
      });
  }
  const toRow = (candidate: Candidate): WeighedRow => ({
    row: describe(judging, base, candidate),
    weight: candidate.weight,
  });
  const examples = { worse: 0, better: 0 };
  for (let i = 0; i < n; i++) {
    if ((moved[i]! & FELL) !== 0) examples.worse++;
    else if (moved[i] === ROSE) examples.better++;
  }
  return {
    worse: worse.map(toRow),
    better: better.map(toRow),
    counts: Object.fromEntries(counts),
    examples,
  };
}

/** Marks of an example that got worse in a metric, or better in one. */
const [FELL, ROSE] = [1, 2] as const;

interface Changes {
  /** Now minus baseline in the metric's own unit; NaN if one side has no score. */
  readonly differences: Float64Array;
  /** Divided by the metric's range; negative is worse; 0 if one side has no score. */
  readonly weights: Float64Array;
}

/** Fills in the changes of a metric and counts them; adds each example's marks to `moved`. */
function readChanges(
  { differences, weights }: Changes,
  moved: Uint8Array,
  judging: Judging,
  { shared, column }: ReferenceRun,
  { metric, range }: { readonly metric: string; readonly range: number },
): { readonly worse: number; readonly better: number } {
  const left = judging.head.column(metric).mean;
  const right = column(metric).mean;
  const scale = (judging.lowerIsBetter(metric) ? -1 : 1) / range;
  let [worse, better] = [0, 0];
  for (let i = 0; i < weights.length; i++) {
    const difference = differenceOf(left[shared.head[i]!]!, right[shared.base[i]!]!);
    differences[i] = difference;
    // Rounded, so that equal changes are ties despite rounding errors.
    const weight = Number.isNaN(difference) ? 0 : Math.round(scale * difference * 1e9) / 1e9;
    weights[i] = weight;
    if (weight < 0) {
      moved[i]! |= FELL;
      worse++;
    } else if (weight > 0) {
      moved[i]! |= ROSE;
      better++;
    }
  }
  return { worse, better };
}

/** How far from 0 a change must be to enter a list; a full list keeps its entries on ties. */
function leastOf(list: readonly Candidate[]): number {
  return list.length < MAX_ROWS ? 0 : Math.abs(list.at(-1)!.weight);
}

/** Rows of several heads in one list, the farthest first. */
export function mergeRows<Row>(lists: readonly (readonly WeighedRow<Row>[])[]): Row[] {
  return farthestOf(lists.flat()).map(({ row }) => row);
}

/** Ties keep their order: by metric, then by example. */
function farthestOf<One extends { readonly weight: number }>(all: One[]): One[] {
  return all.sort((a, b) => Math.abs(b.weight) - Math.abs(a.weight)).slice(0, MAX_ROWS);
}

/** Positions of the weights farthest from 0 on one side and beyond `beyond`: at most MAX_ROWS, the farthest first. */
function farthest(
  weights: Float64Array,
  side: -1 | 1,
  beyond: number,
  room: Float64Array,
): number[] {
  let far = 0;
  for (let i = 0; i < weights.length; i++) {
    // Negative, so that the farthest is the smallest.
    if (side * weights[i]! > beyond) room[far++] = -side * weights[i]!;
  }
  if (far === 0) return [];
  const limit = -room.subarray(0, far).sort()[Math.min(MAX_ROWS, far) - 1]!;
  const positions: number[] = [];
  for (let i = 0; i < weights.length; i++) if (side * weights[i]! >= limit) positions.push(i);
  return positions.sort((a, b) => side * (weights[b]! - weights[a]!) || a - b).slice(0, MAX_ROWS);
}

function describe(judging: Judging, base: Side, { metric, h, b }: Candidate): RowDelta {
  const before = base.table.preview(base.table.start[b]!).output;
  return {
    ...describeExample(judging, metric, h),
    ...(before === "" ? {} : { base_output: before }),
    base: tidy(base.column(metric).mean[b]!),
  };
}

/** An example of the head with its score in one metric. */
function describeExample(judging: Judging, metric: string, example: number): MissedRow {
  const { table } = judging.head;
  const row = typicalRow(judging, example, metric);
  const preview = table.preview(row);
  const comment = preview.comments?.[metric];
  return {
    ...(judging.label === "" ? {} : { group: judging.label }),
    metric,
    example: nameOf(table, example),
    ...(comment === undefined ? {} : { comment }),
    ...(preview.trace === undefined ? {} : { trace: preview.trace }),
    ...(preview.rerun === undefined ? {} : { rerun: preview.rerun }),
    ...(table.error[row] === 1 ? { crashed: true } : {}),
    input: preview.input || nameOf(table, example),
    expected: preview.expected,
    head_output: preview.output,
    head: tidy(judging.head.column(metric).mean[example]!),
  };
}

/** The worst repeat of an example, which a reader wants to see; ties are ordered by output, not by file order. */
function typicalRow(
  { head: { table, column }, lowerIsBetter }: Judging,
  example: number,
  metric: string,
): number {
  const { values } = column(metric);
  const sign = lowerIsBetter(metric) ? 1 : -1;
  let worst = table.start[example]!;
  const badness = (row: number): number =>
    Number.isNaN(values[row]!) ? -Infinity : sign * values[row]!;
  for (let row = worst + 1; row < table.start[example + 1]!; row++) {
    const more = badness(row) - badness(worst);
    const earlier = table.preview(row).output < table.preview(worst).output;
    if (more > 0 || (!(more < 0) && earlier)) worst = row;
  }
  return worst;
}

/** The most new, and most missing, examples in a list; counts are complete. */
export const MAX_UNSHARED = 100;

/** The examples of one side that the other lacks: how many, and the first ones by input text if there is any. */
export function listUnshared(
  table: GateTable,
  shared: Int32Array,
): { readonly count: number; readonly names: string[] } {
  const found = unsharedOf(table, shared);
  const titleOf = (e: number): string => table.preview(table.start[e]!).input || nameOf(table, e);
  return { count: found.length, names: found.slice(0, MAX_UNSHARED).map(titleOf) };
}

/**
 * The examples whose own score is beyond a floor or ceiling, the farthest first by the share of the
 * metric's range; at most MAX_ROWS. They are the rows to read where no baseline shows which got worse.
 */
export function listMissed(
  judging: Judging,
  rules: readonly GateRule[],
  rangeOf: RangeOf,
): {
  readonly rows: readonly WeighedRow<MissedRow>[];
  readonly examples: number;
} {
  const found = rules.flatMap((rule) => {
    const metric = scoreOf(rule.metric);
    if (metric === null) return [];
    const { mean } = judging.head.column(rule.metric);
    const far = (value: number): number => Math.abs(value - rule.threshold) / rangeOf(rule.metric);
    return Array.from(mean, (value, example) => ({ metric, example, weight: far(value) })).filter(
      ({ example }) => !Number.isNaN(mean[example]!) && !meetsRule(rule, mean[example]!),
    );
  });
  const sorted = found.sort((a, b) => b.weight - a.weight || a.example - b.example);
  // With several limits on one metric, the one that a score is farthest from.
  const byExample = new Map<string, (typeof sorted)[number]>();
  for (const one of sorted.slice(0, MAX_ROWS * rules.length)) {
    const key = JSON.stringify([one.metric, one.example]);
    if (!byExample.has(key)) byExample.set(key, one);
  }
  const rows = [...byExample.values()].slice(0, MAX_ROWS).map(({ metric, example, weight }) => ({
    weight,
    row: describeExample(judging, metric, example),
  }));
  return { rows, examples: new Set(sorted.map(({ example }) => example)).size };
}
