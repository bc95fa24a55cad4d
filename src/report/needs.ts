import { isObject, own, parseJson } from "../model/json.ts";
import { isGreen, worstOutcome, type Outcome } from "./outcome.ts";
import type { Report } from "./report.ts";

/** Parses the results of earlier jobs in GitHub's context `needs`; null if the text is not that. */
export function parseNeeds(text: string) {
  const read = parseJson(text);
  if (!isObject(read)) return null;
  return Object.entries(read).map(([job, value]) => ({
    job,
    result: String(own(value, "result") ?? ""),
  }));
}

type JobResult = NonNullable<ReturnType<typeof parseNeeds>>[number];

/** For each red result: the words about its job, and the outcome of the run. */
const RED: Readonly<Record<string, readonly [line: string, outcome: Outcome]>> = {
  failure: ["failed; its log says why", "failed"],
  cancelled: ["was cancelled; re-run it", "cancelled"],
  skipped: ["was skipped, and the plan had work; re-run it", "failed"],
};

/** Adds the results of earlier jobs to a merged report: a leg may have failed or been skipped without a report. */
export function withNeeds(report: Report, needs: readonly JobResult[], hadWork: boolean): Report {
  return withRed(
    report,
    needs.flatMap(({ job, result }): [string, Outcome][] => {
      const red = Object.hasOwn(RED, result) ? RED[result] : undefined;
      if (red === undefined || (result === "skipped" && !hadWork)) return [];
      return [[`job ${job} ${red[0]}`, red[1]]];
    }),
  );
}

/** Adds unreadable report files to a merged report: nobody knows what their jobs did. */
export function withUnread(report: Report, problems: readonly string[]): Report {
  return withRed(
    report,
    problems.map((line) => [`${line}, and re-run the job if it was killed`, "failed"]),
  );
}

function withRed(report: Report, red: readonly (readonly [string, Outcome])[]): Report {
  if (red.length === 0) return report;
  return {
    ...report,
    problems: [...report.problems, ...red.map(([message]) => ({ message }))],
    // A red report already says why its job failed.
    outcome: isGreen(report.outcome)
      ? worstOutcome(red.map(([, outcome]) => outcome))
      : report.outcome,
  };
}
