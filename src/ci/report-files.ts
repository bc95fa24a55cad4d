import { writeLocated } from "../files/regular-file.ts";
import { renderComment } from "../report/markdown.ts";
import { toReportJson } from "../report/outputs.ts";
import type { Report } from "../report/report.ts";

/** Does something that must not fail a run at its end: a failure becomes a warning. Returns whether it succeeded. */
export function attempt(
  what: string,
  act: () => void,
  warn: (message: string) => void,
  advice = "",
): boolean {
  try {
    act();
    return true;
  } catch (error) {
    warn(`${what}: ${(error as Error).message}.${advice}`);
    return false;
  }
}

/** Where report files go, at paths resolved before the run; undefined: not written. */
export interface ReportFiles {
  readonly reportFile?: string | undefined;
  /** The Markdown of a comment, for a CI that posts it itself. */
  readonly markdownFile?: string | undefined;
}

/** Writes the report files, best effort. Returns the path of the report file; empty if it was not written. */
export function writeReportFiles(
  { reportFile, markdownFile }: ReportFiles,
  report: Report,
  warn: (message: string) => void,
): string {
  const write = (path: string, what: string, input: string, toText: () => string): boolean =>
    attempt(
      `The ${what} was not written`,
      () => writeLocated(path, toText()),
      warn,
      ` Set \`${input}\` to a path that this job can write.`,
    );
  const isWritten =
    reportFile !== undefined &&
    write(reportFile, "report file", "report-file", () => toReportJson(report));
  if (markdownFile !== undefined)
    write(markdownFile, "Markdown file", "markdown-file", () =>
      renderComment(report, { header: "" }),
    );
  return isWritten ? reportFile : "";
}
