/** Results as JSON lines: forty examples; the first `wrong` of them score 0. */
export function answersOf(wrong) {
  const rows = Array.from({ length: 40 }, (_, at) =>
    JSON.stringify({
      inputs: { question: `${at}?` },
      actual_outputs: { answer: "x" },
      evaluation_scores: [{ key: "correctness", score: at < wrong ? 0 : 1 }],
      start_time: "2026-01-15T09:00:00.000Z",
      end_time: "2026-01-15T09:00:00.700Z",
    }),
  );
  return `${rows.join("\n")}\n`;
}
