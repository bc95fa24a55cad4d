import { createRecipe, hasKeys } from "./recipe.ts";

/** Results of Braintrust's `Eval()`, an experiment's export, and the rows written by `bt eval`. */
export const braintrustFormat = createRecipe({
  name: "braintrust",
  title: "Braintrust Eval() results, experiment export (JSON, JSONL)",
  detect: (head) =>
    hasKeys(
      head,
      [
        ...["input", "output", "scores"],
        "expected | error | metadata | span_attributes | root_span_id | metrics",
      ],
      ["", "results[].", "events[].", "rows[]."],
    ),
  // A span below an evaluation's root is a step of it, not a row.
  mapping: `
exact: true
rows: results | events | rows | .
where: { is_root: { not: false }, span_parents: "" }
inputs: input
expected_outputs: expected
actual_outputs: output
evaluation_scores: { list: scores }
error: error
start_time: metrics.start | created
end_time: metrics.end
run_name: span_attributes.name
usage: metrics
run_metadata: [metadata, tags, metrics, id]
ignore: [span_attributes, context, origin, trialIndex, comments, audit_data, facets, classifications, _async_scoring_state]
suite: summary.project_name
experiment_metadata.braintrust_experiment: summary.experiment_name
`,
});
