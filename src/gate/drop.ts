import { rankOf } from "../report/merge.ts";
import type { GateMessage, Verdict } from "../report/report.ts";
import { compareMetric, type Comparison, FEWEST_CLUSTERS, FEWEST_PAIRS } from "./comparison.ts";
import { compareCrashImputed, type ComparedRun, type Crashes, type CrashImputed } from "./crash.ts";
import { decide, type Decision, type Facts } from "./decision.ts";
import type { Family, FamilyBuilder } from "./family.ts";
import { measure } from "./floor.ts";
import { frameOf, type JudgedGate, toJudgedGate } from "./gate-report.ts";
import { CONFIDENCE, type Interval, reachingZero } from "./interval.ts";
import { poolOf } from "./pool.ts";
import { type Criterion, detectableFall, fewestUnits } from "./power.ts";
import { allowedChange } from "./rule.ts";
import { type GateRule, slackOf } from "./gate-rule.ts";
import { allowedWords, type DropWords, describeDrop } from "./drop-sentence.ts";
import { describeUnscored, say, shortName } from "./sentence.ts";
import type { Judging } from "./judging.ts";
import { roundFall, tidy } from "../report/numbers.ts";
import { plural } from "../model/count-words.ts";

/** A comparison and its index in the family; null if it was not tested. */
interface Hypothesis {
  readonly comparison: Comparison;
  readonly at: number | null;
}

/** A comparison with one reference, without and with every new crash at the worst value. */
interface Asked extends Hypothesis {
  /** Null if there are no crashes to count, or too little to test. */
  readonly crashImputed: (CrashImputed & { readonly at: number }) | null;
}

/** Baseline and anchor, if there are any. */
export interface ComparedRuns {
  readonly base: ComparedRun | null;
  readonly anchor: ComparedRun | null;
}

/** A drop gate that was compared but not judged yet. */
export interface PreparedDrop {
  readonly rule: GateRule;
  readonly main: Asked | null;
  readonly anchor: Asked | null;
}

/** What deciding on a drop needs. */
interface Deciding {
  readonly judging: Judging;
  readonly rule: GateRule;
  readonly family: Family;
  readonly crashes: Crashes;
}

/** Whether there are enough pairs and clusters to test. */
export function isTested({ n, clusters }: Comparison): boolean {
  return n >= FEWEST_PAIRS && (clusters === null || clusters >= FEWEST_CLUSTERS);
}

function ask(
  judging: Judging,
  metric: string,
  run: ComparedRun | null,
  family: FamilyBuilder,
): Asked | null {
  if (run === null) return null;
  const comparison = compareMetric({ judging, metric, reference: run.reference });
  if (comparison === null) return null;
  const place = (one: Comparison): number | null =>
    isTested(one) ? family.add(one.column, judging.units) : null;
  const crashImputed = compareCrashImputed(judging, metric, run);
  const worst = crashImputed === null ? null : place(crashImputed.comparison);
  return {
    comparison,
    at: place(comparison),
    crashImputed: worst === null ? null : { ...crashImputed!, at: worst },
  };
}

/** Compares the metric of a drop gate with baseline and anchor, and adds its hypotheses to the family. */
export function prepareDrop(
  judging: Judging,
  rule: GateRule,
  { base, anchor }: ComparedRuns,
  family: FamilyBuilder,
): PreparedDrop {
  return {
    rule,
    main: ask(judging, rule.metric, base, family),
    anchor: ask(judging, rule.metric, anchor, family),
  };
}

/** Reports a drop gate whose run cannot be compared. `noBaseline`: because there is none. */
export function reportUncompared(
  judging: Judging,
  rule: GateRule,
  { message, noBaseline }: { readonly message: GateMessage; readonly noBaseline: boolean },
): JudgedGate {
  const measured = measure(judging, rule);
  const head = measured?.value ?? null;
  const missing = measured?.dropped ?? judging.head.table.size;
  const isWithout = noBaseline && head !== null;
  return toJudgedGate(frameOf(judging), {
    metric: rule.metric,
    rule: rule.text,
    verdict: head === null ? "fail" : "inconclusive",
    n: 0,
    n_dropped: missing,
    head,
    limit: rule.relative ? null : rule.threshold,
    method: "none",
    lower: judging.lowerIsBetter(rule.metric),
    noBaseline: isWithout,
    describe: () => (head === null ? describeUnscored(rule.metric, missing) : message),
  });
}

/** What a drop's message should say, and whether the suite's sensitivity is wanted. */
export interface DropScope {
  readonly isOnly: boolean;
  readonly isMeasured: boolean;
}

/** Judges a drop gate once the family is complete. */
export function reportDrop(
  how: Deciding,
  { main, anchor }: PreparedDrop,
  { isOnly, isMeasured }: DropScope,
): JudgedGate {
  const { judging, rule, family } = how;
  if (main === null) {
    const shared = judging.base?.shared.head.length ?? 0;
    const message = say(
      `cannot be compared: none of the ${plural(shared, "shared example")} has a value in both runs.`,
      "Write a new baseline.",
      { subject: shortName(rule.metric) },
    );
    return reportUncompared(judging, rule, { message, noBaseline: false });
  }
  const first = decideWithCrashes(how, main);
  const second = anchor === null || anchor.at === null ? null : decideWithCrashes(how, anchor);
  const byAnchor = second !== null && rankOf(second.verdict) < rankOf(first.verdict);
  const decided = byAnchor ? second : first;
  const { comparison } = first;
  const limit = allowedChange(rule, comparison.base);
  const criterion: Criterion = { limit, isStrict: rule.operator === "<", level: family.level };
  const found =
    main.at === null || !isMeasured ? null : findSensitivity(main.comparison, criterion);
  const lower = judging.lowerIsBetter(rule.metric);
  const words: DropWords = {
    rule,
    ...decided.comparison,
    p: decided.p,
    since: byAnchor ? "anchor" : "",
    worse: lower ? "rise" : "fall",
    missed: isOnly && found !== null && found.missed > limit ? found.missed : null,
  };
  const signed = (one: Comparison): number => (lower ? -1 : 1) * one.change;
  const judged = toJudgedGate(frameOf(judging), {
    metric: rule.metric,
    rule: rule.text,
    verdict: decided.verdict,
    n: comparison.n,
    n_dropped: comparison.dropped,
    head: comparison.head,
    base: comparison.base,
    delta: signed(comparison),
    ci: first.p === null ? null : intervalFor(first, decided.verdict, lower),
    p: decided.p,
    p_own: decided.own,
    limit,
    method: first.p === null ? "none" : methodOf(comparison, family),
    mde: found?.mde ?? null,
    lower,
    anchor:
      second === null ? null : { delta: tidy(signed(second.comparison)), p: tidy(second.p ?? 1) },
    describe: (decimals) => describeDrop({ ...words, decimals }, decided.end),
  });
  return found === null ? judged : { ...judged, blind: { ...found, allowed: allowedWords(rule) } };
}

function findSensitivity(
  comparison: Comparison,
  criterion: Criterion,
): {
  readonly mde: number | null;
  readonly missed: number;
  readonly needed: () => number | null;
} | null {
  const pool = poolOf(comparison);
  const units = comparison.clusters ?? comparison.n;
  const found = detectableFall(pool, units, criterion);
  // If even the largest possible drop could be missed, that one is reported.
  const missed = found ?? pool.largest;
  if (missed === Infinity) return null;
  return {
    mde: found === null ? null : roundFall(found),
    missed: roundFall(missed),
    needed: () => {
      const needed = fewestUnits(pool, 2 * criterion.limit, criterion);
      return needed === null ? null : Math.ceil((needed * comparison.n) / units);
    },
  };
}

/** Name of a comparison's test. */
export function methodOf(
  { column, clusters, quantile, worse, better }: Comparison,
  { size }: Pick<Family, "size">,
): string {
  const all = size > 1 ? `; step-down max-T over ${size}` : "";
  if (worse + better === 0) return `no change${all}`;
  if (column.marks) return `McNemar, ${worse + better} changed${all}`;
  const of = quantile === null ? "" : ", values clipped around the quantile";
  return clusters === null
    ? `label exchange${of}${all}`
    : `label exchange, ${plural(clusters, "cluster")}${of}${all}`;
}

/** What is beyond each end of an interval. */
const TAIL = (1 - CONFIDENCE) / 2;

/** The decision on one reference. */
interface Decided extends Decision {
  readonly comparison: Comparison;
  readonly p: number | null;
  readonly own: number | null;
}

/** The 95 % interval; it reaches 0 unless both the verdict and the test among all gates exclude an unchanged agent. */
export function intervalFor(
  { comparison, p }: Pick<Decided, "comparison" | "p">,
  verdict: Verdict,
  lower: boolean,
): Interval | null {
  const { interval, change } = comparison;
  const found = interval(CONFIDENCE);
  if (found === null) return null;
  let [low, high] = [Math.min(found[0], change), Math.max(found[1], change)];
  if (p! >= TAIL) high = Math.max(0, high);
  if (verdict === "inconclusive") [low, high] = reachingZero([low, high]);
  return lower ? [-high, -low] : [low, high];
}

/** Decides on one comparison. */
function decideOn({ judging, rule, family }: Deciding, { comparison, at }: Hypothesis): Decided {
  const p = at === null ? null : family.p(at);
  const facts: Facts = {
    ...comparison,
    limit: allowedChange(rule, comparison.base),
    slack: slackOf(comparison.head, comparison.base),
    isStrict: rule.operator === "<",
    p,
    isProven: at !== null && family.isProven(at),
    lowest: judging.gates.proof === "rule-out" ? comparison.lowest : null,
  };
  return { ...decide(facts), comparison, p, own: at === null ? null : family.own(at) };
}

/**
 * The verdict on one reference. A drop that is proven with crashes at the worst value fails if the
 * scored rows look suspicious by themselves. If not, the drop is left open, and the gate on errors
 * fails instead.
 */
function decideWithCrashes(how: Deciding, asked: Asked): Decided {
  const { crashImputed } = asked;
  const { crashes, rows } = how.crashes;
  const counted = { crashes, rows };
  const scored = decideOn(how, asked);
  if (crashImputed === null)
    return scored.end.kind === "thin" && crashes > 0
      ? { ...scored, end: { ...scored.end, ...counted } }
      : scored;
  const whole = decideOn(how, crashImputed);
  // Among fewer rows the same drops are a larger share and more certain, so a drop that all rows
  // together do not show does not count.
  if (crashImputed.stronger && rankOf(whole.verdict) > rankOf(scored.verdict)) return whole;
  if (scored.verdict === "fail" || whole.end.kind !== "proven")
    return scored.end.kind === "thin" ? { ...scored, end: { ...scored.end, ...counted } } : scored;
  return scored.verdict === "inconclusive"
    ? { ...whole, end: { kind: "proven-with-crashes", ...counted } }
    : { ...scored, verdict: "inconclusive", end: { kind: "crashed", ...counted } };
}

/** A drop caused only by crashes, for which the gate on errors fails. */
export interface FallByCrashes {
  readonly metric: string;
  readonly p: number;
  readonly own: number;
  readonly method: string;
}

/** Finds a drop whose scored rows pass, but which fails with new crashes at the worst value. */
export function findFallByCrashes(
  how: Deciding,
  { main, anchor }: PreparedDrop,
): FallByCrashes | null {
  for (const asked of [main, anchor]) {
    if (asked?.crashImputed == null || decideWithCrashes(how, asked).end.kind !== "crashed")
      continue;
    const { at, comparison } = asked.crashImputed;
    const { family, rule } = how;
    const method = methodOf(comparison, family);
    return { metric: rule.metric, p: family.p(at), own: family.own(at), method };
  }
  return null;
}
