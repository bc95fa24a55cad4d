import { fullRow } from "./full-row.ts";
import type { FormatPage } from "./page.ts";

/** Rows of the interface document (JSON array or JSONL): a file that holds all of it, and what readers must know. */
export const rowsPage: FormatPage = {
  examples: [
    {
      name: "rows.jsonl",
      text: `${JSON.stringify(fullRow({ type: "continuous", min: 0, max: 1 }))}\n`,
    },
  ],
  notes: ["What rows lack (row_id, times) is made as described under row ids and times."],
};
