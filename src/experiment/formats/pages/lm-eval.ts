import type { FormatPage } from "./page.ts";

/** lm-evaluation-harness samples (JSONL): a file that holds all of it, and what readers must know. */
export const lmEvalPage: FormatPage = {
  examples: [
    {
      name: "samples_task.jsonl",
      text: `${JSON.stringify({
        doc_id: 0,
        doc: { question: "a" },
        target: "b",
        resps: [["c"]],
        filtered_resps: ["c"],
        filter: "none",
        metrics: ["acc"],
        acc: 1,
      })}\n`,
    },
  ],
  notes: [
    "A metric whose value is a list (perplexity, BLEU) has no score of its own in a row, and is named.",
    "The metrics that the row lists; with a filter other than none, the filter's name follows a comma, as in the tool's own table.",
    "The example is the document, not its number: `--limit` and shuffled documents line up. `results_*.json` holds only averages and is refused.",
  ],
};
