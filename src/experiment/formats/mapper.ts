import { plural } from "../../model/count-words.ts";
import { isObject, own } from "../../model/json.ts";
import { type FileHeader, HEADER_FIELDS, type ReadRow, type RowPlace } from "../input/row.ts";
import { sumUsage, usageOf } from "../input/usage.ts";
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
  type ColumnNames,
  ITEM_PARTS,
  type ItemPart,
  type MappedField,
  type Mapping,
  type Source,
} from "./mapping.ts";
import { type NestedRow, pathReader } from "./nested-rows.ts";
import { createColumnNames, keeping } from "../input/column-names.ts";
import { isThere } from "./pick.ts";
import { meantBy } from "./verdict-words.ts";
import { inOrder } from "../input/ordered-object.ts";

/** A column that some row must have, and the field that reads it. */
interface Wanted {
  readonly field: string;
  readonly column: string;
}

type Reader = (record: NestedRow) => unknown;

interface Compiling {
  readonly exact: boolean;
  readonly wanted: Wanted[];
  readonly found: Set<string>;
  /** The first two columns of one row that a pattern names alike, in words. */
  clash: string | undefined;
  readonly directions: ReturnType<typeof createDirections>;
}

/** Compiles a mapping once for all rows, and tracks columns that no row had. */
export function createMapper(mapping: Mapping) {
  const { exact } = mapping;
  const directions = createDirections();
  const how: Compiling = { exact, wanted: [], found: new Set(), clash: undefined, directions };
  const fields = mapping.fields.map((mapped) => ({ ...mapped, read: fieldReader(mapped, how) }));
  const headerFields = fields.filter(({ field }) => isHeaderField(field));
  const rowFields = fields.filter(({ field }) => !isHeaderField(field));
  const toWhole = createRowAssembler(
    rowFields.map((mapped) => ({ ...mapped, read: withAbsence(mapped, exact) })),
    exact,
  );
  const conditions = mapping.where.map(({ column, values, not }) => {
    const read = columnReader(column, how, "where");
    return (record: NestedRow) => values.includes(String(read(record) ?? "")) !== not;
  });
  const toIdentity = identityReader(mapping, how);
  const seen = new Map<string, unknown>();
  let [leftOut, kept] = [0, 0];
  /** Null if `where` excludes the row. */
  const toRow = (place: RowPlace, record: NestedRow): ReadRow | null => {
    if (!conditions.every((keeps) => keeps(record))) {
      leftOut += 1;
      return null;
    }
    kept += 1;
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
  /** Fields of the experiment, from the rows so far and the document around them. */
  const header = (document: unknown): FileHeader => {
    const around = { value: document, outer: [] };
    const given = headerFields.map((mapped) => ({
      ...mapped,
      read: (of: NestedRow) => emptyAsAbsent(mapped.read(of)) ?? seen.get(mapped.field),
    }));
    const notes = leftOut === 0 || exact ? [] : [`\`where\` left out ${plural(leftOut, "row")}`];
    return { ...assembleHeader(given, around, exact), notes, directions: directions.found() };
  };
  /** Columns of the mapping that no row had, with their fields; rows left out are only asked for `where`. */
  const missing = (): Wanted[] =>
    how.wanted.filter(
      ({ field, column }) =>
        (kept > 0 || field === "where") && !isHeaderField(field) && !how.found.has(column),
    );
  return { toRow, header, missing, clash: () => how.clash };
}

/** In a tool's own files a missing input or score is null, unless its column may be missing. */
function withAbsence(
  { field, source, read }: MappedField & { readonly read: Reader },
  exact: boolean,
): Reader {
  if (!exact) return field.startsWith("inputs.") ? read : (record) => emptyAsAbsent(read(record));
  const isNeeded = source.column?.optional === false && source.items === undefined;
  const absent = isNeeded && /^(?:inputs|evaluation_scores)\./.test(field) ? null : undefined;
  return (record) => read(record) ?? absent;
}

function identityReader(
  { identity, exact }: Mapping,
  how: Compiling,
): (record: NestedRow) => Record<string, unknown> {
  const parts = identity.map(({ name, column }) => ({
    name,
    isLeftOut: exact && column.optional,
    read: columnReader(column, how, "identity"),
  }));
  return (record) =>
    inOrder(
      parts.flatMap(({ name, isLeftOut, read }): [string, unknown][] => {
        const value = read(record) ?? null;
        return isLeftOut && value === null ? [] : [[name, value]];
      }),
    );
}

function fieldReader(mapped: MappedField, how: Compiling): Reader {
  const { field, source } = mapped;
  const { column, patterns, literal, items } = source;
  if (patterns !== undefined) return patternReader(patterns, source, how);
  if (column === undefined) return () => literal;
  const read = columnReader(column, how, field);
  const change = items === undefined ? changeOf(field, source) : listReader(mapped, how);
  return change === null ? read : (record) => change(read(record));
}

/** The conversion of a column's value; null if it counts as itself. */
function changeOf(
  field: string,
  { when, verdict, from, words }: Source,
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
    if (around === undefined) return undefined;
    return name === `${around.prefix}.$key` ? around.key : readBelow(around.prefix)(around.value);
  };
}

function columnReader({ names, optional }: ColumnNames, how: Compiling, field: string): Reader {
  const [first] = names;
  if (!optional) how.wanted.push({ field, column: first });
  // A header may itself end in a question mark.
  const marked = optional && !how.exact ? [`${first}?`] : [];
  return noting(first, firstOf([...marked, ...names].map(nameReader)), how);
}

const noting =
  <From>(column: string, read: (from: From) => unknown, { found }: Compiling) =>
  (from: From): unknown => {
    const value = read(from);
    if (value !== undefined) found.add(column);
    return value;
  };

/** The first value that is not empty, else the first that exists. */
function firstOf<From>(readers: readonly ((from: From) => unknown)[]): (from: From) => unknown {
  const [only, ...others] = readers;
  if (only !== undefined && others.length === 0) return only;
  return (from) => {
    let found: unknown;
    for (const read of readers) {
      const value = read(from);
      if (isThere(value)) return value;
      found ??= value;
    }
    return found;
  };
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

function countWord(words: ReadonlyMap<string, number>, value: unknown): unknown {
  if (value === undefined || value === null) return value;
  const text = String(value).trim();
  const isSame = (word: string): boolean => word.toLowerCase() === text.toLowerCase();
  return words.get(text) ?? [...words].find(([word]) => isSame(word))?.[1] ?? value;
}

/** Cost and tokens of an object, or the total of a list. */
const statedUsage = (value: unknown): unknown =>
  Array.isArray(value)
    ? sumUsage(value.map((one) => usageOf(one, own(one, "usage"))))
    : usageOf(value);

function patternReader(patterns: readonly string[], { words }: Source, how: Compiling): Reader {
  const nameOf = createColumnNames(patterns);
  return ({ value: record }) => {
    const columns = new Map<string, string>();
    const entries: [string, unknown][] = [];
    for (const column of isObject(record) ? Object.keys(record) : []) {
      const name = nameOf(column);
      if (name === null) continue;
      const value = own(record, column);
      if ((how.exact ? value : emptyAsAbsent(value)) === undefined) continue;
      const before = columns.get(name);
      if (before !== undefined) how.clash ??= `${before} and ${column} are both ${name}`;
      columns.set(name, column);
      entries.push([name, words === undefined ? value : countWord(words, value)]);
    }
    return entries.length === 0 ? undefined : inOrder(entries);
  };
}

function listReader(mapped: MappedField, how: Compiling): (value: unknown) => unknown {
  const toScores = itemReader(mapped, how);
  return (value) => {
    const whole = how.exact ? value : parseWhenJson(value);
    if (Array.isArray(whole)) return whole.flatMap((item, n) => toScores(`score#${n + 1}`, item));
    return Object.entries(isObject(whole) ? whole : {}).flatMap(([name, item]) =>
      toScores(name, item),
    );
  };
}

/** Reads an item of a list of scores: the score, and that of its verdict. */
function itemReader(
  { field, source: { column, items, words, prefix = "" } }: MappedField,
  how: Compiling,
): (name: string, item: unknown) => readonly unknown[] {
  const partReader = (part: ItemPart): ((item: unknown) => unknown) => {
    const [path, ...others] = items?.[part] ?? [];
    if (path === undefined) return () => undefined;
    const place = `${column!.names[0]}[].${path}`;
    const isWanted = !column!.optional && path !== "" && (part === "key" || part === "score");
    if (isWanted) how.wanted.push({ field, column: place });
    return noting(place, firstOf([path, ...others].map(pathReader)), how);
  };
  const readers = ITEM_PARTS.map((part) => [part, partReader(part)] as const);
  const read = Object.fromEntries(readers) as Record<ItemPart, (item: unknown) => unknown>;
  // If score and label have the same path, a text is a label: 0.5 in quotes is a category.
  const isLabelled = items?.value?.[0] === items?.score[0];
  // Next to a verdict, words apply to the verdict.
  const hasWords = words !== undefined && items?.pass === undefined;
  return (name, item) => {
    const named = read.key(item) ?? name;
    const key = prefix + (typeof named === "object" ? name : String(named));
    const failure = read.error(item);
    if (isFailure(failure)) return [{ key, comment: `not scored: ${toText(failure)}` }];
    const score = read.score(item);
    const [label, comment] = [read.value(item) ?? undefined, read.comment(item) ?? undefined];
    const isLabel = isLabelled && typeof score === "string";
    const counted = hasWords ? countWord(words, score) : score;
    const scored = {
      key,
      score: isLabel ? undefined : counted,
      value: isLabel || !isLabelled ? label : undefined,
      comment,
    };
    const passed = read.pass(item) ?? undefined;
    const mark = passed === undefined ? undefined : markOf(words, passed);
    if (mark === undefined) return [scored];
    const threshold = read.threshold(item);
    how.directions.add({ key, score, threshold, passed: mark });
    const bound = typeof threshold === "number" ? `threshold ${threshold}` : undefined;
    return [scored, { key: `${key}.pass`, score: Number(mark), comment: bound }];
  };
}

const toText = (value: unknown): string =>
  typeof value === "object" ? JSON.stringify(value) : String(value);

/** A metric's own verdict as true or false, using the mapping's words if it has some. */
function markOf(words: Source["words"], passed: unknown): boolean | undefined {
  const counted = words === undefined ? verdictOf(passed) : countWord(words, passed);
  if (typeof counted === "boolean") return counted;
  return counted === 1 || counted === 0 ? counted === 1 : undefined;
}

const emptyAsAbsent = (value: unknown): unknown => (isThere(value) ? value : undefined);

function isHeaderField(field: string): boolean {
  return ([...HEADER_FIELDS, ...FILE_FIELDS] as readonly string[]).includes(
    field.split(".", 1)[0]!,
  );
}
