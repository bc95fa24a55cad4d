import { isObject } from "../../model/json.ts";
import { type FileHeader, HEADER_FIELDS, type ReadRow, type RowPlace } from "../row.ts";
import { assemble, assembleHeader, type FoundField, parseWhenJson, toSlot } from "./mapped-row.ts";
import type {
  ColumnSource,
  ListSource,
  MappedField,
  Mapping,
  RowCondition,
  Source,
} from "./mapping.ts";
import { type NestedRow, valueAt } from "./nested-rows.ts";
import { meantBy } from "./verdict-words.ts";

/** A source of cells by column name: a CSV record or a JSON object. */
export type Cells = (column: string) => unknown;

/** A JSON row's cells: the key itself, else the path, else the path from what stands around the row. */
export function jsonCells(row: unknown, around: Partial<NestedRow> = {}): Cells {
  return (column) => {
    if (column === "$key") return around.key;
    const found = valueAt(row, column);
    if (found !== undefined) return found;
    const outer = around.outer?.findLast(({ prefix }) => column.startsWith(`${prefix}.`));
    return outer === undefined
      ? undefined
      : valueAt(outer.value, column.slice(outer.prefix.length + 1));
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
  const headerFields = mapping.fields.filter(({ field }) => isHeaderField(field));
  const rowFields = mapping.fields.filter(({ field }) => !isHeaderField(field));
  const slots = rowFields.map(toSlot);
  const seen = new Map<string, unknown>();
  const found = new Set<string>();
  let leftOut = 0;
  const look = createLook(found);
  const valueIn = ({ source }: MappedField, cells: Cells): unknown => {
    if ("literal" in source) return source.literal;
    if ("list" in source) return listScores(source, look(source.list, cells), found);
    const value = look(source, cells);
    if (source.when !== undefined) return isAmong(source.when, value) ? value : undefined;
    if (source.verdict === true) return verdictOf(value);
    return source.words === undefined ? value : countWord(source.words, value);
  };
  const keeps = ({ source, values, not }: RowCondition, cells: Cells): boolean =>
    values.includes(String(look(source, cells) ?? "")) !== not;
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
    const whole = assemble(place, slots, (mapped) => {
      const value = valueIn(mapped, cells);
      return isInput(mapped) ? value : emptyAsAbsent(value);
    });
    const isUnscored = mapping.scoresErrored === false && whole.error !== undefined;
    const row = isUnscored ? { ...whole, evaluation_scores: [] } : whole;
    if (mapping.identity.length === 0) return row;
    const identity = Object.fromEntries(
      mapping.identity.map((column) => [column.as ?? column.column, look(column, cells) ?? null]),
    );
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
      leftOut === 0
        ? []
        : [`${leftOut === 1 ? "1 row" : `${leftOut} rows`} left out by where: not read`];
    return { given: assembleHeader(values), warnings };
  };
  const missing = (): { field: string; column: string }[] =>
    [
      ...rowFields.flatMap(({ field, source }) => columnsOf(field, source)),
      ...mapping.where.flatMap(({ source }) => columnsOf("where", source)),
      ...mapping.identity.flatMap((source) => columnsOf("identity", source)),
    ].filter(({ column }) => !found.has(column));
  return { toRow, header, missing };
}

/** Finds a column's value, and keeps which columns were there. */
function createLook(found: Set<string>): (column: ColumnSource, cells: Cells) => unknown {
  return (column, cells) => {
    // A header may end in a question mark of its own.
    const marked = column.optional === true ? cells(`${column.column}?`) : undefined;
    const value = marked ?? cells(column.column);
    if (value !== undefined) found.add(column.column);
    if (column.or === undefined || (value ?? "") !== "") return value;
    const other = column.or.map((name) => cells(name)).find((one) => (one ?? "") !== "");
    if (other !== undefined) found.add(column.column);
    return other ?? value;
  };
}

/** What a source must find in at least one row. */
function columnsOf(field: string, source: Source): { field: string; column: string }[] {
  if ("literal" in source) return [];
  if (!("list" in source)) return source.optional ? [] : [{ field, column: source.column }];
  if (source.list.optional) return [];
  const { column } = source.list;
  const parts = [source.key, source.score === "" ? undefined : source.score];
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

/** Scores of a list of items, or of an object of them by name. */
function listScores(source: ListSource, value: unknown, found: Set<string>): unknown {
  const whole = parseWhenJson(value);
  const listed: readonly unknown[] = Array.isArray(whole) ? whole : [];
  const items: readonly (readonly [name: string, item: unknown])[] = isObject(whole)
    ? Object.entries(whole)
    : listed.map((item, n) => [`score#${n + 1}`, item]);
  const part = (item: unknown, path: string): unknown => {
    const inner = valueAt(item, path);
    if (inner !== undefined) found.add(itemColumn(source.list.column, path));
    return inner;
  };
  return items.map(([name, item]) => {
    const key = source.key === undefined ? name : part(item, source.key);
    const score = part(item, source.score);
    const label = source.value === undefined ? undefined : valueAt(item, source.value);
    const comment = source.comment === undefined ? undefined : valueAt(item, source.comment);
    return {
      key: typeof key === "string" && key !== "" ? key : String(key ?? name),
      score: source.words === undefined ? score : countWord(source.words, score),
      ...(label === undefined || label === null ? {} : { value: String(label) }),
      ...(comment === undefined || comment === null ? {} : { comment }),
    };
  });
}

const isInput = ({ field }: MappedField): boolean => field.startsWith("inputs.");

const emptyAsAbsent = (value: unknown): unknown =>
  value === "" || value === null ? undefined : value;

function isHeaderField(field: string): boolean {
  return (HEADER_FIELDS as readonly string[]).includes(field.split(".", 1)[0]!);
}
