import { cutEnd, LINE_CHARS, toSentence } from "./escape.ts";
import type { ListedRow } from "./report.ts";
import { fill } from "./wrap.ts";

const ANSWER_CHARS = 400;
/** Longer answers are compared as a whole, since the table of pairs grows with the square. */
const MAX_SENTENCES = 60;

/** The sign for the current answer: it got worse, so none of its lines may look like a gain. */
const NOW = "!";

/** What to say of two answers that read the same, in front of the answer; empty if they differ or there is only one. */
export function alikeWords({
  base_output,
  head_output,
  crashed,
}: Pick<ListedRow, "base_output" | "head_output" | "crashed">): string {
  const answer = toSentence(head_output);
  if (base_output === undefined || toSentence(base_output) !== answer) return "";
  if (answer.endsWith("…")) return "both begin alike";
  return crashed === true ? "both answered alike" : "both answered alike, only the score differs";
}

/** Two answers compared sentence by sentence, as narrow diff lines; shared sentences are context. */
export function answerDiff(before: string, after: string): readonly string[] {
  const [was, is] = [toSentences(before), toSentences(after)];
  if (was.length === 0 && is.length === 0) return marked(" ", ["(nothing)"]);
  if (was.length === 0 || is.length === 0)
    return [
      ...marked("-", was.length === 0 ? ["(nothing)"] : was),
      ...marked(NOW, is.length === 0 ? ["(nothing)"] : is),
    ];
  const shared = was.length * is.length > MAX_SENTENCES ** 2 ? [] : longestShared(was, is);
  const lines: string[] = [];
  let [i, j] = [0, 0];
  for (const [left, right] of [...shared, [was.length, is.length] as const]) {
    lines.push(...marked("-", was.slice(i, left)), ...marked(NOW, is.slice(j, right)));
    if (left < was.length) lines.push(...marked(" ", [was[left]!]));
    [i, j] = [left + 1, right + 1];
  }
  return cutLines(lines);
}

/** An answer without a counterpart, with the expected one. */
export function answerLines(expected: string, answer: string): readonly string[] {
  return [
    ...(expected === "" ? [] : cutLines(marked(" ", [toSentence(`expected: ${expected}`)]))),
    ...(toSentence(answer) === "" ? [] : cutLines(marked(NOW, [toSentence(answer)]))),
  ];
}

/** Cuts both answers to what a reader can take in. */
function cutLines(lines: readonly string[]): readonly string[] {
  const left = { "-": ANSWER_CHARS, [NOW]: ANSWER_CHARS, " ": ANSWER_CHARS };
  const kept: string[] = [];
  for (const line of lines) {
    const sign = line[0] as keyof typeof left;
    if (left[sign] <= 0) continue;
    kept.push(line.length - 2 > left[sign] ? `${sign} ${cutEnd(line.slice(2), left[sign])}` : line);
    left[sign] -= line.length - 2;
    if (left[sign] <= 0) kept.push(`${sign} …`);
  }
  return kept;
}

function toSentences(answer: string): readonly string[] {
  return answer
    .split(/(?<=[.!?])\s+|[\r\n\u0085\u2028\u2029]+/)
    .map(toSentence)
    .filter((sentence) => sentence !== "");
}

function marked(sign: string, sentences: readonly string[]): readonly string[] {
  return sentences.flatMap((sentence) => {
    const wrapped = fill(sentence.split(" "), " ", "", LINE_CHARS - 2);
    return wrapped.split("\n").map((line) => `${sign} ${line}`);
  });
}

/** Positions of the longest common subsequence of two lists. */
function longestShared(
  was: readonly string[],
  is: readonly string[],
): readonly (readonly [number, number])[] {
  const width = is.length + 1;
  const lengths = new Uint16Array((was.length + 1) * width);
  for (let i = was.length - 1; i >= 0; i--)
    for (let j = is.length - 1; j >= 0; j--)
      lengths[i * width + j] =
        was[i] === is[j]
          ? lengths[(i + 1) * width + j + 1]! + 1
          : Math.max(lengths[(i + 1) * width + j]!, lengths[i * width + j + 1]!);
  const pairs: (readonly [number, number])[] = [];
  let [i, j] = [0, 0];
  while (i < was.length && j < is.length) {
    if (was[i] === is[j]) pairs.push([i++, j++]);
    else if (lengths[(i + 1) * width + j]! >= lengths[i * width + j + 1]!) i++;
    else j++;
  }
  return pairs;
}
