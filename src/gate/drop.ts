import type { GateReport } from "../report/report.ts";
import { independent, nothingScored } from "./floor.ts";
import { meanOf, quantile, quantileInterval, Z_95, type Interval } from "./interval.ts";
import { gather, parseMetric, shareAbove, valuesOf, type Metric } from "./metric.ts";
import {
  detectableFactor,
  FEWEST_PAIRS,
  holm,
  lowerBound,
  pairedInterval,
  testPaired,
  type PairedResult,
} from "./paired.ts";
import type { GateRule } from "./rule.ts";
import type { Judging, Shared, Side } from "./side.ts";
import { tidy } from "./wording.ts";
import { sayDrop, sayTooFew, type DropFacts } from "./drop-wording.ts";

/** Slack against the last bits of a difference of means. */
const SLACK = 1e-12;

/** A difference without the last bits that averaging left in it. */
function settled(difference: number): number {
  return Math.abs(difference) < SLACK ? 0 : difference;
}

/** The baseline as far as it can be compared; without one, why not. */
export type Comparison =
  | { readonly state: "used"; readonly base: Side; readonly shared: Shared }
  | { readonly state: "refused"; readonly message: string };

/** The pairs of one metric: examples that have a value on both sides. */
interface Pairs {
  readonly metric: Metric;
  /** Positions in `shared`. */
  readonly at: readonly number[];
  readonly dropped: number;
  readonly head: number;
  readonly base: number;
  readonly result: PairedResult | null;
  readonly ci: Interval | null;
  /** One-sided lower bound of the change, worse counted as negative; null where nothing bounds it. */
  readonly bound: number | null;
  readonly se: number;
  /** Part of the variance of one difference that repeats would shrink; null without repeats. */
  readonly noise: number | null;
}

/** Judges all drops of a set together, since each one more raises the chance of a false alarm (Holm). */
export function judgeDrops(
  judging: Judging,
  rules: readonly GateRule[],
  comparison: Comparison,
): GateReport[] {
  const pairsOf = new Map<string, Pairs>();
  if (comparison.state === "used") {
    for (const { metric } of rules)
      if (!pairsOf.has(metric)) pairsOf.set(metric, pairUp(judging, metric, comparison));
  }
  // Two gates on one metric ask one question.
  const tested = [...pairsOf].flatMap(([metric, { result }]) =>
    result === null ? [] : [{ metric, p: result.p }],
  );
  const adjusted = holm(tested.map(({ p }) => p));
  const pOf = new Map(tested.map(({ metric }, at) => [metric, adjusted[at]!]));
  return rules.map((rule) => {
    const pairs = pairsOf.get(rule.metric);
    if (pairs === undefined || comparison.state === "refused")
      return reportUncompared(
        judging,
        rule,
        comparison.state === "refused" ? comparison.message : "",
      );
    return report({
      judging,
      rule,
      pairs,
      p: pOf.get(rule.metric) ?? null,
      family: tested.length,
      shared: comparison.shared.head.length,
    });
  });
}

function pairUp(
  judging: Judging,
  metricName: string,
  { base, shared }: Extract<Comparison, { state: "used" }>,
): Pairs {
  const metric = parseMetric(metricName);
  const left = judging.head.column(metricName);
  const right = base.column(metricName);
  const at: number[] = [];
  let dropped = 0;
  for (let i = 0; i < shared.head.length; i++) {
    const h = shared.head[i]!;
    const b = shared.base[i]!;
    dropped += Math.max(left.missing[h]!, right.missing[b]!);
    if (left.scored[h]! === 0 || right.scored[b]! === 0) continue;
    at.push(i);
  }
  const sign = judging.lowerIsBetter(metricName) ? -1 : 1;
  const clusterOf =
    judging.clusterOf === null ? null : gather(at, (i) => judging.clusterOf![shared.head[i]!]!);
  const frame: Frame = { judging, base, shared, metric, at, dropped, sign, clusterOf };
  if (at.length === 0)
    return {
      metric,
      at,
      dropped,
      head: NaN,
      base: NaN,
      result: null,
      ci: null,
      bound: null,
      se: 0,
      noise: null,
    };
  return metric.kind === "latency"
    ? pairQuantiles(frame, metric.quantile)
    : pairMeans(frame, metricName);
}

interface Frame {
  readonly judging: Judging;
  readonly base: Side;
  readonly shared: Shared;
  readonly metric: Metric;
  readonly at: readonly number[];
  readonly dropped: number;
  readonly sign: 1 | -1;
  readonly clusterOf: Float64Array | null;
}

function pairMeans(frame: Frame, metricName: string): Pairs {
  const { judging, base, shared, at, sign, clusterOf } = frame;
  const left = judging.head.column(metricName);
  const right = base.column(metricName);
  const before = gather(at, (i) => right.mean[shared.base[i]!]!);
  const after = gather(at, (i) => left.mean[shared.head[i]!]!);
  const values = after.map((value, i) => sign * settled(value - before[i]!));
  const tested = at.length < FEWEST_PAIRS ? null : testPaired({ values, clusterOf });
  const two = tested === null ? null : pairedInterval(tested, 0.95);
  let noise = 0;
  let repeated = at.length > 0;
  for (const i of at) {
    const h = shared.head[i]!;
    const b = shared.base[i]!;
    const [kh, kb] = [left.scored[h]!, right.scored[b]!];
    if (kh < 2 || kb < 2) repeated = false;
    else noise += left.within[h]! / (kh - 1) / kh + right.within[b]! / (kb - 1) / kb;
  }
  return {
    metric: frame.metric,
    at,
    dropped: frame.dropped,
    head: meanOf(after),
    base: meanOf(before),
    result: tested,
    ci: two === null ? null : sign === 1 ? two : [-two[1], -two[0]],
    bound: tested === null ? null : lowerBound(tested, judging.gates.alpha),
    se: tested?.se ?? 0,
    noise: repeated ? noise / at.length : null,
  };
}

/**
 * Quantiles have no difference per row. The test counts, on either side of each pair, what lies above the quantile of
 * both runs together: in an unchanged agent the two sides of a pair could be swapped. The interval joins the two
 * sides' order-statistic intervals (MOVER, Zou and Donner 2008), which errs on the wide side for paired runs.
 */
function pairQuantiles(frame: Frame, q: number): Pairs {
  const { judging, base, shared, metric, at, sign, clusterOf } = frame;
  const after = valuesOf(
    judging.head.index,
    metric,
    gather(at, (i) => shared.head[i]!),
  );
  const before = valuesOf(
    base.index,
    metric,
    gather(at, (i) => shared.base[i]!),
  );
  const both = new Float64Array(after.length + before.length);
  both.set(after);
  both.set(before, after.length);
  const cut = quantile(both.sort(), q);
  const values = gather(at, (i) => {
    const now = shareAbove({ index: judging.head.index, metric, example: shared.head[i]!, cut });
    return sign * (now - shareAbove({ index: base.index, metric, example: shared.base[i]!, cut }));
  });
  const tested = at.length < FEWEST_PAIRS ? null : testPaired({ values, clusterOf });
  const head = quantile(after, q);
  const old = quantile(before, q);
  const delta = head - old;
  const trials = independent(
    judging,
    at.map((i) => shared.head[i]!),
  );
  const join = (confidence: number): { ci: Interval; bounded: boolean } => {
    const one = quantileInterval(after, q, trials, confidence);
    const two = quantileInterval(before, q, trials, confidence);
    return {
      ci: [
        delta - Math.hypot(head - one.ci[0], two.ci[1] - old),
        delta + Math.hypot(one.ci[1] - head, old - two.ci[0]),
      ],
      bounded: sign === 1 ? one.lowBounded && two.highBounded : one.highBounded && two.lowBounded,
    };
  };
  const wide = join(0.95).ci;
  const { ci: narrow, bounded } = join(1 - 2 * judging.gates.alpha);
  return {
    metric,
    at,
    dropped: frame.dropped,
    head,
    base: old,
    result:
      tested === null
        ? null
        : {
            ...tested,
            mean: sign * delta,
            method: `${tested.method} on rows above the common quantile`,
          },
    ci: tested === null ? null : wide,
    bound: tested === null || !bounded ? null : sign === 1 ? narrow[0] : -narrow[1],
    se: (wide[1] - wide[0]) / 2 / Z_95,
    noise: null,
  };
}

function reportUncompared(judging: Judging, rule: GateRule, message: string): GateReport {
  const column = judging.head.column(rule.metric);
  const present = [...column.mean].filter((value) => !Number.isNaN(value));
  const missing = column.missing.reduce((sum, rows) => sum + rows, 0);
  const metric = parseMetric(rule.metric);
  const head =
    present.length === 0
      ? null
      : metric.kind === "latency"
        ? quantile(valuesOf(judging.head.index, metric), metric.quantile)
        : meanOf(present);
  return {
    metric: rule.metric,
    rule: rule.text,
    verdict: head === null ? "fail" : "inconclusive",
    n: 0,
    n_dropped: missing,
    repeats: judging.head.index.repeats,
    head: head === null ? null : tidy(head),
    base: null,
    delta: null,
    ci: null,
    p: null,
    method: "none",
    alpha: judging.gates.alpha,
    mde: null,
    reason:
      head === null
        ? nothingScored(rule.metric, missing)
        : `whether ${rule.metric} fell cannot be told: ${message}`,
  };
}

function report({
  judging,
  rule,
  pairs,
  p,
  family,
  shared,
}: {
  readonly judging: Judging;
  readonly rule: GateRule;
  readonly pairs: Pairs;
  readonly p: number | null;
  readonly family: number;
  readonly shared: number;
}): GateReport {
  const { alpha } = judging.gates;
  const { result, at } = pairs;
  if (at.length === 0) {
    const uncompared = reportUncompared(
      judging,
      rule,
      `the baseline has no value of ${rule.metric} on any of the ${shared} shared examples that has one now`,
    );
    return { ...uncompared, n_dropped: Math.max(uncompared.n_dropped, pairs.dropped) };
  }
  const mde = result === null || pairs.se === 0 ? null : tidy(detectableFactor(alpha) * pairs.se);
  const common = {
    metric: rule.metric,
    rule: rule.text,
    n: at.length,
    n_dropped: pairs.dropped,
    repeats: judging.head.index.repeats,
    head: tidy(pairs.head),
    base: tidy(pairs.base),
    delta: tidy(settled(pairs.head - pairs.base)),
    alpha,
    mde,
  };
  const facts: DropFacts = {
    rule,
    n: at.length,
    repeats: common.repeats,
    dropped: pairs.dropped,
    shared,
    head: pairs.head,
    base: pairs.base,
    mde,
    p,
    alpha,
    family,
    se: pairs.se,
    noise: pairs.noise,
    rateOfChange: result?.mean ?? 0,
    bound: pairs.bound,
    clustered: judging.clusterOf !== null,
  };
  if (result === null || p === null) {
    return {
      ...common,
      verdict: "inconclusive",
      ci: null,
      p: null,
      method: "none",
      reason: sayTooFew(facts),
    };
  }
  const { end, reason } = decide(facts);
  return {
    ...common,
    verdict: end,
    ci: pairs.ci === null ? null : [tidy(pairs.ci[0]), tidy(pairs.ci[1])],
    p: tidy(p),
    method: `${result.method}${family > 1 ? `; Holm over ${family}` : ""}`,
    reason,
  };
}

function decide(facts: DropFacts): { end: GateReport["verdict"]; reason: string } {
  const { rule, rateOfChange: change, p, alpha, bound, n, shared } = facts;
  const within =
    rule.operator === "<=" ? change >= -rule.threshold - SLACK : change > -rule.threshold + SLACK;
  if (!within && change < -SLACK && p !== null && p < alpha)
    return { end: "fail", reason: sayDrop(facts, "proven") };
  const unseen = change >= -SLACK;
  // What is allowed is not harm: a bound that lies on it proves enough, but not for `drop < …`.
  const harmless =
    bound !== null &&
    (rule.operator === "<=" ? bound >= -rule.threshold - SLACK : bound > -rule.threshold + SLACK);
  if (!unseen && !harmless)
    return { end: "inconclusive", reason: sayDrop(facts, within ? "not-ruled-out" : "chance") };
  if (n < shared - n) return { end: "inconclusive", reason: sayDrop(facts, "thin") };
  return { end: "pass", reason: sayDrop(facts, unseen ? "unseen" : "harmless") };
}
