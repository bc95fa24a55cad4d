import type { GateMessage, Verdict } from "../report/report.ts";
import type { Comparison } from "./comparison.ts";
import type { Interval } from "./interval.ts";
import { parseMetric } from "./metric.ts";
import type { RunState } from "./row.ts";
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

/** A message of a finding and what to do about it. */
export const say = (
  finding: string,
  advice = "",
  more: Partial<GateMessage> = {},
): GateMessage => ({
  subject: "",
  finding,
  advice,
  with_p: false,
  by_chance: false,
  ...more,
});

/** The whole message. */
export function textOf({ subject, finding, advice }: GateMessage): string {
  return [subject, finding, advice].filter((part) => part !== "").join(" ");
}

/** Why a file is not the whole of a run. */
export function describeState({ state }: { readonly state: RunState }): string {
  return state === "cancelled" ? "of a cancelled run" : "incomplete";
}

/** Prefixes the label and limits the length. */
export function finishSentence(label: string, message: GateMessage): string {
  const sentence = textOf(message);
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
  /** Most rows have no score; `crashes` of `rows` crashed, if any did. */
  | ({ readonly kind: "thin" } & Partial<CrashCount>)
  | { readonly kind: "one-cluster" }
  | ({ readonly kind: "proven-with-crashes" } & CrashCount)
  | ({ readonly kind: "crashed" } & CrashCount);

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

/** What to do about a drop, by how it ended. */
const DROP_ADVICE: Readonly<
  Partial<Record<DropEnd["kind"] | "since anchor" | "thin crashed", string>>
> = {
  proven: "Look at the rows that got worse and fix them.",
  "since anchor": "Look at the rows that got worse, or accept this run by hand.",
  "proven-with-crashes": "Fix the crashes and the rows that got worse.",
  suspicious: "Look at the rows that got worse.",
  "not-ruled-out": "Add examples or repeats.",
  few: "Look at the rows, or add examples.",
  "few-clusters": "Look at the rows, or add clusters.",
  thin: "Look at the rows without a score.",
  "thin crashed": "Fix the crashes.",
  "one-cluster": "Add clusters or remove cluster_by.",
  crashed: "Fix the crashes.",
};
const WITH_P: readonly string[] = ["proven", "proven-with-crashes", "suspicious", "chance"];
/** Ends that more examples would decide. */
const BY_CHANCE: readonly string[] = ["suspicious", "not-ruled-out", "near"];

/** The verdict of a drop gate in one or two sentences, with what to do. */
export function describeDrop(words: DropWords, end: DropEnd): GateMessage {
  const byAnchor = end.kind === "proven" && words.since === "anchor" ? "since anchor" : end.kind;
  const key = end.kind === "thin" && end.crashes !== undefined ? "thin crashed" : byAnchor;
  const advice = end.kind === "unbounded" ? `Add ${end.of}.` : DROP_ADVICE[key];
  return say(`${movement(words)}${dropWords(words, end)}.`, advice, {
    subject: shortName(words.rule.metric),
    with_p: WITH_P.includes(end.kind),
    by_chance: BY_CHANCE.includes(end.kind),
  });
}

function dropWords(words: DropWords, end: DropEnd): string {
  const { worse, rule, since, shared } = words;
  const allowed = allowedWords(rule);
  const limit = rule.threshold === 0 ? "none allowed" : `${allowed} allowed`;
  const p = chanceWords(words.p ?? 1);
  switch (end.kind) {
    case "proven":
      return ` (${limit}, ${p})${since === "anchor" ? `: small ${worse}s add up` : ""}`;
    case "proven-with-crashes":
      return `, counting each crash as the worst score (${limit}, ${p}); ${describeCrashes(end)}`;
    case "suspicious":
      return ` (${limit}, ${p}): possibly real, not proven`;
    case "chance":
      return ` (${limit}), no more than chance would do (${p})${missedWords(words)}`;
    case "within":
      return `, within the ${allowed} allowed${missedWords(words)}`;
    case "unseen":
      return `: no sign of a ${worse === "rise" ? "rise" : "drop"}${missedWords(words)}`;
    case "ruled-out":
      return `; ${rule.threshold === 0 ? `any ${worse}` : `a ${worse} beyond ${allowed}`} is ruled out (95% sure)`;
    case "not-ruled-out":
      return `, but ${notRuledOutWords(words, end.bound)}`;
    case "unbounded":
      return `: too few ${end.of} to rule out a ${worse}; that takes at least ${end.needed}`;
    case "few":
      return ": fewer than 10 examples cannot be tested";
    case "few-clusters":
      return ": fewer than six clusters cannot be tested";
    case "thin": {
      const { crashes, rows } = end;
      const why =
        crashes === undefined || rows === undefined
          ? ""
          : `: ${describeCrashes({ crashes, rows })}`;
      return `, but most of the ${shared} shared examples have no score now${why}`;
    }
    case "one-cluster":
      return ONE_CLUSTER;
    case "crashed":
      return `, but ${asWorst(end)}`;
  }
}

/** What crashes without a score would do. */
const asWorst = (crashed: CrashCount): string =>
  `${describeCrashes(crashed)}; with each at the worst score it would fail`;

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
  return `a true ${worse} of up to ${change} is not ruled out (${limit} allowed)`;
}

/** A limit as in its rule. */
export function allowedWords({ metric, threshold, relative }: GateRule): string {
  return relative ? `${tidy(100 * threshold)}%` : limitAmount(metric, threshold);
}

const ONE_CLUSTER = ", but all belong to one cluster, so chance cannot be judged";

/** How many of the rows crashed. */
export interface CrashCount {
  readonly crashes: number;
  readonly rows: number;
}

/** "40 of 100 rows crashed". */
export function describeCrashes({ crashes, rows }: CrashCount): string {
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
}): GateMessage {
  if (rows === 0) return say("the results hold no row.", "Check the evaluation.");
  const asked = wanted === 1 ? "" : `, and min_rows asks for ${wanted}`;
  const crashed = crashes === 0 ? "" : `; ${crashes} crashed`;
  if (usable === 0)
    return say(
      `none of the ${plural(rows, "row")} has a score${asked}${crashed}.`,
      `Fix the ${crashes === 0 ? "scorer" : "crashes, or the scorer"}.`,
    );
  if (usable === rows)
    return say(`the results hold only ${plural(rows, "row")}${asked}.`, "Run the missing rows.");
  return say(
    `only ${usable} of ${plural(rows, "row")} ${usable === 1 ? "has" : "have"} a score${asked}${crashed}.`,
    "Look at the rows without a score.",
  );
}

function movement({ rule, head, base, n, since }: DropWords): string {
  const on = `on ${plural(n, "shared example")}${since === "anchor" ? " since the accepted anchor" : ""}`;
  if (Math.abs(head - base) < SLACK)
    return `is unchanged at ${amounts(rule.metric, head)[0]} ${on}`;
  const [before, after] = amountsApart(rule.metric, allowedChange(rule, base), base, head) as [
    string,
    string,
  ];
  return `${head < base ? "fell" : "rose"} from ${before} to ${after} ${on}`;
}

/** Why a gate on a metric without any values cannot hold. */
export function describeUnscored(metric: string, dropped: number): GateMessage {
  const { kind } = parseMetric(metric);
  const sayWhy = (why: string, advice: string): GateMessage =>
    say(`cannot be judged: ${why}.`, advice, { subject: shortName(metric) });
  if (dropped === 0) return sayWhy("the results hold no row", "Check the evaluation.");
  const none = `none of the ${plural(dropped, "row")}`;
  if (kind === "latency")
    return sayWhy(`${none} ran without error and has a duration`, "Look at these rows.");
  if (kind === "pass")
    return sayWhy("no example has that many scored repeats", "Run the examples more often.");
  return sayWhy(`${none} has a score for it`, "Fix the crashes or the scorer.");
}

/** How a floor or ceiling ended. */
export type FloorEnd =
  | { readonly kind: "missed" }
  | { readonly kind: "near" }
  | { readonly kind: "few" }
  | { readonly kind: "alike" }
  | { readonly kind: "one-cluster" }
  | { readonly kind: "met" }
  | ({ readonly kind: "near-with-crashes" } & CrashCount)
  | ({ readonly kind: "crashed" } & CrashCount);

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

/** What to do about a floor, by how it ended. */
const FLOOR_ADVICE: Readonly<Record<FloorEnd["kind"], (culprits: string) => string>> = {
  missed: (culprits) => `Fix ${culprits}.`,
  near: (culprits) => `Look at ${culprits}, or add examples.`,
  few: () => "Look at the rows, or add examples.",
  alike: (culprits) => `Look at ${culprits}.`,
  "one-cluster": () => "Add clusters or remove cluster_by.",
  met: () => "",
  "near-with-crashes": (culprits) => `Fix the crashes and ${culprits}.`,
  crashed: () => "Fix the crashes.",
};

/** The verdict of a floor or ceiling in one or two sentences, with what to do. */
export function describeFloor(words: FloorWords, end: FloorEnd): GateMessage {
  const { rule, n, value, dropped } = words;
  const [shown] = amounts(rule.metric, value, rule.threshold) as [string, string];
  const left = dropped > 0 ? ` (${plural(dropped, "row")} without a score)` : "";
  const is = `is ${shown} on ${plural(n, "example")}${left}`;
  return say(`${is}${floorWords(words, end)}.`, FLOOR_ADVICE[end.kind](describeCulprits(rule)), {
    subject: shortName(rule.metric),
    by_chance: BY_CHANCE.includes(end.kind),
  });
}

function floorWords({ rule, value, ci, clusters }: FloorWords, end: FloorEnd): string {
  const higher = rule.operator.startsWith(">");
  const bar = limitAmount(rule.metric, rule.threshold);
  const wrong = higher ? `, below the floor of ${bar}` : `, above the limit of ${bar}`;
  const met = ` and meets the ${higher ? "floor" : "limit"} of ${bar}`;
  const span = intervalCaveat(rule, value, ci);
  switch (end.kind) {
    case "missed":
      return wrong + span;
    case "near":
      return `${wrong}, but not beyond chance${span}`;
    case "few":
      return `${wrong}; fewer than 10 examples cannot prove it`;
    case "alike":
      return `${wrong}, but all ${clusters === null ? "values" : "clusters"} are alike, so chance cannot be judged`;
    case "one-cluster":
      return wrong + ONE_CLUSTER;
    case "met":
      return met + span;
    case "near-with-crashes":
      return `${wrong}, and ${asWorst(end)}`;
    case "crashed":
      return `${met}, but ${asWorst(end)}`;
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
  now,
  before,
  p,
  few,
  fall,
}: {
  readonly verdict: Verdict;
  readonly now: CrashCount;
  readonly before: CrashCount;
  readonly p: number;
  readonly few: boolean;
  /** Which metric `falls` or `rises` too far with these crashes at the worst value; empty if none does. */
  readonly fall: string;
}): GateMessage {
  const counted = `${describeCrashes(now)}, ${before.crashes} of ${before.rows} in the baseline`;
  if (few)
    return say(`${counted}: fewer than 10 examples cannot be tested.`, "Look at the crashes.");
  const chance = chanceWords(p);
  const far = fall === "" ? "" : `; with each at the worst score ${fall} too far`;
  switch (verdict) {
    case "fail":
      return say(`${counted}${far} (${chance}).`, "Fix the crashes.", { with_p: true });
    case "inconclusive":
      return say(`${counted} (${chance}): possibly more than before.`, "Look at the crashes.", {
        with_p: true,
      });
    case "pass":
      return say(now.crashes > 0 ? `${counted}: no more than chance would do.` : `${counted}.`);
  }
}
