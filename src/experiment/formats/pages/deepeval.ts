import type { FormatPage } from "./page.ts";

/**
 * DeepEval (test_run_*.json, .latest_run_full.json, .latest_test_run.json): a file that holds all
 * of it, and what readers must know.
 */
export const deepevalPage: FormatPage = {
  examples: [
    {
      name: "test_run.json",
      text: JSON.stringify({
        testCases: [
          {
            name: "n",
            input: "a",
            actualOutput: "b",
            expectedOutput: "c",
            context: ["d"],
            retrievalContext: ["e"],
            success: true,
            runDuration: 1,
            order: 0,
            metricsData: [
              {
                name: "m",
                threshold: 0.5,
                success: true,
                score: 1,
                reason: "r",
                evaluationModel: "j",
              },
            ],
            trace: { startTime: "2026-01-01T00:00:00Z", endTime: "2026-01-01T00:00:01Z" },
          },
        ],
        metricsScores: [{ metric: "m", scores: [1], passes: 1, fails: 0, errors: 0 }],
        runDuration: 1,
      }),
    },
  ],
  notes: [
    "A conversation's agent turns are output. The example is its scenario, where it has one, else what the user said.",
    "Threshold and success of a metric become `<name>.pass`.",
  ],
};
