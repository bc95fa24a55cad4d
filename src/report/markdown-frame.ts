import { code, link, text } from "./escape.ts";
import { toProblemLine, type Report } from "./report.ts";
import { joinBlocks, renderList } from "./table.ts";
import { SUMMARY_LIMIT, truncate, type Detail } from "./truncation.ts";
import { toVerdict } from "./verdict.ts";
import { durationWords, type Stage } from "./wording.ts";

/** How a page is written at one level of detail. */
export interface PageOptions {
  readonly stage: Stage;
  readonly detail: Detail;
  /** 0: nothing was left out. */
  readonly level: number;
}

/** The parts between the problems and the warnings of a page, and what its last line begins with. */
interface Middle {
  readonly sections: readonly string[];
  readonly facts: readonly string[];
}

/** About how long a report is, without rendering it. */
export function estimateChars(report: Report): number {
  const rows = report.deployments.reduce(
    (sum, one) => sum + 1 + one.changes.length + one.warnings.length + one.log_tail.length,
    0,
  );
  return 100 * (rows + report.warnings.length + report.problems.length);
}

/** The job summary of a run without deployments, gates and experiments. */
export function renderBriefSummary(report: Report): string {
  const render = (detail: Detail, level: number): string =>
    framePage(report, { stage: "end", detail, level }, { sections: [], facts: [] });
  return `${truncate(render, estimateChars(report), SUMMARY_LIMIT)}\n`;
}

/** The verdict and the problems, then the sections, then warnings and where to click. */
export function framePage(
  report: Report,
  { stage, detail, level }: PageOptions,
  { sections, facts }: Middle,
): string {
  const { icon, headline } = toVerdict(report, stage, {
    name: (name) => code(name, 100),
    plain: (words) => text(words, 200),
  });
  return joinBlocks([
    `### ${icon} ${headline}`,
    renderList(
      report.alerts ?? [],
      (alert) => `⚠️ ${text(alert, detail.sentenceChars)}`,
      Math.max(detail.rows, 3),
    ),
    renderList(
      report.problems,
      (problem) => `❌ ${text(toProblemLine(problem), detail.sentenceChars)}`,
      Math.max(detail.rows, 3),
    ),
    ...sections,
    renderList(
      report.warnings,
      (warning) => `⚠️ ${text(warning, detail.sentenceChars)}`,
      detail.rows,
    ),
    level === 0 ? "" : "_Shortened to fit. The whole report is in the report file of the run._",
    renderFooter(report, stage, facts),
  ]);
}

/** Where to click, and what the run was: agent, revision, run, commit, time. */
function renderFooter(report: Report, stage: Stage, first: readonly string[]): string {
  const { commit, fingerprint, started_at: startedAt } = report;
  const tookMs = Date.parse(report.finished_at) - Date.parse(startedAt);
  const facts = [
    ...first,
    ...linksOf(report),
    commit === undefined ? "" : commitWords(commit),
    utcMinutes(startedAt),
    stage === "end" && tookMs >= 1000 ? `took ${durationWords(tookMs)}` : "",
    fingerprint === "" ? "" : `plan ${code(fingerprint.slice(0, 12))}`,
    text(report.tool, 60),
  ];
  return `<sub>${facts.filter((fact) => fact !== "").join(" · ")}</sub>`;
}

const MOST_LINKS = 10;

/** The links of a run; of many runs that have one name each is numbered. */
function linksOf({ links }: Report): readonly string[] {
  const shown = links.slice(0, MOST_LINKS);
  const count = (label: string): number => shown.filter((one) => one.label === label).length;
  const seen = new Map<string, number>();
  return shown.map(({ label, url }) => {
    const nth = (seen.get(label) ?? 0) + 1;
    seen.set(label, nth);
    return link(count(label) > 1 ? `${label} ${nth}` : label, url);
  });
}

function commitWords({ sha, url, actor }: NonNullable<Report["commit"]>): string {
  const short = sha.slice(0, 7);
  const linked = url === "" ? `commit ${code(short)}` : `commit ${link(short, url)}`;
  return actor === "" ? linked : `${linked} by ${text(actor, 40)}`;
}

/** `2026-03-04 09:40 UTC`; empty for what is no time. */
function utcMinutes(time: string): string {
  const found = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)/.exec(time);
  return found === null ? "" : `${found[1]!} ${found[2]!} UTC`;
}
