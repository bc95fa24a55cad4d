import type { Verdict } from "../report/report.ts";
import { type Comparison, FEWEST_PAIRS } from "./comparison.ts";
import { SLACK } from "./gate-rule.ts";
import { PROOF } from "./interval.ts";
import type { DropEnd } from "./drop-sentence.ts";

/** Below this chance a drop that is not proven is worth a look: 1 of 5 runs (docs/evals/gates.md). */
const SUSPICION = 0.2;

/** Everything that a verdict on a drop depends on. */
export interface Facts extends Pick<Comparison, "n" | "lost" | "clusters" | "change" | "quantile"> {
  readonly limit: number;
  /** Whether a drop of exactly the limit is too much. */
  readonly isStrict: boolean;
  /** What is only rounding in the change. */
  readonly slack?: number;
  /** Adjusted p among all gates of the run; null if nothing was tested. */
  readonly p: number | null;
  readonly isProven: boolean;
  /** The largest possible drop, if a pass must rule out more than the limit; else null. */
  readonly lowest: (() => number) | null;
}

/** A verdict, and what its message says. */
export interface Decision {
  readonly verdict: Verdict;
  readonly end: DropEnd;
}

/** Whether a change for the worse exceeds the limit. */
export function isBeyond(
  { limit, isStrict, slack = SLACK }: Pick<Facts, "limit" | "isStrict" | "slack">,
  change: number,
): boolean {
  if (change >= -slack) return false;
  return isStrict ? change <= -limit + slack : change < -limit - slack;
}

/** Decides on one comparison. */
export function decide(facts: Facts): Decision {
  const { n, lost, clusters, change, p, isProven, lowest } = facts;
  if (p === null) return { verdict: "inconclusive", end: untested(n, clusters) };
  const beyond = isBeyond(facts, change);
  if (beyond && isProven) return { verdict: "fail", end: { kind: "proven" } };
  const open = lowest === null ? null : leftOpen(facts, lowest());
  if (open !== null) return { verdict: "inconclusive", end: open };
  if (lowest === null && beyond && p < SUSPICION)
    return { verdict: "inconclusive", end: { kind: "suspicious" } };
  if (n < lost) return { verdict: "inconclusive", end: { kind: "thin" } };
  if (lowest !== null) return { verdict: "pass", end: { kind: "ruled-out" } };
  if (beyond) return { verdict: "pass", end: { kind: "chance" } };
  return { verdict: "pass", end: { kind: change < -SLACK ? "within" : "unseen" } };
}

function untested(n: number, clusters: number | null): DropEnd {
  if (n < FEWEST_PAIRS) return { kind: "few", of: "examples" };
  return clusters === 1 ? { kind: "one-cluster" } : { kind: "few", of: "clusters" };
}

/** Why a drop beyond the limit cannot be ruled out. */
function leftOpen(facts: Facts, bound: number): DropEnd | null {
  const { quantile, clusters, change } = facts;
  if (bound === -Infinity)
    return {
      kind: "unbounded",
      needed: valuesToBound(quantile ?? 0.5),
      of: clusters === null ? "examples" : "clusters",
    };
  if (!isBeyond(facts, Math.min(bound, change))) return null;
  return { kind: "not-ruled-out", bound: Math.max(0, -bound) };
}

/**
 * How many values it takes to bound a quantile on both sides: the probability that all of them are
 * on one side of it is then at most 5 %.
 */
function valuesToBound(q: number): number {
  // Slightly less, so that rounding adds none.
  return Math.ceil(Math.log(PROOF) / Math.log(Math.max(q, 1 - q)) - 1e-9);
}
