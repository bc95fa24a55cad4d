import { columnWithCrashes, FEWEST_PAIRS } from "./comparison.ts";
import {
  estimateMean,
  type Interval,
  PROOF,
  quantileInterval,
  studentInterval,
  wilson,
} from "./interval.ts";
import { type GateFacts, type JudgedGate, toJudgedGate } from "./gate-report.ts";
import { chanceOfMean, toUnits } from "./mean-bound.ts";
import {
  columnOf,
  type MetricColumn,
  pick,
  parseMetric,
  quantileOf,
  scoredExamples,
  valuesOf,
} from "./metric.ts";
import { type GateRule, isCeiling, meetsRule } from "./gate-rule.ts";
import { describeFloor, describeUnscored, type FloorEnd, say, verdictOf } from "./sentence.ts";
import type { Judging } from "./judging.ts";
import { plural } from "../model/count-words.ts";

interface Measured {
  readonly n: number;
  readonly dropped: number;
  readonly value: number;
  readonly ci: Interval | null;
  readonly method: string;
  /** Probability of a value this far on the wrong side if the true one is at the limit, or why it cannot be judged. */
  readonly chance: () => number | Unjudged;
}

type Unjudged =
  | { readonly kind: "alike" | "one-cluster" }
  | Extract<FloorEnd, { readonly kind: "few" }>;

interface FloorFrame {
  readonly judging: Judging;
  readonly rule: GateRule;
  readonly column: MetricColumn;
  readonly present: Int32Array;
  readonly clusterOf: Float64Array | null;
}

/** Measures a metric of the head; null if nothing was scored. */
export function measure(
  judging: Judging,
  rule: GateRule,
  column = judging.head.column(rule.metric),
): Measured | null {
  const metric = parseMetric(rule.metric);
  const present = scoredExamples(column);
  if (present.length === 0) return null;
  let scored = 0;
  for (const rows of column.scored) scored += rows;
  const clusters = judging.clusterOf;
  const clusterOf = clusters === null ? null : pick(clusters, present);
  const frame: FloorFrame = { judging, rule, column, present, clusterOf };
  const about = { n: present.length, dropped: judging.head.table.size - scored };
  if (metric.kind === "latency" && metric.quantile !== null)
    return { ...about, ...measureQuantile(frame, metric.quantile, scored) };
  const isRate = metric.kind === "pass" || column.binary;
  return { ...about, ...measureMean(frame, isRate, metric.kind === "pass" ? null : scored) };
}

type Shown = Omit<Measured, "n" | "dropped">;

const clustersOf = (clusterOf: Float64Array | null): number | null =>
  clusterOf === null ? null : new Set(clusterOf).size;

/** Student's interval for a mean, Wilson's for a rate; `draws` is how many rows the values come from. */
function measureMean(frame: FloorFrame, isRate: boolean, draws: number | null): Shown {
  const values = pick(frame.column.mean, frame.present);
  const { mean: value, scatter, clusters } = estimateMean(values, frame.clusterOf);
  const shown = { value, chance: () => chanceAtLimit(frame, values) };
  const n = values.length;
  if (isRate) {
    // The number of independent rows with the same standard error, for repeats and clusters (Korn and Graubard 1998).
    const [least, most] = clusters === null ? [n, draws ?? n] : [0, n];
    const plain = value * (1 - value);
    const trials =
      scatter === null ? (clusters ?? n) : Math.max(least, Math.min(most, plain / scatter.se ** 2));
    const method =
      trials === n && clusters === null ? "" : `, ${trials.toFixed(1)} effective trials`;
    return { ...shown, ci: wilson(value, trials), method: `Wilson${method}` };
  }
  const of = clusters === null ? `df ${n - 1}` : plural(clusters, "cluster");
  return {
    ...shown,
    // Equal values show no spread: an interval of width 0 would claim too much.
    ci: scatter === null ? null : studentInterval(value, scatter),
    method: n < 2 && clusters === null ? "mean" : `Student, ${of}`,
  };
}

/** A quantile meets its limit if few enough rows are beyond it. */
function measureQuantile(frame: FloorFrame, q: number, scored: number): Shown {
  const { judging, rule, column, present, clusterOf } = frame;
  const sorted = valuesOf(judging.head.table, column, present);
  const trials = Math.min(scored, clustersOf(clusterOf) ?? present.length);
  const needed = isCeiling(rule) ? q : 1 - q;
  return {
    value: quantileOf(sorted, q),
    ci: quantileInterval(sorted, q, trials),
    method: "order statistics",
    chance: () => {
      const within = column.values.map((value) =>
        Number.isNaN(value) ? NaN : Number(meetsRule(rule, value)),
      );
      const shares = columnOf(judging.head.table, { kind: "latency", quantile: q }, within).mean;
      return chanceOfUnits(pick(shares, present), clusterOf, { limit: needed, most: 1 });
    },
  };
}

/** Values are turned so that more is better. Values within 0…1 end there; other scales are assumed to continue. */
function chanceAtLimit(
  { rule, clusterOf, column }: FloorFrame,
  values: Float64Array,
): number | Unjudged {
  const sign = isCeiling(rule) ? -1 : 1;
  const [low, high] = column.extent;
  const turned = values.map((value) => sign * value);
  const [worst, best] = sign === 1 ? [low, high] : [-high, -low];
  const limit = sign * rule.threshold;
  if (low >= 0 && high <= 1)
    return chanceOfUnits(turned, clusterOf, { limit, most: Math.max(0, sign) });
  // Few or equal values do not show how far a scale reaches.
  const clusters = clustersOf(clusterOf);
  if ((clusters ?? values.length) < FEWEST_PAIRS)
    return { kind: "few", of: clusters === null ? "examples" : "clusters" };
  if (best === worst) return { kind: "alike" };
  // Twice the observed range, set with lognormal scores (npm run bench -- gates, "long tail").
  return chanceOfUnits(turned, clusterOf, { limit, most: best + (best - worst) });
}

/** Probability of a mean this low if the true one is at the limit. */
function chanceOfUnits(
  values: Float64Array,
  clusterOf: Float64Array | null,
  { limit, most }: { readonly limit: number; readonly most: number },
): number | Unjudged {
  // Turned, since the bound knows the end of the scale below the values.
  const short = values.map((value) => limit - value);
  const { units, least } = toUnits(short, clusterOf, limit - most);
  if (clusterOf !== null && units.length < 2) return { kind: "one-cluster" };
  return chanceOfMean(units, least);
}

/** How a floor ended, and its p if it had to be proven. */
interface Ended {
  readonly end: FloorEnd;
  readonly p: number | null;
}

/** Judges a floor or ceiling. */
export function reportFloor(judging: Judging, rule: GateRule): JudgedGate {
  const isProven = judging.gates.floors === "proven";
  const report = (found: Omit<GateFacts, "metric" | "rule" | "limit" | "lower">): JudgedGate =>
    toJudgedGate(judging, {
      metric: rule.metric,
      rule: rule.text,
      limit: rule.threshold,
      lower: isCeiling(rule),
      ...(isProven ? { alpha: PROOF } : {}),
      ...found,
    });
  const { size } = judging.head.table;
  if (rule.metric === "rows") return report(judgeRows(rule, size));
  const measured = measure(judging, rule);
  if (measured === null)
    return report({
      verdict: "fail",
      n: 0,
      n_dropped: size,
      method: "none",
      describe: () => describeUnscored(rule.metric, size),
    });
  const { n, value, dropped, method } = measured;
  const ended = withCrashes(judging, rule, decide(rule, measured, isProven));
  const ci = intervalFor(measured, ended, rule);
  return report({
    verdict: verdictOf(ended.end),
    n,
    n_dropped: dropped,
    head: value,
    ci,
    p: ended.p,
    p_own: ended.p,
    method: isProven ? `${method}; proof by Gaffke's bound` : method,
    describe: (decimals) => describeFloor({ rule, n, value, ci, dropped, decimals }, ended.end),
  });
}

/** The 95 % interval, always including the value; it includes the limit if a proven floor is left open. */
function intervalFor({ ci, value }: Measured, { end }: Ended, rule: GateRule): Interval | null {
  if (ci === null) return null;
  const held = end.kind === "near" ? [value, rule.threshold] : [value];
  return [Math.min(ci[0], ...held), Math.max(ci[1], ...held)];
}

function decide(rule: GateRule, measured: Measured, isProven: boolean): Ended {
  if (meetsRule(rule, measured.value)) return { end: { kind: "met" }, p: null };
  if (!isProven) return { end: { kind: "missed" }, p: null };
  const p = measured.chance();
  if (typeof p !== "number") return { end: p, p: null };
  return { end: { kind: p < PROOF ? "missed" : "near" }, p };
}

/** A floor that would fail with new crashes at the worst value does not pass. */
function withCrashes(judging: Judging, rule: GateRule, ended: Ended): Ended {
  const { crashes, rows } = judging.crashes;
  const verdict = verdictOf(ended.end);
  if (verdict === "fail") return ended;
  const found = columnWithCrashes(judging, judging.crashes, rule.metric, isCeiling(rule));
  const measured = found === null ? null : measure(judging, rule, found.column);
  if (measured === null) return ended;
  const { end } = decide(rule, measured, judging.gates.floors === "proven");
  if (verdictOf(end) !== "fail") return ended;
  const kind = verdict === "pass" ? "crashed" : "near-with-crashes";
  return { end: { kind, crashes, rows }, p: ended.p };
}

function judgeRows(
  rule: GateRule,
  rows: number,
): Pick<GateFacts, "verdict" | "n" | "head" | "method" | "describe"> {
  const isMet = meetsRule(rule, rows);
  const advice = isCeiling(rule) ? "Check the evaluation." : "Run the missing rows.";
  return {
    verdict: isMet ? "pass" : "fail",
    n: rows,
    head: rows,
    method: "count",
    describe: () =>
      say(
        `the results hold ${plural(rows, "row")}; the gate asks for ${rule.operator} ${rule.threshold}.`,
        isMet ? "" : advice,
      ),
  };
}
