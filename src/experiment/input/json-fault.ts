/** Where a text stops being JSON, counted from 1. */
interface Fault {
  readonly line: number;
  readonly column: number;
  /** Everything is valid, but the text ends too early. */
  readonly isEnd: boolean;
}

const TOKEN =
  /[ \t\r\n]*(?:("[^"\\]*(?:\\[\s\S][^"\\]*)*")|(-?(?:\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|Infinity)|true|false|null|NaN)|([[\]{},:]))/y;
const REST = /[ \t\r\n]*/y;

type Expected = "value" | "first-item" | "key" | "first-key" | "colon" | "next";

/** The first position where an invalid text cannot be JSON; null if only a parser can see it. */
export function faultOf(text: string): Fault | null {
  const open: string[] = [];
  let expected: Expected = "value";
  for (let at = 0; ; at = TOKEN.lastIndex) {
    REST.lastIndex = at;
    REST.exec(text);
    const from = REST.lastIndex;
    if (from === text.length)
      return open.length > 0 || expected === "value" ? placeOf(text, from, true) : null;
    if (expected === "next" && open.length === 0) return placeOf(text, from, false);
    TOKEN.lastIndex = at;
    const match = TOKEN.exec(text);
    if (match === null)
      return placeOf(
        text,
        from,
        /^["tfn\d-]\S*$/.test(text.slice(from, from + 20)) || text[from] === '"',
      );
    const next = follow(match, expected, open);
    if (next === null) return placeOf(text, from, false);
    expected = next;
  }
}

/** What may follow a token; null if the token itself is not allowed. */
function follow(
  [, string, word, mark]: RegExpExecArray,
  expected: Expected,
  open: string[],
): Expected | null {
  const isValue = expected === "value" || expected === "first-item";
  if (string !== undefined && (expected === "key" || expected === "first-key")) return "colon";
  if (string !== undefined || word !== undefined) return isValue ? "next" : null;
  if (mark === "{" || mark === "[") {
    if (!isValue) return null;
    open.push(mark);
    return mark === "{" ? "first-key" : "first-item";
  }
  if (mark === ":") return expected === "colon" ? "value" : null;
  const within = open.at(-1);
  if (mark === ",") {
    if (expected !== "next" || within === undefined) return null;
    return within === "{" ? "key" : "value";
  }
  const closes = mark === "}" ? within === "{" : within === "[";
  const mayClose = expected === "next" || expected === (mark === "}" ? "first-key" : "first-item");
  if (!closes || !mayClose) return null;
  open.pop();
  return "next";
}

function placeOf(text: string, at: number, isEnd: boolean): Fault {
  const before = text.slice(0, at);
  return {
    line: before.split("\n").length,
    column: at - before.lastIndexOf("\n"),
    isEnd,
  };
}
