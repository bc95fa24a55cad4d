// The table of real tools in docs/formats.md, out of what read.py found in their files.
import { readFileSync } from "node:fs";

const expected = new URL("../../__tests__/experiment/producers/expected.json", import.meta.url);

/** Formats of which there is no file of the tool's own, and why. */
export const WITHOUT_FILES = {
  langsmith: "its vitest files are among the test fixtures",
  "openai-evals": "its file is among the test fixtures",
  "openai-run": "only the hosted service writes them",
  "tau-bench": "it is in no package registry, and needs a model",
  phoenix: "its server writes them",
};

function cellsOf({ producer, file, rows, scores, errors, skipped, shared, examples, shuffled }) {
  const again = shared === null ? "one run" : `${shared} of ${examples}`;
  const asked = shuffled ? "other order" : "same order";
  const order = shared === null ? "one run" : asked;
  return [
    producer,
    `\`${file}\``,
    rows,
    scores,
    errors,
    skipped ?? "not in this format",
    again,
    order,
  ];
}

/** The section, as lines. */
export function producersTable() {
  const { table } = JSON.parse(readFileSync(expected, "utf8"));
  const heads = [
    "tool and version",
    "file",
    "rows",
    "scores (mean of rows that did not fail)",
    "errors",
    "skipped",
    "examples shared by two runs",
    "second run",
  ];
  return [
    "## Files of real tools",
    "",
    "Each tool ran the same small suite three times: 14 questions, one answered wrongly, one that crashes, one test skipped where the tool can skip. The second run asks in the other order, where the tool keeps it; the third answers ten more questions wrongly. The figures below were found in the files by a reader that shares no code with this project; the tests hold `upload` and `gate` to them: the same rows, scores, errors and skips, the same examples in both runs, an unchanged run passes and the regression fails. `node scripts/producers/make.mjs` makes the files again.",
    "",
    `| ${heads.join(" | ")} |`,
    `|${heads.map(() => "---").join("|")}|`,
    ...table.map((line) => `| ${cellsOf(line).join(" | ")} |`),
    "",
    `No files here: ${Object.entries(WITHOUT_FILES)
      .map(([format, why]) => `\`${format}\` (${why})`)
      .join(", ")}.`,
    "",
  ];
}
