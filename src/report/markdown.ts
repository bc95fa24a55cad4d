import { foldAlike, shownDeployments } from "./alike.ts";
import { deploymentFacts, renderDeployment, renderNext } from "./deployment-section.ts";
import { estimateChars, framePage, type PageOptions } from "./markdown-frame.ts";
import { COMMENT_LIMIT, SUMMARY_LIMIT, truncate, type Detail, type Limit } from "./truncation.ts";
import { renderExperiments, renderGates } from "./gate-section.ts";
import { renderEach, renderOverview } from "./overview.ts";
import type { Report } from "./report.ts";
import { renderGantt } from "./phases.ts";
import { joinBlocks, renderDetails } from "./table.ts";
import type { Stage } from "./wording.ts";

/** What a comment needs beyond the report; `header` is its hidden first line, without a line break. */
export interface CommentOptions extends Partial<Limit> {
  readonly header: string;
  readonly stage?: Stage;
}

/** The job summary: the whole report, at most 1 MB. */
export function renderSummary(report: Report): string {
  const render = (detail: Detail, level: number): string =>
    renderBody(report, { stage: "end", detail, level, openPictures: true });
  return `${truncate(render, estimateChars(report), SUMMARY_LIMIT)}\n`;
}

/** The pull request comment within GitHub's limits, the header in its first line. */
export function renderComment(
  report: Report,
  { header, stage = "end", maxChars, maxBytes }: CommentOptions,
): string {
  const limit = {
    maxChars: maxChars ?? COMMENT_LIMIT.maxChars,
    maxBytes: maxBytes ?? COMMENT_LIMIT.maxBytes,
  };
  return truncate(
    (detail, level) =>
      `${header === "" ? "" : `${header}\n`}${renderBody(report, { stage, detail, level, openPictures: false })}\n`,
    estimateChars(report),
    limit,
  );
}

interface BodyOptions extends PageOptions {
  readonly openPictures: boolean;
}

function renderBody(report: Report, options: BodyOptions): string {
  const { stage, detail, openPictures } = options;
  const [only] = report.deployments;
  return framePage(report, options, {
    sections: [
      stage === "end" && isPlanOfMerge(report) ? "Merging deploys this." : "",
      renderDeployments(report, options),
      renderGates(report, { detail, openPictures }),
      renderExperiments(report, detail),
    ],
    facts:
      report.deployments.length === 1 && only !== undefined && stage === "end"
        ? deploymentFacts(only)
        : [],
  });
}

/** Whether what the run planned is what the next run on the base branch does. */
function isPlanOfMerge({ command, outcome, leg }: Report): boolean {
  const isOfMerge = leg?.event === "pull_request" || leg?.event === "merge_group";
  return isOfMerge && command === "plan" && outcome === "planned";
}

function renderDeployments(report: Report, { stage, detail, openPictures }: BodyOptions): string {
  const deployments = shownDeployments(report);
  const [only] = deployments;
  // Before the plans are known there are only names, and the verdict has those.
  if (only === undefined || (stage === "begin" && deployments.every((one) => one.plan === null)))
    return "";
  const times = (): string => (detail.notes ? renderTimes(deployments, openPictures) : "");
  if (deployments.length === 1)
    return joinBlocks([renderDeployment(only, { detail }), openPictures ? times() : ""]);
  const next = deployments.flatMap((one) =>
    one.next.map((line) => (line.includes(one.name) ? line : `${one.name}: ${line}`)),
  );
  // Unchanged ones are a list of names there.
  const shown = foldAlike(deployments, ["planned"]);
  return joinBlocks([
    renderOverview(shown, detail),
    detail.rows < shown.length ? renderNext(next) : "",
    stage === "end" ? times() : "",
    renderEach(shown, detail),
  ]);
}

/** The phases of many deployments as a picture; the table above says the same in words. */
function renderTimes(deployments: Report["deployments"], open: boolean): string {
  const gantt = renderGantt(deployments);
  return gantt === "" ? "" : renderDetails("Where the time went", gantt, open);
}
