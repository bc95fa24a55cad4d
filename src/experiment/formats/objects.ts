import { streamJsonArray } from "../json-array.ts";
import { parseLenientBytes } from "../lenient-json.ts";
import { refusal } from "../diagnostic.ts";
import { streamLines } from "../text-lines.ts";
import type { InputFile } from "../input-file.ts";
import type { Head, PlacedText } from "./format.ts";

/** One JSON value of a file, where it stands. */
export interface PlacedValue {
  readonly value: unknown;
  readonly line: number;
  /** From 0. */
  readonly index: number;
  /** NaN or Infinity stand in its text. */
  readonly bareTokens?: true;
}

/** JSON values of a file as they are written, some at a time; a batch's bytes hold only until the next is asked for. */
export interface TextBatch {
  readonly texts: readonly (PlacedText & { readonly line: number })[];
  /** Parses the n-th of them, from 0; throws a ProblemError where it is not JSON. */
  readonly parse: (n: number) => PlacedValue;
}

/** JSON values of a file some at a time, and what surrounds them. */
export interface ValueStream {
  readonly batches: () => AsyncIterable<readonly PlacedValue[]>;
  /** The same values unparsed. */
  readonly texts: () => AsyncIterable<TextBatch>;
  /** The value that stands at a place of the file; null where it does not any more. */
  readonly readAt: (from: number, bytes: number) => PlacedValue | null;
  /** The document around the values; undefined for JSONL. Known once `batches` has ended. */
  readonly rest: () => unknown;
}

const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];

function isMarked(bytes: Uint8Array | null | undefined): boolean {
  return BYTE_ORDER_MARK.every((byte, at) => bytes?.[at] === byte);
}

/** The file's bytes without a byte order mark. */
export async function* utf8Chunks(
  file: InputFile,
  how?: { readonly reuse: boolean },
): AsyncGenerator<Uint8Array> {
  let first = true;
  for await (const chunk of file.chunks(how)) {
    const marked = first && isMarked(chunk);
    first = false;
    yield marked ? chunk.subarray(BYTE_ORDER_MARK.length) : chunk;
  }
}

/**
 * Values of JSONL line by line, of a root array, or of the array at `path`; a document without that
 * array is one value itself when `orRoot` says so.
 */
export function streamValues(
  file: InputFile,
  head: Head,
  path: readonly string[],
  orRoot = false,
): ValueStream {
  let rest: unknown;
  const parse = (bytes: Buffer, line: number, index: number): PlacedValue => {
    const parsed = parseLenientBytes(bytes);
    if (parsed.problem !== undefined)
      throw refusal(
        { file: file.name, line, path: `[${index}]` },
        `row ${index + 1} ${parsed.problem}; let the run that wrote it write it again, or remove the row`,
      );
    return { value: parsed.value, line, index, ...(parsed.bareTokens ? { bareTokens: true } : {}) };
  };
  async function* texts(): AsyncGenerator<TextBatch> {
    let count = 0;
    const toBatch = (pieces: TextBatch["texts"]): TextBatch => {
      const first = count;
      count += pieces.length;
      return { texts: pieces, parse: (n) => parse(pieces[n]!.bytes, pieces[n]!.line, first + n) };
    };
    if (head.container === "jsonl") {
      for await (const lines of streamLines(file.name, utf8Chunks(file, { reuse: true })))
        yield toBatch(lines);
      return;
    }
    const stream = streamJsonArray(
      file.name,
      utf8Chunks(file, { reuse: true }),
      head.rootIsArray ? [] : path,
    );
    for await (const items of stream.batches) yield toBatch(items);
    rest = stream.rest();
    if (stream.found()) return;
    if (!orRoot) throw refusal({ file: file.name }, `the file has no array "${path.join(".")}"`);
    const root = rest;
    yield {
      texts: [{ bytes: Buffer.alloc(0), line: 1 }],
      parse: () => ({ value: root, line: 1, index: 0 }),
    };
  }
  async function* batches(): AsyncGenerator<readonly PlacedValue[]> {
    for await (const batch of texts()) yield batch.texts.map((_, n) => batch.parse(n));
  }
  let marked: boolean | undefined;
  const readAt = (from: number, length: number): PlacedValue | null => {
    marked ??= isMarked(file.bytesAt?.(0, BYTE_ORDER_MARK.length));
    const bytes = file.bytesAt?.(from + (marked ? BYTE_ORDER_MARK.length : 0), length);
    const parsed = bytes === undefined || bytes === null ? null : parseLenientBytes(bytes);
    if (parsed === null || parsed.problem !== undefined) return null;
    return { value: parsed.value, line: 0, index: 0 };
  };
  return { batches, texts, readAt, rest: () => rest };
}
