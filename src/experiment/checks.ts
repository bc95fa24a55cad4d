import type * as z from "zod/v4";
import { isObject } from "../model/json.ts";
import type { Diagnostic } from "../spec/desired.ts";
import { present } from "./formats/pick.ts";
import { diagnosticAt } from "./input/diagnostic.ts";
import {
  Feedback,
  FEEDBACK_FIELDS,
  HEADER_FIELDS,
  HeaderBody,
  type GivenFields,
} from "./input/row.ts";
import { cleanJson, type Scored, toScored } from "./input/scored.ts";
import { parseInstant } from "./input/timestamp.ts";
import { formatUuid, parseUuid } from "./row-id.ts";
import { createRowNotes, renderRowNotes, tallyOf, type RowNotes } from "./row-notes.ts";

/** How to normalize the values of a file. */
export interface Checking {
  /** The document's own format, in which a wrong type is an error. */
  readonly strict: boolean;
  /** Reports a problem at a path below the row or request (`evaluation_scores[0].score`). */
  readonly addDiagnostic: (path: string, message: string) => void;
  readonly notes: RowNotes;
}

/** Fields that only the hosted service has (contributing/service.md 7), passed on unchanged. */
const HOSTED_FIELDS: readonly string[] = [
  "id",
  "feedback_group_id",
  "comparative_experiment_id",
  "extra",
];
const KNOWN: ReadonlySet<string> = new Set([...FEEDBACK_FIELDS, ...HOSTED_FIELDS]);
const CONFIG_FIELDS: readonly string[] = ["type", "min", "max", "categories"];
/** The hosted service refuses longer metric names. */
const MAX_KEY_CHARS = 180;

/** The request's own fields as given in the file, with the right type; missing ones are added later. */
export type GivenHeader = { readonly [field in keyof HeaderBody]?: HeaderBody[field] };

const GivenBody = HeaderBody.partial();

/**
 * Checks the request's own fields against contributing/interface.md; every violation is a problem,
 * and nothing throws.
 */
export function checkHeader(
  file: string,
  given: GivenFields,
  strict: boolean,
): { header: GivenHeader; problems: Diagnostic[]; warnings: string[] } {
  const problems: Diagnostic[] = [];
  const notes = createRowNotes();
  const addDiagnostic = (path: string, message: string): void =>
    void problems.push(diagnosticAt({ file, path }, `${path} ${message}`));
  const header: Record<string, unknown> = {};
  for (const field of HEADER_FIELDS) {
    const value = given[field];
    if (value === undefined || value === null || (!strict && value === "")) continue;
    if (field === "summary_experiment_scores") {
      const summary = toFeedbackList(value, field, { strict, addDiagnostic, notes });
      if (summary.length > 0) header[field] = summary;
      continue;
    }
    const right = toHeaderValue(field, value, notes);
    const wrong = issuesOf(GivenBody.shape[field], right);
    for (const { message } of wrong) addDiagnostic(field, message);
    if (wrong.length === 0) header[field] = right;
  }
  // A tool lists a score of the whole run even if there is none.
  for (const tally of notes.metrics.values()) tally.missing = 0;
  return { header: header as GivenHeader, problems, warnings: renderRowNotes(notes) };
}

/** A value as sent, or unchanged if it is wrong. */
function toHeaderValue(field: string, value: unknown, notes: RowNotes): unknown {
  if (field.endsWith("_time")) return parseInstant(value)?.text ?? value;
  if (field !== "dataset_id") return cleanJson(value, notes);
  const id = parseUuid(value);
  return id === null ? value : formatUuid(id);
}

/** A schema's issues with a value: the field, the whole path below the value, and the message. */
const issuesOf = (
  schema: z.ZodType,
  value: unknown,
): { readonly field: unknown; readonly path: string; readonly message: string }[] =>
  (schema.safeParse(value).error?.issues ?? []).map(({ path, message }) => ({
    field: path[0],
    path: path
      .map((part) => (typeof part === "number" ? `[${part}]` : `.${String(part)}`))
      .join(""),
    message,
  }));

/** Normalizes a list of scores. */
export function toFeedbackList(list: unknown, at: string, how: Checking): Feedback[] {
  if (list === undefined || list === null) return [];
  if (!Array.isArray(list)) {
    how.addDiagnostic(at, "must be a list of feedback objects");
    return [];
  }
  if (list.length > 0 && list.every(isPlain)) return list as Feedback[];
  return list.flatMap((read, index) => toFeedback(read, `${at}[${index}]`, how) ?? []);
}

/**
 * Whether a feedback needs no change; such feedback, almost all of it, is neither copied nor checked
 * twice. What is undefined is not sent.
 */
function isPlain(read: unknown): boolean {
  if (!isObject(read)) return false;
  let scored = false;
  for (const name in read) {
    const value = read[name];
    if (value === undefined) continue;
    if (name === "key") {
      if (typeof value !== "string" || value === "" || value.length > MAX_KEY_CHARS) return false;
    } else if (name === "score") {
      if (typeof value !== "number" || !Number.isFinite(value)) return false;
      scored = true;
    } else if (name === "value") {
      if (typeof value !== "string") return false;
      scored = true;
    } else if (name !== "comment" || typeof value !== "string" || value === "") return false;
  }
  return scored && read["key"] !== undefined;
}

function toFeedback(read: unknown, at: string, how: Checking): Feedback | null {
  const { addDiagnostic, notes, strict } = how;
  if (!isObject(read)) {
    addDiagnostic(at, "must be an object with a key");
    return null;
  }
  const key = typeof read["key"] === "string" ? read["key"] : "";
  if (key.length > MAX_KEY_CHARS) notes.longKeys.add(key.slice(0, 40));
  for (const name in read)
    if (!KNOWN.has(name)) notes.unknownFields.add(`feedback "${name.slice(0, 60)}"`);
  const scored = readScore(read["score"], strict);
  const score = "score" in scored ? scored.score : undefined;
  const value = readValue(read["value"], strict) ?? ("value" in scored ? scored.value : undefined);
  if (key !== "" && score === undefined && value === undefined) tallyOf(notes, key).missing += 1;
  if (key !== "" && "value" in scored) tallyOf(notes, key).words += 1;
  const { comment } = read;
  const remark = strict || typeof comment === "string" ? comment : toText(comment);
  const given = withoutNulls({
    key: read["key"],
    score,
    value,
    comment: remark === "" ? undefined : remark,
    feedback_source: cleanJson(read["feedback_source"], notes),
    feedback_config: readConfig(read["feedback_config"], notes),
    created_at: parseInstant(read["created_at"])?.text ?? read["created_at"],
    modified_at: parseInstant(read["modified_at"])?.text ?? read["modified_at"],
    correction: cleanJson(read["correction"], notes),
  });
  const wrong = isPlain(given) ? [] : issuesOf(Feedback, given);
  for (const { path, field, message } of wrong) {
    addDiagnostic(at + path, message);
    delete given[String(field)];
  }
  const hosted = HOSTED_FIELDS.map((field) => [field, cleanJson(read[field], notes)] as const);
  const feedback = { ...given, ...present(hosted) };
  return key === "" || Object.keys(feedback).length === 1 ? null : (feedback as Feedback);
}

/** Strict: texts, lists and objects stay unchanged, so that the schema refuses them. */
function readScore(score: unknown, strict: boolean): Scored | { readonly score: unknown } {
  const isWrong = strict && (typeof score === "string" || isObject(score) || Array.isArray(score));
  return isWrong ? { score } : toScored(score);
}

function readValue(value: unknown, strict: boolean): unknown {
  if (value === undefined || value === null) return undefined;
  return typeof value === "string" || (strict && typeof value === "object") ? value : toText(value);
}

/** Converts a value to text; objects become JSON, null becomes undefined. */
export function toText(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  return typeof value === "object" ? JSON.stringify(cleanJson(value)) : String(value);
}

function readConfig(config: unknown, notes: RowNotes): unknown {
  if (!isObject(config)) return config;
  for (const name of Object.keys(config))
    if (!CONFIG_FIELDS.includes(name))
      notes.unknownFields.add(`feedback_config "${name.slice(0, 60)}"`);
  const { type, min, max, categories } = config;
  if (type === undefined || type === null) notes.untypedConfigs += 1;
  return withoutNulls({
    type,
    min,
    max,
    categories: Array.isArray(categories)
      ? categories.map((one: unknown) =>
          isObject(one) ? withoutNulls({ value: one["value"], label: one["label"] }) : one,
        )
      : categories,
  });
}

const withoutNulls = (object: object): Record<string, unknown> =>
  present(Object.entries(object)) ?? {};
