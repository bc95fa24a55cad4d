import { isObject, type Json } from "../../model/json.ts";
import { quoted } from "../control/schema.ts";
import { isUuid } from "../rules/validation.ts";
import { noUuid, refuseAll, refuseValue, type ValidationError } from "./reply.ts";

/** Bounds of a whole number, and its default. */
export interface Bounds {
  readonly usual: number;
  readonly least?: number;
  readonly most?: number | null;
}

/** Parameters by their names. */
export type Params = (name: string) => Param;
/** See `toParam`. */
export type Param = ReturnType<typeof toParam>;

const TIME = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(?::(\d\d)(\.\d+)?)?(Z|z|[+-]\d\d:?\d\d)?)?$/;

/** Milliseconds since the epoch of an ISO 8601 text, with fractions; UTC without a zone. NaN if it is not a time. */
export function parseTime(value: unknown): number {
  const found = typeof value === "string" ? TIME.exec(value) : null;
  if (found === null) return NaN;
  const [, day, minutes = "00:00", seconds = "00", fraction = "0", zone = "Z"] = found;
  const offset = zone.toUpperCase() === "Z" ? "Z" : zone.replace(/^(...):?(..)$/, "$1:$2");
  return Date.parse(`${day}T${minutes}:${seconds}${offset}`) + Number(fraction) * 1000;
}

const TRUE = ["1", "on", "t", "true", "y", "yes"];
const FALSE = ["0", "off", "f", "false", "n", "no"];

const asksNothing = (value: Json): boolean =>
  value === null || value === "" || (typeof value === "object" && Object.keys(value).length === 0);

function readNumber(
  value: Json,
  { usual, least = 0, most = null }: Bounds,
): number | readonly [type: string, msg: string] {
  if (value === null) return usual;
  const number = typeof value === "string" && /^-?\d+$/.test(value) ? Number(value) : value;
  if (typeof number === "string")
    return ["int_parsing", "a valid integer, unable to parse string as an integer"];
  if (typeof number !== "number" || !Number.isInteger(number))
    return ["int_type", "a valid integer"];
  if (number < least) return ["greater_than_equal", `greater than or equal to ${least}`];
  return most !== null && number > most
    ? ["less_than_equal", `less than or equal to ${most}`]
    : number;
}

/** The words of a comma-separated text. */
export const splitWords = (text: string): readonly string[] =>
  text
    .split(",")
    .map((word) => word.trim())
    .filter((word) => word !== "");

/**
 * A parameter with its values; a body has one. Each way of reading it returns null if it is not
 * given, or ends the request with a 422.
 */
function toParam(where: "query" | "body", name: string, values: readonly Json[]) {
  const value = values.at(-1) ?? null;
  const refuse = (type: string, msg: string): never => refuseValue(where, name, msg, type);
  const text = (): string | null => (value === null ? null : String(value as string));
  const all = (): readonly string[] => {
    const texts = where === "query" ? values : [value ?? []].flat();
    return texts.every((one) => typeof one === "string")
      ? (texts as readonly string[])
      : refuse("list_type", "Input should be a valid list of strings");
  };
  return {
    name,
    /** In a query the last one counts, as in FastAPI. */
    value,
    /** Every given text: a query repeats a parameter, a body has a list. */
    all,
    text,
    refuse,
    /** One of some words, in any case. */
    word: <W extends string>(words: readonly W[]): W | null => {
      const given = text()?.toLowerCase();
      const msg = `Input should be ${quoted(words)}`;
      return given === undefined
        ? null
        : (words.find((one) => one === given) ?? refuse("enum", msg));
    },
    /** Comma-separated words. */
    words: (): readonly string[] | null => {
      const given = text();
      return given === null ? null : splitWords(given);
    },
    texts: (): readonly string[] => all().map((one) => one.toLowerCase()),
    /** A boolean as pydantic reads it: true and false, 1 and 0, or the words in any case. */
    flag: (): boolean | null => {
      if (value === null || typeof value === "boolean") return value;
      if (typeof value === "object") return refuse("bool_type", "Input should be a valid boolean");
      const word = String(value).toLowerCase();
      if (TRUE.includes(word)) return true;
      const msg = "Input should be a valid boolean, unable to interpret input";
      return FALSE.includes(word) ? false : refuse("bool_parsing", msg);
    },
    time: (): number | null => {
      const time = value === null ? null : parseTime(value);
      return Number.isNaN(time)
        ? refuse("datetime_parsing", "Input should be a valid datetime")
        : time;
    },
    /** A required uuid, in lower case. */
    id: (): string => {
      if (value === null) return refuse("missing", "Field required");
      return isUuid(value) ? value.toLowerCase() : refuseAll([noUuid(where, name)]);
    },
    /** A whole number, or the error in it. */
    number: (bounds: Bounds): number | ValidationError => {
      const read = readNumber(value, bounds);
      if (typeof read === "number") return read;
      const [type, msg] = read;
      return { loc: [where, name], msg: `Input should be ${msg}`, type, input: value };
    },
    /** Errors about values that the emulator does not support, except those that change nothing. */
    unsupported: (harmless: readonly string[]): readonly ValidationError[] => {
      const fits = (one: Json): boolean =>
        asksNothing(one) || harmless.includes(String(one as string).toLowerCase());
      if (values.every(fits)) return [];
      const but = harmless.length === 0 ? "" : ` with another value than ${harmless.join(", ")}`;
      const msg = `The emulator does not support "${name}"${but}. Leave it out.`;
      return [{ loc: [where, name], msg, type: "not_supported" }];
    },
  };
}

/** Parameters of the query string. */
export const inQuery =
  (query: URLSearchParams): Params =>
  (name) =>
    toParam("query", name, query.getAll(name));

/** The keys of a body; none if it is not an object. */
export const inBody =
  (body: Json | undefined): Params =>
  (name) =>
    toParam("body", name, [(isObject(body) ? body[name] : null) ?? null]);
