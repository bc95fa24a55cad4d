import { load } from "js-yaml";
import type { Json, Diagnostic } from "../../spec/desired.ts";
import { nearestWord } from "../../spec/suggestion.ts";
import { isObject, ownAt, parseLenientJson } from "../lenient-json.ts";
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

/** Where the value of one field comes from. */
export interface MappedField {
  /** As written: `inputs.question`, `evaluation_scores.correctness.comment`, `dataset_name`. */
  readonly field: string;
  readonly source: { readonly column: string } | { readonly literal: Json };
}

/** A mapping file, read: fields of the request on the left, columns (or dotted JSON paths, or literals) on the right. */
export interface Mapping {
  /** Path of the rows' array in a JSON document; empty where the root is the array or the file is CSV or JSONL. */
  readonly rows: readonly string[];
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
  const { rows, ...rest } = loaded;
  const fields = flatten(rest, "").flatMap(([field, source]): MappedField[] => {
    const wrong =
      fieldProblem(field) ?? (source === null ? "needs a column name, or {literal: value}" : null);
    if (wrong === null && source !== null) return [{ field, source }];
    problems.push(
      diagnosticAt(
        { file: file.name, line: lineOf(text, field), path: field },
        `${field}: ${wrong}`,
      ),
    );
    return [];
  });
  if (rows !== undefined && typeof rows !== "string")
    problems.push(
      diagnosticAt(
        { file: file.name, line: lineOf(text, "rows"), path: "rows" },
        "rows: must be the dotted path of the array that holds the rows",
      ),
    );
  if (!fields.some(({ field }) => field === "inputs" || field.startsWith("inputs.")))
    problems.push(
      diagnosticAt(
        { file: file.name, path: "inputs" },
        "the mapping names no inputs; write `inputs.question: your_column`",
      ),
    );
  if (problems.length > 0) throw new DiagnosticError(problems);
  return { rows: typeof rows === "string" && rows !== "" ? rows.split(".") : [], fields };
}

type Source = MappedField["source"];

function flatten(
  value: Readonly<Record<string, unknown>>,
  prefix: string,
): [string, Source | null][] {
  return Object.entries(value).flatMap(([key, inner]): [string, Source | null][] => {
    const field = prefix === "" ? plainField(key) : `${prefix}.${key}`;
    if (typeof inner === "string") return [[field, { column: inner }]];
    // Several columns under one object, or several metrics: each keeps its own name.
    if (Array.isArray(inner) && inner.length > 0 && inner.every((one) => typeof one === "string"))
      return inner.map((one: string) => [`${field}.${one}`, { column: one }]);
    if (!isObject(inner)) return [[field, null]];
    const keys = Object.keys(inner);
    if (keys.length === 1 && keys[0] === "column" && typeof inner["column"] === "string")
      return [[field, { column: inner["column"] }]];
    if (keys.length === 1 && keys[0] === "literal")
      return [[field, { literal: inner["literal"] as Json }]];
    return flatten(inner, field);
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
  return `there is no such field${near === undefined ? "" : ` (did you mean ${near}?)`}; fields are ${all.join(", ")}`;
}

/** A source of cells by column name: a CSV record or a JSON object. */
export type Cells = (column: string) => unknown;

/** A JSON row's cells: the key itself, else the dotted path. */
export function jsonCells(value: unknown): Cells {
  return (column) =>
    ownAt(value, column) ?? (column.includes(".") ? ownAt(value, ...column.split(".")) : undefined);
}

/** Makes rows of cells by a mapping; `header` tells what the fields of the experiment were. */
export function createMapper(mapping: Mapping): {
  readonly toRow: (place: RowPlace, cells: Cells) => ReadRow;
  readonly header: (rest: unknown) => FileHeader;
} {
  const headerFields = mapping.fields.filter(({ field }) => isHeaderField(field));
  const rowFields = mapping.fields.filter(({ field }) => !isHeaderField(field));
  const seen = new Map<string, unknown>();
  const valueOf = ({ source }: MappedField, cells: Cells): unknown =>
    "literal" in source ? source.literal : emptyAsAbsent(cells(source.column));
  const toRow = (place: RowPlace, cells: Cells): ReadRow => {
    for (const mapped of headerFields) {
      if (seen.has(mapped.field)) continue;
      const value = valueOf(mapped, cells);
      if (value !== undefined) seen.set(mapped.field, value);
    }
    return assemble(
      place,
      rowFields.map((mapped) => [
        mapped.field,
        isInput(mapped) && "column" in mapped.source
          ? cells(mapped.source.column)
          : valueOf(mapped, cells),
        mapped.source,
      ]),
    );
  };
  const header = (rest: unknown): FileHeader => {
    const found = headerFields.map(
      (mapped): Found => [
        mapped.field,
        valueOf(mapped, jsonCells(rest)) ?? seen.get(mapped.field),
        mapped.source,
      ],
    );
    return { given: assembleHeader(found) };
  };
  return { toRow, header };
}

const isInput = ({ field }: MappedField): boolean => field.startsWith("inputs.");
const emptyAsAbsent = (value: unknown): unknown =>
  value === "" || value === null ? undefined : value;

function isHeaderField(field: string): boolean {
  return (HEADER_FIELDS as readonly string[]).includes(field.split(".", 1)[0]!);
}

/** A field, its value, and where that came from. */
type Found = readonly [string, unknown, Source];

function assemble(place: RowPlace, values: readonly Found[]): ReadRow {
  const row: Record<string, unknown> = {};
  const lists: unknown[] = [];
  const objects = new Map<string, Map<string, unknown>>();
  const scores = new Map<string, Map<string, unknown>>();
  for (const [field, value, source] of values) {
    if (value === undefined) continue;
    const dot = field.indexOf(".");
    const root = dot < 0 ? field : field.slice(0, dot);
    if (field === "evaluation_scores") lists.push(...toWholeScores(scores, value, source));
    else if (root === "evaluation_scores") putScore(scores, field.slice(dot + 1), value);
    else if (dot > 0) entryOf(objects, root).set(field.slice(dot + 1), value);
    else if ((OBJECT_FIELDS as readonly string[]).includes(root)) row[root] = parseWhenJson(value);
    else if (root === "duration_s" || root === "repeat") row[root] = toNumber(value);
    else row[root] = value;
  }
  for (const [root, entries] of objects)
    row[root] = { ...(isObject(row[root]) ? row[root] : {}), ...Object.fromEntries(entries) };
  if (scores.size + lists.length > 0) row["evaluation_scores"] = [...lists, ...toScores(scores)];
  return { ...row, place };
}

function assembleHeader(values: readonly Found[]): FileHeader["given"] {
  const given: Record<string, unknown> = {};
  const lists: unknown[] = [];
  const scores = new Map<string, Map<string, unknown>>();
  const metadata = new Map<string, unknown>();
  for (const [field, value, source] of values) {
    if (value === undefined) continue;
    if (field === "summary_experiment_scores") lists.push(...toWholeScores(scores, value, source));
    else if (field.startsWith("summary_experiment_scores."))
      putScore(scores, field.slice(field.indexOf(".") + 1), value);
    else if (field.startsWith("experiment_metadata."))
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

/** Scores whose names stand in the data: a list of feedbacks, given back as it is; an object of scores by metric; a lone score, whose metric is called like its column. */
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
function putScore(scores: Map<string, Map<string, unknown>>, name: string, value: unknown): void {
  const part = FEEDBACK_PARTS.filter((known) => name.endsWith(`.${known}`)).sort(
    (a, b) => b.length - a.length,
  )[0];
  entryOf(scores, part === undefined ? name : name.slice(0, -part.length - 1)).set(
    part ?? "score",
    value,
  );
}

function toScores(scores: Map<string, Map<string, unknown>>): unknown[] {
  return [...scores].map(([key, parts]) => {
    const feedback: Record<string, unknown> = { key };
    for (const [part, value] of parts) {
      const [outer, inner] = part.split(".");
      if (outer === "feedback_config" && inner !== undefined)
        feedback[outer] = {
          ...(feedback[outer] as object | undefined),
          [inner]:
            inner === "type"
              ? value
              : inner === "categories"
                ? parseWhenJson(value)
                : toNumber(value),
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
