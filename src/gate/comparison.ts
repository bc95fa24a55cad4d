import type { ExchangeColumn } from "./exchange.ts";
import {
  changeInterval,
  CONFIDENCE,
  clusterMeans,
  differenceInterval,
  type Interval,
  meanOf,
  PROOF,
  quantileInterval,
} from "./interval.ts";
import { lowerBoundOfMean, toUnits } from "./mean-bound.ts";
import {
  type MetricColumn,
  columnOf,
  extentOf,
  pick,
  isUsage,
  type Metric,
  parseMetric,
  passAll,
  quantileOf,
  rowValues,
} from "./metric.ts";
import { slackOf } from "./gate-rule.ts";
import { differencesOf, layOut, type Pairing, pairUp, readSides } from "./pairing.ts";
import type { Judging } from "./judging.ts";
import type { GateTable } from "./row.ts";
import type { Crashes, ReferenceRun, Shared } from "./side.ts";

/**
 * With fewer pairs nothing is tested: four changed marks would be significant, and nine rows are
 * read sooner than a p-value. The rows themselves are shown (docs/evals/gates.md).
 */
export const FEWEST_PAIRS = 10;
/** The same for clusters: five of them can change sides in only 32 ways. */
export const FEWEST_CLUSTERS = 6;

/** One metric of the head compared with a reference, by paired examples. */
export interface Comparison {
  /** Pairs with a value on both sides. */
  readonly n: number;
  /** Rows left out. */
  readonly dropped: number;
  /** Examples on both sides, scored or not. */
  readonly shared: number;
  /** Shared examples that the reference scored and the head did not. */
  readonly lost: number;
  readonly head: number;
  readonly base: number;
  /** Change of the metric; negative is worse. */
  readonly change: number;
  readonly worse: number;
  readonly better: number;
  readonly column: ExchangeColumn;
  /** By pair; null without clusters. */
  readonly clusterOf: Float64Array | null;
  readonly clusters: number | null;
  /** The column with the values of all rows; null if an example has a single value, however many rows (pass^k). */
  readonly rows: Pick<ExchangeColumn, "pairs" | "head" | "base"> | null;
  /** The quantile; null for a mean, whose change is that of the column. */
  readonly quantile: number | null;
  /** Whether every value is a pass mark. */
  readonly binary: boolean;
  /** The 95 % interval of the change, negative is worse; null if nothing changed. */
  readonly interval: () => Interval | null;
  /** The largest drop that the data leave possible, one-sided 95 %; negative is worse. */
  readonly lowest: () => number;
}

interface Frame {
  readonly judging: Judging;
  readonly reference: ReferenceRun;
  /** How many examples both runs have. */
  readonly shared: number;
  readonly metric: Metric;
  readonly left: MetricColumn;
  readonly right: MetricColumn;
  readonly pairing: Pairing;
  readonly sign: 1 | -1;
}

/**
 * Compares one metric with a reference; null if no example has a value on both sides. Other
 * examples to pair, and values of head and reference that replace those of their files, may be given.
 */
export function compareMetric(
  judging: Judging,
  name: string,
  reference: ReferenceRun,
  {
    shared = reference.shared,
    left = judging.head.column(name),
    right = reference.column(name),
  }: Partial<Pick<Frame, "left" | "right">> & { readonly shared?: Shared } = {},
): Comparison | null {
  const metric = parseMetric(name);
  const pairing = pairUp({ left, right }, shared, [judging.head.table, reference.table]);
  if (pairing.pairs.head.length === 0) return null;
  const sign = judging.lowerIsBetter(name) ? -1 : 1;
  const about = { judging, reference, shared: shared.head.length };
  const frame: Frame = { ...about, metric, left, right, pairing, sign };
  return metric.kind === "latency" && metric.quantile !== null
    ? compareQuantiles(frame, metric.quantile)
    : compareMeans(frame);
}

function compareMeans(frame: Frame): Comparison {
  const { left, right, metric } = frame;
  const { pairs } = frame.pairing;
  const shown = toComparison(frame, {
    head: meanOf(pick(left.mean, pairs.head)),
    base: meanOf(pick(right.mean, pairs.base)),
    change: null,
  });
  const { differences } = shown.column;
  const { clusterOf, change } = shown;
  // With clusters, the sum of each counts like one example's change.
  const changes = clusterOf === null ? differences : clusterMeans(differences, clusterOf);
  return {
    ...shown,
    binary: left.binary && right.binary && metric.kind !== "pass",
    rows: metric.kind === "pass" ? null : shown.column,
    interval: () => changeInterval(changes, change),
    lowest: () => {
      const { units, least } = toUnits(differences, clusterOf, -rangeOf(frame, differences));
      return lowerBoundOfMean(units, least, 1 - PROOF);
    },
  };
}

/** What means and quantiles share; a null `change` is that of the differences. */
function toComparison(
  frame: Frame,
  { head, base, change }: Pick<Comparison, "head" | "base"> & { readonly change: number | null },
): Omit<Comparison, "interval" | "lowest" | "binary" | "rows"> {
  const { judging, left, right, pairing, sign, metric } = frame;
  const { pairs, single, dropped, lost } = pairing;
  const differences = differencesOf(pairs, left, right, sign);
  let [total, worse, better] = [0, 0, 0];
  for (let i = 0; i < differences.length; i++) {
    total += differences[i]!;
    if (differences[i]! < 0) worse++;
    else if (differences[i]! > 0) better++;
  }
  const mean = change ?? total / differences.length;
  const { clusterOf } = judging;
  const clusters = clusterOf === null ? null : pick(clusterOf, pairs.head);
  const isMarks =
    single && clusters === null && metric.kind !== "pass" && left.binary && right.binary;
  return {
    n: pairs.head.length,
    dropped,
    lost,
    shared: frame.shared,
    head,
    base,
    change: Math.abs(mean) < slackOf(head, base) ? 0 : mean,
    worse,
    better,
    clusterOf: clusters,
    clusters: clusters === null ? null : new Set(clusters).size,
    quantile: metric.kind === "latency" ? metric.quantile : null,
    column: {
      ...columnsOf(frame),
      differences,
      total,
      single,
      statistic: metric.kind === "pass" ? passOf(metric.k) : null,
      sign,
      marks: isMarks ? { worse, better } : null,
    },
  };
}

const passOf =
  (k: number) =>
  (values: Float64Array): number =>
    passAll(values, k);

const columnsOf = (frame: Frame): Pick<ExchangeColumn, "pairs" | "head" | "base"> => ({
  pairs: frame.pairing.pairs,
  head: { start: frame.judging.head.table.start, values: frame.left.values },
  base: { start: frame.reference.table.start, values: frame.right.values },
});

/** Range of the values on both sides, at least the largest difference; 1 if all are within 0…1. */
function rangeOf({ left, right, pairing }: Frame, differences: Float64Array): number {
  const [low, high] = extentOf(
    pick(left.mean, pairing.pairs.head),
    pick(right.mean, pairing.pairs.base),
  );
  const most = differences.reduce((largest, value) => Math.max(largest, Math.abs(value)), 0);
  return Math.max(most, low >= 0 && high <= 1 ? 1 : high - low) || 1;
}

/**
 * Compares quantiles: tests the values clipped to a window around them. The interval combines the
 * order-statistic intervals of both sides (MOVER, Zou and Donner 2008), which errs on the wide side
 * for paired runs. If too few examples leave an end of those open, it is open here too.
 */
function compareQuantiles(frame: Frame, q: number): Comparison {
  const { judging, reference, left, right, pairing, sign } = frame;
  const rows = columnsOf(frame);
  const { own, window } = readSides(layOut(rows, [...pairing.pairs.head.keys()]), q);
  const [[after, before], [low, high]] = [own, window];
  const clip = (column: MetricColumn): Float64Array =>
    column.values.map((value) => Math.min(high, Math.max(low, value)));
  const clipped = {
    ...frame,
    left: columnOf(judging.head.table, frame.metric, clip(left)),
    right: columnOf(reference.table, frame.metric, clip(right)),
  };
  const [head, base] = [quantileOf(after, q), quantileOf(before, q)];
  const shown = toComparison(clipped, { head, base, change: sign * (head - base) });
  const trials = shown.clusters ?? shown.n;
  const between = (confidence: number): Interval => {
    const one = quantileInterval(after, q, trials, confidence);
    const two = quantileInterval(before, q, trials, confidence);
    const [from, to] = differenceInterval(head, one, base, two);
    return sign === 1 ? [from, to] : [-to, -from];
  };
  const isChanged = shown.worse + shown.better > 0 || shown.change !== 0;
  const interval = (): Interval | null => (isChanged ? between(CONFIDENCE) : null);
  return { ...shown, rows, binary: false, interval, lowest: () => between(1 - 2 * PROOF)[0] };
}

/** A metric with crashes at the worst value, and how many of them had no value. */
function putAtWorst(
  table: GateTable,
  metric: Metric,
  isCrash: Uint8Array,
  worst: number,
): { readonly column: MetricColumn; readonly count: number } {
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
): { readonly column: MetricColumn; readonly worst: number } | null {
  const metric = parseMetric(metricName);
  const isCounted = judging.gates.errors === "count" && crashes.crashes > 0;
  if (!isCounted || metric.kind === "rows" || metric.kind === "error_rate") return null;
  const worst = worstValue(judging, metricName, lowerIsBetter);
  const { column, count } = putAtWorst(judging.head.table, metric, crashes.isNew, worst);
  return count === 0 ? null : { column, worst };
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
  const base = putAtWorst(table, parseMetric(metric), table.error, head.worst);
  const columns = { shared, left: head.column, right: base.column };
  const comparison = compareMetric(judging, metric, reference, columns);
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
