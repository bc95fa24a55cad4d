import { createRecipe, hasKeys } from "./recipe.ts";

/** Results of Langfuse's experiment runner and of its GitHub action. */
export const langfuseFormat = createRecipe({
  name: "langfuse",
  title: "Langfuse experiment results (JSON)",
  detect: (head) =>
    head.container === "json" &&
    (hasKeys(head, ["item_results | itemResults"]) ||
      hasKeys(head, ["experiment_result | experimentResult"], ["results[]."])),
  mapping: `
exact: true
rows: item_results | itemResults | results[].experiment_result.item_results | results[].experimentResult.itemResults
inputs: input | item.input
expected_outputs: expected_output | item.expected_output
actual_outputs: output
evaluation_scores: { list: evaluations, key: name, score: value, value: value, comment: comment }
error: error
run_metadata.trace_id: trace_id?
run_metadata.dataset_run_id: dataset_run_id?
run_metadata.metadata: item.metadata | metadata
ignore: [item.id, evaluations.metadata, evaluations.config_id, evaluations.data_type]
suite: name
summary_experiment_scores: { list: run_evaluations, key: name, score: value, value: value }
`,
});
