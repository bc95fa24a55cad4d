import * as z from "zod/v4";
import { isObject, type Json } from "../../model/json.ts";
import type { Diagnostic } from "../../spec/desired.ts";
import { didYouMean, nearestWord } from "../../spec/suggestion.ts";
import { placeAt, toPlain } from "../../spec/yaml-node.ts";
import { parseYaml } from "../../spec/yaml.ts";
import { diagnosticAt, DiagnosticError } from "../input/diagnostic.ts";
import { HEADER_FIELDS, ROW_FIELDS } from "../input/row.ts";
import { USAGE_METRICS, usageMetric } from "../input/usage.ts";
import {
  type ColumnNames,
  ITEM_PARTS,
  type ItemPart,
  type MappedField,
  type Mapping,
  type Names,
  OBJECT_FIELDS,
} from "./mapping.ts";

/** Fields of a file's experiment that are not request fields. */
export const FILE_FIELDS = ["suite", "started_at"] as const;
const ROW_EXTRAS = ["duration_s", "duration_ms", "repeat", "example_id", "usage"] as const;

/** Names of the plain-CSV convention, accepted as aliases. */
const ALIASES: Readonly<Record<string, string>> = {
  feedback: "evaluation_scores",
  outputs: "actual_outputs",
  reference: "expected_outputs",
  execution_time: "duration_s",
  duration: "duration_s",
  pass: "evaluation_scores.pass",
};

const NOT_WORDS = "must be words with the numbers they count, as { pass: 1 }";
const Count = z
  .union([z.number(), z.boolean(), z.string().regex(/\d/, NOT_WORDS)], NOT_WORDS)
  .transform(Number)
  .refine(Number.isFinite, NOT_WORDS);
const Flag = z.boolean("must be true or false").optional();
const Texts = z.union([z.string().transform((one) => [one]), z.array(z.string())]);
const part = (what: string): z.ZodOptional<z.ZodString> =>
  z.string(`must be the path of the ${what} in an item of the list`).optional();

const Written = z.strictObject({
  column: z.string(),
  list: z.string(),
  columns: Texts,
  literal: z.unknown(),
  key: part("name"),
  score: part("score"),
  value: part("label"),
  comment: part("comment"),
  error: part("failure"),
  pass: part("verdict"),
  threshold: part("threshold"),
  prefix: z.string("must be what comes before each name").optional(),
  words: z
    .record(z.string(), Count, NOT_WORDS)
    .transform((words) => new Map(Object.entries(words)))
    .optional(),
  when: Texts.optional(),
  from: z.number("must be the number of the first").optional(),
  optional: Flag,
});
/** The ways to write a source, by the key that each must have. */
const WAYS = {
  literal: Written.pick({ literal: true }),
  list: Written.omit({ column: true, columns: true, literal: true, when: true, from: true }),
  column: Written.pick({ column: true, words: true, when: true, from: true, optional: true }),
  columns: Written.pick({ columns: true, words: true }),
} as const;

const Scalar = z.union([z.string(), z.number(), z.boolean(), z.null()]);
const Values = z
  .union([Scalar.transform((one) => [one]), z.array(Scalar)])
  .transform((values) => values.map(String));
const Condition = z.union(
  [
    Values.transform((values) => ({ values, not: false })),
    z.looseObject({ not: Values }).transform(({ not }) => ({ values: not, not: true })),
  ],
  "must be a value, a list of values, or { not: value }",
);
const Head = z.looseObject({
  rows: z
    .union([z.string(), z.array(z.string()).min(1)], {
      error:
        "must be the path of the list that holds the rows, such as results or evals[].cases[], or a list of such paths",
    })
    .optional(),
  orient: z.enum(["split", "columns", "index"], "must be one of split, columns, index").optional(),
  where: z
    .record(z.string(), Condition, {
      error: "must be columns with the values that rows must have, as { status: done }",
    })
    .nullish(),
  identity: z
    .union([z.string(), z.array(z.string()), z.record(z.string(), z.string())], {
      error:
        "must be a column, or a list of columns or { name: column }, that distinguishes examples",
    })
    .nullish(),
  score_errored: Flag,
  exact: Flag,
  ignore: Texts.optional(),
});

/** Reports a problem at a path of the file, for a field in the words of the request. */
type AddProblem = (
  path: readonly PropertyKey[],
  field: string,
  message: string,
  onKey?: true,
) => void;

interface Reading {
  readonly addProblem: AddProblem;
  readonly exact: boolean;
  readonly taken: Set<string>;
}

/** Parses a mapping file (YAML, `field: column`); reports all problems at once. */
export function parseMapping(source: string, name: string): Mapping {
  const { documents, problems: broken } = parseYaml(source, name);
  const [root, second] = documents;
  const problems: Diagnostic[] = broken.map((one) => ({
    ...one,
    message: `${one.message} (a mapping is YAML lines \`field: column\`)`,
  }));
  const addProblem: AddProblem = (path, field, message, onKey) => {
    const at = root === undefined ? { line: 1, column: 1 } : placeAt(root, path, onKey === true);
    problems.push(
      diagnosticAt({ file: name, line: at.line, column: at.column, path: field }, message),
    );
  };
  const loaded = root === undefined ? null : toPlain(root);
  if (problems.length === 0 && (!isObject(loaded) || second !== undefined))
    addProblem([], "", "the mapping must be YAML lines `field: column`, in one document");
  if (problems.length > 0) throw new DiagnosticError(problems);
  const read = Head.safeParse(loaded);
  for (const { path, message } of read.error?.issues ?? [])
    addProblem(path, path.join("."), message);
  if (read.data === undefined) throw new DiagnosticError(problems);
  const mapping = toMapping(read.data, addProblem);
  if (problems.length > 0) throw new DiagnosticError(problems);
  return mapping;
}

function toMapping(given: z.infer<typeof Head>, addProblem: AddProblem): Mapping {
  const { rows, orient, where, identity, score_errored: scored, exact, ignore, ...rest } = given;
  const reading = { addProblem, exact: exact === true, taken: new Set<string>() };
  const fields = readFields(rest as Fields, [], reading);
  const [first = "", ...moreRows] = [rows ?? ""].flat();
  const named: readonly (readonly [string | undefined, string])[] = isObject(identity)
    ? Object.entries(identity as Record<string, string>)
    : [identity ?? []].flat().map((one) => [undefined, one]);
  const hasInputs = fields.some(({ field }) => field.split(".", 1)[0] === "inputs");
  if ((identity ?? undefined) === undefined && !hasInputs)
    addProblem([], "inputs", "the mapping names no inputs; write `inputs.question: your_column`");
  return {
    rows: first.split(" | ").map((one) => one.trim()),
    moreRows,
    orient,
    where: Object.entries(where ?? {}).map(([column, condition]) => ({
      column: toColumn(column, reading),
      ...condition,
    })),
    identity: named.map(([name, one]) => {
      const column = toColumn(one, reading);
      return { name: name ?? column.names[0], column };
    }),
    ignore: ignore ?? [],
    scoreErrored: scored !== false,
    exact: reading.exact,
    fields,
  };
}

/**
 * Splits `a | b`; with `exact`, adds the camelCase spelling of each snake_case name, since tools
 * switch between them.
 */
function toNames(given: string, { exact }: Reading): Names {
  const names = given.split(" | ").map((one) => one.trim());
  const spelled = (name: string): string[] => {
    const camel = name.replace(/(?<=[a-z0-9])_([a-z])/g, (_, letter: string) =>
      letter.toUpperCase(),
    );
    return exact && camel !== name ? [name, camel] : [name];
  };
  // A header of a user's file may itself have a bar.
  const whole = exact || names.length === 1 ? [] : [given];
  return (names.includes("") ? [given] : [...names.flatMap(spelled), ...whole]) as unknown as Names;
}

/** Rows may lack a path that ends in `?`. */
function toColumn(given: string, reading: Reading, optional?: boolean): ColumnNames {
  const parts = toNames(given, reading);
  const isMarked = (name: string): boolean => name.length > 1 && name.endsWith("?");
  const names = parts.map((name) => (isMarked(name) ? name.slice(0, -1) : name));
  return {
    names: names as unknown as Names,
    optional: optional === true || parts.some(isMarked),
  };
}

/** Fields for which `{list: …}` means a list of scores, rather than a field with that name. */
const LISTED: readonly string[] = ["evaluation_scores", "summary_experiment_scores"];

/** How a source is written; undefined if the keys are names of parts of the field. */
function wayOf(inner: Fields, field: string): keyof typeof WAYS | undefined {
  return (Object.keys(WAYS) as (keyof typeof WAYS)[]).find((way) => {
    const { shape } = WAYS[way];
    const isAlone = Object.keys(inner).every((key) => Object.hasOwn(shape, key));
    return (
      Object.hasOwn(inner, way) &&
      Written.shape[way].safeParse(inner[way]).success &&
      (isAlone || (way === "list" && LISTED.includes(field)))
    );
  });
}

/** The source that a YAML mapping describes; empty if its problems were reported. */
function readSource(
  inner: Fields,
  field: string,
  path: readonly PropertyKey[],
  reading: Reading,
): MappedField[] {
  const way = wayOf(inner, field);
  if (way === undefined) {
    reading.addProblem(path, field, "needs a column name, or {list: path}");
    return [];
  }
  const { data, error } = WAYS[way].safeParse(inner);
  const keys = Object.keys(WAYS[way].shape);
  for (const issue of error?.issues ?? []) {
    const [unknown] = issue.code === "unrecognized_keys" ? issue.keys : [];
    const at = [...path, ...issue.path];
    if (unknown === undefined)
      reading.addProblem(at, [field, ...issue.path].join("."), issue.message);
    else
      reading.addProblem(
        [...at, unknown],
        field,
        `there is no key "${unknown}" here${didYouMean(unknown, keys)}; keys are ${keys.join(", ")}`,
        true,
      );
  }
  if (data === undefined) return [];
  const { column, list, columns, literal, optional, words, when, from, prefix, ...rest } =
    data as Partial<z.infer<typeof Written>>;
  const parts = ITEM_PARTS.flatMap((one): [ItemPart, Names][] =>
    rest[one] === undefined ? [] : [[one, toNames(rest[one], reading)]],
  );
  const read = column ?? list;
  const source = {
    ...{ words, when, from, prefix, literal: literal as Json, patterns: columns },
    column: read === undefined ? undefined : toColumn(read, reading, optional),
    items: list === undefined ? undefined : { score: [""] as const, ...Object.fromEntries(parts) },
  };
  return [{ field, source }];
}

type Fields = Readonly<Record<string, unknown>>;

function readFields(
  value: Fields,
  path: readonly string[],
  reading: Reading,
  prefix = "",
): MappedField[] {
  return Object.entries(value).flatMap(([key, inner]): MappedField[] => {
    const field = prefix === "" ? plainField(key) : `${prefix}.${key}`;
    const at = [...path, key];
    if (isObject(inner) && wayOf(inner, field) === undefined)
      return readFields(inner, at, reading, field);
    const wrong = fieldProblem(field);
    if (wrong !== null) {
      reading.addProblem(at, field, wrong, true);
      return [];
    }
    const isVerdict = prefix === "" && key === "pass" && typeof inner === "string";
    return sourcesOf(inner, field, at, reading).flatMap((one) => {
      if (!isTaken(one, reading))
        return isVerdict ? { field, source: { ...one.source, verdict: true } } : one;
      const again = `${one.field} is there already; keep one of the two`;
      reading.addProblem(at, one.field, again, true);
      return [];
    });
  });
}

/** Whether a field was mapped before, in any spelling (`outputs.a`, `actual_outputs.a`); lists of scores are joined. */
function isTaken({ field }: MappedField, { taken }: Reading): boolean {
  const isAgain = taken.has(field) && !LISTED.includes(field);
  taken.add(field);
  return isAgain;
}

/** A column, several columns under one object, a source, or several lists of scores. */
function sourcesOf(
  inner: unknown,
  field: string,
  path: readonly string[],
  reading: Reading,
): MappedField[] {
  const items: readonly unknown[] = Array.isArray(inner) ? inner : [];
  if (typeof inner === "string") return [{ field, source: { column: toColumn(inner, reading) } }];
  if (isObject(inner)) return readSource(inner, field, path, reading);
  if (items.length > 0 && items.every((one) => typeof one === "string"))
    return items.map((one) => {
      const column = toColumn(one, reading);
      return { field: `${field}.${column.names[0]}`, source: { column } };
    });
  if (items.length > 0 && items.every(isObject))
    return items.flatMap((one, n) => readSource(one, field, [...path, n], reading));
  reading.addProblem(path, field, "needs a column name, or {literal: value}");
  return [];
}

/** A field in the words of the request: resolves aliases. */
function plainField(field: string): string {
  const [root = "", ...rest] = field.split(".");
  return [Object.hasOwn(ALIASES, root) ? ALIASES[root]! : root, ...rest].join(".");
}

function fieldProblem(field: string): string | null {
  const [root = "", ...rest] = field.split(".");
  const whole = rest.length === 0;
  if ((OBJECT_FIELDS as readonly string[]).includes(root) || root === "experiment_metadata")
    return null;
  if (LISTED.includes(root)) return null;
  if (root === "usage" && rest.length === 1)
    return usageMetric(rest[0]!) === undefined
      ? `is not known; write ${USAGE_METRICS.map((metric) => `usage.${metric}`).join(", ")}`
      : null;
  const known = [...HEADER_FIELDS, ...ROW_FIELDS, ...ROW_EXTRAS, ...FILE_FIELDS] as string[];
  if (known.includes(root)) return whole ? null : `has no parts; write ${root}`;
  const all = [...known, ...Object.keys(Head.shape), "usage.cost"];
  const near = nearestWord(root, all);
  return near === undefined
    ? `there is no such field; fields are ${all.join(", ")}`
    : `there is no such field (did you mean ${near}?)`;
}
