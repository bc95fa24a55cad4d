import { parseLenientBytes, ownAt } from "../input/lenient-json.ts";
import { refusal } from "../input/diagnostic.ts";
import { streamLines } from "../input/text-lines.ts";
import type { InputFile } from "../input/input-file.ts";
import type { Head } from "./format.ts";

/** One JSON value of a file, with its place. */
export interface PlacedValue {
  readonly value: unknown;
  /** Line of JSONL; 0 in a document, whose parser does not count lines. */
  readonly line: number;
  /** From 0. */
  readonly index: number;
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

/** How many values of a document form a batch. */
const BATCH = 256;

/** The whole of a file that is one JSON document. */
export function documentOf({ name, container, document }: Head): unknown {
  if (container === "json") return document;
  throw refusal(
    { file: name },
    `the file is ${container === "zip" ? "a zip" : container.toUpperCase()}, and this format is one JSON document`,
  );
}

/**
 * Batches of values: the lines of JSONL, the items of a root array, or of the array at `path`. A
 * document without that array is one value if `orRoot` is set.
 */
export async function* valuesOf(
  head: Head,
  path: readonly string[],
  orRoot = false,
): AsyncGenerator<readonly PlacedValue[]> {
  if (head.container === "jsonl") return yield* lineValues(head.file);
  const document = documentOf(head);
  const found = Array.isArray(document) ? document : ownAt(document, ...path);
  if (!Array.isArray(found) && !orRoot)
    throw refusal({ file: head.name }, `the file has no array "${path.join(".")}"`);
  const values: readonly unknown[] = Array.isArray(found) ? found : [document];
  for (let at = 0; at < values.length; at += BATCH)
    yield values.slice(at, at + BATCH).map((value, n) => ({ value, line: 0, index: at + n }));
}

/** Batches of values from the lines of JSONL. */
export async function* lineValues(file: InputFile): AsyncGenerator<readonly PlacedValue[]> {
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
