import { createRecipe, hasKeys } from "./recipe.ts";

/** Phoenix experiment JSON. */
export const phoenixFormat = createRecipe({
  name: "phoenix",
  title: "Phoenix experiment (JSON)",
  detect: (head) =>
    hasKeys(head, ["example_id", "repetition_number | annotations | reference_output"]),
  mapping: `
exact: true
rows: .
example_id: example_id
inputs: input
expected_outputs: reference_output
actual_outputs: output
evaluation_scores: { list: annotations, key: name, score: score, value: label, comment: explanation, error: error }
error: error
start_time: start_time
end_time: end_time
duration_ms: latency_ms
repeat: { column: repetition_number, from: 1 }
usage: .
run_metadata: [example_id, trace_id, prompt_token_count, completion_token_count]
`,
});
