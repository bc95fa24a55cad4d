import type { Verdict } from "../report/report.ts";
import { FEWEST_PAIRS } from "./comparison.ts";
import { SLACK } from "./gate-rule.ts";
import type { DropEnd } from "./sentence.ts";

/** Chance below which a fall that is not proven is worth a look: 1 of 5 runs (docs/evals/gates.md). */
const SUSPICION = 0.2;

/** All that a verdict on a drop depends on. */
export interface Facts {
  /** Pairs, and those examples that the reference scored and this run did not. */
  readonly n: number;
  readonly lost: number;
  readonly clusters: number | null;
  /** Worse counted as negative. */
  readonly change: number;
  readonly limit: number;
  /** Whether a fall of exactly the limit is too much. */
  readonly isStrict: boolean;
  /** Chance among all gates of the run; null where nothing was tested. */
  readonly p: number | null;
  readonly isProven: boolean;
  /** The largest fall left possible, where a pass has to rule out more than is allowed; else null. */
  readonly lowest: (() => number) | null;
  readonly quantile: number | null;
}

/** A verdict, and what its sentence says. */
export interface Decision {
  readonly verdict: Verdict;
  readonly end: DropEnd;
}

/** Fail before inconclusive before pass. */
export function rank(verdict: Verdict): number {
  return ["fail", "inconclusive", "pass"].indexOf(verdict);
}

/** Whether a change for the worse is larger than is allowed. */
export function isBeyond(
  { limit, isStrict }: Pick<Facts, "limit" | "isStrict">,
  change: number,
): boolean {
  if (change >= -SLACK) return false;
  return isStrict ? change <= -limit + SLACK : change < -limit - SLACK;
}

/** The verdict on one comparison. */
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
  if (n < FEWEST_PAIRS) return { kind: "few" };
  return clusters === 1 ? { kind: "one-cluster" } : { kind: "few-clusters" };
}

/** What keeps a fall beyond the limit from being ruled out. */
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
 * How many values it takes to bound a quantile on both sides, one-sided 5 %: that none is beyond it
 * has this chance.
 */
function valuesToBound(q: number): number {
  return Math.ceil(Math.log(0.05) / Math.log(Math.max(q, 1 - q)) - 1e-9);
}
