import { createHash } from "node:crypto";
import { canonicalJson } from "../canonical-json.ts";
import type { Diagnostic } from "../spec/desired.ts";
import { diagnosticAt } from "./diagnostic.ts";
import { stableInputs } from "./identity.ts";
import { later, type NormalRow } from "./normal-row.ts";
import { createIdTable, createNameHash, formatUuid, writeUuid } from "./row-id.ts";
import { cleanJson } from "./row-notes.ts";
import type { PlainRow } from "./row-scan.ts";
import type { ReadRow, Row } from "./row.ts";
import { instantAt, type Instant } from "./timestamp.ts";

/** What is wrong with a row of the file; `path` is below the row. */
export function rowProblem(read: ReadRow, path: string, message: string): Diagnostic {
  const { file, index, line } = read.place;
  return diagnosticAt(
    { file, line, path: `results[${index}].${path}` },
    `row ${index + 1}: ${path} ${message}`,
  );
}

/** Two rows of one upload have the same id; `owner` counts from 1. */
export function repeatedId(read: ReadRow, id: Uint8Array, owner: number): Diagnostic {
  return rowProblem(
    read,
    "row_id",
    `${formatUuid(id)} is also that of row ${owner}; an id may stand once in an upload`,
  );
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

/** The identities of an experiment's rows, in the order of the first pass. */
export interface Identities {
  /** Gives the row's example, which holds until the next row. */
  readonly add: (read: ReadRow, normal: NormalRow) => Uint8Array;
  /** Gives the row that has the given id already, counted from 1, or 0. */
  readonly addPlain: (row: PlainRow, repeatId: (k: number) => Uint8Array) => number;
  readonly finish: (read: ReadRow, normal: NormalRow, n: number, layout: Layout) => Row;
  readonly writing: (n: number) => Writing;
  readonly writeId: (n: number, into: Uint8Array, offset: number) => void;
  /** sha256 over the set of examples; no more rows come. */
  readonly fingerprint: () => string;
  readonly bytes: () => number;
}

const PIECE_BITS = 12,
  PIECE = 1 << PIECE_BITS;

/**
 * Numbers by position, in pieces, so that growth copies nothing. What is as usual takes no room: a
 * piece is made only when one of its numbers differs.
 */
function createNumbers(usual: (at: number) => number): {
  get: (at: number) => number;
  set: (at: number, value: number) => void;
  bytes: () => number;
} {
  /** How far each number is from the usual one. */
  const pieces: (Int32Array | undefined)[] = [];
  let made = 0;
  return {
    get: (at) => (pieces[at >> PIECE_BITS]?.[at & (PIECE - 1)] ?? 0) + usual(at),
    set: (at, value) => {
      const off = value - usual(at);
      const index = at >> PIECE_BITS;
      let piece = pieces[index];
      if (piece === undefined) {
        while (pieces.length <= index) pieces.push(undefined);
        if (off === 0) return;
        piece = new Int32Array(PIECE);
        pieces[index] = piece;
        made += 1;
      }
      piece[at & (PIECE - 1)] = off;
    },
    bytes: () => made * PIECE * 4,
  };
}

const NONE = (): number => 0;
/** Where every row is another example and has that example's id, positions are row numbers. */
const ITSELF = (at: number): number => at;
const NEXT = (at: number): number => at + 1;
const ONE = (): number => 1;

/** By position in the id table and by row: what is known of each, as numbers in pieces. */
interface Claims {
  /** Gives the row that has the given id already, counted from 1, or 0. */
  readonly claim: (claim: Claim) => number;
  readonly rows: () => number;
  /** The index of the n-th row among the rows of its example. */
  readonly repeat: (n: number) => number;
  readonly writing: (n: number) => Writing;
  /** The id and the example of the n-th row; each is overwritten by the next one asked for. */
  readonly id: (n: number) => Uint8Array;
  readonly example: (n: number) => Uint8Array;
  /** sha256 over the set of examples; no more rows come. */
  readonly fingerprint: () => string;
  readonly bytes: () => number;
}

function createClaims(): Claims {
  /** Ids and examples in one table, since a row's id is mostly that of its example. */
  const ids = createIdTable();
  /**
   * By position in the table: how many rows have it as their example, and 1 more than the row that
   * has it as its id.
   */
  const [counts, owners] = [createNumbers(ONE), createNumbers(NEXT)];
  /** By row: position of its id and its example, its repeat index (kept once there is one), how it is written. */
  const [idOf, exampleOf, repeats, marks] = [
    createNumbers(ITSELF),
    createNumbers(ITSELF),
    createNumbers(NONE),
    createNumbers(NONE),
  ];
  const scratch = new Uint8Array(16);
  let rows = 0;
  /** A position that this row put into the table, of which nothing is known yet; else -1. */
  let fresh = -1;
  const isTaken = (id: Uint8Array): boolean => {
    const position = ids.find(id);
    return position !== -1 && position !== fresh && owners.get(position) > 0;
  };
  const claim = (asked: Claim): number => {
    const { example, givenId, writing, index } = asked;
    const known = ids.size();
    const examplePosition = ids.add(example);
    fresh = examplePosition === known ? examplePosition : -1;
    const count = fresh === -1 ? counts.get(examplePosition) : 0;
    const { id, k } = chooseId(asked, count, isTaken);
    const before = ids.size();
    const idPosition = ids.add(id);
    const isNew = idPosition === before || idPosition === fresh;
    const owner = givenId === null || isNew ? 0 : owners.get(idPosition);
    if (idPosition === before) counts.set(idPosition, 0);
    if (fresh !== -1 && fresh !== idPosition) owners.set(fresh, 0);
    owners.set(idPosition, index + 1);
    counts.set(examplePosition, count + 1);
    idOf.set(rows, idPosition);
    exampleOf.set(rows, examplePosition);
    if (k > 0) repeats.set(rows, k);
    marks.set(rows, writing);
    rows += 1;
    return owner;
  };
  return {
    claim,
    rows: () => rows,
    repeat: repeats.get,
    writing: (n) => marks.get(n) as Writing,
    id: (n) => ids.read(idOf.get(n), scratch),
    example: (n) => ids.read(exampleOf.get(n), scratch),
    fingerprint: () => {
      const prefixes = ids.seal((position) => counts.get(position) > 0);
      return createHash("sha256")
        .update(new Uint8Array(prefixes.buffer, 0, prefixes.byteLength))
        .digest("hex");
    },
    bytes: () =>
      [ids, counts, owners, idOf, exampleOf, repeats, marks].reduce(
        (sum, part) => sum + part.bytes(),
        0,
      ),
  };
}

/** The id of a row that is the `count`-th of its example, and its repeat index: given, or the first that nobody has. */
function chooseId(
  { example, givenId, exampleId, repeat, repeatId }: Claim,
  count: number,
  isTaken: (id: Uint8Array) => boolean,
): { readonly id: Uint8Array; readonly k: number } {
  if (givenId !== null) return { id: givenId, k: count };
  const made = (k: number): Uint8Array => (k === 0 ? example : repeatId(k));
  let k = repeat ?? count;
  let id = exampleId !== null && !isTaken(exampleId) ? exampleId : made(k);
  for (let next = count; isTaken(id); next += 1) {
    k = next;
    id = made(k);
  }
  return { id, k };
}

/**
 * Row ids, examples and repeats of one experiment: some 24 bytes a row, and 50 more where rows
 * bring ids of their own or repeat.
 */
export function createIdentities(addDiagnostic: (problem: Diagnostic) => void): Identities {
  const claims = createClaims();
  const inputs = createNameHash();
  const scratch = { example: new Uint8Array(16), repeat: new Uint8Array(16) };
  const canonicalInputs = (read: ReadRow, normal: NormalRow): string => {
    try {
      return canonicalJson(
        read.identity === undefined
          ? stableInputs(normal.content.inputs)
          : cleanJson(read.identity),
      );
    } catch (error) {
      const message = `cannot be written as canonical JSON: ${(error as RangeError).message}`;
      addDiagnostic(rowProblem(read, "inputs", message));
      return `(row ${claims.rows()})`;
    }
  };
  return {
    add: (read, normal) => {
      inputs.write(canonicalInputs(read, normal));
      const { givenId, exampleId, repeat } = normal;
      const owner = claims.claim({
        example: inputs.digest(0, scratch.example),
        givenId,
        exampleId,
        repeat,
        repeatId: (k) => inputs.digest(k, scratch.repeat),
        index: read.place.index,
        writing: writingOf(read, normal),
      });
      if (owner > 0) addDiagnostic(repeatedId(read, givenId!, owner));
      return scratch.example;
    },
    addPlain: ({ example, givenId }, repeatId) =>
      claims.claim({
        example,
        givenId,
        exampleId: null,
        repeat: undefined,
        repeatId,
        writing: givenId === null ? WITHOUT_ID : VERBATIM,
        index: claims.rows(),
      }),
    finish: (read, normal, n, layout) => {
      const { start, end } = placeRow(normal, layout);
      return {
        place: read.place,
        k: claims.repeat(n),
        example: formatUuid(claims.example(n)),
        duration_s: normal.durationUs === null ? null : normal.durationUs / 1e6,
        body: toBody(normal, formatUuid(claims.id(n)), start, end),
      };
    },
    fingerprint: claims.fingerprint,
    writing: claims.writing,
    writeId: (n, into, offset) => writeUuid(claims.id(n), into, offset),
    bytes: claims.bytes,
  };
}

/** An id that was given in another dialect of the same UUID is written anew as well. */
function writingOf(read: ReadRow, { givenId, verbatim }: NormalRow): Writing {
  if (!verbatim) return REWRITTEN;
  if (givenId === null) return WITHOUT_ID;
  return read.row_id === formatUuid(givenId) ? VERBATIM : REWRITTEN;
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
