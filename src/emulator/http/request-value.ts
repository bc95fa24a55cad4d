import { isObject, sameJson, type Json, type JsonObject } from "../../model/json.ts";
import { type Reply, type ValidationError, ok, refuse, refuseAll, refuseValue } from "./reply.ts";
import type { Call } from "../world.ts";

/** Most items on a page of the tracing API, and how many it gives where nobody asks for fewer. */
export const PAGE = 100;

/** The fields of a body; a body that is no object has none. */
export const bodyOf = (call: Call): JsonObject => (isObject(call.body) ? call.body : {});

const TRUE = ["1", "on", "t", "true", "y", "yes"];
const FALSE = ["0", "off", "f", "false", "n", "no"];

/** A boolean as pydantic reads it: true and false, 1 and 0, or their words in any case. Undefined: none of them. */
function toBoolean(value: Json): boolean | undefined {
  if (typeof value === "boolean") return value;
  const word = ["string", "number"].includes(typeof value) ? String(value).toLowerCase() : "";
  if (TRUE.includes(word)) return true;
  return FALSE.includes(word) ? false : undefined;
}

function booleanOf(value: Json | undefined, where: string, name: string): boolean | null {
  if (value === undefined || value === null) return null;
  const read = toBoolean(value);
  if (read !== undefined) return read;
  const words = "Input should be a valid boolean, unable to interpret input";
  return typeof value === "string" || typeof value === "number"
    ? refuseValue(where, name, words, "bool_parsing")
    : refuseValue(where, name, "Input should be a valid boolean", "bool_type");
}

/** A boolean of the query, null where it is not given, or the 422; the last value counts, as in FastAPI. */
export const queryBoolean = (call: Call, name: string): boolean | null =>
  booleanOf(call.query.getAll(name).at(-1), "query", name);

/** A boolean of a body, which may be spelled as in a query; null where it is not given, or the 422. */
export const bodyBoolean = (body: JsonObject, name: string): boolean | null =>
  booleanOf(body[name], "body", name);

/** Bounds of a whole number, and what it is where nobody gives it. */
interface Bounds {
  readonly usual: number;
  readonly least?: number;
  readonly most?: number | null;
}

function readNumber(
  value: Json | undefined,
  where: string,
  name: string,
  { usual, least = 0, most = null }: Bounds,
): number | ValidationError {
  if (value === undefined || value === null) return usual;
  const wrong = (type: string, msg: string): ValidationError => ({
    loc: [where, name],
    msg: `Input should be ${msg}`,
    type,
    input: value,
  });
  const number = typeof value === "string" && /^-?\d+$/.test(value) ? Number(value) : value;
  if (typeof number !== "number" || !Number.isInteger(number))
    return typeof value === "string"
      ? wrong("int_parsing", "a valid integer, unable to parse string as an integer")
      : wrong("int_type", "a valid integer");
  if (number < least) return wrong("greater_than_equal", `greater than or equal to ${least}`);
  return most !== null && number > most
    ? wrong("less_than_equal", `less than or equal to ${most}`)
    : number;
}

/** A whole number from a query or a body. */
export function numberOf(
  value: Json | undefined,
  where: string,
  name: string,
  bounds: Bounds,
): number {
  const read = readNumber(value, where, name, bounds);
  return typeof read === "number" ? read : refuseAll([read]);
}

/** The part of a list that is asked for. */
export type PageRange = readonly [from: number, to: number];

/** What `offset` and `limit` of a query or a body ask for; a page of the tracing API by default. */
export function pageIn(
  where: string,
  read: (name: string) => Json | undefined,
  limits: Bounds = { usual: PAGE, most: PAGE },
  names: readonly [offset: string, limit: string] = ["offset", "limit"],
): PageRange {
  const offset = readNumber(read(names[0]), where, names[0], { usual: 0 });
  const limit = readNumber(read(names[1]), where, names[1], limits);
  return typeof offset === "number" && typeof limit === "number"
    ? [offset, offset + Math.min(limit, limits.most ?? PAGE)]
    : refuseAll([limit, offset].filter((one) => typeof one !== "number"));
}

/** The same of the query. */
export const pageOf = (call: Call, limits?: Bounds): PageRange =>
  pageIn("query", (name) => call.query.get(name), limits);

/** Texts that a body gives under a name as one text or a list of them, in lower case; empty where it gives none. */
export function textsIn(body: JsonObject, name: string): readonly string[] {
  const value = body[name] ?? [];
  const texts: readonly Json[] = typeof value === "string" ? [value] : (value as readonly Json[]);
  return Array.isArray(texts) && texts.every((text) => typeof text === "string")
    ? texts.map((text) => text.toLowerCase())
    : refuseValue("body", name, "Input should be a valid list of strings", "list_type");
}

/** Texts of a repeated query parameter, in lower case. */
export const textsOf = (call: Call, name: string): readonly string[] =>
  call.query.getAll(name).map((text) => text.toLowerCase());

/** Whether a value is one of those asked for; where none is asked for, every value is. */
export const isAsked = (asked: readonly string[], value: string | null): boolean =>
  asked.length === 0 || (value !== null && asked.includes(value.toLowerCase()));

/** Parameters of the service that the emulator cannot honour, each with the values that change nothing there. */
export type Unsupported = Readonly<Record<string, readonly string[]>>;

const asksNothing = (value: Json): boolean =>
  value === null ||
  value === "" ||
  (Array.isArray(value) && value.length === 0) ||
  (isObject(value) && Object.keys(value).length === 0);

/** Refuses, by name, every parameter in use that would be silently ignored. */
export function refuseUnsupported(
  call: Call,
  where: "query" | "body",
  unsupported: Unsupported,
): void {
  const errors = Object.entries(unsupported).flatMap(([name, harmless]): ValidationError[] => {
    const given: readonly Json[] =
      where === "query" ? call.query.getAll(name) : [bodyOf(call)[name] ?? null];
    const fits = (value: Json): boolean =>
      asksNothing(value) || harmless.includes(String(value as string).toLowerCase());
    if (given.every(fits)) return [];
    const but = harmless.length === 0 ? "" : ` with another value than ${harmless.join(", ")}`;
    const msg = `The emulator does not support "${name}"${but}. Leave it out.`;
    return [{ loc: [where, name], msg, type: "not_supported" }];
  });
  if (errors.length > 0) refuseAll(errors);
}

/** Whether a value has everything that another names; lists are compared item by item. */
export function contains(value: Json | undefined, part: Json): boolean {
  if (isObject(part))
    return (
      isObject(value) && Object.entries(part).every(([key, item]) => contains(value[key], item))
    );
  if (Array.isArray(part) && Array.isArray(value))
    return (
      part.length === value.length &&
      part.every((item: Json, i) => contains((value as readonly Json[])[i], item))
    );
  return sameJson(value, part);
}

/** The test of a `metadata` query, a JSON object that metadata must contain. */
export function metadataTest(call: Call): (metadata: Json) => boolean {
  const text = call.query.get("metadata");
  if (text === null || text === "") return () => true;
  let wanted: Json = null;
  try {
    wanted = JSON.parse(text) as Json;
  } catch {
    // Refused below, as other JSON that is no object is.
  }
  return isObject(wanted)
    ? (metadata) => contains(metadata ?? {}, wanted)
    : refuseValue("query", "metadata", "Input should be a JSON object", "json_invalid");
}

/** A cursor is the offset of the next page, not meant to be read. */
export const toCursor = (offset: number): string =>
  Buffer.from(`at:${offset}`).toString("base64url");

/** The offset that a cursor means, or the 400. */
export function fromCursor(value: Json | undefined): number {
  if (value === undefined || value === null || value === "") return 0;
  const text = typeof value === "string" ? Buffer.from(value, "base64url").toString() : "";
  return /^at:\d+$/.test(text)
    ? Number(text.slice(3))
    : refuse(400, "the cursor is not one that this list gave");
}

/** One page of a list and the cursor of the next. */
export function cursorPage(
  items: readonly Json[],
  cursor: Json | undefined,
  size: Json | undefined,
  bounds: Bounds = { usual: 20, most: PAGE },
): Reply {
  const from = fromCursor(cursor);
  const to = from + Math.max(1, numberOf(size, "query", "page_size", bounds));
  return ok({
    items: items.slice(from, to),
    next_cursor: to < items.length ? toCursor(to) : null,
  });
}
