import { isObject } from "../lenient-json.ts";
import { refusal } from "../diagnostic.ts";
import type { ReadRow, RowPlace } from "../row.ts";
import type { InputFile } from "../input-file.ts";
import { toScored } from "../feedback.ts";
import { checkColumns, streamCsv } from "./csv-table.ts";
import type { Format, Head, Reading } from "./format.ts";
import { streamValues } from "./objects.ts";
import { NOT_A_LITERAL, parsePythonLiteral } from "./python-literal.ts";

/** Columns of a sample, new and old names, and the field they belong to; every other column with numbers is a metric. */
const SAMPLE_COLUMNS: ReadonlyMap<
  string,
  "inputs" | "expected_outputs" | "actual_outputs" | "run_metadata"
> = new Map([
  ["user_input", "inputs"],
  ["question", "inputs"],
  ["rubrics", "inputs"],
  ["reference", "expected_outputs"],
  ["reference_contexts", "expected_outputs"],
  ["reference_context_ids", "expected_outputs"],
  ["reference_tool_calls", "expected_outputs"],
  ["reference_topics", "expected_outputs"],
  ["ground_truth", "expected_outputs"],
  ["ground_truths", "expected_outputs"],
  ["response", "actual_outputs"],
  ["answer", "actual_outputs"],
  ["multi_responses", "actual_outputs"],
  ["retrieved_contexts", "actual_outputs"],
  ["retrieved_context_ids", "actual_outputs"],
  ["contexts", "actual_outputs"],
  ["persona_name", "run_metadata"],
  ["query_style", "run_metadata"],
  ["query_length", "run_metadata"],
  ["synthesizer_name", "run_metadata"],
]);

/** CSV cells of lists hold Python's repr, not JSON. */
function readCell(cell: string): unknown {
  if (!/^\s*[[{(]/.test(cell)) return cell;
  const literal = parsePythonLiteral(cell.trim());
  return literal === NOT_A_LITERAL ? cell : literal;
}

function toRow(place: RowPlace, entries: Iterable<readonly [string, unknown]>): ReadRow {
  const fields = new Map<string, [string, unknown][]>();
  const scores: unknown[] = [];
  const put = (field: string, entry: [string, unknown]): void =>
    void fields.set(field, [...(fields.get(field) ?? []), entry]);
  for (const [column, cell] of entries) {
    if (column === "" || /^Unnamed: ?\d+$/.test(column)) continue; // the data frame's index
    const field = SAMPLE_COLUMNS.get(column);
    if (field !== undefined) {
      if (cell !== "" && cell !== null)
        put(field, [column, typeof cell === "string" ? readCell(cell) : cell]);
      continue;
    }
    const scored = typeof cell === "object" && cell !== null ? { value: "" } : toScored(cell);
    if ("value" in scored) put("run_metadata", [column, cell]);
    else scores.push({ key: column, score: "score" in scored ? scored.score : null });
  }
  return {
    ...Object.fromEntries(
      [...fields].map(([field, values]) => [field, Object.fromEntries(values)]),
    ),
    place,
    evaluation_scores: scores,
  };
}

function open(files: readonly InputFile[], heads: readonly Head[]): Reading {
  const [file, head] = [files[0]!, heads[0]!];
  async function* csvBatches(): AsyncGenerator<readonly ReadRow[]> {
    checkColumns(file.name, head.columns);
    for await (const batch of streamCsv(file, head.columns.length)) {
      yield batch.map(({ cells, line, index }) =>
        toRow(
          { file: file.name, line, index },
          head.columns.map((column, n) => [column, cells[n]] as const),
        ),
      );
    }
  }
  async function* jsonBatches(): AsyncGenerator<readonly ReadRow[]> {
    for await (const batch of streamValues(file, head, [], true).batches()) {
      yield batch.map(({ value, line, index }) => {
        if (!isObject(value))
          throw refusal({ file: file.name, line }, `row ${index + 1} is no object`);
        return toRow({ file: file.name, line, index }, Object.entries(value));
      });
    }
  }
  return {
    batches: head.container === "csv" ? csvBatches : jsonBatches,
    header: () => ({ given: {} }),
  };
}

function hasSample(names: { has: (name: string) => boolean }): boolean {
  const input = names.has("user_input") || names.has("question");
  return (
    input &&
    [
      "response",
      "answer",
      "retrieved_contexts",
      "contexts",
      "reference",
      "ground_truth",
      "ground_truths",
    ].some((name) => names.has(name))
  );
}

/** ragas results, as `to_pandas()` writes them. */
export const ragasFormat: Format = {
  name: "ragas",
  title: "ragas (CSV, JSONL)",
  detect: (head) =>
    head.container === "csv"
      ? hasSample(new Set(head.columns)) && !head.columns.includes("Status")
      : (head.container === "jsonl" || head.container === "json") && hasSample(head.keys),
  open,
  examples: [
    {
      name: "ragas.csv",
      text: `,user_input,retrieved_contexts,response,reference,faithfulness,note\n0,q,"['it\\'s ""x""']",a,r,0.5,word\n`,
    },
  ],
  notes: [
    "Every column that is no sample column and holds numbers is a metric; an empty cell is unscored.",
    "Lists in CSV cells are read as Python writes them.",
    "The file has no times and no ids.",
  ],
};
