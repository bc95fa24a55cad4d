import { cut, cutPair, inFence, LINE_CHARS, toVisible } from "./escape.ts";
import type { DeploymentReport } from "./report.ts";
import { joinBlocks, renderDetails } from "./table.ts";
import { plural } from "../model/count-words.ts";
import { toChangeRows, type ChangeRow } from "./wording.ts";

const MAX_PATH = 20;
/** How many lines of a plan are open; the rest is folded. */
const OPEN_LINES = 15;

const GROUPS: readonly (readonly [ChangeRow["effect"], string])[] = [
  ["impossible", "cannot be changed: - live, + spec"],
  ["new-revision", "makes a new revision"],
  ["may make a revision", "may make a revision"],
  ["next-build", "waits for the next build"],
  ["in-place", "in place, no revision"],
];

/** The plan as a diff, grouped by effect; empty if nothing changes. */
export function renderPlanDiff(one: DeploymentReport, maxRows: number): string {
  const groups = toPlanGroups(one);
  const rows = groups.flatMap(({ members }) => members);
  const width = Math.min(MAX_PATH, Math.max(0, ...rows.map(({ name }) => name.length)));
  const entries = groups.flatMap(({ title, members }) =>
    members.slice(0, maxRows).map((row) => ({ title, lines: entry(row, width) })),
  );
  const open = entries.slice(0, countOpen(entries));
  const folded = entries.slice(open.length);
  const cutOff = rows.length - entries.length;
  return joinBlocks([
    open.length === 0 ? "" : inFence("diff", toLines(open)),
    folded.length === 0
      ? ""
      : renderDetails(plural(folded.length, "more change"), inFence("diff", toLines(folded))),
    cutOff === 0 ? "" : `… and ${plural(cutOff, entries.length === 0 ? "change" : "more change")}`,
  ]);
}

interface Entry {
  readonly title: string;
  readonly lines: readonly string[];
}

/** How many changes are open: whole ones, and all of them if few lines would be folded. */
function countOpen(entries: readonly Entry[]): number {
  let end = 0;
  const ends = entries.map(({ lines }) => (end += lines.length));
  if ((ends.at(-1) ?? 0) <= OPEN_LINES + 3) return entries.length;
  return ends.filter((end) => end <= OPEN_LINES).length;
}

const toLines = (entries: readonly Entry[]): readonly string[] =>
  entries.flatMap(({ title, lines }, at) =>
    title === entries[at - 1]?.title ? lines : [`@@ ${title} @@`, ...lines],
  );

/** A line of a plan with its short name. */
export interface NamedRow extends ChangeRow {
  readonly name: string;
}

/** A plan as every sink shows it: changes grouped by effect, under the shortest distinct names. */
export function toPlanGroups({ action, changes }: DeploymentReport) {
  const rows = toChangeRows(changes);
  const names = shortPaths(rows.map((row) => row.path));
  const named = rows.map((row) => ({ ...row, name: names.get(row.path)! }));
  if (action === "create" && rows.every((row) => row.effect !== "impossible"))
    return rows.length === 0 ? [] : [{ title: "set on creation", members: named }];
  return GROUPS.map(([effect, title]) => ({
    title,
    members: named.filter((row) => row.effect === effect),
  })).filter(({ members }) => members.length > 0);
}

/** Paths without the prefixes that every reader knows, as long as they stay distinct. */
function shortPaths(paths: readonly string[]): ReadonlyMap<string, string> {
  const short = (path: string): string =>
    path
      .replace(/^source_(?:revision_)?config\./, "")
      .replace(/^(?:resource_spec|secrets)\.(?=.)/, "");
  const counts = new Map<string, number>();
  for (const path of new Set(paths)) counts.set(short(path), (counts.get(short(path)) ?? 0) + 1);
  return new Map(paths.map((path) => [path, counts.get(short(path)) === 1 ? short(path) : path]));
}

function entry(row: NamedRow, width: number): readonly string[] {
  const path = cut(toVisible(row.name), MAX_PATH + (row.word ? 4 : 0)).padEnd(width);
  return planLines(row, path, Math.max(16, LINE_CHARS - 3 - path.length));
}

/** A change after its sign and name: a word for a secret, or the live value above the wanted one. */
export function planLines(row: ChangeRow, name: string, room: number): readonly string[] {
  if (row.word) return [`${WORD_SIGNS[row.kind]} ${name} ${row.after}`];
  const [before, after] = sides(row, room);
  return [
    ...(before === null ? [] : [`- ${name} ${before}`]),
    ...(after === null ? [] : [`+ ${name} ${after}`]),
  ].map((line) => line.trimEnd());
}

const WORD_SIGNS: Readonly<Record<ChangeRow["kind"], string>> = {
  add: "+",
  remove: "-",
  change: "!",
  impossible: "!",
};

function sides(row: ChangeRow, room: number): readonly [string | null, string | null] {
  const shown = (value: string | null): string | null =>
    value === null ? null : toVisible(value) || '""';
  const [before, after] = [shown(row.before), shown(row.after)];
  if (before !== null && after !== null) return cutPair(before, after, room);
  return [before === null ? null : cut(before, room), after === null ? null : cut(after, room)];
}
