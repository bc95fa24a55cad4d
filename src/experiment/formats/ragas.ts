import { withoutAgentTurns } from "../input/identity.ts";
import { isObject } from "../../model/json.ts";
import { refusal } from "../input/diagnostic.ts";
import type { ReadRow, RowPlace } from "../input/row.ts";
import type { InputFile } from "../input/input-file.ts";
import { toScored } from "../input/scored.ts";
import { checkColumns, createShortLines, sayShortLines, streamCsv } from "./csv-table.ts";
import type { Format, Head, RowSource } from "./format.ts";
import { streamValues } from "./objects.ts";
import { NOT_A_LITERAL, parsePythonLiteral } from "./python-literal.ts";

/**
 * Columns of a sample, new and old names, and the field they belong to; every other column with
 * numbers is a metric.
 */
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

function toRow(
  place: RowPlace,
  entries: Iterable<readonly [string, unknown]>,
  worded: Set<string>,
): ReadRow {
  const fields = new Map<string, [string, unknown][]>();
  const scores: unknown[] = [];
  const unread: string[] = [];
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
    if (!isMetric(column)) {
      put("run_metadata", [column, cell]);
      if (cell !== "" && "score" in toScored(cell)) unread.push(column);
      continue;
    }
    const scored = typeof cell === "object" && cell !== null ? { value: "" } : toScored(cell);
    if ("value" in scored) {
      put("run_metadata", [column, cell]);
      if (typeof cell === "string" && worded.size < MOST_WORDED) worded.add(column);
    } else scores.push({ key: column, score: "score" in scored ? scored.score : null });
  }
  const talk = partConversation(fields.get("inputs") ?? []);
  if (talk !== null) {
    fields.set("inputs", talk.asked);
    put("actual_outputs", ["conversation", talk.turns]);
  }
  return {
    ...Object.fromEntries(
      [...fields].map(([field, values]) => [field, Object.fromEntries(values)]),
    ),
    place,
    evaluation_scores: scores,
    ...(unread.length === 0 ? {} : { unread }),
  };
}

/** A conversation: what people said is input, the agent's turns are output. */
function partConversation(
  entries: readonly (readonly [string, unknown])[],
): { readonly asked: [string, unknown][]; readonly turns: unknown[] } | null {
  const talk = entries.find(
    ([column, value]) => column === "user_input" && Array.isArray(value) && value.every(isObject),
  );
  if (talk === undefined) return null;
  const turns = talk[1] as unknown[];
  return {
    asked: entries.map(([column, value]) => [
      column,
      column === "user_input" ? withoutAgentTurns(turns) : value,
    ]),
    turns,
  };
}

/** Names that people give their metrics and that no one gives to what merely counts or names a row. */
function isMetric(column: string): boolean {
  return !NO_METRIC.test(column.trim());
}

const NO_METRIC =
  /^(?:(?:.*[_ .-])?(?:id|ids|idx|index|row|number|latency|duration|elapsed|time|times|timestamp|seconds|secs|ms|tokens?|cost|costs|price|usd|seed|epoch|trial|run|length|len|count|year|temperature)(?:[_ .-](?:s|ms|sec|secs|seconds|usd|eur|count))?|k|n|no|#)$/i;

/** Metrics that ragas ships; a file of the older column names is ragas' only with one of them. */
const KNOWN_METRIC =
  /^(?:faithfulness|answer_(?:relevancy|relevance|correctness|similarity|accuracy)|response_(?:relevancy|relevance|groundedness)|context_(?:precision|recall|relevancy|relevance|entity_recall|utilization|entities_recall)|(?:llm|non_llm|id_based)_context_.*|factual_correctness.*|semantic_similarity|noise_sensitivity.*|(?:nv_)?(?:accuracy|context_relevance|response_groundedness)|aspect_critic|simple_criteria.*|rubrics?_score.*|instance_rubrics.*|.*_rubric.*|bleu_score|rouge_score.*|chrf_score|exact_match|string_present|non_llm_string_similarity|tool_call_(?:accuracy|f1)|agent_goal_accuracy.*|topic_adherence.*|summar(?:y|ization)_score|harmfulness|maliciousness|coherence|correctness|conciseness|multi_modal_.*|datacompy_score.*|sql_.*)(?:\(.*\))?$/i;

function open(files: readonly InputFile[], heads: readonly Head[]): RowSource {
  const [file, head] = [files[0]!, heads[0]!];
  const worded = new Set<string>();
  const short = createShortLines(head.columns);
  async function* csvBatches(): AsyncGenerator<readonly ReadRow[]> {
    checkColumns(file.name, head.columns);
    for await (const batch of streamCsv(file, head.columns.length, short)) {
      yield batch.map(({ cells, line, index }) =>
        toRow(
          { file: file.name, line, index },
          head.columns.map((column, n) => [column, cells[n]] as const),
          worded,
        ),
      );
    }
  }
  async function* jsonBatches(): AsyncGenerator<readonly ReadRow[]> {
    for await (const batch of streamValues(file, head, [], true).batches()) {
      yield batch.map(({ value, line, index }) => {
        if (!isObject(value))
          throw refusal({ file: file.name, line }, `row ${index + 1} is not an object`);
        return toRow({ file: file.name, line, index }, Object.entries(value), worded);
      });
    }
  }
  return {
    batches: head.container === "csv" ? csvBatches : jsonBatches,
    header: () => ({ given: {}, warnings: [...sayWorded(worded), ...sayShortLines(short)] }),
  };
}

const MOST_WORDED = 20;

function sayWorded(columns: ReadonlySet<string>): string[] {
  return columns.size === 0
    ? []
    : [
        `columns of words are kept in run_metadata, and are no scores: ${[...columns].join(", ")} (a mapping turns words into numbers)`,
      ];
}

function hasSample(names: ReadonlySet<string>): boolean {
  // `question` and `answer` are anybody's words: only a metric of ragas' own makes such a table its.
  const input =
    names.has("user_input") ||
    (names.has("question") && [...names].some((name) => KNOWN_METRIC.test(name)));
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
};
