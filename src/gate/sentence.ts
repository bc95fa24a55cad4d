import type { Verdict } from "../report/report.ts";
import type { Comparison } from "./comparison.ts";
import type { Interval } from "./interval.ts";
import { parseMetric } from "./metric.ts";
import { allowedChange } from "./rule.ts";
import { type GateRule, meetsRule, SLACK } from "./gate-rule.ts";
import {
  amounts,
  amountsApart,
  limitAmount,
  outwardAmounts,
  pWords,
  tidy,
} from "../report/numbers.ts";
import { plural } from "../model/count-words.ts";
import { MAX_SENTENCE_CHARS } from "../report/gate-numbers.ts";

const MAX_NAME_CHARS = 48;

/** Shortens a name or an input so that a message keeps its end. */
export function shortName(name: string, most = MAX_NAME_CHARS): string {
  return name.length <= most ? name : `${name.slice(0, most - 1).trimEnd()}…`;
}

/** Prefixes the label and limits the length. */
export function finishSentence(label: string, sentence: string): string {
  const whole = label === "" ? sentence : `${shortName(label, 40)}: ${sentence}`;
  return whole.length <= MAX_SENTENCE_CHARS
    ? whole
    : `${whole.slice(0, MAX_SENTENCE_CHARS - 1).trimEnd()}…`;
}

/** A p-value with its sign. */
function chanceWords(p: number): string {
  const shown = pWords(p);
  return /^[<>]/.test(shown) ? `p ${shown}` : `p = ${shown}`;
}

/** Most rows have no score; `crashes` of `rows` crashed, if any did. */
interface Thin {
  readonly kind: "thin";
  readonly crashes?: number;
  readonly rows?: number;
}

/** How a drop gate ended. */
export type DropEnd =
  | { readonly kind: "proven" }
  | { readonly kind: "suspicious" }
  | { readonly kind: "chance" }
  | { readonly kind: "within" }
  | { readonly kind: "unseen" }
  | { readonly kind: "ruled-out" }
  | { readonly kind: "not-ruled-out"; readonly bound: number }
  | {
      readonly kind: "unbounded";
      readonly needed: number;
      readonly of: "examples" | "clusters";
    }
  | { readonly kind: "few" }
  | { readonly kind: "few-clusters" }
  | Thin
  | { readonly kind: "one-cluster" }
  | {
      readonly kind: "proven-with-crashes";
      readonly crashes: number;
      readonly rows: number;
    }
  | { readonly kind: "crashed"; readonly crashes: number; readonly rows: number };

/** The parts of a drop's message. */
export interface DropWords extends Pick<Comparison, "n" | "shared" | "head" | "base"> {
  readonly rule: GateRule;
  /** Null if nothing was tested. */
  readonly p: number | null;
  /** The drop that this suite could miss, if this message should say so. */
  readonly missed: number | null;
  /** `anchor` if that decided instead of the baseline. */
  readonly since: "" | "anchor";
  /** A word for a change for the worse. */
  readonly worse: "fall" | "rise";
}

/** The verdict of a drop gate in one or two sentences, with what to do. */
export function describeDrop(words: DropWords, end: DropEnd): string {
  const moved = movement(words);
  const allowed = allowedWords(words.rule);
  const limit = words.rule.threshold === 0 ? "none allowed" : `${allowed} allowed`;
  const p = chanceWords(words.p ?? 1);
  const rows = "Look at the rows that got worse";
  switch (end.kind) {
    case "proven":
      return words.since === "anchor"
        ? `${moved} (${limit}, ${p}): small ${words.worse}s add up. ${rows}, or accept this run by hand.`
        : `${moved} (${limit}, ${p}). ${rows} and fix them.`;
    case "proven-with-crashes":
      return `${moved}, counting each crash as the worst score (${limit}, ${p}); ${describeCrashes(end.crashes, end.rows)}. Fix the crashes and the rows that got worse.`;
    case "suspicious":
      return `${moved} (${limit}, ${p}): possibly real, not proven. ${rows}.`;
    case "chance":
      return `${moved} (${limit}), no more than chance would do (${p})${missedWords(words)}.`;
    case "within":
      return `${moved}, within the ${allowed} allowed${missedWords(words)}.`;
    case "unseen":
      return `${moved}: no sign of a ${words.worse === "rise" ? "rise" : "drop"}${missedWords(words)}.`;
    case "ruled-out":
      return `${moved}; ${words.rule.threshold === 0 ? `any ${words.worse}` : `a ${words.worse} beyond ${allowed}`} is ruled out (95% sure).`;
    case "not-ruled-out":
      return `${moved}, but ${notRuledOutWords(words, end.bound)} Add examples or repeats.`;
    case "unbounded":
      return `${moved}: too few ${end.of} to rule out a ${words.worse}; that takes at least ${end.needed}. Add ${end.of}.`;
    case "few":
      return `${moved}: fewer than 10 examples cannot be tested. Look at the rows, or add examples.`;
    case "few-clusters":
      return `${moved}: fewer than six clusters cannot be tested. Look at the rows, or add clusters.`;
    case "thin":
      return `${moved}, but most of the ${words.shared} shared examples have no score now${thinWords(end)}`;
    case "one-cluster":
      return `${moved}, but ${ONE_CLUSTER}`;
    case "crashed":
      return `${moved}, but ${describeCrashes(end.crashes, end.rows)}; with each at the worst score it would fail. Fix the crashes.`;
  }
}

/** A pass claims no more than this suite can detect. */
function missedWords({ rule, missed }: DropWords): string {
  if (missed === null) return "";
  const allowed = rule.threshold === 0 ? "none" : allowedWords(rule);
  return `; this suite could miss one of up to ${limitAmount(rule.metric, missed)}, you allow ${allowed}`;
}

/** Keeps a bound just beyond the limit from being rounded to the limit. */
function notRuledOutWords({ rule, worse, base }: DropWords, bound: number): string {
  const { metric, threshold } = rule;
  const [, change] = outwardAmounts(metric, [0, bound], allowedChange(rule, base));
  const limit = threshold === 0 ? "none" : allowedWords(rule);
  return `a true ${worse} of up to ${change} is not ruled out (${limit} allowed).`;
}

/** A limit as in its rule. */
function allowedWords({ metric, threshold, relative }: GateRule): string {
  return relative ? `${tidy(100 * threshold)}%` : limitAmount(metric, threshold);
}

const ONE_CLUSTER =
  "all belong to one cluster, so chance cannot be judged. Add clusters or remove cluster_by.";

/** Why most rows have no score, and what to do. */
function thinWords({ crashes, rows }: Thin): string {
  return crashes === undefined || rows === undefined
    ? ". Look at the rows without a score."
    : `: ${describeCrashes(crashes, rows)}. Fix the crashes.`;
}

/** "40 of 100 rows crashed". */
export function describeCrashes(crashes: number, rows: number): string {
  return `${crashes} of ${plural(rows, "row")} crashed`;
}

/** Fewer rows have a score than required. */
export function describeFewRows({
  usable,
  rows,
  crashes,
  wanted,
}: {
  readonly usable: number;
  readonly rows: number;
  readonly crashes: number;
  readonly wanted: number;
}): string {
  if (rows === 0) return "the results hold no row. Check the evaluation.";
  const asked = wanted === 1 ? "" : `, and min_rows asks for ${wanted}`;
  const crashed = crashes === 0 ? "" : `; ${crashes} crashed`;
  if (usable === 0)
    return `none of the ${plural(rows, "row")} has a score${asked}${crashed}. Fix the ${crashes === 0 ? "scorer" : "crashes, or the scorer"}.`;
  if (usable === rows)
    return `the results hold only ${plural(rows, "row")}${asked}. Run the missing rows.`;
  return `only ${usable} of ${plural(rows, "row")} ${usable === 1 ? "has" : "have"} a score${asked}${crashed}. Look at the rows without a score.`;
}

function movement({ rule, head, base, n, since }: DropWords): string {
  const name = shortName(rule.metric);
  const on = `on ${plural(n, "shared example")}${since === "anchor" ? " since the accepted anchor" : ""}`;
  if (Math.abs(head - base) < SLACK)
    return `${name} is unchanged at ${amounts(rule.metric, head)[0]} ${on}`;
  const [before, after] = amountsApart(rule.metric, allowedChange(rule, base), base, head) as [
    string,
    string,
  ];
  return `${name} ${head < base ? "fell" : "rose"} from ${before} to ${after} ${on}`;
}

/** Why a gate on a metric without any values cannot hold. */
export function describeUnscored(metricName: string, dropped: number): string {
  const { kind } = parseMetric(metricName);
  const metric = shortName(metricName);
  if (dropped === 0)
    return `${metric} cannot be judged: the results hold no row. Check the evaluation.`;
  if (kind === "latency")
    return `${metric} cannot be judged: none of the ${plural(dropped, "row")} ran without error and has a duration. Look at these rows.`;
  if (kind === "pass")
    return `${metric} cannot be judged: no example has that many scored repeats. Run the examples more often.`;
  return `${metric} cannot be judged: none of the ${plural(dropped, "row")} has a score for it. Fix the crashes or the scorer.`;
}

/** How a floor or ceiling ended. */
export type FloorEnd =
  | { readonly kind: "missed"; readonly isProven: boolean }
  | { readonly kind: "near" }
  | { readonly kind: "few" }
  | { readonly kind: "alike" }
  | { readonly kind: "one-cluster" }
  | { readonly kind: "met" }
  | {
      readonly kind: "near-with-crashes" | "crashed";
      readonly crashes: number;
      readonly rows: number;
    };

/** The parts of a floor's message. */
export interface FloorWords {
  readonly rule: GateRule;
  readonly n: number;
  readonly value: number;
  readonly ci: Interval | null;
  readonly clusters: number | null;
  readonly dropped: number;
}

/** The rows that cause a missed floor. */
function describeCulprits({ metric }: GateRule): string {
  const { kind } = parseMetric(metric);
  if (kind === "error_rate") return "the crashes";
  return kind === "latency" ? "the slow rows" : "the rows that score badly";
}

/** The verdict of a floor or ceiling in one or two sentences, with what to do. */
export function describeFloor(
  { rule, n, value, ci, clusters, dropped }: FloorWords,
  end: FloorEnd,
): string {
  const higher = rule.operator.startsWith(">");
  const [shown] = amounts(rule.metric, value, rule.threshold) as [string, string];
  const bar = limitAmount(rule.metric, rule.threshold);
  const left = dropped > 0 ? ` (${plural(dropped, "row")} without a score)` : "";
  const is = `${shortName(rule.metric)} is ${shown} on ${plural(n, "example")}${left}`;
  const wrong = higher ? `below the floor of ${bar}` : `above the limit of ${bar}`;
  const met = higher ? `meets the floor of ${bar}` : `meets the limit of ${bar}`;
  const span = intervalCaveat(rule, value, ci);
  switch (end.kind) {
    case "missed":
      return `${is}, ${wrong}${span}. Fix ${describeCulprits(rule)}.`;
    case "near":
      return `${is}, ${wrong}, but not beyond chance${span}. Look at ${describeCulprits(rule)}, or add examples.`;
    case "few":
      return `${is}, ${wrong}; fewer than 10 examples cannot prove it. Look at the rows, or add examples.`;
    case "alike":
      return `${is}, ${wrong}, but all ${clusters === null ? "values" : "clusters"} are alike, so chance cannot be judged. Look at ${describeCulprits(rule)}.`;
    case "one-cluster":
      return `${is}, ${wrong}, but ${ONE_CLUSTER}`;
    case "met":
      return `${is} and ${met}${span}.`;
    case "near-with-crashes":
      return `${is}, ${wrong}, and ${describeCrashes(end.crashes, end.rows)}; with each at the worst score it would fail. Fix the crashes and ${describeCulprits(rule)}.`;
    case "crashed":
      return `${is} and ${met}, but ${describeCrashes(end.crashes, end.rows)}; with each at the worst score it would fail. Fix the crashes.`;
  }
}

/** The interval, worded as a caveat if it includes the other side of the limit. */
function intervalCaveat(rule: GateRule, value: number, ci: Interval | null): string {
  if (ci === null || !ci.some(Number.isFinite)) return "";
  const isMet = meetsRule(rule, value);
  const isOpen = ci.some((end) => meetsRule(rule, end) !== isMet);
  const [from, to] = outwardAmounts(rule.metric, ci, rule.threshold);
  const range = rangeWords(ci, from, to);
  return isOpen ? `; the true value may be ${range}` : ` (95% CI ${range})`;
}

/** Never rounds an end inward or onto the limit, and does not name an open end. */
function rangeWords(ci: Interval, from: string, to: string): string {
  if (ci[1] === Infinity) return `${from} or more`;
  return ci[0] === -Infinity ? `${to} or less` : `${from} to ${to}`;
}

/** The verdict on crashes. */
export function describeErrors({
  verdict,
  crashes,
  rows,
  before,
  beforeRows,
  p,
  few,
  fall,
}: {
  readonly verdict: Verdict;
  readonly crashes: number;
  readonly rows: number;
  readonly before: number;
  readonly beforeRows: number;
  readonly p: number;
  readonly few: boolean;
  /** Which metric `falls` or `rises` too far with these crashes at the worst value; empty if none does. */
  readonly fall: string;
}): string {
  const counted = `${describeCrashes(crashes, rows)}, ${before} of ${beforeRows} in the baseline`;
  if (few) return `${counted}: fewer than 10 examples cannot be tested. Look at the crashes.`;
  switch (verdict) {
    case "fail":
      return fall === ""
        ? `${counted} (${chanceWords(p)}). Fix the crashes.`
        : `${counted}; with each at the worst score ${fall} too far (${chanceWords(p)}). Fix the crashes.`;
    case "inconclusive":
      return `${counted} (${chanceWords(p)}): possibly more than before. Look at the crashes.`;
    case "pass":
      return crashes > 0 ? `${counted}: no more than chance would do.` : `${counted}.`;
  }
}
