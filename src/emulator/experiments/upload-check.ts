import { isObject, type Json, type JsonObject } from "../../model/json.ts";
import type { ValidationError } from "../http/reply.ts";
import {
  checkBody,
  FREE,
  ID,
  listOf,
  NUMBER,
  special,
  structOf,
  TEXT,
  wordsOf,
  type BodyShape,
} from "../rules/validation.ts";

/** How strict an upload is read: as the document says, as usual, or as the hosted service does. */
export type UploadMode = "strict" | "usual" | "hosted";

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

const TIMESTAMP = special({ type: "string", format: "date-time" }, (value) =>
  Number.isNaN(parseTime(value)) ? ["datetime_parsing", "Input should be a valid datetime"] : null,
);
const OBJECT_OR_TEXT = special({ type: ["object", "string"] }, (value) =>
  isObject(value) || typeof value === "string"
    ? null
    : ["dict_type", "Input should be a valid dictionary or string"],
);
const SCORE = special({ type: ["number", "boolean"] }, (value) =>
  typeof value === "number" || typeof value === "boolean"
    ? null
    : ["float_type", "Input should be a valid number"],
);
const SCORE_VALUE = special({ type: ["string", "number", "boolean", "object"] }, (value) =>
  Array.isArray(value) ? ["string_type", "Input should be a valid string"] : null,
);
const sized = (least: number, most: number): BodyShape =>
  special({ type: "string", minLength: least, maxLength: most }, (value) => {
    if (typeof value !== "string") return ["string_type", "Input should be a valid string"];
    if (value.length < least)
      return ["string_too_short", `String should have at least ${least} character`];
    return value.length > most
      ? ["string_too_long", `String should have at most ${most} characters`]
      : null;
  });

/** The document's "Experiment upload request"; the hosted service differs as contributing/service.md 7 says. */
function feedbackShape(mode: UploadMode): BodyShape {
  const hosted = mode === "hosted";
  const strict = mode === "strict";
  return structOf({
    "key!": strict ? TEXT : sized(0, 180),
    score: strict ? NUMBER : SCORE,
    value: strict ? TEXT : SCORE_VALUE,
    comment: TEXT,
    feedback_source: structOf({
      "type!": hosted ? wordsOf("app", "api", "model", "auto_eval") : TEXT,
    }),
    feedback_config: structOf({
      [hosted ? "type!" : "type"]: wordsOf("continuous", "categorical", "freeform"),
      min: NUMBER,
      max: NUMBER,
      categories: listOf(structOf({ "value!": NUMBER, label: hosted ? sized(1, Infinity) : TEXT })),
    }),
    created_at: TIMESTAMP,
    modified_at: TIMESTAMP,
    correction: OBJECT_OR_TEXT,
  });
}

const rowShape = (mode: UploadMode): BodyShape =>
  structOf({
    // Required by the interface document, optional at the hosted service.
    [mode === "strict" ? "row_id!" : "row_id"]: ID,
    "inputs!": FREE,
    expected_outputs: FREE,
    actual_outputs: FREE,
    evaluation_scores: listOf(feedbackShape(mode)),
    "start_time!": TIMESTAMP,
    "end_time!": TIMESTAMP,
    run_name: TEXT,
    error: TEXT,
    run_metadata: FREE,
  });

const headShape = (mode: UploadMode, row: BodyShape): BodyShape =>
  structOf({
    "experiment_name!": TEXT,
    experiment_description: TEXT,
    "experiment_start_time!": TIMESTAMP,
    "experiment_end_time!": TIMESTAMP,
    dataset_id: ID,
    dataset_name: TEXT,
    dataset_description: TEXT,
    experiment_metadata: FREE,
    summary_experiment_scores: listOf(feedbackShape(mode)),
    "results!": listOf(row),
  });

const MODES = ["strict", "usual", "hosted"] as const;
const ROWS = Object.fromEntries(MODES.map((mode) => [mode, rowShape(mode)]));
/** Rows are checked one by one as they arrive, so the head has them empty. */
const HEADS = Object.fromEntries(MODES.map((mode) => [mode, headShape(mode, FREE)]));
/** A whole upload, for the OpenAPI. */
export const UPLOAD: BodyShape = headShape("usual", rowShape("usual"));

/** What is wrong with one row. */
export const checkRow = (row: Json, index: number, mode: UploadMode): ValidationError[] =>
  checkBody(ROWS[mode]!, row, ["body", "results", index]);

/** What is wrong with an upload apart from its rows. */
export function checkHead(head: Json, mode: UploadMode): ValidationError[] {
  const errors = checkBody(HEADS[mode]!, head);
  if (
    isObject(head) &&
    (head["dataset_id"] ?? null) === null &&
    (head["dataset_name"] ?? null) === null
  )
    errors.push({
      loc: ["body"],
      type: "value_error",
      msg: "Value error, either dataset_id or dataset_name must be given",
    });
  return errors;
}

/** Numeric score of a feedback; booleans count as 1 and 0. */
export function scoreOf(feedback: JsonObject): number | null {
  const value = feedback["score"];
  if (typeof value === "number") return value;
  return typeof value === "boolean" ? Number(value) : null;
}
