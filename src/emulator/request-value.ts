import { isObject, sameJson, type Json, type JsonObject } from "../model/json.ts";
import { invalid, isReply, ok, refused, type Reply, type ValidationError } from "./reply.ts";
import { isUuid } from "./validation.ts";
import type { Call, World } from "./world.ts";

/** Most items on a page of the tracing API, and how many it gives where nobody asks for fewer. */
export const PAGE = 100;

/** The 422 for one value of a query, a path or a body. */
export const flaw = (where: string, name: string, msg: string, type: string): Reply =>
  invalid([{ loc: [where, name], msg, type }], false);

/** The 422 for what is no uuid. */
export const badUuid = (where: string, name: string): Reply =>
  flaw(where, name, "Input should be a valid UUID", "uuid_parsing");

/** The uuid path parameter `name`, or the 422 the service answers. */
export function uuidParam(world: World, call: Call, name: string): string | Reply {
  const value = call.params[name]!;
  if (isUuid(value)) return value.toLowerCase();
  return invalid(
    [
      {
        loc: ["path", name],
        msg: "Input should be a valid UUID",
        type: "uuid_parsing",
        input: value,
      },
    ],
    world.settings.validationEcho,
  );
}

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

function booleanOf(value: Json | undefined, where: string, name: string): boolean | null | Reply {
  if (value === undefined || value === null) return null;
  const read = toBoolean(value);
  if (read !== undefined) return read;
  const words = "Input should be a valid boolean, unable to interpret input";
  return typeof value === "string" || typeof value === "number"
    ? flaw(where, name, words, "bool_parsing")
    : flaw(where, name, "Input should be a valid boolean", "bool_type");
}

/** A boolean of the query, null where it is not given, or the 422; the last value counts, as in FastAPI. */
export const queryBoolean = (call: Call, name: string): boolean | null | Reply =>
  booleanOf(call.query.getAll(name).at(-1), "query", name);

/** A boolean of a body, which may be spelled as in a query; null where it is not given, or the 422. */
export const bodyBoolean = (body: JsonObject, name: string): boolean | null | Reply =>
  booleanOf(body[name], "body", name);

/** A whole number from a query or a body, or the 422 for it. */
export function numberOf(
  value: Json | undefined,
  where: string,
  name: string,
  usual: number,
  most: number | null,
): number | Reply {
  if (value === undefined || value === null) return usual;
  const number = typeof value === "string" && /^-?\d+$/.test(value) ? Number(value) : value;
  if (typeof number !== "number" || !Number.isInteger(number))
    return flaw(where, name, "Input should be a valid integer", "int_parsing");
  if (number < 0)
    return flaw(where, name, "Input should be greater than or equal to 0", "greater_than_equal");
  if (most !== null && number > most)
    return flaw(where, name, `Input should be less than or equal to ${most}`, "less_than_equal");
  return number;
}

/** The part of a list that `offset` and `limit` ask for, or the 422. */
export function pageIn(
  where: string,
  read: (name: string) => Json | undefined,
  most: number | null = PAGE,
): readonly [from: number, to: number] | Reply {
  const offset = numberOf(read("offset"), where, "offset", 0, null);
  if (isReply(offset)) return offset;
  const limit = numberOf(read("limit"), where, "limit", PAGE, most);
  return isReply(limit) ? limit : [offset, offset + Math.min(limit, PAGE)];
}

/** The same of a query; a list that any limit may ask of gives 100 at most. */
export const pageOfQuery = (call: Call, most: number | null = null): ReturnType<typeof pageIn> =>
  pageIn("query", (name) => call.query.get(name), most);

/** Texts that a body gives under a name as one text or a list of them, in lower case; empty where it gives none. */
export function textsIn(body: JsonObject, name: string): readonly string[] | Reply {
  const value = body[name] ?? [];
  const texts: readonly Json[] = typeof value === "string" ? [value] : (value as readonly Json[]);
  return Array.isArray(texts) && texts.every((text) => typeof text === "string")
    ? texts.map((text) => text.toLowerCase())
    : flaw("body", name, "Input should be a valid list of strings", "list_type");
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

/** The 422 that names every parameter in use that would be silently ignored; null where there is none. */
export function refuseUnsupported(
  call: Call,
  where: "query" | "body",
  unsupported: Unsupported,
): Reply | null {
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
  return errors.length === 0 ? null : invalid(errors, false);
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

/** The test of a `metadata` query, a JSON object that metadata must contain; 422 where it is none. */
export function metadataTest(call: Call): ((metadata: Json) => boolean) | Reply {
  const text = call.query.get("metadata");
  if (text === null || text === "") return () => true;
  const wrong = flaw("query", "metadata", "Input should be a JSON object", "json_invalid");
  try {
    const wanted = JSON.parse(text) as Json;
    return isObject(wanted) ? (metadata) => contains(metadata ?? {}, wanted) : wrong;
  } catch {
    return wrong;
  }
}

/** A cursor is the offset of the next page, not meant to be read. */
export const toCursor = (offset: number): string =>
  Buffer.from(`at:${offset}`).toString("base64url");

/** The offset that a cursor stands for, or the 400. */
export function fromCursor(value: Json | undefined): number | Reply {
  if (value === undefined || value === null || value === "") return 0;
  const text = typeof value === "string" ? Buffer.from(value, "base64url").toString() : "";
  return /^at:\d+$/.test(text)
    ? Number(text.slice(3))
    : refused(400, "the cursor is not one that this list gave");
}

/** One page of a list and the cursor of the next. */
export function cursorPage(
  items: readonly Json[],
  cursor: Json | undefined,
  size: Json | undefined,
  { usual, most } = { usual: 20, most: PAGE },
): Reply {
  const from = fromCursor(cursor);
  if (isReply(from)) return from;
  const limit = numberOf(size, "query", "page_size", usual, most);
  if (isReply(limit)) return limit;
  const to = from + Math.max(1, limit);
  return ok({
    items: items.slice(from, to),
    next_cursor: to < items.length ? toCursor(to) : null,
  });
}
