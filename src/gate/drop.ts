import type { GateReport, Verdict } from "../report/report.ts";
import { compareMetric, FEWEST_PAIRS, type Comparison } from "./comparison.ts";
import {
  compareSpoilt,
  type Crashes,
  type RuleUnderCrashes,
  type Spoilt,
  withCrashCount,
} from "./crash.ts";
import type { Family, FamilyBuilder } from "./family-builder.ts";
import { closed, meanOf, quantile, reachingZero, type Interval } from "./interval.ts";
import { parseMetric, valuesOf } from "./metric.ts";
import { detectableFall } from "./power.ts";
import { neededToBound } from "./quantile-bound.ts";
import { allowedChange, type GateRule } from "./rule.ts";
import {
  finishSentence,
  sayDrop,
  sayNothingScored,
  shortName,
  type DropEnd,
  type DropWords,
} from "./sentence.ts";
import type { Judging } from "./side.ts";
import { count, tidy } from "./wording.ts";

/** Slack against the last bits of a difference of means. */
const SLACK = 1e-12;
/** Chance below which a fall that is not proven is worth a look. */
export const SUSPICION = 0.2;

/** A comparison and its place in the family; no place where nothing was tested. */
interface Asked extends Question {
  /** Chance below which a fall that is not proven is suspicious; baseline and anchor share it. */
  readonly suspicion: number;
}

interface Question {
  readonly comparison: Comparison;
  readonly question: number | null;
  /** The same with every new crash at the worst value; null where nothing crashed. */
  readonly spoilt: (Spoilt & { readonly question: number }) | null;
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
  which: "base" | "anchor",
  family: FamilyBuilder,
): Question | null {
  const reference = judging[which];
  if (reference === null) return null;
  // Baseline and anchor ask much the same: the one with the larger part stands for both.
  const main = which === "base" && judging.anchor !== null ? "shadow" : "counted";
  const comparison = compareMetric({ judging, metric, reference });
  if (comparison === null) return null;
  const spoilt = compareSpoilt(judging, metric, reference);
  const questionOf = (
    { n, test, influence, open, clusters }: Comparison,
    role: "counted" | "shadow",
  ): number | null => {
    const tested = n >= FEWEST_PAIRS && (clusters === null || clusters.count >= 2);
    if (!tested) return null;
    const clusterCount = clusters?.count ?? null;
    return family.add({ p: test.p, influence, clusters: clusterCount, open, role });
  };
  const worst = spoilt === null ? null : questionOf(spoilt.comparison, main);
  return {
    comparison,
    question: questionOf(comparison, worst !== null && spoilt!.stronger ? "shadow" : main),
    spoilt: worst === null ? null : { ...spoilt!, question: worst },
  };
}

/** Compares the metric of a drop gate with baseline and anchor, and puts the questions into the family. */
export function prepareDrop(judging: Judging, rule: GateRule, family: FamilyBuilder): PreparedDrop {
  const main = ask(judging, rule.metric, "base", family);
  const anchor = ask(judging, rule.metric, "anchor", family);
  const tested = [main, anchor].filter((asked) => asked !== null && asked.question !== null);
  const suspicion = SUSPICION / Math.max(1, tested.length);
  return {
    rule,
    main: main === null ? null : { ...main, suspicion },
    anchor: anchor === null ? null : { ...anchor, suspicion },
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
    metric.kind === "latency" && metric.quantile !== null
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
    p_own: null,
    limit: rule.relative ? null : rule.threshold,
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
      `${name} cannot be compared: none of the ${count(shared, "shared example")} has a value in both runs. Write a new baseline.`,
    );
  }
  const tested = anchor !== null && anchor.question !== null;
  const how = { judging, rule, family, crashes };
  const first = decideWithCrashes(how, main);
  const second = tested ? decideWithCrashes(how, anchor) : null;
  const byAnchor = second !== null && rank(second.verdict) < rank(first.verdict);
  const decided = byAnchor ? second : first;
  const since = byAnchor ? ("anchor" as const) : ("" as const);
  const lower = judging.lowerIsBetter(rule.metric);
  const words = { ...wordsOf(rule, decided), since, worse: lower ? "rise" : "fall" } as const;
  const { comparison, p } = first;
  return {
    metric: rule.metric,
    rule: rule.text,
    verdict: decided.verdict,
    n: comparison.n,
    n_dropped: comparison.dropped,
    repeats: judging.head.index.repeats,
    head: tidy(comparison.head),
    base: tidy(comparison.base),
    delta: signed(comparison, lower),
    ci: p === null ? null : intervalFor(first, lower),
    p: decided.p === null ? null : tidy(decided.p),
    p_own: decided.p === null ? null : tidy(decided.comparison.test.p),
    limit: tidy(allowedChange(rule, comparison.base)),
    method: methodOf(first, family),
    alpha: tidy(first.bar),
    mde: p === null ? null : fallFound(rule, main.comparison, family),
    direction: lower ? "lower" : "higher",
    anchor:
      second === null ? null : { delta: signed(second.comparison, lower), p: tidy(second.p ?? 1) },
    reason: finishSentence(judging.label, sayDrop(words, decided.end)),
  };
}

function wordsOf(rule: GateRule, { comparison, p }: Decided): Omit<DropWords, "since" | "worse"> {
  const { n, shared, head, base, dropped } = comparison;
  return { rule, n, shared, head, base, p: p ?? 1, dropped };
}

/** A fall that only the crashes make: the gate on errors fails for it. */
export interface FallByCrashes {
  readonly metric: string;
  readonly p: number;
  readonly method: string;
}

/** Whether new crashes, at the worst value, make a drop fail whose scored rows alone pass. */
export function findFallByCrashes(
  how: RuleUnderCrashes,
  { main, anchor }: PreparedDrop,
): FallByCrashes | null {
  for (const asked of [main, anchor]) {
    if (asked === null || decideWithCrashes(how, asked).end.kind !== "crashed") continue;
    const { test } = asked.spoilt!.comparison;
    const p = spoiltChance(how.rule, asked, how.family)!;
    return { metric: how.rule.metric, p, method: test.method };
  }
  return null;
}

/** The chance of the fall with crashes at the worst value, where it is beyond the limit and proven; else null. */
function spoiltChance(rule: GateRule, { spoilt }: Asked, family: Family): number | null {
  if (spoilt === null || !isBeyond(rule, spoilt.comparison.change, spoilt.comparison.base))
    return null;
  return family.isProven(spoilt.question) ? family.p(spoilt.question) : null;
}

function methodOf({ comparison: { test }, p }: Decided, { size }: Family): string {
  if (p === null) return "none";
  return size > 1 ? `${test.method}; step-down max-T over ${size}` : test.method;
}

function signed({ change }: Comparison, lower: boolean): number {
  return tidy((lower ? -1 : 1) * change);
}

function fallFound(
  rule: GateRule,
  { scatter, n, base }: Comparison,
  family: Family,
): number | null {
  const limit = allowedChange(rule, base);
  const found = detectableFall({ scatter, n, limit, level: family.level });
  return found === null ? null : tidy(found);
}

/**
 * The 95 % interval; it reaches 0 wherever the verdict, or the test among all gates, does not
 * exclude an unchanged agent.
 */
function intervalFor({ comparison, p, verdict }: Decided, lower: boolean): Interval | null {
  const { interval, change } = comparison;
  let [low, high] = interval(0.95);
  low = Math.min(low, change);
  high = Math.max(high, change);
  if (p! >= 0.025) high = Math.max(0, high);
  if (verdict === "inconclusive") [low, high] = reachingZero([low, high]);
  if (lower) [low, high] = [-high, -low];
  return closed([low, high]);
}

interface Ended {
  readonly verdict: Verdict;
  readonly end: DropEnd;
}

/** A verdict with the comparison and the chance that led to it. */
interface Decided extends Ended {
  readonly comparison: Comparison;
  readonly p: number | null;
  /** What the chance had to be under. */
  readonly bar: number;
}

function rank(verdict: Verdict): number {
  return ["fail", "inconclusive", "pass"].indexOf(verdict);
}

/** Whether a change for the worse is larger than the rule allows. */
function isBeyond(rule: GateRule, change: number, base: number): boolean {
  if (change >= -SLACK) return false;
  const limit = allowedChange(rule, base);
  return rule.operator === "<=" ? change < -limit - SLACK : change <= -limit + SLACK;
}

/**
 * The verdict on one reference. A fall that is proven with the crashes at the worst value fails where the scored rows
 * look suspicious by themselves; where they do not, the drop is left open, and the gate on errors fails instead.
 */
function decideWithCrashes(
  { judging, rule, family, crashes }: RuleUnderCrashes,
  asked: Asked,
): Decided {
  const { comparison, question, spoilt, suspicion } = asked;
  const how = { judging, rule, family, suspicion };
  const alone = decide(how, comparison, question);
  const scored = { ...alone, end: withCrashCount(alone.end, crashes) };
  if (spoilt?.stronger === true) {
    // Fewer rows make the same falls a larger share, and surer: what all rows together do not show is not shown.
    const whole = decide(how, spoilt.comparison, spoilt.question);
    if (rank(whole.verdict) > rank(scored.verdict)) return whole;
  }
  const chance = scored.verdict === "fail" ? null : spoiltChance(rule, asked, family);
  if (chance === null) return scored;
  const counted = { crashes: crashes.count, rows: crashes.rows };
  if (scored.verdict === "inconclusive")
    return {
      verdict: "fail",
      end: { kind: "proven-with-crashes", ...counted },
      comparison: spoilt!.comparison,
      p: chance,
      bar: family.bar(spoilt!.question),
    };
  return { ...scored, verdict: "inconclusive", end: { kind: "crashed", ...counted } };
}

interface Deciding {
  readonly judging: Judging;
  readonly rule: GateRule;
  readonly family: Family;
  readonly suspicion: number;
}

function decide(
  { judging, rule, family, suspicion }: Deciding,
  comparison: Comparison,
  question: number | null,
): Decided {
  if (question === null) {
    const kind = comparison.n >= FEWEST_PAIRS ? "one-cluster" : "few";
    const { alpha } = judging.gates;
    return { verdict: "inconclusive", end: { kind }, comparison, p: null, bar: alpha };
  }
  const p = family.p(question);
  const bar = family.bar(question);
  const isProven = family.isProven(question);
  const found = { judging, rule, comparison, suspicion, p, bar, isProven };
  return { ...endOf(found), comparison, p, bar };
}

function endOf({
  judging,
  rule,
  comparison,
  suspicion,
  p,
  bar,
  isProven,
}: Omit<Deciding, "family"> & {
  readonly comparison: Comparison;
  readonly p: number;
  readonly bar: number;
  readonly isProven: boolean;
}): Ended {
  const beyond = isBeyond(rule, comparison.change, comparison.base);
  if (beyond && isProven) return { verdict: "fail", end: { kind: "proven" } };
  if (judging.gates.proof === "rule-out") return decideRuledOut(judging, rule, comparison);
  if (beyond && p < suspicion) {
    const { alpha } = judging.gates;
    const needed = p < alpha && bar < alpha ? bar : null;
    return { verdict: "inconclusive", end: { kind: "suspicious", needed } };
  }
  if (comparison.n < comparison.lost) return { verdict: "inconclusive", end: { kind: "thin" } };
  if (beyond) return { verdict: "pass", end: { kind: "chance" } };
  return {
    verdict: "pass",
    end: { kind: comparison.change < -SLACK ? "within" : "unseen" },
  };
}

/** Passes only where a fall beyond the limit is ruled out with 95 %. */
function decideRuledOut(judging: Judging, rule: GateRule, comparison: Comparison): Ended {
  const bound = comparison.lowest();
  if (bound === -Infinity) {
    const clustered = judging.clusterOf !== null;
    const how = { sides: ["above", "below"], tail: 0.05, clustered } as const;
    const needed = neededToBound(rule.metric, how);
    return { verdict: "inconclusive", end: { kind: "unbounded", ...needed } };
  }
  if (isBeyond(rule, Math.min(bound, comparison.change), comparison.base))
    return { verdict: "inconclusive", end: { kind: "not-ruled-out", bound: Math.max(0, -bound) } };
  if (comparison.n < comparison.lost) return { verdict: "inconclusive", end: { kind: "thin" } };
  return { verdict: "pass", end: { kind: "ruled-out" } };
}
