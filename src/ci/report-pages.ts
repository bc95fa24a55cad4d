import type { Report } from "../report/report.ts";
import { isBrief } from "../report/brief.ts";
import { renderBriefSummary } from "../report/markdown-frame.ts";
import { renderBriefOutcome } from "../report/terminal-frame.ts";
import { writeLocated } from "../files/regular-file.ts";

type Terminal = typeof import("../report/terminal.ts");
type Markdown = typeof import("../report/markdown.ts");

const BRIEF: Terminal = {
  renderOutcome: renderBriefOutcome,
  renderPlan: () => "",
  warningsOfPlan: () => [],
};

/** What sets a report in lines: what deployments, gates and experiments need is loaded where there are any. */
export async function linesFor(report: Report): Promise<Terminal> {
  return isBrief(report) ? BRIEF : import("../report/terminal.ts");
}

/** The same for the job summary. */
export async function summaryFor(report: Report): Promise<Markdown["renderSummary"]> {
  return isBrief(report)
    ? renderBriefSummary
    : (await import("../report/markdown.ts")).renderSummary;
}

/**
 * Writes the comment of a run to a file, for a CI that posts it by itself: at a path resolved
 * before the run. Best effort: a failure is one warning.
 */
export async function writeMarkdown(
  path: string,
  report: Report,
  warn: (message: string) => void,
): Promise<void> {
  try {
    const { renderComment } = await import("../report/markdown.ts");
    writeLocated(path, renderComment(report, { header: "" }));
  } catch (error) {
    warn(
      `The Markdown file was not written: ${(error as Error).message}. Set \`markdown-file\` to a path that this job can write.`,
    );
  }
}
