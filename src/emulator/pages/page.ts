import { isObject, type Json, type JsonObject } from "../../model/json.ts";
import { linesOf } from "../deployments/log-tail.ts";
import { escapeHtml, renderFrame, renderTable } from "./page-frame.ts";
import { isGone } from "../deployments/deployment.ts";
import { iso, momentOf, stepOf, stepsOf, type Moment } from "../deployments/readback.ts";
import type { MetFault } from "../http/fault.ts";
import { type LoggedRequest, maskBody } from "../http/request-log.ts";
import { hasEnded, type StatusStep } from "../deployments/revision.ts";
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

/** An image with a shortened digest; the rest is shown on hover. */
function renderBuilt(built: string): string {
  const short = built.replace(/(@sha256:[0-9a-f]{12})[0-9a-f]{52}$/, "$1…");
  const title = short === built ? "" : ` title="${escapeHtml(built)}"`;
  return `<code${title}>${escapeHtml(short)}</code>`;
}

function tone(status: string): "ok" | "bad" | "run" {
  if (status === "DEPLOYED") return "ok";
  return /FAILED|INTERRUPTED|SKIPPED/.test(status) ? "bad" : "run";
}

function renderTimeline(seen: readonly StatusStep[]): string {
  const steps = seen.map((step, i) => {
    const next = seen[i + 1];
    const lasted = next === undefined ? "" : ` ${duration(next.at - step.at)}`;
    return `<li class="${tone(step.status)}">${escapeHtml(step.status)}<span class="dim">${lasted}</span></li>`;
  });
  return `<ol class="line" aria-label="Timeline">${steps.join("")}</ol>`;
}

/** Time in each phase, to scale; a run's last status takes no time. */
function renderBar(seen: readonly StatusStep[], now: number): string {
  const parts = seen.map((step, i) => {
    const until = seen[i + 1]?.at ?? (hasEnded(step.status) ? step.at : now);
    const ms = Math.round(until - step.at);
    const kind = /FAILED/.test(seen[i + 1]?.status ?? "") ? "bad" : "run";
    return ms > 0
      ? `<span class="${kind}" style="flex:${ms}" title="${escapeHtml(step.status)} ${duration(ms)}"></span>`
      : "";
  });
  const bar = parts.join("");
  return bar === "" ? "" : `<div class="bar" aria-hidden="true">${bar}</div>`;
}

/** Why a revision failed: its message, else the last error in its log. */
function renderReason(revision: StoredRevision, log: ReturnType<typeof linesOf>): string {
  const said = log.filter(({ level }) => level === "ERROR");
  const own = said.filter(({ message }) => revision.log.includes(message));
  const reason = revision.status_message ?? (own.at(-1) ?? said.at(-1))?.message;
  return reason === undefined ? "" : `<p class="why">${escapeHtml(reason)}</p>`;
}

/** A part of the page that can be folded, open only if `isOpen`. */
const renderDetails = (summary: string, html: string, isOpen = false): string =>
  `<details${isOpen ? " open" : ""}><summary>${summary}</summary>${html}</details>`;

/** What a revision was made from, without secret values. */
function renderSpec(one: StoredDeployment, revision: StoredRevision): string {
  const masked = maskBody({
    source: one.source,
    source_config: one.source_config,
    source_revision_config: revision.config,
  }) as JsonObject;
  const shown = { ...masked, secrets: one.secrets.map(({ name }) => name) };
  return renderDetails("Spec", `<pre>${escapeHtml(JSON.stringify(shown, null, 2))}</pre>`);
}

/** The files of the archive that a revision was built from. */
function renderArchive(world: World, revision: StoredRevision): string {
  const path = revision.config["source_tarball_path"];
  const archive = typeof path === "string" ? world.store.get("uploads", path)?.archive : undefined;
  if (archive === undefined || archive === null) return "";
  const files = archive.files
    .slice(0, 500)
    .map((file) => `${escapeHtml(file.path)} <span class="dim">${file.bytes} B</span>`);
  const summary = `Archive: ${archive.files.length} files, ${archive.bytes} B`;
  return renderDetails(summary, `<pre>${files.join("\n")}</pre>`);
}

function renderRevision(
  world: World,
  one: StoredDeployment,
  moment: Moment,
  revision: StoredRevision,
): string {
  const { status } = stepOf(moment, revision);
  const isBad = tone(status) === "bad";
  const seen = stepsOf(moment, revision).filter(({ at }) => at <= moment.now);
  const log = (["build", "deploy"] as const).flatMap((phase) => linesOf(moment, revision, phase));
  const text = log
    .map(({ at, level, message }) => `${iso(at).slice(11, 23)} ${level} ${message}`)
    .join("\n");
  const { image_uri, repo_ref, source_tarball_path } = revision.config;
  const built = renderBuilt(String(image_uri ?? repo_ref ?? source_tarball_path ?? ""));
  const mark = moment.active?.id === revision.id ? " · active" : "";
  return [
    `<li>Revision ${revision.number} <b class="${tone(status)}">${escapeHtml(status)}</b>${mark}\n`,
    `<span class="dim">by ${escapeHtml(revision.cause)} at ${time(revision.created_ms)}</span>`,
    isBad ? renderReason(revision, log) : "",
    `<div class="dim">${built} · <code>${revision.id}</code></div>`,
    renderBar(seen, moment.now),
    renderTimeline(seen),
    renderSpec(one, revision),
    renderArchive(world, revision),
    log.length === 0 ? "" : renderDetails("Logs", `<pre>${escapeHtml(text)}</pre>`, isBad),
    "</li>",
  ].join("");
}

/** How many revisions of a deployment the page shows. */
const MAX_REVISIONS = 10;

function renderDeployment(world: World, one: StoredDeployment, moment: Moment): string {
  const revisions = moment.revisions
    .toReversed()
    .slice(0, MAX_REVISIONS)
    .map((revision) => renderRevision(world, one, moment, revision));
  const more = moment.revisions.length - MAX_REVISIONS;
  const older = more > 0 ? `<p class="dim">and ${more} older revisions</p>` : "";
  return [
    `<article><h3>${escapeHtml(one.name)}</h3>`,
    `<div class="dim">${escapeHtml(one.source)} · ${moment.status} · <code>${one.id}</code></div>`,
    `<ol class="runs">${revisions.join("")}</ol>`,
    `${older}</article>`,
  ].join("");
}

/** Deployments whose newest revision failed come first, then the newest. */
function renderDeployments(world: World): string {
  const shown = world.store
    .all("deployments")
    .filter((one) => !isGone(world, one))
    .toReversed()
    .map((one) => ({ one, moment: momentOf(world, one) }));
  const failed = ({ moment }: (typeof shown)[number]): number =>
    moment.newest !== null && /FAILED|INTERRUPTED/.test(stepOf(moment, moment.newest).status)
      ? 0
      : 1;
  return shown
    .toSorted((a, b) => failed(a) - failed(b))
    .slice(0, 100)
    .map(({ one, moment }) => renderDeployment(world, one, moment))
    .join("");
}

/** Mean of every score of an experiment; empty until the statistics are computed. */
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

/** A difference with its sign, colour and a word; higher counts as better, as in the rows. */
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

/** How many requests the page lists. */
const SHOWN = 20;

function timesOf(count: number): string {
  if (count === 0) return "never";
  return count === 1 ? "once" : `${count} times`;
}

/** The latest requests, and every fault with how often it occurred. */
function renderActivity(requests: readonly LoggedRequest[], faults: readonly MetFault[]): string {
  const rows = requests
    .slice(-SHOWN)
    .toReversed()
    .map((one) => {
      const bad = one.status === null || one.status >= 400 ? "bad" : "ok";
      return `<tr><td>${one.seq}</td><td><time datetime="${one.at}">${one.at.slice(11, 19)}</time></td><td>${escapeHtml(one.method)} <code>${escapeHtml(one.path)}</code></td><td><b class="${bad}">${one.status ?? "broken"}</b></td><td>${escapeHtml(one.fault ?? "")}</td></tr>`;
    });
  const rules = faults.map(
    ({ route, kind, calls, met }) =>
      `<tr><td><code>${escapeHtml(route)}</code></td><td>${escapeHtml(kind)}</td><td>met ${timesOf(met)}, called ${timesOf(calls)}</td></tr>`,
  );
  const asked = renderTable("Requests", ["No.", "Time", "Request", "Status", "Fault"], rows);
  const met = renderTable("Faults", ["Route", "Kind", "So far"], rules);
  const older =
    requests.length > SHOWN
      ? `<p class="dim">The latest ${SHOWN}; <a href="/_emulator/requests">all of them</a> as JSON.</p>`
      : "";
  const none = "<p>None. <code>POST /_emulator/faults</code> or a scenario adds some.</p>";
  return [
    renderDetails(
      `Requests: ${requests.length}`,
      rows.length === 0 ? "<p>None yet.</p>" : `${asked}${older}`,
      true,
    ),
    renderDetails(`Faults: ${faults.length}`, rules.length === 0 ? none : met, true),
  ].join("\n");
}

/** Where the vendor's command line points: `/o/{tenant}/host/deployments/{id}`. */
const STATUS = /^\/o\/[^/]+\/host\/deployments\/([^/]+)\/?$/;

/** The page of one deployment; null if the path names none. */
export function renderStatusPage(world: World, url: URL): string | null {
  const id = STATUS.exec(url.pathname)?.[1]?.toLowerCase();
  const found = id === undefined ? undefined : world.store.get("deployments", id);
  if (found === undefined || isGone(world, found)) return null;
  return renderFrame(
    found.name,
    `<header><h1>Emulator</h1><p class="dim">As of ${time(world.now())} UTC. <a href="/">All deployments and experiments</a></p></header><main>${renderDeployment(world, found, momentOf(world, found))}</main>`,
  );
}

/**
 * The page at `/`: deployments with their revisions, experiments, a comparison of two
 * (`?base=…&head=…`). No script, no secret values.
 */
export function renderPage(
  world: World,
  query: URLSearchParams,
  requests: readonly LoggedRequest[],
  faults: readonly MetFault[],
): string {
  const deployments = renderDeployments(world);
  const experiments = world.store
    .all("sessions")
    .filter((one) => one.dataset_id !== null)
    .toReversed();
  const count = world.store.all("deployments").filter((one) => !isGone(world, one)).length;
  return renderFrame(
    `Emulator: ${count} deployments`,
    `<header><h1>Emulator</h1><p>An emulator of the deployment service on this machine. Nothing here is deployed anywhere.</p><p class="dim">As of ${time(world.now())} UTC. <a href="/">Refresh</a> · <a href="/_emulator/live">live</a> · <a href="/_emulator/requests">requests</a> · <a href="/_emulator/state">state</a> · <a href="/_emulator/choices">choices</a></p></header>
<main><h2>Deployments</h2>${deployments === "" ? "<p>None yet. <code>POST /v2/deployments</code> makes one.</p>" : deployments}
<h2>Experiments</h2>${renderExperiments(world, experiments)}${renderComparison(world, experiments, query)}${renderActivity(requests, faults)}</main>`,
  );
}
