import type { GateReport, Verdict } from "../report/report.ts";
import { compareMetric, FEWEST_PAIRS, type Comparison } from "./comparison.ts";
import { columnWithCrashes, referenceWithCrashes, type Crashes } from "./crash.ts";
import type { Family, FamilyBuilder } from "./family-builder.ts";
import { meanOf, quantile, type Interval } from "./interval.ts";
import { parseMetric, valuesOf } from "./metric.ts";
import { detectableFall } from "./power.ts";
import type { GateRule } from "./rule.ts";
import { finishSentence, sayDrop, shortName, type DropEnd, type DropWords } from "./sentence.ts";
import type { Judging, ReferenceRun } from "./side.ts";
import { count, tidy } from "./wording.ts";

/** Slack against the last bits of a difference of means. */
const SLACK = 1e-12;
/** Chance below which a fall that is not proven is worth a look. */
export const SUSPICION = 0.2;

/** A comparison and its place in the family; no place where nothing was tested. */
interface Asked {
  readonly comparison: Comparison;
  readonly question: number | null;
}

/** A drop gate between its comparison and its verdict. */
export interface PreparedDrop {
  readonly rule: GateRule;
  readonly main: Asked | null;
  readonly anchor: Asked | null;
}

function ask(
  judging: Judging,
  metric: string,
  reference: ReferenceRun | null,
  family: FamilyBuilder,
): Asked | null {
  if (reference === null) return null;
  const comparison = compareMetric({ judging, metric, reference });
  if (comparison === null) return null;
  const { n, test, influence, open, clusters } = comparison;
  const tested = n >= FEWEST_PAIRS && (clusters === null || clusters.count >= 2);
  const question = tested ? family.add({ p: test.p, influence, open }) : null;
  return { comparison, question };
}

/** Compares the metric of a drop gate with baseline and anchor, and puts the questions into the family. */
export function prepareDrop(judging: Judging, rule: GateRule, family: FamilyBuilder): PreparedDrop {
  return {
    rule,
    main: ask(judging, rule.metric, judging.base, family),
    anchor: ask(judging, rule.metric, judging.anchor, family),
  };
}

/** A drop gate that has nothing to be compared with. */
export function reportUncompared(judging: Judging, rule: GateRule, message: string): GateReport {
  const column = judging.head.column(rule.metric);
  const present: number[] = [];
  let missing = 0;
  column.mean.forEach((value, e) => {
    missing += column.missing[e]!;
    if (!Number.isNaN(value)) present.push(e);
  });
  const metric = parseMetric(rule.metric);
  const value = (): number =>
    metric.kind === "latency"
      ? quantile(valuesOf(judging.head.index, column, present), metric.quantile)
      : meanOf(present.map((e) => column.mean[e]!));
  const head = present.length === 0 ? null : value();
  const sentence = head === null ? sayNothingScored(rule.metric, missing) : message;
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
    direction: judging.lowerIsBetter(rule.metric) ? "lower" : "higher",
    anchor: null,
    reason:
      head === null || !message.startsWith("no-baseline")
        ? finishSentence(judging.label, sentence)
        : finishSentence("", sentence),
  };
}

/** Why a gate on a metric that no row has cannot hold. */
export function sayNothingScored(metricName: string, dropped: number): string {
  const { kind } = parseMetric(metricName);
  const metric = shortName(metricName);
  if (dropped === 0) return `${metric} cannot be judged: the results hold no row.`;
  if (kind === "latency")
    return `${metric} cannot be judged: none of the ${count(dropped, "row")} ran without error and has a duration.`;
  if (kind === "pass")
    return `${metric} cannot be judged: no example has that many scored repeats. Run the examples more often.`;
  return `${metric} cannot be judged: none of the ${count(dropped, "row")} has a score for it.`;
}

/** Judges a drop gate once the family is known. */
export function reportDrop({
  judging,
  prepared,
  family,
  crashes,
}: {
  readonly judging: Judging;
  readonly prepared: PreparedDrop;
  readonly family: Family;
  readonly crashes: Crashes;
}): GateReport {
  const { rule, main, anchor } = prepared;
  if (main === null) {
    const shared = judging.base?.shared.head.length ?? 0;
    const name = shortName(rule.metric);
    return reportUncompared(
      judging,
      rule,
      `${name} cannot be compared: none of the ${count(shared, "shared example")} has it in both runs. Write a new baseline.`,
    );
  }
  const { comparison } = main;
  const p = main.question === null ? null : family.p(main.question);
  const first = decide(judging, rule, main, p);
  const anchorP = anchor === null || anchor.question === null ? null : family.p(anchor.question);
  const second =
    anchor === null || anchorP === null ? null : decide(judging, rule, anchor, anchorP);
  const byAnchor = second !== null && rank(second.verdict) < rank(first.verdict);
  const decided = byAnchor ? second : first;
  const ended =
    decided.verdict === "pass"
      ? (crashEnd({ judging, rule, family, crashes }) ?? decided)
      : decided;
  const deciding = byAnchor ? anchor!.comparison : comparison;
  const words: DropWords = {
    rule,
    n: deciding.n,
    shared: deciding.shared,
    head: deciding.head,
    base: deciding.base,
    p: (byAnchor ? anchorP : p) ?? 1,
    dropped: deciding.dropped,
    since: byAnchor ? "anchor" : "",
  };
  const lower = judging.lowerIsBetter(rule.metric);
  return {
    metric: rule.metric,
    rule: rule.text,
    verdict: ended.verdict,
    n: comparison.n,
    n_dropped: comparison.dropped,
    repeats: judging.head.index.repeats,
    head: tidy(comparison.head),
    base: tidy(comparison.base),
    delta: signed(comparison, lower),
    ci: p === null ? null : intervalFor(comparison, p, lower),
    p: p === null ? null : tidy(p),
    method: methodOf(comparison, p, family),
    alpha: judging.gates.alpha,
    mde: p === null ? null : fallFound(rule, comparison, family),
    direction: lower ? "lower" : "higher",
    anchor:
      anchor === null || anchorP === null
        ? null
        : { delta: signed(anchor.comparison, lower), p: tidy(anchorP) },
    reason: finishSentence(judging.label, sayDrop(words, ended.end)),
  };
}

function methodOf({ test }: Comparison, p: number | null, { size }: Family): string {
  if (p === null) return "none";
  return size > 1 ? `${test.method}; step-down max-T over ${size}` : test.method;
}

function signed({ change }: Comparison, lower: boolean): number {
  return tidy((lower ? -1 : 1) * change);
}

function fallFound(rule: GateRule, { scatter, n }: Comparison, family: Family): number | null {
  const found = detectableFall({ scatter, n, limit: rule.threshold, level: family.level });
  return found === null ? null : tidy(found);
}

/** The 95 % interval; it reaches 0 wherever the test among all gates does not exclude an unchanged agent. */
function intervalFor({ interval, change }: Comparison, p: number, lower: boolean): Interval {
  let [low, high] = interval(0.95);
  low = Math.min(low, change);
  high = Math.max(high, change);
  if (p >= 0.025 && high < 0) high = 0;
  if (lower) [low, high] = [-high, -low];
  return [outward(low, Math.floor), outward(high, Math.ceil)];
}

/** Twelve digits, never inward. */
export function outward(value: number, round: (value: number) => number): number {
  const grain = 1e-10;
  return Number((round(value / grain) * grain).toPrecision(12)) + 0;
}

interface Decided {
  readonly verdict: Verdict;
  readonly end: DropEnd;
}

function rank(verdict: Verdict): number {
  return ["fail", "inconclusive", "pass"].indexOf(verdict);
}

/** Whether a change for the worse is larger than the rule allows. */
function isBeyond(rule: GateRule, change: number): boolean {
  if (change >= -SLACK) return false;
  return rule.operator === "<="
    ? change < -rule.threshold - SLACK
    : change <= -rule.threshold + SLACK;
}

function decide(judging: Judging, rule: GateRule, asked: Asked, p: number | null): Decided {
  const { comparison } = asked;
  if (p === null)
    return {
      verdict: "inconclusive",
      end: { kind: comparison.n >= FEWEST_PAIRS ? "one-cluster" : "few" },
    };
  const beyond = isBeyond(rule, comparison.change);
  if (beyond && p < judging.gates.alpha) return { verdict: "fail", end: { kind: "proven" } };
  if (judging.gates.proof === "rule-out") return decideRuledOut(rule, comparison);
  if (beyond && p < SUSPICION) return { verdict: "inconclusive", end: { kind: "suspicious" } };
  if (comparison.n < comparison.lost) return { verdict: "inconclusive", end: { kind: "thin" } };
  if (beyond) return { verdict: "pass", end: { kind: "chance" } };
  return {
    verdict: "pass",
    end: { kind: comparison.change < -SLACK ? "within" : "unseen" },
  };
}

/** Passes only where a fall beyond the limit is ruled out with 95 %. */
function decideRuledOut(rule: GateRule, comparison: Comparison): Decided {
  const bound = comparison.interval(0.9)[0];
  if (isBeyond(rule, Math.min(bound, comparison.change)))
    return { verdict: "inconclusive", end: { kind: "not-ruled-out", bound: Math.max(0, -bound) } };
  if (comparison.n < comparison.lost) return { verdict: "inconclusive", end: { kind: "thin" } };
  return { verdict: "pass", end: { kind: "ruled-out" } };
}

/** What would be, were every new crash the worst value: a pass that would fail so is none. */
function crashEnd({
  judging,
  rule,
  family,
  crashes,
}: {
  readonly judging: Judging;
  readonly rule: GateRule;
  readonly family: Family;
  readonly crashes: Crashes;
}): Decided | null {
  if (judging.gates.errors === "ignore" || judging.base === null) return null;
  const spoilt = columnWithCrashes(judging, crashes, rule.metric);
  if (spoilt === null) return null;
  const comparison = compareMetric({
    judging,
    metric: rule.metric,
    reference: judging.base,
    columns: {
      head: spoilt.column,
      base: referenceWithCrashes(judging.base, rule.metric, spoilt.worst),
    },
  });
  if (comparison === null || comparison.n < FEWEST_PAIRS) return null;
  if (!isBeyond(rule, comparison.change) || comparison.test.p >= family.levelWithoutErrors)
    return null;
  return {
    verdict: "inconclusive",
    end: { kind: "crashed", crashes: crashes.count, rows: crashes.rows },
  };
}
