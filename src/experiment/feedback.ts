import { isObject } from "../model/json.ts";
import { FEEDBACK_FIELDS, type Feedback } from "./input/row.ts";
import { cleanJson, type Scored, toScored } from "./input/scored.ts";
import { noteScore, type RowNotes } from "./row-notes.ts";
import { parseInstant } from "./input/timestamp.ts";

/** Says what is wrong at a path below the row or request (`evaluation_scores[0].score`). */
export type AddDiagnostic = (path: string, message: string) => void;

/** The hosted service's own additions (contributing/service.md 7): passed on as they are. */
const HOSTED_FIELDS: readonly string[] = [
  "id",
  "feedback_group_id",
  "comparative_experiment_id",
  "extra",
];
const KNOWN: ReadonlySet<string> = new Set([...FEEDBACK_FIELDS, ...HOSTED_FIELDS]);
const CONFIG_TYPES: readonly unknown[] = ["continuous", "categorical", "freeform"];
const CONFIG_FIELDS: readonly string[] = ["type", "min", "max", "categories"];
/** Longer names of metrics are refused by the hosted service. */
const MAX_KEY_CHARS = 180;

/** A list of scores made right; strict: the document's own format, where a wrong type is an error. */
export function toFeedbackList(
  list: unknown,
  at: string,
  how: {
    readonly strict: boolean;
    readonly addDiagnostic: AddDiagnostic;
    readonly notes: RowNotes;
  },
): Feedback[] {
  if (list === undefined || list === null) return [];
  if (!Array.isArray(list)) {
    how.addDiagnostic(at, "must be a list of feedback objects");
    return [];
  }
  if (list.length > 0 && list.every(isPlain)) return list as Feedback[];
  const kept: Feedback[] = [];
  for (let index = 0; index < list.length; index += 1) {
    const feedback = toFeedback(list[index], `${at}[${index}]`, how);
    if (feedback !== null) kept.push(feedback);
  }
  return kept;
}

/** Whether a feedback is right as it is: nearly all are, and are then neither copied nor looked at twice. */
function isPlain(read: unknown): boolean {
  if (!isObject(read)) return false;
  let scored = false;
  for (const name in read) {
    const value = read[name];
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
  return scored && Object.hasOwn(read, "key");
}

type How = {
  readonly strict: boolean;
  readonly addDiagnostic: AddDiagnostic;
  readonly notes: RowNotes;
};

function toFeedback(read: unknown, at: string, how: How): Feedback | null {
  const { addDiagnostic, notes } = how;
  if (!isObject(read)) {
    addDiagnostic(at, "must be an object with a key");
    return null;
  }
  const given = read["key"];
  const key = typeof given === "string" ? given : "";
  // What else is wrong with it is reported anyway.
  if (key === "")
    addDiagnostic(
      `${at}.key`,
      given === undefined ? "is required" : "must be a text that is not empty",
    );
  if (key.length > MAX_KEY_CHARS) notes.longKeys.add(key.slice(0, 40));
  for (const name in read)
    if (!KNOWN.has(name)) notes.unknownFields.add(`feedback "${name.slice(0, 60)}"`);
  const scored = readScore(read["score"], at, how);
  const feedback: Record<string, unknown> = { key };
  if ("score" in scored) feedback["score"] = scored.score;
  const value = readValue(read["value"], at, how) ?? ("value" in scored ? scored.value : undefined);
  if (value !== undefined) feedback["value"] = value;
  if (key !== "" && !("score" in scored) && value === undefined) noteScore(notes.unscored, key);
  if (key !== "" && "value" in scored) noteScore(notes.words, key);
  putText(feedback, read, "comment", at, how);
  putSource(feedback, read["feedback_source"], `${at}.feedback_source`, how);
  putConfig(feedback, read["feedback_config"], `${at}.feedback_config`, how);
  for (const field of ["created_at", "modified_at"] as const) {
    const given = read[field];
    if (given === undefined || given === null) continue;
    const instant = parseInstant(given);
    if (instant === null) addDiagnostic(`${at}.${field}`, "is not a date-time; write ISO 8601");
    else feedback[field] = instant.text;
  }
  const correction = read["correction"];
  if (correction !== undefined && correction !== null) {
    if (typeof correction === "string") feedback["correction"] = correction;
    else if (isObject(correction)) feedback["correction"] = cleanJson(correction, notes);
    else addDiagnostic(`${at}.correction`, "must be an object or a text");
  }
  for (const field of HOSTED_FIELDS)
    if (read[field] !== undefined && read[field] !== null)
      feedback[field] = cleanJson(read[field], notes);
  return key === "" || Object.keys(feedback).length === 1 ? null : (feedback as Feedback);
}

function readScore(score: unknown, at: string, { strict, addDiagnostic }: How): Scored {
  if (typeof score === "number" && Number.isFinite(score)) return { score };
  if (strict && score !== null && (typeof score === "string" || typeof score === "object")) {
    addDiagnostic(`${at}.score`, "must be a number; put words in value");
    return { unscored: true };
  }
  return toScored(score);
}

function readValue(value: unknown, at: string, { strict, addDiagnostic }: How): string | undefined {
  if (value === undefined || value === null || typeof value === "string") return value ?? undefined;
  if (strict && typeof value === "object") {
    addDiagnostic(`${at}.value`, "must be a text");
    return undefined;
  }
  return typeof value === "object" ? JSON.stringify(cleanJson(value)) : String(value);
}

function putText(
  target: Record<string, unknown>,
  read: Readonly<Record<string, unknown>>,
  field: string,
  at: string,
  { strict, addDiagnostic }: How,
): void {
  const text = read[field];
  if (text === undefined || text === null) return;
  if (typeof text === "string") {
    if (text !== "") target[field] = text;
  } else if (strict) addDiagnostic(`${at}.${field}`, "must be a text");
  else target[field] = JSON.stringify(cleanJson(text));
}

function putSource(
  target: Record<string, unknown>,
  source: unknown,
  at: string,
  { addDiagnostic, notes }: How,
): void {
  if (source === undefined || source === null) return;
  if (!isObject(source)) addDiagnostic(at, "must be an object with a type");
  else if (typeof source["type"] !== "string")
    addDiagnostic(`${at}.type`, source["type"] === undefined ? "is required" : "must be a text");
  else target["feedback_source"] = cleanJson(source, notes);
}

function putConfig(
  target: Record<string, unknown>,
  config: unknown,
  at: string,
  { addDiagnostic, notes }: How,
): void {
  if (config === undefined || config === null) return;
  if (!isObject(config)) {
    addDiagnostic(at, "must be an object");
    return;
  }
  const kept: Record<string, unknown> = {};
  for (const name of Object.keys(config))
    if (!CONFIG_FIELDS.includes(name))
      notes.unknownFields.add(`feedback_config "${name.slice(0, 60)}"`);
  const type = config["type"];
  if (type === undefined || type === null) notes.untypedConfigs += 1;
  else if (!CONFIG_TYPES.includes(type))
    addDiagnostic(`${at}.type`, "must be continuous, categorical or freeform");
  else kept["type"] = type;
  for (const bound of ["min", "max"] as const) {
    const given = config[bound];
    if (given === undefined || given === null) continue;
    if (typeof given !== "number" || !Number.isFinite(given))
      addDiagnostic(`${at}.${bound}`, "must be a number");
    else kept[bound] = given;
  }
  const categories = config["categories"];
  if (categories !== undefined && categories !== null) {
    if (!Array.isArray(categories))
      addDiagnostic(`${at}.categories`, "must be a list of objects with a value");
    else
      kept["categories"] = categories.map((category, index) =>
        readCategory(category, `${at}.categories[${index}]`, addDiagnostic),
      );
  }
  target["feedback_config"] = kept;
}

function readCategory(
  category: unknown,
  at: string,
  addDiagnostic: AddDiagnostic,
): Record<string, unknown> {
  if (!isObject(category)) {
    addDiagnostic(at, "must be an object with a value");
    return {};
  }
  const { value, label } = category;
  if (typeof value !== "number" || !Number.isFinite(value))
    addDiagnostic(`${at}.value`, value === undefined ? "is required" : "must be a number");
  if (label === undefined || label === null) return { value };
  if (typeof label !== "string" || label === "")
    addDiagnostic(`${at}.label`, "must be a text that is not empty");
  return { value, label };
}
