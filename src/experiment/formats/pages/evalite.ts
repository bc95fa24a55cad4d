import type { FormatPage } from "./page.ts";

/** evalite (--outputPath JSON): a file that holds all of it, and what readers must know. */
export const evalitePage: FormatPage = {
  examples: [
    {
      name: "evalite.json",
      text: JSON.stringify({
        run: { id: 1, runType: "full", createdAt: "2026-01-01T00:00:00Z" },
        evals: [
          {
            name: "e",
            filepath: "e.eval.ts",
            results: [
              {
                duration: 5,
                input: "a",
                output: "b",
                expected: "c",
                status: "success",
                createdAt: "2026-01-01T00:00:00Z",
                scores: [{ name: "m", score: 1, description: "d" }],
              },
              { duration: 5, input: "x", output: null, status: "fail", scores: [] },
            ],
          },
        ],
      }),
    },
  ],
  notes: [
    "The example is the eval's name, its variant and the input; trials of one input are repeats.",
    "evalite itself stores a score of null as 0.",
  ],
};
