import type { FormatPage } from "./page.ts";

/** Phoenix experiment (JSON): a file that holds all of it, and what readers must know. */
export const phoenixPage: FormatPage = {
  examples: [
    {
      name: "phoenix.json",
      text: JSON.stringify([
        {
          example_id: "x",
          repetition_number: 1,
          input: { q: "a" },
          reference_output: { a: "b" },
          output: "c",
          error: "e",
          latency_ms: 5,
          start_time: "2026-01-01T00:00:00Z",
          end_time: "2026-01-01T00:00:01Z",
          annotations: [{ name: "n", label: "good", score: 1, explanation: "w" }],
        },
      ]),
    },
  ],
  notes: [
    "`repetition_number` − 1 is the repeat index; an annotation's label becomes `value`, its explanation `comment`.",
    "An `example_id` that is a UUID becomes the row id of that example's first row.",
  ],
};
