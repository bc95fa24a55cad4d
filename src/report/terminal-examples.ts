import { alikeWords } from "./answer-diff.ts";
import { cut, cutPair, toSentence, toVisible } from "./escape.ts";
import { toExamples } from "./example-list.ts";
import { scoreName } from "./gate-numbers.ts";
import { fromTo } from "./numbers.ts";
import type { ListedRow, Report } from "./report.ts";
import type { Paint, Style } from "./terminal-frame.ts";

const MAX_WORST = 3;
const WORST_TITLES = ["The worst example", "The two worst examples", "The three worst examples"];
const ANSWER_CHARS = 160;

/**
 * Both answers from their first difference; if they are equal, that only the score changed. Without
 * the baseline's answer, the expected one.
 */
function answerWords(row: ListedRow, paint: Paint): string[] {
  const { base_output, head_output, expected, crashed } = row;
  const line = (style: Style, sign: string, words: string): string =>
    `      ${paint(style, `${sign} ${cut(words, ANSWER_CHARS) || "(nothing)"}`)}`;
  const ending = crashed === true ? [line("red", "!", "this row crashed")] : [];
  const after = toSentence(head_output);
  if (base_output === undefined) {
    const wanted = toSentence(expected);
    return [
      ...(wanted === "" ? [] : [line("dim", "expected:", wanted)]),
      ...(after === "" ? [] : [line("red", "answer:", after)]),
      ...ending,
    ];
  }
  const alike = alikeWords(row);
  if (alike !== "") return [line("dim", `${alike}:`, after), ...ending];
  const [was, is] = cutPair(toSentence(base_output), after, ANSWER_CHARS);
  return [line("dim", "-", was), line("red", "!", is), ...ending];
}

/** The examples that got worse, and those beyond a limit that was missed without a baseline. */
export function exampleLines(report: Report, paint: Paint): readonly string[] {
  const { rows_worse: worse, rows_missed: missed = [], row_counts: counts } = report;
  return [
    worstLines(worse, counts.examples?.worse ?? 0, "", paint),
    worstLines(missed, counts.missed ?? 0, " beyond the limit", paint),
  ].map((lines) => lines.join("\n"));
}

/** The first examples, each once with all its scores and answers; `count`: of how many, if not all are listed. */
function worstLines(
  rows: readonly ListedRow[],
  count: number,
  words: string,
  paint: Paint,
): string[] {
  const examples = toExamples(rows);
  const shown = examples.slice(0, MAX_WORST);
  if (shown.length === 0) return [];
  const all = Math.max(examples.length, count);
  const title = WORST_TITLES[shown.length - 1]!;
  const blocks = shown.flatMap(({ input, rows }) => {
    const [first] = rows;
    const scores = rows.map((row) => `${toVisible(scoreName(row))} ${fromTo(row)}`).join(" · ");
    const comments = rows.filter(({ comment }) => toSentence(comment ?? "") !== "").slice(0, 1);
    return [
      `    “${cut(toSentence(input), 80)}” ${scores}`,
      ...(first === undefined ? [] : answerWords(first, paint)),
      ...comments.map(
        ({ metric, comment }) =>
          `      judge on ${toVisible(metric)}: ${cut(toSentence(comment!), ANSWER_CHARS)}`,
      ),
      ...(first?.trace === undefined || first.trace === ""
        ? []
        : [`      ${toVisible(first.trace)}`]),
    ];
  });
  return [`${title}${all > shown.length ? ` (of ${all}${words})` : ""}:`, ...blocks];
}
