import type { GateMessage } from "../report/report.ts";
import type { Comparison } from "./comparison.ts";
import { differenceOf, type GateRule } from "./gate-rule.ts";
import { allowedChange } from "./rule.ts";
import {
  asWorst,
  chanceWords,
  type CrashCount,
  describeCrashes,
  ONE_CLUSTER,
  say,
  shortName,
} from "./sentence.ts";
import { amountsApart, amountsWith, limitAmount, outwardAmounts, tidy } from "../report/numbers.ts";
import { plural } from "../model/count-words.ts";

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
  /** The fewest decimals of the values. */
  readonly decimals?: number;
}

/** What a message has besides its finding: its advice, and whether it names the p-value or only chance prevents a verdict. */
type EndWords = Partial<Pick<GateMessage, "advice" | "with_p" | "by_chance">>;

/** By how a drop ended. */
const DROP_ENDS: Readonly<Record<DropEnd["kind"], EndWords>> = {
  proven: { advice: "Look at the rows that got worse and fix them.", with_p: true },
  "proven-with-crashes": {
    advice: "Fix the crashes and the rows that got worse.",
    with_p: true,
  },
  suspicious: { advice: "Look at the rows that got worse.", with_p: true, by_chance: true },
  chance: { with_p: true },
  within: {},
  unseen: {},
  "ruled-out": {},
  "not-ruled-out": { advice: "Add examples or repeats.", by_chance: true },
  unbounded: {},
  few: { advice: "Look at the rows, or add examples." },
  "few-clusters": { advice: "Look at the rows, or add clusters." },
  thin: { advice: "Look at the rows without a score." },
  "one-cluster": { advice: "Add clusters or remove cluster_by." },
  crashed: { advice: "Fix the crashes." },
};

/** The verdict of a drop gate in one or two sentences, with what to do. */
export function describeDrop(words: DropWords, end: DropEnd): GateMessage {
  const { advice, ...about } = DROP_ENDS[end.kind];
  const subject = shortName(words.rule.metric);
  const finding = `${movement(words)}${dropWords(words, end)}.`;
  return say(finding, adviceOf(words, end) ?? advice, { ...about, subject });
}

/** Advice that depends on more than how the drop ended. */
function adviceOf({ since }: DropWords, end: DropEnd): string | undefined {
  if (end.kind === "unbounded") return `Add ${end.of}.`;
  if (end.kind === "thin" && end.crashes !== undefined) return "Fix the crashes.";
  return end.kind === "proven" && since === "anchor"
    ? "Look at the rows that got worse, or accept this run by hand."
    : undefined;
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

function movement({ rule, head, base, n, since, decimals = 0 }: DropWords): string {
  const on = `on ${plural(n, "shared example")}${since === "anchor" ? " since the accepted anchor" : ""}`;
  if (differenceOf(head, base) === 0)
    return `is unchanged at ${amountsWith(decimals, rule.metric, head)[0]} ${on}`;
  const move = { limit: allowedChange(rule, base), before: base, after: head };
  const [before, after] = amountsApart(rule.metric, move, decimals);
  return `${head < base ? "fell" : "rose"} from ${before} to ${after} ${on}`;
}
