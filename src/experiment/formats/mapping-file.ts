import { load } from "js-yaml";
import { isObject, type Json } from "../../model/json.ts";
import type { Diagnostic } from "../../spec/desired.ts";
import { nearestWord } from "../../spec/suggestion.ts";
import { diagnosticAt, DiagnosticError, refusal } from "../diagnostic.ts";
import { type InputFile, readWhole } from "../input-file.ts";
import { HEADER_FIELDS, ROW_FIELDS } from "../row.ts";
import { USAGE_METRICS, usageMetric } from "../usage.ts";
import {
  type ColumnSource,
  type MappedField,
  type Mapping,
  OBJECT_FIELDS,
  type RowCondition,
  type Source,
} from "./mapping.ts";
import type { Orientation } from "./nested-rows.ts";

const ROW_EXTRAS = ["duration_s", "duration_ms", "repeat", "example_id"] as const;

/** Words of the plain-CSV convention, for those who know that one. */
const ALIASES: Readonly<Record<string, string>> = {
  feedback: "evaluation_scores",
  outputs: "actual_outputs",
  reference: "expected_outputs",
  execution_time: "duration_s",
  duration: "duration_s",
  pass: "evaluation_scores.pass",
};

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
  const { rows, orient, where, identity, score_errored: scored, ...rest } = loaded;
  const addDiagnostic = (path: string, message: string): void => {
    problems.push(diagnosticAt({ file: file.name, line: lineOf(text, path), path }, message));
  };
  const fields = flatten(rest, "").flatMap(([field, source]): MappedField[] => {
    const wrong = fieldProblem(field) ?? (typeof source === "string" ? source : null);
    if (wrong === null && typeof source !== "string") return [{ field, source }];
    addDiagnostic(field, wrong!);
    return [];
  });
  const paths = typeof rows === "string" || rows === undefined ? [rows ?? ""] : rows;
  if (!isTexts(paths) || paths.length === 0)
    addDiagnostic(
      "rows",
      "must be the path of the list that holds the rows, such as results or evals[].cases[], or a list of such paths",
    );
  if (orient !== undefined && !ORIENTATIONS.includes(orient))
    addDiagnostic("orient", `must be one of ${ORIENTATIONS.join(", ")}`);
  const named = isObject(identity) ? Object.values(identity) : (identity ?? []);
  const names = typeof identity === "string" ? [identity] : named;
  if (!isTexts(names))
    addDiagnostic(
      "identity",
      "must be a column, or a list of columns or { name: column }, that tells examples apart",
    );
  if (scored !== undefined && typeof scored !== "boolean")
    addDiagnostic("score_errored", "must be true or false");
  const keys = isObject(identity) ? Object.keys(identity) : [];
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
  const conditions = readConditions(where, addDiagnostic);
  if (problems.length > 0) throw new DiagnosticError(problems);
  return {
    rows: (paths as string[])[0]!,
    moreRows: (paths as string[]).slice(1),
    orient: orient as Orientation | undefined,
    where: conditions,
    identity: (names as string[]).map((name, n) => ({
      ...toColumn(name),
      ...(keys[n] === undefined ? {} : { as: keys[n] }),
    })),
    ...(scored === false ? { scoresErrored: false } : {}),
    fields,
  };
}

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((one) => typeof one === "string");

const ORIENTATIONS: readonly unknown[] = ["split", "columns", "index"] satisfies Orientation[];

type AddDiagnostic = (path: string, message: string) => void;

/** `where: { status: [done, failed], kind: { not: warmup } }` */
function readConditions(where: unknown, addDiagnostic: AddDiagnostic): RowCondition[] {
  if (where === undefined || where === null) return [];
  if (!isObject(where)) {
    addDiagnostic(
      "where",
      "must be columns with the values that rows must have, as { status: done }",
    );
    return [];
  }
  return Object.entries(where).flatMap(([column, wanted]): RowCondition[] => {
    const not = isObject(wanted) && Object.hasOwn(wanted, "not");
    const given: unknown = not ? wanted["not"] : wanted;
    const values = Array.isArray(given) ? (given as unknown[]) : [given];
    if (values.every((value) => typeof value !== "object" || value === null))
      return [{ source: toColumn(column), values: values.map(String), not }];
    addDiagnostic(`where.${column}`, "must be a value, a list of values, or { not: value }");
    return [];
  });
}

/** A path that ends in `?` may be missing from rows. */
function toColumn(text: string): ColumnSource {
  const [first = "", ...or] = text.split(" | ").map((one) => one.trim());
  if (or.length > 0 && ![first, ...or].includes("")) {
    const names = [first, ...or].map(toColumn);
    const { column } = names[0]!;
    const others = names.slice(1).map((one) => one.column);
    return { column, or: others, ...(names.some(({ optional }) => optional) ? OPTIONAL : {}) };
  }
  return text.length > 1 && text.endsWith("?")
    ? { column: text.slice(0, -1), ...OPTIONAL }
    : { column: text };
}

const OPTIONAL = { optional: true } as const;

const COLUMN_KEYS: readonly string[] = ["column", "words", "when", "optional"];
const LIST_KEYS: readonly string[] = [
  ...["list", "key", "score", "value", "comment", "words", "optional"],
];

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
      value: text("value"),
      comment: text("comment"),
      words,
    };
  }
  if (typeof inner["column"] === "string" && only(COLUMN_KEYS)) {
    if (words === null) return "words must be words with the numbers they count, as { pass: 1 }";
    const column = withOptional(toColumn(inner["column"]), inner["optional"]);
    const when = inner["when"] === undefined ? undefined : [inner["when"]].flat();
    if (when !== undefined && !isTexts(when))
      return "when must be the words that count as a value, as [error, crashed]";
    return {
      ...column,
      ...(words === undefined ? {} : { words }),
      ...(when === undefined ? {} : { when }),
    };
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
    const isVerdict = prefix === "" && key === "pass";
    if (typeof inner === "string")
      return [[field, { ...toColumn(inner), ...(isVerdict ? { verdict: true as const } : {}) }]];
    // Several columns under one object, or several metrics: each keeps its own name.
    if (isTexts(inner) && inner.length > 0)
      return inner.map((one) => [`${field}.${toColumn(one).column}`, toColumn(one)]);
    // Scores of several lists.
    if (Array.isArray(inner) && inner.length > 0 && inner.every(isObject))
      return inner.map((one) => [field, readSource(one) ?? "needs a column name, or {list: path}"]);
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
  if (root === "usage" && rest.length === 1)
    return usageMetric(rest[0]!) === undefined
      ? `is not known; write ${USAGE_METRICS.map((metric) => `usage.${metric}`).join(", ")}`
      : null;
  const known = [...HEADER_FIELDS, ...ROW_FIELDS, ...ROW_EXTRAS] as readonly string[];
  if (known.includes(root)) return whole ? null : `has no parts; write ${root}`;
  const all = [...known, "rows", "usage.cost"];
  const near = nearestWord(root, all);
  return near === undefined
    ? `there is no such field; fields are ${all.join(", ")}`
    : `there is no such field (did you mean ${near}?)`;
}
