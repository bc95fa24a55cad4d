import { isObject, type Json, type JsonObject } from "./json.ts";
import { iso, momentOf } from "./readback.ts";
import { statusAt, type Sight } from "./revision.ts";
import type { StoredDeployment, StoredSession } from "./store.ts";
import type { World } from "./world.ts";

const escape = (text: string): string =>
  text.replace(/[&<>"']/g, (found) => `&#${found.charCodeAt(0)};`);
const time = (ms: number): string =>
  `<time datetime="${iso(ms)}">${iso(ms).slice(0, 19).replace("T", " ")}</time>`;

/** `0.4 s`, `37 s`, `6 m 12 s`. */
function duration(ms: number): string {
  if (ms < 9950) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} m ${seconds % 60} s`;
}

const STYLE = `
:root{color-scheme:light dark;--fg:#1c2024;--dim:#5b6470;--bg:#fff;--line:#d5dae0;--soft:#f4f6f8;--ok:#116329;--bad:#a40e26;--run:#0550ae}
@media(prefers-color-scheme:dark){:root{--fg:#e6e9ec;--dim:#9aa4af;--bg:#14171a;--line:#363c43;--soft:#1d2226;--ok:#5fd07f;--bad:#ff8f99;--run:#7ab8ff}}
body{margin:0 auto;max-width:64rem;padding:1rem;font:1rem/1.5 system-ui,sans-serif;color:var(--fg);background:var(--bg)}
h1{font-size:1.5rem;margin:.5rem 0}h2{font-size:1.2rem;margin:2rem 0 .5rem}h3{font-size:1.05rem;margin:0}p{margin:.3rem 0}
a{color:var(--run)}article{border:1px solid var(--line);border-radius:.5rem;padding:.8rem 1rem;margin:.8rem 0}
.dim{color:var(--dim);font-size:.875rem}.why{color:var(--bad);font-size:.875rem;margin:0}.nw{white-space:nowrap}code{font-size:.875rem;overflow-wrap:anywhere}
ol.runs{list-style:none;padding:0;margin:.6rem 0 0}ol.runs>li{border-top:1px solid var(--line);padding:.5rem 0}
ol.line{display:flex;flex-wrap:wrap;gap:.25rem;list-style:none;padding:0;margin:.3rem 0 0}
ol.line li{background:var(--soft);border-left:.25rem solid var(--run);padding:.1rem .5rem;font-size:.8rem}
ol.line li.ok{border-color:var(--ok)}ol.line li.bad{border-color:var(--bad)}
b.ok{color:var(--ok)}b.bad{color:var(--bad)}b.run{color:var(--run)}
form{margin-bottom:.6rem;display:flex;flex-wrap:wrap;gap:.6rem;align-items:end}label{display:grid;font-size:.875rem}select{max-width:80vw}
.wide{overflow-x:auto}table{border-collapse:collapse;width:100%}th,td{text-align:left;padding:.35rem .6rem;border-bottom:1px solid var(--line)}td.n,th.n{text-align:right;font-variant-numeric:tabular-nums}
button,select{font:inherit;padding:.25rem .6rem}:focus-visible{outline:2px solid var(--run);outline-offset:2px}
`;

const tone = (status: string): "ok" | "bad" | "run" =>
  status === "DEPLOYED" ? "ok" : /FAILED|INTERRUPTED|SKIPPED/.test(status) ? "bad" : "run";

function renderTimeline(sights: readonly Sight[], now: number): string {
  const seen = sights.filter((sight) => sight.at <= now);
  const steps = seen.map((sight, i) => {
    const next = seen[i + 1];
    const lasted = next === undefined ? "" : ` ${duration(next.at - sight.at)}`;
    return `<li class="${tone(sight.status)}">${escape(sight.status)}<span class="dim">${lasted}</span></li>`;
  });
  return `<ol class="line" aria-label="Timeline">${steps.join("")}</ol>`;
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
      const built = revision.config["image_uri"] ?? revision.config["repo_ref"] ?? "";
      const why =
        revision.status_message !== null && tone(status) === "bad"
          ? `<p class="why">${escape(revision.status_message)}</p>`
          : "";
      return `<li>Revision ${revision.number} <b class="${tone(status)}">${escape(status)}</b>${moment.active?.id === revision.id ? " · active" : ""}
<span class="dim">by ${escape(revision.cause)} at ${time(revision.created_ms)}</span>${why}<div class="dim"><code>${escape(String(built))}</code> · <code>${revision.id}</code></div>${renderTimeline(sights, now)}</li>`;
    });
  const more =
    one.revisions.length > 10
      ? `<p class="dim">and ${one.revisions.length - 10} older revisions</p>`
      : "";
  return `<article><h3>${escape(one.name)}</h3><div class="dim">${escape(one.source)} · ${moment.status} · <code>${one.id}</code></div><ol class="runs">${revisions.join("")}</ol>${more}</article>`;
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
      .map(([key, mean]) => `<span class="nw">${escape(key)} ${mean.toFixed(3)}</span>`)
      .join(", ");
    const dataset = world.store.get("datasets", one.dataset_id!)?.name ?? "";
    return `<tr><th scope="row">${escape(one.name)}</th><td>${escape(dataset)}</td><td class="n">${one.test_run_number}</td><td class="n">${String(one.statistics["run_count"] ?? "")}</td><td>${scores === "" ? '<span class="dim">not yet</span>' : scores}</td></tr>`;
  });
  return `<div class="wide" tabindex="0" role="region" aria-label="Experiments"><table><thead><tr><th scope="col">Experiment</th><th scope="col">Dataset</th><th scope="col" class="n">Run</th><th scope="col" class="n">Rows</th><th scope="col">Mean scores</th></tr></thead><tbody>${rows.join("")}</tbody></table></div>`;
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
    `<label>${name === "base" ? "base (before)" : "head (after)"} <select name="${name}">${experiments.map((one) => `<option value="${one.id}"${one === chosen ? " selected" : ""}>${escape(one.name)}</option>`).join("")}</select></label>`;
  const [before, after] = [meansOf(world, base), meansOf(world, head)];
  const rows = [...new Set([...before.keys(), ...after.keys()])].sort().map((key) => {
    const [a, b] = [before.get(key), after.get(key)];
    const show = (value: number | undefined): string => value?.toFixed(3) ?? "none";
    const delta =
      a === undefined || b === undefined
        ? ""
        : `${b >= a ? "+" : "−"}${Math.abs(b - a).toFixed(3)}`;
    return `<tr><th scope="row">${escape(key)}</th><td class="n">${show(a)}</td><td class="n">${show(b)}</td><td class="n">${delta}</td></tr>`;
  });
  if (rows.length === 0) rows.push(`<tr><td colspan="4" class="dim">no scores yet</td></tr>`);
  return `<h2>Comparison</h2><form method="get">${picker("base", base)} ${picker("head", head)} <button>Compare</button></form>
<div class="wide" tabindex="0" role="region" aria-label="Comparison"><table><thead><tr><th scope="col">Mean score</th><th scope="col" class="n">base</th><th scope="col" class="n">head</th><th scope="col" class="n">difference</th></tr></thead><tbody>${rows.join("")}</tbody></table></div>`;
}

/** The page at `/`: deployments with their revisions, experiments, a comparison of two (`?base=…&head=…`). No script, no secret value. */
export function renderPage(world: World, query: URLSearchParams): string {
  const lags = world.settings.lags;
  const deployments = world.store
    .all("deployments")
    .filter((one) => one.deleted_ms === null || one.deleted_ms + lags.delete > world.now())
    .toReversed();
  const experiments = world.store
    .all("sessions")
    .filter((one) => one.dataset_id !== null)
    .toReversed();
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>Emulator: ${deployments.length} deployments</title><style>${STYLE}</style></head><body>
<header><h1>Emulator</h1><p>A stand-in for the deployment service, on this machine. Nothing here is deployed anywhere.</p><p class="dim">As of ${time(world.now())} UTC. <a href="/">Refresh</a> · <a href="/_emulator/requests">requests</a> · <a href="/_emulator/state">state</a> · <a href="/_emulator/choices">choices</a></p></header>
<main><h2>Deployments</h2>${
    deployments.length === 0
      ? "<p>None yet. <code>POST /v2/deployments</code> makes one.</p>"
      : deployments
          .slice(0, 100)
          .map((one) => renderDeployment(world, one))
          .join("")
  }
<h2>Experiments</h2>${renderExperiments(world, experiments)}${renderComparison(world, experiments, query)}</main></body></html>`;
}
