import type { FormatPage } from "./page.ts";

/** Request body of the interface document (JSON): a file that holds all of it, and what readers must know. */
export const bodyPage: FormatPage = {
  examples: [
    {
      name: "experiment.json",
      text: JSON.stringify({
        experiment_name: "a",
        experiment_description: "b",
        experiment_start_time: "2026-01-01T00:00:00Z",
        experiment_end_time: "2026-01-01T00:01:00Z",
        dataset_id: "6ba7b810-9dad-11d1-80b4-00c04fd430c8",
        dataset_name: "c",
        dataset_description: "d",
        experiment_metadata: { commit: "e" },
        summary_experiment_scores: [{ key: "f", score: 1 }],
        results: [
          {
            row_id: "6ba7b810-9dad-51d1-80b4-00c04fd430c8",
            inputs: { q: "g" },
            expected_outputs: { a: "h" },
            actual_outputs: { a: "i" },
            evaluation_scores: [
              {
                key: "j",
                score: 1,
                value: "k",
                comment: "l",
                feedback_source: { type: "api" },
                feedback_config: {
                  type: "categorical",
                  min: 0,
                  max: 1,
                  categories: [{ value: 1, label: "yes" }],
                },
                created_at: "2026-01-01T00:00:00Z",
                modified_at: "2026-01-01T00:00:00Z",
                correction: "m",
              },
            ],
            start_time: "2026-01-01T00:00:00Z",
            end_time: "2026-01-01T00:00:01Z",
            run_name: "n",
            error: "o",
            run_metadata: { p: 1 },
          },
        ],
      }),
    },
  ],
  notes: [
    "Every field of the interface document; a value of the wrong type is an error with file and row.",
  ],
};
