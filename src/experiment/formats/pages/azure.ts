import type { FormatPage } from "./page.ts";

/** Azure AI Evaluation, promptflow (JSON, JSONL): a file that holds all of it, and what readers must know. */
export const azurePage: FormatPage = {
  examples: [
    {
      name: "azure.json",
      text: JSON.stringify({
        rows: [
          {
            "inputs.query": "a",
            "inputs.response": "b",
            "inputs.ground_truth": "c",
            "outputs.relevance.relevance": 4,
            "outputs.relevance.relevance_result": "pass",
            "outputs.relevance.relevance_reason": "r",
            "outputs.relevance.note": "n",
          },
        ],
        metrics: { "relevance.relevance": 4 },
        studio_url: null,
      }),
    },
  ],
  notes: [
    "A metric is called `<evaluator>.<metric>`, as in the file's own `metrics`; its `_result` becomes `.pass`, its `_reason` the comment.",
    "`inputs.response` is output and `inputs.ground_truth` what was expected, so that the example is the same in every run.",
  ],
};
