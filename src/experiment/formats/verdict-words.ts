import { isMissing } from "../input/scored.ts";

/** The meaning of a word; `crash` is no verdict: the run ended before there was one. */
export type Meant = number | "missing" | "crash" | "skipped";

const MEANT: readonly (readonly [meant: Meant, words: RegExp])[] = [
  [
    1,
    /^(?:true|pass(?:ed|es)?|yes|y|correct|success(?:ful)?|succeeded|ok|okay|good|right|match(?:ed|es)?|resolved|solved|valid|safe|accept(?:ed)?|approved|completed?|✅|✔️?|✓|👍)$/iu,
  ],
  [
    0,
    /^(?:false|fail(?:s|ed|ure)?|no|n|incorrect|unsuccessful|wrong|bad|mismatch(?:ed)?|unresolved|unsolved|invalid|unsafe|reject(?:ed)?|not[_ ]attempted|incomplete|❌|✘|✗|👎)$/iu,
  ],
  [0.5, /^(?:partial(?:ly)?|partial(?:ly)?[_ ](?:correct|pass(?:ed)?|match))$/iu],
  ["crash", /^(?:error(?:ed)?|crash(?:ed)?|exception|time(?:d[_ ])?out|aborted|cancell?ed)$/iu],
  ["skipped", /^(?:skip(?:ped)?|todo|pending|disabled|not[_ ]?run)$/iu],
];

/** Words that are written for the two ends of one verdict, the good one first. */
const PAIRS: readonly (readonly [good: string, bad: string])[] = [
  ["passed", "failed"],
  ["pass", "fail"],
  ["passes", "fails"],
  ["yes", "no"],
  ["y", "n"],
  ["correct", "incorrect"],
  ["success", "failure"],
  ["successful", "unsuccessful"],
  ["succeeded", "failed"],
  ["good", "bad"],
  ["right", "wrong"],
  ["match", "mismatch"],
  ["resolved", "unresolved"],
  ["solved", "unsolved"],
  ["valid", "invalid"],
  ["safe", "unsafe"],
  ["accept", "reject"],
  ["accepted", "rejected"],
  ["complete", "incomplete"],
  ["✅", "❌"],
  ["✓", "✗"],
  ["✔", "✘"],
  ["👍", "👎"],
];

/** The word for the other end of a verdict; undefined if a word has none of its own. */
export function oppositeOf(word: string): string | undefined {
  const lower = word.trim().toLowerCase();
  const pair = PAIRS.find((words) => words.includes(lower));
  return pair?.find((one) => one !== lower);
}

/** What a word means; undefined if it is no word of a verdict. */
export function meantBy(text: string): Meant | undefined {
  const word = text.trim();
  if (isMissing(word) || /^(?:-+|—|not applicable|unknown)$/iu.test(word)) return "missing";
  return MEANT.find(([, words]) => words.test(word))?.[0];
}

/** More words are a text rather than a verdict; a bound by feel. */
const MAX_WORDS = 12;

/**
 * The words of a column that mean nothing known, where others pass or fail; else none. A letter,
 * such as y, may be a name.
 */
export function unknownAmong(words: ReadonlySet<string>): string[] {
  const isVerdict = [...words].some(
    (word) => typeof meantBy(word) === "number" && word.trim().length > 1,
  );
  return isVerdict && words.size <= MAX_WORDS
    ? [...words].filter((word) => meantBy(word) === undefined)
    : [];
}

/** Whether all words of a column are verdicts, and at least one passes or fails. */
export function areVerdicts(words: ReadonlySet<string>): boolean {
  const meant = [...words].map(meantBy);
  return (
    words.size <= MAX_WORDS &&
    !meant.includes(undefined) &&
    meant.some((one) => typeof one === "number")
  );
}
