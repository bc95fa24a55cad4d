import type { FormatPage } from "./page.ts";

/**
 * Braintrust Eval() results, experiment export (JSON, JSONL): a file that holds all of it, and what
 * readers must know.
 */
export const braintrustPage: FormatPage = {
  examples: [
    {
      name: "eval.json",
      text: JSON.stringify({
        summary: { projectName: "p", experimentName: "e", scores: {} },
        results: [
          {
            input: "a",
            output: "b",
            expected: "c",
            scores: { exact: 1, factual: null },
            error: null,
            metadata: { k: 1 },
            metrics: { start: 1767225600, end: 1767225601 },
            span_attributes: { name: "eval" },
          },
          { input: "x", output: null, scores: {}, error: "boom" },
        ],
      }),
    },
  ],
  notes: [
    "Spans below an evaluation's root are steps, not rows.",
    "`bt eval --jsonl` without rows prints a summary line an experiment: that is refused, since it has only averages.",
  ],
};
