import { joinJudged, worstVerdict, type JudgedParts } from "../report/merge.ts";
import type { GateReport, Verdict } from "../report/report.ts";
import type { Diagnostic } from "../spec/desired.ts";
import type { GateGroup } from "./baseline.ts";
import {
  type Comparable,
  type ComparedGroup,
  compareWith,
  describeBaseline,
  isTooFew,
  refusalOf,
  withoutGone,
  worstBaseline,
} from "./comparable.ts";
import {
  findFallByCrashes,
  type PreparedDrop,
  prepareDrop,
  reportDrop,
  reportUncompared,
  type DropScope,
} from "./drop.ts";
import { type PreparedErrors, prepareErrors, reportErrors } from "./error-gate.ts";
import { createFamily, type Family, type FamilyBuilder } from "./family.ts";
import { reportFloor } from "./floor.ts";
import { type JudgedGate, toJudgedGate, withReasons } from "./gate-report.ts";
import { listWarnings } from "./gate-warnings.ts";
import type { GateSet } from "./gate-set.ts";
import { reachingZero } from "./interval.ts";
import { countErrors, countScored, parseMetric } from "./metric.ts";
import { judgeMustPass, listMembers, mustPassKey } from "./must-pass.ts";
import {
  listChanges,
  listMissed,
  listUnshared,
  mergeRows,
  MAX_UNSHARED,
  type RangeOf,
  toRanges,
} from "./row-delta.ts";
import type { Side } from "./side.ts";
import type { GateRule } from "./gate-rule.ts";
import { describeFewRows, say, shortName } from "./sentence.ts";
import { createJudging, type Judging } from "./judging.ts";
import { checkGates } from "./validity.ts";
import { scoreName } from "../report/gate-numbers.ts";
import { limitAmount, roundFall } from "../report/numbers.ts";
import { plural } from "../model/count-words.ts";

/** Everything that was found out about a run's scores; the baseline is null if no gate asks for one and none was given. */
export interface GateJudgement extends JudgedParts {
  readonly warnings: readonly string[];
  /** Usage errors (exit 2): a gate names what the results do not have. If there are any, nothing is judged. */
  readonly problems: readonly Diagnostic[];
  /** The worst of the gates; `none` if there are no gates. */
  readonly verdict: Verdict | "none";
  /** The run that has too many examples left out for `min_overlap`; null if neither has. */
  readonly lowOverlap: string | null;
  /** The smallest drop that this run would have noticed, once for all gates; empty if nothing was tested. */
  readonly sensitivity: string;
}

/** Combines judgements: of files before and after a deploy, of averages and of rows. */
export function joinJudgements(all: readonly GateJudgement[]): GateJudgement {
  const parts = joinJudged(all);
  return {
    ...parts,
    rows_new: parts.rows_new.slice(0, MAX_UNSHARED),
    rows_missing: parts.rows_missing.slice(0, MAX_UNSHARED),
    warnings: all.flatMap((one) => one.warnings),
    problems: all.flatMap((one) => one.problems),
    verdict: worstVerdict(parts.gates.map((gate) => gate.verdict)),
    lowOverlap: all.find((one) => one.lowOverlap !== null)?.lowOverlap ?? null,
    sensitivity: all.find((one) => one.sensitivity !== "")?.sensitivity ?? "",
  };
}

/** A judgement without gates and rows. */
export const NOTHING: GateJudgement = joinJudgements([]);

/** Judges one head; equal tables give byte-identical results. */
export function judgeGates({
  gates,
  isMeasured,
  ...group
}: Omit<GateGroup, "label"> & {
  readonly gates: GateSet;
  readonly isMeasured?: boolean;
}): GateJudgement {
  return judgeGroups([{ label: "", ...group }], gates, isMeasured);
}

/**
 * Judges all heads of a run as one family of gates. Their sensitivity takes time, and is computed
 * only if `isMeasured`.
 */
export function judgeGroups(
  groups: readonly GateGroup[],
  gates: GateSet,
  isMeasured = true,
): GateJudgement {
  const prepared: PreparedGroup[] = [];
  const problems: Diagnostic[] = [];
  const family = createFamily();
  const seen = new Set(groups.flatMap(({ head }) => head.metrics));
  for (const group of groups) {
    const label = groups.length > 1 ? group.label : "";
    const judging = createJudging({ ...group, label }, gates, seen);
    problems.push(...checkGates(judging));
    prepared.push(prepare(group, judging, family));
  }
  const unique = [...new Map(problems.map((one) => [one.message, one])).values()];
  const drops = gates.rules.some((rule) => rule.kind === "drop");
  const baseline =
    prepared.length === 0 || (prepared.every(({ group }) => group.base === null) && !drops)
      ? null
      : worstBaseline(prepared.map(describeBaseline));
  const warnings = [...new Set(prepared.flatMap((one) => listWarnings(one)))];
  if (unique.length > 0) return { ...NOTHING, problems: unique, baseline, warnings };
  const closed = family.close(gates.alpha);
  const isOnly =
    prepared.flatMap(({ drops }) => drops.filter((drop) => drop !== null)).length === 1;
  const reported = prepared.flatMap((one) => reportGroup(one, closed, { isOnly, isMeasured }));
  const errors = prepared.flatMap((one) => reportGroupErrors(one, closed));
  const reports = withReasons([...reported, ...errors]);
  const blind = warnOfSize(reported);
  const about = {
    ...reports,
    baseline,
    sensitivity: describeSensitivity(reports.gates),
    warnings: [...warnings, ...blind],
  };
  const rangeOf = toRanges(prepared.flatMap(sidesOf));
  const rows = prepared.map((one) => listRows(one, reports.gates, rangeOf));
  const missed = mergeRows(rows.map((one) => one.missed));
  return {
    ...joinJudgements([...rows.map(({ judgement }) => judgement), { ...NOTHING, ...about }]),
    rows_worse: mergeRows(rows.map((one) => one.worse)),
    rows_better: mergeRows(rows.map((one) => one.better)),
    ...(missed.length === 0 ? {} : { rows_missed: missed }),
  };
}

/** The head, and its baseline if there is one to compare with. */
const sidesOf = ({ judging, comparable }: PreparedGroup): Pick<Side, "column">[] =>
  comparable.state === "used" ? [judging.head, comparable.base] : [judging.head];

/** A warning if the suite could miss more than twice what is allowed: the worst case, once per run. */
function warnOfSize(reported: readonly JudgedGate[]): string[] {
  const found = reported.flatMap(({ gate, blind }) =>
    blind === undefined || gate.limit == null ? [] : [{ gate, limit: gate.limit, ...blind }],
  );
  const blind = found.filter(({ limit, missed }) => limit > 0 && missed > 2 * limit);
  const [worst] = blind.sort((a, b) => b.missed / b.limit - a.missed / a.limit);
  if (worst === undefined) return [];
  const { limit, allowed } = worst;
  const { metric, n, direction } = worst.gate;
  const change = direction === "lower" ? "rise" : "drop";
  const name = shortName(scoreName(worst.gate), 60);
  const examples = worst.needed();
  const needed = examples === null ? "more than a million" : `about ${examples}`;
  const missed = limitAmount(metric, worst.missed);
  const twice = limitAmount(metric, roundFall(2 * limit));
  const others =
    blind.length === 1 ? "" : ` (the same for ${plural(blind.length - 1, "other gate")})`;
  return [
    `this suite could miss a ${change} of up to ${missed} in ${name}, you allow ${allowed}${others}: to find a ${change} of ${twice}, it takes ${needed} examples instead of ${n}, or more runs of each`,
  ];
}

/** A run may leave out a few examples of each baseline: only the accepted run remembers them all. */
function shortOf({ anchor, gates }: Judging, { overlap }: Comparable): string | null {
  if (overlap !== null) return "the baseline";
  return anchor !== null && isTooFew(anchor, gates) ? "the anchor" : null;
}

/**
 * The rows of one group that changed or, without a comparison, are beyond the limits of failed
 * floors, and those on one side only, with their counts.
 */
function listRows(
  { judging, comparable }: PreparedGroup,
  reports: readonly GateReport[],
  rangeOf: RangeOf,
) {
  const { head, base } = judging;
  const changes =
    comparable.state === "used" ? listChanges(judging, comparable.base, rangeOf) : null;
  const missed =
    changes === null ? listMissed(judging, failedFloors(judging, reports), rangeOf) : null;
  const added = base === null ? null : listUnshared(head.table, base.shared.head);
  const gone = base === null ? null : listUnshared(base.table, base.shared.base);
  const judgement: GateJudgement = {
    ...NOTHING,
    lowOverlap: shortOf(judging, comparable),
    row_counts: {
      ...(changes === null ? {} : { examples: changes.examples }),
      new: added?.count ?? 0,
      missing: gone?.count ?? 0,
      missed: missed?.examples ?? 0,
      changed: changes?.counts ?? {},
    },
    rows_new: added?.names ?? [],
    rows_missing: gone?.names ?? [],
  };
  const { worse = [], better = [] } = changes ?? {};
  return { judgement, worse, better, missed: missed?.rows ?? [] };
}

function failedFloors({ label, gates }: Judging, reports: readonly GateReport[]): GateRule[] {
  const failed = reports.filter(({ group = "", verdict }) => group === label && verdict === "fail");
  return gates.rules.filter(
    ({ kind, text }) => kind === "floor" && failed.some(({ rule }) => rule === text),
  );
}

/** A group between measuring and judging. */
interface PreparedGroup extends ComparedGroup {
  /** By rule; null if it is a floor, or there is nothing to compare with. */
  readonly drops: readonly (PreparedDrop | null)[];
  readonly errors: PreparedErrors | null;
}

function prepare(group: GateGroup, judging: Judging, family: FamilyBuilder): PreparedGroup {
  const comparable = withoutGone(compareWith(judging, group.absent), judging, group.gone ?? []);
  const isCompared = ({ kind }: GateRule): boolean =>
    kind === "drop" && comparable.state !== "refused";
  return {
    group,
    judging,
    comparable,
    drops: judging.gates.rules.map((rule) =>
      isCompared(rule) ? prepareDrop(judging, rule, family) : null,
    ),
    errors: prepareErrors(judging, comparable, family),
  };
}

function reportGroup(one: PreparedGroup, family: Family, scope: DropScope): JudgedGate[] {
  const { judging, comparable, drops, group } = one;
  const { gates, base } = judging;
  const judged = gates.rules.map((rule, at) => {
    const drop = drops[at] ?? null;
    if (drop !== null) return reportDrop(judging, drop, family, scope);
    if (rule.kind === "floor") return reportFloor(judging, rule);
    const refused = {
      message: refusalOf(comparable, rule.metric)!,
      noBaseline: comparable.state === "refused" && comparable.kind === "no-baseline",
    };
    return reportUncompared(judging, rule, refused);
  });
  const lacking = judging.lacking.map((rule) => reportLacking(judging, rule));
  // A baseline that is a result file shows the members by its own rows.
  const members = group.members ?? (base === null ? {} : listMembers(base.table, gates.must_pass));
  const asked = [
    ...judged,
    ...lacking,
    ...gates.must_pass.map((item) =>
      judgeMustPass(judging, item, members[mustPassKey(item)] ?? []),
    ),
  ].map((one) => withoutOverlap(one, comparable));
  // The implicit minimum is reported only if no gate says the same.
  return gates.min_rows === 1 && asked.some(({ gate }) => gate.verdict === "fail")
    ? asked
    : [...checkRows(judging), ...asked];
}

/** A rule that only other heads of the run can be judged by: inconclusive, since a pass would hide it. */
function reportLacking(judging: Judging, { metric, text, threshold, relative }: GateRule) {
  const { size, file } = judging.head.table;
  const subject = shortName(metric);
  const advice = "Score these results too, or judge them with gates of their own.";
  return toJudgedGate(judging, {
    metric,
    rule: text,
    verdict: "inconclusive",
    n: 0,
    n_dropped: size,
    head: null,
    method: "none",
    limit: relative ? null : threshold,
    lower: judging.lowerIsBetter(metric),
    describe: () => say(`is not in ${shortName(file)}.`, advice, { subject }),
  });
}

function reportGroupErrors(one: PreparedGroup, family: Family): JudgedGate[] {
  const { judging, errors, comparable, drops } = one;
  if (errors === null) return [];
  const falls = drops.flatMap((drop) =>
    drop === null ? [] : (findFallByCrashes(judging, drop, family) ?? []),
  );
  const [fall = null] = falls.sort((a, b) => a.p - b.p);
  const judged = reportErrors(judging, errors, family, fall);
  return [withoutOverlap(judged, comparable)];
}

/** Prevents a pass while too many of the baseline's examples were not run. */
function withoutOverlap(judged: JudgedGate, { overlap }: Comparable): JudgedGate {
  const { gate } = judged;
  if (overlap === null || gate.verdict !== "pass") return judged;
  const isOfChange = gate.delta !== null && gate.ci !== null;
  const ci = isOfChange ? reachingZero(gate.ci!) : gate.ci;
  return { ...judged, gate: { ...gate, verdict: "inconclusive", ci }, describe: () => overlap };
}

/** Too few usable rows fail regardless of the rest. */
function checkRows(judging: Judging): JudgedGate[] {
  const { table } = judging.head;
  const { gates, unmatched } = judging;
  const asked = [...gates.rules, ...unmatched];
  if (asked.length === 0 && gates.must_pass.length === 0 && gates.min_rows === 1) return [];
  const usable = countScored(table);
  const rows = table.size;
  if (usable >= gates.min_rows) return [];
  // A file of durations only is judged by the gates that need no score.
  const scoreless =
    asked.length > 0 &&
    asked.every(({ metric }) =>
      ["latency", "rows", "error_rate"].includes(parseMetric(metric).kind),
    );
  if (scoreless && rows - countErrors(table) >= gates.min_rows) return [];
  return [
    toJudgedGate(judging, {
      metric: "rows",
      rule: `min_rows ${gates.min_rows}`,
      verdict: "fail",
      n: usable,
      n_dropped: rows - usable,
      head: usable,
      method: "count",
      limit: gates.min_rows,
      lower: false,
      describe: () =>
        describeFewRows({
          usable,
          rows,
          crashes: countErrors(table),
          wanted: gates.min_rows,
        }),
    }),
  ];
}

/**
 * The smallest change for the worse of each metric that this run finds in 8 of 10 runs: a property
 * of the suite, reported once.
 */
function describeSensitivity(gates: readonly GateReport[]): string {
  const found = new Map<string, { readonly gate: GateReport; readonly fall: number }>();
  for (const gate of gates) {
    if (gate.mde === null || gate.delta === null || found.has(scoreName(gate))) continue;
    found.set(scoreName(gate), { gate, fall: gate.mde });
  }
  const all = [...found.values()];
  if (all.length === 0) return "";
  const wordOf = ({ direction }: GateReport): string => (direction === "lower" ? "rise" : "fall");
  const named = all.slice(0, 3).map(({ gate, fall }, at) => {
    const amount = `${limitAmount(gate.metric, fall)} in ${shortName(scoreName(gate), 30)}`;
    const word = wordOf(gate);
    return at > 0 && word === wordOf(all[at - 1]!.gate) ? amount : `a true ${word} of ${amount}`;
  });
  const more = all.length > 3 ? `, and so on for ${all.length - 3} more` : "";
  const { n, repeats } = all[0]!.gate;
  return `Sensitivity: ${plural(n, "example")} with ${plural(repeats, "run")} each find ${named.join(", ")}${more} in 8 of 10 runs.`;
}
