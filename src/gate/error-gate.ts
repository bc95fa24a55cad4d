import type { GateReport, Verdict } from "../report/report.ts";
import { compareMetric, FEWEST_PAIRS, type Comparison } from "./comparison.ts";
import type { Comparable } from "./comparable.ts";
import type { Crashes } from "./crash.ts";
import { SUSPICION, type FallByCrashes } from "./drop.ts";
import { exactRate, type Interval, outward } from "./interval.ts";
import type { Family, FamilyBuilder } from "./family-builder.ts";
import { countErrors } from "./metric.ts";
import type { GateTable } from "./row.ts";
import { finishSentence, sayErrors, shortName } from "./sentence.ts";
import type { Judging } from "./side.ts";
import {
  countBeside,
  countNewExamples,
  type NewExamples,
  withUnsharedCrashes,
} from "./unshared-crash.ts";
import { tidy } from "./wording.ts";

/** The implicit gate on crashes, which stands beside every baseline. */
export interface PreparedErrors {
  /** Null beside a baseline of other examples, or of another provider. */
  readonly shared: { readonly comparison: Comparison; readonly question: number | null } | null;
  /** Crashes of examples that the baseline lacks; null where there are none, or too few examples to test. */
  readonly added: (NewExamples & { readonly question: number }) | null;
  readonly baseRows: { readonly count: number; readonly crashed: number };
}

/** Compares the crashes of both runs; without a new one the gate costs the others nothing. */
export function prepareErrors({
  judging,
  comparable,
  crashes,
  family,
}: {
  readonly judging: Judging;
  readonly comparable: Comparable;
  readonly crashes: Crashes;
  readonly family: FamilyBuilder;
}): PreparedErrors | null {
  if (judging.gates.errors === "ignore") return null;
  const add = (added: NewExamples | null): PreparedErrors["added"] =>
    added === null
      ? null
      : {
          ...added,
          question: family.add({ p: added.p, influence: null, open: true, role: "beside" }),
        };
  if (comparable.state === "refused") {
    const { others } = comparable;
    if (others.length === 0) return null;
    return { shared: null, added: add(countBeside(judging, others)), baseRows: rowsOf(others) };
  }
  const reference = withUnsharedCrashes(judging, comparable.base);
  const comparison = compareMetric({ judging, metric: "error_rate", reference });
  if (comparison === null) return null;
  const isTested = comparison.n >= FEWEST_PAIRS;
  const { test, influence, clusters } = comparison;
  const question = isTested
    ? family.add({
        p: test.p,
        influence,
        clusters: clusters?.count ?? null,
        open: crashes.count > 0 && comparison.open,
        role: "beside",
      })
    : null;
  const added = isTested ? countNewExamples(judging, comparable.base) : null;
  const baseRows = rowsOf([comparable.base.table]);
  return { shared: { comparison, question }, added: add(added), baseRows };
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
  const few = prepared.shared?.question === null && crashes.count > 0;
  const found = findWorse(judging, prepared, { family, few, fall });
  const worse = fall !== null && judging.lowerIsBetter(fall.metric) ? "rises" : "falls";
  const sentence = sayErrors({
    verdict: found.verdict,
    crashes: countErrors(head),
    rows: head.size,
    before: prepared.baseRows.crashed,
    beforeRows: prepared.baseRows.count,
    p: found.p ?? 1,
    few: few && !found.byFall,
    fall: found.byFall && fall !== null ? `${shortName(fall.metric)} ${worse}` : "",
  });
  return {
    metric: "errors",
    rule: "errors",
    verdict: found.verdict,
    n: found.n,
    n_dropped: 0,
    repeats: judging.head.index.repeats,
    head: tidy(found.head),
    base: tidy(found.base),
    delta: tidy(found.head - found.base),
    ci: found.p === null ? null : found.ci,
    p: found.p === null ? null : tidy(found.p),
    method: found.p === null ? "count" : found.method,
    alpha: judging.gates.alpha,
    mde: null,
    direction: "lower",
    anchor: null,
    reason: finishSentence(judging.label, sentence),
  };
}

/** What decides about the crashes: rates of head and base, and how sure it is that there are more. */
interface Found {
  readonly verdict: Verdict;
  readonly p: number | null;
  readonly n: number;
  readonly head: number;
  readonly base: number;
  readonly ci: Interval;
  readonly method: string;
  readonly byFall: boolean;
}

/** The worse of what the shared examples show and what the new ones do. */
function findWorse(
  judging: Judging,
  { shared, added, baseRows }: PreparedErrors,
  how: { readonly family: Family; readonly few: boolean; readonly fall: FallByCrashes | null },
): Found {
  const { alpha } = judging.gates;
  const paired = shared === null ? null : ofShared(shared, alpha, how);
  const unpaired =
    added === null ? null : ofNewExamples(judging, added, how.family.p(added.question));
  if (paired === null) return unpaired ?? ofNone(judging, baseRows);
  if (unpaired === null) return paired;
  return RANKS.indexOf(unpaired.verdict) < RANKS.indexOf(paired.verdict) ? unpaired : paired;
}

/** Nothing crashed that could be held against anything. */
function ofNone(judging: Judging, { count, crashed }: PreparedErrors["baseRows"]): Found {
  return {
    verdict: "pass",
    p: null,
    n: judging.head.index.examples.length,
    head: 0,
    base: crashed / count,
    ci: [0, 0],
    method: "count",
    byFall: false,
  };
}

function ofShared(
  { comparison, question }: NonNullable<PreparedErrors["shared"]>,
  alpha: number,
  how: { readonly family: Family; readonly few: boolean; readonly fall: FallByCrashes | null },
): Found {
  const own = question === null ? null : how.family.p(question);
  const alone = how.few ? "inconclusive" : verdictOf(alpha, comparison.change < 0, own);
  const byFall = alone !== "fail" && how.fall !== null;
  const [verdict, p] = byFall ? (["fail", how.fall!.p] as const) : [alone, own];
  return {
    verdict,
    p,
    n: comparison.n,
    head: comparison.head,
    base: comparison.base,
    ci: intervalOf(comparison, (p !== null && p >= 0.025) || verdict === "inconclusive"),
    method: methodOf(comparison, byFall ? how.fall : null),
    byFall,
  };
}

/** A new example may be the harder one: one crash shows nothing of the agent. */
const FEWEST_NEW_CRASHES = 2;

const RANKS: readonly Verdict[] = ["fail", "inconclusive", "pass"];

/** One crash, few examples of the baseline, and clusters, which the test knows nothing of, leave it open whether there are more. */
function ofNewExamples(
  { gates: { alpha }, clusterOf }: Judging,
  { crashed, count, baseCrashed, baseCount }: NewExamples,
  p: number,
): Found {
  const [head, base] = [crashed / count, baseCrashed / baseCount];
  const isOpen = clusterOf !== null || baseCount < FEWEST_PAIRS || crashed < FEWEST_NEW_CRASHES;
  const found = verdictOf(alpha, head > base, p);
  const verdict = found === "fail" && isOpen ? "inconclusive" : found;
  const [now, before] = [exactRate(head, count), exactRate(base, baseCount)];
  const low = head - base - Math.hypot(head - now[0], before[1] - base);
  const high = head - base + Math.hypot(now[1] - head, base - before[0]);
  return {
    verdict,
    p,
    n: count,
    head,
    base,
    ci: [
      outward(verdict === "fail" ? low : Math.min(0, low), Math.floor),
      outward(high, Math.ceil),
    ],
    method: "exact (Fisher), examples that the baseline lacks",
    byFall: false,
  };
}

/** The 95 % interval of the rise; it reaches 0 where the verdict does not exclude an unchanged agent. */
function intervalOf({ interval, change }: Comparison, open: boolean): Interval {
  const [low, high] = interval(0.95);
  const reach = open && high < 0 ? 0 : high;
  return [outward(-reach, Math.floor), outward(-Math.min(low, change), Math.ceil)];
}

function methodOf({ test }: Comparison, fall: FallByCrashes | null): string {
  return fall === null
    ? test.method
    : `${fall.method}, ${fall.metric} with crashes at the worst value`;
}

function verdictOf(alpha: number, isMore: boolean, p: number | null): Verdict {
  if (p === null || !isMore) return "pass";
  if (p < alpha) return "fail";
  return p < SUSPICION ? "inconclusive" : "pass";
}
