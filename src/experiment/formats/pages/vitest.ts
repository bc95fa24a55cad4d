import type { FormatPage } from "./page.ts";

/** vitest / jest / mocha test report (JSON): a file that holds all of it, and what readers must know. */
export const testReportPage: FormatPage = {
  examples: [
    {
      name: "vitest.json",
      text: JSON.stringify({
        numTotalTests: 1,
        startTime: 1767225600000,
        testResults: [
          {
            name: "a.test.ts",
            status: "failed",
            startTime: 1767225600000,
            assertionResults: [
              { title: "t", ancestorTitles: ["s"], status: "passed", duration: 5 },
            ],
          },
        ],
      }),
    },
  ],
  notes: [
    "Good enough for a gate, thin in the comparison view: a test's inputs are its name, the describes around it and its file.",
    "Only the name of the file's path counts, so that the example is the same on every machine; folders come before it where a test of the same name and describes is in another file of that name.",
  ],
};
