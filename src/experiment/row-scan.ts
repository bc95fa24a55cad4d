import {
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COLON,
  COMMA,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
} from "../model/json-bytes.ts";
import { isUtf8 } from "node:buffer";
import { canonicalJson } from "../canonical-json.ts";
import { isMissing, MAX_KEY_CHARS } from "./feedback.ts";
import {
  FAILED,
  createWalk,
  isAt,
  passNumber,
  passObject,
  passSpace,
  passString,
  type JsonWalk,
} from "./json-walk.ts";
import { createMembers, type Members } from "./json-members.ts";
import { writeCanonical } from "./canonical-walk.ts";
import { mayHoldMessages } from "./identity.ts";
import { createNameHash, readUuid, type NameHash } from "./row-id.ts";
import { ROW_FIELDS, type RowBody } from "./row.ts";
import { readInstant } from "./timestamp.ts";

/** The numbers that a row was given: no metric stands twice. */
export interface PlainScores {
  /** How many there are; what lies behind them in the arrays is of earlier rows. */
  count: number;
  /** Of each, where in `names` its metric stands. */
  readonly metrics: Uint16Array;
  readonly values: Float64Array;
  /** Metrics in the order in which the file brought them; it grows from row to row. */
  readonly names: readonly string[];
}

/**
 * What the first pass needs of a row that can be sent as it stands. One object serves all rows: it
 * holds until the next is scanned.
 */
export interface PlainRow {
  /** UUIDv5 of the inputs. */
  readonly example: Uint8Array;
  /** Null where the row has none and gets one. */
  givenId: Uint8Array | null;
  startUs: number;
  endUs: number;
  failed: boolean;
  /** Metrics that it has words for and no number, as places in the scores' `names`. */
  readonly worded: number[];
  readonly scores: PlainScores;
}

/** Looks at rows of the document's own format as bytes. */
export interface RowScan {
  /** Whether a row is right as it stands but for, perhaps, its id; false says only that it has to be parsed to know. */
  readonly scan: (bytes: Uint8Array) => boolean;
  readonly row: PlainRow;
  /** The id of the k-th repeat of the row that was scanned last. */
  readonly repeatId: (k: number) => Uint8Array;
}

/** Far below what the parser allows: deeper rows are rare, and left to it. */
const MAX_LEVELS = 50;

type FieldName = keyof RowBody;
interface Scanned extends JsonWalk {
  readonly row: PlainRow;
  readonly given: Uint8Array;
  readonly inputs: NameHash;
  readonly members: Members;
  readonly metrics: Metrics;
}
/** Looks at one field's value; gives the position behind it, or FAILED where the row has to be parsed. */
type Pass = (at: number, of: Scanned) => number;

const passFree: Pass = (at, of) => passObject(of, at, MAX_LEVELS);
const passWords: Pass = (at, of) => {
  const end = passString(of, at);
  return end - at > 2 ? end : FAILED; // an empty text is left out of the row
};
const passTime =
  (put: (row: PlainRow, us: number) => void): Pass =>
  (at, of) => {
    const end = of.octets[at] === QUOTE ? passString(of, at) : FAILED;
    const us = end === FAILED ? Number.NaN : readInstant(of.octets, at + 1, end - 1);
    put(of.row, us);
    return Number.isNaN(us) ? FAILED : end;
  };

/** Cost and tokens are metrics, which only the parser reads. */
const USAGE = Buffer.from('"usage"');

const FIELDS: { readonly [name in FieldName]: Pass } = {
  row_id: (at, of) => {
    if (
      of.octets[at] !== QUOTE ||
      of.octets[at + 37] !== QUOTE ||
      !readUuid(of.octets, at + 1, of.given)
    )
      return FAILED;
    of.row.givenId = of.given;
    return at + 38;
  },
  inputs: passInputs,
  expected_outputs: passFree,
  actual_outputs: passFree,
  evaluation_scores: passScores,
  start_time: passTime((row, us) => {
    row.startUs = us;
  }),
  end_time: passTime((row, us) => {
    row.endUs = us;
  }),
  run_name: (at, of) => (of.octets[at] === QUOTE ? passWords(at, of) : FAILED),
  error: (at, of) => {
    of.row.failed = true;
    return of.octets[at] === QUOTE ? passWords(at, of) : FAILED;
  },
  run_metadata: (at, of) => {
    const end = passFree(at, of);
    const isUsage = end !== FAILED && Buffer.from(of.octets.subarray(at, end)).includes(USAGE);
    return isUsage ? FAILED : end;
  },
};
const NAMES: readonly { readonly name: Uint8Array; readonly pass: Pass; readonly bit: number }[] =
  ROW_FIELDS.map((name, index) => ({
    name: Buffer.from(`${name}"`),
    pass: FIELDS[name],
    bit: 1 << index,
  }));
const REQUIRED = (["inputs", "start_time", "end_time"] as const).reduce(
  (bits, name) => bits | (1 << ROW_FIELDS.indexOf(name)),
  0,
);

/**
 * Buffers are kept from row to row, so one scan serves one file, and nothing of it may be used for
 * two rows at a time.
 */
export function createRowScan(): RowScan {
  const metrics = createMetrics();
  const row: PlainRow = {
    example: new Uint8Array(16),
    givenId: null,
    startUs: 0,
    endUs: 0,
    failed: false,
    worded: [],
    scores: metrics.scores,
  };
  const given = new Uint8Array(16);
  const inputs = createNameHash();
  const members = createMembers();
  let of: Scanned | undefined;
  const scan = (bytes: Uint8Array): boolean => {
    if (of === undefined || of.octets.buffer !== bytes.buffer)
      of = { ...createWalk(bytes), row, given, inputs, members, metrics };
    row.givenId = null;
    row.failed = false;
    row.worded.length = 0;
    metrics.begin();
    of.seen = 0;
    if (
      !passFields(of, bytes.byteOffset, bytes.byteOffset + bytes.length) ||
      row.endUs < row.startUs
    )
      return false;
    if ((of.seen & 128) !== 0 && !isUtf8(bytes)) return false;
    inputs.digest(0, row.example);
    return true;
  };
  const repeated = new Uint8Array(16);
  return { scan, row, repeatId: (k) => inputs.digest(k, repeated) };
}

function passFields(of: Scanned, from: number, to: number): boolean {
  const { octets } = of;
  let found = 0;
  let at = passSpace(of, from);
  if (octets[at] !== OPEN_BRACE) return false;
  for (let next = 0; ; next += 1) {
    at = passSpace(of, at + 1);
    if (octets[at] !== QUOTE) return false;
    // Rows of a file have their fields in one order, mostly the document's: looking begins behind the field before.
    let tried = 0;
    if (next >= NAMES.length) next = 0;
    for (; tried < NAMES.length && !isAt(octets, at + 1, NAMES[next]!.name); tried += 1)
      next = next + 1 < NAMES.length ? next + 1 : 0;
    const field = NAMES[next]!;
    if (tried === NAMES.length || (found & field.bit) !== 0) return false;
    found |= field.bit;
    at = passSpace(of, at + 1 + field.name.length);
    if (octets[at] !== COLON) return false;
    at = field.pass(passSpace(of, at + 1), of);
    if (at === FAILED) return false;
    at = passSpace(of, at);
    if (octets[at] === CLOSE_BRACE)
      return passSpace(of, at + 1) >= to && at < to && (found & REQUIRED) === REQUIRED;
    if (octets[at] !== COMMA) return false;
  }
}

/** The inputs, whose canonical text is kept for the ids. */
function passInputs(from: number, of: Scanned): number {
  of.canonical = true;
  of.sorted = true;
  of.spaces = 0;
  of.initials = 0;
  const to = passObject(of, from, MAX_LEVELS, of.members);
  if (to === FAILED) return FAILED;
  const { inputs, octets, initials } = of;
  if (mayHoldMessages(octets, { from, to, initials })) return FAILED;
  const written = of.canonical
    ? writeCanonical(of, of.members, inputs.room(to - from), inputs.offset)
    : FAILED;
  if (written !== FAILED) {
    inputs.end(written);
    return to;
  }
  try {
    inputs.write(
      canonicalJson(
        JSON.parse(Buffer.from(octets.buffer as ArrayBuffer, from, to - from).toString("utf8")),
      ),
    );
    return to;
  } catch {
    return FAILED; // a lone surrogate: the parser's way names the row
  }
}

/** Most scores of a row that is looked at as bytes. */
const MOST_SCORES = 64;

/** Scores that hold nothing but key, number, words and comment. */
function passScores(from: number, of: Scanned): number {
  const { octets, row, metrics } = of;
  if (octets[from] !== OPEN_BRACKET) return FAILED;
  for (let at = from; ; ) {
    at = passSpace(of, at + 1);
    at = passScore(at, of);
    if (at === FAILED || metrics.metric < 0 || !(metrics.scored || metrics.worded)) return FAILED;
    if (!metrics.put()) return FAILED;
    if (!metrics.scored) {
      if (isMissing(textOf(octets, metrics.wordsFrom, metrics.wordsTo))) return FAILED;
      row.worded.push(metrics.metric);
    }
    at = passSpace(of, at);
    if (octets[at] === CLOSE_BRACKET) return at + 1;
    if (octets[at] !== COMMA) return FAILED;
  }
}

const [KEY, SCORE, VALUE, COMMENT] = ["key", "score", "value", "comment"].map((name) =>
  Buffer.from(`${name}"`),
) as [Buffer, Buffer, Buffer, Buffer];

/** The name of a score's member that stands here, or null. */
function scoreNameAt(octets: Uint8Array, at: number): Buffer | null {
  if (isAt(octets, at, KEY)) return KEY;
  if (isAt(octets, at, SCORE)) return SCORE;
  if (isAt(octets, at, VALUE)) return VALUE;
  return isAt(octets, at, COMMENT) ? COMMENT : null;
}

function passScore(from: number, of: Scanned): number {
  const { octets, metrics } = of;
  metrics.metric = -1;
  metrics.scored = false;
  metrics.worded = false;
  let commented = false;
  let at = from;
  if (octets[at] !== OPEN_BRACE) return FAILED;
  for (;;) {
    at = passSpace(of, at + 1);
    if (octets[at] !== QUOTE) return FAILED;
    at += 1;
    const name = scoreNameAt(octets, at);
    if (name === null) return FAILED;
    at = passSpace(of, at + name.length);
    if (octets[at] !== COLON) return FAILED;
    const begin = passSpace(of, at + 1);
    if (name !== SCORE && octets[begin] !== QUOTE) return FAILED;
    if (name === SCORE) {
      at = passNumber(of, begin);
      if (at === FAILED || metrics.scored) return FAILED;
      metrics.scored = true;
      metrics.score = metrics.numberOf(octets, begin, at);
    } else if (name === KEY) {
      const { escapes } = of;
      at = passString(of, begin);
      if (
        at === FAILED ||
        metrics.metric >= 0 ||
        of.escapes !== escapes ||
        at - begin < 3 ||
        at - begin > MAX_KEY_CHARS
      )
        return FAILED;
      metrics.metric = metrics.find(octets, begin + 1, at - 1);
      if (metrics.metric < 0) return FAILED;
    } else if (name === VALUE) {
      at = passString(of, begin);
      if (at === FAILED || metrics.worded) return FAILED;
      metrics.worded = true;
      metrics.wordsFrom = begin + 1;
      metrics.wordsTo = at - 1;
    } else {
      at = passWords(begin, of);
      if (at === FAILED || commented) return FAILED;
      commented = true;
    }
    at = passSpace(of, at);
    if (octets[at] === CLOSE_BRACE) return at + 1;
    if (octets[at] !== COMMA) return FAILED;
  }
}

/**
 * The score that is being read, and the names that were read before: a file has few, and each
 * becomes a string once.
 */
interface Metrics {
  /** Where in the names its metric stands; -1 before that was read. */
  metric: number;
  score: number;
  scored: boolean;
  worded: boolean;
  /** Where its words stand. */
  wordsFrom: number;
  wordsTo: number;
  readonly scores: PlainScores;
  /** Another row begins. */
  readonly begin: () => void;
  /** Takes the metric into the row, a number behind its numbers; false where the row has that metric, or too many. */
  readonly put: () => boolean;
  /** Where a metric's name stands; -1 where there are too many names. */
  readonly find: (octets: Uint8Array, from: number, to: number) => number;
  readonly numberOf: (octets: Uint8Array, from: number, to: number) => number;
}

const MAX_NAMES = 256;

function createMetrics(): Metrics {
  const known: Uint8Array[] = [];
  const names: string[] = [];
  const scores: PlainScores = {
    count: 0,
    metrics: new Uint16Array(MOST_SCORES),
    values: new Float64Array(MOST_SCORES),
    names,
  };
  /** The row that had each metric last. */
  const lastRow = new Float64Array(MAX_NAMES);
  let rows = 0;
  const isName = (at: number, octets: Uint8Array, from: number, to: number): boolean =>
    known[at]!.length === to - from && isAt(octets, from, known[at]!);
  const find: Metrics["find"] = (octets, from, to) => {
    // Rows of a file have their metrics in one order, so the likely one is looked at first.
    const { count, metrics } = scores;
    const likely = count === 0 ? 0 : metrics[count - 1]! + 1;
    if (likely < known.length && isName(likely, octets, from, to)) return likely;
    for (let at = 0; at < known.length; at += 1) if (isName(at, octets, from, to)) return at;
    if (known.length === MAX_NAMES) return -1;
    names.push(textOf(octets, from, to));
    return known.push(octets.slice(from, to)) - 1;
  };
  const state: Metrics = {
    metric: -1,
    score: 0,
    scored: false,
    worded: false,
    wordsFrom: 0,
    wordsTo: 0,
    scores,
    begin: () => {
      rows += 1;
      scores.count = 0;
    },
    put: () => {
      const { metric, score } = state;
      if (scores.count === MOST_SCORES || lastRow[metric] === rows) return false;
      lastRow[metric] = rows;
      if (!state.scored) return true;
      scores.metrics[scores.count] = metric;
      scores.values[scores.count] = score;
      scores.count += 1;
      return true;
    },
    find,
    numberOf,
  };
  return state;
}

function textOf(octets: Uint8Array, from: number, to: number): string {
  return Buffer.from(octets.buffer as ArrayBuffer, from, to - from).toString("utf8");
}

/** Few digits are read here; the rest is left to the engine, which rounds as the parser does. */
function numberOf(octets: Uint8Array, from: number, to: number): number {
  if (to - from > 9) return Number(textOf(octets, from, to));
  let [digits, scale] = [0, 0];
  for (let at = from; at < to; at += 1) {
    const byte = octets[at]!;
    if (byte === 46) scale = 1;
    else if (byte !== 45) {
      digits = digits * 10 + byte - 48;
      scale *= 10;
    }
  }
  const size = scale === 0 ? digits : digits / scale;
  return octets[from] === 45 ? -size : size;
}
