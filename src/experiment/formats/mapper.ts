import { isObject } from "../../model/json.ts";
import { own } from "../input/lenient-json.ts";
import { type FileHeader, HEADER_FIELDS, type ReadRow, type RowPlace } from "../input/row.ts";
import { sumUsage, usageOf } from "../input/usage.ts";
import { createDirections } from "./directions.ts";
import { FILE_FIELDS } from "./mapping-file.ts";
import { assemble, assembleHeader, type FoundField, parseWhenJson, toSlot } from "./mapped-row.ts";
import type {
  ColumnSource,
  ListSource,
  MappedField,
  Mapping,
  Names,
  PatternSource,
  RowCondition,
  Source,
} from "./mapping.ts";
import { type NestedRow, valueAt } from "./nested-rows.ts";
import { meantBy } from "./verdict-words.ts";

/** A source of cells by column name: a CSV record or a JSON object. */
export interface Cells {
  readonly at: (column: string) => unknown;
  readonly columns: () => readonly string[];
}

/** A JSON row's cells: the key itself, else the path, else the path from what is around the row. */
export function jsonCells(row: unknown, around: Partial<NestedRow> = {}): Cells {
  return {
    columns: () => (isObject(row) ? Object.keys(row) : []),
    at: (column) => {
      if (column === "$key") return around.key;
      const found = valueAt(row, column);
      if (found !== undefined) return found;
      const outer = around.outer?.findLast(({ prefix }) => column.startsWith(`${prefix}.`));
      return outer === undefined
        ? undefined
        : valueAt(outer.value, column.slice(outer.prefix.length + 1));
    },
  };
}

/** Turns cells into rows by a mapping, and keeps count of what no row had. */
export interface Mapper {
  /** Null where `where` leaves the row out. */
  readonly toRow: (place: RowPlace, cells: Cells) => ReadRow | null;
  /** What the fields of the experiment were. */
  readonly header: (rest: unknown) => FileHeader;
  /** Columns of the mapping that no row had, with the field they are for. */
  readonly missing: () => { readonly field: string; readonly column: string }[];
}

/** Makes rows of cells by a mapping. */
export function createMapper(mapping: Mapping): Mapper {
  const { exact } = mapping;
  const headerFields = mapping.fields.filter(({ field }) => isHeaderField(field));
  const rowFields = mapping.fields.filter(({ field }) => !isHeaderField(field));
  const slots = rowFields.map(toSlot);
  const seen = new Map<string, unknown>();
  const found = new Set<string>();
  let leftOut = 0;
  const look = createLook(found, exact);
  const lists = createListReader(found, exact);
  const valueIn = createValues(look, lists, exact);
  /** In a tool's own files a missing input or score is null, unless its column may be missing. */
  const fieldIn = (mapped: MappedField, cells: Cells): unknown => {
    const value = valueIn(mapped, cells);
    if (!exact) return isInput(mapped) ? value : emptyAsAbsent(value);
    return value ?? (needsValue(mapped) ? null : undefined);
  };
  const keeps = ({ source, values, not }: RowCondition, cells: Cells): boolean =>
    values.includes(String(look(source, cells) ?? "")) !== not;
  const identityOf = (cells: Cells): Record<string, unknown> =>
    Object.fromEntries(
      mapping.identity.flatMap((column) => {
        const value = look(column, cells) ?? null;
        const isLeftOut = exact && column.optional === true && value === null;
        return isLeftOut ? [] : [[column.as ?? column.names[0], value]];
      }),
    );
  const toRow = (place: RowPlace, cells: Cells): ReadRow | null => {
    if (!mapping.where.every((condition) => keeps(condition, cells))) {
      leftOut += 1;
      return null;
    }
    for (const mapped of headerFields) {
      if (seen.has(mapped.field)) continue;
      const value = emptyAsAbsent(valueIn(mapped, cells));
      if (value !== undefined) seen.set(mapped.field, value);
    }
    const whole = assemble(place, slots, exact, (mapped) => fieldIn(mapped, cells));
    const isUnscored = !mapping.scoreErrored && whole.error !== undefined;
    const row = isUnscored ? { ...whole, evaluation_scores: [] } : whole;
    if (mapping.identity.length === 0) return row;
    const identity = identityOf(cells);
    return { ...row, identity, inputs: row.inputs ?? identity };
  };
  const header = (rest: unknown): FileHeader => {
    const values = headerFields.map(
      (mapped): FoundField => [
        mapped.field,
        emptyAsAbsent(valueIn(mapped, jsonCells(rest))) ?? seen.get(mapped.field),
        mapped.source,
      ],
    );
    const warnings =
      leftOut === 0 || exact
        ? []
        : [`${leftOut === 1 ? "1 row" : `${leftOut} rows`} left out by where: not read`];
    return { ...assembleHeader(values, exact), warnings, directions: lists.directions() };
  };
  const missing = (): { field: string; column: string }[] =>
    [
      ...rowFields.flatMap(({ field, source }) => columnsOf(field, source)),
      ...mapping.where.flatMap(({ source }) => columnsOf("where", source)),
      ...mapping.identity.flatMap((source) => columnsOf("identity", source)),
    ].filter(({ column }) => !found.has(column));
  return { toRow, header, missing };
}

/** Reads the value of a field in the cells of a row. */
function createValues(
  look: Look,
  lists: ReturnType<typeof createListReader>,
  exact: boolean,
): (mapped: MappedField, cells: Cells) => unknown {
  return ({ field, source }, cells) => {
    if ("literal" in source) return source.literal;
    if ("columns" in source) return matching(source, cells, exact);
    if ("list" in source) return lists.scoresOf(source, look(source.list, cells));
    const value = look(source, cells);
    if (field === "usage") return statedUsage(value);
    if (source.when !== undefined) return isAmong(source.when, value) ? value : undefined;
    if (source.verdict === true) return verdictOf(value);
    if (source.from !== undefined)
      return typeof value === "number" ? value - source.from : undefined;
    return source.words === undefined ? value : countWord(source.words, value);
  };
}

type Look = (column: ColumnSource, cells: Cells) => unknown;

/** Finds a column's value, and keeps which columns were there. */
function createLook(found: Set<string>, exact: boolean): Look {
  if (exact) return ({ names }, cells) => firstOf(names, cells.at);
  return ({ names: [first, ...or], optional }, cells) => {
    // A header may end in a question mark of its own.
    const marked = optional === true ? cells.at(`${first}?`) : undefined;
    const value = marked ?? cells.at(first);
    if (value !== undefined) found.add(first);
    if (or.length === 0 || (value ?? "") !== "") return value;
    const other = or.map(cells.at).find((one) => (one ?? "") !== "");
    if (other !== undefined) found.add(first);
    return other ?? value;
  };
}

function firstOf(names: Names, at: (name: string) => unknown): unknown {
  for (const name of names) {
    const value = at(name);
    if (value !== undefined && value !== null) return value;
  }
  return undefined;
}

/** What a source must find in at least one row. */
function columnsOf(field: string, source: Source): { field: string; column: string }[] {
  if ("literal" in source || "columns" in source) return [];
  if (!("list" in source)) return source.optional ? [] : [{ field, column: source.names[0] }];
  if (source.list.optional) return [];
  const [column] = source.list.names;
  const parts = [source.key?.[0], source.score[0] === "" ? undefined : source.score[0]];
  return [
    { field, column },
    ...parts.flatMap((part) =>
      part === undefined ? [] : [{ field, column: itemColumn(column, part) }],
    ),
  ];
}

const isAmong = (words: readonly string[], value: unknown): boolean =>
  words.some(
    (word) =>
      word.toLowerCase() ===
      String(value ?? "")
        .trim()
        .toLowerCase(),
  );

/** A verdict in words as its number; any other value as it is. */
function verdictOf(value: unknown): unknown {
  const meant = typeof value === "string" ? meantBy(value) : undefined;
  if (meant === undefined) return value;
  return typeof meant === "number" ? meant : undefined;
}

const itemColumn = (list: string, part: string): string => `${list}[].${part}`;

function countWord(words: ReadonlyMap<string, number>, value: unknown): unknown {
  if (value === undefined || value === null) return value;
  const text = String(value).trim();
  const count = words.get(text);
  if (count !== undefined) return count;
  for (const [word, number] of words) if (word.toLowerCase() === text.toLowerCase()) return number;
  return value;
}

/** Whether a score's own error says something: runners write false, and empty lists and objects, for none. */
const isFailure = (error: unknown): boolean =>
  typeof error === "object" ? Object.keys(error ?? {}).length > 0 : Boolean(error);

/** Cost and tokens that an object states, or all objects of a list together. */
const statedUsage = (value: unknown): unknown =>
  Array.isArray(value)
    ? sumUsage(value.map((one) => usageOf(one, own(one, "usage"))))
    : usageOf(value);

/**
 * The columns that a pattern matches in any case of letters, each by its name without the pattern's `part.` before and
 * `/part` after it.
 */
function matching({ columns, words }: PatternSource, cells: Cells, exact: boolean): unknown {
  const patterns = columns.map((pattern) => pattern.toLowerCase().split("*"));
  const nameOf = (column: string): string | null => {
    const lower = column.toLowerCase();
    for (const [before = "", after] of patterns) {
      if (after === undefined && lower === before) return column;
      const isLong = lower.length > before.length + (after ?? "").length;
      if (after === undefined || !isLong || !lower.startsWith(before) || !lower.endsWith(after))
        continue;
      const end = /^[./]/.test(after) ? column.length - after.length : column.length;
      return column.slice(/[./]$/.test(before) ? before.length : 0, end);
    }
    return null;
  };
  const entries = cells.columns().flatMap((column): [string, unknown][] => {
    const name = nameOf(column);
    const value = name === null ? undefined : cells.at(column);
    if (name === null || (exact ? value : emptyAsAbsent(value)) === undefined) return [];
    return [[name, words === undefined ? value : countWord(words, value)]];
  });
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

/** Reads lists of scores, and which side their metrics are better on. */
function createListReader(
  found: Set<string>,
  exact: boolean,
): {
  readonly scoresOf: (source: ListSource, value: unknown) => unknown;
  readonly directions: ReturnType<typeof createDirections>["found"];
} {
  const directions = createDirections();
  const scoresOfItem = (source: ListSource, name: string, item: unknown): unknown[] => {
    const part = (names: Names | undefined): unknown => {
      if (names === undefined) return undefined;
      const value =
        names.length === 1 ? valueAt(item, names[0]) : firstOf(names, (one) => valueAt(item, one));
      if (value !== undefined && !exact) found.add(itemColumn(source.list.names[0], names[0]));
      return value;
    };
    const named = source.key === undefined ? name : (part(source.key) ?? name);
    const key = source.prefix + (typeof named === "object" ? name : String(named));
    const failure = part(source.error);
    if (isFailure(failure)) return [{ key, comment: `not scored: ${toText(failure)}` }];
    const score = part(source.score);
    const label = part(source.value);
    const comment = part(source.comment);
    // A text where the score is as well is a label: 0.5 in quotes is a category.
    const isLabel = source.value?.[0] === source.score[0] && typeof score === "string";
    const { words } = source;
    // Next to a verdict, the words are those of the verdict.
    const given =
      words === undefined || source.pass !== undefined ? score : countWord(words, score);
    const scored = {
      key,
      ...(isLabel ? {} : { score: given }),
      ...((label ?? null) === null || (source.value?.[0] === source.score[0] && !isLabel)
        ? {}
        : { value: label }),
      ...((comment ?? null) === null ? {} : { comment }),
    };
    const passed = part(source.pass);
    if ((passed ?? null) === null) return [scored];
    const mark = verdictIn(source, passed);
    if (mark === undefined) return [scored];
    const threshold = part(source.threshold);
    directions.add({ key, score, threshold, passed: mark });
    const bound = typeof threshold === "number" ? { comment: `threshold ${threshold}` } : {};
    return [scored, { key: `${key}.pass`, score: mark, ...bound }];
  };
  const scoresOf = (source: ListSource, value: unknown): unknown => {
    const whole = exact ? value : parseWhenJson(value);
    const items: readonly (readonly [name: string, item: unknown])[] = isObject(whole)
      ? Object.entries(whole)
      : (Array.isArray(whole) ? whole : []).map((item, n) => [`score#${n + 1}`, item]);
    return items.flatMap(([name, item]) => scoresOfItem(source, name, item));
  };
  return { scoresOf, directions: directions.found };
}

const toText = (value: unknown): string =>
  typeof value === "object" ? JSON.stringify(value) : String(value);

/** A metric's own verdict as true or false, by the mapping's words where it has some. */
function verdictIn({ words }: ListSource, passed: unknown): boolean | undefined {
  const counted = words === undefined ? verdictOf(passed) : countWord(words, passed);
  if (typeof counted === "boolean") return counted;
  return counted === 1 || counted === 0 ? counted === 1 : undefined;
}

const isInput = ({ field }: MappedField): boolean => field.startsWith("inputs.");

const needsValue = ({ field, source }: MappedField): boolean =>
  "names" in source &&
  source.optional !== true &&
  (field.startsWith("inputs.") || field.startsWith("evaluation_scores."));

const emptyAsAbsent = (value: unknown): unknown =>
  value === "" || value === null ? undefined : value;

function isHeaderField(field: string): boolean {
  return ([...HEADER_FIELDS, ...FILE_FIELDS] as readonly string[]).includes(
    field.split(".", 1)[0]!,
  );
}
