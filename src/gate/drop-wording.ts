import { detectableFactor, FEWEST_PAIRS } from "./paired.ts";
import type { GateRule } from "./rule.ts";
import { amounts, atLeast, chance, count } from "./wording.ts";

/** What the sentence on a drop gate is made of. */
export interface DropFacts {
  readonly rule: GateRule;
  /** Pairs that were compared. */
  readonly n: number;
  readonly repeats: number;
  readonly dropped: number;
  /** Shared examples, with or without a value. */
  readonly shared: number;
  readonly head: number;
  readonly base: number;
  readonly mde: number | null;
  readonly p: number | null;
  readonly alpha: number;
  /** Drops that were tested together. */
  readonly family: number;
  readonly se: number;
  readonly noise: number | null;
  /** Mean change, worse counted as negative. */
  readonly rateOfChange: number;
  readonly bound: number | null;
  readonly clustered: boolean;
}

/** More repeats of an example than this are no advice. */
const MOST_REPEATS = 50;

/** Why no test was run on so few pairs. */
export function sayTooFew(facts: DropFacts): string {
  if (facts.clustered && facts.n >= FEWEST_PAIRS)
    return `${movement(facts)}, but all of them belong to one cluster, so there is no spread to judge it by; add clusters or remove cluster_by`;
  return `${movement(facts)}; under ${FEWEST_PAIRS} examples no test can tell a fall from chance, so look at the rows themselves or add examples${leftOut(facts)}`;
}

type DropEnd = "proven" | "chance" | "not-ruled-out" | "thin" | "unseen" | "harmless";

/** The sentence on a tested drop: what moved, how sure that is, what would settle it, what was left out. */
export function sayDrop(facts: DropFacts, end: DropEnd): string {
  return `${sayEnd(facts, end)}${leftOut(facts)}`;
}

function leftOut({ dropped }: DropFacts): string {
  return dropped > 0
    ? `; ${count(dropped, "row")} had no value and ${dropped === 1 ? "is" : "are"} not counted`
    : "";
}

function sayEnd(facts: DropFacts, end: DropEnd): string {
  const { rule, p, family } = facts;
  const size = facts.head < facts.base ? "a fall this large" : "a rise this large";
  const [allowed] = amounts(rule.metric, rule.threshold) as [string];
  const limit = rule.threshold === 0 ? "none is allowed" : `${allowed} is allowed`;
  const often = `${chance(p ?? 1)}${family > 1 ? `, all ${family} drop gates taken together` : ""}`;
  switch (end) {
    case "proven":
      return `${movement(facts)} (${limit}); ${size} would happen by chance ${often}`;
    case "chance":
      return `${movement(facts)} (${limit}), but ${size} would happen by chance ${often}; ${needs(facts)}`;
    case "not-ruled-out":
      return `${movement(facts)}, inside the allowed ${allowed}, but that the true change is worse is not ruled out; ${needs(facts)}`;
    case "thin":
      return `${movement(facts)}, but most of the ${facts.shared} shared examples have no value on both sides, so this says little; look at the errored and unscored rows`;
    case "harmless":
      return `${movement(facts)}; a true change for the worse of more than ${amounts(rule.metric, Math.max(0, -facts.bound!))[0]} is ruled out (${sure(facts.alpha)}), and ${allowed} is allowed`;
    case "unseen":
      return `${movement(facts)}, so no change for the worse was seen${facts.mde === null ? "" : ` (this many examples show one of about ${amounts(rule.metric, facts.mde)[0]} or more)`}`;
  }
}

function sure(alpha: number): string {
  return `${Number((100 * (1 - alpha)).toFixed(2))} % sure`;
}

function movement({ rule, head, base, n }: DropFacts): string {
  const on = `on the ${count(n, "shared example")}`;
  if (Math.abs(head - base) < 1e-12)
    return `${rule.metric} is unchanged at ${amounts(rule.metric, head)[0]} ${on}`;
  const [before, after] = amounts(rule.metric, base, head) as [string, string];
  return `${rule.metric} ${head < base ? "fell" : "rose"} from ${before} to ${after} ${on}`;
}

/** Rows or repeats that would settle a change of the allowed size, or of the size seen when none is allowed. */
function needs({
  rule,
  n,
  repeats,
  mde,
  se,
  noise,
  rateOfChange,
  alpha,
  clustered,
}: DropFacts): string {
  const target = rule.threshold > 0 ? rule.threshold : Math.abs(rateOfChange);
  const show =
    mde === null
      ? ""
      : `${count(n, "example")} can only show a change of about ${amounts(rule.metric, mde)[0]} or more, and `;
  const wanted = (target / detectableFactor(alpha)) ** 2;
  const rows = atLeast((n * se * se) / wanted);
  if (rows <= n || target === 0) return `${show}more examples or repeats would settle it`;
  // Without repeats all of the variance is taken for noise of the agent, which is the most that repeats can remove.
  const variance = n * se * se;
  const steady = noise === null ? 0 : Math.max(0, variance - noise);
  const fold = (variance - steady) / (n * wanted - steady);
  const times = Math.max(repeats + 1, atLeast(repeats * fold));
  const again =
    !clustered && n * wanted > steady && times <= MOST_REPEATS
      ? `, or these ${n} run ${noise === null ? "at least " : "about "}${times} times each in both runs,`
      : "";
  return `${show}to judge one of ${amounts(rule.metric, target)[0]}, about ${rows} examples${again} are needed`;
}
