import { worstOutcome, type DeploymentReport, type Report, type RowCounts } from "./report.ts";

/**
 * One report of many: the legs of a job matrix, with or without the report of the plan that made it. A document of the plan
 * (`planned`, or those with work in a plan report) that no leg reports is failed. Of two reports of one leg the later one counts.
 */
export function mergeReports(reports: readonly Report[], planned: readonly string[] = []): Report {
  const latest = withoutOlder(reports);
  const legs = latest.filter((report) => report.command !== "plan");
  const plans = latest.filter((report) => report.command === "plan");
  const told = new Map(
    (legs.length === 0 ? plans : legs).flatMap((report) =>
      report.deployments.map((one) => [one.name, one] as const),
    ),
  );
  const deployments = new Map<string, DeploymentReport>();
  for (const one of plans.flatMap((report) => report.deployments)) {
    const leg = told.get(one.name);
    deployments.set(one.name, leg ?? (hasWork(one) ? missing(one.name, one) : one));
  }
  for (const name of planned)
    if (!deployments.has(name)) deployments.set(name, told.get(name) ?? missing(name, null));
  for (const [name, one] of told) if (!deployments.has(name)) deployments.set(name, one);
  return {
    ...gather(latest, legs.length === 0 ? plans : legs, plans),
    ...outcomes([...deployments.values()], latest),
  };
}

function hasWork(one: DeploymentReport): boolean {
  return one.action !== "none" && one.action !== "blocked";
}

function missing(name: string, plan: DeploymentReport | null): DeploymentReport {
  return {
    name,
    id: plan?.id ?? null,
    action: plan?.action ?? "none",
    outcome: "failed",
    reason: "no-report",
    message:
      "The plan has this deployment, but no report of it arrived: its job did not start, was killed, or did not keep its report file.",
    next: [
      "Look at the job of this deployment, and re-run it",
      "Keep its report with actions/upload-artifact under `if: always()`, and pass it in `reports`",
    ],
    revision_id: null,
    previous_revision_id: null,
    revision_status: null,
    url: plan?.url ?? "",
    changes: plan?.changes ?? [],
    plan: plan?.plan ?? null,
    changed: false,
    timeline: [],
    warnings: [],
    notes: [],
    log_tail: [],
  };
}

/** Drops a report whose every deployment (or, without one, every experiment file) is in a later one of the same command. */
function withoutOlder(reports: readonly Report[]): readonly Report[] {
  const keys = reports.map(
    (report) =>
      new Set(
        report.deployments.length > 0
          ? report.deployments.map((one) => `d ${report.command} ${one.name}`)
          : report.experiments.map((one) => `e ${report.command} ${one.file}`),
      ),
  );
  const later = (a: number, b: number): boolean => {
    const order =
      reports[a]!.started_at === reports[b]!.started_at
        ? b - a
        : reports[a]!.started_at < reports[b]!.started_at
          ? 1
          : -1;
    return order > 0;
  };
  return reports.filter((_, at) => {
    const own = keys[at]!;
    if (own.size === 0) return true;
    return !keys.some(
      (other, against) =>
        against !== at && later(at, against) && [...own].every((key) => other.has(key)),
    );
  });
}

function outcomes(
  deployments: readonly DeploymentReport[],
  reports: readonly Report[],
): Pick<Report, "deployments" | "outcome" | "changed"> {
  // A leg can be red without a deployment that is: a failed upload, a spec that did not parse.
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
      reports.some((report) => report.command !== "plan" && report.changed) ||
      (reports.every((report) => report.command === "plan") &&
        reports.some((report) => report.changed)),
  };
}

/** The target, where every report is for the same one. */
function commonTarget(reports: readonly Report[]): Pick<Report, "target"> {
  const [target, ...others] = new Set(reports.map((report) => report.target));
  return target === undefined || others.length > 0 ? {} : { target };
}

const unique = (lines: readonly string[]): readonly string[] => [...new Set(lines)];

function gather(
  all: readonly Report[],
  told: readonly Report[],
  plans: readonly Report[],
): Omit<Report, "deployments" | "outcome" | "changed"> {
  const verdicts = all.map((report) => report.gate_verdict);
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
    fingerprint: (plans[0] ?? (told.length === 1 ? told[0] : undefined))?.fingerprint ?? "",
    experiments: told.flatMap((report) => report.experiments),
    gates: told.flatMap((report) => report.gates),
    gate_verdict:
      (["fail", "inconclusive", "pass"] as const).find((verdict) => verdicts.includes(verdict)) ??
      "none",
    rows_worse: told.flatMap((report) => report.rows_worse),
    rows_better: told.flatMap((report) => report.rows_better),
    rows_new: told.flatMap((report) => report.rows_new),
    rows_missing: told.flatMap((report) => report.rows_missing),
    row_counts: sumRowCounts(told.map((report) => report.row_counts)),
    baseline: all.find((report) => report.baseline !== null)?.baseline ?? null,
    problems: unique(all.flatMap((report) => report.problems)),
    warnings: unique(all.flatMap((report) => report.warnings)),
    links: [
      ...new Map(all.flatMap((report) => report.links).map((one) => [one.url, one])).values(),
    ],
    started_at: times((report) => report.started_at)[0] ?? "",
    finished_at: times((report) => report.finished_at).at(-1) ?? "",
  };
}

/** The counts of several judgements together; a metric that more than one of them has is summed. */
export function sumRowCounts(counts: readonly RowCounts[]): RowCounts {
  const changed = new Map<string, { worse: number; better: number }>();
  for (const [metric, { worse, better }] of counts.flatMap((one) => Object.entries(one.changed))) {
    const sum = changed.get(metric) ?? { worse: 0, better: 0 };
    changed.set(metric, { worse: sum.worse + worse, better: sum.better + better });
  }
  const total = (pick: (one: RowCounts) => number): number =>
    counts.reduce((sum, one) => sum + pick(one), 0);
  return {
    new: total((one) => one.new),
    missing: total((one) => one.missing),
    changed: Object.fromEntries(changed),
  };
}
