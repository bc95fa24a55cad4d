import { examplesWithRuns, sessionsOf, type KeptRun } from "../experiments/experiment-rows.ts";
import { isObject, type Json } from "../../model/json.ts";
import { splitWords } from "../http/parameter.ts";
import { escapeHtml, renderFrame, renderTable } from "./page-frame.ts";
import type { StoredSession } from "../state/store.ts";
import { scoreOf } from "../experiments/statistics.ts";
import type { World } from "../world.ts";

/** The page that experiment links point to: `/o/{tenant}/datasets/{dataset}/compare?selectedSessions=a%2Cb`. */
const COMPARE = /^\/o\/[^/]+\/datasets\/([^/]+)(?:\/compare)?\/?$/;
const MAX_ROWS = 1000;

/** JSON on one line, but a mapping as one line per key: `question: How do I …`. */
function toText(value: Json): string {
  if (!isObject(value)) return JSON.stringify(value) ?? "";
  return Object.entries(value)
    .map(([key, item]) => `${key}: ${typeof item === "string" ? item : JSON.stringify(item)}`)
    .join("\n");
}

const short = (value: Json): string => {
  const text = toText(value);
  return escapeHtml(text.length > 300 ? `${text.slice(0, 299)}…` : text);
};

function scoresOf(run: KeptRun | undefined): ReadonlyMap<string, number> {
  const scores = (run?.row.evaluation_scores ?? []).flatMap((one) => {
    const score = scoreOf(one);
    return score === null ? [] : [[String(one["key"]), score] as const];
  });
  return new Map(scores);
}

/** The column's name is shown next to the cell if the screen is too narrow for a table. */
function renderCell(run: KeptRun | undefined, name: string): string {
  const label = ` data-label="${escapeHtml(name)}"`;
  if (run === undefined) return `<td class="dim"${label}>not run</td>`;
  const scores = [...scoresOf(run)].map(
    ([key, score]) => `<span class="nw">${escapeHtml(key)} ${String(score)}</span>`,
  );
  const error =
    run.row.error === null ? "" : `<p class="why">${escapeHtml(run.row.error.slice(0, 300))}</p>`;
  return `<td${label}><code>${short(run.row.actual_outputs)}</code>${error}<div class="dim">${scores.join(", ")}</div></td>`;
}

/**
 * The largest drop of a score from the first experiment to the last; rows with the largest drops
 * come first. Below 0 if no score dropped and one rose; infinite if only one of the two crashed.
 */
function fallOf(runs: readonly (KeptRun | undefined)[]): number {
  const [before, after] = [scoresOf(runs[0]), scoresOf(runs.at(-1))];
  const falls = [...before].flatMap(([key, score]) => {
    const now = after.get(key);
    return now === undefined ? [] : [score - now];
  });
  const [crashedBefore, crashedAfter] = [runs[0], runs.at(-1)].map(
    (run) => (run?.row.error ?? null) !== null,
  );
  if (crashedBefore !== crashedAfter && runs[0] !== undefined && runs.at(-1) !== undefined)
    return crashedAfter === true ? Infinity : -Infinity;
  const worst = Math.max(0, ...falls);
  return worst > 0 ? worst : Math.min(0, ...falls);
}

function markOf(fall: number): string {
  if (fall > 0) return `<b class="bad">worse</b> `;
  return fall < 0 ? `<b class="ok">better</b> ` : "";
}

function renderRows(world: World, sessions: readonly StoredSession[]): string {
  const rows = examplesWithRuns(world, sessions)
    .map((one) => one.runs())
    .map((all) => {
      const runs = sessions.map(({ id }) => all.find((run) => run.session.id === id));
      return { row: all[0]!.row, runs, fall: fallOf(runs) };
    })
    .sort((a, b) => Number(b.fall > a.fall) - Number(b.fall < a.fall));
  const lines = rows.slice(0, MAX_ROWS).map(({ row, runs, fall }) => {
    return `<tr><th scope="row">${sessions.length > 1 ? markOf(fall) : ""}<code>${short(row.inputs)}</code></th><td data-label="Expected"><code>${short(row.expected_outputs)}</code></td>${runs.map((run, at) => renderCell(run, sessions[at]?.name ?? "")).join("")}</tr>`;
  });
  const heads = sessions.map(({ name }) => escapeHtml(name));
  const more =
    rows.length > MAX_ROWS ? `<p class="dim">and ${rows.length - MAX_ROWS} more rows</p>` : "";
  return `${renderTable("Rows", ["Inputs", "Expected", ...heads], lines, { kind: "rows" })}${more}`;
}

/** The comparison by row, worst first; null if the path is not this page's, or names no known dataset. */
export function renderComparePage(world: World, url: URL): string | null {
  const found = COMPARE.exec(url.pathname);
  const dataset = found === null ? undefined : world.store.get("datasets", found[1]!.toLowerCase());
  if (dataset === undefined) return null;
  const all = sessionsOf(world, dataset.id);
  const ids = splitWords(url.searchParams.get("selectedSessions") ?? "");
  const chosen = ids.flatMap((id) => all.filter((one) => one.id === id.toLowerCase()));
  const sessions = chosen.length > 0 ? chosen : all.slice(-2);
  const title = `${dataset.name}: ${sessions.map(({ name }) => name).join(" and ")}`;
  const what =
    sessions.length > 1
      ? "Rows that got worse come first, those that got better last."
      : "One experiment.";
  return renderFrame(
    title,
    `<header><h1>${escapeHtml(dataset.name)}</h1><p class="dim">${what} <a href="/">All deployments and experiments</a></p></header><main>${renderRows(world, sessions)}</main>`,
  );
}
