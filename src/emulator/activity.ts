import type { Json, JsonObject } from "../model/json.ts";
import { escapeHtml } from "./page-frame.ts";
import type { LoggedRequest } from "./request-log.ts";

const SHOWN = 50;

const statusOf = ({ status }: LoggedRequest): string =>
  status === null ? "broken" : String(status);

function timesOf(count: Json | undefined): string {
  if (count === 0) return "never";
  return count === 1 ? "once" : `${String(count)} times`;
}

/** The latest requests and every fault with how often it was met, folded up. */
export function renderActivity(
  requests: readonly LoggedRequest[],
  faults: readonly JsonObject[],
): string {
  const rows = requests
    .slice(-SHOWN)
    .toReversed()
    .map((one) => {
      const bad = one.status === null || one.status >= 400 ? "bad" : "ok";
      return `<tr><td class="n">${one.seq}</td><td>${escapeHtml(one.method)} <code>${escapeHtml(one.path)}</code></td><td><b class="${bad}">${statusOf(one)}</b></td><td>${escapeHtml(one.fault ?? "")}</td></tr>`;
    });
  const rules = faults.map(
    ({ route, kind, calls, met }) =>
      `<li><code>${escapeHtml(String(route))}</code> ${escapeHtml(String(kind))}: met ${timesOf(met)}, called ${timesOf(calls)}</li>`,
  );
  const table = `<div class="wide" tabindex="0" role="region" aria-label="Requests"><table><thead><tr><th scope="col" class="n">No.</th><th scope="col">Request</th><th scope="col">Status</th><th scope="col">Fault</th></tr></thead><tbody>${rows.join("")}</tbody></table></div>`;
  return `<details><summary>Requests: ${requests.length}</summary>${table}</details>
<details><summary>Faults: ${faults.length}</summary><ul>${rules.join("")}</ul></details>`;
}
