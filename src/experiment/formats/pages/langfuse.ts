import type { FormatPage } from "./page.ts";

/** Langfuse experiment results (JSON): a file that holds all of it, and what readers must know. */
export const langfusePage: FormatPage = {
  examples: [
    {
      name: "langfuse.json",
      text: JSON.stringify({
        name: "e",
        item_results: [
          {
            item: { id: "i", input: "a", expected_output: "b" },
            output: "c",
            evaluations: [{ name: "m", value: 1, comment: "d", data_type: "NUMERIC" }],
            trace_id: "t",
          },
          { item: { input: "x" }, output: null, error: "e", evaluations: [] },
        ],
        run_evaluations: [{ name: "mean", value: 1 }],
      }),
    },
  ],
  notes: [
    "An evaluation whose value is a word is categorical: it has a value and no score.",
    "The SDK (5.0.4) leaves items whose task failed out of its result: a gate's `min_overlap` shows that they are missing.",
  ],
};
