import type { GateReport, Verdict } from "../report/report.ts";
import { FEWEST_PAIRS } from "./comparison.ts";
import { columnWithCrashes, type Crashes, type RuleUnderCrashes, withCrashCount } from "./crash.ts";
import { sayNothingScored } from "./drop.ts";
import type { Family, FamilyBuilder } from "./family-builder.ts";
import { meetsRule, testFloor, type FloorTest } from "./floor.ts";
import { closed } from "./interval.ts";
import { parseMetric } from "./metric.ts";
import { detectableShortfall } from "./floor-power.ts";
import { neededToBound } from "./quantile-bound.ts";
import type { GateRule } from "./rule.ts";
import { finishSentence, sayFloor, type FloorEnd } from "./sentence.ts";
import type { Judging } from "./side.ts";
import { count, tidy } from "./wording.ts";

/** A floor or ceiling between its measurement and its verdict. */
export interface PreparedFloor {
  readonly rule: GateRule;
  readonly test: FloorTest | null;
  readonly question: number | null;
}

function isCeiling({ operator }: GateRule): boolean {
  return operator.startsWith("<");
}

/** Measures a floor and puts its question into the family. */
export function prepareFloor(
  judging: Judging,
  rule: GateRule,
  family: FamilyBuilder,
): PreparedFloor {
  const test = rule.metric === "rows" ? null : testFloor(judging, rule);
  const p = test?.p ?? null;
  return {
    rule,
    test,
    question:
      test === null || p === null
        ? null
        : family.add({ p, influence: test.influence, clusters: test.clusters, open: p < 1 }),
  };
}

/** Judges a floor or ceiling once the family is known. */
export function reportFloor({
  judging,
  prepared: { rule, test, question },
  family,
  crashes,
}: {
  readonly judging: Judging;
  readonly prepared: PreparedFloor;
  readonly family: Family;
  readonly crashes: Crashes;
}): GateReport {
  const { index } = judging.head;
  const blank = {
    metric: rule.metric,
    rule: rule.text,
    repeats: index.repeats,
    base: null,
    delta: null,
    alpha: judging.gates.alpha,
    direction: isCeiling(rule) ? ("lower" as const) : ("higher" as const),
    anchor: null,
  };
  if (rule.metric === "rows") return { ...blank, ...judgeRows(rule, index.table.size) };
  if (test === null) {
    return {
      ...blank,
      verdict: "fail",
      n: 0,
      n_dropped: index.table.size,
      head: null,
      ci: null,
      p: null,
      mde: null,
      method: "none",
      reason: finishSentence(judging.label, sayNothingScored(rule.metric, index.table.size)),
    };
  }
  const p = question === null ? null : family.p(question);
  const ci = intervalFor(rule, test, p, judging.gates.alpha);
  const decided = decide(judging, rule, { test, p, ci });
  const ended =
    decided.verdict === "pass" || decided.end.kind === "near"
      ? (crashEnd({ judging, rule, family, crashes }, decided) ?? decided)
      : { ...decided, end: withCrashCount(decided.end, crashes) };
  const { n, value, clusters, dropped } = test;
  const words = { rule, n, value, ci, clusters, dropped };
  const gap = test.scatter === null ? null : detectableShortfall(test.scatter, family.level);
  return {
    ...blank,
    verdict: ended.verdict,
    n: test.n,
    n_dropped: test.dropped,
    head: tidy(test.value),
    ci: ci === null ? null : closed(ci),
    p: p === null ? null : tidy(p),
    mde: gap === null || p === null ? null : tidy(gap),
    method:
      family.size > 1 && p !== null
        ? `${test.method}; step-down max-T over ${family.size}`
        : test.method,
    reason: finishSentence(judging.label, sayFloor(words, ended.end)),
  };
}

/** The 95 % interval; it reaches the limit wherever the test among all gates does not exclude it. */
function intervalFor(
  rule: GateRule,
  { ci, value }: FloorTest,
  p: number | null,
  alpha: number,
): readonly [number, number] | null {
  if (ci === null) return null;
  const [low, high] = [Math.min(ci[0], value), Math.max(ci[1], value)];
  if (p === null || p < Math.min(0.025, alpha) || meetsRule(rule, value)) return [low, high];
  return [Math.min(low, rule.threshold), Math.max(high, rule.threshold)];
}

interface Decided {
  readonly verdict: Verdict;
  readonly end: FloorEnd;
}

function decide(
  judging: Judging,
  rule: GateRule,
  {
    test,
    p,
    ci,
  }: {
    readonly test: FloorTest;
    readonly p: number | null;
    readonly ci: readonly [number, number] | null;
  },
): Decided {
  if (!meetsRule(rule, test.value)) {
    if (p !== null && p < judging.gates.alpha) return { verdict: "fail", end: { kind: "missed" } };
    if (p !== null) return { verdict: "inconclusive", end: { kind: "near" } };
    const kind = test.n < FEWEST_PAIRS ? "few" : "one-cluster";
    return { verdict: "inconclusive", end: { kind } };
  }
  if (test.scored < test.dropped) return { verdict: "inconclusive", end: { kind: "thin" } };
  const worst = isCeiling(rule) ? ci?.[1] : ci?.[0];
  if (worst !== undefined && !Number.isFinite(worst)) {
    const sides = [isCeiling(rule) ? "above" : "below"] as const;
    const how = { sides, tail: 0.025, clustered: test.clusters !== null };
    const needed = neededToBound(rule.metric, how);
    return { verdict: "pass", end: { kind: "met-unbounded", ...needed } };
  }
  const proven = worst !== undefined && meetsRule(rule, worst);
  return { verdict: "pass", end: { kind: "met", proven } };
}

/** What would fail with the crashes at the worst value does not pass, and is told so where it is open already. */
function crashEnd(
  { judging, rule, family, crashes }: RuleUnderCrashes,
  { verdict }: Decided,
): Decided | null {
  if (judging.gates.errors === "ignore" || parseMetric(rule.metric).kind === "error_rate")
    return null;
  const spoilt = columnWithCrashes(judging, crashes, rule.metric, isCeiling(rule));
  if (spoilt === null) return null;
  const test = testFloor(judging, rule, spoilt.column);
  if (test === null || meetsRule(rule, test.value)) return null;
  if (test.p === null || test.p >= family.level) return null;
  const kind = verdict === "pass" ? "crashed" : "near-with-crashes";
  return {
    verdict: "inconclusive",
    end: { kind, crashes: crashes.count, rows: crashes.rows },
  };
}

function judgeRows(
  rule: GateRule,
  rows: number,
): Pick<
  GateReport,
  "verdict" | "n" | "n_dropped" | "head" | "ci" | "p" | "mde" | "method" | "reason"
> {
  const isMet = meetsRule(rule, rows);
  const advice = rule.operator.startsWith(">") ? "Run the missing rows." : "Check the evaluation.";
  return {
    verdict: isMet ? "pass" : "fail",
    n: rows,
    n_dropped: 0,
    head: rows,
    ci: null,
    p: null,
    mde: null,
    method: "count",
    reason: `the results hold ${count(rows, "row")}; the gate asks for ${rule.operator} ${rule.threshold}.${isMet ? "" : ` ${advice}`}`,
  };
}
