import { tmpdir } from "node:os";
import { canonicalJson } from "../canonical-json.ts";
import type { WordedMetric } from "../gate/row.ts";
import { isObject } from "../model/json.ts";
import type { Diagnostic } from "../spec/desired.ts";
import { toFeedbackList, toText, type Checking } from "./checks.ts";
import { createGateRows, type GatheredRows, type RowsWanted } from "./gate-rows.ts";
import { diagnosticAt } from "./input/diagnostic.ts";
import { stableInputs } from "./input/identity.ts";
import { type FileHeader, type ReadRow, type Row, type RowBody, WRAP_KEYS } from "./input/row.ts";
import { cleanJson } from "./input/scored.ts";
import { instantAt, NO_DATE_TIME, parseInstant, type Instant } from "./input/timestamp.ts";
import type { Usage } from "./input/usage.ts";
import { createIdentities, formatUuid, parseUuid } from "./row-id.ts";
import {
  countScores,
  countCrash,
  createRowNotes,
  meansOf,
  renderRowNotes,
  renderTimeNotes,
  type Mean,
  type RowNotes,
} from "./row-notes.ts";
import { createRowSpool, type RowSpool } from "./row-spool.ts";
import { createSpillFile } from "../files/spill-file.ts";
import { inOrder } from "./input/ordered-object.ts";

/** What the rows of one experiment have in common. */
export interface RowFacts {
  readonly rowCount: number;
  readonly errorCount: number;
  /** Rows with a numeric score; words are not scores, since nothing can be counted or judged by them. */
  readonly scored: number;
  /** Rows whose scores are words only. */
  readonly worded: number;
  readonly window: { readonly start: Instant; readonly end: Instant };
  /** Means over rows; several values of a metric in a row count as their mean. */
  readonly scores: Readonly<Record<string, Mean>>;
  /** Means as the service computes them: over every score that is sent. */
  readonly sent: Readonly<Record<string, Mean>>;
  /** Rows that give a metric in words without a number, by metric; crashed rows do not count. */
  readonly words: Readonly<Record<string, WordedMetric>>;
  /** Metrics that the rows name without any number. */
  readonly unscored: readonly string[];
  /** Inputs that identify examples, and seem to be new in every run. */
  readonly madeUp: readonly string[];
  readonly warnings: readonly string[];
  /** About times that are made up for rows to be sent. */
  readonly timeWarnings: readonly string[];
  readonly problems: readonly Diagnostic[];
  /** sha256 of the set of examples, whatever their order and repeats. */
  readonly fingerprint: string;
  /** The first rows, as many as requested. */
  readonly shown: readonly Row[];
  /** The rows as gates judge them, one entry per provider and prompt; null if no gate needs them. */
  readonly gathered: readonly GatheredRows[] | null;
  /** The rows as they are sent; null if they were read only to be judged or shown. */
  readonly spool: RowSpool | null;
}

/** Times for the whole file; `fileTime` is where rows without their own time start. */
export interface GivenTimes {
  readonly start: Instant | null;
  readonly end: Instant | null;
  readonly fileTime: Instant;
}

/** Further violations are only counted. */
const MAX_PROBLEMS = 10_000;

/** What the rows of one experiment are read for. */
export interface CollectHow {
  /** What gates need from the rows; absent: only what an upload needs is kept. */
  readonly wanted?: RowsWanted | undefined;
  /** Whether rows may be sent; true by default. */
  readonly sent?: boolean;
  /** How many of the first rows are kept for display. */
  readonly shown?: number;
  /** The folder for data that is kept out of memory. */
  readonly temp?: string | undefined;
}

/**
 * Takes the rows of one experiment in order: normalizes, identifies and counts each, and keeps it
 * where it is needed. `times` is what the file fixes, known before the first row. `add` returns the
 * 16 bytes of the row's example, and `finish` throws a refusal if the spool found no room.
 */
export function createRowCollector(
  file: string,
  times: GivenTimes,
  {
    strict,
    wanted,
    sent = true,
    shown: mostShown = 0,
    temp = tmpdir(),
  }: CollectHow & Pick<Checking, "strict">,
) {
  const spool = sent ? createRowSpool(file, temp) : null;
  const gateRows =
    wanted === undefined ? null : createGateRows(wanted, () => createSpillFile(temp));
  const [problems, outside] = [createProblemList(), createProblemList()];
  const base = clampBase(times);
  let place: ReadRow["place"];
  const state: MakingRight = {
    strict,
    times,
    base,
    notes: createRowNotes(),
    identities: createIdentities(),
    keepsBodies: spool !== null || mostShown > 0,
    addDiagnostic: (path, message) => problems.add(rowProblem(place, path, message)),
  };
  const tally = { rowCount: 0, errorCount: 0, scored: 0, worded: 0 };
  let [minUs, maxUs] = [Infinity, -Infinity];
  const shown: Row[] = [];
  const add = (read: ReadRow): Buffer => {
    place = read.place;
    const { row, start, end } = toRightRow(read, state);
    const { body } = row;
    if (shown.length < mostShown) shown.push(row);
    spool?.add(body);
    tally.rowCount += 1;
    const failed = body.error !== undefined;
    const feedback = body.evaluation_scores ?? [];
    const scores = countScores(state.notes, feedback, { failed, place });
    if (failed) {
      tally.errorCount += 1;
      countCrash(state.notes, body.error!);
    }
    if (scores.length > 0) tally.scored += 1;
    else if (feedback.some(({ value }) => value !== undefined)) tally.worded += 1;
    gateRows?.add(row, scores, read.part);
    if (times.start !== null || times.end !== null)
      for (const [field, instant] of Object.entries({ start_time: start, end_time: end }))
        for (const message of windowProblems(instant, times))
          outside.add(rowProblem(place, field, message));
    minUs = Math.min(minUs, start.us);
    maxUs = Math.max(maxUs, end.us);
    return row.example;
  };
  const finish = ({ unread }: Pick<FileHeader, "unread">): RowFacts => {
    spool?.close();
    const isEmpty = tally.rowCount === 0;
    const window = {
      start: times.start ?? instantAt(isEmpty ? base.us : minUs),
      end: times.end ?? instantAt(isEmpty ? base.us : maxUs),
    };
    if (window.end.us < window.start.us && times.start !== null && times.end !== null)
      problems.add(END_BEFORE_START);
    return {
      ...tally,
      window,
      ...noteFacts(state.notes),
      warnings: renderRowNotes(state.notes, unread),
      timeWarnings: renderTimeNotes(state.notes),
      problems: [...problems.list(), ...outside.list()],
      fingerprint: state.identities.finish(),
      shown,
      gathered: gateRows?.finish() ?? null,
      spool,
    };
  };
  return { add, finish };
}

function noteFacts(
  notes: RowNotes,
): Pick<RowFacts, "scores" | "sent" | "words" | "unscored" | "madeUp"> {
  const metrics = [...notes.metrics.values()];
  return {
    scores: meansOf(notes, "scored"),
    sent: meansOf(notes, "sent"),
    words: Object.fromEntries(
      metrics.flatMap(({ key, worded: rows, words }) =>
        rows === 0 ? [] : [[key, { rows, mappable: words > 0 }]],
      ),
    ),
    unscored: metrics.flatMap(({ key, missing, sent }) =>
      missing > 0 && sent.n === 0 ? [key] : [],
    ),
    madeUp: notes.madeUp.list(),
  };
}

interface MakingRight extends Checking {
  readonly times: GivenTimes;
  /** Where rows without a time start. */
  readonly base: Instant;
  readonly identities: ReturnType<typeof createIdentities>;
  /** Whether rows are sent or shown: only then is the text of an id made, which takes as long as its hash. */
  readonly keepsBodies: boolean;
}

/** Normalizes a row with its id and times; violations of the document's rules become problems of their field. */
function toRightRow(
  read: ReadRow,
  how: MakingRight,
): { readonly row: Row; readonly start: Instant; readonly end: Instant } {
  const { place } = read;
  const { notes, addDiagnostic } = how;
  for (const name of read.unknown ?? []) notes.unknownFields.add(`"${name.slice(0, 60)}" in a row`);
  for (const name of read.unread ?? []) notes.unreadNumbers.add(name.slice(0, 80));
  const inputs = toObject(read, "inputs", how);
  if (inputs === undefined) addDiagnostic("inputs", "is required");
  notes.madeUp.add(read.identity === undefined ? (inputs ?? {}) : {});
  const scores = toFeedbackList(read.evaluation_scores, "evaluation_scores", how);
  // In the document's order of fields; JSON leaves out undefined.
  const body = {
    row_id: "",
    inputs: inputs ?? {},
    expected_outputs: toObject(read, "expected_outputs", how),
    actual_outputs: toObject(read, "actual_outputs", how),
    evaluation_scores: scores.length === 0 ? undefined : scores,
    start_time: "",
    end_time: "",
    run_name: toMessage(read.run_name, "run_name", how),
    error: toMessage(read.error, "error", how),
    run_metadata: withStatedUsage(toObject(read, "run_metadata", how), read.usage),
  };
  const { start, end, durationUs } = toTimes(read, how);
  const { id, example, k, owner } = how.identities.add({
    givenId: givenIdOf(read, addDiagnostic),
    name: nameOf(read, body.inputs, how) ?? `(row ${place.index} of ${place.file})`,
    exampleId: parseUuid(read.example_id),
    repeat: repeatOf(read),
    index: place.index,
  });
  [body.start_time, body.end_time] = [start.text, end.text];
  if (how.keepsBodies) body.row_id = formatUuid(id);
  if (owner > 0)
    addDiagnostic(
      "row_id",
      `${formatUuid(id)} is also that of row ${owner}; an id may appear once in an upload`,
    );
  const duration_s = durationUs === null ? null : durationUs / 1e6;
  const row = { place, k, example, duration_s, rerun: read.rerun, body: body as RowBody };
  return { row, start, end };
}

type AddDiagnostic = Checking["addDiagnostic"];
type JsonObject = RowBody["inputs"];

/** Adds usage to the metadata; the file's own `usage` stays, except under the names that gates know. */
function withStatedUsage(
  metadata: JsonObject | undefined,
  usage: Usage | undefined,
): JsonObject | undefined {
  if (usage === undefined) return metadata;
  const given = metadata?.["usage"];
  const known = Object.entries(isObject(given) ? (given as JsonObject) : {});
  return inOrder<JsonObject[string]>([
    ...Object.entries(metadata ?? {}),
    ["usage", inOrder<JsonObject[string]>([...known, ...Object.entries(usage)])],
  ]);
}

function toObject(
  read: ReadRow,
  field: "inputs" | "expected_outputs" | "actual_outputs" | "run_metadata",
  { strict, notes }: Checking,
): JsonObject | undefined {
  const value = read[field];
  if (value === undefined || value === null) return undefined;
  if (isObject(value)) return cleanJson(value, notes) as JsonObject;
  if (strict) notes.wrapped += 1; // normal in other formats
  return { [WRAP_KEYS[field]]: cleanJson(value, notes) as JsonObject[string] };
}

function toMessage(value: unknown, field: string, how: Checking): string | undefined {
  if (value === undefined || value === null || value === "") return undefined;
  if (typeof value === "string") return value;
  if (how.strict) how.addDiagnostic(field, "must be a text");
  const message = isObject(value) ? value["message"] : undefined;
  return typeof message === "string" && message !== "" ? message : toText(value);
}

/** Canonical JSON of what identifies the row's example; null, with a problem, if nothing does. */
function nameOf(
  { identity, inputs: given }: ReadRow,
  inputs: JsonObject,
  { addDiagnostic, notes }: Checking,
): string | null {
  try {
    // Numbers of inputs are counted where they are sent.
    const counted = identity === given ? undefined : notes;
    return canonicalJson(
      identity === undefined ? stableInputs(inputs) : cleanJson(identity, counted),
    );
  } catch (error) {
    addDiagnostic(
      "inputs",
      `cannot be written as canonical JSON: ${(error as RangeError).message}`,
    );
    return null;
  }
}

function givenIdOf({ row_id: given }: ReadRow, addDiagnostic: AddDiagnostic): Buffer | null {
  const id = parseUuid(given);
  if (id === null && given !== undefined && given !== null)
    addDiagnostic("row_id", "must be a UUID; leave it out and it is made from the inputs");
  return id;
}

const repeatOf = ({ repeat }: ReadRow): number | undefined =>
  repeat !== undefined && Number.isSafeInteger(repeat) && repeat >= 0 ? repeat : undefined;

/**
 * Times that give the true latency: end − start is the duration if the file knows it. A row
 * without a time starts at the base, or ends with the window.
 */
function toTimes(
  read: ReadRow,
  { addDiagnostic, notes, base, times: { end: givenEnd } }: MakingRight,
): { readonly start: Instant; readonly end: Instant; readonly durationUs: number | null } {
  const timeOf = (field: "start_time" | "end_time"): Instant | null => {
    const value = read[field];
    if (value === undefined || value === null || value === "") return null;
    const parsed = parseInstant(value);
    if (parsed === null) addDiagnostic(field, NO_DATE_TIME);
    return parsed;
  };
  const start = timeOf("start_time");
  const end = timeOf("end_time");
  if (start !== null && end !== null) {
    if (end.us < start.us) addDiagnostic("end_time", "is before start_time");
    return { start, end, durationUs: end.us - start.us };
  }
  const seconds = read.duration_s;
  const durationUs =
    seconds !== undefined && Number.isFinite(seconds) && seconds >= 0 && seconds < 1e9
      ? Math.round(seconds * 1e6)
      : null;
  if (durationUs === null) notes.withoutDuration += 1;
  if (start === null && end === null) notes.withoutTime += 1;
  const length = durationUs ?? 0;
  if (end !== null) return { start: later(end, -length), end, durationUs };
  const isLate = start === null && givenEnd !== null && base.us + length > givenEnd.us;
  const from = start ?? (isLate ? instantAt(givenEnd.us - length) : base);
  return { start: from, end: later(from, length), durationUs };
}

/** An instant moved by microseconds; unmoved, it keeps its own text. */
const later = (instant: Instant, us: number): Instant =>
  us === 0 ? instant : instantAt(instant.us + us);

/** A problem of a row; `path` is below the row. */
function rowProblem(
  { file, index, line }: ReadRow["place"],
  path: string,
  message: string,
): Diagnostic {
  return diagnosticAt(
    { file, line, path: `results[${index}].${path}` },
    `row ${index + 1}: ${path} ${message}`,
  );
}

const END_BEFORE_START = diagnosticAt(
  { file: "", path: "experiment_end_time" },
  "experiment_end_time is before experiment_start_time",
);

/** Rows without a time must start within a given window. */
function clampBase({ start, end, fileTime }: GivenTimes): Instant {
  if (end !== null && fileTime.us > end.us) return start ?? end;
  return start !== null && fileTime.us < start.us ? start : fileTime;
}

function windowProblems({ us, text }: Instant, { start, end }: GivenTimes): string[] {
  if (start !== null && us < start.us)
    return [`is before experiment_start_time (${text} < ${start.text})`];
  return end !== null && us > end.us
    ? [`is after experiment_end_time (${text} > ${end.text})`]
    : [];
}

/** Problems up to a limit, then a count. */
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
