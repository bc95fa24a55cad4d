import type { Json } from "../../model/json.ts";

/** Bytes that JSON is made of, as UTF-8 has them. */
export const QUOTE = 34,
  BACKSLASH = 92,
  COMMA = 44,
  COLON = 58,
  OPEN_BRACE = 123,
  CLOSE_BRACE = 125,
  OPEN_BRACKET = 91,
  CLOSE_BRACKET = 93;

const isSpace = (byte: number): boolean =>
  byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

/**
 * Reads one JSON object piece by piece; memory holds one element of the list and what is next to
 * it, never the list.
 */
export interface RowScanner {
  /** Throws a SyntaxError on an element that is not JSON. */
  readonly write: (chunk: Uint8Array) => void;
  /**
   * The object with an empty list in place of the one that was read; throws a SyntaxError where the
   * text is not JSON.
   */
  readonly end: () => Json;
}

/** The rows of the list, from the pieces their text came in. */
function createRowReader(
  decode: (parts: readonly Uint8Array[]) => string,
  onRow: (row: Json, index: number) => void,
): {
  readonly take: (piece: Uint8Array) => void;
  readonly mark: () => void;
  readonly end: (closing: boolean) => void;
} {
  let pieces: Uint8Array[] = [];
  let started = false;
  let count = 0;
  return {
    take: (piece) => {
      pieces.push(piece);
    },
    mark: () => {
      started = true;
    },
    end: (closing) => {
      if (!started && closing && count === 0) {
        pieces = [];
        return;
      }
      if (!started) throw new SyntaxError("an element is missing");
      onRow(JSON.parse(decode(pieces)) as Json, count);
      count += 1;
      pieces = [];
      started = false;
    },
  };
}

/** A scanner that hands every element of the top-level list `key` to `onRow` as soon as it is read. */
export function createRowScanner(
  key: string,
  onRow: (row: Json, index: number) => void,
): RowScanner {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const decode = (parts: readonly Uint8Array[]): string => decoder.decode(Buffer.concat(parts));
  const rows = createRowReader(decode, onRow);
  const rest: Uint8Array[] = [];
  let depth = 0;
  let inText = false;
  let escaped = false;
  let inRows = false;
  let lastText: number[] = [];
  let atKey = "";
  let chunk: Uint8Array = new Uint8Array(0);
  let from = 0;
  let at = 0;

  /** What was read and not yet handed over, up to this byte, which is taken along or dropped with a comma. */
  const cut = (including: boolean, dropping: boolean): Uint8Array => {
    const piece = chunk.slice(from, including ? at + 1 : at);
    from = including || dropping ? at + 1 : at;
    return piece;
  };
  /** One byte of a string; remembers the start of those that may be keys. */
  const stepText = (byte: number): void => {
    if (escaped) escaped = false;
    else if (byte === BACKSLASH) escaped = true;
    else if (byte === QUOTE) inText = false;
    if (inText && depth === 1 && lastText.length < 64) lastText.push(byte);
  };
  /** One byte of structure. */
  const step = (byte: number): void => {
    if (inRows && !isSpace(byte) && (depth > 2 || (byte !== COMMA && byte !== CLOSE_BRACKET)))
      rows.mark();
    if (byte === QUOTE) {
      inText = true;
      lastText = [];
    } else if (inRows && depth === 2 && (byte === COMMA || byte === CLOSE_BRACKET)) {
      rows.take(cut(false, byte === COMMA));
      rows.end(byte === CLOSE_BRACKET);
      if (byte === CLOSE_BRACKET) {
        inRows = false;
        depth = 1;
      }
    } else if (byte === OPEN_BRACKET && depth === 1 && atKey === key) {
      rest.push(cut(true, false));
      inRows = true;
      depth = 2;
    } else if (byte === OPEN_BRACKET || byte === OPEN_BRACE) depth += 1;
    else if (byte === CLOSE_BRACKET || byte === CLOSE_BRACE) depth -= 1;
    else if (depth === 1 && byte === COLON) atKey = String.fromCharCode(...lastText);
    else if (depth === 1 && byte === COMMA) atKey = "";
  };
  return {
    write: (next) => {
      chunk = next;
      from = 0;
      for (at = 0; at < chunk.length; at++) {
        if (inText) stepText(chunk[at]!);
        else step(chunk[at]!);
      }
      const left = chunk.slice(from);
      if (inRows) rows.take(left);
      else rest.push(left);
    },
    end: () => {
      if (inRows) throw new SyntaxError("the text ends within the list");
      return JSON.parse(decode(rest)) as Json;
    },
  };
}
