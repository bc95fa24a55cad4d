/** Marks a text that is no Python literal. */
export const NOT_A_LITERAL: unique symbol = Symbol("no Python literal");

const MAX_DEPTH = 50;
const ESCAPES: Readonly<Record<string, string>> = {
  n: "\n",
  t: "\t",
  r: "\r",
  a: "\u0007",
  b: "\b",
  f: "\f",
  v: "\v",
  "\\": "\\",
  "'": "'",
  '"': '"',
  "0": "\0",
  "\n": "",
};
const NUMBER = /[+-]?(?:\d[\d_]*\.?\d*(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?|inf|nan)/y;
const WORDS: readonly (readonly [string, unknown])[] = [
  ["None", null],
  ["True", true],
  ["False", false],
];

/** Where the reader is in its text. */
interface Cursor {
  readonly text: string;
  at: number;
}

/**
 * Reads what Python's `repr` writes for lists, tuples, dicts, strings, numbers, None, True and
 * False; NOT_A_LITERAL for anything else.
 */
export function parsePythonLiteral(text: string): unknown {
  const cursor: Cursor = { text, at: 0 };
  const result = readValue(cursor, 0);
  skipSpace(cursor);
  return cursor.at === text.length ? result : NOT_A_LITERAL;
}

function skipSpace(cursor: Cursor): void {
  const { text } = cursor;
  while (cursor.at < text.length && " \n\r\t".includes(text[cursor.at]!)) cursor.at += 1;
}

/** Passes `expected`, where it is next. */
function take(cursor: Cursor, expected: string): boolean {
  skipSpace(cursor);
  if (cursor.text[cursor.at] !== expected) return false;
  cursor.at += 1;
  return true;
}

function readValue(cursor: Cursor, depth: number): unknown {
  skipSpace(cursor);
  const { text } = cursor;
  const char = text[cursor.at];
  if (char === undefined || depth > MAX_DEPTH) return NOT_A_LITERAL;
  if (char === "[" || char === "(") return readList(cursor, char === "[" ? "]" : ")", depth);
  if (char === "{") return readDict(cursor, depth);
  if (char === "'" || char === '"') return readString(cursor, char);
  const word = WORDS.find(([name]) => text.startsWith(name, cursor.at));
  if (word === undefined) return readNumber(cursor);
  cursor.at += word[0].length;
  return word[1];
}

function readNumber(cursor: Cursor): unknown {
  NUMBER.lastIndex = cursor.at;
  const number = NUMBER.exec(cursor.text)?.[0];
  if (number === undefined) return NOT_A_LITERAL;
  cursor.at += number.length;
  return number.endsWith("inf") || number.endsWith("nan")
    ? Number.POSITIVE_INFINITY
    : Number(number.replaceAll("_", ""));
}

function readList(cursor: Cursor, close: string, depth: number): unknown {
  cursor.at += 1;
  const items: unknown[] = [];
  while (!take(cursor, close)) {
    const item = readValue(cursor, depth + 1);
    if (item === NOT_A_LITERAL) return item;
    items.push(item);
    if (!take(cursor, ",") && cursor.text[cursor.at] !== close) return NOT_A_LITERAL;
  }
  return items;
}

function readDict(cursor: Cursor, depth: number): unknown {
  cursor.at += 1;
  const entries: [string, unknown][] = [];
  while (!take(cursor, "}")) {
    const key = readValue(cursor, depth + 1);
    if (key === NOT_A_LITERAL || !take(cursor, ":")) return NOT_A_LITERAL;
    const item = readValue(cursor, depth + 1);
    if (item === NOT_A_LITERAL) return item;
    entries.push([typeof key === "string" ? key : JSON.stringify(key), item]);
    if (!take(cursor, ",") && cursor.text[cursor.at] !== "}") return NOT_A_LITERAL;
  }
  return Object.fromEntries(entries);
}

function readString(cursor: Cursor, quote: string): unknown {
  const { text } = cursor;
  let out = "";
  for (cursor.at += 1; cursor.at < text.length; cursor.at += 1) {
    const char = text[cursor.at]!;
    if (char === quote) {
      cursor.at += 1;
      return out;
    }
    const piece = char === "\\" ? readEscape(cursor) : char;
    if (piece === null) return NOT_A_LITERAL;
    out += piece;
  }
  return NOT_A_LITERAL;
}

/** How many hexadecimal digits follow an escape's letter. */
const HEX_DIGITS: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 };

/** From a backslash to the last character of its escape; null where that names no character. */
function readEscape(cursor: Cursor): string | null {
  const { text } = cursor;
  cursor.at += 1;
  const letter = text[cursor.at] ?? "";
  const digits = HEX_DIGITS[letter] ?? 0;
  if (digits === 0) return ESCAPES[letter] ?? `\\${letter}`;
  const code = Number.parseInt(text.slice(cursor.at + 1, cursor.at + 1 + digits), 16);
  if (Number.isNaN(code) || code > 0x10ffff) return null;
  cursor.at += digits;
  return String.fromCodePoint(code);
}
