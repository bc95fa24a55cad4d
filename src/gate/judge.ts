import type { BaselineReport, GateReport, RowDelta, Verdict } from "../report/report.ts";
import type { Diagnostic } from "../spec/desired.ts";
import { nearestWord } from "../spec/suggestion.ts";
import { judgeDrops, type Comparison } from "./drop.ts";
import { judgeFloor } from "./floor.ts";
import type { GateSet } from "./language.ts";
import { DERIVED_METRICS, isScored, metricsOf, parseMetric } from "./metric.ts";
import { judgeMustPass } from "./must-pass.ts";
import { listChanges, listUnshared, type RowChanges } from "./row-delta.ts";
import type { GateTable } from "./row.ts";
import {
  createJudging,
  createSide,
  shareExamples,
  type Judging,
  type Shared,
  type Side,
} from "./side.ts";
import { count, figures, shortCommit } from "./wording.ts";

/** Everything that was found out about a run's scores. */
export interface GateJudgement {
  /** Usage errors (exit 2): a gate names what the results do not have. When there are any, nothing is judged. */
  readonly problems: readonly Diagnostic[];
  readonly gates: readonly GateReport[];
  /** The worst of the gates; `none` when there is no gate. */
  readonly verdict: Verdict | "none";
  readonly worse: readonly RowDelta[];
  readonly better: readonly RowDelta[];
  /** Changed examples by metric, also beyond the lists' length. */
  readonly changed: RowChanges["counts"];
  /** Inputs of examples that only the head has. */
  readonly newRows: readonly string[];
  /** Inputs of examples that only the baseline has; ids where the baseline file keeps no text. */
  readonly missingRows: readonly string[];
  /** Null when no gate asks for a baseline and none was given. */
  readonly baseline: BaselineReport | null;
  readonly warnings: readonly string[];
}

/** Judges the head by its gates, against a baseline where there is one; the same tables give the same verdict to the byte. */
export function judgeGates({
  head,
  base,
  gates,
}: {
  readonly head: GateTable;
  readonly base: GateTable | null;
  readonly gates: GateSet;
}): GateJudgement {
  const judging = createJudging(head, gates);
  const { untagged } = judging;
  const problems = [...checkMetrics({ head, base, gates }), ...checkTags(head, gates)];
  const nothing = { worse: [], better: [], changed: {}, newRows: [], missingRows: [] };
  const used = base === null ? null : { table: base, side: createSide(base) };
  const shared = used === null ? null : shareExamples(judging.head.index, used.side.index);
  const drops = gates.rules.filter((rule) => rule.kind === "drop");
  const { comparison, report } = compare({ judging, used, shared });
  const baseline = base === null && drops.length === 0 ? null : report;
  const overlap =
    used === null || shared === null
      ? null
      : { both: shared.base.length, all: used.side.index.examples.length };
  const warnings = warn({ judging, untagged, base, report: baseline, overlap });
  if (problems.length > 0)
    return { problems, gates: [], verdict: "none", ...nothing, baseline, warnings };
  const dropReports = judgeDrops(judging, drops, comparison);
  const asked = [
    ...gates.rules.map((rule) =>
      rule.kind === "floor" ? judgeFloor(judging, rule) : dropReports[drops.indexOf(rule)]!,
    ),
    ...gates.must_pass.map((item) => judgeMustPass(judging, item)),
  ];
  // A minimum that nobody asked for speaks only where no gate says the same.
  const reports =
    gates.min_rows === 1 && asked.some(({ verdict }) => verdict === "fail")
      ? asked
      : [...checkRows(judging), ...asked];
  const changes =
    comparison.state === "used" ? listChanges(judging, comparison.base, comparison.shared) : null;
  return {
    problems: [],
    gates: reports.map(inOrder),
    verdict: worstVerdict(reports.map((gate) => gate.verdict)),
    worse: changes?.worse ?? [],
    better: changes?.better ?? [],
    changed: changes?.counts ?? {},
    newRows: shared === null ? [] : listUnshared(judging.head.index, shared.head),
    missingRows: shared === null || used === null ? [] : listUnshared(used.side.index, shared.base),
    baseline,
    warnings,
  };
}

/** One order of fields for every kind of gate, as docs/gates.md lists them. */
function inOrder(gate: GateReport): GateReport {
  const {
    metric,
    rule,
    verdict,
    n,
    n_dropped,
    repeats,
    head,
    base,
    delta,
    ci,
    p,
    method,
    alpha,
    mde,
    reason,
  } = gate;
  return {
    metric,
    rule,
    verdict,
    n,
    n_dropped,
    repeats,
    head,
    base,
    delta,
    ci,
    p,
    method,
    alpha,
    mde,
    reason,
  };
}

/** Fail before inconclusive before pass; `none` of none. */
export function worstVerdict(verdicts: readonly (Verdict | "none")[]): Verdict | "none" {
  return (
    (["fail", "inconclusive", "pass"] as const).find((verdict) => verdicts.includes(verdict)) ??
    "none"
  );
}

/** Of the metrics that were seen, so many are told, each at most so long. */
const MAX_SHOWN = 50;
const MAX_SHOWN_CHARS = 80;

/** The gates whose metric neither side has; a head without any score is a failed gate instead, not a misspelling. */
function checkMetrics({
  head,
  base,
  gates,
}: {
  readonly head: GateTable;
  readonly base: GateTable | null;
  readonly gates: GateSet;
}): Diagnostic[] {
  const seen = metricsOf(head);
  if (seen.length === 0) return [];
  const known = new Set([...seen, ...(base === null ? [] : metricsOf(base))]);
  const all = [...known].sort();
  const shown = all
    .slice(0, MAX_SHOWN)
    .map((key) => (key.length > MAX_SHOWN_CHARS ? `${key.slice(0, MAX_SHOWN_CHARS)}…` : key))
    .concat(all.length > MAX_SHOWN ? [`${all.length - MAX_SHOWN} more`] : []);
  const rules = [...gates.rules, ...gates.must_pass.flatMap((item) => item.require)];
  return rules.flatMap((rule) => {
    const metric = parseMetric(rule.metric);
    const key = metric.kind === "score" || metric.kind === "pass" ? metric.key : null;
    if (key === null || known.has(key)) return [];
    const near = nearestWord(key, [...all, ...DERIVED_METRICS]);
    return [
      {
        ...rule.at,
        level: "error" as const,
        path: rule.metric,
        message: `${key} is not in ${head.file}${near === undefined ? "" : ` (did you mean ${near}?)`}; metrics seen: ${shown.join(", ")}; always there: ${DERIVED_METRICS.join(", ")}`,
      },
    ];
  });
}

function checkTags(head: GateTable, gates: GateSet): Diagnostic[] {
  const tag = gates.cluster_by;
  if (
    tag === null ||
    head.rows.length === 0 ||
    head.rows.some((row) => row.tags[tag] !== undefined)
  )
    return [];
  const tags = [...new Set(head.rows.flatMap((row) => Object.keys(row.tags)))].sort();
  const seen =
    tags.length === 0
      ? "the rows have no such fields"
      : `fields seen: ${tags.slice(0, 20).join(", ")}`;
  return [
    {
      ...gates.at,
      level: "error",
      path: "cluster_by",
      message: `no row of ${head.file} has ${tag}; ${seen}`,
    },
  ];
}

/** Too few usable rows fail by themselves, whatever the rest says. */
function checkRows({ head: { index }, gates }: Judging): GateReport[] {
  if (gates.rules.length === 0 && gates.must_pass.length === 0 && gates.min_rows === 1) return [];
  const usable = index.table.rows.reduce((sum, row) => sum + (isScored(row) ? 1 : 0), 0);
  const rows = index.table.rows.length;
  if (usable >= gates.min_rows) return [];
  // A file of durations alone is judged by the gates that need no score.
  const scoreless =
    gates.rules.length > 0 &&
    gates.rules.every(({ metric }) =>
      ["latency", "rows", "error_rate"].includes(parseMetric(metric).kind),
    );
  const ran = index.table.rows.filter((row) => !row.error).length;
  if (scoreless && ran >= gates.min_rows) return [];
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
      reason: `${usable === 0 ? "no row" : `only ${count(usable, "row")}`} of ${rows} in the results ran without error and ${usable < 2 ? "has" : "have"} a score; at least ${count(gates.min_rows, "row")} must`,
    },
  ];
}

function compare({
  judging,
  used,
  shared,
}: {
  readonly judging: Judging;
  readonly used: { readonly table: GateTable; readonly side: Side } | null;
  readonly shared: Shared | null;
}): { comparison: Comparison; report: BaselineReport } {
  if (used === null || shared === null) {
    const message = "there is no baseline to compare with; make one with write-baseline";
    return {
      comparison: { state: "refused", message: `no-baseline: ${message}` },
      report: { file: "", commit: null, created_at: null, rows: 0, state: "no-baseline", message },
    };
  }
  const { table, side } = used;
  const about = {
    file: table.file,
    commit: table.commit,
    created_at: table.created_at,
    rows: table.rows.length,
  };
  const refusal = refuse({ judging, table, side, shared });
  if (refusal !== null)
    return {
      comparison: { state: "refused", message: refusal.message },
      report: { ...about, ...refusal },
    };
  const made = [
    table.commit === null ? "" : `commit ${shortCommit(table.commit)}`,
    table.created_at === null ? "" : `made ${table.created_at}`,
  ].filter((part) => part !== "");
  const message = `${shared.base.length} of ${count(side.index.examples.length, "example")} shared${made.length === 0 ? "" : `, ${made.join(", ")}`}`;
  return {
    comparison: { state: "used", base: side, shared },
    report: { ...about, state: "used", message },
  };
}

function refuse({
  judging,
  table,
  side,
  shared,
}: {
  readonly judging: Judging;
  readonly table: GateTable;
  readonly side: Side;
  readonly shared: Shared;
}): Pick<BaselineReport, "state" | "message"> | null {
  const head = judging.head.index.table;
  if (table.rows.every((row) => row.error)) {
    return {
      state: "empty",
      message: `the baseline ${table.file} holds no row that ran without error; make a new one with write-baseline`,
    };
  }
  if (table.state !== "complete") {
    return {
      state: "incomparable",
      message: `the baseline ${table.file} is ${table.state === "cancelled" ? "of a cancelled run" : "incomplete"}; take one of a run that ended`,
    };
  }
  if (table.judge !== null && head.judge !== null && table.judge !== head.judge) {
    return {
      state: "incomparable",
      message: `incomparable: the baseline was scored by ${table.judge}, this run by ${head.judge}; score the baseline again`,
    };
  }
  const [all, both] = [side.index.examples.length, shared.base.length];
  if (both === 0)
    return {
      state: "incomparable",
      message: `incomparable: this run and the baseline ${table.file} share no example; the dataset is another`,
    };
  if (both / all < judging.gates.min_overlap) {
    const [share, wanted] = figures((100 * both) / all, 100 * judging.gates.min_overlap) as [
      string,
      string,
    ];
    return {
      state: "incomparable",
      message: `incomparable: this run has ${both} of the baseline's ${all} examples (${share} %), less than the ${wanted} % that min_overlap asks for`,
    };
  }
  return null;
}

function warn({
  judging,
  untagged,
  base,
  report,
  overlap,
}: {
  readonly judging: Judging;
  readonly untagged: number;
  readonly base: GateTable | null;
  readonly report: BaselineReport | null;
  /** Examples that both sides have, and those of the baseline; null without one. */
  readonly overlap: { readonly both: number; readonly all: number } | null;
}): string[] {
  const { table } = judging.head.index;
  const warnings: string[] = [];
  if (table.state !== "complete")
    warnings.push(
      `${table.file} is ${table.state === "cancelled" ? "of a cancelled run" : "incomplete"}: the gates judge only the rows that are there`,
    );
  if (base !== null && report !== null && report.state !== "used") warnings.push(report.message);
  if (report?.state === "used" && overlap !== null && 2 * overlap.both < overlap.all)
    warnings.push(
      `only ${overlap.both} of the baseline's ${count(overlap.all, "example")} were run again: drops are judged on those`,
    );
  if (untagged > 0 && untagged < judging.head.index.examples.length) {
    warnings.push(
      `${count(untagged, "example")} of ${table.file} ${untagged === 1 ? "has" : "have"} no ${judging.gates.cluster_by}: each counts as a cluster of its own`,
    );
  }
  const metrics = new Set(
    judging.gates.rules
      .map((rule) => parseMetric(rule.metric))
      .flatMap((metric) => (metric.kind === "score" ? [metric.key] : [])),
  );
  for (const metric of metrics) {
    const missing = table.rows.reduce(
      (sum, row) => sum + (!row.error && row.scores[metric] === undefined ? 1 : 0),
      0,
    );
    if (missing > 0 && missing < table.rows.length)
      warnings.push(
        `${count(missing, "row")} of ${table.file} ran without error but ${missing === 1 ? "has" : "have"} no ${metric}`,
      );
  }
  const gated = new Set(judging.gates.rules.map((rule) => rule.metric));
  for (const metric of Object.keys(judging.gates.direction)) {
    if (!gated.has(metric)) warnings.push(`direction names ${metric}, which no gate uses`);
  }
  return warnings;
}
