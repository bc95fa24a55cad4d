import type { WordedMetric } from "../gate/row.ts";
import { canonicalJson } from "../canonical-json.ts";
import type { Diagnostic } from "../spec/desired.ts";
import { later, toNormalRow, type NormalRow } from "./normal-row.ts";
import { diagnosticAt, refusal, type DiagnosticError } from "./input/diagnostic.ts";
import type { GateRows } from "./gate-rows.ts";
import { stableInputs } from "./input/identity.ts";
import { formatUuid } from "./row-id.ts";
import { createIdentities } from "./row-identities.ts";
import { cleanJson } from "./input/scored.ts";
import { createRowNotes, noteRepeats, renderRowNotes, type RowNotes } from "./row-notes.ts";
import type { RowSpool } from "./row-spool.ts";
import type { ReadRow, Row } from "./input/row.ts";
import { createMeans, rowScores, type ScoreMeans } from "./score-means.ts";
import { instantAt, type Instant } from "./input/timestamp.ts";
import { withUsage } from "./input/usage.ts";

/** What the rows of one experiment have in common. */
export interface RowFacts extends Omit<ScoreMeans, "worded"> {
  readonly rows: number;
  readonly errors: number;
  /** Rows that have a score in numbers; words are not scores, since nothing can be counted or judged by them. */
  readonly scored: number;
  /** Rows whose scores are words only. */
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
  /** The first rows, as many as were asked for. */
  readonly shown: readonly Row[];
}

/** Takes the rows of one experiment in their order: each is made right, named, put into the spool and counted. */
export interface RowCollector {
  readonly add: (read: ReadRow) => void;
  /** Throws a refusal where the spool found no room. */
  readonly finish: () => RowFacts;
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
}

function createTally(): Tally {
  return {
    rows: 0,
    errors: 0,
    scored: 0,
    worded: 0,
    minUs: Infinity,
    maxUs: -Infinity,
  };
}

/** Collects the rows of one experiment. */
export function createRowCollector({
  strict,
  times,
  spool,
  gateRows,
  shown: mostShown,
}: {
  readonly strict: boolean;
  /** What the file or the user fixed, known before the first row. */
  readonly times: GivenTimes;
  readonly spool: RowSpool;
  /** Null where no gate wants them. */
  readonly gateRows: GateRows | null;
  readonly shown: number;
}): RowCollector {
  const notes = createRowNotes();
  const [problems, outside] = [createProblemList(), createProblemList()];
  const identities = createIdentities();
  const means = createMeans();
  const tally = createTally();
  const base = clampBase(times);
  const shown: Row[] = [];
  const add = (read: ReadRow): void => {
    const tell = (path: string, message: string): void =>
      problems.add(rowProblem(read, path, message));
    const normal = toNormalRow(read, { strict, addDiagnostic: tell, notes });
    const { givenId, exampleId, repeat, content, durationUs } = normal;
    const named = nameOf(read, normal);
    if ("problem" in named) tell("inputs", named.problem);
    const { id, example, k, owner } = identities.add({
      name: "name" in named ? named.name : `(row ${tally.rows})`,
      givenId,
      exampleId,
      repeat,
      index: read.place.index,
    });
    const text = formatUuid(id);
    if (owner > 0)
      tell("row_id", `${text} is also that of row ${owner}; an id may stand once in an upload`);
    const placed = placeRow(normal, base, times.end);
    const body = toBody(normal, text, placed);
    const duration_s = durationUs === null ? null : durationUs / 1e6;
    if (shown.length < mostShown)
      shown.push({ place: read.place, k, example: formatUuid(example), duration_s, body });
    spool.add(body);
    const scores = rowScores(content.evaluation_scores ?? []);
    means.add(content.evaluation_scores ?? [], scores, content.error !== undefined);
    gateRows?.add(normal, example, withUsage(scores, content.run_metadata), read.part);
    if (gateRows?.isTooLarge() === true) throw tooLarge(read);
    noteRow(notes, normal, read.place);
    for (const field of ["start", "end"] as const)
      for (const message of windowProblems(placed[field], times))
        outside.add(rowProblem(read, `${field}_time`, message));
    countRow(tally, normal, placed);
  };
  const finish = (): RowFacts => {
    spool.close();
    const window = windowOf(tally, times, base);
    if (window.end.us < window.start.us && times.start !== null && times.end !== null)
      problems.add(END_BEFORE_START);
    const { scores, sent, worded } = means.finish();
    return {
      rows: tally.rows,
      errors: tally.errors,
      scored: tally.scored,
      worded: tally.worded,
      window,
      ...tellWords(worded, notes, sent),
      unscored: [...notes.unscored.keys()].filter((key) => !Object.hasOwn(sent, key)),
      problems: [...problems.list(), ...outside.list()],
      scores,
      sent,
      fingerprint: identities.fingerprint(),
      shown,
    };
  };
  return { add, finish };
}

/** The window around all rows, as far as the file gives none. */
function windowOf(
  { rows, minUs, maxUs }: Tally,
  times: GivenTimes,
  base: Instant,
): RowFacts["window"] {
  return {
    start: times.start ?? instantAt(rows === 0 ? base.us : minUs),
    end: times.end ?? instantAt(rows === 0 ? base.us : maxUs),
  };
}

/** What is wrong with a row of the file; `path` is below the row. */
function rowProblem(
  { place: { file, index, line } }: ReadRow,
  path: string,
  message: string,
): Diagnostic {
  return diagnosticAt(
    { file, line, path: `results[${index}].${path}` },
    `row ${index + 1}: ${path} ${message}`,
  );
}

/** Canonical JSON of what distinguishes the row's example; or why there is none. */
function nameOf(
  read: ReadRow,
  { content }: NormalRow,
): { readonly name: string } | { readonly problem: string } {
  try {
    return {
      name: canonicalJson(
        read.identity === undefined ? stableInputs(content.inputs) : cleanJson(read.identity),
      ),
    };
  } catch (error) {
    return { problem: `cannot be written as canonical JSON: ${(error as RangeError).message}` };
  }
}

/** The row in the document's order of fields. */
function toBody({ content }: NormalRow, rowId: string, { start, end }: PlacedTimes): Row["body"] {
  const body: Record<string, unknown> = { row_id: rowId, inputs: content.inputs };
  if (content.expected_outputs !== undefined) body["expected_outputs"] = content.expected_outputs;
  if (content.actual_outputs !== undefined) body["actual_outputs"] = content.actual_outputs;
  if (content.evaluation_scores !== undefined)
    body["evaluation_scores"] = content.evaluation_scores;
  body["start_time"] = start.text;
  body["end_time"] = end.text;
  if (content.run_name !== undefined) body["run_name"] = content.run_name;
  if (content.error !== undefined) body["error"] = content.error;
  if (content.run_metadata !== undefined) body["run_metadata"] = content.run_metadata;
  return body as Row["body"];
}

interface PlacedTimes {
  readonly start: Instant;
  readonly end: Instant;
}

/** Times that make the latency true: end − start is the duration wherever the file knows one. */
function placeRow(
  { start, end, durationUs }: NormalRow,
  base: Instant,
  givenEnd: Instant | null,
): PlacedTimes {
  if (start !== null) return { start, end: end ?? start };
  if (end !== null) return { start: end, end };
  const length = durationUs ?? 0;
  if (givenEnd === null || base.us + length <= givenEnd.us)
    return { start: base, end: later(base, length) };
  const moved = instantAt(givenEnd.us - length);
  return { start: moved, end: later(moved, length) };
}

/** What is reported of rows as they are, once for all of them. */
function noteRow(
  notes: RowNotes,
  { content, start, end, durationUs }: NormalRow,
  place: ReadRow["place"],
): void {
  noteRepeats(notes, content.evaluation_scores ?? [], place);
  if (durationUs === null) notes.withoutDuration += 1;
  if (start === null && end === null) notes.withoutTime += 1;
}

/** What gates and readers learn of metrics that some rows give words for. */
function tellWords(
  worded: ScoreMeans["worded"],
  notes: RowNotes,
  sent: ScoreMeans["sent"],
): Pick<RowFacts, "words" | "warnings"> {
  const beside = [...worded].filter(([key]) => Object.hasOwn(sent, key));
  const words = [...worded].map(
    ([key, rows]) => [key, { rows, mappable: notes.words.has(key) }] as const,
  );
  return { words: Object.fromEntries(words), warnings: renderRowNotes(notes, beside) };
}

function countRow(tally: Tally, { content }: NormalRow, { start, end }: PlacedTimes): void {
  tally.rows += 1;
  if (content.error !== undefined) tally.errors += 1;
  const scores = content.evaluation_scores ?? [];
  if (scores.some(({ score }) => score !== undefined)) tally.scored += 1;
  else if (scores.some(({ value }) => value !== undefined)) tally.worded += 1;
  tally.minUs = Math.min(tally.minUs, start.us);
  tally.maxUs = Math.max(tally.maxUs, end.us);
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

/** Rows without a time must not start outside of a window that was given. */
function clampBase({ start, end, fileTime }: GivenTimes): Instant {
  if (end !== null && fileTime.us > end.us) return start ?? end;
  return start !== null && fileTime.us < start.us ? start : fileTime;
}

/** What is wrong with a row's time next to a window that was given. */
function windowProblems({ us, text }: Instant, { start, end }: GivenTimes): string[] {
  if (start !== null && us < start.us)
    return [`is before experiment_start_time (${text} < ${start.text})`];
  return end !== null && us > end.us
    ? [`is after experiment_end_time (${text} > ${end.text})`]
    : [];
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
