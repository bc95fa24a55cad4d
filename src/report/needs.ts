import { isObject, parseJson } from "../model/json.ts";
import { isGreen, worstOutcome, type Outcome } from "./outcome.ts";
import type { Report } from "./report.ts";

/** The result of an earlier job, from GitHub's context `needs`. */
interface JobResult {
  readonly job: string;
  readonly result: string;
}

/** Parses GitHub's context `needs`; null if the text is not that. */
export function parseNeeds(text: string): readonly JobResult[] | null {
  const read = parseJson(text);
  if (!isObject(read)) return null;
  return Object.entries(read).map(([job, value]) => ({
    job,
    result: String((value as { readonly result?: unknown } | null)?.result ?? ""),
  }));
}

/** Adds the results of earlier jobs to a merged report: a leg may have failed or been skipped without a report. */
export function withNeeds(report: Report, needs: readonly JobResult[], hadWork: boolean): Report {
  const red = needs.flatMap(({ job, result }): { line: string; outcome: Outcome }[] => {
    if (result === "failure")
      return [{ line: `job ${job} failed; its log says why`, outcome: "failed" }];
    if (result === "cancelled")
      return [{ line: `job ${job} was cancelled; re-run it`, outcome: "cancelled" }];
    if (result === "skipped" && hadWork)
      return [
        { line: `job ${job} was skipped, and the plan had work; re-run it`, outcome: "failed" },
      ];
    return [];
  });
  return withRed(report, red);
}

/** Adds unreadable report files to a merged report: nobody knows what their jobs did. */
export function withUnread(report: Report, problems: readonly string[]): Report {
  return withRed(
    report,
    problems.map((line) => ({
      line: `${line}, and re-run the job if it was killed`,
      outcome: "failed",
    })),
  );
}

function withRed(
  report: Report,
  red: readonly { readonly line: string; readonly outcome: Outcome }[],
): Report {
  if (red.length === 0) return report;
  return {
    ...report,
    problems: [...report.problems, ...red.map(({ line }) => ({ message: line }))],
    // A red report already says why its job failed.
    outcome: isGreen(report.outcome)
      ? worstOutcome(red.map(({ outcome }) => outcome))
      : report.outcome,
  };
}
