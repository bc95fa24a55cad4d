import type { Json } from "../../model/json.ts";
import { inBody, inQuery, readNumber, givenBy, type Bounds } from "./request-value.ts";
import { ok, refuse, refuseAll, type Reply } from "./reply.ts";
import type { Call } from "../world.ts";

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
  readonly where: "query" | "body";
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
  where: "query",
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
  where: "query",
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
  call: Call,
  { where, names, bounds, opaque, reply }: Paging,
): <T>(all: readonly T[], view: (one: T, index: number) => Json) => Reply {
  const [begin, length] = names.map((name) =>
    where === "query" ? inQuery(call, name) : inBody(call, name),
  );
  const from = opaque ? fromCursor(givenBy(begin!)) : readNumber(begin!, { usual: 0 });
  const size = readNumber(length!, bounds);
  if (typeof from !== "number" || typeof size !== "number")
    return refuseAll([size, from].filter((one) => typeof one !== "number"));
  // A page that a cursor follows is never empty.
  const to = from + (opaque ? Math.max(1, size) : size);
  return (all, view) => {
    const items = all.slice(from, to).map((one, i) => view(one, from + i));
    const end = opaque ? toCursor(to) : String(to);
    return ok(reply({ items, from, total: all.length, next: to < all.length ? end : null }));
  };
}
