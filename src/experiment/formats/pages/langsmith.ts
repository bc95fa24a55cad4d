import type { FormatPage } from "./page.ts";

/** LangSmith vitest / jest (runner JSON and side files): a file that holds all of it, and what readers must know. */
export const langsmithPage: FormatPage = {
  examples: [
    {
      name: "vitest.json",
      text: JSON.stringify({
        numTotalTests: 1,
        startTime: 1767225600000,
        testResults: [
          {
            startTime: 1767225600000,
            assertionResults: [
              {
                title: "t, test_id=0123456789abc",
                status: "failed",
                duration: 5,
                failureMessages: ["TypeError: x"],
              },
            ],
          },
        ],
      }),
    },
    {
      name: "0123456789abc.json",
      text: JSON.stringify({
        inputs: { q: "a" },
        referenceOutputs: { a: "b" },
        outputs: { a: "c" },
        feedback: [{ key: "k", score: true, comment: "d" }],
      }),
    },
  ],
  notes: [
    "Side files without the report are named after their folder, since their own names are new in every run.",
    "The report and its side files, named in one `experiment`, are one experiment; `, run N` in a title is the repeat index.",
  ],
};
