import { own, ownString } from "../lenient-json.ts";
import type { ReadRow } from "../row.ts";
import type { InputFile } from "../input-file.ts";
import type { Format, Head, RowSource } from "./format.ts";
import { streamValues } from "./objects.ts";
import { anyOf, listAt, present } from "./pick.ts";
import { known, unreadOf, type KnownFields } from "./unread.ts";

/** What a record holds that is read, or is not a score. */
const KNOWN: KnownFields = {
  ...known("input", "output", "expected_output", "expectedOutput", "error", "trace_id", "traceId"),
  ...known("dataset_run_id", "datasetRunId", "metadata"),
  item: known("input", "expected_output", "expectedOutput", "metadata", "id"),
  evaluations: known("name", "value", "comment", "metadata", "data_type", "dataType", "config_id"),
};

function toRow(
  item: unknown,
  place: { readonly file: string; readonly line: number; readonly index: number },
): ReadRow {
  const source = own(item, "item");
  const inputs = anyOf(item, "input") ?? anyOf(source, "input");
  const error = anyOf(item, "error");
  return {
    place,
    inputs: inputs ?? null,
    expected_outputs:
      anyOf(item, "expected_output", "expectedOutput") ??
      anyOf(source, "expected_output", "expectedOutput"),
    actual_outputs: anyOf(item, "output"),
    evaluation_scores: listAt(item, "evaluations").map((evaluation) => {
      const value = own(evaluation, "value");
      return {
        key: ownString(evaluation, "name") ?? "score",
        ...(typeof value === "string" ? { value } : { score: value }),
        comment: own(evaluation, "comment") ?? undefined,
      };
    }),
    ...(error === undefined ? {} : { error }),
    ...unreadOf(item, KNOWN),
    run_metadata: present([
      ["trace_id", anyOf(item, "trace_id", "traceId")],
      ["dataset_run_id", anyOf(item, "dataset_run_id", "datasetRunId")],
      ["metadata", anyOf(source, "metadata") ?? anyOf(item, "metadata")],
    ]),
  };
}

const itemsOf = (value: unknown): readonly unknown[] => {
  const result = anyOf(value, "experiment_result", "experimentResult") ?? value;
  const items = anyOf(result, "item_results", "itemResults");
  return Array.isArray(items) ? items : [];
};

function open(files: readonly InputFile[], heads: readonly Head[]): RowSource {
  const [file, head] = [files[0]!, heads[0]!];
  const path = ["item_results", "itemResults"].find((key) => head.keys.has(key)) ?? "results";
  const values = streamValues(file, head, [path]);
  async function* batches(): AsyncGenerator<readonly ReadRow[]> {
    let index = 0;
    for await (const batch of values.batches())
      for (const { value, line } of batch)
        yield (path === "results" ? itemsOf(value) : [value]).map((item) =>
          toRow(item, { file: file.name, line, index: index++ }),
        );
  }
  return {
    batches,
    header: () => {
      const rest = values.rest();
      const runs = listAt(rest, "run_evaluations").filter(
        (one) => typeof own(one, "value") === "number",
      );
      return {
        given:
          runs.length === 0
            ? {}
            : {
                summary_experiment_scores: runs.map((one) => ({
                  key: ownString(one, "name") ?? "score",
                  score: own(one, "value"),
                })),
              },
        suite: ownString(rest, "name"),
      };
    },
  };
}

/** Results of Langfuse's experiment runner and of its GitHub action. */
export const langfuseFormat: Format = {
  name: "langfuse",
  title: "Langfuse experiment results (JSON)",
  detect: (head) =>
    head.container === "json" &&
    (["item_results", "itemResults"].some((key) => head.keys.has(key)) ||
      ["results[].experiment_result", "results[].experimentResult"].some((key) =>
        head.keys.has(key),
      )),
  open,
};
