import type { Diagnostic } from "../spec/desired.ts";
import { toFeedbackList } from "./feedback.ts";
import { isObject } from "../model/json.ts";
import { diagnosticAt } from "./input/diagnostic.ts";
import { formatUuid, parseUuid } from "./row-id.ts";
import { cleanJson } from "./input/scored.ts";
import { createRowNotes, renderRowNotes } from "./row-notes.ts";
import type { FileHeader, HeaderBody } from "./input/row.ts";
import { parseInstant } from "./input/timestamp.ts";

/** The request's own fields as the file gave them, of the right type; absent ones are made later. */
export type GivenHeader = { readonly [field in keyof HeaderBody]?: HeaderBody[field] };

const TEXTS = [
  "experiment_name",
  "experiment_description",
  "dataset_name",
  "dataset_description",
] as const;
const TIMES = ["experiment_start_time", "experiment_end_time"] as const;

/** Checks the request's own fields against contributing/interface.md; every violation is a problem, nothing throws. */
export function checkHeader(
  file: string,
  given: FileHeader["given"],
  strict: boolean,
): { header: GivenHeader; problems: Diagnostic[]; warnings: string[] } {
  const problems: Diagnostic[] = [];
  const notes = createRowNotes();
  const addDiagnostic = (path: string, message: string): void =>
    void problems.push(diagnosticAt({ file, path }, `${path} ${message}`));
  const header: Record<string, unknown> = {};
  const present = (field: keyof HeaderBody): boolean =>
    given[field] !== undefined && given[field] !== null && (strict || given[field] !== "");
  for (const field of TEXTS) {
    if (!present(field)) continue;
    const value = given[field];
    if (typeof value !== "string") addDiagnostic(field, "must be a text");
    else if (value === "" && field.endsWith("_name"))
      addDiagnostic(field, "must not be empty; leave it out and one is made");
    else header[field] = value;
  }
  for (const field of TIMES) {
    if (!present(field)) continue;
    const instant = parseInstant(given[field]);
    if (instant === null)
      addDiagnostic(field, "is not a date-time; write ISO 8601, as 2026-01-31T12:00:00Z");
    else header[field] = instant.text;
  }
  if (present("dataset_id")) {
    const id = parseUuid(given.dataset_id);
    if (id === null) addDiagnostic("dataset_id", "must be a UUID; for a name, use dataset_name");
    else header["dataset_id"] = formatUuid(id);
  }
  if (present("experiment_metadata")) {
    if (isObject(given.experiment_metadata))
      header["experiment_metadata"] = cleanJson(given.experiment_metadata, notes);
    else addDiagnostic("experiment_metadata", "must be an object");
  }
  const summary = toFeedbackList(given.summary_experiment_scores, "summary_experiment_scores", {
    strict,
    addDiagnostic,
    notes,
  });
  if (summary.length > 0) header["summary_experiment_scores"] = summary;
  return {
    header: header as GivenHeader,
    problems,
    warnings: renderRowNotes(notes).filter((line) => !line.includes("unscored")),
  };
}
