import { alikeWords, answerDiff, answerLines } from "./answer-diff.ts";
import { cutEnd, inFence, link, text, toSentence } from "./escape.ts";
import { scoreName } from "./gate-numbers.ts";
import { fromTo } from "./numbers.ts";
import type { ListedRow } from "./report.ts";
import { joinBlocks, renderDetails, renderList } from "./table.ts";

/** An example with all its changes. */
interface ChangedExample {
  readonly rows: readonly ListedRow[];
  readonly input: string;
}

/** Groups rows by example, in order of appearance: the worst first. */
export function toExamples(rows: readonly ListedRow[]): readonly ChangedExample[] {
  const found = new Map<string, ListedRow[]>();
  for (const row of rows) {
    const key = JSON.stringify([row.group, row.example ?? row.input]);
    const members = found.get(key);
    if (members === undefined) found.set(key, [row]);
    else members.push(row);
  }
  return [...found.values()].map((members) => ({ rows: members, input: members[0]!.input }));
}

const TITLE_CHARS = 80;
const INPUT_CHARS = 400;

/** Examples in full, each with its scores, both answers, the judge's comments and its trace. */
export function renderExamples(examples: readonly ChangedExample[]): string {
  return joinBlocks(
    examples.map((example) => {
      const input = toSentence(example.input);
      const title = `❌ <b>“${text(cutEnd(input, TITLE_CHARS), TITLE_CHARS)}”</b>`;
      return renderDetails(
        `${title} ${scoreWords(example)}`,
        joinBlocks([
          input.length > TITLE_CHARS ? `> ${text(input, INPUT_CHARS)}` : "",
          renderAnswers(example),
        ]),
        true,
      );
    }),
  );
}

const MAX_SCORES = 5;

/** `correctness 1 → 0 · tone 0.95 → 0.5`. */
function scoreWords({ rows }: ChangedExample): string {
  const shown = rows
    .slice(0, MAX_SCORES)
    .map((row) => `${text(scoreName(row), 40)} ${fromTo(row)}`);
  const more = rows.length > shown.length ? [`${rows.length - shown.length} more`] : [];
  return [...shown, ...more].join(" · ");
}

/** Both answers as a diff, or that they are alike, then one line per comment of the judge, and the trace. */
function renderAnswers({ rows }: ChangedExample): string {
  const [first] = rows as readonly [ListedRow];
  const answers =
    first.base_output === undefined
      ? answerLines(first.expected, first.head_output)
      : answerDiff(first.base_output, first.head_output);
  const said = rows
    .filter(({ comment }) => toSentence(comment ?? "") !== "")
    .slice(0, 3)
    .map(({ metric, comment }) => `Judge on ${text(metric, 40)}: “${text(comment!, 300)}”`);
  const trace = first.trace === undefined || first.trace === "" ? [] : [link("Trace", first.trace)];
  const ending = first.crashed === true ? ["This row crashed."] : [];
  const notes = [...ending, ...said, ...trace];
  const alike = alikeWords(first);
  return joinBlocks([
    alike === "" ? "" : `${alike[0]!.toUpperCase()}${alike.slice(1)}:`,
    answers.length === 0 ? "" : inFence("diff", answers),
    renderList(notes, (line) => line, 5),
  ]);
}
