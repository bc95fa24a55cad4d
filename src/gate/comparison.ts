import { clusterTail, estimateClusters } from "./cluster.ts";
import { normalQuantile } from "./distribution.ts";
import { type ExchangeResult, testLabels, testSigns } from "./exchange.ts";
import {
  type Interval,
  meanOf,
  pairedRate,
  quantile,
  quantileInterval,
  standardError,
  studentInterval,
} from "./interval.ts";
import { lowerBoundOfMean } from "./mean-bound.ts";
import { type Column, parseMetric, valuesOf } from "./metric.ts";
import {
  clustersOfPairs,
  countChanged,
  differencesOf,
  type Frame,
  type Pairs,
  pairUp,
  poolsOf,
  SLACK,
} from "./pairs.ts";
import { isVaried, type Pools } from "./pool.ts";
import { powerOfQuantile } from "./quantile-power.ts";
import { clipToWindow } from "./quantile-window.ts";
import { type Scatter, scatterOf } from "./scatter.ts";
import type { Judging, ReferenceRun } from "./side.ts";

/** Below this many pairs nothing is tested: the rows themselves are shown. */
export const FEWEST_PAIRS = 10;

/** Up to this many changed pairs an interval by Student's t alone would be too narrow. */
const FEWEST_CHANGED_FOR_T = 10;

/** One metric of the head against a reference, examples paired. */
export interface Comparison {
  /** Pairs that have a value on both sides. */
  readonly n: number;
  /** Rows left out. */
  readonly dropped: number;
  /** Examples that both sides have, scored or not. */
  readonly shared: number;
  /** Of them, those that the reference scored and the head did not. */
  readonly lost: number;
  readonly head: number;
  readonly base: number;
  /** Mean change, worse counted as negative. */
  readonly change: number;
  readonly worse: number;
  readonly better: number;
  readonly test: ExchangeResult;
  /** Whether these data could have shown a fall at all. */
  readonly open: boolean;
  /** By head example, worse counted as negative; 0 where there is no pair. By cluster where there are clusters. */
  readonly influence: Float64Array;
  /** Interval of the change at a two-sided confidence, worse counted as negative. */
  readonly interval: (confidence: number) => Interval;
  /** The largest fall that the data leave possible, one-sided 95 %; worse counted as negative. */
  readonly lowest: () => number;
  readonly scatter: Scatter;
  /** Whether every value is a pass mark. */
  readonly binary: boolean;
  readonly clusters: { readonly count: number; readonly largest: number } | null;
}

/** Compares one metric with a reference; null where no example has a value on both sides. */
export function compareMetric({
  judging,
  metric: name,
  reference,
  columns,
}: {
  readonly judging: Judging;
  readonly metric: string;
  readonly reference: ReferenceRun;
  /** Values of head and reference where they are not those of their files. */
  readonly columns?: { readonly head: Column; readonly base: Column };
}): Comparison | null {
  const metric = parseMetric(name);
  const left = columns?.head ?? judging.head.column(name);
  const right = columns?.base ?? reference.side.column(name);
  const pairs = pairUp(left, right, reference);
  if (pairs.head.length === 0) return null;
  const sign = judging.lowerIsBetter(name) ? -1 : 1;
  const frame: Frame = { judging, reference, metric, left, right, pairs, sign };
  return metric.kind === "latency" && metric.quantile !== null
    ? compareQuantiles(frame, metric.quantile)
    : compareMeans(frame);
}

function compareMeans(frame: Frame): Comparison {
  const { judging, left, right, pairs, metric } = frame;
  const n = pairs.head.length;
  const differences = differencesOf(frame);
  const base = meanAt(pairs.base, right.mean);
  const pools = pairs.single || metric.kind === "pass" ? null : poolsOf(frame);
  const tested = testDifferences(frame, differences, pools);
  const marks = left.binary && right.binary && pools === null && metric.kind !== "pass";
  const mean = meanOf(differences);
  const changed = countChanged(differences);
  const about = { frame, differences, marks, clusters: tested.clusters };
  const interval = intervalOf({ ...about, mean, changed });
  return {
    n,
    dropped: pairs.dropped,
    shared: frame.reference.shared.head.length,
    lost: pairs.lost,
    head: meanAt(pairs.head, left.mean),
    base,
    change: Math.abs(mean) < SLACK ? 0 : mean,
    ...changed,
    ...tested,
    influence: influenceOf(judging, pairs, differences),
    interval,
    lowest: () => lowestOf({ ...about, interval }),
    scatter: scatterOf({ frame, differences, mean, changed, pools, marks, base }),
    binary: left.binary && right.binary && metric.kind !== "pass",
  };
}

function meanAt(positions: Int32Array, values: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < positions.length; i++) sum += values[positions[i]!]!;
  return sum / positions.length;
}

function testDifferences(
  frame: Frame,
  differences: Float64Array,
  pools: Pools | null,
): Pick<Comparison, "test" | "open" | "clusters"> {
  const clusterOf = clustersOfPairs(frame);
  const open = differences.some((value) => value !== 0) || hasSpread(pools);
  if (clusterOf !== null) {
    const estimate = estimateClusters(differences, clusterOf);
    const clusters = { count: estimate.clusters, largest: estimate.largest };
    const method = `CR2, ${estimate.clusters} clusters, Satterthwaite df ${estimate.df.toFixed(1)}`;
    return { test: { p: clusterTail(estimate), method }, open, clusters };
  }
  const test = pools === null ? testSigns(differences, areMarks(frame)) : testLabels(pools);
  return { test, open: open && test.method !== "no change", clusters: null };
}

/** Pass marks, or durations as far as their window tells them apart. */
function areMarks({ metric, left, right, pairs }: Frame): boolean {
  if (metric.kind === "latency") return true;
  const isMark = (value: number): boolean => value === 0 || value === 1;
  for (let i = 0; i < pairs.head.length; i++)
    if (!isMark(left.mean[pairs.head[i]!]!) || !isMark(right.mean[pairs.base[i]!]!)) return false;
  return true;
}

function hasSpread(pools: Pools | null): boolean {
  if (pools === null) return false;
  for (let i = 0; i < pools.count; i++) if (isVaried(pools, i)) return true;
  return false;
}

/** What each example, or each cluster, adds to the change. */
function influenceOf(judging: Judging, pairs: Pairs, differences: Float64Array): Float64Array {
  const influence = new Float64Array(judging.head.index.examples.length);
  const { clusterOf } = judging;
  for (let i = 0; i < differences.length; i++) {
    const h = pairs.head[i]!;
    // Examples without the field are numbered from -1 down; any fixed place serves.
    const at = clusterOf === null ? h : Math.abs(clusterOf[h]!) % influence.length;
    influence[at]! += differences[i]!;
  }
  return influence;
}

function intervalOf({
  frame,
  differences,
  mean,
  changed,
  marks,
  clusters,
}: {
  readonly frame: Frame;
  readonly differences: Float64Array;
  readonly mean: number;
  readonly changed: { readonly worse: number; readonly better: number };
  readonly marks: boolean;
  readonly clusters: Comparison["clusters"];
}): (confidence: number) => Interval {
  const n = differences.length;
  const isFew = changed.worse + changed.better < FEWEST_CHANGED_FOR_T;
  const wide = isFew ? rateOf(frame, differences) : undefined;
  if (clusters !== null) {
    const estimate = estimateClusters(differences, clustersOfPairs(frame)!);
    return (confidence) =>
      join(
        studentInterval(mean, estimate.se, estimate.df, confidence),
        wide?.(confidence, clusters.count),
      );
  }
  if (marks) {
    const rate = wide ?? rateOf(frame, differences);
    return (confidence) => rate(confidence, n);
  }
  const se = standardError(differences, mean);
  return (confidence) => join(studentInterval(mean, se, n - 1, confidence), wide?.(confidence, n));
}

/**
 * Student's t takes the rows that were seen for all there are: where one row in twenty collapses, most samples of
 * twenty hold none or one, and look calm. A bound that allows for what was not seen joins it.
 */
function lowestOf({
  frame,
  differences,
  interval,
  marks,
  clusters,
}: {
  readonly frame: Frame;
  readonly differences: Float64Array;
  readonly interval: (confidence: number) => Interval;
  readonly marks: boolean;
  readonly clusters: Comparison["clusters"];
}): number {
  const [low] = interval(0.9);
  if (marks || clusters !== null) return low;
  return Math.min(low, lowerBoundOfMean(differences, -rangeOf(frame, differences), 0.95));
}

/** The interval of the falls and rises as parts of the metric's range. */
function rateOf(
  frame: Frame,
  differences: Float64Array,
): (confidence: number, size: number) => Interval {
  const n = differences.length;
  let [better, worse] = [0, 0];
  for (let i = 0; i < n; i++) {
    const value = differences[i]!;
    if (value > 0) better += value;
    else worse -= value;
  }
  const range = rangeOf(frame, differences);
  return (confidence, size) => {
    const z = normalQuantile((1 + confidence) / 2);
    const [low, high] = pairedRate(
      (better / range) * (size / n),
      (worse / range) * (size / n),
      size,
      z,
    );
    return [low * range, high * range];
  };
}

function join(one: Interval, other: Interval | undefined): Interval {
  return other === undefined ? one : [Math.min(one[0], other[0]), Math.max(one[1], other[1])];
}

/** Width of the values seen on both sides, never less than a difference; 1 where all of them lie in 0…1. */
function rangeOf({ left, right, pairs }: Frame, differences: Float64Array): number {
  let [low, high] = [Infinity, -Infinity];
  for (let i = 0; i < pairs.head.length; i++) {
    const after = left.mean[pairs.head[i]!]!;
    const before = right.mean[pairs.base[i]!]!;
    low = Math.min(low, after, before);
    high = Math.max(high, after, before);
  }
  const most = differences.reduce((largest, value) => Math.max(largest, Math.abs(value)), 0);
  return Math.max(most, low >= 0 && high <= 1 ? 1 : high - low) || 1;
}

/**
 * A quantile is tested by what its window holds. The interval joins the two sides' order-statistic intervals (MOVER,
 * Zou and Donner 2008), which errs on the wide side for paired runs; where few examples leave one of theirs open, so is its own end.
 */
function compareQuantiles(frame: Frame, q: number): Comparison {
  const { judging, reference, left, right, pairs, sign } = frame;
  const after = valuesOf(judging.head.index, left, pairs.head);
  const before = valuesOf(reference.side.index, right, pairs.base);
  const clipped = clipToWindow(frame, q);
  const differences = differencesOf(clipped);
  const tested = testDifferences(clipped, differences, pairs.single ? null : poolsOf(clipped));
  const head = quantile(after, q);
  const base = quantile(before, q);
  const delta = head - base;
  const trials = tested.clusters?.count ?? pairs.head.length;
  const interval = (confidence: number): Interval => {
    const one = quantileInterval(after, q, trials, confidence);
    const two = quantileInterval(before, q, trials, confidence);
    const low = delta - Math.hypot(head - one[0], two[1] - base);
    const high = delta + Math.hypot(one[1] - head, base - two[0]);
    return sign === 1 ? [low, high] : [-high, -low];
  };
  const reach = Math.max(after.at(-1)!, before.at(-1)!) - Math.min(after[0]!, before[0]!);
  return {
    n: pairs.head.length,
    dropped: pairs.dropped,
    shared: reference.shared.head.length,
    lost: pairs.lost,
    head,
    base,
    change: Math.abs(delta) < SLACK ? 0 : sign * delta,
    ...countChanged(differences),
    ...tested,
    test: { ...tested.test, method: `${tested.test.method}, values clipped around the quantile` },
    influence: influenceOf(judging, pairs, differences),
    interval,
    lowest: () => interval(0.9)[0],
    scatter: { kind: "quantile", reach, power: powerOfQuantile(frame, q) },
    binary: false,
  };
}
