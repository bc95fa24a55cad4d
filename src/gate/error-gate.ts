import { rankOf } from "../report/merge.ts";
import type { Verdict } from "../report/report.ts";
import { compareMetric, FEWEST_PAIRS } from "./comparison.ts";
import type { Comparable } from "./comparable.ts";
import { TIE } from "./chance.ts";
import { logChoose } from "./distribution.ts";
import { decide, type Hypothesis, SUSPICION } from "./decision.ts";
import { type FallByCrashes, intervalFor, methodOf, toHypothesis } from "./drop.ts";
import type { Family, FamilyBuilder } from "./family.ts";
import { type GateFacts, type JudgedGate, toJudgedGate } from "./gate-report.ts";
import { differenceInterval, wilson } from "./interval.ts";
import { countErrors, type CrashCount, crashShares } from "./metric.ts";
import type { GateTable } from "./row.ts";
import { describeErrors, shortName, verdictOf } from "./sentence.ts";
import type { Judging } from "./judging.ts";
import { hasRepeats, type ReferenceRun, splitUnshared, unsharedOf } from "./side.ts";

/** The implicit gate on crashes in every run with a baseline. */
export interface PreparedErrors {
  /** Null if the baseline has other examples or another provider. */
  readonly shared: Hypothesis | null;
  /** Crashes of examples that the baseline lacks; null if there are none, or too few examples to test. */
  readonly added: (NewExamples & { readonly at: number }) | null;
  readonly before: CrashCount;
}

/** Compares the crashes of both runs; without a new one the gate does not affect the others. */
export function prepareErrors(
  judging: Judging,
  comparable: Comparable,
  family: FamilyBuilder,
): PreparedErrors | null {
  const { gates, head } = judging;
  if (gates.errors === "ignore") return null;
  const add = (added: NewExamples | null): PreparedErrors["added"] =>
    added === null ? null : { ...added, at: family.addChance(added.p) };
  if (comparable.state === "refused") {
    const { others } = comparable;
    if (others.length === 0) return null;
    // Other examples ran: whole runs are compared.
    const added = add(compareCounts(countCrashed(head.table), countCrashed(...others)));
    return { shared: null, added, before: rowsOf(others) };
  }
  const { base } = comparable;
  const comparison = compareMetric(judging, "error_rate", base, { shared: base.whole });
  if (comparison === null) return null;
  const shared = toHypothesis(comparison, judging, family);
  const added = shared.at === null ? null : add(countNewExamples(head.table, base));
  return { shared, added, before: rowsOf([base.table]) };
}

function rowsOf(tables: readonly GateTable[]): CrashCount {
  return {
    rows: tables.reduce((sum, { size }) => sum + size, 0),
    crashes: tables.reduce((sum, table) => sum + countErrors(table), 0),
  };
}

/**
 * Judges the crashes once the family is complete, by the worse result of shared and new examples.
 * `fall`: a drop that passes by its scored rows and fails with crashes at the worst value.
 */
export function reportErrors(
  judging: Judging,
  { shared, added, before }: PreparedErrors,
  family: Family,
  fall: FallByCrashes | null,
): JudgedGate {
  const { head, crashes, lowerIsBetter } = judging;
  const asked = [
    ...(shared === null ? [] : [ofShared(judging, shared, family, fall)]),
    ...(added === null ? [] : [ofNewExamples(judging, added, family)]),
  ];
  const [worst] = asked.sort((a, b) => rankOf(a.verdict) - rankOf(b.verdict));
  const { byFall, ...found } = worst ?? {
    // Nothing crashed that could be compared.
    verdict: "pass",
    n: head.table.examples,
    head: 0,
    base: before.crashes / before.rows,
    method: "count",
    byFall: false,
  };
  // Something crashed, with too few shared examples to test.
  const isFew = shared?.at === null && crashes.crashes > 0;
  const worse = fall !== null && lowerIsBetter(fall.metric) ? "rises" : "falls";
  const message = describeErrors({
    verdict: found.verdict,
    now: rowsOf([head.table]),
    before,
    p: found.p ?? 1,
    few: isFew && !byFall,
    fall: byFall && fall !== null ? `${shortName(fall.metric)} ${worse}` : "",
  });
  return toJudgedGate(judging, {
    ...found,
    metric: "errors",
    rule: "errors",
    delta: found.head - found.base,
    limit: 0,
    lower: true,
    describe: () => message,
  });
}

/** What decides about crashes: the rates of head and base, and the evidence for more. */
interface Found extends Pick<GateFacts, "verdict" | "n" | "ci" | "p" | "p_own" | "method"> {
  readonly head: number;
  readonly base: number;
  readonly byFall: boolean;
}

function ofShared(
  { crashes: { crashes } }: Judging,
  shared: Hypothesis,
  family: Family,
  fall: FallByCrashes | null,
): Found {
  const decided = decide(shared, family, { limit: 0, isStrict: false });
  const { comparison } = shared;
  const { n, head, base } = comparison;
  const isSpared = decided.p === null && crashes === 0;
  const alone = isSpared ? "pass" : verdictOf(decided.end);
  const byFall = alone !== "fail" && fall !== null;
  const verdict = byFall ? "fail" : alone;
  const { p, own } = byFall ? fall : decided;
  const about = { verdict, n, head, base, byFall };
  if (p === null) return { ...about, method: "count" };
  return {
    ...about,
    ci: intervalFor({ comparison, p }, verdict, true),
    p,
    p_own: own,
    method: byFall
      ? `${fall.method}, ${fall.metric} with crashes at the worst value`
      : methodOf(comparison, family),
  };
}

/** A new example may be a harder one: a single crash shows nothing about the agent. */
const FEWEST_NEW_CRASHES = 2;

/**
 * Judges crashes of new examples. One crash, few baseline examples, or clusters (which the test
 * ignores) leave it open.
 */
function ofNewExamples(
  { clusterOf }: Judging,
  { now, before, at }: NonNullable<PreparedErrors["added"]>,
  family: Family,
): Found {
  const [head, base] = [now.crashed / now.count, before.crashed / before.count];
  const isOpen =
    clusterOf !== null || before.count < FEWEST_PAIRS || now.crashed < FEWEST_NEW_CRASHES;
  const p = family.p(at);
  const isProven = family.isProven(at);
  let verdict: Verdict = "pass";
  if (head > base && (isProven || p < SUSPICION)) verdict = "inconclusive";
  if (head > base && isProven && !isOpen) verdict = "fail";
  const [one, two] = [wilson(head, now.count), wilson(base, before.count)];
  const [low, high] = differenceInterval(head, one, base, two);
  return {
    verdict,
    n: now.count,
    head,
    base,
    ci: [verdict === "fail" ? low : Math.min(0, low), high],
    p,
    p_own: family.own(at),
    method: "exact (Fisher), examples that the baseline lacks",
    byFall: false,
  };
}

/** How many examples were run; one that crashed in some of its repeats counts partially. */
interface Counted {
  readonly count: number;
  readonly crashed: number;
}

/** Crashes of examples that are new in this run, compared with the crashes of all baseline examples. */
interface NewExamples {
  readonly now: Counted;
  readonly before: Counted;
  /** Probability of at least as many crashes if they were like the baseline's examples (Fisher's exact test). */
  readonly p: number;
}

/**
 * Null if no new example crashed; for runs with repeats, both whole runs are counted. `whole` is the
 * reference with crashes without a counterpart paired.
 */
function countNewExamples(
  table: GateTable,
  { table: base, shared, whole }: ReferenceRun,
): NewExamples | null {
  if (!table.error.includes(1)) return null;
  if (hasRepeats(table, base))
    return splitUnshared(table, shared.head).crashed.length > 0
      ? compareCounts(countRuns(table, base), countRuns(base, table))
      : null;
  // What replaces an example that was not run is not new.
  const replaced = base.examples - whole.base.length;
  const added = unsharedOf(table, whole.head);
  const shares = crashShares(table);
  const crashed = added.reduce((sum, e) => sum + shares[e]!, 0);
  return compareCounts({ count: added.length - replaced, crashed }, countCrashed(base));
}

/** Repeats of one example may all crash for one reason, also under separate names: that many rows count as one. */
function countRuns(table: GateTable, other: GateTable): Counted {
  // If names were lost, the run has fewer rows per name than it ran.
  const rows = table.repeats === 1 ? 1 : Math.max(table.repeats, other.repeats);
  return { count: Math.floor(table.size / rows), crashed: countErrors(table) / rows };
}

function countCrashed(...runs: readonly GateTable[]): Counted {
  const shares = runs.flatMap((run) => [...crashShares(run)]);
  return { count: shares.length, crashed: shares.reduce((sum, share) => sum + share, 0) };
}

/** Null if nothing crashed. Fractions of examples are rounded against the finding. */
function compareCounts(head: Counted, base: Counted): NewExamples | null {
  const crashed = Math.min(head.count, Math.floor(head.crashed + TIE));
  if (crashed <= 0) return null;
  const before = { count: base.count, crashed: Math.ceil(base.crashed - TIE) };
  const p = fisherUpperTail(crashed, head.count, before.crashed, before.count);
  return { now: { count: head.count, crashed }, before, p };
}

/** Probability of `hits` or more among the first n, if the hits of both lists are assigned at random. */
function fisherUpperTail(hits: number, n: number, otherHits: number, others: number): number {
  const all = hits + otherHits;
  const ways = logChoose(n + others, all);
  let sum = 0;
  for (let k = hits; k <= Math.min(n, all); k++)
    if (all - k <= others) sum += Math.exp(logChoose(n, k) + logChoose(others, all - k) - ways);
  return Math.min(1, sum);
}
