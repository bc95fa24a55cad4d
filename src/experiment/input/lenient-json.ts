import { MAX_JSON_DEPTH } from "../../model/json.ts";
import { isUtf8 } from "node:buffer";
import { parseInOrder, shapeOf } from "./ordered-object.ts";

/** The longest single JSON text of a larger file: a line of JSONL, or an entry of a zip. */
export const MAX_TEXT_BYTES = 64 * 1024 * 1024;

/** Why a text is not usable JSON; the reader adds file and line. */
export type JsonResult =
  | { readonly value: unknown; readonly problem?: undefined; readonly isDeep?: undefined }
  /** `isDeep`: it is JSON, but nests too deeply. */
  | { readonly problem: string; readonly isDeep?: true; readonly value?: undefined };

// An unterminated string extends to the end of the text: retrying from each of its quotes would take quadratic time.
const STRING_OR_TOKEN = /"[^"\\]*(?:\\[\s\S][^"\\]*)*(?:"|\\?$)|-?\bInfinity\b|\bNaN\b/g;

/**
 * Parses JSON as written by Python and JavaScript tools: the tokens NaN, Infinity and -Infinity
 * are non-finite numbers, as are numbers beyond the range of a double. `__proto__` is an ordinary
 * key, and keys keep the order of the text. Problems contain no text of the file.
 */
export function parseLenientJson(given: string): JsonResult {
  let text = given;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    text = given.replace(STRING_OR_TOKEN, (token) => {
      if (token.startsWith('"')) return token;
      return token.startsWith("-") ? "-1e999" : "1e999";
    });
    try {
      value = JSON.parse(text);
    } catch {
      return {
        problem: text.trim() === "" ? "is empty where a JSON value must be" : "is not valid JSON",
      };
    }
  }
  const shape = shapeOf(value, MAX_JSON_DEPTH);
  if (shape === "deep")
    return { problem: `nests deeper than ${MAX_JSON_DEPTH} levels`, isDeep: true };
  return { value: shape === "indexed" ? parseInOrder(text) : value };
}

/** The same for bytes, which must be UTF-8. */
export function parseLenientBytes(bytes: Buffer): JsonResult {
  return isUtf8(bytes)
    ? parseLenientJson(bytes.toString("utf8"))
    : { problem: "is not valid UTF-8" };
}
