import { isObject } from "../../model/json.ts";
import { isScore } from "../input/scored.ts";
import type { Head } from "./format.ts";
import { present } from "./pick.ts";
import { createRecipe, hasKeys } from "./recipe.ts";

/** Expected values are in the table like the metrics. */
const EXPECTED = /^(?:ground_?truth|targets?|expected_.*|expectations?|reference|labels?)$/i;
/** `toxicity/v1/score`, `correctness/value` */
const METRIC = /^(.+?)(?:\/v\d+)?\/(?:score|value)$/;
const COMPANION = /^(.+?)(?:\/v\d+)?\/(?:justification|rationale|comment|error_message)$/;
/** Numbers that mlflow adds to every table and that do not measure quality. */
const COUNTED =
  /^(?:|Unnamed: ?\d+|index|token_count|latency|.*_tokens|execution_duration|request_time|(?:.*_)?id)$/;

/** Cells by column; an empty CSV cell is missing. */
const cellsOf = (record: object, container: Head["container"]): [string, unknown][] =>
  Object.entries(record).map(([column, cell]) => [
    column,
    container === "csv" && cell === "" ? undefined : cell,
  ]);

/** Tables of `mlflow.evaluate` (`eval_results_table.json`) and of `mlflow.genai.evaluate`. */
export const mlflowFormat = createRecipe({
  name: "mlflow",
  title: "MLflow evaluation table (JSON, CSV)",
  detect: (head) =>
    (head.container === "csv" && head.columns.some((column) => METRIC.test(column))) ||
    (head.container === "json" &&
      hasKeys(head, ["columns", "data"]) &&
      /"[^"\n]+\/(?:score|value)"/.test(head.text)),
  mapping: `
exact: true
orient: split
inputs:
  columns: [input, inputs, question, questions, query, queries, request, prompt, prompts, text, context, user_input]
expected_outputs:
  columns: [ground_truth, groundtruth, target, targets, expected_*, expectation, expectations, reference, label, labels]
actual_outputs:
  columns: [output, outputs, prediction, predictions, response, answer, completion]
error: { column: state, when: ERROR }
`,
  hook: ({ container }) => ({
    before: (record) => present(cellsOf(record, container)) ?? {},
    finish: (row, { value }) => {
      const entries = cellsOf(value, container);
      const reasons = new Map<string | undefined, unknown>();
      for (const [column, cell] of entries) {
        const metric = COMPANION.exec(column)?.[1];
        if (!column.endsWith("/error_message") && !reasons.has(metric)) reasons.set(metric, cell);
      }
      const scores = entries.flatMap(([column, cell]): unknown[] => {
        const metric = METRIC.exec(column)?.[1];
        if (metric === undefined || EXPECTED.test(metric) || isObject(cell) || Array.isArray(cell))
          return [];
        const score = cell === "yes" || (cell === "no" ? false : cell);
        return [{ key: metric, score, comment: reasons.get(metric) ?? undefined }];
      });
      const parts = [row.inputs, row.expected_outputs, row.actual_outputs];
      const read = new Set(parts.flatMap((part) => Object.keys(part ?? {})));
      const known = [EXPECTED, METRIC, COMPANION];
      const others = entries.filter(
        ([column]) => !read.has(column) && !known.some((one) => one.test(column)),
      );
      const unread = others.filter(([column, cell]) => !COUNTED.test(column) && isScore(cell));
      return {
        ...row,
        evaluation_scores: scores,
        // The agent threw: scorers that ran anyway scored nothing.
        ...(row.error === undefined ? {} : { error: "the trace's state is ERROR" }),
        run_metadata: present(others.filter(([column]) => column !== "")),
        unread: unread.map(([column]) => column),
      };
    },
  }),
});
