import * as z from "zod/v4";
import { isObject, type Json } from "../../model/json.ts";
import type { Diagnostic } from "../../spec/desired.ts";
import { didYouMean, nearestWord } from "../../spec/suggestion.ts";
import { placeAt, toPlain } from "../../spec/yaml-node.ts";
import { parseYaml } from "../../spec/yaml.ts";
import { diagnosticAt, DiagnosticError } from "../input/diagnostic.ts";
import { type InputFile, readWhole } from "../input/input-file.ts";
import { HEADER_FIELDS, ROW_FIELDS } from "../input/row.ts";
import { USAGE_METRICS, usageMetric } from "../input/usage.ts";
import {
  type ColumnSource,
  ITEM_PARTS,
  type ItemPart,
  type MappedField,
  type Mapping,
  type Names,
  OBJECT_FIELDS,
  type RowCondition,
  type Source,
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

const MAX_MAPPING_BYTES = 1024 * 1024;

const text = (message: string): z.ZodString => z.string(message);
const Words = z
  .record(z.string(), z.union([z.number(), z.boolean(), z.string().regex(/\d/)]))
  .transform((words) => new Map(Object.entries(words).map(([word, one]) => [word, Number(one)])))
  .refine(
    (words) => [...words.values()].every(Number.isFinite),
    "must be words with the numbers they count, as { pass: 1 }",
  )
  .optional();
const NOT_WORDS = "must be words with the numbers they count, as { pass: 1 }";
const Flag = z.boolean("must be true or false").optional();
const Texts = z.union([z.string().transform((one) => [one]), z.array(z.string())]);

const Column = z.strictObject({
  column: z.string(),
  words: Words,
  when: Texts.optional(),
  from: z.number("must be the number of the first").optional(),
  optional: Flag,
});
const part = (what: string): z.ZodOptional<z.ZodString> =>
  text(`must be the path of the ${what} in an item of the list`).optional();
const List = z.strictObject({
  list: z.string(),
  key: part("name"),
  score: part("score"),
  value: part("label"),
  comment: part("comment"),
  error: part("failure"),
  pass: part("verdict"),
  threshold: part("threshold"),
  prefix: text("must be what comes before each name").optional(),
  words: Words,
  optional: Flag,
});
const Columns = z.strictObject({ columns: Texts, words: Words });
const Literal = z.strictObject({ literal: z.unknown() });

const Scalar = z.union([z.string(), z.number(), z.boolean(), z.null()]);
const Values = z.union([Scalar.transform((one) => [one]), z.array(Scalar)]);
const Head = z.looseObject({
  rows: z
    .union([z.string(), z.array(z.string()).min(1)], {
      error:
        "must be the path of the list that holds the rows, such as results or evals[].cases[], or a list of such paths",
    })
    .optional(),
  orient: z.enum(["split", "columns", "index"], "must be one of split, columns, index").optional(),
  where: z
    .record(z.string(), z.unknown(), {
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

/** How the names of a mapping are read. */
interface Reading {
  readonly addProblem: AddProblem;
  readonly exact: boolean;
  /** The fields read so far. */
  readonly taken: Set<string>;
}

/** Reads a mapping file (YAML, `field: column`); reports all problems at once. */
export async function readMapping(file: InputFile): Promise<Mapping> {
  return parseMapping((await readWhole(file, MAX_MAPPING_BYTES)).toString("utf8"), file.name);
}

/** The same for a text. */
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
  const named = isObject(identity) ? Object.entries(identity) : [];
  const columns = named.length > 0 ? named.map(([, one]) => one) : [identity ?? []].flat();
  const hasInputs = fields.some(({ field }) => field.split(".", 1)[0] === "inputs");
  if ((identity ?? undefined) === undefined && !hasInputs)
    addProblem([], "inputs", "the mapping names no inputs; write `inputs.question: your_column`");
  return {
    rows: first.split(" | ").map((one) => one.trim()),
    moreRows,
    orient,
    where: Object.entries(where ?? {}).flatMap(([column, wanted]) =>
      readCondition(column, wanted, reading),
    ),
    identity: columns.map((one, n) => ({
      ...toColumn(one as string, reading),
      ...(named[n] === undefined ? {} : { as: named[n][0] }),
    })),
    ignore: ignore ?? [],
    scoreErrored: scored !== false,
    exact: reading.exact,
    fields,
  };
}

/** `where: { status: [done, failed], kind: { not: warmup } }` */
function readCondition(column: string, wanted: unknown, reading: Reading): RowCondition[] {
  const not = isObject(wanted) && Object.hasOwn(wanted, "not");
  const { data } = Values.safeParse(not ? wanted["not"] : wanted);
  if (data !== undefined)
    return [{ source: toColumn(column, reading), values: data.map(String), not }];
  const message = "must be a value, a list of values, or { not: value }";
  reading.addProblem(["where", column], `where.${column}`, message);
  return [];
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
  return (names.includes("") ? [given] : names.flatMap(spelled)) as unknown as Names;
}

/** Rows may lack a path that ends in `?`. */
function toColumn(given: string, reading: Reading, optional?: boolean): ColumnSource {
  const parts = toNames(given, reading);
  const isMarked = (name: string): boolean => name.length > 1 && name.endsWith("?");
  const names = parts.map((name) => (isMarked(name) ? name.slice(0, -1) : name));
  return {
    names: names as unknown as Names,
    ...(optional === true || parts.some(isMarked) ? { optional: true } : {}),
  };
}

/** Fields for which `{list: …}` means a list of scores, rather than a field with that name. */
const LISTED: readonly string[] = ["evaluation_scores", "summary_experiment_scores"];

const holdsOnly = (inner: Fields, shape: { readonly shape: object }): boolean =>
  Object.keys(inner).every((key) => Object.hasOwn(shape.shape, key));

/** A source written as a YAML mapping; null if it is not one, `refused` if its problems were reported. */
function readSource(
  inner: Fields,
  field: string,
  path: readonly PropertyKey[],
  reading: Reading,
): Source | "refused" | null {
  const parse = <Shape extends z.ZodObject>(shape: Shape): z.infer<Shape> | undefined => {
    const { data, error } = shape.safeParse(inner);
    for (const issue of error?.issues ?? []) {
      const [unknown] = issue.code === "unrecognized_keys" ? issue.keys : [];
      const at = [...path, ...issue.path];
      const shown = [field, ...issue.path].join(".");
      if (unknown !== undefined)
        reading.addProblem(
          [...at, unknown],
          field,
          `there is no key "${unknown}" here${didYouMean(unknown, Object.keys(shape.shape))}; keys are ${Object.keys(shape.shape).join(", ")}`,
          true,
        );
      else reading.addProblem(at, shown, issue.path[0] === "words" ? NOT_WORDS : issue.message);
    }
    return data as z.infer<Shape> | undefined;
  };
  if (Object.keys(inner).length === 1 && Object.hasOwn(inner, "literal"))
    return { literal: parse(Literal)!.literal as Json };
  if (typeof inner["list"] === "string" && (LISTED.includes(field) || holdsOnly(inner, List))) {
    const list = parse(List);
    if (list === undefined) return "refused";
    const parts = ITEM_PARTS.flatMap((one): [ItemPart, Names][] =>
      list[one] === undefined ? [] : [[one, toNames(list[one], reading)]],
    );
    return {
      list: toColumn(list.list, reading, list.optional),
      parts: { score: [""], ...Object.fromEntries(parts) },
      prefix: list.prefix ?? "",
      words: list.words,
    };
  }
  if (typeof inner["column"] === "string" && holdsOnly(inner, Column)) {
    const column = parse(Column);
    if (column === undefined) return "refused";
    const { words, when, from } = column;
    return {
      ...toColumn(column.column, reading, column.optional),
      ...(words === undefined ? {} : { words }),
      ...(when === undefined ? {} : { when }),
      ...(from === undefined ? {} : { from }),
    };
  }
  if (!Texts.safeParse(inner["columns"]).success || !holdsOnly(inner, Columns)) return null;
  const columns = parse(Columns);
  return columns === undefined ? "refused" : { columns: columns.columns, words: columns.words };
}

type Fields = Readonly<Record<string, unknown>>;

/** Fields and their sources, for a mapping or a part of it. */
function readFields(
  value: Fields,
  path: readonly string[],
  reading: Reading,
  prefix = "",
): MappedField[] {
  return Object.entries(value).flatMap(([key, inner]): MappedField[] => {
    const field = prefix === "" ? plainField(key) : `${prefix}.${key}`;
    const at = [...path, key];
    const isNested = isObject(inner);
    const source = isNested ? readSource(inner, field, at, reading) : null;
    if (isNested && source === null) return readFields(inner, at, reading, field);
    const wrong = fieldProblem(field);
    if (wrong !== null) reading.addProblem(at, field, wrong, true);
    if (wrong !== null || source === "refused") return [];
    const found = source === null ? readPlain(inner, field, at, reading) : [{ field, source }];
    return found.flatMap((one) => {
      if (isTaken(one, reading)) {
        reading.addProblem(
          at,
          one.field,
          `${one.field} is there already; keep one of the two`,
          true,
        );
        return [];
      }
      const isPlain = source === null && "names" in one.source;
      const isVerdict = isPlain && prefix === "" && key === "pass";
      return isVerdict ? { field, source: { ...one.source, verdict: true } } : one;
    });
  });
}

/** Whether a field was mapped before, in any spelling (`outputs.a`, `actual_outputs.a`); lists of scores are joined. */
function isTaken({ field }: MappedField, { taken }: Reading): boolean {
  const isAgain = taken.has(field) && !LISTED.includes(field);
  taken.add(field);
  return isAgain;
}

/** A column, several columns under one object, or scores from several lists. */
function readPlain(
  inner: unknown,
  field: string,
  path: readonly string[],
  reading: Reading,
): MappedField[] {
  if (typeof inner === "string") return [{ field, source: toColumn(inner, reading) }];
  if (Array.isArray(inner) && inner.length > 0) {
    if (inner.every((one) => typeof one === "string"))
      return inner.map((one) => {
        const source = toColumn(one, reading);
        return { field: `${field}.${source.names[0]}`, source };
      });
    if (inner.every(isObject))
      return inner.flatMap((one, n) => {
        const source = readSource(one, field, [...path, n] as string[], reading);
        if (source === null)
          reading.addProblem([...path, n], field, "needs a column name, or {list: path}");
        return source === null || source === "refused" ? [] : [{ field, source }];
      });
  }
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
