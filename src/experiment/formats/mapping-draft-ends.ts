import { isObject } from "../../model/json.ts";
import { type Column, hasRole, wordsOf } from "./mapping-draft-columns.ts";
import { pathOf } from "./mapping-draft-lines.ts";
import { isThere } from "./pick.ts";
import { scoreKeyOf } from "./row-lists.ts";
import { meantBy, type Meant } from "./verdict-words.ts";

/** Whether a cell says that a row failed. */
export const isFailure = (cell: unknown): boolean =>
  cell === false || cell === 0 || cell === "0" || (typeof cell === "string" && meantBy(cell) === 0);

const isCrash = (cell: unknown): boolean => typeof cell === "string" && meantBy(cell) === "crash";

/** The marks in a cell: the cell itself, or those of its list of scores. */
function marksIn(cell: unknown): unknown[] {
  if (typeof cell !== "object" || cell === null) return [cell];
  return Object.values(cell).flatMap((item) => (isObject(item) ? [item[scoreKeyOf(item)]] : []));
}

/** How a row ended: `open` where nothing judges it. */
export type RowEnd = "good" | "bad" | "open";

/** How each row ended, by the columns that judge rows. */
export function rowEnds(judging: readonly Column[], rows: number): RowEnd[] {
  return Array.from({ length: rows }, (_, n) => {
    const cells = judging.map((column) => column.cells[n]).filter(isThere);
    if (cells.length === 0 && judging.length > 0) return "open";
    return cells.flatMap(marksIn).some((mark) => isFailure(mark) || isCrash(mark)) ? "bad" : "good";
  });
}

/** Positions of the rows that have a column. */
const filledIn = ({ cells }: Column): number[] =>
  cells.flatMap((cell, n) => (isThere(cell) ? [n] : []));

/**
 * Whether only rows that failed or crashed have a column: it describes the failure. One row may
 * simply lack its input, but not its message.
 */
export function isOfFailures(column: Column, ends: readonly RowEnd[]): boolean {
  const at = filledIn(column);
  const says = isMessage(column);
  const isBad = (n: number): boolean => ends[n] === "bad" || (ends[n] === "open" && says);
  return at.length > 0 && ends.length - at.length > (says ? 0 : 1) && at.every(isBad);
}

/** What a test said of its end, unless it is what somebody wrote to the agent. */
export const isMessage = ({ name }: Column): boolean => /^(?:message|msg)$/i.test(name.trim());

const namesOf = (columns: readonly Column[], rows: readonly number[]): ReadonlySet<string> =>
  new Set(rows.map((n) => JSON.stringify(columns.map(({ cells }) => cells[n] ?? ""))));

/**
 * Whether a message or transcript is the input rather than what came of it. Next to other inputs a
 * message must distinguish rows that ended well, and a transcript must be of one question.
 */
export function isAsked(
  column: Column,
  inputs: readonly Column[],
  ends: readonly RowEnd[],
): boolean {
  const others = inputs.filter((one) => !isMessage(one) && !isTranscript(one));
  if (others.length === 0) return true;
  if (isTranscript(column)) return namesOf(others, [...ends.keys()]).size < 2;
  const good = [...ends.keys()].filter((n) => ends[n] === "good");
  return !isMessage(column) || namesOf(others, good).size < namesOf(inputs, good).size;
}

/** What an agent and its user wrote, or a text to work on. */
export const isTranscript = ({ name }: Column): boolean => /^transcript$/i.test(name.trim());

/** Words of a column with a meaning. */
export const wordsFor = (column: Column, meaning: Meant): string[] =>
  [...wordsOf(column)].filter((word) => meantBy(word) === meaning);

/** How the rows of a draft end, apart from their scores. */
export interface Ends {
  /** The source of `error`; undefined if nothing says which rows crashed. */
  readonly error: unknown;
  /** A metric that says which rows were skipped. */
  readonly skipped: Column | undefined;
  /** A text on rows that failed and were judged anyway. */
  readonly comment: Column | undefined;
}

interface Judged {
  readonly error: Column | undefined;
  readonly metrics: readonly Column[];
  readonly left: readonly Column[];
  readonly lists: readonly Column[];
}

/** Sources for crashes (a text that describes an error, or a word of the status) and for skipped rows. */
export function endsOf({ error, metrics, left, lists }: Judged, mayFail: boolean): Ends {
  const ended =
    [...metrics, ...left].find((column) => wordsFor(column, "crash").length > 0) ??
    metrics.find(mayCrash);
  const isComment = error !== undefined && isReason(error, { ended, metrics, lists });
  const text = error === undefined || isComment ? undefined : pathOf(error);
  const word = ended && { column: ended.path, when: crashWords(ended) };
  return {
    error: text ?? word ?? (mayFail ? "error_message?" : undefined),
    skipped: metrics.find((column) => wordsFor(column, "skipped").length > 0),
    comment: isComment ? error : undefined,
  };
}

/** Whether a column says how tests ended: that of a later run may say that one crashed. */
const mayCrash = (column: Column): boolean =>
  /^(?:status|outcome)$/i.test(column.name) && wordsFor(column, 1).length > 0;

/** The words for a crash; that of most test runners where no row has crashed yet. */
function crashWords(column: Column): string[] {
  const found = wordsFor(column, "crash");
  return found.length > 0 ? found : ["error"];
}

const CRASH =
  /^(?!Assert)\w*(?:Error|Exception|Timeout)\b|traceback|rate.?limit|timed? ?out|\b(?:429|50\d)\b/i;

/** Whether a text is the reason of rows that were judged: they did not crash. */
function isReason(
  error: Column,
  {
    ended,
    metrics,
    lists,
  }: Omit<Judged, "error" | "left"> & { readonly ended: Column | undefined },
): boolean {
  const at = filledIn(error);
  const isCrashed = (n: number): boolean => isCrash(ended?.cells[n]);
  const judging = [...metrics, ...lists];
  const isScored = (n: number): boolean => judging.some(({ cells }) => isThere(cells[n]));
  // A test may say something of its end wherever it was judged.
  if (!hasRole(error, "ERROR"))
    return at.some((n) => !isCrashed(n) && isScored(n)) || judging.length === 0;
  const isJudged = (n: number): boolean => metrics.some(({ cells }) => isFailure(cells[n]));
  const others = at.filter((n) => !isCrashed(n));
  if (others.length === 0 || !others.every(isJudged)) return false;
  // Where a word says which rows crashed, the other rows did not.
  return others.length < at.length || !at.every((n) => CRASH.test(String(error.cells[n])));
}
