import { rankOf } from "../report/merge.ts";
import type { GateMessage, GateReport, Verdict } from "../report/report.ts";
import {
  compareCrashImputed,
  compareMetric,
  type Comparison,
  FEWEST_CLUSTERS,
  FEWEST_PAIRS,
} from "./comparison.ts";
import { decide, type Decided, type Hypothesis } from "./decision.ts";
import type { Family, FamilyBuilder } from "./family.ts";
import { measure } from "./floor.ts";
import { type JudgedGate, toJudgedGate } from "./gate-report.ts";
import { CONFIDENCE, type Interval, reachingZero } from "./interval.ts";
import { poolOf } from "./pool.ts";
import { type Criterion, detectableFall, fewestUnits } from "./power.ts";
import type { ReferenceRun } from "./side.ts";
import { allowedChange } from "./rule.ts";
import type { GateRule } from "./gate-rule.ts";
import {
  allowedWords,
  describeDrop,
  describeUnscored,
  say,
  shortName,
  verdictOf,
} from "./sentence.ts";
import type { Judging } from "./judging.ts";
import { roundFall, tidy } from "../report/numbers.ts";
import { plural } from "../model/count-words.ts";

/** A comparison with one reference, without and with every new crash at the worst value. */
interface Asked extends Hypothesis {
  /**
   * Null if there are no crashes to count, or too little to test. `stronger`: whether it contains at
   * least all evidence of the scored rows.
   */
  readonly crashImputed: (Hypothesis & { readonly stronger: boolean }) | null;
}

/** A drop gate that was compared but not judged yet. */
export interface PreparedDrop {
  readonly rule: GateRule;
  readonly main: Asked | null;
  readonly anchor: Asked | null;
}

/** Adds a comparison to the family, if there are enough pairs and clusters to test. */
export function toHypothesis(
  comparison: Comparison,
  { units }: Judging,
  family: FamilyBuilder,
): Hypothesis {
  const { n, clusters, column } = comparison;
  const isTested = n >= FEWEST_PAIRS && (clusters === null || clusters >= FEWEST_CLUSTERS);
  return { comparison, at: isTested ? family.add(column, units) : null };
}

/** Compares the metric of a drop gate with baseline and anchor, and adds its hypotheses to the family. */
export function prepareDrop(judging: Judging, rule: GateRule, family: FamilyBuilder): PreparedDrop {
  const ask = (reference: ReferenceRun | null): Asked | null => {
    if (reference === null) return null;
    const comparison = compareMetric(judging, rule.metric, reference);
    if (comparison === null) return null;
    const found = compareCrashImputed(judging, rule.metric, reference);
    const whole = found === null ? null : toHypothesis(found.comparison, judging, family);
    const crashImputed =
      whole === null || whole.at === null ? null : { ...whole, stronger: found!.stronger };
    return { ...toHypothesis(comparison, judging, family), crashImputed };
  };
  return { rule, main: ask(judging.base), anchor: ask(judging.anchor) };
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
  return toJudgedGate(judging, {
    metric: rule.metric,
    rule: rule.text,
    verdict: head === null ? "fail" : "inconclusive",
    n: 0,
    n_dropped: missing,
    head,
    limit: rule.relative ? null : rule.threshold,
    method: "none",
    lower: judging.lowerIsBetter(rule.metric),
    noBaseline: noBaseline && head !== null,
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
  judging: Judging,
  { rule, main, anchor }: PreparedDrop,
  family: Family,
  { isOnly, isMeasured }: DropScope,
): JudgedGate {
  if (main === null) {
    const shared = judging.base?.shared.head.length ?? 0;
    const message = say(
      `cannot be compared: none of the ${plural(shared, "shared example")} has a value in both runs.`,
      "Write a new baseline.",
      { subject: shortName(rule.metric) },
    );
    return reportUncompared(judging, rule, { message, noBaseline: false });
  }
  const first = decideWithCrashes(judging, rule, main, family);
  const second =
    anchor === null || anchor.at === null ? null : decideWithCrashes(judging, rule, anchor, family);
  const byAnchor = second !== null && rankOf(verdictOf(second.end)) < rankOf(verdictOf(first.end));
  const decided = byAnchor ? second : first;
  const verdict = verdictOf(decided.end);
  const { comparison } = first;
  const limit = allowedChange(rule, comparison.base);
  const criterion: Criterion = { limit, isStrict: rule.operator === "<", level: family.level };
  const found =
    main.at === null || !isMeasured ? null : findSensitivity(main.comparison, criterion);
  const lower = judging.lowerIsBetter(rule.metric);
  const signed = (one: Comparison): number => (lower ? -1 : 1) * one.change;
  const judged = toJudgedGate(judging, {
    metric: rule.metric,
    rule: rule.text,
    verdict,
    n: comparison.n,
    n_dropped: comparison.dropped,
    head: comparison.head,
    base: comparison.base,
    delta: signed(comparison),
    ci: intervalFor(first, verdict, lower),
    p: decided.p,
    p_own: decided.own,
    limit,
    method: decided.p === null ? "none" : methodOf(decided.comparison, family),
    mde: found?.mde ?? null,
    lower,
    anchor:
      second === null ? null : { delta: tidy(signed(second.comparison)), p: tidy(second.p ?? 1) },
    describe: (decimals) =>
      describeDrop(
        {
          rule,
          ...decided.comparison,
          p: decided.p,
          byAnchor,
          worse: lower ? "rise" : "fall",
          missed: isOnly && found !== null && found.missed > limit ? found.missed : null,
          decimals,
        },
        decided.end,
      ),
  });
  return found === null ? judged : { ...judged, blind: { ...found, allowed: allowedWords(rule) } };
}

/** The drops that runs like this one find and may miss; null if nothing bounds what they may miss. */
function findSensitivity(
  comparison: Comparison,
  criterion: Criterion,
): (Omit<NonNullable<JudgedGate["blind"]>, "allowed"> & Pick<GateReport, "mde">) | null {
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
  const by = clusters === null ? "" : `, ${plural(clusters, "cluster")}`;
  const of = quantile === null ? "" : ", values clipped around the quantile";
  return `label exchange${by}${of}${all}`;
}

/** What is beyond each end of an interval. */
const TAIL = (1 - CONFIDENCE) / 2;

/**
 * The 95 % interval; it reaches 0 unless both the verdict and the test among all gates exclude an
 * unchanged agent. Null if nothing was tested, or nothing changed.
 */
export function intervalFor(
  { comparison, p }: Pick<Decided, "comparison" | "p">,
  verdict: Verdict,
  lower: boolean,
): Interval | null {
  const { interval, change } = comparison;
  const found = p === null ? null : interval();
  if (found === null) return null;
  let [low, high] = [Math.min(found[0], change), Math.max(found[1], change)];
  if (p! >= TAIL) high = Math.max(0, high);
  if (verdict === "inconclusive") [low, high] = reachingZero([low, high]);
  return lower ? [-high, -low] : [low, high];
}

/**
 * The verdict on one reference. A drop that is proven with crashes at the worst value fails if the
 * scored rows look suspicious by themselves. If not, the drop is left open, and the gate on errors
 * fails instead.
 */
function decideWithCrashes(
  { gates, crashes: { crashes, rows } }: Judging,
  rule: GateRule,
  asked: Asked,
  family: Family,
): Decided {
  const decideOn = (one: Hypothesis): Decided =>
    decide(one, family, {
      limit: allowedChange(rule, one.comparison.base),
      isStrict: rule.operator === "<",
      mustRuleOut: gates.proof === "rule-out",
    });
  const counted = { crashes, rows };
  const alone = decideOn(asked);
  const scored =
    alone.end.kind === "thin" && crashes > 0
      ? { ...alone, end: { ...alone.end, ...counted } }
      : alone;
  const { crashImputed } = asked;
  if (crashImputed === null) return scored;
  const whole = decideOn(crashImputed);
  const verdict = verdictOf(scored.end);
  // Among fewer rows the same drops are a larger share and more certain, so a drop that all rows
  // together do not show does not count.
  if (crashImputed.stronger && rankOf(verdictOf(whole.end)) > rankOf(verdict)) return whole;
  if (verdict === "fail" || whole.end.kind !== "proven") return scored;
  return verdict === "inconclusive"
    ? { ...whole, end: { kind: "proven-with-crashes", ...counted } }
    : { ...scored, end: { kind: "crashed", ...counted } };
}

/** A drop caused only by crashes, for which the gate on errors fails. */
export interface FallByCrashes extends Pick<GateReport, "metric" | "method"> {
  readonly p: number;
  readonly own: number;
}

/** Finds a drop whose scored rows pass, but which fails with new crashes at the worst value. */
export function findFallByCrashes(
  judging: Judging,
  { rule, main, anchor }: PreparedDrop,
  family: Family,
): FallByCrashes | null {
  for (const asked of [main, anchor]) {
    const whole = asked?.crashImputed ?? null;
    if (whole === null || whole.at === null) continue;
    if (decideWithCrashes(judging, rule, asked!, family).end.kind !== "crashed") continue;
    const method = methodOf(whole.comparison, family);
    return { metric: rule.metric, p: family.p(whole.at), own: family.own(whole.at), method };
  }
  return null;
}
