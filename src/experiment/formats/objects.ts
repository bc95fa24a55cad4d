import { parseLenientBytes } from "../input/lenient-json.ts";
import { refusal } from "../input/diagnostic.ts";
import { isObject } from "../../model/json.ts";
import { streamLines } from "../input/text-lines.ts";
import type { InputFile } from "../input/input-file.ts";
import type { Head } from "./format.ts";
import { own, ownAt } from "../input/lenient-json.ts";

/** One JSON value of a file, where it is. */
export interface PlacedValue {
  readonly value: unknown;
  /** Of a line of JSONL; 0 in a document, whose parser knows no lines. */
  readonly line: number;
  /** From 0. */
  readonly index: number;
}

/** JSON values of a file some at a time, and what surrounds them. */
export interface ValueStream {
  readonly batches: () => AsyncIterable<readonly PlacedValue[]>;
  /** The document around the values; undefined for JSONL. */
  readonly rest: () => unknown;
}

const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];

/** The file's bytes without a byte order mark. */
export async function* utf8Chunks(file: InputFile): AsyncGenerator<Uint8Array> {
  let first = true;
  for await (const chunk of file.chunks()) {
    const marked = first && BYTE_ORDER_MARK.every((byte, at) => chunk[at] === byte);
    first = false;
    yield marked ? chunk.subarray(BYTE_ORDER_MARK.length) : chunk;
  }
}

/** Values of a document that are handed out at a time. */
const BATCH = 256;

/** All of a file that is one JSON document. */
export function documentOf(file: InputFile, head: Head): unknown {
  if (head.container === "json") return head.document;
  throw refusal(
    { file: file.name },
    `the file is ${head.container === "zip" ? "a zip" : head.container.toUpperCase()}, and this format is one JSON document`,
  );
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
  const { document } = head;
  async function* items(): AsyncGenerator<readonly PlacedValue[]> {
    documentOf(file, head);
    const found = Array.isArray(document) ? document : ownAt(document, ...path);
    if (!Array.isArray(found)) {
      if (!orRoot) throw refusal({ file: file.name }, `the file has no array "${path.join(".")}"`);
      yield [{ value: document, line: 0, index: 0 }];
      return;
    }
    for (let at = 0; at < found.length; at += BATCH)
      yield found
        .slice(at, at + BATCH)
        .map((value: unknown, n) => ({ value, line: 0, index: at + n }));
  }
  return {
    batches: head.container === "jsonl" ? () => lineValues(file) : items,
    rest: () => (Array.isArray(document) ? [] : withoutItems(document, path)),
  };
}

async function* lineValues(file: InputFile): AsyncGenerator<readonly PlacedValue[]> {
  let index = 0;
  for await (const lines of streamLines(file.name, utf8Chunks(file)))
    yield lines.map(({ bytes, line }): PlacedValue => {
      const parsed = parseLenientBytes(bytes);
      if (parsed.problem !== undefined)
        throw refusal(
          { file: file.name, line, path: `[${index}]` },
          `row ${index + 1} ${parsed.problem}; let the run that wrote it write it again, or remove the row`,
        );
      return { value: parsed.value, line, index: index++ };
    });
}

/** The document around the values: it has none. */
function withoutItems(document: unknown, path: readonly string[]): unknown {
  const [key, ...below] = path;
  if (key === undefined || !isObject(document) || !Object.hasOwn(document, key)) return document;
  const inner = below.length === 0 ? [] : withoutItems(own(document, key), below);
  if (below.length === 0 && !Array.isArray(document[key])) return document;
  return { ...document, [key]: inner };
}
