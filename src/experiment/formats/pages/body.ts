import { fullRow } from "./full-row.ts";
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
          fullRow({
            type: "categorical",
            min: 0,
            max: 1,
            categories: [{ value: 1, label: "yes" }],
          }),
        ],
      }),
    },
  ],
  notes: [
    "Every field of the interface document; a value of the wrong type is an error with file and row.",
  ],
};
