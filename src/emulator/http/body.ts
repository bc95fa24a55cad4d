import { isObject, MAX_JSON_DEPTH, nestsDeeper, type Json } from "../../model/json.ts";
import { refuse, refuseAll } from "./reply.ts";

/** Limit for a body that is held whole. No document gives one; a deployment with its secrets needs far less. */
export const MAX_BODY_BYTES = 16 * 1024 * 1024;

/**
 * A list in a body whose items are processed one by one, so that it is never held whole; each
 * leaves a 0 in its place.
 */
interface ListInBody {
  readonly name: string;
  readonly take: (item: Json, index: number) => void;
}

const noJson = (): never =>
  refuseAll([{ loc: ["body", 0], msg: "JSON decode error", type: "json_invalid" }]);

function orRefuse<T>(read: () => T): T {
  try {
    return read();
  } catch {
    return noJson();
  }
}

function parse(text: string, levels: number): Json {
  const value = orRefuse(() => JSON.parse(text) as Json);
  return nestsDeeper(value, levels)
    ? refuseAll([{ loc: ["body"], msg: "The body nests too deeply", type: "recursion_loop" }])
    : value;
}

/** Reads a JSON body; refuses one that is too large, invalid, or nested too deeply. */
export async function readJson(
  stream: ReadableStream<Uint8Array> | null,
  mostBytes: number,
  list?: ListInBody,
): Promise<{ readonly body: Json | undefined; readonly bytes: number }> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let taken = 0;
  const cut =
    list === undefined
      ? (piece: string) => piece
      : createCutter(list.name, (item) => list.take(parse(item, MAX_JSON_DEPTH - 2), taken++));
  let text = "";
  let bytes = 0;
  for await (const chunk of stream ?? []) {
    bytes += chunk.length;
    if (bytes > mostBytes) return refuse(413, "Request Entity Too Large");
    text += cut(orRefuse(() => decoder.decode(chunk, { stream: true })));
  }
  text += orRefuse(() => decoder.decode());
  const body = text.trim() === "" ? undefined : parse(text, MAX_JSON_DEPTH);
  const rest = list !== undefined && isObject(body) ? body[list.name] : null;
  if (!Array.isArray(rest) || rest.length === taken) return { body, bytes };
  // Two lists of that name are refused; one that was not found while streaming has escapes in its name.
  if (taken > 0) return noJson();
  rest.forEach(list!.take);
  return { body, bytes };
}

/** Extracts the items of a list from streamed text of an object; returns the rest of each chunk. */
function createCutter(name: string, take: (item: string) => void): (piece: string) => string {
  // Includes the preceding character: another name may end like this one, after an escaped quote.
  const begins = new RegExp(`[{,]\\s*"${name}"\\s*:\\s*\\[$`);
  let latest = "";
  let depth = 0;
  let isText = false;
  let isEscaped = false;
  /** The current item so far; null outside the list. */
  let item: string | null = null;
  return (piece) => {
    let left = "";
    let from = 0;
    const passTo = (to: number): void => {
      const part = piece.slice(from, to);
      from = to;
      if (item !== null) item += part;
      else {
        left += part;
        latest = (latest + part).slice(-100);
      }
    };
    const endItem = (): void => {
      if (item!.trim() === "") left += item!;
      else {
        take(item!);
        left += "0";
      }
      item = null;
    };
    for (let at = 0; at < piece.length; at += 1) {
      const mark = piece[at]!;
      if (isText) {
        if (isEscaped) isEscaped = false;
        else if (mark === "\\") isEscaped = true;
        else isText = mark !== '"';
      } else if (mark === '"') isText = true;
      else if (mark === "{" || mark === "[") {
        depth += 1;
        if (depth !== 2 || item !== null) continue;
        passTo(at + 1);
        if (begins.test(latest)) item = "";
      } else if (mark === "}" || mark === "]" || mark === ",") {
        if (depth === 2 && item !== null) {
          passTo(at);
          endItem();
          passTo(at + 1);
          if (mark === ",") item = "";
        }
        if (mark !== ",") depth -= 1;
      }
    }
    passTo(piece.length);
    return left;
  };
}
