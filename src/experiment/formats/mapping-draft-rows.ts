import { isObject } from "../../model/json.ts";
import { parseLenientJson } from "../input/lenient-json.ts";
import type { Head } from "./format.ts";
import { firstRecords } from "./csv-records.ts";
import { type Orientation, tableRows } from "./nested-rows.ts";
import { failureLists, isScoreList, type JsonRow, type RowList, rowListsIn } from "./row-lists.ts";
import {
  type Column,
  columnsOf,
  hasRole,
  isId,
  isNumberedAnew,
  scoresIn,
} from "./mapping-draft-columns.ts";
import type { WrittenMapping } from "./mapping-draft-lines.ts";
import { isMetricName, metricsAmong } from "./mapping-draft-roles.ts";
import { inOrder } from "../input/ordered-object.ts";
import { isThere } from "./pick.ts";

/** Rows at a file's beginning, and what a mapping needs to reach them. */
export interface DraftRows {
  readonly list: RowList;
  /** `orient`, `where`. */
  readonly reach: WrittenMapping;
  readonly failures: readonly { readonly path: string; readonly items: readonly JsonRow[] }[];
  /** Other lists that look like rows and are left out. */
  readonly others: readonly RowList[];
  /** Further lists that are read too. */
  readonly more: readonly RowList[];
}

const MAX_ROWS = 2000;
const SAMPLE = 100;

/** The rows at a file's beginning; null if there are none that a mapping can reach. */
export function rowsOfHead(head: Head): DraftRows | null {
  if (head.container === "csv") return tableOf(csvRows(head), {});
  if (head.container === "jsonl") {
    const lines = head.text.split("\n").filter((line) => line.trim() !== "");
    const rows = whole(head, lines.map((line) => parseLenientJson(line).value).filter(isObject));
    return mainRows(rows as readonly JsonRow[]);
  }
  if (head.container !== "json") return null;
  const { document } = head;
  const orient = orientOf(document);
  if (orient !== null) return orientedRows(head, document, { orient });
  return rowsOfDocument(document) ?? tableWithin(head);
}

function orientedRows(head: Head, table: unknown, reach: WrittenMapping): DraftRows | null {
  const rows = (tableRows(table, reach["orient"] as Orientation) ?? [])
    .map(({ value }) => value)
    .filter(isObject);
  return tableOf(whole(head, rows as readonly JsonRow[]), reach);
}

/** A table of pandas under a key of the document. */
function tableWithin(head: Head): DraftRows | null {
  for (const [rows, table] of Object.entries(isObject(head.document) ? head.document : {})) {
    const orient = orientOf(table);
    if (orient !== null) return orientedRows(head, table, { rows, orient });
  }
  return null;
}

/** The last row of a beginning may be cut off and lack later fields. */
const whole = <Row>({ isWhole }: Head, rows: readonly Row[]): readonly Row[] =>
  rows.slice(0, isWhole || rows.length < 2 ? MAX_ROWS : Math.min(MAX_ROWS, rows.length - 1));

function tableOf(rows: readonly JsonRow[], reach: WrittenMapping): DraftRows | null {
  const list = { path: "", rows, around: rows.map(() => ({})) };
  return rows.length === 0 ? null : { list, reach, failures: [], others: [], more: [] };
}

function csvRows(head: Head): readonly JsonRow[] {
  try {
    const [, ...rows] = firstRecords(head, MAX_ROWS + 1);
    return whole(head, rows).map((cells) =>
      inOrder(head.columns.map((column, n) => [column, cells[n] ?? ""])),
    );
  } catch {
    return [];
  }
}

/** The orientation of a document written by pandas, if it is such a table. */
function orientOf(document: unknown): "split" | "columns" | null {
  if (!isObject(document)) return null;
  if (tableRows(document, "split") !== null) return "split";
  const cells = Object.values(document);
  const isScalar = (value: unknown): boolean => typeof value !== "object" || value === null;
  const lengths = new Set(cells.map((one) => (Array.isArray(one) ? one.length : -1)));
  const lists = cells.every((one) => Array.isArray(one) && one.every(isScalar));
  if (cells.length > 1 && lists && lengths.size === 1 && !lengths.has(0))
    return Object.keys(document).every((key) => /ids?$/i.test(key)) ? null : "columns";
  const byRow = cells.every(
    (one) =>
      isObject(one) &&
      Object.entries(one).every(([key, cell]) => /^\d+$/.test(key) && isScalar(cell)),
  );
  return cells.length > 1 && byRow ? "columns" : null;
}

/** The rows without lines of another kind, such as a description of the run, or its totals. */
function mainRows(rows: readonly JsonRow[]): DraftRows | null {
  const kind = ["entry_type", "record_type", "type", "kind", "event"].find(
    (key) =>
      rows.every((row) => typeof row[key] === "string") &&
      new Set(rows.map((row) => row[key])).size > 1,
  );
  if (kind !== undefined) {
    const [best, ...others] = [...new Set(rows.map((row) => row[kind]))]
      .map((name) => ({ name, rows: rows.filter((row) => row[kind] === name) }))
      .sort((a, b) => rankOf(listOf(b.rows)) - rankOf(listOf(a.rows)));
    const shape = keySet(best!.rows[0]);
    if (others.some((one) => keySet(one.rows[0]) !== shape))
      return tableOf(best!.rows, { where: { [kind]: best!.name } });
  }
  const counts = new Map<string, number>();
  for (const row of rows)
    for (const key of Object.keys(row)) counts.set(key, (counts.get(key) ?? 0) + 1);
  const common = [...counts].filter(([, n]) => 2 * n > rows.length).map(([key]) => key);
  // The totals of a run may have a score too, but nothing that says which example it is of.
  const isNumbers = (key: string): boolean =>
    !isId({ name: key }) && rows.every((row) => typeof (row[key] ?? 0) !== "string");
  const naming = common.filter((key) => !isNumbers(key));
  const told = naming.length > 0 ? naming : common;
  const isStray = (row: JsonRow): boolean =>
    common.length > 1 &&
    !told.some((key) => Object.hasOwn(row, key)) &&
    !Object.keys(row).some((name) => hasRole({ name }, "ERROR"));
  const kept = rows.filter((row) => !isStray(row));
  if (kept.length === rows.length) return tableOf(rows, {});
  // By a key of their own, so that a later row which crashed before its input is not left out too.
  const strays = rows.filter(isStray);
  const own = [...counts.keys()].find(
    (key) =>
      strays.every((row) => isThere(row[key])) && kept.every((row) => !Object.hasOwn(row, key)),
  );
  if (own !== undefined) return tableOf(kept, { where: { [`${own}?`]: "" } });
  const [first] = common.filter((key) => kept.every((row) => isThere(row[key])));
  return first === undefined
    ? tableOf(rows, {})
    : tableOf(kept, { where: { [first]: { not: "" } } });
}

const listOf = (rows: readonly JsonRow[]): RowList => ({ path: "", rows, around: [] });
const keySet = (row: JsonRow | undefined): string =>
  Object.keys(row ?? {})
    .sort()
    .join();

/** The list of judged rows in a document, and the other lists. */
function rowsOfDocument(document: unknown): DraftRows | null {
  const ranked = rankedLists(document);
  const [best, ...rest] = ranked;
  if (best === undefined || best.rank < 0) return null;
  const { list } = best;
  const known = new Set(list.rows.map((row) => JSON.stringify(row)));
  const isNew = (row: JsonRow): boolean => !known.has(JSON.stringify(row));
  const failures = failureLists(document, list.path).filter(({ items }) => items.every(isNew));
  const isBelow = ({ path }: RowList): boolean => path.startsWith(`${itemsOf(list.path)}.`);
  const apart = rest.flatMap(({ list: one, rank, isPart }) =>
    rank >= JUDGED &&
    (isPart || isBelow(one) || !isWithin(one.path, list.path)) &&
    !failures.some(({ path }) => path === one.path) &&
    one.rows.every(isNew)
      ? [one]
      : [],
  );
  const shape = keySet(list.rows[0]);
  const isMore = ({ path, rows }: RowList): boolean =>
    !/[*[]/.test(path + list.path) && keySet(rows[0]) === shape;
  const others = apart.filter((one) => !isMore(one));
  return { list, reach: {}, failures, others, more: apart.filter(isMore) };
}

interface Ranked {
  readonly list: RowList;
  readonly rank: number;
  /** Belongs to rows that have a question, as what was retrieved for it does. */
  readonly isPart: boolean;
}

/** The lists of a document, the one that looks most like rows first, and parts of rows last. */
function rankedLists(document: unknown): Ranked[] {
  const all = rowListsIn(document).map((list) => ({ list, ...judgeList(list) }));
  const judged = all.filter(({ rank }) => rank >= JUDGED);
  const isWithinOne = ({ path }: RowList, wholes: typeof all): boolean =>
    wholes.some((one) => path.startsWith(`${itemsOf(one.list.path)}.`));
  const asking = judged.filter(({ asks }) => asks);
  const isPart = ({ list, asks }: (typeof all)[number]): boolean =>
    PARTS.test(list.path) ? isWithinOne(list, judged) : !asks && isWithinOne(list, asking);
  return all
    .map((one) => ({ list: one.list, rank: one.rank, isPart: isPart(one) }))
    .sort((a, b) => Number(a.isPart) - Number(b.isPart) || b.rank - a.rank);
}

/** What agents do or find for one question, and what judges say of it, whatever else such a list holds. */
const PARTS =
  /(?:^|\.)(?:scores|metrics|evaluations?|feedback|assertions|criteria|rubrics?|steps|turns|actions|trajectory|events|messages|(?:tool_)?calls|spans|retriev\w*|contexts?|chunks|documents|docs|sources|citations|passages|hits|logs)(?:\[\]|\.\*)?$/i;

/** A list's path as the beginning of those within its items. */
const itemsOf = (path: string): string => (/(?:\*|\[\])$/.test(path) ? path : `${path}[]`);

/** Lists of judged rows that a mapping does not read. */
export function otherLists(document: unknown, read: readonly string[]): RowList[] {
  return rankedLists(document).flatMap(({ list, rank, isPart }) =>
    rank >= JUDGED && !isPart && !read.some((path) => isWithin(list.path, path)) ? [list] : [],
  );
}

/** Whether one path leads through the other, or both name the same rows. */
function isWithin(one: string, other: string): boolean {
  const [a, b] = [one, other].map((path) => path.replaceAll("[]", "").split(".")) as [
    string[],
    string[],
  ];
  const isSame = (step: string, at: number): boolean => {
    const next = b[at];
    return next === undefined || step === next || step === "*" || next === "*";
  };
  return a.every(isSame);
}

/** A loose name, such as `task`, means an input if all values are texts. */
const isTask = (column: Column): boolean =>
  hasRole(column, "LOOSE_INPUT") &&
  column.values.length > 0 &&
  column.values.every((value) => typeof value === "string" && value.trim() !== "");

/** A size or error of an average; a number that counts anew in each list is one of a repeat. */
const isOfAverage = (column: Column): boolean =>
  /^(?:total|count|n|n_samples|.*_stderr.*)$/i.test(column.name) && !isNumberedAnew(column);

/** The rank from which a list contains marks. */
const JUDGED = 100;

const rankOf = (list: RowList): number => judgeList(list).rank;

/** How much a list looks like judged rows, and whether they ask something: a text may be one that was found. */
function judgeList({ rows, path, around }: RowList): {
  readonly rank: number;
  readonly asks: boolean;
} {
  const sample = rows.slice(0, SAMPLE);
  const columns = columnsOf(sample, around, false);
  const inner = columns.filter(({ outer }) => !outer);
  const { metrics } = metricsAmong(inner, sample.length);
  const scored = metrics.length > 0 || inner.some((column) => scoresIn(column) !== undefined);
  const inputs = inner.filter((column) => hasRole(column, "INPUT"));
  const asks = inputs.some(({ name }) => !/^(?:text|document)$/i.test(name));
  const asked = inputs.length > 0 || inner.some(isTask);
  const named = inner.some(isId) || path.endsWith("*");
  const hasInput = columns.some(
    (column) => column.outer && (hasRole(column, "INPUT") || isId(column)),
  );
  const isAverage =
    (inner.some(isOfAverage) && !asked) ||
    (isScoreList(rows) && rows.some((row) => isMetricName(String(row["name"]))));
  const rank =
    (scored ? JUDGED : 0) +
    (asked ? 60 : 0) +
    (named ? 30 : 0) +
    (hasInput ? 15 : 0) +
    Math.min(rows.length, 20) -
    2 * path.split(".").length -
    (isAverage ? 300 : 0) -
    (scored || asked || named ? 0 : 60);
  return { rank, asks };
}
