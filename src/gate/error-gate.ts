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
  const { base, gates, head } = judging;
  if (gates.errors === "ignore") return null;
  const add = (added: NewExamples | null): PreparedErrors["added"] =>
    added === null ? null : { ...added, at: family.addChance(added.p) };
  if (comparable.state === "refused") {
    const { others } = comparable;
    if (others.length === 0) return null;
    return { shared: null, added: add(countWholeRuns(head.table, others)), before: rowsOf(others) };
  }
  if (base === null) return null;
  const how = { judging, metric: "error_rate", reference: base, shared: base.whole };
  const comparison = compareMetric(how);
  if (comparison === null) return null;
  const shared = toHypothesis(comparison, judging, family);
  return {
    shared,
    added: shared.at === null ? null : add(countNewExamples(head.table, base)),
    before: rowsOf([base.table]),
  };
}

function rowsOf(tables: readonly GateTable[]): CrashCount {
  return {
    rows: tables.reduce((sum, { size }) => sum + size, 0),
    crashes: tables.reduce((sum, table) => sum + countErrors(table), 0),
  };
}

/** What judging crashes needs. */
interface How {
  readonly judging: Judging;
  readonly prepared: PreparedErrors;
  readonly family: Family;
  /** A drop that passes by its scored rows and fails with crashes at the worst value. */
  readonly fall: FallByCrashes | null;
}

/** Judges the crashes once the family is complete. */
export function reportErrors(how: How): JudgedGate {
  const { judging, prepared, fall } = how;
  const { byFall, ...found } = findWorse(how);
  // Something crashed, with too few shared examples to test.
  const isFew = prepared.shared?.at === null && judging.crashes.crashes > 0;
  const worse = fall !== null && judging.lowerIsBetter(fall.metric) ? "rises" : "falls";
  const message = describeErrors({
    verdict: found.verdict,
    now: rowsOf([judging.head.table]),
    before: prepared.before,
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

/** The worse result of shared and new examples. */
function findWorse(how: How): Found {
  const { shared, added, before } = how.prepared;
  const paired = shared === null ? null : ofShared(how, shared);
  const unpaired = added === null ? null : ofNewExamples(how, added);
  if (paired !== null && unpaired !== null)
    return rankOf(unpaired.verdict) < rankOf(paired.verdict) ? unpaired : paired;
  // Nothing crashed that could be compared.
  const n = how.judging.head.table.examples;
  const base = before.crashes / before.rows;
  const none = { verdict: "pass", n, head: 0, base, method: "count", byFall: false } as const;
  return paired ?? unpaired ?? none;
}

function ofShared({ judging, family, fall }: How, shared: Hypothesis): Found {
  const decided = decide(shared, family, { limit: 0, isStrict: false });
  const { comparison } = shared;
  const { n, head, base } = comparison;
  const isSpared = decided.p === null && judging.crashes.crashes === 0;
  const alone = isSpared ? "pass" : verdictOf(decided.end);
  const byFall = alone !== "fail" && fall !== null;
  const verdict = byFall ? "fail" : alone;
  const { p, own } = byFall ? fall : decided;
  if (p === null) return { verdict, n, head, base, method: "count", byFall };
  return {
    verdict,
    n,
    head,
    base,
    ci: intervalFor({ comparison, p }, verdict, true),
    p,
    p_own: own,
    method: byFall
      ? `${fall.method}, ${fall.metric} with crashes at the worst value`
      : methodOf(comparison, family),
    byFall,
  };
}

/** A new example may be a harder one: a single crash shows nothing about the agent. */
const FEWEST_NEW_CRASHES = 2;

/**
 * Judges crashes of new examples. One crash, few baseline examples, or clusters (which the test
 * ignores) leave it open.
 */
function ofNewExamples(
  { judging: { clusterOf }, family }: How,
  { crashed, count, baseCrashed, baseCount, at }: NonNullable<PreparedErrors["added"]>,
): Found {
  const [head, base] = [crashed / count, baseCrashed / baseCount];
  const isOpen = clusterOf !== null || baseCount < FEWEST_PAIRS || crashed < FEWEST_NEW_CRASHES;
  const p = family.p(at);
  const isProven = family.isProven(at);
  let verdict: Verdict = "pass";
  if (head > base && (isProven || p < SUSPICION)) verdict = "inconclusive";
  if (head > base && isProven && !isOpen) verdict = "fail";
  const [low, high] = differenceInterval(head, wilson(head, count), base, wilson(base, baseCount));
  return {
    verdict,
    n: count,
    head,
    base,
    ci: [verdict === "fail" ? low : Math.min(0, low), high],
    p,
    p_own: family.own(at),
    method: "exact (Fisher), examples that the baseline lacks",
    byFall: false,
  };
}

/** Crashes of examples that are new in this run, compared with the crashes of all baseline examples. */
interface NewExamples {
  readonly crashed: number;
  readonly count: number;
  readonly baseCrashed: number;
  readonly baseCount: number;
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

/** The same for a whole run compared with others that share no example; null if nothing crashed. */
function countWholeRuns(head: GateTable, tables: readonly GateTable[]): NewExamples | null {
  const all = tables
    .map(countCrashed)
    .reduce((a, b) => ({ count: a.count + b.count, crashed: a.crashed + b.crashed }), {
      count: 0,
      crashed: 0,
    });
  return compareCounts(countCrashed(head), all);
}

interface Counted {
  readonly count: number;
  /** An example that crashed in some of its repeats counts partially. */
  readonly crashed: number;
}

function countCrashed(table: GateTable): Counted {
  return { count: table.examples, crashed: crashShares(table).reduce((a, b) => a + b, 0) };
}

/** Fractions of examples are rounded against the finding. */
function compareCounts(head: Counted, base: Counted): NewExamples | null {
  const crashed = Math.min(head.count, Math.floor(head.crashed + TIE));
  if (crashed <= 0) return null;
  const baseCrashed = Math.ceil(base.crashed - TIE);
  const p = fisherUpperTail(crashed, head.count, baseCrashed, base.count);
  return { crashed, count: head.count, baseCrashed, baseCount: base.count, p };
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
