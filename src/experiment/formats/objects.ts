import { streamJsonArray } from "../json-array.ts";
import { parseLenientBytes } from "../lenient-json.ts";
import { refusal } from "../problem.ts";
import { streamLines } from "../text-lines.ts";
import type { InputFile } from "../input-file.ts";
import type { Head } from "./format.ts";

/** One JSON value of a file, where it stands. */
export interface PlacedValue {
  readonly value: unknown;
  readonly line: number;
  /** From 0. */
  readonly index: number;
}

/** One JSON value of a file as it is written. */
export interface PlacedText {
  readonly bytes: Buffer;
  readonly index: number;
  /** Parses it; throws a ProblemError where it is no JSON. */
  readonly parse: () => PlacedValue;
}

/** JSON values of a file some at a time, and what surrounds them. */
export interface ValueStream {
  readonly batches: () => AsyncIterable<readonly PlacedValue[]>;
  /** The same values unparsed: each batch's bytes hold only until the next is asked for. */
  readonly texts: () => AsyncIterable<readonly PlacedText[]>;
  /** The document around the values; undefined for JSONL. Known once `batches` has ended. */
  readonly rest: () => unknown;
}

/** The file's bytes without a byte order mark. */
export async function* utf8Chunks(file: InputFile, how?: { readonly reuse: boolean }): AsyncGenerator<Uint8Array> {
  let first = true;
  for await (const chunk of file.chunks(how)) {
    const marked = first && chunk[0] === 0xef && chunk[1] === 0xbb && chunk[2] === 0xbf;
    first = false;
    yield marked ? chunk.subarray(3) : chunk;
  }
}

/** Values of JSONL line by line, of a root array, or of the array at `path`; a document without that array is one value itself when `orRoot` says so. */
export function streamValues(file: InputFile, head: Head, path: readonly string[], orRoot = false): ValueStream {
  let rest: unknown;
  const parse = (bytes: Buffer, line: number, index: number): PlacedValue => {
    const parsed = parseLenientBytes(bytes);
    if (parsed.problem !== undefined) throw refusal({ file: file.name, line, path: `[${index}]` }, `row ${index + 1} ${parsed.problem}`);
    return { value: parsed.value, line, index };
  };
  async function* texts(): AsyncGenerator<readonly PlacedText[]> {
    let index = 0;
    const placed = ({ bytes, line }: { readonly bytes: Buffer; readonly line: number }): PlacedText => {
      const at = index++;
      return { bytes, index: at, parse: () => parse(bytes, line, at) };
    };
    if (head.container === "jsonl") {
      for await (const lines of streamLines(file.name, utf8Chunks(file, { reuse: true }))) yield lines.map(placed);
      return;
    }
    const stream = streamJsonArray(file.name, utf8Chunks(file, { reuse: true }), head.rootIsArray ? [] : path);
    for await (const items of stream.batches) yield items.map(placed);
    rest = stream.rest();
    if (stream.found()) return;
    if (!orRoot) throw refusal({ file: file.name }, `the file has no array "${path.join(".")}"`);
    const root = rest;
    yield [{ bytes: Buffer.alloc(0), index: 0, parse: () => ({ value: root, line: 1, index: 0 }) }];
  }
  async function* batches(): AsyncGenerator<readonly PlacedValue[]> {
    for await (const batch of texts()) yield batch.map(({ parse: parseText }) => parseText());
  }
  return { batches, texts, rest: () => rest };
}
