import { createHash } from "node:crypto";
import type { Problem } from "../spec/desired.ts";
import { later, toNormalRow, type NormalRow } from "./normal-row.ts";
import { problemAt } from "./problem.ts";
import { canonicalJson, createIdTable, formatUuid, rowId } from "./row-id.ts";
import { createRowNotes, renderRowNotes } from "./row-notes.ts";
import type { ReadRow, Row } from "./row.ts";
import { formatInstant, parseInstant, type Instant } from "./timestamp.ts";

/** Mean of a metric and how many rows it is of. */
export interface Mean { readonly mean: number; readonly n: number }

/** What the first pass over an experiment's rows found: all that the second needs, in a few bytes a row. */
export interface Survey {
  readonly rows: number;
  readonly errors: number;
  readonly window: { readonly start: Instant; readonly end: Instant };
  readonly warnings: readonly string[];
  readonly problems: readonly Problem[];
  /** Over rows that did not fail; a metric given twice in a row counts as its mean. */
  readonly scores: Readonly<Record<string, Mean>>;
  /** Over every score that is sent, as the service counts them. */
  readonly sent: Readonly<Record<string, Mean>>;
  /** sha256 over the set of examples, whatever their order and repeats. */
  readonly fingerprint: string;
  /** The n-th row of this experiment, made right; in the order of the first pass. */
  readonly toRow: (read: ReadRow, n: number) => Row;
  /** What to put before the n-th row's own text, or null where the row has to be written anew. */
  readonly prefix: (n: number) => string | null;
  /** Rows outside a window that was given, found only by looking at every row again. */
  readonly outside: ((read: ReadRow, n: number) => Problem[]) | null;
}

/** The first pass: takes every row of one experiment in order, then tells what it saw. */
export interface Surveyor {
  readonly add: (read: ReadRow) => void;
  /** `window` holds what the file or the user fixed; `fileTime` is where rows without a time start. */
  readonly finish: (given: GivenTimes) => Survey;
}

export interface GivenTimes {
  readonly start: Instant | null;
  readonly end: Instant | null;
  readonly fileTime: Instant;
}

/** Beyond this many violations the rest is only counted. */
const MAX_PROBLEMS = 10_000;

/** Makes the first pass for one experiment. */
export function createSurveyor(strict: boolean): Surveyor {
  const notes = createRowNotes();
  const problems = createProblemList();
  const identity = createIdentities(problems.add);
  const means = createMeans();
  const extent = { minUs: Infinity, maxUs: -Infinity, untimed: 0, maxUntimedUs: 0 };
  let rows = 0;
  let errors = 0;
  const add = (read: ReadRow): void => {
    const normal = toNormalRow(read, { strict, complain: (path, message) => problems.add(rowProblem(read, path, message)), notes });
    identity.add(read, normal);
    means.add(normal.content.evaluation_scores ?? [], normal.content.error !== undefined);
    rows += 1;
    if (normal.content.error !== undefined) errors += 1;
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
  const finish = (given: GivenTimes): Survey => {
    const base = clampBase(given);
    if (extent.untimed > 0 || rows === 0) {
      extent.minUs = Math.min(extent.minUs, base.us);
      extent.maxUs = Math.max(extent.maxUs, base.us, given.end === null ? base.us + extent.maxUntimedUs : -Infinity);
    }
    const window = { start: given.start ?? instantAt(extent.minUs), end: given.end ?? instantAt(extent.maxUs) };
    if (window.end.us < window.start.us && given.start !== null && given.end !== null) problems.add(problemAt({ file: "", path: "experiment_end_time" }, "experiment_end_time is before experiment_start_time"));
    const toRow = (read: ReadRow, n: number): Row => identity.finish(read, toNormalRow(read, { strict, complain: () => undefined, notes: createRowNotes() }), n, { base, windowStart: window.start, givenEnd: given.end });
    const mayBeOutside = (given.start !== null && extent.minUs < given.start.us) || (given.end !== null && (extent.maxUs > given.end.us || extent.maxUntimedUs > given.end.us - window.start.us));
    const outside = (read: ReadRow, n: number): Problem[] => windowProblems(read, toRow(read, n), window);
    return {
      rows, errors, window, toRow, warnings: renderRowNotes(notes), problems: problems.list(), ...means.finish(), fingerprint: identity.fingerprint(),
      prefix: identity.prefix, outside: mayBeOutside ? outside : null,
    };
  };
  return { add, finish };
}

function instantAt(us: number): Instant {
  return { us, text: formatInstant(us) };
}

/** Rows without a time must not start outside of a window that was given. */
function clampBase({ start, end, fileTime }: GivenTimes): Instant {
  if (end !== null && fileTime.us > end.us) return start ?? end;
  return start !== null && fileTime.us < start.us ? start : fileTime;
}

function rowProblem(read: ReadRow, path: string, message: string): Problem {
  const { file, index, line } = read.place;
  return problemAt({ file, line, path: `results[${index}].${path}` }, `row ${index + 1}: ${path} ${message}`);
}

function windowProblems(read: ReadRow, row: Row, window: Survey["window"]): Problem[] {
  const found: Problem[] = [];
  for (const field of ["start_time", "end_time"] as const) {
    const us = parseInstant(row.body[field])!.us;
    if (us < window.start.us) found.push(rowProblem(read, field, `is before experiment_start_time (${row.body[field]} < ${window.start.text})`));
    else if (us > window.end.us) found.push(rowProblem(read, field, `is after experiment_end_time (${row.body[field]} > ${window.end.text})`));
  }
  return found;
}

/** Problems up to a bound, then a count. */
export function createProblemList(): { add: (problem: Problem) => void; list: () => Problem[] } {
  const kept: Problem[] = [];
  let more = 0;
  return {
    add: (problem) => { if (kept.length < MAX_PROBLEMS) kept.push(problem); else more += 1; },
    list: () => (more === 0 ? kept : [...kept, problemAt({ file: kept[0]!.file }, `and ${more} more`)]),
  };
}

const REWRITTEN = 0, VERBATIM = 1, WITHOUT_ID = 2;

interface Layout { readonly base: Instant; readonly windowStart: Instant; readonly givenEnd: Instant | null }

interface Identities {
  readonly add: (read: ReadRow, normal: NormalRow) => void;
  readonly finish: (read: ReadRow, normal: NormalRow, n: number, layout: Layout) => Row;
  readonly prefix: (n: number) => string | null;
  readonly fingerprint: () => string;
}

/** Numbers by position, growing. */
function createNumbers(): { get: (at: number) => number; set: (at: number, value: number) => void } {
  let values = new Int32Array(256);
  return {
    get: (at) => values[at] ?? 0,
    set: (at, value) => {
      if (at >= values.length) {
        const before = values;
        values = new Int32Array(values.length * 2);
        values.set(before);
      }
      values[at] = value;
    },
  };
}

/** Row ids, examples and repeats of one experiment: some 70 bytes a row. */
function createIdentities(complain: (problem: Problem) => void): Identities {
  const ids = createIdTable();
  const examples = createIdTable();
  /** By position of the example: how many rows have it. By position of the id: the row that has it. */
  const [counts, owners] = [createNumbers(), createNumbers()];
  /** By row: position of its id and its example, its repeat index, how it is written. */
  const [idOf, exampleOf, repeats, marks] = [createNumbers(), createNumbers(), createNumbers(), createNumbers()];
  let rows = 0;
  const canonicalInputs = (read: ReadRow, normal: NormalRow): string => {
    try {
      return canonicalJson(normal.content.inputs);
    } catch (error) {
      complain(rowProblem(read, "inputs", `cannot be written as canonical JSON: ${(error as RangeError).message}`));
      return `(row ${rows})`;
    }
  };
  const add = (read: ReadRow, normal: NormalRow): void => {
    const canonical = canonicalInputs(read, normal);
    const example = rowId(canonical, 0);
    const examplePosition = examples.add(example);
    const count = counts.get(examplePosition);
    let k = normal.givenId === null ? normal.repeat ?? count : count;
    const preferred = normal.exampleId !== null && ids.find(normal.exampleId) === -1 ? normal.exampleId : null;
    let id = normal.givenId ?? preferred ?? (k === 0 ? example : rowId(canonical, k));
    if (normal.givenId !== null) {
      const owner = ids.find(id);
      if (owner !== -1) complain(rowProblem(read, "row_id", `${formatUuid(id)} is also that of row ${owners.get(owner) + 1}; an id may stand once in an upload`));
    } else {
      for (let next = count; ids.find(id) !== -1; next += 1) { k = next; id = k === 0 ? example : rowId(canonical, k); }
    }
    const idPosition = ids.add(id);
    owners.set(idPosition, read.place.index);
    counts.set(examplePosition, count + 1);
    idOf.set(rows, idPosition);
    exampleOf.set(rows, examplePosition);
    repeats.set(rows, k);
    // An id that was given in another spelling of the same UUID is written anew as well.
    marks.set(rows, !normal.verbatim ? REWRITTEN : normal.givenId === null ? WITHOUT_ID : read.row_id === formatUuid(normal.givenId) ? VERBATIM : REWRITTEN);
    rows += 1;
  };
  const finish = (read: ReadRow, normal: NormalRow, n: number, layout: Layout): Row => {
    const { start, end } = placeRow(normal, layout);
    return {
      place: read.place, k: repeats.get(n), example: formatUuid(examples.at(exampleOf.get(n))),
      duration_s: normal.durationUs === null ? null : normal.durationUs / 1e6,
      body: toBody(normal, formatUuid(ids.at(idOf.get(n))), start, end),
    };
  };
  const prefix = (n: number): string | null => (marks.get(n) === VERBATIM ? "" : marks.get(n) === WITHOUT_ID ? `"row_id":"${formatUuid(ids.at(idOf.get(n)))}",` : null);
  const fingerprint = (): string => {
    const prefixes = examples.sortedPrefixes();
    return createHash("sha256").update(new Uint8Array(prefixes.buffer, prefixes.byteOffset, prefixes.byteLength)).digest("hex");
  };
  return { add, finish, prefix, fingerprint };
}

/** The row in the document's order of fields. */
function toBody({ content }: NormalRow, rowIdText: string, start: Instant, end: Instant): Row["body"] {
  const body: Record<string, unknown> = { row_id: rowIdText, inputs: content.inputs };
  if (content.expected_outputs !== undefined) body["expected_outputs"] = content.expected_outputs;
  if (content.actual_outputs !== undefined) body["actual_outputs"] = content.actual_outputs;
  if (content.evaluation_scores !== undefined) body["evaluation_scores"] = content.evaluation_scores;
  body["start_time"] = start.text;
  body["end_time"] = end.text;
  if (content.run_name !== undefined) body["run_name"] = content.run_name;
  if (content.error !== undefined) body["error"] = content.error;
  if (content.run_metadata !== undefined) body["run_metadata"] = content.run_metadata;
  return body as Row["body"];
}

/** Times that make the latency true: end − start is the duration wherever the file knows one. */
function placeRow({ start, end, durationUs }: NormalRow, { base, windowStart, givenEnd }: Layout): { start: Instant; end: Instant } {
  if (start !== null) return { start, end: end ?? start };
  if (end !== null) return { start: end, end };
  const length = durationUs ?? 0;
  if (givenEnd === null || base.us + length <= givenEnd.us) return { start: base, end: later(base, length) };
  const moved = instantAt(Math.max(windowStart.us, givenEnd.us - length));
  return { start: moved, end: later(moved, length) };
}

const MAX_METRICS = 10_000;

function createMeans(): { add: (scores: readonly { key: string; score?: number | undefined }[], failed: boolean) => void; finish: () => Pick<Survey, "scores" | "sent"> } {
  const sent = new Map<string, { sum: number; n: number }>();
  const scored = new Map<string, { sum: number; n: number }>();
  const count = (into: typeof sent, key: string, score: number): void => {
    const at = into.get(key);
    if (at !== undefined) { at.sum += score; at.n += 1; }
    else if (into.size < MAX_METRICS) into.set(key, { sum: score, n: 1 });
  };
  const means = (of: typeof sent): Record<string, Mean> => Object.fromEntries([...of].map(([key, { sum, n }]) => [key, { mean: sum / n, n }]));
  return {
    add: (scores, failed) => {
      for (const { key, score } of scores) if (score !== undefined) count(sent, key, score);
      if (!failed) for (const [key, score] of rowScores(scores)) count(scored, key, score);
    },
    finish: () => ({ sent: means(sent), scores: means(scored) }),
  };
}

/** Numeric scores of one row by metric; one given several times is its mean. */
export function rowScores(scores: readonly { readonly key: string; readonly score?: number | undefined }[]): Map<string, number> {
  const found = new Map<string, number>();
  let counts: Map<string, number> | undefined;
  for (const { key, score } of scores) {
    if (score === undefined) continue;
    const before = found.get(key);
    if (before === undefined) { found.set(key, score); continue; }
    const n = ((counts ??= new Map()).get(key) ?? 1) + 1;
    counts.set(key, n);
    found.set(key, before + (score - before) / n);
  }
  return found;
}
