import type { FormatPage } from "./page.ts";

/** vitest-evals (vitest JSON report): a file that holds all of it, and what readers must know. */
export const vitestEvalsPage: FormatPage = {
  examples: [
    {
      name: "evals.json",
      text: JSON.stringify({
        numTotalTests: 1,
        startTime: 1767225600000,
        testResults: [
          {
            assertionResults: [
              {
                title: "t",
                status: "passed",
                duration: 5,
                meta: {
                  eval: { scores: [{ name: "m", score: 1, metadata: { rationale: "r" } }] },
                  harness: { run: { output: "b", usage: { totalTokens: 3 } } },
                },
              },
            ],
          },
        ],
      }),
    },
  ],
  notes: [
    "The judges' scores of `meta.eval.scores`, and `pass` as vitest has it; usage of the harness goes to run_metadata.",
  ],
};
