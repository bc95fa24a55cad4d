import { latestLegs, mergeReports } from "../report/merge.ts";
import type { JudgedReport, Report } from "../report/report.ts";
import { parseNeeds, withNeeds, withUnread } from "../report/needs.ts";
import { parseReport } from "../report/report-file.ts";
import { toEnd, toReport } from "../ci/report-assembly.ts";
import { UsageError, type Session } from "../ci/session.ts";

/** Events for which `auto` plans, so that there are no legs. */
const PLANS_ONLY = ["pull_request", "merge_group"];
const MAX_REPORT_BYTES = 256 * 1024 * 1024;

/**
 * `report`: merges the report files of a job matrix into one comment, summary and outcome. What
 * the plan names but no report has is failed, and so is a run with an unreadable report.
 */
export async function runReport(session: Session): Promise<JudgedReport> {
  const { workspace, options } = session;
  if (options.reports.length === 0)
    throw new UsageError("report needs reports: the report files of the jobs");
  const reports: Report[] = [];
  const problems: string[] = [];
  const paths = await workspace.expand(options.reports);
  if (paths.length === 0)
    throw new UsageError(`reports: no file matches ${options.reports.join(", ")}`);
  for (const path of paths) {
    const parsed = parseReport(await workspace.readText(path, MAX_REPORT_BYTES), path);
    if ("report" in parsed) reports.push(parsed.report);
    else problems.push(parsed.problem);
  }
  if (reports.length === 0) throw new UsageError(problems);
  const plansOnly = PLANS_ONLY.includes(session.run.event);
  const together = withUnread(mergeReports(reports, { plansOnly }), problems);
  const done = withJobs(session, together, reports);
  const own = toReport(session, {});
  const report: Report = {
    ...done,
    command: session.command,
    entry_point: session.entryPoint,
    // The legs of this run already link it.
    links: [
      ...done.links.filter(({ url }) => own.links.every((one) => one.url !== url)),
      ...own.links,
    ],
    finished_at: own.finished_at,
  };
  return toEnd(session, report, { legs: latestLegs(reports) });
}

/** The merged report with the results of earlier jobs from the input `needs`. */
function withJobs({ options }: Session, merged: Report, reports: readonly Report[]): Report {
  if (options.needs === undefined) return merged;
  const needs = parseNeeds(options.needs);
  if (needs === null)
    throw new UsageError("needs: is not a JSON object; write needs: ${{ toJSON(needs) }}");
  const hadWork = reports.some((one) => one.command === "plan" && (one.matrix ?? []).length > 0);
  return withNeeds(merged, needs, hadWork);
}
