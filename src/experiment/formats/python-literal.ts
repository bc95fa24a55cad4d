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

/** Reads what Python's `repr` writes for lists, tuples, dicts, strings, numbers, None, True and False; NOT_A_LITERAL for anything else. */
export function parsePythonLiteral(text: string): unknown {
  let at = 0;
  const skip = (): void => {
    while (at < text.length && " \n\r\t".includes(text[at]!)) at += 1;
  };
  const value = (depth: number): unknown => {
    skip();
    const char = text[at];
    if (char === undefined || depth > MAX_DEPTH) return NOT_A_LITERAL;
    if (char === "[" || char === "(") return list(char === "[" ? "]" : ")", depth);
    if (char === "{") return dict(depth);
    if (char === "'" || char === '"') return string(char);
    for (const [word, meant] of WORDS)
      if (text.startsWith(word, at)) {
        at += word.length;
        return meant;
      }
    NUMBER.lastIndex = at;
    const number = NUMBER.exec(text)?.[0];
    if (number === undefined) return NOT_A_LITERAL;
    at += number.length;
    return number.endsWith("inf") || number.endsWith("nan")
      ? Number.POSITIVE_INFINITY
      : Number(number.replaceAll("_", ""));
  };
  const list = (close: string, depth: number): unknown => {
    at += 1;
    const items: unknown[] = [];
    for (;;) {
      skip();
      if (text[at] === close) {
        at += 1;
        return items;
      }
      const item = value(depth + 1);
      if (item === NOT_A_LITERAL) return item;
      items.push(item);
      skip();
      if (text[at] === ",") at += 1;
      else if (text[at] !== close) return NOT_A_LITERAL;
    }
  };
  const dict = (depth: number): unknown => {
    at += 1;
    const entries: [string, unknown][] = [];
    for (;;) {
      skip();
      if (text[at] === "}") {
        at += 1;
        return Object.fromEntries(entries);
      }
      const key = value(depth + 1);
      skip();
      if (key === NOT_A_LITERAL || text[at] !== ":") return NOT_A_LITERAL;
      at += 1;
      const item = value(depth + 1);
      if (item === NOT_A_LITERAL) return item;
      entries.push([typeof key === "string" ? key : JSON.stringify(key), item]);
      skip();
      if (text[at] === ",") at += 1;
      else if (text[at] !== "}") return NOT_A_LITERAL;
    }
  };
  const string = (quote: string): unknown => {
    let out = "";
    for (at += 1; at < text.length; at += 1) {
      const char = text[at]!;
      if (char === quote) {
        at += 1;
        return out;
      }
      if (char !== "\\") {
        out += char;
        continue;
      }
      at += 1;
      const escape = text[at] ?? "";
      const length = escape === "x" ? 2 : escape === "u" ? 4 : escape === "U" ? 8 : 0;
      const code = Number.parseInt(text.slice(at + 1, at + 1 + length), 16);
      if (length > 0 && (Number.isNaN(code) || code > 0x10ffff)) return NOT_A_LITERAL;
      out += length > 0 ? String.fromCodePoint(code) : (ESCAPES[escape] ?? `\\${escape}`);
      at += length;
    }
    return NOT_A_LITERAL;
  };
  const result = value(0);
  skip();
  return at === text.length ? result : NOT_A_LITERAL;
}
