import type { FormatPage } from "./page.ts";

/** ragas (CSV, JSONL): a file that holds all of it, and what readers must know. */
export const ragasPage: FormatPage = {
  examples: [
    {
      name: "ragas.csv",
      text: `,user_input,retrieved_contexts,response,reference,faithfulness,note\n0,q,"['it\\'s ""x""']",a,r,0.5,word\n`,
    },
  ],
  notes: [
    "Every column that is not a sample column and holds numbers is a metric, unless its name is that of an id, a time, a cost or a count; an empty cell is unscored. A table of the older names (question, answer) is ragas' only with a metric that ragas ships.",
    "Lists in CSV cells are read as Python writes them.",
  ],
};
