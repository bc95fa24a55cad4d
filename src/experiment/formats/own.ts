import { isObject, ownAt, ownString } from "../../model/json.ts";
import { refusal } from "../input/diagnostic.ts";
import {
  HEADER_FIELDS,
  ROW_FIELDS,
  type FileHeader,
  type ReadRow,
  type RowPlace,
} from "../input/row.ts";
import type { Format, Head, RowSource } from "./format.ts";
import { createRepeatNotes } from "./mapped-notes.ts";
import { type Mapping, NO_FIELDS, VALUES } from "./mapping.ts";
import { documentOf, hasList, recordsOf } from "./records.ts";
import { hasKeys } from "./recipe.ts";

const ROW_NAMES: ReadonlySet<string> = new Set(ROW_FIELDS);
const HEADER_NAMES: ReadonlySet<string> = new Set([...HEADER_FIELDS, "results"]);
const ROWS: Mapping = { ...NO_FIELDS, rows: ["[]", "results"] };

/** A row as the document writes it, whatever is wrong with it. */
function toReadRow(place: RowPlace, value: unknown): ReadRow {
  if (!isObject(value)) return { place }; // and so without the inputs it must have
  const unknown = Object.keys(value).filter((key) => !ROW_NAMES.has(key));
  // Copied by name: a key of the file such as `__proto__` or `group` must not become a field of ours.
  // Spelled out: objects made from a list of fields made a gate of 200,000 rows take a third longer.
  return {
    place,
    row_id: value["row_id"],
    inputs: value["inputs"],
    expected_outputs: value["expected_outputs"],
    actual_outputs: value["actual_outputs"],
    evaluation_scores: value["evaluation_scores"],
    start_time: value["start_time"],
    end_time: value["end_time"],
    run_name: value["run_name"],
    error: value["error"],
    run_metadata: value["run_metadata"],
    record: { run_metadata: value["run_metadata"] },
    unknown,
  };
}

function toHeader(rest: unknown): FileHeader {
  if (!isObject(rest)) return {};
  const warnings = Object.keys(rest)
    .filter((key) => !HEADER_NAMES.has(key))
    .map((key) => `the request has no field "${key}"; it is not sent`);
  const given = Object.fromEntries(
    HEADER_FIELDS.filter((field) => Object.hasOwn(rest, field)).map((field) => [
      field,
      rest[field],
    ]),
  );
  const metadata = rest["experiment_metadata"];
  return {
    given,
    warnings,
    commit: ownString(metadata, "commit"),
    judge: ownString(metadata, "judge"),
    started_at: ownAt(rest, "experiment_start_time"),
  };
}

function open(head: Head): RowSource {
  // A single row is an object without `results`; a body without `results` lacks its rows.
  const loneRow = head.container === "json" && !head.rootIsArray && !isBody(head);
  const repeats = createRepeatNotes(new Set(), true);
  async function* batches(): AsyncGenerator<readonly ReadRow[]> {
    if (head.container !== "jsonl" && !loneRow && !hasList(documentOf(head), ROWS))
      throw refusal({ file: head.name }, 'the file has no array "results"');
    let index = 0;
    for await (const batch of recordsOf(head, loneRow ? VALUES : ROWS))
      yield batch.map(({ value, line }) =>
        toReadRow({ file: head.name, line, index: index++ }, value),
      );
  }
  return {
    batches,
    repeats,
    header: () => {
      const header = loneRow || head.rootIsArray ? {} : toHeader(head.document);
      return { ...header, warnings: [...(header.warnings ?? []), ...repeats.warnings()] };
    },
  };
}

const hasHeader = (head: Head): boolean => hasKeys(head, [HEADER_FIELDS.join(" | ")]);

function isBody(head: Head): boolean {
  return !head.rootIsArray && (head.keys.has("results") || hasHeader(head));
}

/** Results of a run without anything to run: accepted, so that a gate can say so. */
const NO_RESULTS = /^\s*\{\s*"results"\s*:\s*\[\s*\]\s*\}\s*$/;
const NO_ROWS = /^\s*\[\s*\]\s*$/;

/** Whether the rows have another name than the document's, as in another tool's file with a field of the same name. */
const hasOtherRows = (head: Head): boolean =>
  !head.keys.has("results") &&
  [...head.keys].some((key) => /^(?!summary_experiment_scores\[)[^.[]+\[\]\./.test(key));

/** The document's own request body. */
export const bodyFormat: Format = {
  name: "body",
  title: "Request body of the interface document (JSON)",
  detect: (head) =>
    head.container === "json" &&
    !head.rootIsArray &&
    !hasKeys(head, ["results.results | evalId | task_runs"]) &&
    ((hasHeader(head) && !hasOtherRows(head)) ||
      hasKeys(head, ["results[].inputs | results[].row_id"]) ||
      NO_RESULTS.test(head.text)),
  open,
  strict: true,
};

/** The document's rows without the request around them. */
export const rowsFormat: Format = {
  name: "rows",
  title: "Rows of the interface document (JSON array or JSONL)",
  detect: (head) =>
    (hasKeys(head, ["inputs | row_id"]) && !head.keys.has("feedback")) ||
    (head.rootIsArray && NO_ROWS.test(head.text)),
  open,
  strict: true,
};
