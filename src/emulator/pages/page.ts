import { isObject, type Json, type JsonObject } from "../../model/json.ts";
import { linesOf } from "../deployments/log-tail.ts";
import { escapeHtml, renderFrame, renderTable } from "./page-frame.ts";
import { iso, momentOf } from "../deployments/readback.ts";
import { type LoggedRequest, maskBody } from "../http/request-log.ts";
import { hasEnded, statusAt, type Sight } from "../deployments/revision.ts";
import type { StoredDeployment, StoredRevision, StoredSession } from "../state/store.ts";
import type { World } from "../world.ts";

const time = (ms: number): string =>
  `<time datetime="${iso(ms)}">${iso(ms).slice(0, 19).replace("T", " ")}</time>`;

/** `20 ms`, `1.4 s`, `37 s`, `6 m 12 s`. */
function duration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 9950) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} m ${seconds % 60} s`;
}

/** An image, its digest cut to the first digits; the rest is shown on hover. */
function renderBuilt(built: string): string {
  const short = built.replace(/(@sha256:[0-9a-f]{12})[0-9a-f]{52}$/, "$1…");
  const title = short === built ? "" : ` title="${escapeHtml(built)}"`;
  return `<code${title}>${escapeHtml(short)}</code>`;
}

function tone(status: string): "ok" | "bad" | "run" {
  if (status === "DEPLOYED") return "ok";
  return /FAILED|INTERRUPTED|SKIPPED/.test(status) ? "bad" : "run";
}

function renderTimeline(sights: readonly Sight[], now: number): string {
  const seen = sights.filter((sight) => sight.at <= now);
  const steps = seen.map((sight, i) => {
    const next = seen[i + 1];
    const lasted = next === undefined ? "" : ` ${duration(next.at - sight.at)}`;
    return `<li class="${tone(sight.status)}">${escapeHtml(sight.status)}<span class="dim">${lasted}</span></li>`;
  });
  return `<ol class="line" aria-label="Timeline">${steps.join("")}</ol>`;
}

/** Time in each phase, to scale; the last status of a run takes no time. */
function renderBar(sights: readonly Sight[], now: number): string {
  const seen = sights.filter((sight) => sight.at <= now);
  const parts = seen.flatMap((sight, i) => {
    const until = seen[i + 1]?.at ?? (hasEnded(sight.status) ? sight.at : now);
    const ms = Math.round(until - sight.at);
    const next = seen[i + 1]?.status ?? "";
    return ms > 0
      ? [
          `<span class="${/FAILED/.test(next) ? "bad" : "run"}" style="flex:${ms}" title="${escapeHtml(sight.status)} ${duration(ms)}"></span>`,
        ]
      : [];
  });
  return parts.length === 0 ? "" : `<div class="bar" aria-hidden="true">${parts.join("")}</div>`;
}

const logOf = (
  revision: StoredRevision,
  sights: readonly Sight[],
  now: number,
): ReturnType<typeof linesOf> =>
  (["build", "deploy"] as const).flatMap((phase) => linesOf(revision, sights, phase, now));

/** Why a revision failed: what the service says, else the last words of its log. */
function renderReason(revision: StoredRevision, sights: readonly Sight[], now: number): string {
  if (tone(statusAt(sights, now).status) !== "bad") return "";
  const said = logOf(revision, sights, now).filter(({ level }) => level === "ERROR");
  const own = said.filter(({ message }) => revision.log.includes(message));
  const reason = revision.status_message ?? (own.at(-1) ?? said.at(-1))?.message;
  return reason === undefined ? "" : `<p class="why">${escapeHtml(reason)}</p>`;
}

/** What a revision was made from, folded up; no secret value. */
function renderSpec(one: StoredDeployment, revision: StoredRevision): string {
  const shown = maskBody({
    source: one.source,
    source_config: one.source_config,
    source_revision_config: revision.config,
    secrets: one.secrets.map(({ name }) => name),
  });
  return `<details><summary>Spec</summary><pre>${escapeHtml(JSON.stringify(shown, null, 2))}</pre></details>`;
}

/** What the revision has written so far: open where it failed, else folded up. */
function renderLogs(revision: StoredRevision, sights: readonly Sight[], now: number): string {
  const lines = logOf(revision, sights, now);
  const text = lines
    .map(({ at, level, message }) => `${iso(at).slice(11, 23)} ${level} ${message}`)
    .join("\n");
  const open = tone(statusAt(sights, now).status) === "bad" ? " open" : "";
  return lines.length === 0
    ? ""
    : `<details${open}><summary>Logs</summary><pre>${escapeHtml(text)}</pre></details>`;
}

/** The files of the archive that a revision was built from, folded up. */
function renderArchive(world: World, revision: StoredRevision): string {
  const path = revision.config["source_tarball_path"];
  const archive = typeof path === "string" ? world.store.get("uploads", path)?.archive : undefined;
  if (archive === undefined || archive === null) return "";
  const files = archive.files
    .slice(0, 500)
    .map((file) => `${escapeHtml(file.path)} <span class="dim">${file.bytes} B</span>`);
  return `<details><summary>Archive: ${archive.files.length} files, ${archive.bytes} B</summary><pre>${files.join("\n")}</pre></details>`;
}

/** Deployments whose newest revision failed come first, then the newest. */
function failedFirst(world: World, all: readonly StoredDeployment[]): readonly StoredDeployment[] {
  const failed = (one: StoredDeployment): boolean => {
    const { timelines } = momentOf(one, world.settings, world.now());
    const sights = timelines.get(one.revisions.at(-1)?.id ?? "") ?? [];
    return /FAILED|INTERRUPTED/.test(statusAt(sights, world.now()).status);
  };
  return [...all.filter(failed), ...all.filter((one) => !failed(one))];
}

function renderDeployment(world: World, one: StoredDeployment): string {
  const now = world.now();
  const moment = momentOf(one, world.settings, now);
  const revisions = one.revisions
    .toReversed()
    .slice(0, 10)
    .map((revision) => {
      const sights = moment.timelines.get(revision.id)!;
      const { status } = statusAt(sights, now);
      const built =
        revision.config["image_uri"] ??
        revision.config["repo_ref"] ??
        revision.config["source_tarball_path"] ??
        "";
      return `<li>Revision ${revision.number} <b class="${tone(status)}">${escapeHtml(status)}</b>${moment.active?.id === revision.id ? " · active" : ""}
<span class="dim">by ${escapeHtml(revision.cause)} at ${time(revision.created_ms)}</span>${renderReason(revision, sights, now)}<div class="dim">${renderBuilt(String(built))} · <code>${revision.id}</code></div>${renderBar(sights, now)}${renderTimeline(sights, now)}${renderSpec(one, revision)}${renderArchive(world, revision)}${renderLogs(revision, sights, now)}</li>`;
    });
  const more =
    one.revisions.length > 10
      ? `<p class="dim">and ${one.revisions.length - 10} older revisions</p>`
      : "";
  return `<article><h3>${escapeHtml(one.name)}</h3><div class="dim">${escapeHtml(one.source)} · ${moment.status} · <code>${one.id}</code></div><ol class="runs">${revisions.join("")}</ol>${more}</article>`;
}

/** Mean of every score of an experiment; empty until the statistics are persisted. */
function meansOf(world: World, one: StoredSession): ReadonlyMap<string, number> {
  const stats: Json = one.statistics["feedback_stats"] ?? null;
  if (!isObject(stats) || world.now() < one.created_ms + world.settings.lags.statistics)
    return new Map();
  return new Map(
    Object.entries(stats as Readonly<Record<string, JsonObject>>).flatMap(([key, { avg }]) =>
      typeof avg === "number" ? [[key, avg] as const] : [],
    ),
  );
}

function renderExperiments(world: World, experiments: readonly StoredSession[]): string {
  if (experiments.length === 0)
    return `<p>None yet. <code>POST /api/v1/datasets/upload-experiment</code> makes one.</p>`;
  const rows = experiments.slice(0, 100).map((one) => {
    const scores = [...meansOf(world, one)]
      .map(([key, mean]) => `<span class="nw">${escapeHtml(key)} ${mean.toFixed(3)}</span>`)
      .join(", ");
    const dataset = world.store.get("datasets", one.dataset_id!)?.name ?? "";
    return `<tr><th scope="row">${escapeHtml(one.name)}</th><td>${scores === "" ? '<span class="dim">not yet</span>' : scores}</td><td>${escapeHtml(dataset)}</td><td class="n">${one.test_run_number}</td><td class="n">${String(one.statistics["run_count"] ?? "")}</td></tr>`;
  });
  return renderTable("Experiments", ["Experiment", "Mean scores", "Dataset", "Run", "Rows"], rows, {
    numbers: 2,
  });
}

/** A difference with its sign, in colour and with a word; a higher score counts as better, as in the rows. */
function signed(delta: number): string {
  const size = Math.abs(delta).toFixed(3);
  if (Number(size) === 0) return size;
  return delta > 0 ? `+${size} <b class="ok">better</b>` : `−${size} <b class="bad">worse</b>`;
}

function renderComparison(
  world: World,
  experiments: readonly StoredSession[],
  query: URLSearchParams,
): string {
  if (experiments.length < 2) return "";
  const find = (name: string, fallback: number): StoredSession =>
    experiments.find((one) => one.id === query.get(name)) ?? experiments[fallback]!;
  const base = find("base", 1);
  const head = find("head", 0);
  const picker = (name: string, chosen: StoredSession): string =>
    `<label>${name === "base" ? "base (before)" : "head (after)"} <select name="${name}">${experiments.map((one) => `<option value="${one.id}"${one === chosen ? " selected" : ""}>${escapeHtml(one.name)}</option>`).join("")}</select></label>`;
  const [before, after] = [meansOf(world, base), meansOf(world, head)];
  const same = base.dataset_id === head.dataset_id;
  const link = `/o/${head.tenant_id ?? "0"}/datasets/${head.dataset_id ?? ""}/compare?selectedSessions=${base.id}%2C${head.id}`;
  const rows = [...new Set([...before.keys(), ...after.keys()])].sort().map((key) => {
    const [a, b] = [before.get(key), after.get(key)];
    const show = (value: number | undefined): string => value?.toFixed(3) ?? "none";
    const delta = a === undefined || b === undefined ? "" : signed(b - a);
    return `<tr><th scope="row">${escapeHtml(key)}</th><td class="n">${show(a)}</td><td class="n">${show(b)}</td><td class="n">${delta}</td></tr>`;
  });
  if (rows.length === 0) rows.push(`<tr><td colspan="4" class="dim">no scores yet</td></tr>`);
  return `<h2>Comparison</h2><form method="get">${picker("base", base)} ${picker("head", head)} <button>Compare</button></form>
${renderTable("Comparison", ["Mean score", "base", "head", "difference"], rows, { numbers: 3 })}${same ? `<p><a href="${link}">Row by row</a></p>` : ""}`;
}

/** Requests that the page lists. */
const SHOWN = 20;

const answerOf = ({ status }: LoggedRequest): string =>
  status === null ? "broken" : String(status);

function timesOf(count: Json | undefined): string {
  if (count === 0) return "never";
  return count === 1 ? "once" : `${String(count)} times`;
}

/** The latest requests, and every fault with how often it was met. */
function renderActivity(requests: readonly LoggedRequest[], faults: readonly JsonObject[]): string {
  const rows = requests
    .slice(-SHOWN)
    .toReversed()
    .map((one) => {
      const bad = one.status === null || one.status >= 400 ? "bad" : "ok";
      return `<tr><td>${one.seq}</td><td><time datetime="${one.at}">${one.at.slice(11, 19)}</time></td><td>${escapeHtml(one.method)} <code>${escapeHtml(one.path)}</code></td><td><b class="${bad}">${answerOf(one)}</b></td><td>${escapeHtml(one.fault ?? "")}</td></tr>`;
    });
  const rules = faults.map(
    ({ route, kind, calls, met }) =>
      `<tr><td><code>${escapeHtml(String(route))}</code></td><td>${escapeHtml(String(kind))}</td><td>met ${timesOf(met)}, called ${timesOf(calls)}</td></tr>`,
  );
  const asked = renderTable("Requests", ["No.", "Time", "Request", "Status", "Fault"], rows);
  const met = renderTable("Faults", ["Route", "Kind", "So far"], rules);
  const older =
    requests.length > SHOWN
      ? `<p class="dim">The latest ${SHOWN}; <a href="/_emulator/requests">all of them</a> as JSON.</p>`
      : "";
  return `<details open><summary>Requests: ${requests.length}</summary>${rows.length === 0 ? "<p>None yet.</p>" : asked}${older}</details>
<details open><summary>Faults: ${faults.length}</summary>${rules.length === 0 ? "<p>None. <code>POST /_emulator/faults</code> or a scenario adds some.</p>" : met}</details>`;
}

/** Where the vendor's command line points: `/o/{tenant}/host/deployments/{id}`. */
const STATUS = /^\/o\/[^/]+\/host\/deployments\/([^/]+)\/?$/;

/** One deployment by itself; null where the path is of no deployment. */
export function renderStatusPage(world: World, url: URL): string | null {
  const id = STATUS.exec(url.pathname)?.[1]?.toLowerCase();
  const found = id === undefined ? undefined : world.store.get("deployments", id);
  if (found === undefined) return null;
  return renderFrame(
    found.name,
    `<header><h1>Emulator</h1><p class="dim">As of ${time(world.now())} UTC. <a href="/">All deployments and experiments</a></p></header><main>${renderDeployment(world, found)}</main>`,
  );
}

/**
 * The page at `/`: deployments with their revisions, experiments, a comparison of two
 * (`?base=…&head=…`). No script, no secret value.
 */
export function renderPage(
  world: World,
  query: URLSearchParams,
  requests: readonly LoggedRequest[],
  faults: readonly JsonObject[],
): string {
  const lags = world.settings.lags;
  const deployments = world.store
    .all("deployments")
    .filter((one) => one.deleted_ms === null || one.deleted_ms + lags.delete > world.now())
    .toReversed();
  const experiments = world.store
    .all("sessions")
    .filter((one) => one.dataset_id !== null)
    .toReversed();
  return renderFrame(
    `Emulator: ${deployments.length} deployments`,
    `<header><h1>Emulator</h1><p>An emulator of the deployment service on this machine. Nothing here is deployed anywhere.</p><p class="dim">As of ${time(world.now())} UTC. <a href="/">Refresh</a> · <a href="/_emulator/live">live</a> · <a href="/_emulator/requests">requests</a> · <a href="/_emulator/state">state</a> · <a href="/_emulator/choices">choices</a></p></header>
<main><h2>Deployments</h2>${
      deployments.length === 0
        ? "<p>None yet. <code>POST /v2/deployments</code> makes one.</p>"
        : failedFirst(world, deployments)
            .slice(0, 100)
            .map((one) => renderDeployment(world, one))
            .join("")
    }
<h2>Experiments</h2>${renderExperiments(world, experiments)}${renderComparison(world, experiments, query)}${renderActivity(requests, faults)}</main>`,
  );
}
