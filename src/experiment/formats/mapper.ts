import { plural } from "../../model/count-words.ts";
import { isObject } from "../../model/json.ts";
import { own } from "../input/lenient-json.ts";
import { type FileHeader, HEADER_FIELDS, type ReadRow, type RowPlace } from "../input/row.ts";
import { sumUsage, usageOf } from "../input/usage.ts";
import { clashIn, createColumnNames } from "./column-names.ts";
import { createDirections } from "./directions.ts";
import { FILE_FIELDS } from "./mapping-file.ts";
import {
  assembleHeader,
  createRowAssembler,
  isFailure,
  numberIn,
  parseWhenJson,
} from "./mapped-row.ts";
import {
  type ColumnSource,
  ITEM_PARTS,
  type ItemPart,
  type ListSource,
  type MappedField,
  type Mapping,
  type PatternSource,
  type RowCondition,
  type Source,
} from "./mapping.ts";
import { type NestedRow, pathReader } from "./nested-rows.ts";
import { keeping } from "./pick.ts";
import { meantBy } from "./verdict-words.ts";
import { inOrder } from "../input/ordered-object.ts";

/** Converts records to rows by a mapping, and tracks columns that no row had. */
export interface Mapper {
  /** Null if `where` excludes the row. */
  readonly toRow: (place: RowPlace, record: NestedRow) => ReadRow | null;
  /** Fields of the experiment, from the rows so far and the document around them. */
  readonly header: (document: unknown) => FileHeader;
  /** Columns of the mapping that no row had, with their fields. */
  readonly missing: () => { readonly field: string; readonly column: string }[];
  /** Two columns of one row that a pattern gives the same name, in words; undefined if there are none. */
  readonly clash: () => string | undefined;
}

/** Reads one value of a record. */
type Reader = (record: NestedRow) => unknown;

/** What all readers of one mapping share. */
interface Compiling {
  readonly exact: boolean;
  /** Columns found in some row. */
  readonly found: Set<string>;
  /** The first columns that a pattern names alike. */
  clash: string | undefined;
  readonly directions: ReturnType<typeof createDirections>;
}

/** Compiles a mapping once for all rows. */
export function createMapper(mapping: Mapping): Mapper {
  const { exact } = mapping;
  const how: Compiling = {
    exact,
    found: new Set(),
    clash: undefined,
    directions: createDirections(),
  };
  const compiled = mapping.fields.map((mapped) => ({ ...mapped, read: fieldReader(mapped, how) }));
  const headerFields = compiled.filter(({ field }) => isHeaderField(field));
  const rowFields = compiled.filter(({ field }) => !isHeaderField(field));
  const toWhole = createRowAssembler(
    rowFields.map((mapped) => ({ ...mapped, read: withAbsence(mapped, exact) })),
    exact,
  );
  const conditions = mapping.where.map((condition) => conditionReader(condition, how));
  const toIdentity = identityReader(mapping, how);
  const seen = new Map<string, unknown>();
  let leftOut = 0;
  const toRow = (place: RowPlace, record: NestedRow): ReadRow | null => {
    if (!conditions.every((keeps) => keeps(record))) {
      leftOut += 1;
      return null;
    }
    for (const { field, read } of headerFields) {
      const value = seen.has(field) ? undefined : emptyAsAbsent(read(record));
      if (value !== undefined) seen.set(field, value);
    }
    const whole = toWhole(place, record);
    const isUnscored = !mapping.scoreErrored && whole.error !== undefined;
    const row = isUnscored ? { ...whole, evaluation_scores: [] } : whole;
    if (mapping.identity.length === 0) return row;
    const identity = toIdentity(record);
    return { ...row, identity, inputs: row.inputs ?? identity };
  };
  const header = (document: unknown): FileHeader => {
    const around = { value: document, outer: [] };
    const fields = headerFields.map((mapped) => ({
      ...mapped,
      read: (of: NestedRow) => emptyAsAbsent(mapped.read(of)) ?? seen.get(mapped.field),
    }));
    const notes = leftOut === 0 || exact ? [] : [`\`where\` left out ${plural(leftOut, "row")}`];
    return {
      ...assembleHeader(fields, around, exact),
      notes,
      directions: how.directions.found(),
    };
  };
  const missing = (): { field: string; column: string }[] =>
    [
      ...rowFields.flatMap(({ field, source }) => columnsOf(field, source)),
      ...mapping.where.flatMap(({ source }) => columnsOf("where", source)),
      ...mapping.identity.flatMap((source) => columnsOf("identity", source)),
    ].filter(({ column }) => !how.found.has(column));
  return { toRow, header, missing, clash: () => how.clash };
}

/** In a tool's own files a missing input or score is null, unless its column may be missing. */
function withAbsence(mapped: MappedField & { readonly read: Reader }, exact: boolean): Reader {
  const { field, read } = mapped;
  if (exact) return needsValue(mapped) ? (record) => read(record) ?? null : orAbsent(read);
  return field.startsWith("inputs.") ? read : (record) => emptyAsAbsent(read(record));
}

const orAbsent =
  (read: Reader): Reader =>
  (record) =>
    read(record) ?? undefined;

const needsValue = ({ field, source }: MappedField): boolean =>
  "names" in source &&
  source.optional !== true &&
  (field.startsWith("inputs.") || field.startsWith("evaluation_scores."));

function conditionReader(
  { source, values, not }: RowCondition,
  how: Compiling,
): (record: NestedRow) => boolean {
  const read = columnReader(source, how);
  return (record) => values.includes(String(read(record) ?? "")) !== not;
}

function identityReader(
  { identity, exact }: Mapping,
  how: Compiling,
): (record: NestedRow) => Record<string, unknown> {
  const parts = identity.map((column) => ({ ...column, read: columnReader(column, how) }));
  return (record) =>
    inOrder(
      parts.flatMap(({ as, names, optional, read }): [string, unknown][] => {
        const value = read(record) ?? null;
        return exact && optional === true && value === null ? [] : [[as ?? names[0], value]];
      }),
    );
}

/** Creates the reader of a field. */
function fieldReader({ field, source }: MappedField, how: Compiling): Reader {
  if ("literal" in source) return () => source.literal;
  if ("columns" in source) return patternReader(source, how);
  if ("list" in source) {
    const [read, toScores] = [columnReader(source.list, how), listReader(source, how)];
    return (record) => toScores(read(record));
  }
  const read = columnReader(source, how);
  const change = changeOf(field, source);
  return change === null ? read : (record) => change(read(record));
}

/** The conversion of a column's value; null if it counts as itself. */
function changeOf(
  field: string,
  { when, verdict, from, words }: ColumnSource,
): ((value: unknown) => unknown) | null {
  if (field === "usage") return statedUsage;
  if (when !== undefined) return (value) => (isAmong(when, value) ? value : undefined);
  if (verdict === true) return verdictOf;
  if (from !== undefined)
    return (value) => {
      const count = numberIn(value);
      return typeof count === "number" ? count - from : undefined;
    };
  return words === undefined ? null : (value) => countWord(words, value);
}

/** Creates a reader for a name in a record: as a key, else as a path, else as a path from the record's parents. */
function nameReader(name: string): Reader {
  if (name === "$key") return ({ key }) => key;
  const read = pathReader(name);
  const readBelow = keeping((prefix) => pathReader(name.slice(prefix.length + 1)));
  return ({ value, outer }) => {
    const found = read(value);
    if (found !== undefined || outer.length === 0) return found;
    const around = outer.findLast(({ prefix }) => name.startsWith(`${prefix}.`));
    return around && readBelow(around.prefix)(around.value);
  };
}

/** Creates a reader for a column, which also records that the column exists. */
function columnReader({ names, optional }: ColumnSource, { exact, found }: Compiling): Reader {
  const [read, ...others] = names.map(nameReader) as [Reader, ...Reader[]];
  if (exact) return firstOf([read, ...others]);
  const [first] = names;
  // A header may itself end in a question mark.
  const readMarked = optional === true ? nameReader(`${first}?`) : undefined;
  return (record) => {
    const value = readMarked?.(record) ?? read(record);
    const isEmpty = others.length > 0 && (value ?? "") === "";
    const other = isEmpty
      ? others.map((one) => one(record)).find((one) => (one ?? "") !== "")
      : undefined;
    if (value !== undefined || other !== undefined) found.add(first);
    return other ?? value;
  };
}

/** The first value that exists; undefined if there is none. */
function firstOf<From>(readers: readonly ((from: From) => unknown)[]): (from: From) => unknown {
  return (from) => {
    for (const read of readers) {
      const value = read(from);
      if (value !== undefined && value !== null) return value;
    }
    return undefined;
  };
}

/** Columns that a source must find in at least one row. */
function columnsOf(field: string, source: Source): { field: string; column: string }[] {
  if ("literal" in source || "columns" in source) return [];
  if (!("list" in source)) return source.optional ? [] : [{ field, column: source.names[0] }];
  if (source.list.optional) return [];
  const [column] = source.list.names;
  const { key, score } = source.parts;
  const parts = [key?.[0], score[0] === "" ? undefined : score[0]];
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

/** A verdict in words as a number; undefined for a word such as `skipped`, any other value unchanged. */
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

/** Cost and tokens of an object, or the total of a list. */
const statedUsage = (value: unknown): unknown =>
  Array.isArray(value)
    ? sumUsage(value.map((one) => usageOf(one, own(one, "usage"))))
    : usageOf(value);

/** Reads the columns that match a pattern, by their names. */
function patternReader(source: PatternSource, how: Compiling): Reader {
  const { words } = source;
  const nameOf = createColumnNames(source);
  return ({ value: record }) => {
    const entries: [string, unknown][] = [];
    if (isObject(record))
      for (const column of Object.keys(record)) {
        const name = nameOf(column);
        const value = name === null ? undefined : record[column];
        if (name === null || (how.exact ? value : emptyAsAbsent(value)) === undefined) continue;
        entries.push([name, words === undefined ? value : countWord(words, value)]);
      }
    if (entries.length === 0) return undefined;
    const named = inOrder(entries);
    if (Object.keys(named).length < entries.length) how.clash ??= clashIn(record as object, nameOf);
    return named;
  };
}

/** Reads a list of scores, and the better sides of their metrics. */
function listReader(source: ListSource, how: Compiling): (value: unknown) => unknown {
  const toScores = itemReader(source, how);
  return (value) => {
    const whole = how.exact ? value : parseWhenJson(value);
    if (Array.isArray(whole)) return whole.flatMap((item, n) => toScores(`score#${n + 1}`, item));
    return Object.entries(isObject(whole) ? whole : {}).flatMap(([name, item]) =>
      toScores(name, item),
    );
  };
}

/** Reads a part of an item, and records that it exists. */
function partReader(
  { list, parts }: ListSource,
  part: ItemPart,
  { exact, found }: Compiling,
): (item: unknown) => unknown {
  const names = parts[part];
  if (names === undefined) return () => undefined;
  const readers = names.map(pathReader);
  const read = readers.length === 1 ? readers[0]! : firstOf(readers);
  if (exact) return read;
  const column = itemColumn(list.names[0], names[0]);
  return (item) => {
    const value = read(item);
    if (value !== undefined) found.add(column);
    return value;
  };
}

/** Reads an item of a list of scores: the score, and that of its verdict. */
function itemReader(
  source: ListSource,
  how: Compiling,
): (name: string, item: unknown) => readonly unknown[] {
  const { parts, words, prefix } = source;
  const readers = ITEM_PARTS.map((part) => [part, partReader(source, part, how)] as const);
  const read = Object.fromEntries(readers) as Record<ItemPart, (item: unknown) => unknown>;
  // If score and label have the same path, a text is a label: 0.5 in quotes is a category.
  const isLabelled = parts.value?.[0] === parts.score[0];
  // Next to a verdict, words apply to the verdict.
  const hasWords = words !== undefined && parts.pass === undefined;
  return (name, item) => {
    const named = read.key(item) ?? name;
    const key = prefix + (typeof named === "object" ? name : String(named));
    const failure = read.error(item);
    if (isFailure(failure)) return [{ key, comment: `not scored: ${toText(failure)}` }];
    const score = read.score(item);
    const [label, comment] = [read.value(item) ?? undefined, read.comment(item) ?? undefined];
    const isLabel = isLabelled && typeof score === "string";
    const scored: Record<string, unknown> = { key };
    if (!isLabel) scored["score"] = hasWords ? countWord(words, score) : score;
    if (label !== undefined && (isLabel || !isLabelled)) scored["value"] = label;
    if (comment !== undefined) scored["comment"] = comment;
    const passed = read.pass(item) ?? undefined;
    const mark = passed === undefined ? undefined : markOf(source, passed);
    if (mark === undefined) return [scored];
    const threshold = read.threshold(item);
    how.directions.add({ key, score, threshold, passed: mark });
    const bound = typeof threshold === "number" ? { comment: `threshold ${threshold}` } : {};
    return [scored, { key: `${key}.pass`, score: Number(mark), ...bound }];
  };
}

const toText = (value: unknown): string =>
  typeof value === "object" ? JSON.stringify(value) : String(value);

/** A metric's own verdict as true or false, using the mapping's words if it has some. */
function markOf({ words }: ListSource, passed: unknown): boolean | undefined {
  const counted = words === undefined ? verdictOf(passed) : countWord(words, passed);
  if (typeof counted === "boolean") return counted;
  return counted === 1 || counted === 0 ? counted === 1 : undefined;
}

const emptyAsAbsent = (value: unknown): unknown =>
  value === "" || value === null ? undefined : value;

function isHeaderField(field: string): boolean {
  return ([...HEADER_FIELDS, ...FILE_FIELDS] as readonly string[]).includes(
    field.split(".", 1)[0]!,
  );
}
