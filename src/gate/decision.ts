import { type Comparison, FEWEST_PAIRS } from "./comparison.ts";
import type { Family } from "./family.ts";
import { SLACK, slackOf } from "./gate-rule.ts";
import { PROOF } from "./interval.ts";
import type { DropEnd } from "./sentence.ts";

/** Below this chance a drop that is not proven is worth a look: 1 of 5 runs (docs/evals/gates.md). */
export const SUSPICION = 0.2;

/** A comparison and its index in the family; null if it was not tested. */
export interface Hypothesis {
  readonly comparison: Comparison;
  readonly at: number | null;
}

/** Which change for the worse is too much. */
export interface Allowed {
  readonly limit: number;
  /** Whether a drop of exactly the limit is too much. */
  readonly isStrict: boolean;
  /** What is only rounding in the change. */
  readonly slack?: number;
}

/** The decision on one comparison: how it ended, and its chances, null if nothing was tested. */
export interface Decided {
  readonly comparison: Comparison;
  readonly end: DropEnd;
  /** Adjusted among all gates of the run. */
  readonly p: number | null;
  readonly own: number | null;
}

/** Whether a change for the worse exceeds the limit. */
export function isBeyond({ limit, isStrict, slack = SLACK }: Allowed, change: number): boolean {
  if (change >= -slack) return false;
  return isStrict ? change <= -limit + slack : change < -limit - slack;
}

/** Decides on one comparison. `mustRuleOut`: whether a pass must rule out more than the limit. */
export function decide(
  { comparison, at }: Hypothesis,
  family: Family,
  { mustRuleOut = false, ...limits }: Allowed & { readonly mustRuleOut?: boolean },
): Decided {
  if (at === null) return { comparison, end: untested(comparison), p: null, own: null };
  const { n, lost, change, head, base } = comparison;
  const allowed = { slack: slackOf(head, base), ...limits };
  const p = family.p(at);
  const beyond = isBeyond(allowed, change);
  const findEnd = (): DropEnd => {
    if (beyond && family.isProven(at)) return { kind: "proven" };
    const open = mustRuleOut ? leftOpen(comparison, allowed) : null;
    if (open !== null) return open;
    if (!mustRuleOut && beyond && p < SUSPICION) return { kind: "suspicious" };
    if (n < lost) return { kind: "thin" };
    if (mustRuleOut) return { kind: "ruled-out" };
    if (beyond) return { kind: "chance" };
    return { kind: change < -SLACK ? "within" : "unseen" };
  };
  return { comparison, end: findEnd(), p, own: family.own(at) };
}

function untested({ n, clusters }: Comparison): DropEnd {
  if (n < FEWEST_PAIRS) return { kind: "few", of: "examples" };
  return clusters === 1 ? { kind: "one-cluster" } : { kind: "few", of: "clusters" };
}

/** Why a drop beyond the limit cannot be ruled out. */
function leftOpen(comparison: Comparison, allowed: Allowed): DropEnd | null {
  const { quantile, clusters, change } = comparison;
  const bound = comparison.lowest();
  if (bound === -Infinity)
    return {
      kind: "unbounded",
      needed: valuesToBound(quantile ?? 0.5),
      of: clusters === null ? "examples" : "clusters",
    };
  if (!isBeyond(allowed, Math.min(bound, change))) return null;
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
