import { isObject } from "../../model/json.ts";
import type { ReadRow, RowPlace } from "../row.ts";
import type { InputFile } from "../input-file.ts";
import { checkColumns, createShortLines, sayShortLines, streamCsv } from "./csv-table.ts";
import type { Format, Head, RowSource } from "./format.ts";
import { streamValues } from "./objects.ts";
import { listAt, present } from "./pick.ts";
import { toScored } from "../feedback.ts";

const INPUT = /^(?:inputs?|questions?|quer(?:y|ies)|request|prompts?|text|context|user_input)$/i;
const EXPECTED = /^(?:ground_?truth|targets?|expected_.*|expectations?|reference|labels?)$/i;
const OUTPUT = /^(?:outputs?|predictions?|response|answer|completion)$/i;
/** `toxicity/v1/score`, `correctness/value` */
const METRIC = /^(.+?)(?:\/v\d+)?\/(score|value)$/;
const REASON = /^(.+?)(?:\/v\d+)?\/(?:justification|rationale|comment)$/;
const FAILED = /^(.+?)(?:\/v\d+)?\/error_message$/;
/** Numbers that mlflow adds to every table, which say nothing about quality. */
const COUNTED =
  /^(?:|Unnamed: ?\d+|index|token_count|latency|.*_tokens|execution_duration|request_time|(?:.*_)?id)$/;

type Entry = readonly [column: string, cell: unknown];

function toRow(place: RowPlace, entries: readonly Entry[]): ReadRow {
  const pick = (pattern: RegExp): Record<string, unknown> | undefined =>
    present(entries.filter(([column]) => pattern.test(column)));
  const reasonOf = (metric: string): unknown =>
    entries.find(([column]) => REASON.exec(column)?.[1] === metric)?.[1] ?? undefined;
  const scores = entries.flatMap(([column, cell]): unknown[] => {
    const metric = METRIC.exec(column)?.[1];
    // What was expected stands in the table as the metrics do.
    if (metric === undefined || EXPECTED.test(metric) || isObject(cell) || Array.isArray(cell))
      return [];
    return [{ key: metric, score: verdictOf(cell), comment: reasonOf(metric) }];
  });
  const known = [INPUT, EXPECTED, OUTPUT, METRIC, REASON, FAILED];
  const others = entries.filter(([column]) => !known.some((pattern) => pattern.test(column)));
  const unread = others.filter(
    ([column, cell]) => !COUNTED.test(column) && "score" in toScored(cell),
  );
  return {
    place,
    inputs: pick(INPUT),
    expected_outputs: pick(EXPECTED),
    actual_outputs: pick(OUTPUT),
    evaluation_scores: scores,
    // The agent threw: scorers that ran all the same scored nothing at all.
    ...(entries.some(([column, cell]) => column === "state" && cell === "ERROR")
      ? { error: "the trace's state is ERROR" }
      : {}),
    run_metadata: present(others.filter(([column]) => column !== "")),
    ...(unread.length === 0 ? {} : { unread: unread.map(([column]) => column) }),
  };
}

/** mlflow's judges say yes and no. */
function verdictOf(cell: unknown): unknown {
  if (cell === "yes") return true;
  return cell === "no" ? false : cell;
}

function open(files: readonly InputFile[], heads: readonly Head[]): RowSource {
  const [file, head] = [files[0]!, heads[0]!];
  const short = createShortLines(head.columns);
  async function* csvBatches(): AsyncGenerator<readonly ReadRow[]> {
    checkColumns(file.name, head.columns);
    for await (const batch of streamCsv(file, head.columns.length, short))
      yield batch.map(({ cells, line, index }) =>
        toRow(
          { file: file.name, line, index },
          head.columns.map((column, n) => [column, cells[n] === "" ? undefined : cells[n]]),
        ),
      );
  }
  const values = streamValues(file, head, ["data"]);
  async function* jsonBatches(): AsyncGenerator<readonly ReadRow[]> {
    const names = listAt(head.document, "columns").map(String);
    for await (const batch of values.batches())
      yield batch.map(({ value, line, index }) => {
        const entries: Entry[] = isObject(value)
          ? Object.entries(value)
          : names.map((column, n) => [column, Array.isArray(value) ? value[n] : undefined]);
        return toRow({ file: file.name, line, index }, entries);
      });
  }
  return {
    batches: head.container === "csv" ? csvBatches : jsonBatches,
    header: () => ({ given: {}, warnings: sayShortLines(short) }),
  };
}

/** Tables of `mlflow.evaluate` (`eval_results_table.json`) and of `mlflow.genai.evaluate`. */
export const mlflowFormat: Format = {
  name: "mlflow",
  title: "MLflow evaluation table (JSON, CSV)",
  detect: (head) =>
    (head.container === "csv" && head.columns.some((column) => METRIC.test(column))) ||
    (head.container === "json" &&
      head.keys.has("columns") &&
      head.keys.has("data") &&
      /"[^"\n]+\/(?:score|value)"/.test(head.text)),
  open,
};
