import type { WordedMetric } from "../gate/row.ts";
import type { Diagnostic } from "../spec/desired.ts";
import { toNormalRow, type NormalRow } from "./normal-row.ts";
import { diagnosticAt, refusal, type DiagnosticError } from "./diagnostic.ts";
import type { RowTexts } from "./formats/format.ts";
import type { GateRows } from "./gate-rows.ts";
import { createIdentities, repeatedId, rowProblem, type Writing } from "./row-identities.ts";
import { createRowNotes, noteRepeats, renderRowNotes, type RowNotes } from "./row-notes.ts";
import { createRowScan, type PlainRow } from "./row-scan.ts";
import type { ReadRow, Row } from "./row.ts";
import { createMeans, type ScoreMeans } from "./score-means.ts";
import { instantAt, parseInstant, type Instant } from "./timestamp.ts";

/** What the first pass over an experiment's rows found: all that the second needs, in a few bytes a row. */
export interface IndexPass extends Omit<ScoreMeans, "worded"> {
  readonly rows: number;
  readonly errors: number;
  /** Rows that have a score in numbers; words alone are none, since nothing can be counted or judged by them. */
  readonly scored: number;
  /** Rows whose scores are words alone. */
  readonly worded: number;
  readonly window: { readonly start: Instant; readonly end: Instant };
  /** Rows that say a metric in words and give it no number, by metric; rows that failed are not counted. */
  readonly words: Readonly<Record<string, WordedMetric>>;
  /** Metrics that the rows name and give no number at all. */
  readonly unscored: readonly string[];
  readonly warnings: readonly string[];
  readonly problems: readonly Diagnostic[];
  /** sha256 over the set of examples, whatever their order and repeats. */
  readonly fingerprint: string;
  /** The n-th row of this experiment, made right; in the order of the first pass. */
  readonly toRow: (read: ReadRow, n: number) => Row;
  /**
   * Whether the n-th row's own text is sent: as it stands, behind an id of ours, or not at all
   * because the row is written anew.
   */
  readonly writing: (n: number) => Writing;
  /** Writes the n-th row's id as the text of a UUID, 36 bytes. */
  readonly writeId: (n: number, into: Uint8Array, offset: number) => void;
  /** Bytes that are kept for the rows. */
  readonly bytes: number;
  /** Rows outside a window that was given, found only by looking at every row again. */
  readonly outside: ((read: ReadRow, n: number) => Diagnostic[]) | null;
}

/** The first pass: takes every row of one experiment in order, then tells what it saw. */
export interface Indexer {
  readonly add: (read: ReadRow) => void;
  /** The same for a row of the document's own format: most are only looked at, and not parsed. */
  readonly addText: (batch: RowTexts, n: number) => void;
  /** `window` holds what the file or the user fixed; `fileTime` is where rows without a time start. */
  readonly finish: (given: GivenTimes) => IndexPass;
}

/** Times that hold for the whole file: `fileTime` is what rows without one of their own start at. */
export interface GivenTimes {
  readonly start: Instant | null;
  readonly end: Instant | null;
  readonly fileTime: Instant;
}

/** Beyond this many violations the rest is only counted. */
const MAX_PROBLEMS = 10_000;

/** What the rows so far have in common; times in microseconds. */
interface Tally {
  rows: number;
  errors: number;
  scored: number;
  worded: number;
  minUs: number;
  maxUs: number;
  untimed: number;
  maxUntimedUs: number;
}

function createTally(): Tally {
  return {
    rows: 0,
    errors: 0,
    scored: 0,
    worded: 0,
    minUs: Infinity,
    maxUs: -Infinity,
    untimed: 0,
    maxUntimedUs: 0,
  };
}

/** Makes the first pass for one experiment. */
export function createIndexer(strict: boolean, gateRows: GateRows | null = null): Indexer {
  const notes = createRowNotes();
  const problems = createProblemList();
  const identity = createIdentities(problems.add);
  const means = createMeans();
  const { scan, row, repeatId } = createRowScan();
  const tally = createTally();
  const add = (read: ReadRow): void => {
    const normal = toNormalRow(read, {
      strict,
      addDiagnostic: (path, message) => problems.add(rowProblem(read, path, message)),
      notes,
    });
    const example = identity.add(read, normal);
    gateRows?.add(normal, example, read.part);
    if (gateRows?.isTooLarge() === true) throw tooLarge(read);
    means.add(normal.content.evaluation_scores ?? [], normal.content.error !== undefined);
    noteRow(notes, normal, read.place);
    countRow(tally, normal);
  };
  const addText = (batch: RowTexts, n: number): void => {
    if (!scan(batch.texts[n]!.bytes)) {
      add(batch.read(n));
      return;
    }
    const owner = identity.addPlain(row, repeatId);
    if (owner > 0) problems.add(repeatedId(batch.read(n), row.givenId!, owner));
    means.addPlain(row);
    countPlainRow(tally, row);
    gateRows?.addPlain(row, batch, n);
    if (gateRows?.isTooLarge() === true) throw tooLarge(batch.read(n));
  };
  const finish = (given: GivenTimes): IndexPass => {
    const { base, window } = layOut(tally, given);
    if (window.end.us < window.start.us && given.start !== null && given.end !== null)
      problems.add(END_BEFORE_START);
    const toRow = (read: ReadRow, n: number): Row =>
      identity.finish(
        read,
        toNormalRow(read, { strict, addDiagnostic: () => undefined, notes: createRowNotes() }),
        n,
        { base, windowStart: window.start, givenEnd: given.end },
      );
    const outside = (read: ReadRow, n: number): Diagnostic[] =>
      windowProblems(read, toRow(read, n), window);
    const bytes = identity.bytes();
    const fingerprint = identity.fingerprint();
    const { scores, sent, worded } = means.finish();
    return {
      rows: tally.rows,
      errors: tally.errors,
      scored: tally.scored,
      worded: tally.worded,
      window,
      toRow,
      ...tellWords(worded, notes, sent),
      unscored: [...notes.unscored.keys()].filter((key) => !Object.hasOwn(sent, key)),
      problems: problems.list(),
      scores,
      sent,
      fingerprint,
      writing: identity.writing,
      writeId: identity.writeId,
      bytes,
      outside: mayBeOutside(tally, given, window) ? outside : null,
    };
  };
  return { add, addText, finish };
}

/** What is told of rows as they are, once for all of them. */
function noteRow(
  notes: RowNotes,
  { content, start, end, durationUs }: NormalRow,
  place: ReadRow["place"],
): void {
  noteRepeats(notes, content.evaluation_scores ?? [], place);
  if (durationUs === null) notes.withoutDuration += 1;
  if (start === null && end === null) notes.withoutTime += 1;
}

/** What gates and readers are told of metrics that some rows give words for. */
function tellWords(
  worded: ScoreMeans["worded"],
  notes: RowNotes,
  sent: ScoreMeans["sent"],
): Pick<IndexPass, "words" | "warnings"> {
  const beside = [...worded].filter(([key]) => Object.hasOwn(sent, key));
  const words = [...worded].map(
    ([key, rows]) => [key, { rows, mappable: notes.words.has(key) }] as const,
  );
  return { words: Object.fromEntries(words), warnings: renderRowNotes(notes, beside) };
}

function countPlainRow(tally: Tally, row: PlainRow): void {
  tally.rows += 1;
  if (row.failed) tally.errors += 1;
  if (row.scores.count > 0) tally.scored += 1;
  else if (row.worded.length > 0) tally.worded += 1;
  if (row.startUs < tally.minUs) tally.minUs = row.startUs;
  if (row.endUs > tally.maxUs) tally.maxUs = row.endUs;
}

function countRow(tally: Tally, { content, start, end, durationUs }: NormalRow): void {
  tally.rows += 1;
  if (content.error !== undefined) tally.errors += 1;
  const scores = content.evaluation_scores ?? [];
  if (scores.some(({ score }) => score !== undefined)) tally.scored += 1;
  else if (scores.some(({ value }) => value !== undefined)) tally.worded += 1;
  const known = start ?? end;
  if (known === null) {
    tally.untimed += 1;
    tally.maxUntimedUs = Math.max(tally.maxUntimedUs, durationUs ?? 0);
    return;
  }
  tally.minUs = Math.min(tally.minUs, known.us);
  tally.maxUs = Math.max(tally.maxUs, (end ?? known).us);
}

/** Nearly always a metric's name that holds an id, so that every row adds metrics of its own. */
function tooLarge({ place }: ReadRow): DiagnosticError {
  return refusal(
    { file: place.file, line: place.line },
    `by row ${place.index + 1} the file names more metrics than a gate can hold for as many rows; ` +
      "give a metric the same name on every row, without an id in it",
  );
}

const END_BEFORE_START = diagnosticAt(
  { file: "", path: "experiment_end_time" },
  "experiment_end_time is before experiment_start_time",
);

/** Where rows without a time start, and the window around all rows. */
function layOut(
  tally: Tally,
  given: GivenTimes,
): { readonly base: Instant; readonly window: IndexPass["window"] } {
  const base = clampBase(given);
  if (tally.untimed > 0 || tally.rows === 0) {
    const untimedEndUs = given.end === null ? base.us + tally.maxUntimedUs : -Infinity;
    tally.minUs = Math.min(tally.minUs, base.us);
    tally.maxUs = Math.max(tally.maxUs, base.us, untimedEndUs);
  }
  const window = {
    start: given.start ?? instantAt(tally.minUs),
    end: given.end ?? instantAt(tally.maxUs),
  };
  return { base, window };
}

function mayBeOutside(
  { minUs, maxUs, maxUntimedUs }: Tally,
  given: GivenTimes,
  window: IndexPass["window"],
): boolean {
  if (given.start !== null && minUs < given.start.us) return true;
  if (given.end === null) return false;
  return maxUs > given.end.us || maxUntimedUs > given.end.us - window.start.us;
}

/** Rows without a time must not start outside of a window that was given. */
function clampBase({ start, end, fileTime }: GivenTimes): Instant {
  if (end !== null && fileTime.us > end.us) return start ?? end;
  return start !== null && fileTime.us < start.us ? start : fileTime;
}

function windowProblems(read: ReadRow, row: Row, window: IndexPass["window"]): Diagnostic[] {
  const found: Diagnostic[] = [];
  for (const field of ["start_time", "end_time"] as const) {
    const us = parseInstant(row.body[field])!.us;
    if (us < window.start.us)
      found.push(
        rowProblem(
          read,
          field,
          `is before experiment_start_time (${row.body[field]} < ${window.start.text})`,
        ),
      );
    else if (us > window.end.us)
      found.push(
        rowProblem(
          read,
          field,
          `is after experiment_end_time (${row.body[field]} > ${window.end.text})`,
        ),
      );
  }
  return found;
}

/** Problems up to a bound, then a count. */
function createProblemList(): { add: (problem: Diagnostic) => void; list: () => Diagnostic[] } {
  const kept: Diagnostic[] = [];
  let more = 0;
  return {
    add: (problem) => {
      if (kept.length < MAX_PROBLEMS) kept.push(problem);
      else more += 1;
    },
    list: () =>
      more === 0 ? kept : [...kept, diagnosticAt({ file: kept[0]!.file }, `and ${more} more`)],
  };
}
