import type { FormatPage } from "./page.ts";

/** Any CSV, JSON or JSONL, by a `mapping` file: a file that holds all of it, and what readers must know. */
export const mappingPage: FormatPage = {
  examples: [],
  notes: [
    "`field: column`, one a line; a column is a CSV header, a key or a path in a JSON row (`a.b`, `choices[0].text`); `{literal: x}` is a constant. A path that no row has is an error; `path?` may be missing.",
    "`rows:` says where a JSON document holds its rows: `results`, `evals[].cases[]` (columns of the outer list are `evals[].name`), `by_id.*` for the values of an object, whose names are `$key`, `[cases, failures]` for several lists. `orient: split|columns|index` reads a table written by pandas.",
    "`where: { status: done }` keeps rows (also a list of values, or `{ not: x }`); `identity: [suite, case_id]` distinguishes examples by those columns instead of by their inputs.",
    "`{ column: verdict, words: { pass: 1, fail: 0 } }` turns words into numbers. `evaluation_scores: { list: scores, key: name, score: value, comment: reason }` takes a list of scores whose names are in the data, or an object of them. The formats above show more of the language: docs/experiments.md explains its keys.",
    "Scores: `evaluation_scores.<key>: column`, and `.value`, `.comment`, `.correction`, `.created_at`, `.modified_at`, `.feedback_source.type`, `.feedback_config.type|min|max|categories` after the key; the same under `summary_experiment_scores`. `evaluation_scores: column` takes a lone score, an object of scores or the service's own list; `[a, b]` takes several columns under their own names, as for `inputs` and the outputs.",
    "Fields of the experiment come from the document around the rows, else from the first row that has them. `duration_s` gives seconds where there is no end_time, `repeat` counts repeats from 0.",
  ],
};
