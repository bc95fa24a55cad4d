import type { InputFile } from "../input-file.ts";

/** How much of a string stays; no key, and no word that a format is told by, is as long. */
const KEPT_BYTES = 8 * 1024;
/** Behind this much of a file nothing is looked for. */
const MAX_BYTES = 64 * 1024 * 1024;

const [QUOTE, BACKSLASH, LETTER_U] = [0x22, 0x5c, 0x75];
/** Bytes of a letter behind its first, in UTF-8. */
const continuesLetter = (byte: number): boolean => byte >= 0x80 && byte < 0xc0;

/** Copies JSON and cuts its strings short; what was cut stays JSON. */
function createAbridger(into: Buffer) {
  let length = 0;
  let isString = false;
  let inString = 0;
  /** Bytes of an escape sequence that are still to come. */
  let pending = 0;
  const step = (byte: number): void => {
    const isCut = inString >= KEPT_BYTES && pending === 0 && !continuesLetter(byte);
    if (isCut) inString = Infinity;
    if (pending > 0) pending += byte === LETTER_U && pending === 1 ? 3 : -1;
    else if (isString && byte === BACKSLASH) pending = 1;
    else if (byte === QUOTE) {
      isString = !isString;
      inString = 0;
    }
    if (isString) inString += 1;
    if (inString !== Infinity && length < into.length) into[length++] = byte;
  };
  return {
    /** Whether there is room for more. */
    push(chunk: Uint8Array): boolean {
      for (const byte of chunk) step(byte);
      return length < into.length;
    },
    text: () =>
      into
        .subarray(0, length)
        .toString("utf8")
        .replace(/^\uFEFF/, ""),
  };
}

/**
 * The beginning of a file of JSON with its long strings cut short, `maxBytes` of it: a long text in
 * the first row would hide the fields behind it.
 */
export async function readAbridged(file: InputFile, maxBytes: number): Promise<string> {
  const abridger = createAbridger(Buffer.allocUnsafe(maxBytes));
  let left = MAX_BYTES;
  for await (const chunk of file.chunks({ reuse: true })) {
    left -= chunk.length;
    if (!abridger.push(chunk) || left <= 0) break;
  }
  return abridger.text();
}
