import type { Json, JsonObject } from "../../model/json.ts";
import { escapeHtml } from "./page-frame.ts";
import type { LoggedRequest } from "../http/request-log.ts";

const SHOWN = 20;

const statusOf = ({ status }: LoggedRequest): string =>
  status === null ? "broken" : String(status);

function timesOf(count: Json | undefined): string {
  if (count === 0) return "never";
  return count === 1 ? "once" : `${String(count)} times`;
}

const table = (label: string, heads: readonly string[], rows: readonly string[]): string =>
  `<div class="wide" tabindex="0" role="region" aria-label="${label}"><table><thead><tr>${heads.map((head) => `<th scope="col">${head}</th>`).join("")}</tr></thead><tbody>${rows.join("")}</tbody></table></div>`;

/** The latest requests, and every fault with how often it was met. */
export function renderActivity(
  requests: readonly LoggedRequest[],
  faults: readonly JsonObject[],
): string {
  const rows = requests
    .slice(-SHOWN)
    .toReversed()
    .map((one) => {
      const bad = one.status === null || one.status >= 400 ? "bad" : "ok";
      return `<tr><td>${one.seq}</td><td><time datetime="${one.at}">${one.at.slice(11, 19)}</time></td><td>${escapeHtml(one.method)} <code>${escapeHtml(one.path)}</code></td><td><b class="${bad}">${statusOf(one)}</b></td><td>${escapeHtml(one.fault ?? "")}</td></tr>`;
    });
  const rules = faults.map(
    ({ route, kind, calls, met }) =>
      `<tr><td><code>${escapeHtml(String(route))}</code></td><td>${escapeHtml(String(kind))}</td><td>met ${timesOf(met)}, called ${timesOf(calls)}</td></tr>`,
  );
  const asked = table("Requests", ["No.", "Time", "Request", "Status", "Fault"], rows);
  const met = table("Faults", ["Route", "Kind", "So far"], rules);
  const older =
    requests.length > SHOWN
      ? `<p class="dim">The latest ${SHOWN}; <a href="/_emulator/requests">all of them</a> as JSON.</p>`
      : "";
  return `<details open><summary>Requests: ${requests.length}</summary>${rows.length === 0 ? "<p>None yet.</p>" : asked}${older}</details>
<details open><summary>Faults: ${faults.length}</summary>${rules.length === 0 ? "<p>None. <code>POST /_emulator/faults</code> or a scenario adds some.</p>" : met}</details>`;
}
