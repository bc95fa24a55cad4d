import type { BaselineReport, GateReport, RowDelta, Verdict } from "../report/report.ts";
import type { Diagnostic } from "../spec/desired.ts";
import { findCrashes, type Crashes } from "./crash.ts";
import {
  findFallByCrashes,
  prepareDrop,
  reportDrop,
  reportUncompared,
  type PreparedDrop,
} from "./drop.ts";
import { prepareErrors, reportErrors, type PreparedErrors } from "./error-gate.ts";
import { createFamily, type Family, type FamilyBuilder } from "./family-builder.ts";
import { prepareFloor, reportFloor, type PreparedFloor } from "./floor-verdict.ts";
import type { GateSet } from "./language.ts";
import { countErrors, countScored, parseMetric } from "./metric.ts";
import { judgeMustPass, listMembers, mustPassKey } from "./must-pass.ts";
import { findNearMatches, sayNearMatches } from "./near-match.ts";
import { listChanges, listUnshared, type RowChanges } from "./row-delta.ts";
import type { GateTable } from "./row.ts";
import type { GateRule } from "./rule.ts";
import { finishSentence, sayCrashes, shortName } from "./sentence.ts";
import { createJudging, type Judging, type ReferenceRun } from "./side.ts";
import { checkGates } from "./validity.ts";
import { amounts, count, figures, shortCommit } from "./wording.ts";

/** Everything that was found out about a run's scores. */
export interface GateJudgement {
  /** Usage errors (exit 2): a gate names what the results do not have. When there are any, nothing is judged. */
  readonly problems: readonly Diagnostic[];
  readonly gates: readonly GateReport[];
  /** The worst of the gates; `none` when there is no gate. */
  readonly verdict: Verdict | "none";
  /**
   * The worst of the gates that `on-inconclusive` decides about: those without a baseline are left
   * to `on-no-baseline`.
   */
  readonly decisive: Verdict | "none";
  /** Whether a drop had no baseline. */
  readonly noBaseline: boolean;
  /** Whether fewer of the baseline's examples were run than `min_overlap` asks for. */
  readonly lowOverlap: boolean;
  readonly worse: readonly RowDelta[];
  readonly better: readonly RowDelta[];
  /** Changed examples by metric, also beyond the lists' length. */
  readonly changed: RowChanges["counts"];
  readonly examples?: RowChanges["examples"];
  /** Inputs of examples that only the head has. */
  readonly newRows: readonly string[];
  /** Inputs of examples that only the baseline has; ids where the baseline file keeps no text. */
  readonly missingRows: readonly string[];
  /** Null when no gate asks for a baseline and none was given. */
  readonly baseline: BaselineReport | null;
  /** How small a fall this run would have noticed, once for all gates; empty where nothing was tested. */
  readonly sensitivity: string;
  readonly warnings: readonly string[];
}

/** One head to be judged: results of one provider and prompt, with the runs it is compared with. */
export interface GateGroup {
  /** Provider and prompt where a file holds several; else empty. */
  readonly label: string;
  readonly head: GateTable;
  readonly base: GateTable | null;
  /** The run that was last accepted by hand, where the baseline is a later one. */
  readonly anchor?: GateTable | null;
  /** How many runs in a row were held against that anchor, this one included. */
  readonly looks?: number;
  /** Examples of each must_pass group that the baseline file remembers. */
  readonly members?: Readonly<Record<string, readonly string[]>>;
  /** Why there is no base, where that was looked for. */
  readonly absent?: string;
}

/** Judges one head; the same tables give the same verdict to the byte. */
export function judgeGates({
  gates,
  ...group
}: Omit<GateGroup, "label"> & { readonly gates: GateSet }): GateJudgement {
  return judgeGroups([{ label: "", ...group }], gates);
}

/** A group between measuring and verdicts. */
interface Prepared {
  readonly group: GateGroup;
  readonly judging: Judging;
  readonly crashes: Crashes;
  readonly comparable: Comparable;
  readonly items: readonly (PreparedItem | null)[];
  readonly errors: PreparedErrors | null;
}

type PreparedItem =
  | { readonly kind: "drop"; readonly item: PreparedDrop }
  | { readonly kind: "floor"; readonly item: PreparedFloor };

/** Judges all heads of a run by one family of gates. */
export function judgeGroups(groups: readonly GateGroup[], gates: GateSet): GateJudgement {
  const prepared: Prepared[] = [];
  const problems: Diagnostic[] = [];
  const family = createFamily();
  for (const group of groups) {
    const judging = createJudging({
      label: groups.length > 1 ? group.label : "",
      head: group.head,
      base: group.base,
      anchor: group.anchor ?? null,
      looks: (group.anchor ?? null) === null ? 1 : (group.looks ?? 2),
      gates,
    });
    problems.push(...checkGates(judging));
    prepared.push(prepare(group, judging, family));
  }
  const unique = [...new Map(problems.map((one) => [one.message, one])).values()];
  const drops = gates.rules.some((rule) => rule.kind === "drop");
  const baseline =
    prepared.length === 0 || (prepared.every(({ group }) => group.base === null) && !drops)
      ? null
      : worstBaseline(prepared.map(describeBaseline));
  const warnings = [...new Set(prepared.flatMap((one) => warn(one)))];
  if (unique.length > 0) return { ...NOTHING, problems: unique, baseline, warnings };
  const closed = family.close(gates.alpha);
  const reports = prepared.flatMap((one) => reportGroup(one, closed));
  const errors = prepared.flatMap((one) => reportGroupErrors(one, closed));
  return assemble({ prepared, reports: [...reports, ...errors], baseline, warnings });
}

const NOTHING: GateJudgement = {
  problems: [],
  gates: [],
  verdict: "none",
  decisive: "none",
  noBaseline: false,
  lowOverlap: false,
  worse: [],
  better: [],
  changed: {},
  newRows: [],
  missingRows: [],
  baseline: null,
  sensitivity: "",
  warnings: [],
};

function assemble({
  prepared,
  reports,
  baseline,
  warnings,
}: {
  readonly prepared: readonly Prepared[];
  readonly reports: readonly GateReport[];
  readonly baseline: BaselineReport | null;
  readonly warnings: readonly string[];
}): GateJudgement {
  const changes = prepared.flatMap(({ judging, comparable }) =>
    comparable.state === "used"
      ? [listChanges(judging, comparable.base.side, comparable.base.shared)]
      : [],
  );
  const shared = prepared.flatMap(({ judging }) => (judging.base === null ? [] : [judging]));
  const unjudged = reports.filter((gate) => gate.reason.startsWith("no-baseline"));
  return {
    problems: [],
    gates: reports.map(inOrder),
    verdict: worstVerdict(reports.map((gate) => gate.verdict)),
    decisive: worstVerdict(
      reports.filter((gate) => !unjudged.includes(gate)).map((gate) => gate.verdict),
    ),
    noBaseline: unjudged.length > 0,
    lowOverlap: prepared.some(({ comparable }) => comparable.overlap !== null),
    worse: changes.flatMap((one) => one.worse),
    better: changes.flatMap((one) => one.better),
    changed: sumChanges(changes.map((one) => one.counts)),
    ...(changes.length === 0
      ? {}
      : {
          examples: {
            worse: changes.reduce((sum, one) => sum + one.examples.worse, 0),
            better: changes.reduce((sum, one) => sum + one.examples.better, 0),
          },
        }),
    newRows: shared.flatMap((one) => listUnshared(one.head.index, one.base!.shared.head)),
    missingRows: shared.flatMap((one) => listUnshared(one.base!.side.index, one.base!.shared.base)),
    baseline,
    sensitivity: saySensitivity(reports),
    warnings,
  };
}

function sumChanges(all: readonly RowChanges["counts"][]): RowChanges["counts"] {
  const sums: Record<string, RowChanges["counts"][string]> = {};
  for (const counts of all) {
    for (const [metric, one] of Object.entries(counts)) {
      const sum = sums[metric];
      // Bins of two groups have other edges: their sum has none.
      sums[metric] =
        sum === undefined ? one : { worse: sum.worse + one.worse, better: sum.better + one.better };
    }
  }
  return sums;
}

function prepare(group: GateGroup, judging: Judging, family: FamilyBuilder): Prepared {
  const comparable = compareWith(judging, group.absent);
  const crashes = findCrashes(judging);
  const items = judging.gates.rules.map((rule): PreparedItem | null => {
    if (rule.kind === "floor") return { kind: "floor", item: prepareFloor(judging, rule, family) };
    return comparable.state === "refused"
      ? null
      : { kind: "drop", item: prepareDrop(judging, rule, family) };
  });
  const errors = comparable.state === "refused" ? null : prepareErrors(judging, crashes, family);
  return { group, judging, crashes, comparable, items, errors };
}

function reportGroup(one: Prepared, family: Family): GateReport[] {
  const { judging, crashes, comparable, items, group } = one;
  const { gates } = judging;
  const judged = gates.rules.map((rule, at) =>
    reportRule({ judging, rule, item: items[at] ?? null, comparable, crashes, family }),
  );
  const members = group.members ?? membersOf(judging);
  const asked = [
    ...judged,
    ...gates.must_pass.map((item) =>
      judgeMustPass(judging, item, members[mustPassKey(item)] ?? []),
    ),
  ].map((gate) => withoutOverlap(gate, comparable, judging));
  // A minimum that nobody asked for speaks only where no gate says the same.
  return gates.min_rows === 1 && asked.some(({ verdict }) => verdict === "fail")
    ? asked
    : [...checkRows(judging), ...asked];
}

/** Members of must_pass groups as the baseline's own rows show them, where it is a result file. */
function membersOf(judging: Judging): Record<string, readonly string[]> {
  const index = judging.base?.side.index;
  return index === undefined ? {} : listMembers(index, judging.gates.must_pass);
}

function reportRule({
  judging,
  rule,
  item,
  comparable,
  crashes,
  family,
}: {
  readonly judging: Judging;
  readonly rule: GateRule;
  readonly item: PreparedItem | null;
  readonly comparable: Comparable;
  readonly crashes: Crashes;
  readonly family: Family;
}): GateReport {
  if (item === null)
    return reportUncompared(
      judging,
      rule,
      comparable.state === "refused"
        ? comparable.message.replaceAll("{metric}", shortName(rule.metric))
        : "",
    );
  return item.kind === "drop"
    ? reportDrop({ judging, prepared: item.item, family, crashes })
    : reportFloor({ judging, prepared: item.item, family, crashes });
}

function reportGroupErrors(
  { judging, errors, crashes, comparable, items }: Prepared,
  family: Family,
): GateReport[] {
  if (errors === null) return [];
  const falls = items.flatMap((one) =>
    one?.kind === "drop"
      ? (findFallByCrashes({ judging, rule: one.item.rule, family, crashes }, one.item) ?? [])
      : [],
  );
  const fall = falls.sort((a, b) => a.p - b.p)[0] ?? null;
  const gate = reportErrors({ judging, prepared: errors, family, crashes, fall });
  return [withoutOverlap(gate, comparable, judging)];
}

/** Nothing passes while too many of the baseline's examples were not run. */
function withoutOverlap(gate: GateReport, { overlap }: Comparable, judging: Judging): GateReport {
  if (overlap === null || gate.verdict !== "pass") return gate;
  return { ...gate, verdict: "inconclusive", reason: finishSentence(judging.label, overlap) };
}

/** One order of fields for every kind of gate, as docs/gates.md lists them. */
function inOrder(gate: GateReport): GateReport {
  const { metric, rule, verdict, n, n_dropped, repeats, head, base, delta, ci, p } = gate;
  const { method, alpha, mde, reason, direction, anchor } = gate;
  const numbers = { n, n_dropped, repeats, head, base, delta, ci, p };
  const side = { direction: direction ?? "higher", anchor: anchor ?? null } as const;
  return { metric, rule, verdict, ...numbers, method, alpha, mde, reason, ...side };
}

/** Fail before inconclusive before pass; `none` of none. */
export function worstVerdict(verdicts: readonly (Verdict | "none")[]): Verdict | "none" {
  return (
    (["fail", "inconclusive", "pass"] as const).find((verdict) => verdicts.includes(verdict)) ??
    "none"
  );
}

/** Too few usable rows fail by themselves, whatever the rest says. */
function checkRows({ head: { index }, gates, label }: Judging): GateReport[] {
  if (gates.rules.length === 0 && gates.must_pass.length === 0 && gates.min_rows === 1) return [];
  const { table } = index;
  const usable = countScored(table);
  const rows = table.size;
  if (usable >= gates.min_rows) return [];
  // A file of durations alone is judged by the gates that need no score.
  const scoreless =
    gates.rules.length > 0 &&
    gates.rules.every(({ metric }) =>
      ["latency", "rows", "error_rate"].includes(parseMetric(metric).kind),
    );
  if (scoreless && rows - countErrors(table) >= gates.min_rows) return [];
  return [
    {
      metric: "rows",
      rule: `min_rows ${gates.min_rows}`,
      verdict: "fail",
      n: usable,
      n_dropped: rows - usable,
      repeats: index.repeats,
      head: usable,
      base: null,
      delta: null,
      ci: null,
      p: null,
      method: "count",
      alpha: gates.alpha,
      mde: null,
      direction: "higher",
      anchor: null,
      reason: finishSentence(
        label,
        `${usable === 0 ? "no row" : `only ${count(usable, "row")}`} of ${rows} in the results ${usable < 2 ? "has" : "have"} a score; at least ${count(gates.min_rows, "row")} must. ${sayCrashes(countErrors(table), rows)}.`,
      ),
    },
  ];
}

/** Whether the baseline can be compared, and what keeps everything from passing. */
type Comparable = (
  | { readonly state: "used"; readonly base: ReferenceRun }
  | {
      readonly state: "refused";
      readonly kind: BaselineReport["state"];
      readonly message: string;
    }
) & { readonly overlap: string | null };

function compareWith(judging: Judging, absent?: string): Comparable {
  const { base, head, gates } = judging;
  const refuse = (kind: BaselineReport["state"], message: string): Comparable => ({
    state: "refused",
    kind,
    message,
    overlap: null,
  });
  if (base === null)
    return refuse(
      "no-baseline",
      absent === undefined
        ? "no-baseline: nothing to compare {metric} with. Run once with write-baseline and accept-baseline: true."
        : `no-baseline: nothing to compare {metric} with: ${shortName(absent, 120)}. Upload a run of the base branch, or give a file.`,
    );
  const { table, shared, side } = base;
  const file = shortName(table.file, 80);
  if (countErrors(table) === table.size)
    return refuse(
      "empty",
      `the baseline ${file} holds no row that ran without error. Write a new one with write-baseline.`,
    );
  if (table.state !== "complete")
    return refuse(
      "incomparable",
      `the baseline ${file} is ${table.state === "cancelled" ? "of a cancelled run" : "incomplete"}. Use one of a run that ended.`,
    );
  const judge = head.index.table.judge;
  if (table.judge !== null && judge !== null && table.judge !== judge)
    return refuse(
      "incomparable",
      `the baseline was scored by ${shortName(table.judge)}, this run by ${shortName(judge)}. Score the baseline again.`,
    );
  const [all, both] = [side.index.examples.length, shared.base.length];
  if (both === 0)
    return {
      ...refuse(
        "incomparable",
        `this run and the baseline ${file} share no example: the dataset is another. Run the same one, or accept a new baseline.`,
      ),
      overlap: `none of the baseline's ${count(all, "example")} was run: nothing passes. Run the same dataset, or accept a new baseline.`,
    };
  const low = both / all < gates.min_overlap - 1e-12;
  const [wanted] = figures(100 * gates.min_overlap);
  return {
    state: "used",
    base,
    overlap: low
      ? `only ${both} of the baseline's ${count(all, "example")} were run, under min_overlap ${wanted}%: nothing passes. Run the missing examples, or accept a new baseline.`
      : null,
  };
}

function describeBaseline({ judging, comparable }: Prepared): BaselineReport {
  const { base } = judging;
  if (base === null)
    return {
      file: "",
      commit: null,
      created_at: null,
      rows: 0,
      state: "no-baseline",
      message: "there is no baseline to compare with; make one with write-baseline",
    };
  const { table, side, shared } = base;
  const about = {
    file: table.file,
    commit: table.commit,
    created_at: table.created_at,
    rows: table.size,
  };
  if (comparable.state === "refused")
    return { ...about, state: comparable.kind, message: comparable.message };
  const made = [
    table.commit === null ? "" : `commit ${shortCommit(table.commit)}`,
    table.created_at === null ? "" : `made ${table.created_at}`,
  ].filter((part) => part !== "");
  const message = `${shared.base.length} of ${count(side.index.examples.length, "example")} shared${made.length === 0 ? "" : `, ${made.join(", ")}`}`;
  return { ...about, state: "used", message };
}

function worstBaseline(all: readonly BaselineReport[]): BaselineReport {
  return all.find((one) => one.state !== "used") ?? all[0]!;
}

/** How small a fall of each metric this run finds in 8 of 10 runs: a property of the suite, told once. */
function saySensitivity(gates: readonly GateReport[]): string {
  const found = new Map<string, { readonly gate: GateReport; readonly fall: number }>();
  for (const gate of gates) {
    if (gate.mde === null || gate.delta === null || found.has(gate.metric)) continue;
    found.set(gate.metric, { gate, fall: gate.mde });
  }
  const all = [...found.values()];
  if (all.length === 0) return "";
  const named = all
    .slice(0, 3)
    .map(({ gate, fall }) => `${amounts(gate.metric, fall)[0]} in ${shortName(gate.metric, 30)}`);
  const more = all.length > 3 ? `, and so on for ${all.length - 3} more` : "";
  const { n, repeats } = all[0]!.gate;
  return `Sensitivity: ${count(n, "example")} with ${count(repeats, "run")} each find a true fall of ${named.join(", ")}${more} in 8 of 10 runs.`;
}

function warn({ judging, comparable, crashes, group }: Prepared): string[] {
  const { table } = judging.head.index;
  const { gates, base } = judging;
  const warnings: string[] = [];
  if (table.state !== "complete")
    warnings.push(
      `${table.file} is ${table.state === "cancelled" ? "of a cancelled run" : "incomplete"}: the gates judge only the rows that are there`,
    );
  if (base !== null && comparable.state === "refused") warnings.push(comparable.message);
  if (comparable.overlap !== null && comparable.state === "used") warnings.push(comparable.overlap);
  if (base !== null) {
    const near = sayNearMatches(findNearMatches(judging.head.index, base.side.index, base.shared));
    if (near !== null) warnings.push(near);
  }
  if (gates.errors === "ignore" && crashes.count > 0)
    warnings.push(`${sayCrashes(crashes.count, crashes.rows)}; ignored, as the gate file says`);
  warnings.push(...warnOfClusters(judging), ...warnOfScores(judging, group));
  return warnings;
}

/** Fewer clusters, or a larger one, than the promise on false alarms holds for. */
function warnOfClusters({ head: { index }, gates, clusterOf, untagged }: Judging): string[] {
  if (clusterOf === null) return [];
  const warnings: string[] = [];
  if (untagged > 0 && untagged < index.examples.length)
    warnings.push(
      `${count(untagged, "example")} of ${index.table.file} ${untagged === 1 ? "has" : "have"} no ${gates.cluster_by}: each counts as a cluster of its own`,
    );
  const sizes = new Map<number, number>();
  for (const cluster of clusterOf) sizes.set(cluster, (sizes.get(cluster) ?? 0) + 1);
  const largest = Math.max(0, ...sizes.values()) / Math.max(1, clusterOf.length);
  if (sizes.size < 10 || largest > 0.3)
    warnings.push(
      `${count(sizes.size, "cluster")} by ${gates.cluster_by}, the largest with ${Math.round(100 * largest)}% of the examples: an unchanged agent fails in up to 8% of runs`,
    );
  return warnings;
}

function warnOfScores({ head: { index }, gates }: Judging, group: GateGroup): string[] {
  const { table } = index;
  const warnings: string[] = [];
  const metrics = new Set(
    gates.rules
      .map((rule) => parseMetric(rule.metric))
      .flatMap((metric) => (metric.kind === "score" ? [metric.key] : [])),
  );
  for (const metric of metrics) {
    const values = table.scores.get(metric);
    if (values === undefined) continue;
    let missing = 0;
    for (let row = 0; row < table.size; row++)
      if (table.error[row] === 0 && Number.isNaN(values[row]!)) missing++;
    if (missing > 0 && missing < table.size)
      warnings.push(
        `${count(missing, "row")} of ${table.file} ran without error but ${missing === 1 ? "has" : "have"} no ${metric}`,
      );
  }
  const gated = new Set(gates.rules.map((rule) => rule.metric));
  for (const metric of Object.keys(gates.direction))
    if (!gated.has(metric) && group.label === "")
      warnings.push(`direction names ${metric}, which no gate uses`);
  return warnings;
}
