import type { FormatPage } from "./page.ts";

/** Plain CSV by column convention: a file that holds all of it, and what readers must know. */
export const csvPage: FormatPage = {
  examples: [
    {
      name: "results.csv",
      text: "inputs.q,outputs.a,reference.a,error,feedback.correct,feedback.correct.comment,execution_time,example_id,id,run_name,start_time,run_metadata.m\nx,y,z,e,1,c,0.5,,r1,n,2026-01-01T00:00:00Z,v\n",
    },
  ],
  notes: [
    "Columns: `inputs.<name>`, `outputs.<name>`, `reference.<name>`, `feedback.<key>` (and `.comment`, `.value`), `error`, `execution_time` in seconds, `example_id`, `id`; also `row_id`, `start_time`, `end_time`, `run_name`, `run_metadata.<name>`, `repeat`.",
    "Cells are text. An `example_id` that is a UUID becomes the row id of that example's first row; `id` (the run's) goes to run_metadata.",
  ],
};
