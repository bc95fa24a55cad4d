// The table of real tools in contributing/formats.md, out of what read.py found in their files.
import { readFileSync } from "node:fs";

const expected = new URL("../../__tests__/experiment/producers/expected.json", import.meta.url);

/** Files that no tool wrote here: why it could not, and where its shape is published. */
export const SHAPES = {
  "openai-evals-api":
    "only OpenAI's hosted service writes these items; the shape is that of its API reference (developers.openai.com, Evals, output items)",
  "tau-bench":
    "no package registry has it, and its users and agents are hosted models; the shape is that of its published trajectories (github.com/sierra-research/tau-bench)",
  "tau2-bench":
    "the same; PyPI's `tau2` is another program (github.com/sierra-research/tau2-bench)",
};

/** Files that `upload` refuses, and why. */
export const REFUSED = {
  "braintrust-bt-0.12":
    "`bt eval --jsonl` and `braintrust eval --jsonl` write one line of averages for each evaluator, and no rows. The result of `Eval()`, written as JSON, has them",
};

/** What a cell means that is not a number, once for all of them. */
const NOTES = [
  '"not in this format" under "skipped": these files hold nothing of a test that was not run; the suite skips one wherever a tool can.',
  '"not in this format" under "limits": of these tools, only Inspect and tau2-bench write that a sample ran into a limit. Such a sample is scored and counts.',
  '"crash" says what becomes of the question at which the agent throws. "error": an error of the run; a score that such a row has counts anyway. A number: a test runner counts the throw as a failure, or the suite hands the tool an empty answer, since it scores only answers (azure, foundry, deepeval, ragas, mlflow-evaluate, lm-eval). "unscored": the metric failed on it, and has no score there. "not in the file": langfuse (5.0.4) leaves such items out, and evalite (0.19) ends without a file, so that its suite does not ask it.',
  "Rows that are more than the examples are repeats: epochs, repetitions and trials of the same question. In lm-eval each of its two filters makes an example of its own.",
  `"chat" suites and LangSmith's tests ask in a conversation. In every run the agent's first turn differs (DeepEval, ragas) or the messages have new ids (Inspect, LangSmith); the runs share all examples anyway.`,
  "All of it runs without a network. Phoenix's file comes from a server of its own on loopback; `foundry` is what the Azure SDK makes of its results as items of an eval run.",
];

function cellsOf(line) {
  const { producer, file, rows, scores, errors, crashed, skipped, limits, shared, examples } = line;
  const [a, b, worse] = line.means.map((mean) => mean.toFixed(3));
  return [
    `${producer}${producer in SHAPES ? " (shape)" : ""}`,
    `\`${file}\``,
    rows,
    scores,
    errors,
    crashed,
    skipped ?? "not in this format",
    limits ?? "not in this format",
    `${shared} of ${examples}`,
    line.shuffled ? "other order" : "same order",
    `\`${line.metric}\`: ${a} and ${b} passes, ${a} and ${worse} fails`,
  ];
}

const listOf = (entries) =>
  Object.entries(entries)
    .map(([tool, why]) => `\`${tool}\`: ${why}.`)
    .join(" ");

/** The section, as lines. */
export function producersTable() {
  const { table } = JSON.parse(readFileSync(expected, "utf8"));
  const heads = [
    "tool and version",
    "file",
    "rows",
    "scores (mean of scored rows)",
    "errors",
    "crash",
    "skipped",
    "limits",
    "examples shared by two runs",
    "second run",
    "gate on two runs",
  ];
  return [
    "## Files of real tools",
    "",
    "Each tool ran the same small suite three times: 14 questions, one answered wrongly, one at which the agent crashes, one test skipped where the tool can skip. The second run asks in the other order; the third answers ten more questions wrongly. The figures below were found in the files by a reader that shares no code with this project; the tests hold `upload` and `gate` to them: the same rows, scores, errors and skips, the same examples in both runs, an unchanged run passes and the regression fails. `node scripts/producers/make.mjs` makes the files again.",
    "",
    `| ${heads.join(" | ")} |`,
    `|${heads.map(() => "---").join("|")}|`,
    ...table.map((line) => `| ${cellsOf(line).join(" | ")} |`),
    "",
    ...NOTES.map((note) => `- ${note}`),
    `- "(shape)": no tool wrote these files, a script of ours did, in the published shape. ${listOf(SHAPES)}`,
    `- Refused: ${listOf(REFUSED)}`,
    "",
  ];
}
