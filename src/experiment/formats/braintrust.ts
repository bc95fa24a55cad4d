import { own, ownAt, ownString } from "../lenient-json.ts";
import { isObject } from "../../model/json.ts";
import type { FileHeader, ReadRow } from "../row.ts";
import { usageOf } from "../usage.ts";
import type { InputFile } from "../input-file.ts";
import type { Format, Head, RowSource } from "./format.ts";
import { streamValues, type PlacedValue } from "./objects.ts";
import { numberAt, present } from "./pick.ts";
import { known, unreadOf, type KnownFields } from "./unread.ts";

/** What a record holds that is read, or is not a score. */
const KNOWN: KnownFields = {
  ...known("input", "expected", "output", "scores", "error", "metadata", "tags", "metrics", "id"),
  ...known(
    "created",
    "span_attributes",
    "is_root",
    "_xact_id",
    "_pagination_key",
    "origin",
    "context",
  ),
  ...known(
    "_async_scoring_state",
    "comments",
    "audit_data",
    "facets",
    "classifications",
    "trialIndex",
  ),
};

/** A span below an evaluation's root is a step of it, not a row. */
const isInner = (row: unknown): boolean =>
  own(row, "is_root") === false ||
  (Array.isArray(own(row, "span_parents")) && (own(row, "span_parents") as unknown[]).length > 0);

function toRow(file: InputFile, { value: row, line, index }: PlacedValue): ReadRow {
  const scores = own(row, "scores");
  const error = own(row, "error") ?? undefined;
  const metrics = own(row, "metrics");
  const [start, end] = [numberAt(metrics, "start"), numberAt(metrics, "end")];
  const name = ownAt(row, "span_attributes", "name");
  return {
    place: { file: file.name, line, index },
    inputs: own(row, "input"),
    expected_outputs: own(row, "expected"),
    actual_outputs: own(row, "output"),
    evaluation_scores: isObject(scores)
      ? Object.entries(scores).map(([key, score]) => ({ key, score }))
      : [],
    ...(error === undefined ? {} : { error }),
    ...(start === undefined ? { start_time: own(row, "created") } : { start_time: start }),
    ...(end === undefined || start === undefined ? {} : { end_time: end }),
    ...(typeof name === "string" ? { run_name: name } : {}),
    ...unreadOf(row, KNOWN),
    usage: usageOf(metrics),
    run_metadata: present([
      ["metadata", own(row, "metadata")],
      ["tags", own(row, "tags")],
      ["metrics", metrics],
      ["id", own(row, "id")],
    ]),
  };
}

function toHeader(rest: unknown): FileHeader {
  const summary = own(rest, "summary");
  return {
    given: {},
    suite: ownString(summary, "projectName") ?? ownString(summary, "project_name"),
    metadata: {
      braintrust_experiment:
        ownString(summary, "experimentName") ?? ownString(summary, "experiment_name"),
    },
  };
}

function open(files: readonly InputFile[], heads: readonly Head[]): RowSource {
  const [file, head] = [files[0]!, heads[0]!];
  const path = ["results", "events", "rows"].find((key) => head.keys.has(key)) ?? "results";
  const values = streamValues(file, head, [path], true);
  async function* batches(): AsyncGenerator<readonly ReadRow[]> {
    for await (const batch of values.batches())
      yield batch
        .filter(({ value }) => isObject(value) && !isInner(value))
        .map((value) => toRow(file, value));
  }
  return {
    batches,
    header: () => (head.container === "json" ? toHeader(values.rest()) : { given: {} }),
  };
}

/** Results of Braintrust's `Eval()`, an experiment's export, and what `bt eval` writes of rows. */
export const braintrustFormat: Format = {
  name: "braintrust",
  title: "Braintrust Eval() results, experiment export (JSON, JSONL)",
  detect: (head) =>
    ["", "results[].", "events[].", "rows[]."].some(
      (before) =>
        ["input", "output", "scores"].every((key) => head.keys.has(before + key)) &&
        ["expected", "error", "metadata", "span_attributes", "root_span_id", "metrics"].some(
          (key) => head.keys.has(before + key),
        ),
    ),
  open,
};
