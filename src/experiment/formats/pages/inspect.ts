import type { FormatPage } from "./page.ts";

/** Inspect (JSON log, .eval): a file that holds all of it, and what readers must know. */
export const inspectPage: FormatPage = {
  examples: [
    {
      name: "log.json",
      text: JSON.stringify({
        version: 2,
        status: "success",
        eval: { task: "t", model: "m", created: "2026-01-01T00:00:00Z", revision: { commit: "c" } },
        results: { total_samples: 2, scores: [{ name: "s", metrics: { accuracy: { value: 1 } } }] },
        stats: { started_at: "2026-01-01T00:00:00Z" },
        samples: [
          {
            id: 1,
            epoch: 1,
            input: "a",
            target: "b",
            output: { choices: [{ message: { content: "c" } }] },
            scores: { s: { value: "C", answer: "c", explanation: "e" } },
            started_at: "2026-01-01T00:00:00Z",
            completed_at: "2026-01-01T00:00:01Z",
            metadata: { k: 1 },
          },
          { id: 2, epoch: 1, input: "x", target: "y", error: { message: "boom" } },
        ],
      }),
    },
  ],
  notes: [
    "Grades C, P, I, N count 1, 0.5, 0, 0; a score that is a mapping becomes one feedback per key; NaN is unscored.",
    "`epoch` − 1 is the repeat index. A cancelled, failed or unfinished log is uploaded with a warning and refused as a baseline.",
    "A sample that ran into a limit is scored and counts; the limit is in run_metadata. Entries packed with zstd are read on every Node.",
    "An example is task and sample id; where the ids only count the samples (1 to n), it is the input without message ids, whatever the order of its choices.",
  ],
};
