import { refusal } from "./diagnostic.ts";
import { MAX_DEPTH, MAX_TEXT_BYTES, parseLenientBytes } from "./lenient-json.ts";

/** One element of the array that is streamed, still as bytes. */
export interface JsonItem {
  readonly bytes: Buffer;
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

const QUOTE = 34,
  BACKSLASH = 92,
  COMMA = 44,
  OPEN_BRACE = 123,
  CLOSE_BRACE = 125,
  OPEN_BRACKET = 91,
  CLOSE_BRACKET = 93,
  NEWLINE = 10;

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

/** A byte machine: it knows strings, brackets and, down to the path, keys; everything else is left to the JSON parser. */
function createSplitter(file: string, path: readonly string[]): Splitter {
  let depth = 0;
  let inString = false;
  let escaped = false;
  let line = 1;
  /** Depth inside the streamed array, or -1 outside of it. */
  let arrayDepth = -1;
  let seen = false;
  /** How many keys of the path the open objects match. */
  let matched = 0;
  let keyNext = false;
  let keyMatches = false;
  let key: Buffer[] | null = null;
  let itemLine = 1;
  /** Whether the array's first element has been cut. */
  let itemSeen = false;
  let held: Buffer[] = [];
  let heldBytes = 0;
  const skeleton: Buffer[] = [];
  let skeletonBytes = 0;

  const tooLong = (): Error =>
    refusal(
      { file, line: itemLine },
      `one value is longer than ${MAX_TEXT_BYTES / 1024 / 1024} MiB; that is no row`,
    );
  const keep = (bytes: Buffer): void => {
    skeletonBytes += bytes.length;
    if (skeletonBytes > MAX_TEXT_BYTES) throw tooLong();
    skeleton.push(Buffer.from(bytes));
  };
  const hold = (bytes: Buffer): void => {
    heldBytes += bytes.length;
    if (heldBytes > MAX_TEXT_BYTES) throw tooLong();
    held.push(bytes);
  };
  const take = (bytes: Buffer): Buffer => {
    if (held.length === 0) return bytes;
    const whole = Buffer.concat([...held, bytes]);
    held = [];
    heldBytes = 0;
    return whole;
  };
  const open = (): void => {
    depth += 1;
    if (depth > MAX_DEPTH)
      throw refusal({ file, line }, `the file nests deeper than ${MAX_DEPTH} levels`);
  };
  /** Goes through a string from inside of it; gives the position behind its closing quote, or the chunk's end. */
  const passString = (chunk: Buffer, from: number): number => {
    const end = findQuote(chunk, from);
    inString = end >= chunk.length;
    escaped = end > chunk.length;
    if (key !== null) {
      key.push(Buffer.from(chunk.subarray(from, end)));
      if (key.length > 64) key = null;
      else if (!inString) {
        keyMatches =
          parseLenientBytes(Buffer.concat([QUOTES, ...key, QUOTES])).value === path[matched];
        key = null;
      }
    }
    return inString ? chunk.length : end + 1;
  };

  const push = (chunk: Buffer): JsonItem[] => {
    const items: JsonItem[] = [];
    let start = 0;
    let at = inString ? passString(chunk, escaped ? 1 : 0) : 0;
    const cut = (end: number, last: boolean): void => {
      const bytes = take(chunk.subarray(start, end));
      if (!(last && !itemSeen && isBlank(bytes))) items.push({ bytes, line: itemLine });
      itemSeen = true;
      start = end + 1;
      itemLine = line;
    };
    while (at < chunk.length) {
      at = findMeaning(chunk, at);
      switch (chunk[at]) {
        case QUOTE:
          key =
            arrayDepth < 0 && keyNext && depth === matched + 1 && matched < path.length ? [] : null;
          keyNext = false;
          at = passString(chunk, at + 1);
          continue;
        case OPEN_BRACE:
          open();
          if (arrayDepth < 0) {
            if (depth === 1 && path.length > 0) keyNext = true;
            else if (keyMatches && depth === matched + 2 && matched + 1 < path.length) {
              matched += 1;
              keyNext = true;
            }
            keyMatches = false;
          }
          break;
        case OPEN_BRACKET:
          open();
          if (
            arrayDepth < 0 &&
            (path.length === 0
              ? depth === 1
              : keyMatches && depth === matched + 2 && matched + 1 === path.length)
          ) {
            if (seen)
              throw refusal(
                { file, line },
                path.length === 0
                  ? "a second list follows the first; keep one in a file"
                  : `"${path.join(".")}" stands twice in the file; keep one`,
              );
            seen = true;
            arrayDepth = depth;
            keep(chunk.subarray(start, at + 1));
            start = at + 1;
            itemLine = line;
            itemSeen = false;
          }
          keyMatches = false;
          break;
        case CLOSE_BRACE:
          depth -= 1;
          if (arrayDepth < 0 && depth <= matched && matched > 0) matched -= 1;
          break;
        case CLOSE_BRACKET:
          if (depth === arrayDepth) {
            cut(at, true);
            start = at;
            arrayDepth = -1;
          }
          depth -= 1;
          break;
        case COMMA:
          if (depth === arrayDepth) cut(at, false);
          else if (arrayDepth < 0) {
            keyMatches = false;
            if (depth === matched + 1) keyNext = true;
          }
          break;
        case NEWLINE:
          line += 1;
          break;
      }
      at += 1;
    }
    if (arrayDepth >= 0) hold(Buffer.from(chunk.subarray(start)));
    else keep(chunk.subarray(start));
    return items;
  };
  return {
    push,
    rest: () => Buffer.concat(arrayDepth >= 0 ? [...skeleton, ...held] : skeleton),
    line: () => line,
    found: () => seen,
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
