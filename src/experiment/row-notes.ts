import type { RowPlace } from "./input/row.ts";

/** A metric that rows give more than one number for: where first, and in how many rows. */
interface Repeated {
  readonly first: RowPlace;
  rows: number;
}

/** What was done to rows on the way, counted: said once each, as warnings, when the file has been read. */
export interface RowNotes {
  /** Scores that are no number and no word, by metric. */
  readonly unscored: Map<string, number>;
  wrapped: number;
  withoutTime: number;
  withoutDuration: number;
  notFinite: number;
  unsafeIntegers: number;
  untypedConfigs: number;
  readonly longKeys: Set<string>;
  readonly unknownFields: Set<string>;
  readonly unreadNumbers: Set<string>;
  /** Scores that are words, by metric. */
  readonly words: Map<string, number>;
  /** Metrics that a row has more than one number for. */
  readonly repeated: Map<string, Repeated>;
}

/** Nothing counted yet. */
export function createRowNotes(): RowNotes {
  return {
    unscored: new Map(),
    wrapped: 0,
    withoutTime: 0,
    withoutDuration: 0,
    notFinite: 0,
    unsafeIntegers: 0,
    untypedConfigs: 0,
    longKeys: createBoundedSet(),
    unknownFields: createBoundedSet(),
    unreadNumbers: createBoundedSet(),
    words: new Map(),
    repeated: new Map(),
  };
}

const MOST_WORDED = 1000;
const MOST_LISTED = 20;

/** Counts a score without a number: it is a word, or missing. */
export function noteScore(counts: RowNotes["words"], key: string): void {
  const seen = counts.get(key);
  if (seen !== undefined || counts.size < MOST_WORDED) counts.set(key, (seen ?? 0) + 1);
}

/** Counts a row for every metric that it has more than one number for. */
export function noteRepeats(
  { repeated }: RowNotes,
  scores: readonly { readonly key: string; readonly score?: number | undefined }[],
  place: RowPlace,
): void {
  if (scores.length < 2) return;
  const [seen, twice] = [new Set<string>(), new Set<string>()];
  for (const { key, score } of scores)
    if (score !== undefined) (seen.has(key) ? twice : seen).add(key);
  for (const key of twice) {
    const known = repeated.get(key);
    if (known !== undefined) known.rows += 1;
    else if (repeated.size < MOST_WORDED) repeated.set(key, { first: place, rows: 1 });
  }
}

/** Two numbers under one name may be two annotators of one thing, or two evaluators that somebody called the same. */
function sayRepeats(repeated: RowNotes["repeated"]): string {
  const shown = [...repeated].slice(0, MOST_LISTED).map(([key, { first, rows: count }]) => {
    const where = `row ${first.index + 1} of ${first.file}`;
    return `${key.slice(0, 60)} (${count === 1 ? where : `${count} rows, the first is ${where}`})`;
  });
  const more = repeated.size - shown.length;
  return `scores that stand more than once in a row count there as their mean: ${[...shown, ...(more > 0 ? [`${more} more`] : [])].join(", ")}; give two evaluators two names`;
}

/** A file can hold a million different names; twenty say enough. */
function createBoundedSet(): Set<string> {
  const names = new Set<string>();
  const add = names.add.bind(names);
  names.add = (name) => (names.size < 20 ? add(name) : names);
  return names;
}

const rows = (count: number): string => (count === 1 ? "1 row" : `${count} rows`);

function listWords(words: readonly (readonly [string, number])[]): string {
  const listed = words.slice(0, MOST_LISTED);
  const shown = listed.map(([key, count]) => `${count} of ${key.slice(0, 60)}`);
  return shown
    .concat(words.length > MOST_LISTED ? [`${words.length - MOST_LISTED} more`] : [])
    .join(", ");
}

/** The warnings, one sentence each; `worded` counts the rows that say in words what others give a number. */
export function renderRowNotes(
  notes: RowNotes,
  worded: readonly (readonly [string, number])[] = [],
): string[] {
  const lines: string[] = [];
  const unscored = [...notes.unscored.values()].reduce((sum, count) => sum + count, 0);
  if (unscored > 0)
    lines.push(
      `${unscored === 1 ? "1 score is" : `${unscored} scores are`} missing, NaN or infinite (${listWords([...notes.unscored])}): unscored, not sent, in no mean`,
    );
  if (notes.withoutTime > 0)
    lines.push(`${rows(notes.withoutTime)} without a time: the file's own time is the start`);
  if (notes.withoutDuration > 0)
    lines.push(
      `${rows(notes.withoutDuration)} without a duration: the end is the start, so the latency shown is 0`,
    );
  if (notes.wrapped > 0)
    lines.push(
      `${notes.wrapped === 1 ? "1 value is" : `${notes.wrapped} values are`} no object where the service wants one: wrapped as {"input": …}, {"output": …} or {"value": …}`,
    );
  if (notes.notFinite > 0)
    lines.push(
      `${notes.notFinite === 1 ? "1 number" : `${notes.notFinite} numbers`} outside of scores that JSON cannot hold (NaN, Infinity, 1e400) became null`,
    );
  if (notes.unsafeIntegers > 0)
    lines.push(
      `${notes.unsafeIntegers === 1 ? "1 integer is" : `${notes.unsafeIntegers} integers are`} beyond 2^53 and sent rounded; write them as text`,
    );
  if (notes.untypedConfigs > 0)
    lines.push("a feedback_config has no type; the hosted service requires one");
  for (const key of notes.longKeys)
    lines.push(
      `feedback key "${key}…" is longer than 180 characters, which the hosted service refuses`,
    );
  for (const name of notes.unknownFields) lines.push(`there is no field ${name}; it is not sent`);
  if (notes.words.size > 0)
    lines.push(
      `scores that are words, not numbers: ${listWords([...notes.words])}; no gate can judge these (a mapping turns words into numbers)`,
    );
  const worth = worded.filter(([key]) => !notes.words.has(key));
  if (worth.length > 0)
    lines.push(
      `a value without a score, where other rows have one: ${listWords(worth)}; no gate can judge these`,
    );
  if (notes.repeated.size > 0) lines.push(sayRepeats(notes.repeated));
  if (notes.unreadNumbers.size > 0)
    lines.push(
      `numbers not read: ${[...notes.unreadNumbers].join(", ")} (a mapping can name them as scores)`,
    );
  return lines;
}
