import type { FormatPage } from "./page.ts";

/** MLflow evaluation table (JSON, CSV): a file that holds all of it, and what readers must know. */
export const mlflowPage: FormatPage = {
  examples: [
    {
      name: "eval_results_table.json",
      text: JSON.stringify({
        columns: [
          "inputs",
          "ground_truth",
          "outputs",
          "token_count",
          "toxicity/v1/score",
          "answer_similarity/v1/score",
          "answer_similarity/v1/justification",
        ],
        data: [["a", "b", "c", 3, 0.1, 5, "r"]],
      }),
    },
  ],
  notes: [
    "`<metric>/v1/score` and `<metric>/value` are scores, `/justification` and `/rationale` their comments.",
  ],
};
