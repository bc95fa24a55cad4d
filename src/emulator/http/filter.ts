import { isObject, sameJson, type Json } from "../../model/json.ts";
import {
  booleanOf,
  inBody,
  inQuery,
  isAsked,
  parseTime,
  refuseParam,
  refuseUnsupported,
  textOf,
  textsOf,
  givenBy,
  wordsIn,
  type Param,
  type Unsupported,
} from "./request-value.ts";
import type { Call } from "../world.ts";

/** What a parameter asks of the items of a list, or the 422. */
export type Filter<T> = (param: Param) => (one: T) => boolean;
/** How the items of a list are chosen: its parameters, and those that are refused. */
export interface Filters<T> {
  readonly by: Readonly<Record<string, Filter<T>>>;
  readonly without?: Unsupported;
}

const asked =
  <T, A>(read: (param: Param) => A | null, fits: (one: T, asked: A) => boolean): Filter<T> =>
  (param) => {
    const value = read(param);
    return value === null ? () => true : (one) => fits(one, value);
  };

/** One of some texts, in any case. */
export const isOneOf = <T>(read: (one: T) => string | null): Filter<T> =>
  asked(textsOf, (one, texts) => isAsked(texts, read(one)));
/** One of some words with commas between them. */
export const isListed = <T>(read: (one: T) => string): Filter<T> =>
  asked(
    (param) => wordsIn(textOf(param)),
    (one, words) => words.includes(read(one)),
  );
/** Exactly a text. */
export const equals = <T>(read: (one: T) => Json | undefined): Filter<T> =>
  asked(textOf, (one, text) => read(one) === text);
/** A part of a text, in any case. */
export const holds = <T>(read: (one: T) => string): Filter<T> =>
  asked(textOf, (one, part) => read(one).toLowerCase().includes(part.toLowerCase()));
/** True or false. */
export const isSo = <T>(read: (one: T) => boolean): Filter<T> =>
  asked(booleanOf, (one, so) => read(one) === so);

function timeOf(param: Param): number | null {
  const value = givenBy(param);
  const time = value === null ? null : parseTime(value);
  return Number.isNaN(time)
    ? refuseParam(param, "datetime_parsing", "Input should be a valid datetime")
    : time;
}
/** A time from another on, or up to it. */
export const isFrom = <T>(read: (one: T) => number): Filter<T> =>
  asked(timeOf, (one, bound) => read(one) >= bound);
/** See `isFrom`. */
export const isUpTo = <T>(read: (one: T) => number): Filter<T> =>
  asked(timeOf, (one, bound) => read(one) <= bound);

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

function objectOf(param: Param): Json {
  const text = textOf(param);
  if (text === null || text === "") return null;
  try {
    const wanted = JSON.parse(text) as Json;
    if (isObject(wanted)) return wanted;
  } catch {
    // Refused below, as other JSON that is no object is.
  }
  return refuseParam(param, "json_invalid", "Input should be a JSON object");
}
/** A JSON object that metadata must contain whole. */
export const hasMetadata = <T>(read: (one: T) => Json): Filter<T> =>
  asked(objectOf, (one, wanted) => contains(read(one) ?? {}, wanted));

/** The test that all parameters of a call make together. */
export function testOf<T>(
  { by, without = {} }: Filters<T>,
  call: Call,
  where: Param["where"] = "query",
): (one: T) => boolean {
  refuseUnsupported(call, where, without);
  const tests = Object.entries(by).map(([name, filter]) =>
    filter(where === "query" ? inQuery(call, name) : inBody(call, name)),
  );
  return (one) => tests.every((test) => test(one));
}
