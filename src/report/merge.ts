import { hasUnknown } from "../plan/plan.ts";
import { parseJson } from "../model/json.ts";
import { findAnswers, isSamePlace } from "./answers.ts";
import { cutEnd } from "./escape.ts";
import { MAX_SENTENCE_CHARS, messagesOf, scoreName } from "./gate-numbers.ts";
import { worstOutcome } from "./outcome.ts";
import {
  blankDeployment,
  toProblemLine,
  type DeploymentReport,
  type Report,
  type MetricChanges,
  type RowCounts,
  type Verdict,
} from "./report.ts";

/**
 * Merges the legs of a job matrix, with or without the report of the plan that made it. A document
 * of the plan that has work but no report has failed. Legs differ by name, id, place and matrix;
 * for each leg the newest attempt counts. `plansOnly`: the event only plans, so a plan without legs
 * is taken as it is.
 */
export function mergeReports(
  reports: readonly Report[],
  { plansOnly = false }: { readonly plansOnly?: boolean } = {},
): Report {
  const plans = newestOnly(reports.filter(isPlan));
  const legs = latestLegs(reports);
  const earlier = reports.filter((report) => isEarlier(report, reports));
  const isPlanAlone = legs.length === 0 && plansOnly;
  const planned = newestDeployments(plans);
  const results = newestDeployments(legs);
  const answers = findAnswers(planned, results);
  const used = new Set([...answers.values()].flat());
  const rows = planned.flatMap((part) => {
    const found = answers.get(part);
    if (found !== undefined) return found.map(({ one }) => one);
    return hasWork(part.one) && !isPlanAlone ? missing(part.one) : part.one;
  });
  rows.push(...results.filter((part) => !used.has(part)).map(({ one }) => one));
  const gathered = gather([...plans, ...legs], legs.length === 0 ? plans : legs, plans);
  return {
    ...gathered,
    warnings: [...gathered.warnings, ...unique(earlier.map(describeEarlier))],
    ...outcomes(rows, [...plans, ...legs]),
  };
}

function describeEarlier({ leg, deployments }: Report): string {
  const names = deployments.map(({ name }) => name).join(", ");
  return `a report${names === "" ? "" : ` of ${names}`} is of run ${leg?.run ?? ""}, before the plan's run, and does not count: empty the folder of reports before a run`;
}

const runOf = ({ leg }: Report): number => Number(leg?.run) || 0;

/** By run, then attempt, then time. */
function isNewer(a: Report, b: Report): boolean {
  const order = (report: Report): readonly number[] => [
    runOf(report),
    report.leg?.attempt ?? 0,
    Date.parse(report.started_at) || 0,
  ];
  const [left, right] = [order(a), order(b)];
  const at = left.findIndex((value, index) => value !== right[index]);
  return at >= 0 && left[at]! > right[at]!;
}

/** Each part of each leg once, from the newest report that has it. */
function newestOf(parts: readonly Part[]): readonly Part[] {
  const kept: Part[] = [];
  const placesByKey = new Map<string, number[]>();
  for (const part of parts) {
    const places = placesByKey.get(part.key) ?? [];
    placesByKey.set(part.key, places);
    // An attempt that failed before it knew the id belongs to the same deployment.
    const same = places.find(
      (at) => kept[at]!.id === null || part.id === null || kept[at]!.id === part.id,
    );
    if (same === undefined) places.push(kept.push(part) - 1);
    else if (!isNewer(kept[same]!.report, part.report)) kept[same] = part;
  }
  return kept;
}

/** The deployments of a report, or else the files of its experiments. */
function toParts(report: Report, command = "") {
  const { place = "", matrix = "" } = report.leg ?? {};
  const toPart = (name: string, one: DeploymentReport | null) => ({
    report,
    one,
    id: one?.id ?? null,
    /** Equal for the same part of the same leg, in whichever report. */
    key: JSON.stringify([one === null, command, place, matrix, name]),
  });
  return report.deployments.length > 0
    ? report.deployments.map((one) => toPart(one.name, one))
    : report.experiments.map(({ file }) => toPart(file, null));
}

type Part = ReturnType<typeof toParts>[number];

/** The newest deployments, whatever command reported them. */
const newestDeployments = (reports: readonly Report[]) =>
  newestOf(reports.flatMap((report) => toParts(report))).flatMap(({ report, one }) =>
    one === null ? [] : [{ report, one }],
  );

/** Drops a report if all its parts are in newer ones of the same leg and command. */
function newestOnly(reports: readonly Report[]): readonly Report[] {
  const parts = reports.flatMap((report) => toParts(report, report.command));
  const replaced = new Set(parts.map(({ report }) => report));
  for (const { report } of newestOf(parts)) replaced.delete(report);
  return reports.filter((report) => !replaced.has(report));
}

/** Whether a deployment of a plan has, or may have, work: a secret that only the leg knows may have changed. */
export function hasWork({ outcome, plan }: DeploymentReport): boolean {
  return outcome === "planned" || (outcome === "unchanged" && plan !== null && hasUnknown(plan));
}

function missing({ name, id, action, url, changes, plan }: DeploymentReport): DeploymentReport {
  return {
    ...blankDeployment(name),
    ...{ id, action, url, changes, plan },
    outcome: "failed",
    reason: "no-report",
    message:
      "The plan has this deployment, but no report of it arrived: its job did not start, was killed, or did not keep its report file.",
    next: [
      "Look at the job of this deployment, and re-run it",
      "Keep its report with actions/upload-artifact under `if: always()`, and pass it in `reports`",
    ],
  };
}

/** The legs that count, for judging the merged report. */
export function latestLegs(reports: readonly Report[]): readonly Report[] {
  return newestOnly(reports.filter((one) => !isPlan(one) && !isEarlier(one, reports)));
}

const isPlan = ({ command }: Report): boolean => command === "plan";

/**
 * Whether a leg is of an earlier run than the plan: such a leftover file says nothing about this
 * plan. A re-run keeps its run's number.
 */
function isEarlier(leg: Report, reports: readonly Report[]): boolean {
  const isLater = (one: Report): boolean => runOf(one) > runOf(leg) && isSamePlace(one, leg);
  return !isPlan(leg) && runOf(leg) > 0 && reports.some((one) => isPlan(one) && isLater(one));
}

function outcomes(deployments: readonly DeploymentReport[], reports: readonly Report[]) {
  // A leg can be red without a red deployment: a failed upload, an invalid spec.
  const bare = reports.filter(
    (report) =>
      report.deployments.length === 0 ||
      report.outcome !== worstOutcome(report.deployments.map((one) => one.outcome)),
  );
  return {
    deployments,
    outcome: worstOutcome([
      ...deployments.map((one) => one.outcome),
      ...bare.map((report) => report.outcome),
    ]),
    changed:
      reports.some((report) => !isPlan(report) && report.changed) ||
      (reports.every(isPlan) && reports.some((report) => report.changed)),
  };
}

function commonTarget(reports: readonly Report[]): Pick<Report, "target"> {
  const [target, ...others] = new Set(reports.map((report) => report.target));
  return target === undefined || others.length > 0 ? {} : { target };
}

/** Equal lines of many legs once, with their number. */
function unique(lines: readonly string[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const line of lines) counts.set(line, (counts.get(line) ?? 0) + 1);
  return [...counts].map(([line, count]) => (count > 1 ? `${line} (${count} times)` : line));
}

/** The parts of a report about gates and rows. */
export type JudgedParts = Pick<
  Report,
  | "gates"
  | "gate_messages"
  | "rows_worse"
  | "rows_better"
  | "rows_missed"
  | "rows_new"
  | "rows_missing"
  | "row_counts"
  | "baseline"
>;

/** Joins judgements in order; the first baseline counts. */
export function joinJudged(all: readonly JudgedParts[]): JudgedParts {
  const missed = all.flatMap((one) => one.rows_missed ?? []);
  return {
    gates: all.flatMap((one) => one.gates),
    gate_messages: all.flatMap(messagesOf),
    rows_worse: all.flatMap((one) => one.rows_worse),
    rows_better: all.flatMap((one) => one.rows_better),
    ...(missed.length === 0 ? {} : { rows_missed: missed }),
    rows_new: all.flatMap((one) => one.rows_new),
    rows_missing: all.flatMap((one) => one.rows_missing),
    row_counts: sumRowCounts(all.map((one) => one.row_counts)),
    baseline: all.find((one) => one.baseline !== null)?.baseline ?? null,
  };
}

const VERDICTS = ["fail", "inconclusive", "pass"] as const;

/** Sorts verdicts: fail before inconclusive before pass. */
export function rankOf(verdict: Verdict): number {
  return VERDICTS.indexOf(verdict);
}

/** The worst of several; `none` if there are none. */
export function worstVerdict(verdicts: readonly Report["gate_verdict"][]): Report["gate_verdict"] {
  return VERDICTS.find((verdict) => verdicts.includes(verdict)) ?? "none";
}

function gather(
  all: readonly Report[],
  legs: readonly Report[],
  plans: readonly Report[],
): Omit<Report, "deployments" | "outcome" | "changed"> {
  const results = groupLegs(legs);
  const alerts = unique(all.flatMap((report) => report.alerts ?? []));
  const times = (pick: (report: Report) => string): string[] =>
    all
      .map(pick)
      .filter((time) => time !== "")
      .sort();
  return {
    version: 1,
    tool: all[0]?.tool ?? "agent-deploy",
    command: "report",
    ...commonTarget(all),
    fingerprint: (plans[0] ?? (results.length === 1 ? results[0] : undefined))?.fingerprint ?? "",
    experiments: results.flatMap((report) => report.experiments),
    ...joinJudged(results),
    gate_verdict: worstVerdict(all.map((report) => report.gate_verdict)),
    ...(alerts.length === 0 ? {} : { alerts }),
    problems: [
      ...new Map(
        all.flatMap((report) => report.problems).map((one) => [toProblemLine(one), one]),
      ).values(),
    ],
    warnings: unique(all.flatMap((report) => report.warnings)),
    links: [
      ...new Map(all.flatMap((report) => report.links).map((one) => [one.url, one])).values(),
    ],
    started_at: times((report) => report.started_at)[0] ?? "",
    finished_at: times((report) => report.finished_at).at(-1) ?? "",
  };
}

/** The legs, those with gates as groups if there are several. */
function groupLegs(legs: readonly Report[]): readonly Report[] {
  const judged = legs.filter(({ gates }) => gates.length > 0);
  if (judged.length < 2) return legs;
  const names = new Map(legNames(judged).map((name, at) => [judged[at], name]));
  return legs.map((leg) => asGroup(leg, names.get(leg) ?? ""));
}

/** What distinguishes the legs: their deployments, the values of their matrix, or what they judged. */
function legNames(legs: readonly Report[]): readonly string[] {
  const namings = [
    ({ deployments }: Report) => (deployments.length === 1 ? deployments[0]!.name : ""),
    ({ leg }: Report) => matrixValues(leg?.matrix ?? "").join(", "),
    ({ experiments }: Report) => unique(experiments.map(({ name }) => name)).join(", "),
    (leg: Report) => `leg ${legs.indexOf(leg) + 1}`,
  ].map((naming) => legs.map(naming));
  return namings.find((names) => !names.includes("") && new Set(names).size === names.length)!;
}

/** `linux` and `20` of `{"os":"linux","node":20}`; a text that is not JSON is one value. None outside a matrix. */
export function matrixValues(matrix: string): readonly string[] {
  const leg = parseJson(matrix);
  if (leg === null || matrix.trim() === "") return [];
  if (leg === undefined) return [matrix.trim()];
  const values = typeof leg === "object" ? Object.values(leg) : [leg];
  return values.map((value) => (typeof value === "object" ? JSON.stringify(value) : String(value)));
}

/**
 * Prefixes the gates and rows of a leg, or of one of several looks, with its name, since they judge
 * the same metrics of the same examples.
 */
export function asGroup<One extends JudgedParts>(leg: One, name: string): One {
  if (name === "") return leg;
  const grouped = <One extends { readonly group?: string }>(one: One): One => ({
    ...one,
    group: one.group === undefined ? name : `${name} · ${one.group}`,
  });
  return {
    ...leg,
    gates: leg.gates.map((gate) => ({
      ...grouped(gate),
      reason:
        gate.no_baseline === true || gate.group !== undefined
          ? gate.reason
          : cutEnd(`${cutEnd(name, 40)}: ${gate.reason}`, MAX_SENTENCE_CHARS),
    })),
    rows_worse: leg.rows_worse.map(grouped),
    rows_better: leg.rows_better.map(grouped),
    ...(leg.rows_missed === undefined ? {} : { rows_missed: leg.rows_missed.map(grouped) }),
    row_counts: {
      ...leg.row_counts,
      changed: Object.fromEntries(
        Object.entries(leg.row_counts.changed).map(([score, counts]) => [
          leg.gates.some(({ group }) => group !== undefined)
            ? `${name} · ${score}`
            : scoreName({ group: name, metric: score }),
          counts,
        ]),
      ),
    },
  };
}

/** The counts of several judgements together; a metric in more than one is summed. */
export function sumRowCounts(counts: readonly RowCounts[]): RowCounts {
  type Moved = Pick<MetricChanges, "worse" | "better">;
  const sum = (a: Moved, b: Moved): Moved => ({
    worse: a.worse + b.worse,
    better: a.better + b.better,
  });
  const changed = new Map<string, MetricChanges>();
  for (const [metric, one] of counts.flatMap((each) => Object.entries(each.changed))) {
    const before = changed.get(metric);
    // The bins of two judgements have different edges and cannot be summed.
    changed.set(metric, before === undefined ? one : sum(before, one));
  }
  const total = (key: "new" | "missing" | "missed"): number =>
    counts.reduce((all, one) => all + (one[key] ?? 0), 0);
  const examples = counts.flatMap((one) => one.examples ?? []);
  const missed = total("missed");
  return {
    ...(examples.length === 0 ? {} : { examples: examples.reduce(sum) }),
    new: total("new"),
    missing: total("missing"),
    ...(missed === 0 ? {} : { missed }),
    changed: Object.fromEntries(changed),
  };
}
