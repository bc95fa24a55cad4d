import { withoutAgentTurns } from "../input/identity.ts";
import { isObject, own } from "../../model/json.ts";
import type { ReadRow } from "../input/row.ts";
import { toScored } from "../input/scored.ts";
import { usageMetric, usageOf } from "../input/usage.ts";
import { hasRole } from "./mapping-draft-columns.ts";
import { isThere } from "./pick.ts";
import { parsePythonLiteral } from "./python-literal.ts";
import { createRecipe } from "./recipe.ts";
import { inOrder } from "../input/ordered-object.ts";

/** Parses a cell: in CSV, lists are Python's repr rather than JSON. */
function readCell(cell: unknown): unknown {
  if (typeof cell !== "string" || !/^\s*[[{(]/.test(cell)) return cell;
  return parsePythonLiteral(cell.trim()) ?? cell;
}

/** The non-empty cells of a sample, whose columns a mapping's patterns would match in any case. */
const sampleIn = (record: object): object =>
  inOrder(
    Object.entries(record)
      .filter(([column, cell]) => OF_SAMPLE.has(column) && isThere(cell))
      .map(([column, cell]) => [column, readCell(cell)]),
  );

/** In a conversation, users' turns are input and the agent's are output. */
function splitTalk({
  inputs,
  actual_outputs,
}: ReadRow): Pick<ReadRow, "inputs" | "actual_outputs"> | undefined {
  const turns = own(inputs, "user_input");
  if (!Array.isArray(turns) || !turns.every(isObject)) return undefined;
  return {
    inputs: { ...(inputs as object), user_input: withoutAgentTurns(turns) },
    actual_outputs: { ...(actual_outputs as object | undefined), conversation: turns },
  };
}

/** Columns that describe how a sample was made. */
const ABOUT = /^(?:persona_name|query_style|query_length|synthesizer_name)$/;
/** The data frame's index. */
const INDEX = /^(?:Unnamed: ?\d+)?$/;
/** Names for mere counts and row labels, which nobody gives to a metric. */
const NO_METRIC =
  /^(?:(?:.*[_ .-])?(?:id|ids|idx|index|row|number|latency|duration|elapsed|time|times|timestamp|seconds|secs|ms|tokens?|cost|costs|price|usd|seed|epoch|trial|run|attempt|repeat|repetition|iteration|length|len|count|year|temperature)(?:[_ .-](?:s|ms|sec|secs|seconds|usd|eur|count))?|k|n|no|#)$/i;

/** A column that a user's own loop adds: words in it say that the row crashed; numbers are a metric. */
const isError = ([name, cell]: readonly [name: string, cell: unknown]): boolean =>
  hasRole({ name }, "ERROR") && !("score" in toScored(cell));

/** A column outside the sample is a metric, or goes to the metadata. */
function othersOf(
  cells: readonly (readonly [column: string, cell: unknown])[],
  worded: Set<string>,
): Pick<ReadRow, "evaluation_scores" | "run_metadata" | "usage" | "unread"> {
  const metadata: [string, unknown][] = [];
  const stated: [string, number][] = [];
  const scores: unknown[] = [];
  const unread: string[] = [];
  for (const [column, cell] of cells) {
    if (ABOUT.test(column)) {
      if (isThere(cell)) metadata.push([column, readCell(cell)]);
      continue;
    }
    const isMetric = !NO_METRIC.test(column.trim());
    const scored = typeof cell === "object" && cell !== null ? { value: "" } : toScored(cell);
    if (isMetric && !("value" in scored)) {
      scores.push({ key: column, score: "score" in scored ? scored.score : null });
      continue;
    }
    const used = isMetric ? undefined : usageMetric(column);
    // Of two columns for one metric, such as `cost` and `total_cost`, the first counts; the other
    // is reported as unread.
    const isFirst = stated.every(([other]) => usageMetric(other) !== used);
    if ("score" in scored && used !== undefined && isFirst) {
      stated.push([column, scored.score]);
      continue;
    }
    metadata.push([column, cell]);
    if (!isMetric && "score" in scored) unread.push(column);
    if (isMetric && typeof cell === "string" && worded.size < MAX_WORDED) worded.add(column);
  }
  return {
    evaluation_scores: scores,
    run_metadata: metadata.length === 0 ? undefined : inOrder(metadata),
    usage: usageOf(Object.fromEntries(stated)),
    unread,
  };
}

const MAX_WORDED = 20;

function describeWorded(columns: ReadonlySet<string>): string[] {
  return columns.size === 0
    ? []
    : [
        `columns of words are kept in run_metadata and are not scores: ${[...columns].join(", ")} (a mapping turns words into numbers)`,
      ];
}

/** Metrics that ragas ships; a file with the older column names is ragas' only if it has one of them. */
const KNOWN_METRIC =
  /^(?:faithfulness|answer_(?:relevancy|relevance|correctness|similarity|accuracy)|response_(?:relevancy|relevance|groundedness)|context_(?:precision|recall|relevancy|relevance|entity_recall|utilization|entities_recall)|(?:llm|non_llm|id_based)_context_.*|factual_correctness.*|semantic_similarity|noise_sensitivity.*|(?:nv_)?(?:accuracy|context_relevance|response_groundedness)|aspect_critic|simple_criteria.*|rubrics?_score.*|instance_rubrics.*|.*_rubric.*|bleu_score|rouge_score.*|chrf_score|exact_match|string_present|non_llm_string_similarity|tool_call_(?:accuracy|f1)|agent_goal_accuracy.*|topic_adherence.*|summar(?:y|ization)_score|harmfulness|maliciousness|coherence|correctness|conciseness|multi_modal_.*|datacompy_score.*|sql_.*)(?:\(.*\))?$/i;

function hasSample(names: ReadonlySet<string>): boolean {
  // Anybody may use `question` and `answer`: only one of ragas' own metrics makes such a table ragas'.
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

/** The sample's columns in ragas' own spelling: `Answer` next to `response` is a user's metric. */
const SAMPLE = {
  inputs: ["user_input", "question", "rubrics"],
  expected_outputs: [
    ...["reference", "reference_contexts", "reference_context_ids", "reference_tool_calls"],
    ...["reference_topics", "ground_truth", "ground_truths"],
  ],
  actual_outputs: [
    ...["response", "answer", "multi_responses", "retrieved_contexts", "retrieved_context_ids"],
    "contexts",
  ],
} as const;
const OF_SAMPLE: ReadonlySet<string> = new Set(Object.values(SAMPLE).flat());

/** ragas results, as `to_pandas()` writes them. */
export const ragasFormat = createRecipe({
  name: "ragas",
  title: "ragas (CSV, JSONL)",
  detect: (head) =>
    head.container === "csv"
      ? hasSample(new Set(head.columns)) && !head.columns.includes("Status")
      : hasSample(head.keys),
  mapping: `
exact: true
rows: .
inputs:
  columns: [${SAMPLE.inputs.join(", ")}]
expected_outputs:
  columns: [${SAMPLE.expected_outputs.join(", ")}]
actual_outputs:
  columns: [${SAMPLE.actual_outputs.join(", ")}]
`,
  hook: () => {
    const worded = new Set<string>();
    return {
      before: sampleIn,
      finish: (row, { value }) => {
        const cells = Object.entries(value);
        const others = cells.filter(
          (one) => !INDEX.test(one[0]) && !OF_SAMPLE.has(one[0]) && !isError(one),
        );
        const error = cells.find((one) => isError(one) && "value" in toScored(one[1]))?.[1];
        return { ...row, error, ...splitTalk(row), ...othersOf(others, worded) };
      },
      header: () => ({ warnings: describeWorded(worded) }),
    };
  },
});
