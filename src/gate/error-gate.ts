import type { GateReport, Verdict } from "../report/report.ts";
import { compareMetric, FEWEST_PAIRS, type Comparison } from "./comparison.ts";
import type { Comparable } from "./comparable.ts";
import type { Crashes } from "./crash.ts";
import { rank, SUSPICION } from "./decision.ts";
import { type FallByCrashes, isTested, methodOf } from "./drop.ts";
import type { Family, FamilyBuilder } from "./family.ts";
import { frameOf, toGateReport } from "./gate-report.ts";
import { type Interval, wilson } from "./interval.ts";
import { countErrors } from "./metric.ts";
import type { GateTable } from "./row.ts";
import { sayErrors, shortName } from "./sentence.ts";
import type { Judging } from "./side.ts";
import {
  countBeside,
  countNewExamples,
  type NewExamples,
  withUnsharedCrashes,
} from "./unshared-crash.ts";

/** The implicit gate on crashes of every run that has a baseline. */
export interface PreparedErrors {
  /** Null where the baseline has other examples, or another provider. */
  readonly shared: { readonly comparison: Comparison; readonly at: number | null } | null;
  /** Crashes of examples that the baseline lacks; null where there are none, or too few examples to test. */
  readonly added: (NewExamples & { readonly at: number }) | null;
  readonly baseRows: { readonly count: number; readonly crashed: number };
}

/** Compares the crashes of both runs; without a new one the gate costs the others nothing. */
export function prepareErrors(
  judging: Judging,
  comparable: Comparable,
  family: FamilyBuilder,
): PreparedErrors | null {
  if (judging.gates.errors === "ignore") return null;
  const add = (added: NewExamples | null): PreparedErrors["added"] =>
    added === null ? null : { ...added, at: family.addChance(added.p) };
  if (comparable.state === "refused") {
    const { others } = comparable;
    if (others.length === 0) return null;
    return { shared: null, added: add(countBeside(judging, others)), baseRows: rowsOf(others) };
  }
  const reference = withUnsharedCrashes(judging, comparable.base);
  const comparison = compareMetric({ judging, metric: "error_rate", reference });
  if (comparison === null) return null;
  const tested = isTested(comparison);
  return {
    shared: { comparison, at: tested ? family.add(comparison.column, judging.units) : null },
    added: add(tested ? countNewExamples(judging, comparable.base) : null),
    baseRows: rowsOf([comparable.base.table]),
  };
}

function rowsOf(tables: readonly GateTable[]): PreparedErrors["baseRows"] {
  return {
    count: tables.reduce((sum, { size }) => sum + size, 0),
    crashed: tables.reduce((sum, table) => sum + countErrors(table), 0),
  };
}

/** Judges the crashes once the family is known. */
export function reportErrors({
  judging,
  prepared,
  family,
  crashes,
  fall,
}: {
  readonly judging: Judging;
  readonly prepared: PreparedErrors;
  readonly family: Family;
  readonly crashes: Crashes;
  /** A drop that passes by its scored rows and fails with the crashes at the worst value. */
  readonly fall: FallByCrashes | null;
}): GateReport {
  const head = judging.head.index.table;
  const few = prepared.shared?.at === null && crashes.count > 0;
  const found = findWorse(judging, prepared, { family, few, fall });
  const worse = fall !== null && judging.lowerIsBetter(fall.metric) ? "rises" : "falls";
  const { verdict, p, own } = found;
  const sentence = sayErrors({
    verdict,
    crashes: countErrors(head),
    rows: head.size,
    before: prepared.baseRows.crashed,
    beforeRows: prepared.baseRows.count,
    p: p ?? 1,
    few: few && !found.byFall,
    fall: found.byFall && fall !== null ? `${shortName(fall.metric)} ${worse}` : "",
  });
  return toGateReport(frameOf(judging), {
    metric: "errors",
    rule: "errors",
    verdict,
    n: found.n,
    head: found.head,
    base: found.base,
    delta: found.head - found.base,
    ci: p === null ? null : found.ci,
    p,
    p_own: p === null ? null : own,
    limit: 0,
    method: p === null ? "count" : found.method,
    lower: true,
    reason: sentence,
  });
}

/** What decides about the crashes: rates of head and base, and how sure it is that there are more. */
interface Found {
  readonly verdict: Verdict;
  readonly p: number | null;
  readonly own: number | null;
  readonly n: number;
  readonly head: number;
  readonly base: number;
  readonly ci: Interval | null;
  readonly method: string;
  readonly byFall: boolean;
}

interface How {
  readonly family: Family;
  readonly few: boolean;
  readonly fall: FallByCrashes | null;
}

/** The worse of what the shared examples show and what the new ones do. */
function findWorse(judging: Judging, { shared, added, baseRows }: PreparedErrors, how: How): Found {
  const paired = shared === null ? null : ofShared(shared, how);
  const unpaired = added === null ? null : ofNewExamples(judging, added, how.family);
  if (paired === null) return unpaired ?? ofNone(judging, baseRows);
  if (unpaired === null) return paired;
  return rank(unpaired.verdict) < rank(paired.verdict) ? unpaired : paired;
}

/** Nothing crashed that could be held against anything. */
function ofNone(judging: Judging, { count, crashed }: PreparedErrors["baseRows"]): Found {
  return {
    verdict: "pass",
    p: null,
    own: null,
    n: judging.head.index.examples.length,
    head: 0,
    base: crashed / count,
    ci: null,
    method: "count",
    byFall: false,
  };
}

function ofShared(
  { comparison, at }: NonNullable<PreparedErrors["shared"]>,
  { family, few, fall }: How,
): Found {
  const { change, interval } = comparison;
  const [p, own] = at === null ? [null, null] : [family.p(at), family.own(at)];
  const isProven = at !== null && family.isProven(at);
  const alone = few ? "inconclusive" : verdictOf(change < 0, p, isProven);
  const byFall = alone !== "fail" && fall !== null;
  const verdict = byFall ? "fail" : alone;
  const found = interval(0.95);
  const high = found === null ? 0 : Math.max(found[1], change);
  const isOpen = (p !== null && p >= 0.025) || verdict === "inconclusive";
  return {
    verdict,
    p: byFall ? fall.p : p,
    own: byFall ? fall.own : own,
    n: comparison.n,
    head: comparison.head,
    base: comparison.base,
    ci: found === null ? null : [-(isOpen ? Math.max(0, high) : high), -Math.min(found[0], change)],
    method: byFall
      ? `${fall.method}, ${fall.metric} with crashes at the worst value`
      : methodOf(comparison, family),
    byFall,
  };
}

/** A new example may be the harder one: one crash shows nothing of the agent. */
const FEWEST_NEW_CRASHES = 2;

/**
 * One crash, few examples of the baseline, and clusters, which the test knows nothing of, leave it
 * open whether there are more.
 */
function ofNewExamples(
  { clusterOf }: Judging,
  { crashed, count, baseCrashed, baseCount, at }: NonNullable<PreparedErrors["added"]>,
  family: Family,
): Found {
  const [head, base] = [crashed / count, baseCrashed / baseCount];
  const isOpen = clusterOf !== null || baseCount < FEWEST_PAIRS || crashed < FEWEST_NEW_CRASHES;
  const found = verdictOf(head > base, family.p(at), family.isProven(at));
  const verdict = found === "fail" && isOpen ? "inconclusive" : found;
  const [now, before] = [wilson(head, count), wilson(base, baseCount)];
  const low = head - base - Math.hypot(head - now[0], before[1] - base);
  const high = head - base + Math.hypot(now[1] - head, base - before[0]);
  return {
    verdict,
    p: family.p(at),
    own: family.own(at),
    n: count,
    head,
    base,
    ci: [verdict === "fail" ? low : Math.min(0, low), high],
    method: "exact (Fisher), examples that the baseline lacks",
    byFall: false,
  };
}

function verdictOf(isMore: boolean, p: number | null, isProven: boolean): Verdict {
  if (p === null || !isMore) return "pass";
  if (isProven) return "fail";
  return p < SUSPICION ? "inconclusive" : "pass";
}
