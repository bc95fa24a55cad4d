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
import { amountsWith, limitAmount, outwardAmounts, tidy } from "../report/numbers.ts";
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
  | { readonly kind: "few"; readonly of: "examples" | "clusters" }
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

/** How a message ends: what follows the movement, and what to do. */
type Ending = { readonly tail: string } & Partial<
  Pick<GateMessage, "advice" | "with_p" | "by_chance">
>;

/** The verdict of a drop gate in one or two sentences, with what to do. */
export function describeDrop(words: DropWords, end: DropEnd): GateMessage {
  const { tail, advice, ...about } = endingOf(words, end);
  const subject = shortName(words.rule.metric);
  return say(`${movement(words)}${tail}.`, advice, { ...about, subject });
}

function endingOf(words: DropWords, end: DropEnd): Ending {
  const { worse, rule, since, shared } = words;
  const allowed = allowedWords(rule);
  const p = chanceWords(words.p ?? 1);
  const limit = `${rule.threshold === 0 ? "none" : allowed} allowed`;
  switch (end.kind) {
    case "proven":
      return since === "anchor"
        ? {
            tail: ` (${limit}, ${p}): small ${worse}s add up`,
            advice: "Look at the rows that got worse, or accept this run by hand.",
            with_p: true,
          }
        : {
            tail: ` (${limit}, ${p})`,
            advice: "Look at the rows that got worse and fix them.",
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

function movement({ rule, head, base, n, since, decimals = 0 }: DropWords): string {
  const on = `on ${plural(n, "shared example")}${since === "anchor" ? " since the accepted anchor" : ""}`;
  const [before, after] = amountsWith(decimals, rule.metric, base, head) as [string, string];
  if (differenceOf(head, base) === 0) return `is unchanged at ${after} ${on}`;
  return `${head < base ? "fell" : "rose"} from ${before} to ${after} ${on}`;
}
