import { foldAlike, shownDeployments } from "./alike.ts";
import { deploymentFacts, renderDeployment, renderNext } from "./deployment-section.ts";
import { code, link, text } from "./escape.ts";
import { COMMENT_LIMIT, SUMMARY_LIMIT, truncate, type Detail, type Limit } from "./truncation.ts";
import { renderExperiments, renderGates } from "./gate-section.ts";
import { renderEach, renderOverview } from "./overview.ts";
import { toProblemLine, type Report } from "./report.ts";
import { renderGantt } from "./phases.ts";
import { joinBlocks, renderDetails, renderList } from "./table.ts";
import { toVerdict } from "./verdict.ts";
import { durationWords, utcMinutes, type Stage } from "./wording.ts";

/** What a comment needs besides the report; `header` is its hidden first line, without a line break. */
export interface CommentOptions extends Partial<Limit> {
  readonly header: string;
  readonly stage?: Stage;
}

/** The job summary: the whole report, at most 1 MB. */
export function renderSummary(report: Report): string {
  const render = (detail: Detail, level: number): string =>
    renderBody(report, { stage: "end", detail, level, openPictures: true });
  return `${truncate(render, SUMMARY_LIMIT)}\n`;
}

/** The pull request comment within GitHub's limits, the header in its first line. */
export function renderComment(
  report: Report,
  {
    header,
    stage = "end",
    maxChars = COMMENT_LIMIT.maxChars,
    maxBytes = COMMENT_LIMIT.maxBytes,
  }: CommentOptions,
): string {
  const first = header === "" ? "" : `${header}\n`;
  return truncate(
    (detail, level) =>
      `${first}${renderBody(report, { stage, detail, level, openPictures: false })}\n`,
    { maxChars, maxBytes },
  );
}

interface BodyOptions {
  readonly stage: Stage;
  readonly detail: Detail;
  /** 0: nothing is left out. */
  readonly level: number;
  readonly openPictures: boolean;
}

function renderBody(report: Report, options: BodyOptions): string {
  const { stage, detail, level, openPictures } = options;
  const { icon, headline } = toVerdict(report, stage);
  const listed = (sign: string, lines: readonly string[], most: number): string =>
    renderList(
      lines.map((line) => `${sign} ${text(line, detail.sentenceChars)}`),
      most,
    );
  return joinBlocks([
    `### ${icon} ${text(headline, 600)}`,
    listed("⚠️", report.alerts ?? [], Math.max(detail.rows, 3)),
    listed("❌", report.problems.map(toProblemLine), Math.max(detail.rows, 3)),
    stage === "end" && isPlanOfMerge(report) ? "Merging deploys this." : "",
    renderDeployments(report, options),
    renderGates(report, detail, openPictures),
    renderExperiments(report, detail),
    listed("⚠️", report.warnings, detail.rows),
    level === 0 ? "" : "_Shortened to fit. The whole report is in the report file of the run._",
    renderFooter(report, stage),
  ]);
}

/** Whether the next run on the base branch will do what this run planned. */
function isPlanOfMerge({ command, outcome, leg }: Report): boolean {
  const isOfMerge = leg?.event === "pull_request" || leg?.event === "merge_group";
  return isOfMerge && command === "plan" && outcome === "planned";
}

function renderDeployments(report: Report, { stage, detail, openPictures }: BodyOptions): string {
  const deployments = shownDeployments(report);
  const [only] = deployments;
  // Before the plans are known there are only names, which the verdict shows.
  if (only === undefined || (stage === "begin" && deployments.every((one) => one.plan === null)))
    return "";
  const times = (): string => (detail.logLines > 0 ? renderTimes(deployments, openPictures) : "");
  if (deployments.length === 1)
    return joinBlocks([renderDeployment(only, detail), openPictures ? times() : ""]);
  const next = deployments.flatMap((one) =>
    one.next.map((line) => (line.includes(one.name) ? line : `${one.name}: ${line}`)),
  );
  // Unchanged deployments need no folding here: of many, the overview lists only the names.
  const shown = foldAlike(deployments, ["planned"]);
  return joinBlocks([
    renderOverview(shown, detail),
    detail.rows < shown.length ? renderNext(next) : "",
    stage === "end" ? times() : "",
    renderEach(shown, detail),
  ]);
}

/** The phases of many deployments as a picture; the table above has the same in words. */
function renderTimes(deployments: Report["deployments"], open: boolean): string {
  const gantt = renderGantt(deployments);
  return gantt === "" ? "" : renderDetails("Where the time went", gantt, open);
}

function renderFooter(report: Report, stage: Stage): string {
  const { commit, deployments, fingerprint, started_at: startedAt } = report;
  const tookMs = Date.parse(report.finished_at) - Date.parse(startedAt);
  const facts = [
    ...(deployments.length === 1 && stage === "end" ? deploymentFacts(deployments[0]!) : []),
    ...linksOf(report),
    commit === undefined ? "" : commitWords(commit),
    startedAt === "" ? "" : `${utcMinutes(startedAt)} UTC`,
    stage === "end" && tookMs >= 1000 ? `took ${durationWords(tookMs)}` : "",
    fingerprint === "" ? "" : `plan ${code(fingerprint.slice(0, 12))}`,
    text(report.tool, 60),
  ];
  return `<sub>${facts.filter((fact) => fact !== "").join(" · ")}</sub>`;
}

const MAX_LINKS = 10;

/** The links of a run; several of the same name are numbered. */
function linksOf({ links }: Report): readonly string[] {
  const shown = links.slice(0, MAX_LINKS);
  return shown.map(({ label, url }, at) => {
    const isSame = (one: { readonly label: string }): boolean => one.label === label;
    const nth = shown.slice(0, at + 1).filter(isSame).length;
    return link(shown.filter(isSame).length > 1 ? `${label} ${nth}` : label, url);
  });
}

function commitWords({ sha, url, actor }: NonNullable<Report["commit"]>): string {
  const short = sha.slice(0, 7);
  const linked = url === "" ? `commit ${code(short)}` : `commit ${link(short, url)}`;
  return actor === "" ? linked : `${linked} by ${text(actor, 40)}`;
}
