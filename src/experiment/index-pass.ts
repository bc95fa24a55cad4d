import { createHash } from "node:crypto";
import type { Diagnostic } from "../spec/desired.ts";
import { later, toNormalRow, type NormalRow } from "./normal-row.ts";
import { diagnosticAt } from "./diagnostic.ts";
import { canonicalJson } from "../canonical-json.ts";
import { stableInputs } from "./identity.ts";
import type { RowTexts } from "./formats/format.ts";
import { createIdTable, createNameHash, formatUuid, writeUuid } from "./row-id.ts";
import { cleanJson, createRowNotes, renderRowNotes } from "./row-notes.ts";
import { createRowScan, type PlainRow } from "./row-scan.ts";
import type { ReadRow, Row } from "./row.ts";
import { formatInstant, parseInstant, type Instant } from "./timestamp.ts";

/** Mean of a metric and how many rows it is of. */
export interface Mean {
  readonly mean: number;
  readonly n: number;
}

/** What the first pass over an experiment's rows found: all that the second needs, in a few bytes a row. */
export interface IndexPass {
  readonly rows: number;
  readonly errors: number;
  /** Rows that have a score, in numbers or in words. */
  readonly scored: number;
  readonly window: { readonly start: Instant; readonly end: Instant };
  readonly warnings: readonly string[];
  readonly problems: readonly Diagnostic[];
  /** Over rows that did not fail; a metric given twice in a row counts as its mean. */
  readonly scores: Readonly<Record<string, Mean>>;
  /** Over every score that is sent, as the service counts them. */
  readonly sent: Readonly<Record<string, Mean>>;
  /** sha256 over the set of examples, whatever their order and repeats. */
  readonly fingerprint: string;
  /** The n-th row of this experiment, made right; in the order of the first pass. */
  readonly toRow: (read: ReadRow, n: number) => Row;
  /** Whether the n-th row's own text is sent: as it stands, behind an id of ours, or not at all because the row is written anew. */
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

/** Makes the first pass for one experiment. */
export function createIndexer(strict: boolean): Indexer {
  const notes = createRowNotes();
  const problems = createProblemList();
  const identity = createIdentities(problems.add);
  const means = createMeans();
  const extent = { minUs: Infinity, maxUs: -Infinity, untimed: 0, maxUntimedUs: 0 };
  const { scan, row, repeatId } = createRowScan();
  let rows = 0;
  let errors = 0;
  let scored = 0;
  const addText = (batch: RowTexts, n: number): void => {
    if (!scan(batch.texts[n]!.bytes)) {
      add(batch.read(n));
      return;
    }
    const owner = identity.addPlain(row, repeatId);
    if (owner > 0) problems.add(repeatedId(batch.read(n), row.givenId!, owner));
    means.addPlain(row);
    rows += 1;
    if (row.failed) errors += 1;
    if (row.worded || row.scores.length > 0) scored += 1;
    if (row.startUs < extent.minUs) extent.minUs = row.startUs;
    if (row.endUs > extent.maxUs) extent.maxUs = row.endUs;
  };
  const add = (read: ReadRow): void => {
    const normal = toNormalRow(read, {
      strict,
      addDiagnostic: (path, message) => problems.add(rowProblem(read, path, message)),
      notes,
    });
    identity.add(read, normal);
    means.add(normal.content.evaluation_scores ?? [], normal.content.error !== undefined);
    rows += 1;
    if (normal.content.error !== undefined) errors += 1;
    if (normal.content.evaluation_scores?.some(hasScore)) scored += 1;
    if (normal.durationUs === null) notes.withoutDuration += 1;
    const known = normal.start ?? normal.end;
    if (known === null) {
      notes.withoutTime += 1;
      extent.untimed += 1;
      extent.maxUntimedUs = Math.max(extent.maxUntimedUs, normal.durationUs ?? 0);
      return;
    }
    extent.minUs = Math.min(extent.minUs, known.us);
    extent.maxUs = Math.max(extent.maxUs, (normal.end ?? known).us);
  };
  const finish = (given: GivenTimes): IndexPass => {
    const base = clampBase(given);
    if (extent.untimed > 0 || rows === 0) {
      extent.minUs = Math.min(extent.minUs, base.us);
      extent.maxUs = Math.max(
        extent.maxUs,
        base.us,
        given.end === null ? base.us + extent.maxUntimedUs : -Infinity,
      );
    }
    const window = {
      start: given.start ?? instantAt(extent.minUs),
      end: given.end ?? instantAt(extent.maxUs),
    };
    if (window.end.us < window.start.us && given.start !== null && given.end !== null)
      problems.add(
        diagnosticAt(
          { file: "", path: "experiment_end_time" },
          "experiment_end_time is before experiment_start_time",
        ),
      );
    const toRow = (read: ReadRow, n: number): Row =>
      identity.finish(
        read,
        toNormalRow(read, { strict, addDiagnostic: () => undefined, notes: createRowNotes() }),
        n,
        { base, windowStart: window.start, givenEnd: given.end },
      );
    const mayBeOutside =
      (given.start !== null && extent.minUs < given.start.us) ||
      (given.end !== null &&
        (extent.maxUs > given.end.us || extent.maxUntimedUs > given.end.us - window.start.us));
    const outside = (read: ReadRow, n: number): Diagnostic[] =>
      windowProblems(read, toRow(read, n), window);
    return {
      rows,
      errors,
      scored,
      window,
      toRow,
      warnings: renderRowNotes(notes),
      problems: problems.list(),
      ...means.finish(),
      fingerprint: identity.fingerprint(),
      writing: identity.writing,
      writeId: identity.writeId,
      bytes: identity.bytes(),
      outside: mayBeOutside ? outside : null,
    };
  };
  return { add, addText, finish };
}

function hasScore({
  score,
  value,
}: {
  readonly score?: number | undefined;
  readonly value?: string | undefined;
}): boolean {
  return score !== undefined || value !== undefined;
}

function instantAt(us: number): Instant {
  return { us, text: formatInstant(us) };
}

/** Rows without a time must not start outside of a window that was given. */
function clampBase({ start, end, fileTime }: GivenTimes): Instant {
  if (end !== null && fileTime.us > end.us) return start ?? end;
  return start !== null && fileTime.us < start.us ? start : fileTime;
}

function rowProblem(read: ReadRow, path: string, message: string): Diagnostic {
  const { file, index, line } = read.place;
  return diagnosticAt(
    { file, line, path: `results[${index}].${path}` },
    `row ${index + 1}: ${path} ${message}`,
  );
}

function repeatedId(read: ReadRow, id: Uint8Array, owner: number): Diagnostic {
  return rowProblem(
    read,
    "row_id",
    `${formatUuid(id)} is also that of row ${owner}; an id may stand once in an upload`,
  );
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

/** How a row's own text is used: not at all, as it stands, or behind an id of ours. */
export const REWRITTEN = 0,
  VERBATIM = 1,
  WITHOUT_ID = 2;
/** One of those three, as a number that a table can hold. */
export type Writing = typeof REWRITTEN | typeof VERBATIM | typeof WITHOUT_ID;

interface Layout {
  readonly base: Instant;
  readonly windowStart: Instant;
  readonly givenEnd: Instant | null;
}

/** What a row says of its own identity. */
interface Claim {
  readonly example: Uint8Array;
  readonly givenId: Uint8Array | null;
  readonly exampleId: Uint8Array | null;
  readonly repeat: number | undefined;
  readonly repeatId: (k: number) => Uint8Array;
  readonly writing: Writing;
  /** Position among the file's rows. */
  readonly index: number;
}

interface Identities {
  readonly add: (read: ReadRow, normal: NormalRow) => void;
  /** Gives the row that has the given id already, counted from 1, or 0. */
  readonly addPlain: (row: PlainRow, repeatId: (k: number) => Uint8Array) => number;
  readonly finish: (read: ReadRow, normal: NormalRow, n: number, layout: Layout) => Row;
  readonly writing: (n: number) => Writing;
  readonly writeId: (n: number, into: Uint8Array, offset: number) => void;
  readonly fingerprint: () => string;
  readonly bytes: () => number;
}

const PIECE_BITS = 12,
  PIECE = 1 << PIECE_BITS;

/** Numbers by position, in pieces, so that growth copies nothing; 0 where none was set. */
function createNumbers(): {
  get: (at: number) => number;
  set: (at: number, value: number) => void;
  bytes: () => number;
} {
  const pieces: Int32Array[] = [];
  return {
    get: (at) => pieces[at >> PIECE_BITS]?.[at & (PIECE - 1)] ?? 0,
    set: (at, value) => {
      while (pieces.length * PIECE <= at) pieces.push(new Int32Array(PIECE));
      pieces[at >> PIECE_BITS]![at & (PIECE - 1)] = value;
    },
    bytes: () => pieces.length * PIECE * 4,
  };
}

/** Row ids, examples and repeats of one experiment: some 45 bytes a row, and 30 more where rows bring ids of their own. */
function createIdentities(addDiagnostic: (problem: Diagnostic) => void): Identities {
  /** Ids and examples in one table, since a row's id is mostly that of its example. */
  const ids = createIdTable();
  /** By position in the table: how many rows have it as their example, and 1 more than the row that has it as its id. */
  const [counts, owners] = [createNumbers(), createNumbers()];
  /** By row: position of its id and its example, its repeat index (kept once there is one), how it is written. */
  const [idOf, exampleOf, repeats, marks] = [
    createNumbers(),
    createNumbers(),
    createNumbers(),
    createNumbers(),
  ];
  const inputs = createNameHash();
  const scratch = {
    example: new Uint8Array(16),
    repeat: new Uint8Array(16),
    id: new Uint8Array(16),
  };
  let rows = 0;
  const isTaken = (id: Uint8Array): boolean => {
    const position = ids.find(id);
    return position !== -1 && owners.get(position) > 0;
  };
  const claim = ({
    example,
    givenId,
    exampleId,
    repeat,
    repeatId,
    writing,
    index,
  }: Claim): number => {
    const examplePosition = ids.add(example);
    const count = counts.get(examplePosition);
    let k = givenId === null ? (repeat ?? count) : count;
    let id =
      givenId ??
      (exampleId !== null && !isTaken(exampleId) ? exampleId : k === 0 ? example : repeatId(k));
    for (let next = count; givenId === null && isTaken(id); next += 1) {
      k = next;
      id = k === 0 ? example : repeatId(k);
    }
    const idPosition = ids.add(id);
    const owner = givenId === null ? 0 : owners.get(idPosition);
    owners.set(idPosition, index + 1);
    counts.set(examplePosition, count + 1);
    idOf.set(rows, idPosition);
    exampleOf.set(rows, examplePosition);
    if (k > 0) repeats.set(rows, k);
    marks.set(rows, writing);
    rows += 1;
    return owner;
  };
  const add = (read: ReadRow, normal: NormalRow): void => {
    let canonical: string;
    try {
      canonical = canonicalJson(
        read.identity === undefined
          ? stableInputs(normal.content.inputs)
          : cleanJson(read.identity),
      );
    } catch (error) {
      addDiagnostic(
        rowProblem(
          read,
          "inputs",
          `cannot be written as canonical JSON: ${(error as RangeError).message}`,
        ),
      );
      canonical = `(row ${rows})`;
    }
    inputs.write(canonical);
    const { givenId, exampleId, repeat, verbatim } = normal;
    const owner = claim({
      example: inputs.digest(0, scratch.example),
      givenId,
      exampleId,
      repeat,
      repeatId: (k) => inputs.digest(k, scratch.repeat),
      index: read.place.index,
      // An id that was given in another dialect of the same UUID is written anew as well.
      writing: !verbatim
        ? REWRITTEN
        : givenId === null
          ? WITHOUT_ID
          : read.row_id === formatUuid(givenId)
            ? VERBATIM
            : REWRITTEN,
    });
    if (owner > 0) addDiagnostic(repeatedId(read, givenId!, owner));
  };
  const addPlain: Identities["addPlain"] = ({ example, givenId }, repeatId) =>
    claim({
      example,
      givenId,
      exampleId: null,
      repeat: undefined,
      repeatId,
      writing: givenId === null ? WITHOUT_ID : VERBATIM,
      index: rows,
    });
  const textAt = (position: number): string => formatUuid(ids.read(position, scratch.id));
  const finish = (read: ReadRow, normal: NormalRow, n: number, layout: Layout): Row => {
    const { start, end } = placeRow(normal, layout);
    return {
      place: read.place,
      k: repeats.get(n),
      example: textAt(exampleOf.get(n)),
      duration_s: normal.durationUs === null ? null : normal.durationUs / 1e6,
      body: toBody(normal, textAt(idOf.get(n)), start, end),
    };
  };
  const fingerprint = (): string => {
    const prefixes = ids.sortedPrefixes((position) => counts.get(position) > 0);
    return createHash("sha256")
      .update(new Uint8Array(prefixes.buffer, 0, prefixes.byteLength))
      .digest("hex");
  };
  return {
    add,
    addPlain,
    finish,
    fingerprint,
    writing: (n) => marks.get(n) as Writing,
    writeId: (n, into, offset) => {
      writeUuid(ids.read(idOf.get(n), scratch.id), into, offset);
    },
    bytes: () =>
      [ids, counts, owners, idOf, exampleOf, repeats, marks].reduce(
        (sum, part) => sum + part.bytes(),
        0,
      ),
  };
}

/** The row in the document's order of fields. */
function toBody(
  { content }: NormalRow,
  rowIdText: string,
  start: Instant,
  end: Instant,
): Row["body"] {
  const body: Record<string, unknown> = { row_id: rowIdText, inputs: content.inputs };
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

/** Times that make the latency true: end − start is the duration wherever the file knows one. */
function placeRow(
  { start, end, durationUs }: NormalRow,
  { base, windowStart, givenEnd }: Layout,
): { start: Instant; end: Instant } {
  if (start !== null) return { start, end: end ?? start };
  if (end !== null) return { start: end, end };
  const length = durationUs ?? 0;
  if (givenEnd === null || base.us + length <= givenEnd.us)
    return { start: base, end: later(base, length) };
  const moved = instantAt(Math.max(windowStart.us, givenEnd.us - length));
  return { start: moved, end: later(moved, length) };
}

const MAX_METRICS = 10_000;

function createMeans(): {
  add: (scores: readonly { key: string; score?: number | undefined }[], failed: boolean) => void;
  addPlain: (row: PlainRow) => void;
  finish: () => Pick<IndexPass, "scores" | "sent">;
} {
  const sent = new Map<string, { sum: number; n: number }>();
  const scored = new Map<string, { sum: number; n: number }>();
  const count = (into: typeof sent, key: string, score: number): void => {
    const at = into.get(key);
    if (at !== undefined) {
      at.sum += score;
      at.n += 1;
    } else if (into.size < MAX_METRICS) into.set(key, { sum: score, n: 1 });
  };
  const means = (of: typeof sent): Record<string, Mean> =>
    Object.fromEntries([...of].map(([key, { sum, n }]) => [key, { mean: sum / n, n }]));
  return {
    add: (scores, failed) => {
      for (const { key, score } of scores) if (score !== undefined) count(sent, key, score);
      if (!failed) for (const [key, score] of rowScores(scores)) count(scored, key, score);
    },
    addPlain: ({ scores, failed }) => {
      for (const { key, score } of scores) {
        count(sent, key, score);
        if (!failed) count(scored, key, score);
      }
    },
    finish: () => ({ sent: means(sent), scores: means(scored) }),
  };
}

/** Numeric scores of one row by metric; one given several times is its mean. */
export function rowScores(
  scores: readonly { readonly key: string; readonly score?: number | undefined }[],
): Map<string, number> {
  const found = new Map<string, number>();
  let counts: Map<string, number> | undefined;
  for (const { key, score } of scores) {
    if (score === undefined) continue;
    const before = found.get(key);
    if (before === undefined) {
      found.set(key, score);
      continue;
    }
    const n = ((counts ??= new Map()).get(key) ?? 1) + 1;
    counts.set(key, n);
    found.set(key, before + (score - before) / n);
  }
  return found;
}
