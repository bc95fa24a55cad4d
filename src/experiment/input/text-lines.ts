import { refusal } from "./diagnostic.ts";
import { MAX_TEXT_BYTES } from "./lenient-json.ts";

/** One line of a file without its end, as bytes. */
export interface TextLine {
  readonly bytes: Buffer;
  readonly line: number;
}

/**
 * How much of a file becomes rows together. The more rows outlive a collection of V8's young
 * generation, the more it grows: with 256 KB by 100 MB on Node 24 (a million CSV rows).
 */
export const BATCH_BYTES = 4 * 1024;

const isSpace = (byte: number): boolean => byte === 32 || byte === 9 || byte === 13;

/** Batches of lines of a file; skips blank ones, and rejects one beyond 64 MiB before it is in memory. */
export async function* streamLines(
  file: string,
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<readonly TextLine[]> {
  let held: Buffer[] = [];
  let heldBytes = 0;
  let line = 0;
  const take = (last: Buffer): TextLine | null => {
    line += 1;
    const bytes = held.length === 0 ? last : Buffer.concat([...held, last]);
    held = [];
    heldBytes = 0;
    return bytes.every(isSpace) ? null : { bytes, line };
  };
  for await (const chunk of chunks) {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    let lines: TextLine[] = [];
    let [start, begin] = [0, 0];
    for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, start)) {
      const found = take(bytes.subarray(start, end));
      if (found !== null) lines.push(found);
      start = end + 1;
      if (start - begin < BATCH_BYTES) continue;
      if (lines.length > 0) yield lines;
      [lines, begin] = [[], start];
    }
    const tail = bytes.subarray(start);
    heldBytes += tail.length;
    if (heldBytes > MAX_TEXT_BYTES)
      throw refusal(
        { file, line: line + 1 },
        `the line is longer than ${MAX_TEXT_BYTES / 1024 / 1024} MiB; that is not a row`,
      );
    if (tail.length > 0) held.push(Buffer.from(tail));
    if (lines.length > 0) yield lines;
  }
  const last = held.length > 0 ? take(Buffer.alloc(0)) : null;
  if (last !== null) yield [last];
}
