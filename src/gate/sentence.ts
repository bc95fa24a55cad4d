import type { GateMessage, Verdict } from "../report/report.ts";
import type { Comparison } from "./comparison.ts";
import { differenceOf, type GateRule, isCeiling, meetsRule, sideOf } from "./gate-rule.ts";
import type { Interval } from "./interval.ts";
import { type CrashCount, parseMetric } from "./metric.ts";
import type { RunState } from "./row.ts";
import { allowedChange } from "./rule.ts";
import { amountsWith, limitAmount, outwardAmounts, pWords, tidy } from "../report/numbers.ts";
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

function chanceWords(p: number): string {
  const shown = pWords(p);
  return /^[<>]/.test(shown) ? `p ${shown}` : `p = ${shown}`;
}

/** "40 of 100 rows crashed". */
export function describeCrashes({ crashes, rows }: CrashCount): string {
  return `${crashes} of ${plural(rows, "row")} crashed`;
}

/** What crashes without a score would do. */
const asWorst = (crashed: CrashCount): string =>
  `${describeCrashes(crashed)}; with each at the worst score it would fail`;

/** Why neither a change nor a miss can be judged. */
const ONE_CLUSTER = ", but all belong to one cluster, so chance cannot be judged";

/** How a drop gate ended. */
export type DropEnd =
  | {
      readonly kind:
        | "chance"
        | "one-cluster"
        | "proven"
        | "ruled-out"
        | "suspicious"
        | "unseen"
        | "within";
    }
  | { readonly kind: "not-ruled-out"; readonly bound: number }
  | { readonly kind: "unbounded"; readonly needed: number; readonly of: Units }
  | { readonly kind: "few"; readonly of: Units }
  /** Most rows have no score; `crashes` of `rows` crashed, if any did. */
  | ({ readonly kind: "thin" } & Partial<CrashCount>)
  | ({ readonly kind: "crashed" | "proven-with-crashes" } & CrashCount);

/** How a floor or ceiling ended. */
export type FloorEnd =
  | { readonly kind: "alike" | "met" | "missed" | "near" | "one-cluster" }
  | { readonly kind: "few"; readonly of: Units }
  | ({ readonly kind: "crashed" | "near-with-crashes" } & CrashCount);

type Units = "examples" | "clusters";
type End = DropEnd | FloorEnd;

const FAILS: readonly End["kind"][] = ["missed", "proven", "proven-with-crashes"];
const PASSES: readonly End["kind"][] = ["chance", "met", "ruled-out", "unseen", "within"];

/** The verdict of a drop or floor by how it ended. */
export function verdictOf({ kind }: End): Verdict {
  if (FAILS.includes(kind)) return "fail";
  return PASSES.includes(kind) ? "pass" : "inconclusive";
}

interface DropWords extends Pick<Comparison, "n" | "shared" | "head" | "base"> {
  readonly rule: GateRule;
  /** Null if nothing was tested. */
  readonly p: number | null;
  /** The drop that this suite could miss, if this message should say so. */
  readonly missed: number | null;
  /** Whether the anchor decided instead of the baseline. */
  readonly byAnchor: boolean;
  /** A word for a change for the worse. */
  readonly worse: "fall" | "rise";
  /** The fewest decimals of the values. */
  readonly decimals: number;
}

/** How a message ends: what follows the movement, and what to do. */
type Ending = { readonly tail: string } & Partial<
  Pick<GateMessage, "advice" | "with_p" | "by_chance">
>;

/** The verdict of a drop gate in one or two sentences, with what to do. */
export function describeDrop(words: DropWords, end: DropEnd): GateMessage {
  const { tail, advice, ...about } = endingOfDrop(words, end);
  const subject = shortName(words.rule.metric);
  return say(`${movement(words)}${tail}.`, advice, { ...about, subject });
}

function endingOfDrop(words: DropWords, end: DropEnd): Ending {
  const { worse, rule, byAnchor, shared } = words;
  const allowed = allowedWords(rule);
  const p = chanceWords(words.p ?? 1);
  const limit = `${rule.threshold === 0 ? "none" : allowed} allowed`;
  switch (end.kind) {
    case "proven":
      return {
        tail: ` (${limit}, ${p})${byAnchor ? `: small ${worse}s add up` : ""}`,
        advice: `Look at the rows that got worse${byAnchor ? ", or accept this run by hand" : " and fix them"}.`,
        with_p: true,
      };
    case "proven-with-crashes":
      return {
        tail: `, counting each crash as the worst score (${limit}, ${p}); ${describeCrashes(end)}`,
        advice: "Fix the crashes and the rows that got worse.",
        with_p: true,
      };
    case "suspicious":
      return {
        tail: ` (${limit}, ${p}): possibly real, not proven`,
        advice: "Look at the rows that got worse.",
        with_p: true,
        by_chance: true,
      };
    case "chance":
      return {
        tail: ` (${limit}), no more than chance would do (${p})${missedWords(words)}`,
        with_p: true,
      };
    case "within":
      return { tail: `, within the ${allowed} allowed${missedWords(words)}` };
    case "unseen":
      return { tail: `: no sign of a ${worse === "rise" ? "rise" : "drop"}${missedWords(words)}` };
    case "ruled-out": {
      const beyond = rule.threshold === 0 ? `any ${worse}` : `a ${worse} beyond ${allowed}`;
      return { tail: `; ${beyond} is ruled out (95% sure)` };
    }
    case "not-ruled-out":
      return {
        tail: `, but a true ${worse} of up to ${boundWords(words, end.bound)} is not ruled out (${limit})`,
        advice: "Add examples or repeats.",
        by_chance: true,
      };
    case "unbounded":
      return {
        tail: `: too few ${end.of} to rule out a ${worse}; that takes at least ${end.needed}`,
        advice: `Add ${end.of}.`,
      };
    case "few":
      return {
        tail: `: fewer than ${end.of === "examples" ? 10 : "six"} ${end.of} cannot be tested`,
        advice: `Look at the rows, or add ${end.of}.`,
      };
    case "thin": {
      const none = `, but most of the ${shared} shared examples have no score now`;
      const { crashes, rows } = end;
      return crashes === undefined || rows === undefined
        ? { tail: none, advice: "Look at the rows without a score." }
        : { tail: `${none}: ${describeCrashes({ crashes, rows })}`, advice: "Fix the crashes." };
    }
    case "one-cluster":
      return { tail: ONE_CLUSTER, advice: "Add clusters or remove cluster_by." };
    case "crashed":
      return { tail: `, but ${asWorst(end)}`, advice: "Fix the crashes." };
  }
}

/** A pass claims no more than this suite can detect. */
function missedWords({ rule, missed }: DropWords): string {
  if (missed === null) return "";
  const allowed = rule.threshold === 0 ? "none" : allowedWords(rule);
  return `; this suite could miss one of up to ${limitAmount(rule.metric, missed)}, you allow ${allowed}`;
}

/** Keeps a bound just beyond the limit from being rounded to the limit. */
const boundWords = ({ rule, base }: DropWords, bound: number): string =>
  outwardAmounts(rule.metric, [0, bound], allowedChange(rule, base))[1];

/** A limit as in its rule. */
export function allowedWords({ metric, threshold, relative }: GateRule): string {
  return relative ? `${tidy(100 * threshold)}%` : limitAmount(metric, threshold);
}

function movement({ rule, head, base, n, byAnchor, decimals }: DropWords): string {
  const on = `on ${plural(n, "shared example")}${byAnchor ? " since the anchor" : ""}`;
  const [before, after] = amountsWith(decimals, rule.metric, base, head) as [string, string];
  if (differenceOf(head, base) === 0) return `is unchanged at ${after} ${on}`;
  return `${head < base ? "fell" : "rose"} from ${before} to ${after} ${on}`;
}

interface FloorWords {
  readonly rule: GateRule;
  readonly n: number;
  readonly value: number;
  readonly ci: Interval | null;
  readonly dropped: number;
  /** The fewest decimals of the value. */
  readonly decimals: number;
}

function describeCulprits({ metric }: GateRule): string {
  const { kind } = parseMetric(metric);
  if (kind === "error_rate") return "the crashes";
  return kind === "latency" ? "the slow rows" : "the rows that score badly";
}

/** The verdict of a floor or ceiling in one or two sentences, with what to do. */
export function describeFloor(words: FloorWords, end: FloorEnd): GateMessage {
  const { rule, n, value, dropped, decimals } = words;
  const [shown] = amountsWith(decimals, rule.metric, value, rule.threshold) as [string, string];
  const left = dropped > 0 ? ` (${plural(dropped, "row")} without a score)` : "";
  const [tail, advice] = endingOfFloor(words, end);
  return say(`is ${shown} on ${plural(n, "example")}${left}${tail}.`, advice, {
    subject: shortName(rule.metric),
    by_chance: end.kind === "near",
  });
}

function endingOfFloor({ rule, value, ci }: FloorWords, end: FloorEnd): readonly [string, string?] {
  const name = isCeiling(rule) ? "limit" : "floor";
  const limit = `${name} of ${limitAmount(rule.metric, rule.threshold)}`;
  const wrong = `, ${sideOf(rule, value)} the ${limit}`;
  const met = ` and meets the ${limit}`;
  const span = intervalCaveat(rule, value, ci);
  const culprits = describeCulprits(rule);
  switch (end.kind) {
    case "missed":
      return [wrong + span, `Fix ${culprits}.`];
    case "near":
      return [`${wrong}, but not beyond chance${span}`, `Look at ${culprits}, or add examples.`];
    case "few":
      return [
        `${wrong}; fewer than 10 ${end.of} cannot prove it`,
        `Look at the rows, or add ${end.of}.`,
      ];
    case "alike":
      return [
        `${wrong}, but all values are alike, so chance cannot be judged`,
        `Look at ${culprits}.`,
      ];
    case "one-cluster":
      return [wrong + ONE_CLUSTER, "Add clusters or remove cluster_by."];
    case "met":
      return [met + span];
    case "near-with-crashes":
      return [`${wrong}, and ${asWorst(end)}`, `Fix the crashes and ${culprits}.`];
    case "crashed":
      return [`${met}, but ${asWorst(end)}`, "Fix the crashes."];
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

const NO_ROW = say("the results hold no row.", "Check the evaluation.");

interface RowCount {
  readonly usable: number;
  readonly rows: number;
  readonly crashes: number;
  readonly wanted: number;
}

/** Fewer rows have a score than required. */
export function describeFewRows({ usable, rows, crashes, wanted }: RowCount): GateMessage {
  if (rows === 0) return NO_ROW;
  const asked = wanted === 1 ? "" : `, and min_rows asks for ${wanted}`;
  const crashed = crashes === 0 ? "" : `; ${crashes} crashed`;
  const finding = `${usable} of ${plural(rows, "row")} ${usable === 1 ? "has" : "have"} a score${asked}${crashed}.`;
  if (usable === rows) return say(finding, "Run the missing rows.");
  if (usable > 0) return say(finding, "Look at the rows without a score.");
  return say(finding, `Fix the ${crashes === 0 ? "scorer" : "crashes, or the scorer"}.`);
}

/** Why a gate on a metric without any values cannot hold. */
export function describeUnscored(metric: string, dropped: number): GateMessage {
  if (dropped === 0) return NO_ROW;
  const { kind } = parseMetric(metric);
  const none = `none of the ${plural(dropped, "row")}`;
  const sayWhy = (why: string, advice: string): GateMessage =>
    say(`cannot be judged: ${why}.`, advice, { subject: shortName(metric) });
  if (kind === "latency")
    return sayWhy(`${none} ran without error and has a duration`, "Look at these rows.");
  if (kind === "pass")
    return sayWhy("no example has that many scored repeats", "Run the examples more often.");
  return sayWhy(`${none} has a score for it`, "Fix the crashes or the scorer.");
}

interface CrashesFound {
  readonly verdict: Verdict;
  readonly now: CrashCount;
  readonly before: CrashCount;
  readonly p: number;
  readonly few: boolean;
  /** Which metric `falls` or `rises` too far with these crashes at the worst value; empty if none does. */
  readonly fall: string;
}

/** The verdict on crashes. */
export function describeErrors({ verdict, now, before, p, few, fall }: CrashesFound): GateMessage {
  const counted = `${describeCrashes(now)}, ${before.crashes} of ${before.rows} in the baseline`;
  if (few)
    return say(`${counted}: fewer than 10 examples cannot be tested.`, "Look at the crashes.");
  if (verdict === "pass")
    return say(`${counted}${now.crashes > 0 ? ": no more than chance would do" : ""}.`);
  const chance = chanceWords(p);
  if (verdict === "inconclusive")
    return say(`${counted} (${chance}): possibly more than before.`, "Look at the crashes.", {
      with_p: true,
    });
  const far = fall === "" ? "" : `; with each at the worst score ${fall} too far`;
  return say(`${counted}${far} (${chance}).`, "Fix the crashes.", { with_p: true });
}
