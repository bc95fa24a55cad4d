import * as z from "zod/v4";
import { ANY, ID, list, special } from "../control/schema.ts";
import { FREE, LABEL, checkBody } from "../rules/validation.ts";
import { isObject, type Json } from "../../model/json.ts";
import type { ValidationError } from "../http/reply.ts";
import { parseTime } from "../http/parameter.ts";
import type { Settings } from "../options.ts";
import type { Statistics } from "./statistics.ts";

/** How strictly an upload is checked: like the document, as usual, or like the hosted service. */
type UploadMode = "strict" | Settings["profile"];

const TIMESTAMP = special({ type: "string", format: "date-time" }, (value) =>
  Number.isNaN(parseTime(value)) ? ["datetime_parsing", "Input should be a valid datetime"] : null,
);
/** JSON of some types in JSON Schema's words, with the service's refusal of others. */
const typed = (types: readonly string[], ...refused: readonly [type: string, what: string]) =>
  special({ type: types }, (value) =>
    types.includes(Array.isArray(value) ? "array" : typeof value)
      ? null
      : [refused[0], `Input should be a valid ${refused[1]}`],
  );
const KEY = z
  .string()
  .max(180)
  .meta({ misfit: ["string_too_long", "String should have at most 180 characters"] });
const OBJECT_OR_TEXT = typed(["object", "string"], "dict_type", "dictionary or string");
const SCORE = typed(["number", "boolean"], "float_type", "number");
const SCORE_VALUE = typed(["string", "number", "boolean", "object"], "string_type", "string");

/** The document's "Experiment upload request"; the hosted service differs (contributing/service.md 7). */
function feedbackShape(mode: UploadMode): z.ZodType {
  const hosted = mode === "hosted";
  const strict = mode === "strict";
  const type = z.literal(["continuous", "categorical", "freeform"]);
  const source = hosted ? z.literal(["app", "api", "model", "auto_eval"]) : z.string();
  const label = hosted ? LABEL : z.string();
  const config = z.looseObject({
    type: hosted ? type : type.nullish(),
    min: z.number().nullish(),
    max: z.number().nullish(),
    categories: list(z.looseObject({ value: z.number(), label: label.nullish() })).nullish(),
  });
  return z.looseObject({
    key: strict ? z.string() : KEY,
    score: (strict ? z.number() : SCORE).nullish(),
    value: (strict ? z.string() : SCORE_VALUE).nullish(),
    comment: z.string().nullish(),
    feedback_source: z.looseObject({ type: source }).nullish(),
    feedback_config: config.nullish(),
    created_at: TIMESTAMP.nullish(),
    modified_at: TIMESTAMP.nullish(),
    correction: OBJECT_OR_TEXT.nullish(),
  });
}

const rowShape = (mode: UploadMode) =>
  z.looseObject({
    // Required by the interface document, optional on the hosted service.
    row_id: mode === "strict" ? ID : ID.nullish(),
    inputs: FREE,
    expected_outputs: FREE.nullish(),
    actual_outputs: FREE.nullish(),
    evaluation_scores: list(feedbackShape(mode)).nullish(),
    start_time: TIMESTAMP,
    end_time: TIMESTAMP,
    run_name: z.string().nullish(),
    error: z.string().nullish(),
    run_metadata: FREE.nullish(),
  });

const uploadShape = (mode: UploadMode, row: z.ZodType) =>
  z.looseObject({
    experiment_name: z.string(),
    experiment_description: z.string().nullish(),
    experiment_start_time: TIMESTAMP,
    experiment_end_time: TIMESTAMP,
    dataset_id: ID.nullish(),
    dataset_name: z.string().nullish(),
    dataset_description: z.string().nullish(),
    experiment_metadata: FREE.nullish(),
    summary_experiment_scores: list(feedbackShape(mode)).nullish(),
    results: list(row),
  });
/** The whole body, once every rule has let it pass. */
export type Upload = z.infer<ReturnType<typeof uploadShape>>;

/** The rules for one row, for an upload with unchecked rows, and for a whole upload. */
const shapesOf = (mode: UploadMode) => {
  const row = rowShape(mode);
  return { row, head: uploadShape(mode, ANY), whole: uploadShape(mode, row) };
};
const UPLOADS = {
  strict: shapesOf("strict"),
  document: shapesOf("document"),
  hosted: shapesOf("hosted"),
};
const shapesFor = ({ strict, profile }: Settings) => UPLOADS[strict ? "strict" : profile];

/** What an upload may contain. */
export const uploadBody = (settings: Settings): z.ZodType => shapesFor(settings).whole;

/** Mistakes in one row of an upload. */
export const checkRow = (row: Json, index: number, settings: Settings): ValidationError[] =>
  checkBody(shapesFor(settings).row, row, { at: ["body", "results", index] });

/** Rule 4: every row is within the window of the experiment. */
export function checkWindow(
  upload: Upload,
  { starts, ends }: Pick<Statistics, "starts" | "ends">,
): ValidationError[] {
  const start = parseTime(upload.experiment_start_time);
  const end = parseTime(upload.experiment_end_time);
  return starts.flatMap((rowStart, i) =>
    Object.entries({ start_time: rowStart, end_time: ends[i]! }).flatMap(([name, time]) => {
      if (time >= start && time <= end) return [];
      const msg = `Value error, ${name} must be between experiment_start_time and experiment_end_time`;
      return [{ loc: ["body", "results", i, name], type: "value_error", msg }];
    }),
  );
}

/** Mistakes in an upload outside its rows; an error that shows the whole upload omits them. */
export function checkHead(given: Json | undefined, settings: Settings): ValidationError[] {
  const { results: _rows, ...shown } = isObject(given) ? given : {};
  const errors = checkBody(shapesFor(settings).head, given).map((error) =>
    error.input === given && isObject(given) ? { ...error, input: shown } : error,
  );
  if (isObject(given) && (given["dataset_id"] ?? given["dataset_name"] ?? null) === null)
    errors.push({
      loc: ["body"],
      type: "value_error",
      msg: "Value error, either dataset_id or dataset_name must be given",
    });
  return errors;
}
