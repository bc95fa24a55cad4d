import { appendFile } from "node:fs/promises";
import { readScoreHistory, type ScoreHistory } from "../evaluation/score-history.ts";
import { renderColumns, shortId } from "../report/columns.ts";
import {
  renderChanges,
  renderRuns,
  renderTrend,
  renderTrendChart,
  type TrendRow,
} from "../report/score-trend.ts";
import { findNamed } from "../run/named-deployment.ts";
import { printJson, printLines } from "../run/printed-text.ts";
import {
  renderTime,
  renderTook,
  summarizeRevision,
  type RevisionSummary,
} from "../run/revision-summary.ts";
import { withConnection } from "../run/service-connection.ts";
import { UsageError, type Session } from "../run/session.ts";

const FORMS =
  "history NAME shows the revisions of a deployment, history --dataset DATASET the scores of an evaluation over time";

/** `history NAME`: the newest revisions of a deployment. `history --dataset D`: the scores of its newest experiments. */
export function runHistory(session: Session): Promise<number> {
  const { name, dataset, metric } = session.options;
  if (name === undefined && dataset === undefined)
    throw new UsageError(`history needs to know of what: agent-deploy ${FORMS}`);
  if (name !== undefined && dataset !== undefined)
    throw new UsageError(`history takes a name or --dataset, not both: agent-deploy ${FORMS}`);
  if (dataset !== undefined) return showScores(session, dataset);
  if (metric !== undefined)
    throw new UsageError("--metric goes with --dataset: a deployment has no scores");
  return showRevisions(session);
}

function showRevisions(session: Session): Promise<number> {
  return withConnection(session, async ({ controlPlane }) => {
    const live = await findNamed(session, controlPlane);
    const lookup = await controlPlane.listRevisions(live.id, session.options.last);
    if (lookup.state === "absent-lookup")
      throw new UsageError(
        `this service has no list of revisions (it answers ${lookup.status}); agent-deploy status ${live.name} shows the active one`,
      );
    const rows = lookup.items.map((revision) =>
      summarizeRevision(revision, live.active_revision_id, session.redact),
    );
    if (session.options.json) printJson(session, rows);
    else printLines(session, renderRows(rows));
    return 0;
  });
}

function renderRows(rows: readonly RevisionSummary[]): string {
  const head = ["", "REVISION", "STATUS", "CREATED (UTC)", "TOOK", "COMMIT", "REF"];
  const toCells = (row: RevisionSummary): readonly string[] => [
    row.active ? "*" : "",
    shortId(row.id),
    row.status,
    renderTime(row.created_at),
    renderTook(row.took_ms),
    row.commit === "" ? "–" : row.commit.slice(0, 7),
    row.message === "" ? row.ref : `${row.ref}  ${row.message}`,
  ];
  return renderColumns(head, rows.map(toCells));
}

function showScores(session: Session, dataset: string): Promise<number> {
  const { metric, last, json } = session.options;
  return withConnection(session, async ({ tracing }) => {
    const history = await readScoreHistory(tracing, { dataset, metric, last });
    if (json) printJson(session, history);
    else printLines(session, renderScores(session, history));
    if (history.runs.length === 0 && !json)
      session.host.progress(`dataset ${history.dataset.name} has no experiments`);
    await writeChart(session, history);
    return 0;
  });
}

/** The metric that was asked for, else all of them, the one whose flips are told first. */
function metricsOf(session: Session, { metric, metrics }: ScoreHistory): readonly string[] {
  if (metric === null) return [];
  if (session.options.metric !== undefined) return [metric];
  return [metric, ...metrics.filter((one) => one !== metric)];
}

function renderScores(session: Session, history: ScoreHistory): string {
  const metrics = metricsOf(session, history);
  const rows = history.runs.map(
    (run): TrendRow => ({
      ...run,
      name: session.redact(run.name),
      time: renderTime(run.started_at ?? ""),
    }),
  );
  const trends = metrics
    .map((metric) => renderTrend(metric, valuesOf(history, metric)))
    .filter((line) => line !== "");
  const flipping = history.flipping.map(
    ({ input, flips }) =>
      `flipped ${flips === 1 ? "once" : `${flips} times`}: ${session.redact(input).slice(0, 60)}`,
  );
  const blocks = [
    renderRuns(rows, metrics),
    trends.join("\n"),
    renderChanges(rows).join("\n"),
    history.why === "" ? flipping.join("\n") : `flips are not told: ${history.why}`,
  ];
  return history.runs.length === 0 ? "" : blocks.filter((block) => block !== "").join("\n\n");
}

function valuesOf({ runs }: ScoreHistory, metric: string): readonly (number | undefined)[] {
  return runs.map(({ scores }) => scores[metric]);
}

/** The trend in the summary of a job, where this runs in one. */
async function writeChart(session: Session, history: ScoreHistory): Promise<void> {
  const path = session.env["GITHUB_STEP_SUMMARY"] ?? "";
  if (path === "" || history.metric === null) return;
  const charts = metricsOf(session, history).map((metric) =>
    renderTrendChart(metric, valuesOf(history, metric)),
  );
  await appendFile(path, charts.join("\n")).catch((error: unknown) => {
    session.host.say("warning", `the job summary was not written: ${(error as Error).message}`);
  });
}
