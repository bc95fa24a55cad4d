import type { FormatPage } from "./page.ts";

/** OpenAI Evals API and Foundry output items (JSON, JSONL): a file that holds all of it, and what readers must know. */
export const openaiRunPage: FormatPage = {
  examples: [
    {
      name: "items.json",
      text: JSON.stringify({
        object: "list",
        data: [
          {
            object: "eval.run.output_item",
            created_at: 1767225600,
            datasource_item: { query: "a", ground_truth: "b" },
            results: [{ name: "m", score: 1, passed: true, reason: "r" }],
            sample: { output: [{ role: "assistant", content: "c" }], usage: { total_tokens: 3 } },
            status: "pass",
          },
          { datasource_item: { query: "x" }, results: [], sample: { error: { message: "e" } } },
        ],
      }),
    },
  ],
  notes: [
    "A grader's `score` and `passed` become `<metric>` and `<metric>.pass` (`<name>` where there is no metric, without the id that the service adds to it).",
    "What the agent said (`sample.*`, `response`) is output; its ids, name and version go to run_metadata.",
  ],
};
