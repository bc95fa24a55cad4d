import { isObject, type Json, type JsonObject } from "../../model/json.ts";
import { type ValidationError, noUuid, refuseAll, refuseValue } from "./reply.ts";
import { isUuid } from "../rules/validation.ts";
import type { Call } from "../world.ts";

/** The fields of a body; a body that is no object has none. */
export const bodyOf = (call: Call): JsonObject => (isObject(call.body) ? call.body : {});

/** A parameter of a query or of a body, by its name. */
export interface Param {
  readonly call: Call;
  readonly where: "query" | "body";
  readonly name: string;
}
/** For what comes after the question mark. */
export const inQuery = (call: Call, name: string): Param => ({ call, where: "query", name });
/** For a key of the JSON that is sent. */
export const inBody = (call: Call, name: string): Param => ({ call, where: "body", name });

/** Ends the request with the 422 for a parameter. */
export const refuseParam = ({ where, name }: Param, type: string, msg: string): never =>
  refuseValue(where, name, msg, type);

/** What is given; null where nothing is. Of a query the last value counts, as in FastAPI. */
export const givenBy = ({ call, where, name }: Param): Json =>
  (where === "query" ? call.query.getAll(name).at(-1) : bodyOf(call)[name]) ?? null;

/** What is given, as text; null where nothing is. */
export function textOf(param: Param): string | null {
  const value = givenBy(param);
  return value === null ? null : String(value as string);
}

const TIME = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(?::(\d\d)(\.\d+)?)?(Z|z|[+-]\d\d:?\d\d)?)?$/;

/**
 * Milliseconds since the epoch of an ISO 8601 text, fractions kept; without a zone it is UTC. NaN
 * where it is no time.
 */
export function parseTime(value: unknown): number {
  const found = typeof value === "string" ? TIME.exec(value) : null;
  if (found === null) return NaN;
  const [, day, minutes = "00:00", seconds = "00", fraction = "0", zone = "Z"] = found;
  const offset = zone.toUpperCase() === "Z" ? "Z" : zone.replace(/^(...):?(..)$/, "$1:$2");
  return Date.parse(`${day}T${minutes}:${seconds}${offset}`) + Number(fraction) * 1000;
}

const TRUE = ["1", "on", "t", "true", "y", "yes"];
const FALSE = ["0", "off", "f", "false", "n", "no"];

/** A boolean as pydantic reads it: true and false, 1 and 0, or their words in any case. Null: not given. */
export function booleanOf(param: Param): boolean | null {
  const value = givenBy(param);
  if (value === null || typeof value === "boolean") return value;
  if (typeof value === "object")
    return refuseParam(param, "bool_type", "Input should be a valid boolean");
  const word = String(value).toLowerCase();
  if (TRUE.includes(word)) return true;
  const msg = "Input should be a valid boolean, unable to interpret input";
  return FALSE.includes(word) ? false : refuseParam(param, "bool_parsing", msg);
}

/** Bounds of a whole number, and what it is where nobody gives it. */
export interface Bounds {
  readonly usual: number;
  readonly least?: number;
  readonly most?: number | null;
}

/** A whole number, or what is wrong with it. */
export function readNumber(param: Param, bounds: Bounds): number | ValidationError {
  const { usual, least = 0, most = null } = bounds;
  const value = givenBy(param);
  if (value === null) return usual;
  const wrong = (type: string, msg: string): ValidationError => ({
    loc: [param.where, param.name],
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

/** A uuid that must be given, in lower case. */
export function idOf(param: Param): string {
  const id = givenBy(param);
  if (id === null) return refuseParam(param, "missing", "Field required");
  return isUuid(id) ? id.toLowerCase() : refuseAll([noUuid(param.where, param.name)]);
}

/** Texts in lower case: of a repeated query parameter, or that a body gives as one text or a list. */
export function textsOf(param: Param): readonly string[] {
  const { call, where, name } = param;
  const value = where === "query" ? call.query.getAll(name) : (givenBy(param) ?? []);
  const texts: readonly Json[] = typeof value === "string" ? [value] : (value as readonly Json[]);
  return Array.isArray(texts) && texts.every((text) => typeof text === "string")
    ? texts.map((text) => text.toLowerCase())
    : refuseParam(param, "list_type", "Input should be a valid list of strings");
}

/** Whether a value is one of those asked for; where none is asked for, every value is. */
export const isAsked = (asked: readonly string[], value: string | null): boolean =>
  asked.length === 0 || (value !== null && asked.includes(value.toLowerCase()));

/** Words with commas between them; null where there is no text. */
export const wordsIn = (text: string | null): readonly string[] | null =>
  text
    ?.split(",")
    .map((word) => word.trim())
    .filter((word) => word !== "") ?? null;

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
  where: Param["where"],
  unsupported: Unsupported,
): void {
  const errors = Object.entries(unsupported).flatMap(([name, harmless]): ValidationError[] => {
    const given: readonly Json[] =
      where === "query" ? call.query.getAll(name) : [givenBy(inBody(call, name))];
    const fits = (value: Json): boolean =>
      asksNothing(value) || harmless.includes(String(value as string).toLowerCase());
    if (given.every(fits)) return [];
    const but = harmless.length === 0 ? "" : ` with another value than ${harmless.join(", ")}`;
    const msg = `The emulator does not support "${name}"${but}. Leave it out.`;
    return [{ loc: [where, name], msg, type: "not_supported" }];
  });
  if (errors.length > 0) refuseAll(errors);
}
