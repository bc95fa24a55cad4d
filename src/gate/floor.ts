import type { GateReport, Verdict } from "../report/report.ts";
import { estimate, quantile, quantileInterval, Z_95, type Interval } from "./interval.ts";
import { gather, parseMetric, valuesOf, type Column } from "./metric.ts";
import { detectableFactor } from "./paired.ts";
import type { GateRule } from "./rule.ts";
import type { Judging } from "./side.ts";
import { amounts, count, tidy } from "./wording.ts";

/** A metric of the head with its interval, before it meets its floor. */
interface Measured {
  readonly n: number;
  readonly dropped: number;
  /** Rows that have a value. */
  readonly scored: number;
  readonly value: number;
  readonly ci: Interval | null;
  /** Whether an end of the interval is the most extreme value only because there are too few to bound it. */
  readonly unbounded: readonly [boolean, boolean];
  readonly method: string;
}

/** Floors hold on a two-sided 95 % interval, whatever alpha the drops have. */
const FLOOR_ALPHA = 0.05;

/** Judges a metric of the head against a number: fail only when the whole interval is on the wrong side. */
export function judgeFloor(judging: Judging, rule: GateRule): GateReport {
  const { index } = judging.head;
  const blank = {
    metric: rule.metric,
    rule: rule.text,
    repeats: index.repeats,
    base: null,
    delta: null,
    p: null,
    alpha: FLOOR_ALPHA,
  };
  if (rule.metric === "rows") return judgeRows(blank, rule, index.table.rows.length);
  const column = judging.head.column(rule.metric);
  const measured = measure(judging, rule.metric, column);
  if (measured.n === 0) {
    return {
      ...blank,
      verdict: "fail",
      n: 0,
      n_dropped: measured.dropped,
      head: null,
      ci: null,
      mde: null,
      method: "none",
      reason: nothingScored(rule.metric, measured.dropped),
    };
  }
  const { ci } = measured;
  // The smallest shortfall that four of five such runs would have shown.
  const mde =
    ci === null ? null : tidy(((ci[1] - ci[0]) / 2 / Z_95) * detectableFactor(FLOOR_ALPHA / 2));
  const { verdict, reason } = compare(rule, measured, mde);
  return {
    ...blank,
    verdict,
    n: measured.n,
    n_dropped: measured.dropped,
    head: tidy(measured.value),
    ci: ci === null ? null : [tidy(ci[0]), tidy(ci[1])],
    mde,
    method: measured.method,
    reason,
  };
}

/** Why a gate on a metric that no row has cannot hold. */
export function nothingScored(metric: string, dropped: number): string {
  const { kind } = parseMetric(metric);
  if (dropped === 0) return `${metric} cannot be judged: the results hold no row`;
  if (kind === "latency")
    return `${metric} cannot be judged: none of the ${count(dropped, "row")} ran without error and has a duration`;
  if (kind === "pass")
    return `${metric} cannot be judged: no example has that many scored repeats; run the examples more often`;
  return `${metric} cannot be judged: none of the ${count(dropped, "row")} has a score for it (an errored row has none)`;
}

function judgeRows(
  blank: Pick<GateReport, "metric" | "rule" | "repeats" | "base" | "delta" | "p" | "alpha">,
  rule: GateRule,
  rows: number,
): GateReport {
  const holds = meetsRule(rule, rows);
  return {
    ...blank,
    verdict: holds ? "pass" : "fail",
    n: rows,
    n_dropped: 0,
    head: rows,
    ci: null,
    mde: null,
    method: "count",
    reason: `the results hold ${count(rows, "row")}; the gate asks for ${rule.operator} ${rule.threshold}`,
  };
}

function measure(judging: Judging, metric: string, column: Column): Measured {
  const parsed = parseMetric(metric);
  const present: number[] = [];
  let dropped = 0;
  let draws = 0;
  column.scored.forEach((scored, e) => {
    dropped += column.missing[e]!;
    draws += scored;
    if (scored > 0) present.push(e);
  });
  const n = present.length;
  if (n === 0)
    return {
      n,
      dropped,
      scored: 0,
      value: NaN,
      ci: null,
      unbounded: [false, false],
      method: "none",
    };
  if (parsed.kind === "latency") {
    const sorted = valuesOf(judging.head.index, parsed);
    const { ci, lowBounded, highBounded } = quantileInterval(
      sorted,
      parsed.quantile,
      independent(judging, present),
    );
    const ends = [lowBounded ? "" : "lower", highBounded ? "" : "upper"]
      .filter((end) => end !== "")
      .join(" and ");
    const method = `order statistics${ends === "" ? "" : `; ${ends} end: the most extreme row, too few rows to bound it`}`;
    return {
      n,
      dropped,
      scored: draws,
      value: quantile(sorted, parsed.quantile),
      ci,
      unbounded: [!lowBounded, !highBounded],
      method,
    };
  }
  const found = estimate({
    values: gather(present, (e) => column.mean[e]!),
    rate: column.binary || parsed.kind === "pass",
    draws: parsed.kind === "pass" ? n : draws,
    clusterOf: judging.clusterOf === null ? null : gather(present, (e) => judging.clusterOf![e]!),
  });
  return {
    n,
    dropped,
    scored: draws,
    value: found.mean,
    ci: found.ci,
    unbounded: [false, false],
    method: found.method,
  };
}

/** How many of some head examples count as independent: their clusters where examples share luck. */
export function independent({ clusterOf }: Judging, examples: readonly number[]): number {
  return clusterOf === null ? examples.length : new Set(examples.map((e) => clusterOf[e]!)).size;
}

/** Slack against the last bits of a mean: 17 of 20 is 0.85, not a hair under it. */
const SLACK = 1e-12;

/** Whether a value is on the right side of a floor or ceiling. */
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

function compare(
  rule: GateRule,
  { n, dropped, scored, value, ci, unbounded }: Measured,
  mde: number | null,
): { verdict: Verdict; reason: string } {
  const higher = rule.operator.startsWith(">");
  const word = higher ? "floor" : "limit";
  const [shown, bar, low, high] = amounts(
    rule.metric,
    value,
    rule.threshold,
    ci?.[0] ?? value,
    ci?.[1] ?? value,
  ) as [string, string, string, string];
  const is = `${rule.metric} is ${shown} on ${count(n, "example")}${dropped > 0 ? ` (${count(dropped, "row")} without a value not counted)` : ""}`;
  const range = unbounded[1]
    ? `${low} or more`
    : unbounded[0]
      ? `${high} or less`
      : `${low} to ${high}`;
  const span =
    ci === null ? "one value says nothing about the spread" : saySpan({ n, low, high, unbounded });
  // The best that the interval allows: beyond the last row when an end could not be bounded.
  const best =
    ci === null
      ? null
      : unbounded[higher ? 1 : 0]
        ? higher
          ? Infinity
          : -Infinity
        : ci[higher ? 1 : 0];
  const worst =
    ci === null
      ? null
      : unbounded[higher ? 0 : 1]
        ? higher
          ? -Infinity
          : Infinity
        : ci[higher ? 0 : 1];
  if (best !== null && !meetsRule(rule, best)) {
    return {
      verdict: "fail",
      reason: `${is}, and even with luck counted in (${range}) it is on the wrong side of the ${word} of ${bar}`,
    };
  }
  if (!meetsRule(rule, value)) {
    const show =
      mde === null
        ? ""
        : `; this many examples show a gap of about ${amounts(rule.metric, mde)[0]} or more, so add examples`;
    return {
      verdict: "inconclusive",
      reason: `${is}, on the wrong side of the ${word} of ${bar}, but that can be bad luck: ${span}${show}`,
    };
  }
  if (scored < dropped) {
    return {
      verdict: "inconclusive",
      reason: `${is}: the ${word} of ${bar} is met, but most rows have no value, so this says little; look at the errored and unscored rows`,
    };
  }
  const proven = worst !== null && meetsRule(rule, worst);
  return {
    verdict: "pass",
    reason: proven
      ? `${is}; with luck counted out it still meets the ${word} of ${bar} (${range})`
      : `${is} and meets the ${word} of ${bar}; not proven, since ${span}`,
  };
}

/** Where the true value lies, as far as so many rows can tell: an end that is but the most extreme row bounds nothing. */
function saySpan({
  n,
  low,
  high,
  unbounded: [below, above],
}: {
  readonly n: number;
  readonly low: string;
  readonly high: string;
  readonly unbounded: readonly [boolean, boolean];
}): string {
  if (!below && !above) return `the true value most likely lies between ${low} and ${high}`;
  const few = `${count(n, "example")} ${n === 1 ? "is" : "are"} too few to say`;
  return below && above
    ? `${few} how low or how high the true value may lie`
    : above
      ? `the true value is most likely ${low} or more, and ${few} how high it may lie`
      : `the true value is most likely ${high} or less, and ${few} how low it may lie`;
}
