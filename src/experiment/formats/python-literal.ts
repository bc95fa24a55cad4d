import { parseLenientJson } from "../input/lenient-json.ts";

const MAX_DEPTH = 50;
/** One token of a literal: a text, number, word, bracket or separator. */
const PIECE =
  /[ \n\r\t]*(?:('[^'\\]*(?:\\[\s\S][^'\\]*)*'|"[^"\\]*(?:\\[\s\S][^"\\]*)*")|([+-]?(?:\d[\d_]*\.?\d*(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?|inf|nan))|(None|True|False)|([[\](){},:]))/gy;
const ESCAPE =
  /\\(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|U(000[\da-fA-F]{5}|0010[\da-fA-F]{4})|([\s\S]))/g;
const ESCAPED: Readonly<Record<string, string>> = {
  ...{ n: "\n", t: "\t", r: "\r", a: "\u0007", b: "\b", f: "\f", v: "\v", "0": "\0" },
  ...{ "\\": "\\", "'": "'", '"': '"', "\n": "" },
};
const WORDS: Readonly<Record<string, string>> = { None: "null", True: "true", False: "false" };
const CLOSES: Readonly<Record<string, string>> = { "[": "]", "(": ")", "{": "}" };

const textIn = (quoted: string): string =>
  quoted.slice(1, -1).replace(ESCAPE, (whole, x, u, U, letter = "") => {
    const code: string | undefined = x ?? u ?? U;
    return code === undefined
      ? (ESCAPED[letter] ?? whole)
      : String.fromCodePoint(Number.parseInt(code, 16));
  });

/** Converts a literal to JSON, without trailing commas and with quoted keys; null if brackets do not match. */
function toJson(text: string): string | null {
  const json: string[] = [];
  const opened: { readonly close: string; readonly at: number }[] = [];
  /** Where the last value begins. */
  let from = 0;
  let end = 0;
  for (const [piece, quoted, number, word, mark = ""] of text.matchAll(PIECE)) {
    end += piece.length;
    if (mark === "") from = json.length;
    if (quoted !== undefined) json.push(JSON.stringify(textIn(quoted)));
    else if (word !== undefined) json.push(WORDS[word]!);
    else if (number !== undefined) {
      const value = Number(number.replaceAll("_", ""));
      json.push(Number.isFinite(value) ? String(value) : "1e999");
    } else if (CLOSES[mark] !== undefined) {
      if (opened.push({ close: CLOSES[mark], at: json.length }) > MAX_DEPTH) return null;
      json.push(mark === "(" ? "[" : mark);
    } else if (mark === ":") {
      const key = json.splice(from).join("");
      json.push(key.startsWith('"') ? key : JSON.stringify(key), ":");
    } else if (mark === ",") json.push(mark);
    else {
      const last = opened.pop();
      if (last?.close !== mark) return null;
      from = last.at;
      if (json.at(-1) === "," && json.length > from + 2) json.pop();
      json.push(mark === ")" ? "]" : mark);
    }
  }
  return text.slice(end).trim() === "" ? json.join(" ") : null;
}

/**
 * Parses Python's `repr` of lists, tuples, dicts, strings, numbers, None, True and False;
 * undefined for anything else.
 */
export function parsePythonLiteral(text: string): unknown {
  try {
    return parseLenientJson(toJson(text) ?? "").value;
  } catch {
    // A regular expression cannot process millions of escapes.
    return undefined;
  }
}
