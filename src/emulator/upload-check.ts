import { isObject, type Json, type JsonObject } from "../model/json.ts";
import type { ValidationError } from "./reply.ts";
import { isUuid } from "./validation.ts";

/** How strict an upload is read: as the document says, as usual, or as the hosted service does. */
export type UploadMode = "strict" | "usual" | "hosted";
type Loc = readonly (string | number)[];
type Check = (value: Json, loc: Loc, mode: UploadMode) => ValidationError[];
/** Name, check, and whether the field is required (the interface document, "Experiment upload request"). */
type Row = readonly [name: string, check: Check, required?: true];

const fail = (loc: Loc, type: string, msg: string): ValidationError[] => [{ loc, type, msg }];
const TIME = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(?::(\d\d)(\.\d+)?)?(Z|z|[+-]\d\d:?\d\d)?)?$/;

/**
 * Milliseconds since the epoch of an ISO 8601 text, fractions kept; without a zone it is UTC. NaN
 * where it is no time.
 */
export function parseTime(value: unknown): number {
  const found = typeof value === "string" ? TIME.exec(value) : null;
  if (found === null) return NaN;
  const [, day, minutes = "00:00", seconds = "00", fraction = "0", zone = "Z"] = found;
  const offset = zone.toUpperCase() === "Z" ? "Z" : zone.replace(/^(...):?(..)$/, "$1:$2");
  return Date.parse(`${day}T${minutes}:${seconds}${offset}`) + Number(fraction) * 1000;
}

const text: Check = (value, loc) =>
  typeof value === "string" ? [] : fail(loc, "string_type", "Input should be a valid string");
const uuid: Check = (value, loc) =>
  isUuid(value) ? [] : fail(loc, "uuid_parsing", "Input should be a valid UUID");
const time: Check = (value, loc) =>
  Number.isNaN(parseTime(value))
    ? fail(loc, "datetime_parsing", "Input should be a valid datetime")
    : [];
const anyObject: Check = (value, loc) =>
  isObject(value) ? [] : fail(loc, "dict_type", "Input should be a valid dictionary");
const number: Check = (value, loc) =>
  typeof value === "number" ? [] : fail(loc, "float_type", "Input should be a valid number");
const score: Check = (value, loc, mode) =>
  typeof value === "boolean" && mode !== "strict" ? [] : number(value, loc, mode);
const scoreValue: Check = (value, loc, mode) =>
  typeof value === "string" || (mode !== "strict" && !Array.isArray(value))
    ? []
    : fail(loc, "string_type", "Input should be a valid string");
const objectOrText: Check = (value, loc) =>
  isObject(value) || typeof value === "string"
    ? []
    : fail(loc, "dict_type", "Input should be a valid dictionary or string");
const oneOf =
  (...words: string[]): Check =>
  (value, loc) =>
    words.includes(value as string)
      ? []
      : fail(
          loc,
          "literal_error",
          `Input should be ${words.map((word) => `'${word}'`).join(", ")}`,
        );
const key: Check = (value, loc, mode) => {
  const errors = text(value, loc, mode);
  return errors.length === 0 && mode !== "strict" && (value as string).length > 180
    ? fail(loc, "string_too_long", "String should have at most 180 characters")
    : errors;
};

const object =
  (rows: readonly Row[]): Check =>
  (value, loc, mode) => {
    if (!isObject(value))
      return fail(
        loc,
        "model_attributes_type",
        "Input should be a valid dictionary or object to extract fields from",
      );
    return rows.flatMap(([name, check, required]) => {
      const item = value[name];
      if (item === undefined || (item === null && required !== true))
        return required === true ? fail([...loc, name], "missing", "Field required") : [];
      return check(item, [...loc, name], mode);
    });
  };
const list =
  (check: Check): Check =>
  (value, loc, mode) =>
    Array.isArray(value)
      ? (value as readonly Json[]).flatMap((item, i) => check(item, [...loc, i], mode))
      : fail(loc, "list_type", "Input should be a valid list");

/** A rule that the hosted service alone has (docs/service.md 7). */
const hostedOnly =
  (check: Check): Check =>
  (value, loc, mode) =>
    mode === "hosted" ? check(value, loc, mode) : [];
const both =
  (...checks: readonly Check[]): Check =>
  (value, loc, mode) =>
    checks.flatMap((check) => check(value, loc, mode));
const anything: Check = () => [];
const filled: Check = (value, loc) =>
  value === "" ? fail(loc, "string_too_short", "String should have at least 1 character") : [];

const FEEDBACK = object([
  ["key", key, true],
  ["score", score],
  ["value", scoreValue],
  ["comment", text],
  [
    "feedback_source",
    object([["type", both(text, hostedOnly(oneOf("app", "api", "model", "auto_eval"))), true]]),
  ],
  [
    "feedback_config",
    both(
      hostedOnly(object([["type", anything, true]])),
      object([
        ["type", oneOf("continuous", "categorical", "freeform")],
        ["min", number],
        ["max", number],
        [
          "categories",
          list(
            object([
              ["value", number, true],
              ["label", both(text, hostedOnly(filled))],
            ]),
          ),
        ],
      ]),
    ),
  ],
  ["created_at", time],
  ["modified_at", time],
  ["correction", objectOrText],
]);

const checkRowShape = object([
  ["inputs", anyObject, true],
  ["expected_outputs", anyObject],
  ["actual_outputs", anyObject],
  ["evaluation_scores", list(FEEDBACK)],
  ["start_time", time, true],
  ["end_time", time, true],
  ["run_name", text],
  ["error", text],
  ["run_metadata", anyObject],
]);
const checkRowId = { strict: object([["row_id", uuid, true]]), usual: object([["row_id", uuid]]) };

/** What is wrong with one row; `row_id` is required by the interface document and optional at the hosted service. */
export function checkRow(row: Json, index: number, mode: UploadMode): ValidationError[] {
  const loc = ["body", "results", index];
  const errors = checkRowShape(row, loc, mode);
  return isObject(row)
    ? [...checkRowId[mode === "strict" ? "strict" : "usual"](row, loc, mode), ...errors]
    : errors;
}

const checkHeadShape = object([
  ["experiment_name", text, true],
  ["experiment_description", text],
  ["experiment_start_time", time, true],
  ["experiment_end_time", time, true],
  ["dataset_id", uuid],
  ["dataset_name", text],
  ["dataset_description", text],
  ["experiment_metadata", anyObject],
  ["summary_experiment_scores", list(FEEDBACK)],
  [
    "results",
    (value, loc) =>
      Array.isArray(value) ? [] : fail(loc, "list_type", "Input should be a valid list"),
    true,
  ],
]);

/** What is wrong with an upload apart from its rows. */
export function checkHead(head: Json, mode: UploadMode): ValidationError[] {
  const errors = checkHeadShape(head, ["body"], mode);
  if (
    isObject(head) &&
    (head["dataset_id"] ?? null) === null &&
    (head["dataset_name"] ?? null) === null
  ) {
    errors.push({
      loc: ["body"],
      type: "value_error",
      msg: "Value error, either dataset_id or dataset_name must be given",
    });
  }
  return errors;
}

/** Numeric score of a feedback; booleans count as 1 and 0. */
export function scoreOf(feedback: JsonObject): number | null {
  const value = feedback["score"];
  if (typeof value === "number") return value;
  return typeof value === "boolean" ? Number(value) : null;
}
