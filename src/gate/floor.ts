import { clusterTail, estimateClusters } from "./cluster.ts";
import { FEWEST_PAIRS, studentTail } from "./comparison.ts";
import { studentQuantile } from "./distribution.ts";
import type { FloorScatter, RepeatedMarks } from "./floor-power.ts";
import {
  exactRate,
  lowRateChance,
  meanOf,
  quantile,
  quantileInterval,
  standardError,
  studentInterval,
  type Interval,
} from "./interval.ts";
import { gather, parseMetric, valuesOf, type Column } from "./metric.ts";
import type { GateRule } from "./rule.ts";
import type { Judging } from "./side.ts";
import { createSkewTest } from "./skew.ts";

/** A metric of the head against a number, before the family. */
export interface FloorTest {
  readonly n: number;
  readonly dropped: number;
  /** Rows that have a value. */
  readonly scored: number;
  readonly value: number;
  /** Chance of a value this far on the wrong side when the true one is the limit; null where nothing is tested. */
  readonly p: number | null;
  readonly ci: Interval | null;
  readonly influence: Float64Array;
  /** Clusters that `influence` is summed by; null where it is by example. */
  readonly clusters: number | null;
  readonly method: string;
  /** Null where no size of a shortfall is stated. */
  readonly scatter: FloorScatter | null;
}

const SLACK = 1e-12;

/** Whether a value is on the right side of a floor or ceiling; 17 of 20 is 0.85, not a hair under it. */
export function meetsRule(rule: GateRule, value: number): boolean {
  const over = value - rule.threshold;
  switch (rule.operator) {
    case ">=":
      return over >= -SLACK;
    case ">":
      return over > SLACK;
    case "<=":
      return over <= SLACK;
    case "<":
      return over < -SLACK;
  }
}

/** Measures a floor or ceiling; null where no example has a value. */
export function testFloor(
  judging: Judging,
  rule: GateRule,
  column: Column = judging.head.column(rule.metric),
): FloorTest | null {
  const metric = parseMetric(rule.metric);
  const present: number[] = [];
  let [dropped, scored] = [0, 0];
  column.scored.forEach((rows, e) => {
    dropped += column.missing[e]!;
    scored += rows;
    if (rows > 0) present.push(e);
  });
  if (present.length === 0) return null;
  const about = { n: present.length, dropped, scored };
  const clusterOf =
    judging.clusterOf === null ? null : gather(present, (e) => judging.clusterOf![e]!);
  const frame: FloorFrame = { judging, rule, column, present, clusterOf, draws: scored };
  if (metric.kind === "latency") return { ...about, ...testQuantile(frame, metric.quantile) };
  const values = gather(present, (e) => column.mean[e]!);
  const rate = metric.kind === "pass" || column.binary;
  return {
    ...about,
    value: meanOf(values),
    ...(rate ? testRate(frame, values, metric.kind === "pass") : testMean(frame, values)),
  };
}

interface FloorFrame {
  readonly judging: Judging;
  readonly rule: GateRule;
  readonly column: Column;
  readonly present: readonly number[];
  readonly clusterOf: Float64Array | null;
  readonly draws: number;
}

type Tested = Pick<FloorTest, "p" | "ci" | "influence" | "clusters" | "method" | "scatter">;

function isCeiling(rule: GateRule): boolean {
  return rule.operator.startsWith("<");
}

/** Rows of an effective rate: what an ordinary rate with this error would have had, never more than its draws. */
function effectiveTrials(
  values: Float64Array,
  draws: number,
  clusterOf: Float64Array | null,
): { readonly trials: number; readonly clusters: number | null } {
  const n = values.length;
  const mean = meanOf(values);
  if (clusterOf !== null) {
    const { se, df, clusters } = estimateClusters(values, clusterOf);
    const plain = mean * (1 - mean);
    if (se === 0 || plain === 0) return { trials: clusters, clusters };
    const penalty = (studentQuantile(0.975, n - 1) / studentQuantile(0.975, Math.max(1, df))) ** 2;
    return { trials: Math.min(n, (plain / (se * se)) * penalty), clusters };
  }
  if (draws === n) return { trials: n, clusters: null };
  const se = standardError(values, mean);
  if (se === 0 || n < 2) return { trials: n, clusters: null };
  const trials = ((mean * (1 - mean)) / (se * se)) * repeatsPenalty(n);
  return { trials: Math.max(n, Math.min(draws, trials)), clusters: null };
}

/** The error of a mean of repeats is an estimate from so many examples. */
function repeatsPenalty(n: number): number {
  return (1.959964 / studentQuantile(0.975, n - 1)) ** 2;
}

function repeatedMarks(
  { column, present, draws }: FloorFrame,
  values: Float64Array,
): RepeatedMarks | null {
  const examples = values.length;
  const mean = meanOf(values);
  if (examples < 2 || mean <= 0) return null;
  let [within, measured, inverse] = [0, 0, 0];
  values.forEach((value, i) => {
    const runs = column.scored[present[i]!]!;
    inverse += 1 / runs / examples;
    if (runs < 2) return;
    within += (value * (1 - value) * runs) / (runs - 1);
    measured++;
  });
  const all = mean * (1 - mean);
  const wavering = all === 0 ? 0 : Math.min(1, within / measured / all);
  return { wavering, inverse, examples, draws, penalty: repeatsPenalty(examples) };
}

/**
 * A rate by the binomial itself: exact for single runs, by effective trials (Korn and Graubard) for
 * repeats and clusters.
 */
function testRate(frame: FloorFrame, values: Float64Array, counted: boolean): Tested {
  const { rule } = frame;
  const { trials, clusters } = effectiveTrials(
    values,
    counted ? values.length : frame.draws,
    frame.clusterOf,
  );
  const mean = meanOf(values);
  const low = isCeiling(rule);
  const p = low
    ? lowRateChance(1 - mean, trials, 1 - rule.threshold)
    : lowRateChance(mean, trials, rule.threshold);
  const exact = trials === values.length && clusters === null;
  return {
    p,
    ci: exactRate(mean, trials),
    influence: centred(frame, values, mean),
    clusters,
    method: exact
      ? "exact binomial (Clopper-Pearson)"
      : `exact binomial, ${clusters === null ? "" : `${clusters} clusters, `}${trials.toFixed(1)} effective trials`,
    scatter: {
      kind: "rate",
      trials,
      bar: low ? 1 - rule.threshold : rule.threshold,
      repeats: exact || counted || clusters !== null ? null : repeatedMarks(frame, values),
    },
  };
}

function testMean(frame: FloorFrame, values: Float64Array): Tested {
  const { rule, clusterOf } = frame;
  const n = values.length;
  const mean = meanOf(values);
  const sign = isCeiling(rule) ? -1 : 1;
  const gap = sign * (mean - rule.threshold);
  const influence = centred(frame, values, mean);
  if (clusterOf !== null) {
    const found = estimateClusters(values, clusterOf);
    const flipped = { ...found, mean: gap };
    return {
      p: found.clusters < 2 || n < FEWEST_PAIRS ? null : clusterTail(flipped),
      ci: found.clusters < 2 ? null : studentInterval(mean, found.se, found.df, 0.95),
      influence,
      clusters: found.clusters,
      method: `CR2, ${found.clusters} clusters, Satterthwaite df ${found.df.toFixed(1)}`,
      scatter: { kind: "clusters", se: found.se, df: found.df },
    };
  }
  const se = standardError(values, mean);
  const tested = n >= FEWEST_PAIRS;
  const student = studentTail(gap, se, n);
  const skewed = tested ? createSkewTest(values, sign)(gap, "fine") : 0;
  const corrected = skewed > student ? ", corrected for a long tail" : "";
  return {
    p: tested ? Math.max(student, skewed) : null,
    ci: n < 2 ? null : studentInterval(mean, se, n - 1, 0.95),
    influence,
    clusters: null,
    method: n < 2 ? "mean" : `t, df ${n - 1}${corrected}`,
    scatter: tested ? { kind: "values", values, sign } : null,
  };
}

/** A quantile meets its limit when few enough rows lie beyond it: a rate, judged as one. */
function testQuantile(frame: FloorFrame, q: number): Tested & { readonly value: number } {
  const { judging, rule, column, present, clusterOf } = frame;
  const sorted = valuesOf(judging.head.index, column, present);
  const low = isCeiling(rule);
  const marks = gather(present, (e) => shareWithin(judging, column, e, rule));
  const needed = low ? q : 1 - q;
  const { trials, clusters } = effectiveTrials(marks, frame.draws, clusterOf);
  const mean = meanOf(marks);
  const independent = clusters ?? present.length;
  return {
    value: quantile(sorted, q),
    p: lowRateChance(mean, trials, needed),
    ci: quantileInterval(sorted, q, independent),
    influence: centred(frame, marks, mean, 1),
    clusters,
    method: "order statistics",
    scatter: null,
  };
}

/** Share of an example's rows that meet a limit. */
function shareWithin(judging: Judging, column: Column, example: number, rule: GateRule): number {
  const { start, order } = judging.head.index;
  let [within, counted] = [0, 0];
  for (let at = start[example]!; at < start[example + 1]!; at++) {
    const value = column.values[order[at]!]!;
    if (Number.isNaN(value)) continue;
    counted++;
    if (meetsRule(rule, value)) within++;
  }
  return within / counted;
}

/** What each example adds to the value, signed so that lower is worse. */
function centred(
  { judging, rule, present, clusterOf }: FloorFrame,
  values: Float64Array,
  mean: number,
  sign = isCeiling(rule) ? -1 : 1,
): Float64Array {
  const influence = new Float64Array(judging.head.index.examples.length);
  for (let i = 0; i < values.length; i++) {
    const at = clusterOf === null ? present[i]! : Math.abs(clusterOf[i]!) % influence.length;
    influence[at]! += sign * (values[i]! - mean);
  }
  return influence;
}
