/** A row of the interface document with every field it can have. */
export const fullRow = (feedbackConfig: object): object => ({
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
      feedback_config: feedbackConfig,
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
});
