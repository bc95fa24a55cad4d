import type { FormatPage } from "./page.ts";

/** CTRF test report (JSON): a file that holds all of it, and what readers must know. */
export const ctrfPage: FormatPage = {
  examples: [
    {
      name: "ctrf.json",
      text: JSON.stringify({
        results: {
          tool: { name: "jest" },
          summary: { tests: 2, start: 1767225600000 },
          tests: [
            {
              name: "t",
              suite: "s",
              status: "failed",
              duration: 5,
              start: 1767225600000,
              stop: 1767225600005,
              message: "m",
              flaky: false,
            },
            { name: "u", status: "other", duration: 1, message: "e" },
          ],
        },
      }),
    },
  ],
  notes: [],
};
