import { isObject, parseJson, sameJson, type Json } from "../../model/json.ts";
import type { Bounds, Param, Params } from "./parameter.ts";
import { ok, refuse, refuseAll, refuseAny, type Reply } from "./reply.ts";

/** The one with an id; else 404. */
export const findOne = <T extends { readonly id?: Json }>(
  all: readonly T[],
  id: string | undefined,
  orElse: string,
): T => all.find((one) => one.id === id) ?? refuse(404, orElse);

/** The condition of a parameter on the items of a list, or 422. */
export type Filter<T> = (param: Param) => (one: T) => boolean;
/** The filters of a list: its parameters, and those that the emulator does not support. */
export interface Filters<T> {
  readonly by: Readonly<Record<string, Filter<T>>>;
  readonly without?: Unsupported;
}
/** Unsupported parameters of the service, each with the values that change nothing. */
export type Unsupported = Readonly<Record<string, readonly string[]>>;

/** A filter by a given parameter, read in one way. */
const asked =
  <T, K extends "texts" | "words" | "text" | "flag" | "time">(
    as: K,
    fits: (one: T, asked: NonNullable<ReturnType<Param[K]>>) => boolean,
  ): Filter<T> =>
  (param) => {
    const value = param[as]();
    return value === null ? () => true : (one) => fits(one, value as never);
  };

/** Whether a value is one of those requested; true if nothing was requested. */
export const isAsked = (texts: readonly string[], value: string | null): boolean =>
  texts.length === 0 || (value !== null && texts.includes(value.toLowerCase()));

/** One of some texts, ignoring case. */
export const isOneOf = <T>(read: (one: T) => string | null): Filter<T> =>
  asked("texts", (one, texts) => isAsked(texts, read(one)));
/** One of some comma-separated words. */
export const isListed = <T>(read: (one: T) => string): Filter<T> =>
  asked("words", (one, words) => words.includes(read(one)));
/** Exactly a text. */
export const equals = <T>(read: (one: T) => Json | undefined): Filter<T> =>
  asked("text", (one, text) => read(one) === text);
/** Part of a text, ignoring case. */
export const holds = <T>(read: (one: T) => string): Filter<T> =>
  asked("text", (one, part) => read(one).toLowerCase().includes(part.toLowerCase()));
/** True or false, as the parameter says. */
export const isSo = <T>(read: (one: T) => boolean): Filter<T> =>
  asked("flag", (one, so) => read(one) === so);
/** At or after a time. */
export const isFrom = <T>(read: (one: T) => number): Filter<T> =>
  asked("time", (one, bound) => read(one) >= bound);
/** At or before a time. */
export const isUpTo = <T>(read: (one: T) => number): Filter<T> =>
  asked("time", (one, bound) => read(one) <= bound);

/** Whether a value contains everything in another; lists are compared item by item. */
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

/** A JSON object that metadata must contain. */
export const hasMetadata =
  <T>(read: (one: T) => Json): Filter<T> =>
  (param) => {
    const text = param.text() ?? "";
    const wanted = (text === "" ? {} : parseJson(text)) as Json | undefined;
    if (!isObject(wanted)) return param.refuse("json_invalid", "Input should be a JSON object");
    return (one) => contains(read(one) ?? {}, wanted);
  };

/** Refuses every used parameter that would be ignored silently, by name. */
export function refuseUnsupported(params: Params, unsupported: Unsupported): void {
  refuseAny(
    Object.entries(unsupported).flatMap(([name, harmless]) => params(name).unsupported(harmless)),
  );
}

/** Combines the conditions of all parameters. */
export function testOf<T>({ by, without = {} }: Filters<T>, params: Params): (one: T) => boolean {
  refuseUnsupported(params, without);
  const tests = Object.entries(by).map(([name, filter]) => filter(params(name)));
  return (one) => tests.every((test) => test(one));
}

/** One page, for the reply of a list. */
interface Page {
  readonly items: readonly Json[];
  /** Start of the page, and the length of the whole list. */
  readonly from: number;
  readonly total: number;
  /** Start of the next page, as the client requests it; null at the end. */
  readonly next: string | null;
}

/** How a list is requested in pages and answered. */
export interface Paging {
  /** Names of the parameters for the start and the length of a page. */
  readonly names: readonly [from: string, size: string];
  readonly bounds: Bounds;
  /** The start is opaque to clients. */
  readonly opaque?: true;
  readonly reply: (page: Page) => Json;
}

/** The largest page of the tracing API, and its default. */
export const PAGE = 100;

/** A bare array, as in the first version of the tracing API. */
export const OFFSETS: Paging = {
  names: ["offset", "limit"],
  bounds: { usual: PAGE, most: PAGE },
  reply: ({ items }) => items,
};
/** The offset of the next page and no total, as in the control plane (contributing/service.md 2.1). */
export const CONTROL: Paging = {
  ...OFFSETS,
  bounds: { usual: 20, least: 1, most: 100 },
  reply: ({ items, from }) => ({ resources: items, offset: from + items.length }),
};
/** A cursor, as in the second version of the tracing API. */
export const CURSORS: Paging = {
  names: ["cursor", "page_size"],
  bounds: { usual: 20, most: PAGE },
  opaque: true,
  reply: ({ items, next }) => ({ items, next_cursor: next }),
};

const toCursor = (offset: number): string => Buffer.from(`at:${offset}`).toString("base64url");

function fromCursor(value: Json): number {
  if (value === null || value === "") return 0;
  const text = typeof value === "string" ? Buffer.from(value, "base64url").toString() : "";
  return /^at:\d+$/.test(text)
    ? Number(text.slice(3))
    : refuse(400, "the cursor is not one that this list gave");
}

/** The requested page of a list; 422 (400 for a cursor) if the parameters are invalid. */
export function pageBy(
  params: Params,
  { names, bounds, opaque, reply }: Paging,
): <T>(all: readonly T[], view: (one: T) => Json) => Reply {
  const [begin, length] = names.map(params);
  const from = opaque ? fromCursor(begin!.value) : begin!.number({ usual: 0 });
  const size = length!.number(bounds);
  if (typeof from !== "number" || typeof size !== "number")
    return refuseAll([size, from].filter((one) => typeof one !== "number"));
  // A page that a cursor follows is never empty.
  const to = from + (opaque ? Math.max(1, size) : size);
  return (all, view) => {
    const items = all.slice(from, to).map(view);
    const end = opaque ? toCursor(to) : String(to);
    return ok(reply({ items, from, total: all.length, next: to < all.length ? end : null }));
  };
}
