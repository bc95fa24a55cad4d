import { toFeedbackList, type AddDiagnostic } from "./feedback.ts";
import { isObject } from "../model/json.ts";
import { parseUuid } from "./row-id.ts";
import { cleanJson } from "./input/scored.ts";
import type { RowNotes } from "./row-notes.ts";
import type { ReadRow, RowBody } from "./input/row.ts";
import type { Usage } from "./input/usage.ts";
import { formatInstant, parseInstant, type Instant } from "./input/timestamp.ts";

/** A row made right but for what needs the other rows: its id and, where it has none, its time. */
export interface NormalRow {
  readonly content: Omit<RowBody, "row_id" | "start_time" | "end_time">;
  readonly givenId: Buffer | null;
  readonly exampleId: Buffer | null;
  readonly repeat: number | undefined;
  readonly start: Instant | null;
  readonly end: Instant | null;
  readonly durationUs: number | null;
}

type JsonObject = RowBody["inputs"];

/** Makes a row right; what breaks a rule of the document is given to `addDiagnostic`, by field. */
export function toNormalRow(
  read: ReadRow,
  how: {
    readonly strict: boolean;
    readonly addDiagnostic: AddDiagnostic;
    readonly notes: RowNotes;
  },
): NormalRow {
  const { addDiagnostic, notes } = how;
  for (const name of read.unknown ?? []) notes.unknownFields.add(`"${name.slice(0, 60)}" in a row`);
  for (const name of read.unread ?? []) notes.unreadNumbers.add(name.slice(0, 80));
  const object = (value: unknown, wrapKey: string): JsonObject | undefined =>
    toObject(value, wrapKey, how);
  const inputs = object(read.inputs, "input");
  if (inputs === undefined) addDiagnostic("inputs", "is required");
  const expected = object(read.expected_outputs, "output");
  const actual = object(read.actual_outputs, "output");
  const stated = object(read.run_metadata, "value");
  const metadata = withStatedUsage(stated, read.usage);
  const scores = toFeedbackList(read.evaluation_scores, "evaluation_scores", how);
  const runName = toText(read.run_name, "run_name", how);
  const error = toText(read.error, "error", how);
  const times = toTimes(read, addDiagnostic);
  const givenId = read.row_id === undefined || read.row_id === null ? null : parseUuid(read.row_id);
  if (givenId === null && read.row_id !== undefined && read.row_id !== null)
    addDiagnostic("row_id", "must be a UUID; leave it out and it is made from the inputs");
  return {
    content: {
      inputs: inputs ?? {},
      ...(expected === undefined ? {} : { expected_outputs: expected }),
      ...(actual === undefined ? {} : { actual_outputs: actual }),
      ...(scores.length === 0 ? {} : { evaluation_scores: scores }),
      ...(runName === undefined ? {} : { run_name: runName }),
      ...(error === undefined ? {} : { error }),
      ...(metadata === undefined ? {} : { run_metadata: metadata }),
    },
    givenId,
    exampleId: parseUuid(read.example_id),
    repeat:
      read.repeat !== undefined && Number.isSafeInteger(read.repeat) && read.repeat >= 0
        ? read.repeat
        : undefined,
    ...times,
  };
}

/** What the file itself has under `usage` stays, below the names that gates know. */
function withStatedUsage(
  metadata: JsonObject | undefined,
  usage: Usage | undefined,
): JsonObject | undefined {
  if (usage === undefined) return metadata;
  const given = metadata?.["usage"];
  return { ...metadata, usage: { ...(isObject(given) ? (given as JsonObject) : {}), ...usage } };
}

function toObject(
  value: unknown,
  wrapKey: string,
  { strict, notes }: { readonly strict: boolean; readonly notes: RowNotes },
): JsonObject | undefined {
  if (value === undefined || value === null) return undefined;
  if (isObject(value)) return cleanJson(value, notes) as JsonObject;
  if (strict) notes.wrapped += 1; // elsewhere it is the format's way
  return { [wrapKey]: cleanJson(value, notes) as JsonObject[string] };
}

function toText(
  value: unknown,
  field: string,
  how: { readonly strict: boolean; readonly addDiagnostic: AddDiagnostic },
): string | undefined {
  if (value === undefined || value === null || value === "") return undefined;
  if (typeof value === "string") return value;
  if (how.strict) {
    how.addDiagnostic(field, "must be a text");
    return undefined;
  }
  if (isObject(value) && typeof value["message"] === "string" && value["message"] !== "")
    return value["message"];
  return typeof value === "object" ? JSON.stringify(cleanJson(value)) : String(value);
}

function toTimes(
  read: ReadRow,
  addDiagnostic: AddDiagnostic,
): Pick<NormalRow, "start" | "end" | "durationUs"> {
  const instant = (value: unknown, field: string): Instant | null => {
    if (value === undefined || value === null || value === "") return null;
    const parsed = parseInstant(value);
    if (parsed === null)
      addDiagnostic(field, "is not a date-time; write ISO 8601, as 2026-01-31T12:00:00Z");
    return parsed;
  };
  const start = instant(read.start_time, "start_time");
  const end = instant(read.end_time, "end_time");
  if (start !== null && end !== null) {
    if (end.us < start.us) addDiagnostic("end_time", "is before start_time");
    return { start, end, durationUs: end.us - start.us };
  }
  const seconds = read.duration_s;
  const durationUs =
    seconds !== undefined && Number.isFinite(seconds) && seconds >= 0 && seconds < 1e9
      ? Math.round(seconds * 1e6)
      : null;
  if (start !== null && durationUs !== null)
    return { start, end: later(start, durationUs), durationUs };
  if (end !== null && durationUs !== null)
    return { start: later(end, -durationUs), end, durationUs };
  return { start, end, durationUs };
}

/** An instant moved by microseconds. */
export function later(instant: Instant, us: number): Instant {
  return us === 0 ? instant : { us: instant.us + us, text: formatInstant(instant.us + us) };
}
