import type { Report } from "../report/report.ts";
import { isBrief } from "../report/brief.ts";
import { renderBriefSummary } from "../report/markdown-frame.ts";
import { renderBriefOutcome } from "../report/terminal-frame.ts";

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
