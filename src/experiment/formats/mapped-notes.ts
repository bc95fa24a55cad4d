import { plural } from "../../model/count-words.ts";
import { columnsOf, hasRole } from "./mapping-draft-columns.ts";
import { otherLists } from "./mapping-draft-rows.ts";
import { surenessOf } from "./mapping-draft-roles.ts";
import type { RepeatNotes } from "./format.ts";
import type { Mapping } from "./mapping.ts";
import { multipliersOf } from "./multipliers.ts";
import { failureLists, type JsonRow } from "./row-lists.ts";

/** Warns of crashed cases that a mapping leaves out: a crash would count as better than a wrong answer. */
export function warnOfFailures(
  document: unknown,
  { rows: [rows = ""], moreRows }: Mapping,
): string[] {
  return failureLists(document, rows)
    .filter(({ path, items }) => items.length > 0 && !moreRows.includes(path))
    .map(
      ({ path, items }) =>
        `the file has ${plural(items.length, "entry", "entries")} under ${path} that the mapping does not read: cases that crashed are rows too (rows: [${[rows, ...moreRows, path].join(", ")}], with an error)`,
    );
}

/** Lists of rows that a mapping leaves out: half of a run would look like the whole. */
export function warnOfLists(
  document: unknown,
  { rows: [rows = ""], moreRows, fields }: Mapping,
): string[] {
  if (rows === "") return [];
  const read = [rows, ...moreRows];
  const summaries = fields.flatMap(({ field, source: { column } }) =>
    field === "summary_experiment_scores" ? (column?.names ?? []) : [],
  );
  const others = otherLists(document, [...read, ...summaries]);
  if (others.length === 0) return [];
  const names = others.slice(0, 10).map((list) => `${list.path} (${list.rows.length})`);
  return [
    `the file has other lists of rows that the mapping does not read: ${names.join(", ")}; rows: [${[...read, others[0]!.path].join(", ")}] reads ${others[0]!.path} too`,
  ];
}

/** How many rows are checked for repeats and multipliers. */
const MAX_ROWS = 20_000;
const MAX_SAMPLE = 1000;
/** How much of them is kept: a file may be larger than the memory. */
const MAX_SAMPLE_CHARS = 8 * 1024 * 1024;

/**
 * Collects repeats of a mapped file; `mapped` are the columns that the mapping reads. In a tool's
 * file repeats are usual, so that only a column such as `model` is reported.
 */
export function createRepeatNotes(mapped: ReadonlySet<string>, isTools: boolean): RepeatNotes {
  const counts = new Map<string, number>();
  const names: string[] = [];
  const sample: JsonRow[] = [];
  let [rows, sampled] = [0, 0];
  const add: RepeatNotes["add"] = ({ repeat, group, part, record = {} }, example) => {
    rows += 1;
    if (rows > MAX_ROWS || repeat !== undefined) return;
    const name = `${example.toString("latin1")},${group?.key ?? ""},${part?.key ?? ""}`;
    counts.set(name, (counts.get(name) ?? 0) + 1);
    if (sample.length === MAX_SAMPLE || sampled > MAX_SAMPLE_CHARS) return;
    sampled += JSON.stringify(record).length;
    names.push(name);
    sample.push(record);
  };
  const warnings = (): string[] => {
    const most = Math.max(0, ...counts.values());
    const counted = [...counts.values()].reduce((sum, count) => sum + count, 0);
    if (most < 2) return [];
    const more = rows > counted ? `the first ${counted} rows are` : `${rows} rows are`;
    const line = `${more} ${plural(counts.size, "example")} with up to ${most} repeats each`;
    const columns = columnsOf(sample, [], false).filter(
      (column) =>
        !mapped.has(column.path) &&
        !(["REPEAT", "REASON", "OUTPUT", "ERROR"] as const).some((role) => hasRole(column, role)) &&
        (hasRole(column, "VARIANT") ||
          (!isTools && !["sure", "likely"].includes(surenessOf(column, rows)))),
    );
    const [arm] = multipliersOf([names], columns, (one) => Number(hasRole(one, "VARIANT")));
    if (arm === undefined) return isTools ? [] : [line];
    const values = new Set(arm.cells.map(String)).size;
    const advice = isTools
      ? `if they are not repeats, judge a file for each, or write a mapping with ${arm.path} in identity`
      : "add it to inputs or identity if they are not repeats";
    return [`${line}: ${arm.path} has ${values} values that multiply the rows; ${advice}`];
  };
  return { add, warnings };
}
