import { renderDeployment, renderEach, renderNext, renderOverview } from "./deployment-section.ts";
import { code, link, text } from "./escape.ts";
import { COMMENT_LIMIT, SUMMARY_LIMIT, fit, type Detail, type Limit } from "./truncation.ts";
import { renderExperiments, renderGates } from "./gate-section.ts";
import type { Report } from "./report.ts";
import { joinBlocks, renderList } from "./table.ts";
import { toVerdict } from "./verdict.ts";
import { durationWords, type Stage } from "./wording.ts";

/** What a comment needs beyond the report; `header` is its hidden first line, without a line break. */
export interface CommentOptions extends Partial<Limit> {
  readonly header: string;
  readonly stage?: Stage;
}

/** The job summary: the whole report, at most 1 MB. */
export function renderSummary(report: Report): string {
  return `${fit((detail, level) => renderBody(report, "end", detail, level), weigh(report), SUMMARY_LIMIT)}\n`;
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
  return fit(
    (detail, level) => `${header}\n${renderBody(report, stage, detail, level)}\n`,
    weigh(report),
    limit,
  );
}

/** About how long a report is, without rendering it. */
function weigh(report: Report): number {
  const rows = report.deployments.reduce(
    (sum, one) => sum + 1 + one.changes.length + one.warnings.length + one.log_tail.length,
    0,
  );
  return 100 * (rows + report.warnings.length + report.problems.length);
}

function renderBody(report: Report, stage: Stage, detail: Detail, level: number): string {
  const { icon, headline } = toVerdict(report, stage, {
    name: (name) => code(name, 100),
    plain: (words) => text(words, 200),
  });
  return joinBlocks([
    `### ${icon} ${headline}`,
    renderList(
      report.problems,
      (problem) => `❌ ${text(problem, detail.sentenceChars)}`,
      Math.max(detail.rows, 3),
    ),
    renderDeployments(report, stage, detail),
    renderGates(report, detail, report.deployments.length === 0),
    renderExperiments(report.experiments, detail),
    renderList(
      report.warnings,
      (warning) => `⚠️ ${text(warning, detail.sentenceChars)}`,
      detail.rows,
    ),
    level === 0 ? "" : "_Shortened to fit. The whole report is in the report file of the run._",
    renderFooter(report, stage),
  ]);
}

function renderDeployments(report: Report, stage: Stage, detail: Detail): string {
  const [only] = report.deployments;
  // Before the plans are known there are only names, and the verdict has those.
  if (
    only === undefined ||
    (stage === "begin" && report.deployments.every((one) => one.plan === null))
  )
    return "";
  if (report.deployments.length === 1) return renderDeployment(only, detail);
  const next = report.deployments.flatMap((one) =>
    one.next.map((line) => (line.includes(one.name) ? line : `${one.name}: ${line}`)),
  );
  return joinBlocks([
    renderOverview(report.deployments, detail),
    detail.rows < report.deployments.length ? renderNext(next) : "",
    renderEach(report.deployments, detail),
  ]);
}

function renderFooter(report: Report, stage: Stage): string {
  const tookMs = Date.parse(report.finished_at) - Date.parse(report.started_at);
  const facts = [
    ...report.links.slice(0, 10).map(({ label, url }) => link(label, url)),
    stage === "end" && Number.isFinite(tookMs) ? `took ${durationWords(tookMs)}` : "",
    report.fingerprint === "" ? "" : `plan ${code(report.fingerprint.slice(0, 12))}`,
    text(report.tool, 60),
  ];
  return `<sub>${facts.filter((fact) => fact !== "").join(" · ")}</sub>`;
}
