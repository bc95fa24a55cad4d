import { refusal } from "./diagnostic.ts";
import {
  BACKSLASH,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COMMA,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
} from "../model/json-bytes.ts";
import { MAX_DEPTH, MAX_TEXT_BYTES, parseLenientBytes } from "./lenient-json.ts";

/** One element of the array that is streamed, still as bytes. */
export interface JsonItem {
  readonly bytes: Buffer;
  /** Where it begins, counted from the first chunk. */
  readonly at: number;
  readonly line: number;
}

/** A JSON document read as a stream: its one big array element by element, and all the rest as one value. */
export interface JsonArrayStream {
  /** Elements in file order, some at a time; to be iterated once, to its end. */
  readonly batches: AsyncIterable<readonly JsonItem[]>;
  /** The document with that array empty; known once `batches` has ended. */
  readonly rest: () => unknown;
  /** Whether the array was there. */
  readonly found: () => boolean;
}

const NEWLINE = 10;

/**
 * Splits the array at a path of keys (empty: the root) out of a JSON document of any size. Memory is bounded by the longest
 * element plus the rest. Exact: what it cuts is handed to a JSON parser, so that a malformed document never passes.
 */
export function streamJsonArray(
  file: string,
  chunks: AsyncIterable<Uint8Array>,
  path: readonly string[],
): JsonArrayStream {
  let rest: unknown;
  let found = false;
  async function* batches(): AsyncGenerator<readonly JsonItem[]> {
    const splitter = createSplitter(file, path);
    for await (const chunk of chunks) {
      const items = splitter.push(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength));
      if (items.length > 0) yield items;
    }
    const parsed = parseLenientBytes(splitter.rest());
    if (parsed.problem !== undefined)
      throw refusal(
        { file, line: splitter.line() },
        `the file ${parsed.problem}; write it whole again`,
      );
    rest = parsed.value;
    found = splitter.found();
  }
  return { batches: batches(), rest: () => rest, found: () => found };
}

interface Splitter {
  readonly push: (chunk: Buffer) => JsonItem[];
  readonly rest: () => Buffer;
  readonly line: () => number;
  readonly found: () => boolean;
}

/** Where the byte machine stands in its document. */
interface Split {
  readonly file: string;
  readonly path: readonly string[];
  readonly kept: Kept;
  depth: number;
  inString: boolean;
  escaped: boolean;
  line: number;
  /** Depth inside the streamed array, or -1 outside of it. */
  arrayDepth: number;
  seen: boolean;
  /** How many keys of the path the open objects match. */
  matched: number;
  keyNext: boolean;
  keyMatches: boolean;
  key: Buffer[] | null;
  itemLine: number;
  /** Where the element that is read begins, and where this chunk does. */
  itemAt: number;
  chunkAt: number;
  /** Whether the array's first element has been cut. */
  itemSeen: boolean;
  chunk: Buffer;
  /** Where in the chunk what has not been cut yet begins. */
  start: number;
  items: JsonItem[];
}

/** A byte machine: it knows strings, brackets and, down to the path, keys; everything else is left to the JSON parser. */
function createSplitter(file: string, path: readonly string[]): Splitter {
  const split: Split = {
    file,
    path,
    kept: createKept((line) =>
      refusal(
        { file, line },
        `one value is longer than ${MAX_TEXT_BYTES / 1024 / 1024} MiB; that is not a row`,
      ),
    ),
    depth: 0,
    inString: false,
    escaped: false,
    line: 1,
    arrayDepth: -1,
    seen: false,
    matched: 0,
    keyNext: false,
    keyMatches: false,
    key: null,
    itemLine: 1,
    itemAt: 0,
    chunkAt: 0,
    itemSeen: false,
    chunk: Buffer.alloc(0),
    start: 0,
    items: [],
  };
  return {
    push: (chunk) => pushChunk(split, chunk),
    rest: () => split.kept.rest(split.arrayDepth >= 0),
    line: () => split.line,
    found: () => split.seen,
  };
}

function pushChunk(split: Split, chunk: Buffer): JsonItem[] {
  split.chunk = chunk;
  split.start = 0;
  split.items = [];
  let at = split.inString ? passString(split, split.escaped ? 1 : 0) : 0;
  while (at < chunk.length) {
    at = findMeaning(chunk, at);
    if (chunk[at] === QUOTE) {
      beginString(split);
      at = passString(split, at + 1);
      continue;
    }
    passMark(split, at);
    at += 1;
  }
  const left = chunk.subarray(split.start);
  if (split.arrayDepth >= 0) split.kept.hold(Buffer.from(left), split.itemLine);
  else split.kept.keep(left, split.itemLine);
  split.chunkAt += chunk.length;
  return split.items;
}

function passMark(split: Split, at: number): void {
  switch (split.chunk[at]) {
    case OPEN_BRACE:
      openObject(split);
      break;
    case OPEN_BRACKET:
      openList(split, at);
      break;
    case CLOSE_BRACE:
      split.depth -= 1;
      if (split.arrayDepth < 0 && split.depth <= split.matched && split.matched > 0)
        split.matched -= 1;
      break;
    case CLOSE_BRACKET:
      closeList(split, at);
      break;
    case COMMA:
      passComma(split, at);
      break;
    case NEWLINE:
      split.line += 1;
      break;
  }
}

/** A string begins: it may be the next key of the path. */
function beginString(split: Split): void {
  const { arrayDepth, keyNext, depth, matched, path } = split;
  const mayBeKey = arrayDepth < 0 && keyNext && depth === matched + 1 && matched < path.length;
  split.key = mayBeKey ? [] : null;
  split.keyNext = false;
}

/** Goes through a string from inside of it; gives the position behind its closing quote, or the chunk's end. */
function passString(split: Split, from: number): number {
  const { chunk, key } = split;
  const end = findQuote(chunk, from);
  split.inString = end >= chunk.length;
  split.escaped = end > chunk.length;
  if (key !== null) {
    key.push(Buffer.from(chunk.subarray(from, end)));
    if (key.length > 64) split.key = null;
    else if (!split.inString) {
      const { value } = parseLenientBytes(Buffer.concat([QUOTES, ...key, QUOTES]));
      split.keyMatches = value === split.path[split.matched];
      split.key = null;
    }
  }
  return split.inString ? chunk.length : end + 1;
}

function goDeeper(split: Split): void {
  split.depth += 1;
  if (split.depth > MAX_DEPTH)
    throw refusal(
      { file: split.file, line: split.line },
      `the file nests deeper than ${MAX_DEPTH} levels`,
    );
}

function openObject(split: Split): void {
  goDeeper(split);
  if (split.arrayDepth >= 0) return;
  const { depth, matched, path } = split;
  if (depth === 1 && path.length > 0) split.keyNext = true;
  else if (split.keyMatches && depth === matched + 2 && matched + 1 < path.length) {
    split.matched += 1;
    split.keyNext = true;
  }
  split.keyMatches = false;
}

function isStreamed({ arrayDepth, depth, matched, path, keyMatches }: Split): boolean {
  if (arrayDepth >= 0) return false;
  if (path.length === 0) return depth === 1;
  return keyMatches && depth === matched + 2 && matched + 1 === path.length;
}

function openList(split: Split, at: number): void {
  goDeeper(split);
  if (isStreamed(split)) beginArray(split, at);
  split.keyMatches = false;
}

function beginArray(split: Split, at: number): void {
  const { file, line, path } = split;
  if (split.seen)
    throw refusal(
      { file, line },
      path.length === 0
        ? "a second list follows the first; keep one in a file"
        : `"${path.join(".")}" stands twice in the file; keep one`,
    );
  split.seen = true;
  split.arrayDepth = split.depth;
  split.kept.keep(split.chunk.subarray(split.start, at + 1), split.itemLine);
  split.start = at + 1;
  split.itemAt = split.chunkAt + at + 1;
  split.itemLine = line;
  split.itemSeen = false;
}

function closeList(split: Split, at: number): void {
  if (split.depth === split.arrayDepth) {
    cutItem(split, at, true);
    split.start = at;
    split.arrayDepth = -1;
  }
  split.depth -= 1;
}

function passComma(split: Split, at: number): void {
  if (split.depth === split.arrayDepth) cutItem(split, at, false);
  else if (split.arrayDepth < 0) {
    split.keyMatches = false;
    if (split.depth === split.matched + 1) split.keyNext = true;
  }
}

function cutItem(split: Split, end: number, last: boolean): void {
  const bytes = split.kept.take(split.chunk.subarray(split.start, end));
  if (!(last && !split.itemSeen && isBlank(bytes)))
    split.items.push({ bytes, line: split.itemLine, at: split.itemAt });
  split.itemSeen = true;
  split.start = end + 1;
  split.itemAt = split.chunkAt + end + 1;
  split.itemLine = split.line;
}

/** Bytes that outlive their chunk: those of the element that is not whole yet, and those around the array. */
interface Kept {
  readonly keep: (bytes: Buffer, line: number) => void;
  readonly hold: (bytes: Buffer, line: number) => void;
  /** The held bytes and these, as one; nothing is held any more. */
  readonly take: (bytes: Buffer) => Buffer;
  readonly rest: (withHeld: boolean) => Buffer;
}

function createKept(tooLong: (line: number) => Error): Kept {
  let held: Buffer[] = [];
  let heldBytes = 0;
  const skeleton: Buffer[] = [];
  let skeletonBytes = 0;
  return {
    keep: (bytes, line) => {
      skeletonBytes += bytes.length;
      if (skeletonBytes > MAX_TEXT_BYTES) throw tooLong(line);
      skeleton.push(Buffer.from(bytes));
    },
    hold: (bytes, line) => {
      heldBytes += bytes.length;
      if (heldBytes > MAX_TEXT_BYTES) throw tooLong(line);
      held.push(bytes);
    },
    take: (bytes) => {
      if (held.length === 0) return bytes;
      const whole = Buffer.concat([...held, bytes]);
      held = [];
      heldBytes = 0;
      return whole;
    },
    rest: (withHeld) => Buffer.concat(withHeld ? [...skeleton, ...held] : skeleton),
  };
}

const QUOTES = Buffer.from('"');

/** Bytes of a string looked at one by one before the native search, which costs more to begin, takes over. */
const SHORT_STRING = 24;

/** Position of the quote that closes a string; at least the length where it is not in this chunk, more where the chunk ends in a backslash. */
function findQuote(chunk: Buffer, from: number): number {
  let at = from;
  for (const end = Math.min(chunk.length, from + SHORT_STRING); at < end; ) {
    const byte = chunk[at];
    if (byte === QUOTE) return at;
    at += byte === BACKSLASH ? 2 : 1;
  }
  for (;;) {
    if (at >= chunk.length) return at;
    const quote = chunk.indexOf(QUOTE, at);
    const end = quote < 0 ? chunk.length : quote;
    let backslashes = 0;
    while (end - backslashes > at && chunk[end - backslashes - 1] === BACKSLASH) backslashes += 1;
    const escapes = backslashes % 2 === 1;
    if (quote < 0) return escapes ? end + 1 : end;
    if (!escapes) return quote;
    at = quote + 1;
  }
}

/** Bytes outside of strings that mean nothing to the splitter. */
const PLAIN = Uint8Array.from({ length: 256 }, (_, byte) =>
  [QUOTE, COMMA, OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET, NEWLINE].includes(byte)
    ? 0
    : 1,
);

function findMeaning(chunk: Buffer, from: number): number {
  let at = from;
  while (at < chunk.length && PLAIN[chunk[at]!] === 1) at += 1;
  return at;
}

function isBlank(bytes: Buffer): boolean {
  for (const byte of bytes)
    if (byte !== 32 && byte !== 9 && byte !== 10 && byte !== 13) return false;
  return true;
}
