import { isObject, sameJson, type Json } from "../../model/json.ts";
import type { Bounds, Param, Params } from "./parameter.ts";
import { ok, refuse, refuseAll, type Reply } from "./reply.ts";

/** What a parameter asks of the items of a list, or the 422. */
export type Filter<T> = (param: Param) => (one: T) => boolean;
/** How the items of a list are chosen: its parameters, and those that the emulator cannot honour. */
export interface Filters<T> {
  readonly by: Readonly<Record<string, Filter<T>>>;
  readonly without?: Unsupported;
}
/** Parameters of the service that the emulator cannot honour, each with the values that change nothing there. */
export type Unsupported = Readonly<Record<string, readonly string[]>>;

/** A filter of what can be read of a parameter that is given. */
const asked =
  <T, K extends "texts" | "words" | "text" | "flag" | "time">(
    as: K,
    fits: (one: T, asked: NonNullable<ReturnType<Param[K]>>) => boolean,
  ): Filter<T> =>
  (param) => {
    const value = param[as]();
    return value === null ? () => true : (one) => fits(one, value as never);
  };

/** Whether a value is one of those asked for; without any, every value is. */
export const isAsked = (texts: readonly string[], value: string | null): boolean =>
  texts.length === 0 || (value !== null && texts.includes(value.toLowerCase()));

/** One of some texts, in any case. */
export const isOneOf = <T>(read: (one: T) => string | null): Filter<T> =>
  asked("texts", (one, texts) => isAsked(texts, read(one)));
/** One of some words with commas between them. */
export const isListed = <T>(read: (one: T) => string): Filter<T> =>
  asked("words", (one, words) => words.includes(read(one)));
/** Exactly a text. */
export const equals = <T>(read: (one: T) => Json | undefined): Filter<T> =>
  asked("text", (one, text) => read(one) === text);
/** A part of a text, in any case. */
export const holds = <T>(read: (one: T) => string): Filter<T> =>
  asked("text", (one, part) => read(one).toLowerCase().includes(part.toLowerCase()));
/** True or false. */
export const isSo = <T>(read: (one: T) => boolean): Filter<T> =>
  asked("flag", (one, so) => read(one) === so);
/** A time from another on. */
export const isFrom = <T>(read: (one: T) => number): Filter<T> =>
  asked("time", (one, bound) => read(one) >= bound);
/** A time up to another. */
export const isUpTo = <T>(read: (one: T) => number): Filter<T> =>
  asked("time", (one, bound) => read(one) <= bound);

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
  const text = param.text();
  if (text === null || text === "") return null;
  try {
    const wanted = JSON.parse(text) as Json;
    if (isObject(wanted)) return wanted;
  } catch {
    // Refused below, as other JSON that is no object is.
  }
  return param.refuse("json_invalid", "Input should be a JSON object");
}
/** A JSON object that metadata must contain whole. */
export const hasMetadata =
  <T>(read: (one: T) => Json): Filter<T> =>
  (param) => {
    const wanted = objectOf(param);
    return (one) => wanted === null || contains(read(one) ?? {}, wanted);
  };

/** Refuses, by name, every parameter in use that would be silently ignored. */
export function refuseUnsupported(params: Params, unsupported: Unsupported): void {
  const errors = Object.entries(unsupported).flatMap(([name, harmless]) =>
    params(name).unsupported(harmless),
  );
  if (errors.length > 0) refuseAll(errors);
}

/** The test that all parameters make together. */
export function testOf<T>({ by, without = {} }: Filters<T>, params: Params): (one: T) => boolean {
  refuseUnsupported(params, without);
  const tests = Object.entries(by).map(([name, filter]) => filter(params(name)));
  return (one) => tests.every((test) => test(one));
}

/** One page as the reply of a list is made from it. */
interface Page {
  readonly items: readonly Json[];
  /** Where the page begins, and how many items the whole list has. */
  readonly from: number;
  readonly total: number;
  /** Where the next page begins, as the client is to ask for it; null at the end. */
  readonly next: string | null;
}

/** How a list is asked for in pages, and answered. */
export interface Paging {
  /** Names of the parameters: where the page begins, and how long it is. */
  readonly names: readonly [from: string, size: string];
  readonly bounds: Bounds;
  /** The beginning is not meant to be read. */
  readonly opaque?: true;
  readonly reply: (page: Page) => Json;
}

/** Most items on a page of the tracing API, and how many it gives where nobody asks for fewer. */
export const PAGE = 100;

/** A bare array, as the first version of the tracing API has it. */
export const OFFSETS: Paging = {
  names: ["offset", "limit"],
  bounds: { usual: PAGE, most: PAGE },
  reply: ({ items }) => items,
};
/** The offset of the next page and no total, as the control plane has it (contributing/service.md 2.1). */
export const CONTROL: Paging = {
  ...OFFSETS,
  bounds: { usual: 20, least: 1, most: 100 },
  reply: ({ items, from }) => ({ resources: items, offset: from + items.length }),
};
/** A cursor, as the second version of the tracing API has it. */
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

/** Takes the page that is asked for from a list, or the 422 (of a cursor: 400) before there is one. */
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
