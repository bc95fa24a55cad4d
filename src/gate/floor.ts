import type { GateReport, Verdict } from "../report/report.ts";
import { estimateClusters } from "./cluster.ts";
import { FEWEST_PAIRS } from "./comparison.ts";
import { columnWithCrashes, type Crashes } from "./crash.ts";
import { studentCdf } from "./distribution.ts";
import { extentOf } from "./extent.ts";
import {
  type Interval,
  meanOf,
  quantileInterval,
  standardError,
  studentInterval,
  wilson,
} from "./interval.ts";
import { frameOf, type GateFacts, toGateReport } from "./gate-report.ts";
import { chanceOfMean } from "./mean-bound.ts";
import { type MetricColumn, gather, parseMetric, quantileOf, valuesOf } from "./metric.ts";
import type { GateRule } from "./gate-rule.ts";
import { type FloorEnd, sayFloor, sayNothingScored } from "./sentence.ts";
import type { Judging } from "./side.ts";
import { count } from "./wording.ts";

/** Slack against the last bits of a mean: 0.85 of twenty rows is 0.85. */
const SLACK = 1e-12;
/** A proven floor fails where the value is on the wrong side with 95 %, one-sided (contributing/gate-method.md). */
const PROOF = 0.05;

/** Whether a value is on the right side of a floor or ceiling. */
export function meetsRule({ operator, threshold }: GateRule, value: number): boolean {
  const over = value - threshold;
  switch (operator) {
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

/** A metric of the head as a floor sees it. */
interface Measured {
  readonly n: number;
  readonly dropped: number;
  readonly scored: number;
  readonly value: number;
  readonly ci: Interval | null;
  readonly method: string;
  readonly clusters: number | null;
  /**
   * Chance of a value this far on the wrong side where the true one is at the limit; null where it
   * cannot be judged.
   */
  readonly chance: () => number | null;
}

interface FloorFrame {
  readonly judging: Judging;
  readonly rule: GateRule;
  readonly column: MetricColumn;
  readonly present: readonly number[];
  readonly clusterOf: Float64Array | null;
}

const isCeiling = ({ operator }: GateRule): boolean => operator.startsWith("<");

function measure(
  judging: Judging,
  rule: GateRule,
  column = judging.head.column(rule.metric),
): Measured | null {
  const metric = parseMetric(rule.metric);
  const present: number[] = [];
  let [dropped, scored] = [0, 0];
  column.scored.forEach((rows, e) => {
    dropped += column.missing[e]!;
    scored += rows;
    if (rows > 0) present.push(e);
  });
  if (present.length === 0) return null;
  const { clusterOf } = judging;
  const frame: FloorFrame = {
    judging,
    rule,
    column,
    present,
    clusterOf: clusterOf === null ? null : gather(present, (e) => clusterOf[e]!),
  };
  const about = { n: present.length, dropped, scored };
  if (metric.kind === "latency" && metric.quantile !== null)
    return { ...about, ...measureQuantile(frame, metric.quantile, scored) };
  const values = gather(present, (e) => column.mean[e]!);
  return metric.kind === "pass" || column.binary
    ? { ...about, ...measureRate(frame, values, scored) }
    : { ...about, ...measureMean(frame, values) };
}

/** Rows of an ordinary rate with the same error: repeats and clusters count as so many (Korn and Graubard 1998). */
function effectiveTrials(
  values: Float64Array,
  draws: number,
  clusterOf: Float64Array | null,
): number {
  const n = values.length;
  const mean = meanOf(values);
  const plain = mean * (1 - mean);
  if (clusterOf !== null) {
    const { se, clusters } = estimateClusters(values, clusterOf);
    return se === 0 || plain === 0 ? clusters : Math.min(n, plain / (se * se));
  }
  const se = standardError(values, mean);
  if (draws === n || se === 0) return n;
  return Math.max(n, Math.min(draws, plain / (se * se)));
}

type Shown = Pick<Measured, "value" | "ci" | "method" | "clusters" | "chance">;

const clustersOf = (clusterOf: Float64Array | null): number | null =>
  clusterOf === null ? null : new Set(clusterOf).size;

function measureRate(frame: FloorFrame, values: Float64Array, scored: number): Shown {
  const isCounted = parseMetric(frame.rule.metric).kind === "pass";
  const draws = isCounted ? values.length : scored;
  const trials = effectiveTrials(values, draws, frame.clusterOf);
  const value = meanOf(values);
  const plain = trials === values.length && frame.clusterOf === null;
  return {
    value,
    ci: wilson(value, trials),
    method: plain ? "Wilson" : `Wilson, ${trials.toFixed(1)} effective trials`,
    clusters: clustersOf(frame.clusterOf),
    chance: () => chanceAtLimit(frame, values),
  };
}

function measureMean(frame: FloorFrame, values: Float64Array): Shown {
  const value = meanOf(values);
  const n = values.length;
  if (frame.clusterOf !== null) {
    const { se, df, clusters } = estimateClusters(values, frame.clusterOf);
    return {
      value,
      ci: clusters < 2 || se === 0 ? null : studentInterval(value, se, df, 0.95),
      method: `Student, ${count(clusters, "cluster")}`,
      clusters,
      chance: () => chanceAtLimit(frame, values),
    };
  }
  const se = standardError(values, value);
  return {
    value,
    // Equal values show no spread: an interval of no width would claim more than they do.
    ci: se === 0 ? null : studentInterval(value, se, n - 1, 0.95),
    method: n < 2 ? "mean" : `Student, df ${n - 1}`,
    clusters: null,
    chance: () => chanceAtLimit(frame, values),
  };
}

/** A quantile meets its limit when few enough rows lie beyond it. */
function measureQuantile(frame: FloorFrame, q: number, scored: number): Shown {
  const { judging, rule, column, present, clusterOf } = frame;
  const sorted = valuesOf(judging.head.index, column, present);
  const within = gather(present, (e) => shareWithin(frame, e));
  const trials = Math.min(scored, clustersOf(clusterOf) ?? present.length);
  const needed = isCeiling(rule) ? q : 1 - q;
  return {
    value: quantileOf(sorted, q),
    ci: quantileInterval(sorted, q, trials),
    method: "order statistics",
    clusters: clustersOf(clusterOf),
    chance: () => chanceOfUnits(within, clusterOf, { limit: needed, most: 1 }),
  };
}

/** Share of an example's rows that meet a limit. */
function shareWithin({ judging, column, rule }: FloorFrame, example: number): number {
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

/** Values are turned so that more is better; values in 0…1 end there, and other scales are taken to continue. */
function chanceAtLimit(
  { rule, clusterOf, column }: FloorFrame,
  values: Float64Array,
): number | null {
  const sign = isCeiling(rule) ? -1 : 1;
  const [low, high] = extentOf(column.values);
  const turned = values.map((value) => sign * value);
  const isUnit = low >= 0 && high <= 1;
  const [worst, best] = sign === 1 ? [low, high] : [-high, -low];
  // Nothing shows how far a scale goes if few values, or equal ones, were seen.
  if (!isUnit && (values.length < FEWEST_PAIRS || best === worst)) return null;
  // Twice the range that was seen: found with lognormal scores (npm run bench -- gates, "long tail").
  const most = isUnit ? Math.max(0, sign) : best + (best - worst);
  return chanceOfUnits(turned, clusterOf, { limit: sign * rule.threshold, most });
}

/** Chance of a mean this low where the true one is at the limit. */
function chanceOfUnits(
  values: Float64Array,
  clusterOf: Float64Array | null,
  { limit, most }: { readonly limit: number; readonly most: number },
): number | null {
  if (clusterOf === null)
    return chanceOfMean(
      values.map((value) => -value),
      -most,
      -limit,
    );
  const { mean, se, df, clusters } = estimateClusters(values, clusterOf);
  if (clusters < 2 || se === 0) return null;
  return studentCdf((mean - limit) / se, df);
}

/** How a floor ended. */
interface Ended {
  readonly verdict: Verdict;
  readonly end: FloorEnd;
  readonly p: number | null;
}

/** Judges a floor or ceiling. */
export function reportFloor(judging: Judging, rule: GateRule, crashes: Crashes): GateReport {
  const isProven = judging.gates.floors === "proven";
  const report = (found: Omit<GateFacts, "metric" | "rule" | "limit" | "lower">): GateReport =>
    toGateReport(frameOf(judging), {
      metric: rule.metric,
      rule: rule.text,
      limit: rule.threshold,
      lower: isCeiling(rule),
      ...(isProven ? { alpha: PROOF } : {}),
      ...found,
    });
  const { size } = judging.head.index.table;
  if (rule.metric === "rows") return report(judgeRows(rule, size));
  const measured = measure(judging, rule);
  if (measured === null)
    return report({
      verdict: "fail",
      n: 0,
      n_dropped: size,
      method: "none",
      reason: sayNothingScored(rule.metric, size),
    });
  const { n, value, dropped, clusters, method } = measured;
  const ended = withCrashes(judging, rule, crashes, decide(rule, measured, isProven));
  const ci = intervalFor(measured, ended, rule);
  return report({
    verdict: ended.verdict,
    n,
    n_dropped: dropped,
    head: value,
    ci,
    p: ended.p,
    p_own: ended.p,
    method: isProven ? `${method}; proof by Gaffke's bound` : method,
    reason: sayFloor({ rule, n, value, ci, clusters, dropped }, ended.end),
  });
}

/** The 95 % interval, never without the value itself; it holds the limit wherever a proven floor is left open. */
function intervalFor({ ci, value }: Measured, { end }: Ended, rule: GateRule): Interval | null {
  if (ci === null) return null;
  const held = end.kind === "near" ? [value, rule.threshold] : [value];
  return [Math.min(ci[0], ...held), Math.max(ci[1], ...held)];
}

function decide(rule: GateRule, measured: Measured, isProven: boolean): Ended {
  if (meetsRule(rule, measured.value)) return { verdict: "pass", end: { kind: "met" }, p: null };
  if (!isProven) return { verdict: "fail", end: { kind: "missed", isProven }, p: null };
  const p = measured.chance();
  if (p === null) {
    const kind = measured.n < FEWEST_PAIRS && measured.clusters === null ? "few" : "alike";
    return {
      verdict: "inconclusive",
      end: { kind: measured.clusters === 1 ? "one-cluster" : kind },
      p,
    };
  }
  return p < PROOF
    ? { verdict: "fail", end: { kind: "missed", isProven }, p }
    : { verdict: "inconclusive", end: { kind: "near" }, p };
}

/** What would fail with the new crashes at the worst value does not pass. */
function withCrashes(judging: Judging, rule: GateRule, crashes: Crashes, ended: Ended): Ended {
  if (ended.verdict === "fail" || judging.gates.errors === "ignore") return ended;
  const spoilt = columnWithCrashes(judging, crashes, rule.metric, isCeiling(rule));
  const measured = spoilt === null ? null : measure(judging, rule, spoilt.column);
  if (measured === null) return ended;
  const { verdict } = decide(rule, measured, judging.gates.floors === "proven");
  if (verdict !== "fail") return ended;
  const kind = ended.verdict === "pass" ? "crashed" : "near-with-crashes";
  const end = { kind, crashes: crashes.count, rows: crashes.rows } as const;
  return { verdict: "inconclusive", end, p: ended.p };
}

function judgeRows(
  rule: GateRule,
  rows: number,
): Pick<GateFacts, "verdict" | "n" | "head" | "method" | "reason"> {
  const isMet = meetsRule(rule, rows);
  const advice = rule.operator.startsWith(">") ? "Run the missing rows." : "Check the evaluation.";
  return {
    verdict: isMet ? "pass" : "fail",
    n: rows,
    head: rows,
    method: "count",
    reason: `the results hold ${count(rows, "row")}; the gate asks for ${rule.operator} ${rule.threshold}.${isMet ? "" : ` ${advice}`}`,
  };
}
