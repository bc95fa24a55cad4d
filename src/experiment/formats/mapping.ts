import { load } from "js-yaml";
import type { Diagnostic } from "../../spec/desired.ts";
import type { Json } from "../../model/json.ts";
import { nearestWord } from "../../spec/suggestion.ts";
import { parseLenientJson } from "../lenient-json.ts";
import { isObject } from "../../model/json.ts";
import { DiagnosticError, diagnosticAt, refusal } from "../diagnostic.ts";
import {
  FEEDBACK_FIELDS,
  HEADER_FIELDS,
  ROW_FIELDS,
  type FileHeader,
  type ReadRow,
  type RowPlace,
} from "../row.ts";
import { readWhole, type InputFile } from "../input-file.ts";
import { valueAt, type NestedRow, type Orientation } from "./nested-rows.ts";

/** A column, key or path of a row; `optional` says that rows may lack it, `words` what its words count. */
export interface ColumnSource {
  readonly column: string;
  readonly optional?: boolean;
  readonly words?: ReadonlyMap<string, number>;
}

/** A list (or an object) of scores whose names stand in the data. */
export interface ListSource {
  readonly list: ColumnSource;
  /** Path of the name in an item; absent: an object's own keys, or the position. */
  readonly key: string | undefined;
  readonly score: string;
  readonly comment: string | undefined;
  readonly words: ReadonlyMap<string, number> | undefined;
}

/** Where the value of one field comes from. */
export interface MappedField {
  /** As written: `inputs.question`, `evaluation_scores.correctness.comment`, `dataset_name`. */
  readonly field: string;
  readonly source: ColumnSource | ListSource | { readonly literal: Json };
}

/** Rows that are kept: those whose column has (or has not) one of the values. */
export interface RowCondition {
  readonly source: ColumnSource;
  readonly values: readonly string[];
  readonly not: boolean;
}

/** A mapping file, read: fields of the request on the left, columns (or JSON paths, or literals) on the right. */
export interface Mapping {
  /** Where a JSON document holds its rows; empty where the root is the list or the file is CSV or JSONL. */
  readonly rows: string;
  /** Absent: rows are the items of a list. */
  readonly orient?: Orientation | undefined;
  readonly where: readonly RowCondition[];
  /** Columns that tell examples apart; empty: the inputs do. */
  readonly identity: readonly ColumnSource[];
  readonly fields: readonly MappedField[];
}

const OBJECT_FIELDS = ["inputs", "expected_outputs", "actual_outputs", "run_metadata"] as const;
const ROW_EXTRAS = ["duration_s", "repeat", "example_id"] as const;
/** Words of the plain-CSV convention, for those who know that one. */
const ALIASES: Readonly<Record<string, string>> = {
  feedback: "evaluation_scores",
  outputs: "actual_outputs",
  reference: "expected_outputs",
  execution_time: "duration_s",
  duration: "duration_s",
};
const FEEDBACK_PARTS: readonly string[] = [
  ...FEEDBACK_FIELDS.filter((field) => field !== "key"),
  "feedback_source.type",
  "feedback_config.type",
  "feedback_config.min",
  "feedback_config.max",
  "feedback_config.categories",
];
const MAX_MAPPING_BYTES = 1024 * 1024;

/** Reads a mapping file (YAML, `field: column`); all its problems at once. */
export async function readMapping(file: InputFile): Promise<Mapping> {
  const text = (await readWhole(file, MAX_MAPPING_BYTES)).toString("utf8");
  let loaded: unknown;
  try {
    loaded = load(text, { maxAliases: 10, maxDepth: 20 });
  } catch (error) {
    const line = ((error as { mark?: { line?: number } }).mark?.line ?? 0) + 1;
    throw refusal(
      { file: file.name, line },
      "the mapping is not valid YAML; write one `field: column` a line",
    );
  }
  if (!isObject(loaded))
    throw refusal({ file: file.name }, "the mapping must be YAML lines `field: column`");
  const problems: Diagnostic[] = [];
  const { rows, orient, where, identity, ...rest } = loaded;
  const complain = (path: string, message: string): void => {
    problems.push(diagnosticAt({ file: file.name, line: lineOf(text, path), path }, message));
  };
  const fields = flatten(rest, "").flatMap(([field, source]): MappedField[] => {
    const wrong = fieldProblem(field) ?? (typeof source === "string" ? source : null);
    if (wrong === null && typeof source !== "string") return [{ field, source }];
    complain(field, wrong!);
    return [];
  });
  if (rows !== undefined && typeof rows !== "string")
    complain(
      "rows",
      "must be the path of the list that holds the rows, as results or evals[].cases[]",
    );
  if (orient !== undefined && !ORIENTATIONS.includes(orient))
    complain("orient", `must be one of ${ORIENTATIONS.join(", ")}`);
  const names = typeof identity === "string" ? [identity] : (identity ?? []);
  if (!Array.isArray(names) || !names.every((name) => typeof name === "string"))
    complain("identity", "must be a column, or a list of columns, that tells examples apart");
  if (
    identity === undefined &&
    !fields.some(({ field }) => field === "inputs" || field.startsWith("inputs."))
  )
    problems.push(
      diagnosticAt(
        { file: file.name, path: "inputs" },
        "the mapping names no inputs; write `inputs.question: your_column`",
      ),
    );
  const conditions = readConditions(where, complain);
  if (problems.length > 0) throw new DiagnosticError(problems);
  return {
    rows: typeof rows === "string" ? rows : "",
    orient: orient as Orientation | undefined,
    where: conditions,
    identity: (names as string[]).map(toColumn),
    fields,
  };
}

const ORIENTATIONS: readonly unknown[] = ["split", "columns", "index"] satisfies Orientation[];

type Source = MappedField["source"];
type Complain = (path: string, message: string) => void;

/** `where: { status: [done, failed], kind: { not: warmup } }` */
function readConditions(where: unknown, complain: Complain): RowCondition[] {
  if (where === undefined || where === null) return [];
  if (!isObject(where)) {
    complain("where", "must be columns with the values that rows must have, as { status: done }");
    return [];
  }
  return Object.entries(where).flatMap(([column, wanted]): RowCondition[] => {
    const not = isObject(wanted) && Object.hasOwn(wanted, "not");
    const given: unknown = not ? wanted["not"] : wanted;
    const values = Array.isArray(given) ? (given as unknown[]) : [given];
    if (values.every((value) => typeof value !== "object" || value === null))
      return [{ source: toColumn(column), values: values.map(String), not }];
    complain(`where.${column}`, "must be a value, a list of values, or { not: value }");
    return [];
  });
}

/** A path that ends in `?` may be missing from rows. */
function toColumn(text: string): ColumnSource {
  return text.length > 1 && text.endsWith("?")
    ? { column: text.slice(0, -1), optional: true }
    : { column: text };
}

const COLUMN_KEYS: readonly string[] = ["column", "words", "optional"];
const LIST_KEYS: readonly string[] = ["list", "key", "score", "comment", "words", "optional"];

/** A source that is written as a mapping of its own; a text says what is wrong with it, null that it is none. */
function readSource(inner: Readonly<Record<string, unknown>>): Source | string | null {
  const keys = Object.keys(inner);
  const only = (known: readonly string[]): boolean => keys.every((key) => known.includes(key));
  if (keys.length === 1 && keys[0] === "literal") return { literal: inner["literal"] as Json };
  const words = readWords(inner["words"]);
  if (typeof inner["list"] === "string" && only(LIST_KEYS)) {
    if (typeof inner["score"] !== "string" && typeof inner["score"] !== "undefined")
      return "score must be the path of the score in an item of the list";
    if (words === null) return "words must be words with the numbers they count, as { pass: 1 }";
    const text = (key: string): string | undefined =>
      typeof inner[key] === "string" ? (inner[key] as string) : undefined;
    return {
      list: withOptional(toColumn(inner["list"]), inner["optional"]),
      key: text("key"),
      score: text("score") ?? "",
      comment: text("comment"),
      words,
    };
  }
  if (typeof inner["column"] === "string" && only(COLUMN_KEYS)) {
    if (words === null) return "words must be words with the numbers they count, as { pass: 1 }";
    const column = withOptional(toColumn(inner["column"]), inner["optional"]);
    return words === undefined ? column : { ...column, words };
  }
  return null;
}

function withOptional(column: ColumnSource, optional: unknown): ColumnSource {
  return optional === true ? { ...column, optional: true } : column;
}

function readWords(words: unknown): ReadonlyMap<string, number> | null | undefined {
  if (words === undefined) return undefined;
  if (!isObject(words)) return null;
  const entries = Object.entries(words).map(([word, count]) => [word, Number(count)] as const);
  return entries.every(([, count]) => Number.isFinite(count)) ? new Map(entries) : null;
}

/** Fields and their sources; a text in place of a source says what is wrong with it. */
function flatten(
  value: Readonly<Record<string, unknown>>,
  prefix: string,
): [string, Source | string][] {
  return Object.entries(value).flatMap(([key, inner]): [string, Source | string][] => {
    const field = prefix === "" ? plainField(key) : `${prefix}.${key}`;
    if (typeof inner === "string") return [[field, toColumn(inner)]];
    // Several columns under one object, or several metrics: each keeps its own name.
    if (Array.isArray(inner) && inner.length > 0 && inner.every((one) => typeof one === "string"))
      return inner.map((one: string) => [`${field}.${toColumn(one).column}`, toColumn(one)]);
    if (!isObject(inner)) return [[field, "needs a column name, or {literal: value}"]];
    const source = readSource(inner);
    return source === null ? flatten(inner, field) : [[field, source]];
  });
}

/** A field in the words of the request. */
function plainField(field: string): string {
  const [root = "", ...rest] = field.split(".");
  return [Object.hasOwn(ALIASES, root) ? ALIASES[root]! : root, ...rest].join(".");
}

function lineOf(text: string, field: string): number {
  const last = field.split(".").at(-1)!;
  const at = text
    .split("\n")
    .findIndex((line) => line.includes(`${field}:`) || line.trimStart().startsWith(`${last}:`));
  return at < 0 ? 1 : at + 1;
}

function fieldProblem(field: string): string | null {
  const [root = "", ...rest] = field.split(".");
  const whole = rest.length === 0;
  if ((OBJECT_FIELDS as readonly string[]).includes(root) || root === "experiment_metadata")
    return null;
  if (root === "evaluation_scores" || root === "summary_experiment_scores") return null;
  const known = [...HEADER_FIELDS, ...ROW_FIELDS, ...ROW_EXTRAS] as readonly string[];
  if (known.includes(root)) return whole ? null : `has no parts; write ${root}`;
  const all = [...known, "rows"];
  const near = nearestWord(root, all);
  return near === undefined
    ? `there is no such field; fields are ${all.join(", ")}`
    : `there is no such field (did you mean ${near}?)`;
}

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
  const look = (column: ColumnSource, cells: Cells): unknown => {
    // A header may end in a question mark of its own.
    const marked = column.optional === true ? cells(`${column.column}?`) : undefined;
    const value = marked ?? cells(column.column);
    if (value !== undefined) found.add(column.column);
    return value;
  };
  const valueIn = ({ source }: MappedField, cells: Cells): unknown => {
    if ("literal" in source) return source.literal;
    if ("list" in source) return listScores(source, look(source.list, cells), found);
    const value = look(source, cells);
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
    const row = assemble(place, slots, (mapped) => {
      const value = valueIn(mapped, cells);
      return isInput(mapped) ? value : emptyAsAbsent(value);
    });
    if (mapping.identity.length === 0) return row;
    const identity = Object.fromEntries(
      mapping.identity.map((column) => [column.column, look(column, cells) ?? null]),
    );
    return { ...row, identity, inputs: row.inputs ?? identity };
  };
  const header = (rest: unknown): FileHeader => {
    const values = headerFields.map(
      (mapped): Found => [
        mapped.field,
        emptyAsAbsent(valueIn(mapped, jsonCells(rest))) ?? seen.get(mapped.field),
        mapped.source,
      ],
    );
    const warnings =
      leftOut === 0
        ? []
        : [`${leftOut === 1 ? "1 row" : `${leftOut} rows`} left out by where: not read`];
    leftOut = 0;
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
    const comment = source.comment === undefined ? undefined : valueAt(item, source.comment);
    return {
      key: typeof key === "string" && key !== "" ? key : String(key ?? name),
      score: source.words === undefined ? score : countWord(source.words, score),
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

/** A field, its value, and where that came from. */
type Found = readonly [string, unknown, Source];

/** Where a field's value goes: worked out once, and not for every row. */
type Slot = {
  readonly mapped: MappedField;
  readonly root: string;
} & (
  | { readonly kind: "scores" | "object" | "number" | "plain" }
  | { readonly kind: "score"; readonly key: string; readonly part: string }
  | { readonly kind: "entry"; readonly name: string }
);

function toSlot(mapped: MappedField): Slot {
  const { field } = mapped;
  const dot = field.indexOf(".");
  const root = dot < 0 ? field : field.slice(0, dot);
  if (field === "evaluation_scores") return { mapped, root, kind: "scores" };
  if (root === "evaluation_scores")
    return { mapped, root, kind: "score", ...scorePart(field.slice(dot + 1)) };
  if (dot > 0) return { mapped, root, kind: "entry", name: field.slice(dot + 1) };
  if ((OBJECT_FIELDS as readonly string[]).includes(root)) return { mapped, root, kind: "object" };
  return { mapped, root, kind: root === "duration_s" || root === "repeat" ? "number" : "plain" };
}

function assemble(
  place: RowPlace,
  slots: readonly Slot[],
  toValue: (mapped: MappedField) => unknown,
): ReadRow {
  const row: Record<string, unknown> = {};
  const lists: unknown[] = [];
  const objects = new Map<string, Map<string, unknown>>();
  const scores = new Map<string, Map<string, unknown>>();
  for (const slot of slots) {
    const value = toValue(slot.mapped);
    if (value === undefined) continue;
    if (slot.kind === "scores") lists.push(...toWholeScores(scores, value, slot.mapped.source));
    else if (slot.kind === "score") entryOf(scores, slot.key).set(slot.part, value);
    else if (slot.kind === "entry") entryOf(objects, slot.root).set(slot.name, value);
    else if (slot.kind === "object") row[slot.root] = parseWhenJson(value);
    else row[slot.root] = slot.kind === "number" ? toNumber(value) : value;
  }
  for (const [root, entries] of objects)
    row[root] =
      row[root] === undefined
        ? Object.fromEntries(entries)
        : { ...(isObject(row[root]) ? row[root] : {}), ...Object.fromEntries(entries) };
  if (scores.size + lists.length > 0) row["evaluation_scores"] = [...lists, ...toScores(scores)];
  row["place"] = place;
  return row as unknown as ReadRow;
}

function assembleHeader(values: readonly Found[]): FileHeader["given"] {
  const given: Record<string, unknown> = {};
  const lists: unknown[] = [];
  const scores = new Map<string, Map<string, unknown>>();
  const metadata = new Map<string, unknown>();
  for (const [field, value, source] of values) {
    if (value === undefined) continue;
    if (field === "summary_experiment_scores") lists.push(...toWholeScores(scores, value, source));
    else if (field.startsWith("summary_experiment_scores.")) {
      const { key, part } = scorePart(field.slice(field.indexOf(".") + 1));
      entryOf(scores, key).set(part, value);
    } else if (field.startsWith("experiment_metadata."))
      metadata.set(field.slice(field.indexOf(".") + 1), value);
    else given[field] = field === "experiment_metadata" ? parseWhenJson(value) : value;
  }
  if (metadata.size > 0)
    given["experiment_metadata"] = {
      ...(isObject(given["experiment_metadata"]) ? given["experiment_metadata"] : {}),
      ...Object.fromEntries(metadata),
    };
  if (scores.size + lists.length > 0)
    given["summary_experiment_scores"] = [...lists, ...toScores(scores)];
  return given;
}

/**
 * Scores whose names stand in the data: a list of feedbacks, given back as it is; an object of
 * scores by metric; a lone score, whose metric is called like its column.
 */
function toWholeScores(
  scores: Map<string, Map<string, unknown>>,
  value: unknown,
  source: Source,
): readonly unknown[] {
  const whole = parseWhenJson(value);
  if (Array.isArray(whole)) return whole;
  if (isObject(whole))
    for (const [key, score] of Object.entries(whole)) entryOf(scores, key).set("score", score);
  else entryOf(scores, "column" in source ? source.column : "score").set("score", whole);
  return [];
}

function entryOf(map: Map<string, Map<string, unknown>>, key: string): Map<string, unknown> {
  const found = map.get(key) ?? new Map<string, unknown>();
  map.set(key, found);
  return found;
}

/** `correctness`, `correctness.comment`, `correctness.feedback_config.min`: the longest known ending is the part. */
function scorePart(name: string): { readonly key: string; readonly part: string } {
  const part = FEEDBACK_PARTS.filter((known) => name.endsWith(`.${known}`)).sort(
    (a, b) => b.length - a.length,
  )[0];
  return part === undefined
    ? { key: name, part: "score" }
    : { key: name.slice(0, -part.length - 1), part };
}

function toScores(scores: Map<string, Map<string, unknown>>): unknown[] {
  return [...scores].map(([key, parts]) => {
    const feedback: Record<string, unknown> = { key };
    for (const [part, value] of parts) {
      const [outer, inner] = part.split(".");
      if (outer === "feedback_config" && inner !== undefined)
        feedback[outer] = {
          ...(feedback[outer] as object | undefined),
          [inner]: configValue(inner, value),
        };
      else if (inner !== undefined)
        feedback[outer!] = { ...(feedback[outer!] as object | undefined), [inner]: value };
      else
        feedback[part] =
          part === "correction" || part === "feedback_source" || part === "feedback_config"
            ? parseWhenJson(value)
            : value;
    }
    return feedback;
  });
}

function configValue(part: string, value: unknown): unknown {
  if (part === "type") return value;
  return part === "categories" ? parseWhenJson(value) : toNumber(value);
}

/** A number in text; anything else stays as it is, for the checks to name. */
function toNumber(value: unknown): unknown {
  return typeof value === "string" && value.trim() !== "" && Number.isFinite(Number(value))
    ? Number(value)
    : value;
}

/** Cells of whole objects and lists are JSON; text that only looks like it stays text. */
function parseWhenJson(value: unknown): unknown {
  if (typeof value !== "string" || !/^\s*[[{]/.test(value)) return value;
  const parsed = parseLenientJson(value);
  return parsed.problem === undefined ? parsed.value : value;
}
