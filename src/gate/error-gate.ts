import type { GateReport, Verdict } from "../report/report.ts";
import { compareMetric, FEWEST_PAIRS, type Comparison } from "./comparison.ts";
import type { Crashes } from "./crash.ts";
import { SUSPICION, type FallByCrashes } from "./drop.ts";
import { outward } from "./interval.ts";
import type { Family, FamilyBuilder } from "./family-builder.ts";
import { countErrors } from "./metric.ts";
import { finishSentence, sayErrors, shortName } from "./sentence.ts";
import type { Judging } from "./side.ts";
import { tidy } from "./wording.ts";

/** The implicit gate on crashes, which stands beside every baseline. */
export interface PreparedErrors {
  readonly comparison: Comparison;
  readonly question: number | null;
}

/** Compares the crashes of both runs; without a new one the gate costs the others nothing. */
export function prepareErrors(
  judging: Judging,
  crashes: Crashes,
  family: FamilyBuilder,
): PreparedErrors | null {
  if (judging.base === null || judging.gates.errors === "ignore") return null;
  const comparison = compareMetric({ judging, metric: "error_rate", reference: judging.base });
  if (comparison === null) return null;
  const counted = comparison.n >= FEWEST_PAIRS;
  const { test, influence, clusters } = comparison;
  const question = counted
    ? family.add({
        p: test.p,
        influence,
        clusters: clusters?.count ?? null,
        open: crashes.count > 0 && comparison.open,
        role: "beside",
      })
    : null;
  return { comparison, question };
}

/** Judges the crashes once the family is known. */
export function reportErrors({
  judging,
  prepared: { comparison, question },
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
  const base = judging.base!.table;
  const [now, before] = [countErrors(head), countErrors(base)];
  const own = question === null ? null : family.p(question);
  const few = own === null && crashes.count > 0;
  const alone = verdictOf(judging, comparison, own, few);
  const byFall = alone !== "fail" && fall !== null;
  const [verdict, p] = byFall ? (["fail", fall.p] as const) : [alone, own];
  const worse = fall !== null && judging.lowerIsBetter(fall.metric) ? "rises" : "falls";
  const sentence = sayErrors({
    verdict,
    crashes: now,
    rows: head.size,
    before,
    beforeRows: base.size,
    p: p ?? 1,
    few: few && !byFall,
    fall: byFall ? `${shortName(fall.metric)} ${worse}` : "",
  });
  const [low, high] = comparison.interval(0.95);
  const open = (p !== null && p >= 0.025) || verdict === "inconclusive";
  const reach = open && high < 0 ? 0 : high;
  return {
    metric: "errors",
    rule: "errors",
    verdict,
    n: comparison.n,
    n_dropped: 0,
    repeats: judging.head.index.repeats,
    head: tidy(comparison.head),
    base: tidy(comparison.base),
    delta: tidy(-comparison.change),
    ci:
      p === null
        ? null
        : [outward(-reach, Math.floor), outward(-Math.min(low, comparison.change), Math.ceil)],
    p: p === null ? null : tidy(p),
    method: p === null ? "count" : methodOf(comparison, byFall ? fall : null),
    alpha: judging.gates.alpha,
    mde: null,
    direction: "lower",
    anchor: null,
    reason: finishSentence(judging.label, sentence),
  };
}

function methodOf({ test }: Comparison, fall: FallByCrashes | null): string {
  return fall === null
    ? test.method
    : `${fall.method}, ${fall.metric} with crashes at the worst value`;
}

function verdictOf(
  { gates }: Judging,
  { change }: Comparison,
  p: number | null,
  few: boolean,
): Verdict {
  if (few) return "inconclusive";
  if (p === null || change >= 0) return "pass";
  if (p < gates.alpha) return "fail";
  return p < SUSPICION ? "inconclusive" : "pass";
}
