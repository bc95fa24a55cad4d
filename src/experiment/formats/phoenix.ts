import { own, ownString } from "../lenient-json.ts";
import { isObject } from "../../model/json.ts";
import { refusal } from "../diagnostic.ts";
import type { ReadRow } from "../row.ts";
import { usageOf } from "../usage.ts";
import type { InputFile } from "../input-file.ts";
import type { Format, Head, RowSource } from "./format.ts";
import { streamValues, type PlacedValue } from "./objects.ts";
import { known, unreadOf, type KnownFields } from "./unread.ts";

/** What a record holds that is read, or is not a score. */
const KNOWN: KnownFields = {
  ...known("example_id", "repetition_number", "input", "reference_output", "output", "error"),
  ...known("latency_ms", "start_time", "end_time", "trace_id"),
  ...known("prompt_token_count", "completion_token_count", "id", "experiment_id"),
  annotations: {
    ...known("id", "name", "annotator_kind", "label", "score", "explanation", "trace_id", "error"),
    ...known("start_time", "end_time"),
  },
};

function scoreOf(annotation: unknown): unknown[] {
  const key = ownString(annotation, "name");
  if (key === undefined) return [];
  const error = ownString(annotation, "error");
  if (error !== undefined && error !== "") return [{ key, comment: `not scored: ${error}` }];
  return [
    {
      key,
      score: own(annotation, "score"),
      value: own(annotation, "label"),
      comment: own(annotation, "explanation"),
    },
  ];
}

function toRow(file: InputFile, { value, line, index }: PlacedValue): ReadRow {
  if (!isObject(value))
    throw refusal({ file: file.name, line }, `run ${index + 1} is not an object`);
  const annotations = own(value, "annotations");
  const [latencyMs, repetition] = [own(value, "latency_ms"), own(value, "repetition_number")];
  const metadata = [
    "example_id",
    "trace_id",
    "prompt_token_count",
    "completion_token_count",
  ].flatMap((key) => ((own(value, key) ?? null) === null ? [] : [[key, own(value, key)] as const]));
  return {
    place: { file: file.name, line, index },
    example_id: own(value, "example_id"),
    inputs: own(value, "input"),
    expected_outputs: own(value, "reference_output"),
    actual_outputs: own(value, "output"),
    evaluation_scores: Array.isArray(annotations) ? annotations.flatMap(scoreOf) : [],
    error: own(value, "error"),
    start_time: own(value, "start_time"),
    end_time: own(value, "end_time"),
    duration_s: typeof latencyMs === "number" ? latencyMs / 1000 : undefined,
    repeat: typeof repetition === "number" ? repetition - 1 : undefined,
    ...unreadOf(value, KNOWN),
    usage: usageOf(value),
    ...(metadata.length === 0 ? {} : { run_metadata: Object.fromEntries(metadata) }),
  };
}

function open(files: readonly InputFile[], heads: readonly Head[]): RowSource {
  const [file, head] = [files[0]!, heads[0]!];
  async function* batches(): AsyncGenerator<readonly ReadRow[]> {
    for await (const batch of streamValues(file, head, [], true).batches())
      yield batch.map((value) => toRow(file, value));
  }
  return { batches, header: () => ({ given: {} }) };
}

/** Phoenix experiment JSON. */
export const phoenixFormat: Format = {
  name: "phoenix",
  title: "Phoenix experiment (JSON)",
  detect: (head) =>
    (head.container === "json" || head.container === "jsonl") &&
    head.keys.has("example_id") &&
    (head.keys.has("repetition_number") ||
      head.keys.has("annotations") ||
      head.keys.has("reference_output")),
  open,
};
