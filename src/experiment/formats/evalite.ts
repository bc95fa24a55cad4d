import { own, ownAt, ownString } from "../../model/json.ts";
import { createRecipe, hasKeys } from "./recipe.ts";

/** `evalite run --outputPath`. */
export const evaliteFormat = createRecipe({
  name: "evalite",
  title: "evalite (--outputPath JSON)",
  detect: (head) => head.container === "json" && hasKeys(head, ["evals[].results", "run"]),
  mapping: `
exact: true
rows: evals[].results
inputs.input: input
identity:
  eval: evals[].name
  input: input
  variant: evals[].variantName?
expected_outputs: expected
actual_outputs: output
evaluation_scores: { list: scores, key: name, score: score, comment: description }
start_time: createdAt
duration_ms: duration
run_name: evals[].name
usage: traces
run_metadata:
  eval: evals[].name
  variant: evals[].variantName
  file: evals[].filepath
ignore: [id, evalId, order, colOrder, status, renderedColumns, traces, trialIndex, scores.id, scores.resultId, scores.metadata]
started_at: run.createdAt
`,
  hook: () => ({
    // A task that threw has its exception as output and no scores.
    finish: (row, { value, outer }) => {
      const variant = ownString(outer[0]?.value, "variantName");
      const run_name =
        variant === undefined ? row.run_name : `${String(row.run_name)} (${variant})`;
      const scores = own(value, "scores");
      const isScored = Array.isArray(scores) && scores.length > 0;
      if (own(value, "status") !== "fail" || isScored) return { ...row, run_name };
      const message = ownAt(value, "output", "message");
      const error = typeof message === "string" ? message : "the task failed";
      return { ...row, run_name, actual_outputs: undefined, evaluation_scores: [], error };
    },
  }),
});
