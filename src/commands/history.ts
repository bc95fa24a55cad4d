import { appendFile } from "node:fs/promises";
import { readScoreHistory, type ScoreHistory } from "./score-history.ts";
import { renderDuration } from "../duration.ts";
import type { LiveDeployment, LiveRevision } from "../model/live.ts";
import { endOf, statusRow } from "../model/revision-status.ts";
import { renderRows, shortId, type Line } from "../report/columns.ts";
import { cutEnd } from "../report/escape.ts";
import { renderChanges, renderRuns, renderTrend, renderTrendChart } from "../report/score-trend.ts";
import type { Style } from "../report/terminal-frame.ts";
import { shortVersion, utcMinutes } from "../report/wording.ts";
import { listedItems } from "./listed-items.ts";
import { findNamed } from "./looked-up-deployment.ts";
import { show } from "../ci/printed-text.ts";
import { summarizeRevision, type RevisionSummary } from "./summaries.ts";
import { withConnection } from "../ci/service-connection.ts";
import { UsageError, type Session } from "../ci/session.ts";
import type { ControlPlane } from "../service/control-plane.ts";
import { runPool } from "./waves.ts";

const LOGS_AT_ONCE = 4;
/** Sources with images built elsewhere, which have no build log. */
const IMAGE_SOURCES: readonly string[] = ["external_container", "internal_docker"];
const FORMS =
  "history NAME shows the revisions of a deployment, history --dataset DATASET the scores of an evaluation over time";

/**
 * `history NAME`: the newest revisions of a deployment. `history --dataset D`: the scores of its
 * newest experiments.
 */
export function runHistory(session: Session): Promise<number> {
  const { name, dataset, metric } = session.options;
  if (name === undefined && dataset === undefined)
    throw new UsageError(`history needs NAME or --dataset: agent-deploy ${FORMS}`);
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
    const revisions = listedItems(
      await controlPlane.listRevisions(live.id, session.options.last),
      "revisions",
      // Where there is no list of deployments either, only the id that was given finds it.
      `agent-deploy status ${session.options.name} shows the active one`,
    );
    const rows = await toRows(session, controlPlane, live, revisions);
    return show(session, rows, renderRevisions(rows));
  });
}

/** Adds to revisions what the service's logs and the checkout know. */
async function toRows(
  { redact, repository }: Session,
  controlPlane: ControlPlane,
  live: LiveDeployment,
  revisions: readonly LiveRevision[],
): Promise<readonly RevisionRow[]> {
  const summarized = revisions.map((revision) => ({
    revision,
    summary: summarizeRevision(revision, live, redact),
  }));
  const commits = summarized.map(({ summary }) => summary.commit);
  const authors = await repository.authors(commits.filter((commit) => commit !== ""));
  const isBuilt = !IMAGE_SOURCES.includes(live.source);
  return runPool(summarized, LOGS_AT_ONCE, async ({ revision, summary }) => {
    const last = isBuilt
      ? await controlPlane.logTail(live.id, revision.id, "build", 1, live.dialect)
      : null;
    return {
      ...summary,
      ...phasesOf(revision, last?.newestMs ?? null),
      failed: endOf(summary.status) === "failed",
      who: redact(authors.get(summary.commit) ?? ""),
    };
  });
}

/** The last line of the build log separates the build from what followed. */
function phasesOf(
  { status, created_at, updated_at }: LiveRevision,
  builtAtMs: number | null,
): Pick<RevisionRow, "build_ms" | "deploy_ms"> {
  if (builtAtMs === null) return { build_ms: null, deploy_ms: null };
  const build = builtAtMs - Date.parse(created_at);
  const deploy = Date.parse(updated_at) - builtAtMs;
  const isOver = endOf(status) !== undefined && statusRow(status)?.endsPhase !== "build";
  return {
    build_ms: build >= 0 ? build : null,
    deploy_ms: build >= 0 && deploy >= 0 && isOver ? deploy : null,
  };
}

/** What `history` shows of a revision, in its columns. */
interface RevisionRow extends RevisionSummary {
  readonly failed: boolean;
  /** Author of the commit if the checkout contains it, else empty. */
  readonly who: string;
  /** Milliseconds of its build and of what followed; null if no build log shows them. */
  readonly build_ms: number | null;
  readonly deploy_ms: number | null;
}

type Column = readonly [head: string, cellOf: (row: RevisionRow) => string];

const took = (ms: number | null): string => (ms === null ? "" : renderDuration(ms));

const MAX_WHO = 10;
/** Nothing for a revision under way: the service dates its last change of status. */
const TOOK: Column = [
  "TOOK",
  ({ status, took_ms }) => (endOf(status) === undefined ? "" : took(took_ms)),
];
const PHASES: readonly Column[] = [
  ["BUILD", ({ build_ms }) => took(build_ms)],
  ["DEPLOY", ({ deploy_ms }) => took(deploy_ms)],
];
/** Columns that are left out if all their cells are empty, so that the table fits a terminal. */
const OPTIONAL: readonly Column[] = [
  ["COMMIT", ({ commit }) => commit.slice(0, 7)],
  ["WHO", ({ who }) => cutEnd(who, MAX_WHO)],
];

/** For a terminal of 80 columns, with the service's message below its revision; empty if there are no revisions. */
function renderRevisions(rows: readonly RevisionRow[]): readonly Line[] {
  const isPhased = rows.some(({ build_ms }) => build_ms !== null);
  const columns: readonly Column[] = [
    ["REVISION", ({ id }) => shortId(id)],
    ["STATUS", ({ status }) => status],
    // Without the year: rows are in order of time, and the JSON has it.
    ["CREATED UTC", ({ created_at }) => utcMinutes(created_at).slice(5)],
    ...(isPhased ? PHASES : [TOOK]),
    ...OPTIONAL.filter(([, cellOf]) => rows.some((row) => cellOf(row) !== "")),
    ["REF", ({ ref }) => shortVersion(ref)],
  ];
  return renderRows(
    ["", ...columns.map(([head]) => head)],
    rows.map((row) => ({
      cells: [row.active ? "*" : "", ...columns.map(([, cellOf]) => cellOf(row) || "–")],
      style: styleOf(row),
      below: [row.message],
    })),
  );
}

function styleOf({ active, failed }: RevisionRow): Style | undefined {
  if (failed) return "red";
  return active ? "green" : undefined;
}

function showScores(session: Session, dataset: string): Promise<number> {
  const { metric, last } = session.options;
  return withConnection(session, async ({ tracing }) => {
    const history = await readScoreHistory(tracing, { dataset, metric, last });
    await writeChart(session, history);
    const none = `dataset ${history.dataset.name} has no experiments`;
    return show(session, history, renderScores(session, history), none);
  });
}

/** The given metric, else all of them, starting with the one whose flips are printed first. */
function metricsOf(session: Session, { metric, metrics }: ScoreHistory): readonly string[] {
  if (metric === null) return [];
  if (session.options.metric !== undefined) return [metric];
  return [metric, ...metrics.filter((one) => one !== metric)];
}

function renderScores(session: Session, history: ScoreHistory): string {
  const metrics = metricsOf(session, history);
  const rows = history.runs.map((run) => ({ ...run, name: session.redact(run.name) }));
  const trends = metrics
    .map((metric) => renderTrend(metric, valuesOf(history, metric)))
    .filter((line) => line !== "");
  const flipping = history.flipping.map(
    ({ input, flips }) =>
      `flipped ${flips === 1 ? "once" : `${flips} times`}: ${session.redact(input).slice(0, 60)}`,
  );
  const blocks = [
    renderRuns(rows, metrics),
    trends,
    renderChanges(rows),
    history.why === "" ? flipping : [`flips not shown: ${history.why}`],
  ].map((lines) => lines.join("\n"));
  return history.runs.length === 0 ? "" : blocks.filter((block) => block !== "").join("\n\n");
}

function valuesOf({ runs }: ScoreHistory, metric: string): readonly (number | undefined)[] {
  return runs.map(({ scores }) => scores[metric]);
}

/** Writes the trend to the job summary, if there is one. */
async function writeChart(session: Session, history: ScoreHistory): Promise<void> {
  const path = session.env["GITHUB_STEP_SUMMARY"] ?? "";
  if (path === "" || history.metric === null) return;
  const charts = metricsOf(session, history).map((metric) =>
    renderTrendChart(metric, valuesOf(history, metric)),
  );
  await appendFile(path, session.redact(charts.join("\n"))).catch((error: unknown) => {
    session.host.notify("warning", `the job summary was not written: ${(error as Error).message}`);
  });
}
