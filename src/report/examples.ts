import {
  code,
  cut,
  cutEnd,
  cutPair,
  inFence,
  LINE_CHARS,
  link,
  text,
  toSentence,
  toVisible,
} from "./escape.ts";
import { scoreName } from "./gate-numbers.ts";
import { fromTo } from "./numbers.ts";
import type { ListedRow, Report } from "./report.ts";
import { joinBlocks, renderDetails, renderList } from "./table.ts";
import type { Paint } from "./terminal-frame.ts";
import { fill } from "../filled-lines.ts";
import { groupBy } from "../model/group-by.ts";

/** Groups rows by example, in order of appearance: the worst first. */
export function toExamples(rows: readonly ListedRow[]) {
  const found = groupBy(rows, (row) => JSON.stringify([row.group, row.example ?? row.input]));
  return [...found.values()].map((members) => ({
    input: toSentence(members[0]!.input),
    /** `tone 0.95 → 0.5`, one per metric. */
    scores: members.map((row) => `${scoreName(row)} ${fromTo(row)}`),
    /** The row whose answers and trace are shown. */
    row: members[0]!,
    /** Comments of the judge, by metric. */
    comments: members.flatMap(({ metric, comment = "" }) =>
      toSentence(comment) === "" ? [] : [[metric, toSentence(comment)] as const],
    ),
  }));
}

/** An example with its changes in all scores. */
export type ChangedExample = ReturnType<typeof toExamples>[number];

/** The sign of a line: what was, what is now (never `+`, since it got worse), or neither. */
type Sign = "-" | "!" | " ";

/** The answers of a row, each in one line, from their first difference if they are long. */
interface Answers {
  /** What to say of answers that read the same, in front of the answer; otherwise empty. */
  readonly note: string;
  readonly lines: readonly (readonly [sign: Sign, words: string])[];
}

function answersOf(row: ListedRow, maxChars: number): Answers {
  const { base_output, expected, crashed } = row;
  const answer = toSentence(row.head_output);
  const shown = (words: string): string => cut(words, maxChars) || "(nothing)";
  if (base_output === undefined) {
    const lines = [
      [" ", "expected: ", toSentence(expected)],
      ["!", "answer: ", answer],
    ] as const;
    return {
      note: "",
      lines: lines.flatMap(([sign, name, words]) =>
        words === "" ? [] : [[sign, name + shown(words)] as const],
      ),
    };
  }
  const before = toSentence(base_output);
  if (before === answer) {
    const alike =
      crashed === true ? "both answered alike" : "both answered alike, only the score differs";
    // Both were cut where they are read.
    return {
      note: answer.endsWith("…") ? "both begin alike" : alike,
      lines: [[" ", shown(answer)]],
    };
  }
  const [was, is] = cutPair(before, answer, maxChars);
  return {
    note: "",
    lines: [
      ["-", shown(was)],
      ["!", shown(is)],
    ],
  };
}

const TITLE_CHARS = 80;
const TEXT_CHARS = 400;
const MAX_SCORES = 5;
const MAX_COMMENTS = 3;

/** `correctness 1 → 0 · tone 0.95 → 0.5` in Markdown. */
export function scoresCell({ scores }: ChangedExample, separator: string): string {
  const shown = scores.slice(0, MAX_SCORES).map((score) => text(score, 80));
  const more = scores.length - shown.length;
  return [...shown, ...(more > 0 ? [`${more} more`] : [])].join(separator);
}

/** An example in full: its scores, both answers, the judge's comments and its trace. */
export function renderExample(example: ChangedExample): string {
  const { input, row, comments } = example;
  const { note, lines } = answersOf(row, TEXT_CHARS);
  const wrapped = lines.flatMap(([sign, words]) =>
    fill(words.split(" "), " ", "", LINE_CHARS - 2)
      .split("\n")
      .map((line) => `${sign} ${line}`),
  );
  const remarks = [
    ...(row.crashed === true ? ["This row crashed."] : []),
    ...comments
      .slice(0, MAX_COMMENTS)
      .map(([metric, comment]) => `Judge on ${text(metric, 40)}: “${text(comment, 300)}”`),
    ...(row.rerun === undefined ? [] : [`Reproduce: ${code(row.rerun, TEXT_CHARS)}`]),
    ...(row.trace === undefined || row.trace === "" ? [] : [link("Trace", row.trace)]),
  ];
  return renderDetails(
    `❌ <b>“${text(cutEnd(input, TITLE_CHARS), TITLE_CHARS)}”</b> ${scoresCell(example, " · ")}`,
    joinBlocks([
      input.length > TITLE_CHARS ? `> ${text(input, TEXT_CHARS)}` : "",
      note === "" ? "" : `${note.charAt(0).toUpperCase()}${note.slice(1)}:`,
      wrapped.length === 0 ? "" : inFence("diff", wrapped),
      renderList(remarks),
    ]),
    true,
  );
}

const MAX_WORST = 3;
const WORST_TITLES = ["The worst example", "The two worst examples", "The three worst examples"];
const TERMINAL_CHARS = 160;

/** The worst examples for a terminal: those that got worse, and those beyond a missed limit. */
export function exampleLines(report: Report, paint: Paint): readonly string[] {
  const { rows_worse: worse, rows_missed: missed = [], row_counts: counts } = report;
  return [
    { rows: worse, count: counts.examples?.worse ?? 0, words: "" },
    { rows: missed, count: counts.missed ?? 0, words: " beyond the limit" },
  ].map(({ rows, count, words }) => {
    const examples = toExamples(rows);
    const shown = examples.slice(0, MAX_WORST);
    if (shown.length === 0) return "";
    const all = Math.max(examples.length, count);
    const of = all > shown.length ? ` (of ${all}${words})` : "";
    return [
      `${WORST_TITLES[shown.length - 1]!}${of}:`,
      ...shown.flatMap((one) => terminalLines(one, paint)),
    ].join("\n");
  });
}

const STYLES = { "-": "dim", "!": "red", " ": "dim" } as const;

function terminalLines({ input, scores, row, comments }: ChangedExample, paint: Paint): string[] {
  const { note, lines } = answersOf(row, TERMINAL_CHARS);
  const said = note === "" ? "" : `${note}: `;
  return [
    `    “${cut(input, TITLE_CHARS)}” ${scores.map(toVisible).join(" · ")}`,
    ...lines.map(([sign, words]) =>
      paint(STYLES[sign], sign === " " ? `${said}${words}` : `${sign} ${words}`),
    ),
    ...(row.crashed === true ? [paint("red", "! this row crashed")] : []),
    ...comments
      .slice(0, 1)
      .map(([metric, said]) => `judge on ${toVisible(metric)}: ${cut(said, TERMINAL_CHARS)}`),
    ...(row.rerun === undefined ? [] : [`reproduce: ${toVisible(row.rerun)}`]),
    ...(row.trace === undefined || row.trace === "" ? [] : [toVisible(row.trace)]),
  ].map((line, at) => (at === 0 ? line : `      ${line}`));
}
