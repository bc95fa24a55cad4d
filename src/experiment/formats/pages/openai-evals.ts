import type { FormatPage } from "./page.ts";

/** OpenAI evals (JSONL of events): a file that holds all of it, and what readers must know. */
export const openaiEvalsPage: FormatPage = {
  examples: [
    {
      name: "evals.jsonl",
      text: [
        { spec: { eval_name: "e", run_id: "r", created_at: "2026-01-01 00:00:00.000000" } },
        {
          run_id: "r",
          event_id: 0,
          sample_id: "s",
          type: "sampling",
          data: { prompt: "p", sampled: ["o"], model: "m" },
          created_at: "2026-01-01 00:00:00.000000+00:00",
        },
        {
          run_id: "r",
          event_id: 1,
          sample_id: "s",
          type: "match",
          data: { correct: true, expected: "o" },
          created_at: "2026-01-01 00:00:01.000000+00:00",
        },
        {
          run_id: "r",
          event_id: 2,
          sample_id: "t",
          type: "error",
          data: { message: "x" },
          created_at: "2026-01-01 00:00:01.000000+00:00",
        },
        { final_report: { accuracy: 1 }, run_id: "r" },
      ]
        .map((line) => JSON.stringify(line))
        .join("\n"),
    },
  ],
  notes: [
    "A file without its final_report belongs to a run that was killed: uploaded with a warning, refused as a baseline.",
    "A sample that failed before it was asked has only its id as input.",
  ],
};
