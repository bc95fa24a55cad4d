import type { FormatPage } from "./page.ts";

/** promptfoo (JSON, JSONL, CSV): a file that holds all of it, and what readers must know. */
export const promptfooPage: FormatPage = {
  examples: [
    {
      name: "promptfoo.json",
      text: JSON.stringify({
        evalId: "eval-1",
        results: {
          version: 3,
          timestamp: "2026-01-01T00:00:00Z",
          prompts: [
            { provider: "p", metrics: { testPassCount: 1, testFailCount: 0, testErrorCount: 1 } },
          ],
          stats: { successes: 1, failures: 0, errors: 1 },
          results: [
            {
              vars: { q: "a" },
              response: { output: "b" },
              namedScores: { c: 1 },
              score: 1,
              success: true,
              gradingResult: {
                componentResults: [
                  { score: 1, reason: "r", assertion: { type: "equals", metric: "c" } },
                ],
              },
              latencyMs: 5,
              provider: { id: "p" },
              promptIdx: 0,
              prompt: { label: "l" },
              failureReason: 0,
              testCase: { metadata: { m: 1 } },
            },
            {
              vars: { q: "b" },
              error: "e",
              success: false,
              score: 0,
              failureReason: 2,
              latencyMs: 5,
              provider: { id: "p" },
              promptIdx: 0,
              prompt: { label: "l" },
            },
          ],
        },
        config: { description: "d" },
      }),
    },
  ],
  notes: ["One experiment per provider and prompt; `split: none` makes one of all."],
};
