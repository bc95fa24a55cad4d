import { cut, cutPair, inFence, LINE_CHARS, toVisible } from "./escape.ts";
import { KNOWN_AT_APPLY } from "../spec/desired.ts";
import type { DeploymentReport } from "./report.ts";
import { renderDetails } from "./table.ts";
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
  const planned = toPlanGroups(one);
  if (planned.length === 0) return "";
  const rows = planned.flatMap(({ members }) => members);
  const width = Math.min(MAX_PATH, Math.max(...rows.map(({ name }) => name.length)));
  const groups = planned.map(({ title, members }) => ({
    title,
    entries: members.slice(0, maxRows).map((row) => entry(row, width)),
  }));
  const total = groups.reduce((sum, group) => sum + linesOf(group.entries), 0);
  const { open, folded } = split(groups, total <= OPEN_LINES + 3 ? Infinity : OPEN_LINES);
  const hidden = folded.reduce((sum, { entries }) => sum + entries.length, 0);
  const shownRows = groups.reduce((sum, { entries }) => sum + entries.length, 0);
  const cutOff = rows.length - shownRows;
  return [
    open.length === 0 ? "" : inFence("diff", toLines(open)),
    hidden === 0
      ? ""
      : renderDetails(`${plural(hidden, "more change")}`, inFence("diff", toLines(folded))),
    cutOff === 0 ? "" : `… and ${plural(cutOff, shownRows === 0 ? "change" : "more change")}`,
  ]
    .filter((block) => block !== "")
    .join("\n\n");
}

interface Group {
  readonly title: string;
  readonly entries: readonly (readonly string[])[];
}

const linesOf = (entries: Group["entries"]): number =>
  entries.reduce((sum, lines) => sum + lines.length, 0);

/** A line of a plan with its short name. */
export interface NamedRow extends ChangeRow {
  readonly name: string;
}

/** The changes of a plan with one effect. */
export interface PlanGroup {
  readonly title: string;
  readonly members: readonly NamedRow[];
}

/** A plan as every sink shows it: changes grouped by effect, under the shortest distinct names. */
export function toPlanGroups({ action, changes }: DeploymentReport): readonly PlanGroup[] {
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

/** Splits groups after `most` lines, never within a change. */
function split(groups: readonly Group[], most: number): { open: Group[]; folded: Group[] } {
  const [open, folded]: [Group[], Group[]] = [[], []];
  let left = most;
  for (const { title, entries } of groups) {
    let kept = 0;
    while (kept < entries.length && entries[kept]!.length <= left) {
      left -= entries[kept]!.length;
      kept += 1;
    }
    if (kept < entries.length) left = 0;
    if (kept > 0) open.push({ title, entries: entries.slice(0, kept) });
    if (kept < entries.length) folded.push({ title, entries: entries.slice(kept) });
  }
  return { open, folded };
}

function toLines(groups: readonly Group[]): readonly string[] {
  return groups.flatMap(({ title, entries }) => [`@@ ${title} @@`, ...entries.flat()]);
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
  if (row.word) return [`${WORD_SIGNS[row.kind]} ${name} ${secretWords(row)}`];
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

/** Describes a value that is not shown. */
function secretWords({ path, kind, after, atApply }: ChangeRow): string {
  const noun = path.startsWith("secrets.") ? "secret" : "hidden value";
  const later = atApply === true ? ` ${KNOWN_AT_APPLY}` : "";
  if (kind === "add" || kind === "remove") return `${noun}${later}`;
  const how = after === null || later !== "" || after === "changed" ? `new value${later}` : after;
  return `${noun}, ${how}`;
}

function sides(row: ChangeRow, room: number): readonly [string | null, string | null] {
  const shown = (value: string | null): string | null =>
    value === null ? null : toVisible(value) || '""';
  const [before, after] = [shown(row.before), shown(row.after)];
  if (before !== null && after !== null) return cutPair(before, after, room);
  return [before === null ? null : cut(before, room), after === null ? null : cut(after, room)];
}
