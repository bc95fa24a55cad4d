import { ServiceError, type Limits, type Lookup } from "./control-plane.ts";
import type { Http, Read } from "./http.ts";
import { PROVES_ABSENCE, type Parse } from "./repeat.ts";
import { toPage, type Page } from "./replies.ts";

/** Items asked for in one page: the most the service documents (contributing/service.md 2.1). */
export const PAGE_LIMIT = 100;

/** More pages than any tenant has; a service that never ends is an error of its own. */
const MAX_PAGES = 1000;
/** Pages under way besides the one that is waited for. */
const AHEAD = 3;

/** How much of a list is wanted. */
export interface Extent {
  /** No further page is read once there are so many. */
  readonly most?: number;
  /** So many items are likely: the pages up to there, and the one that proves the end, are asked for ahead. */
  readonly expected?: number;
  /** After so many pages the list is given as far as it was read, marked `partial`. */
  readonly pages?: number;
}

/** What is read of one API, within the same limits. */
export interface ApiReads {
  /** Null on 404. */
  readonly find: <T>(path: string, parse: Parse<T>) => Promise<T | null>;
  /** All pages of a list; `absent` are the answers that say that there is none. */
  readonly list: <T extends { readonly id: string }>(
    path: string,
    toItem: Parse<T>,
    extent?: Extent & { readonly absent?: readonly number[] },
  ) => Promise<Lookup<T>>;
  /** The tenant of a list's first item, null where it shows none; throws where the key is not taken. */
  readonly tenantOf: (
    path: string,
    toItem: Parse<{ readonly tenant_id: string | null }>,
  ) => Promise<string | null>;
}

/** The reads of an API whose paths `toUrl` completes. */
export function createReads({
  http,
  toUrl,
  limits,
}: {
  readonly http: Http;
  readonly toUrl: (path: string) => string;
  readonly limits: Limits;
}): ApiReads {
  return {
    find: async (path, parse) => {
      const read = await http.read({ url: toUrl(path), absent: [404] }, parse, limits);
      return read.state === "found" ? read.value : null;
    },
    list: (path, toItem, { absent = PROVES_ABSENCE, ...extent } = {}) => {
      const size = Math.min(PAGE_LIMIT, extent.most ?? PAGE_LIMIT);
      const url = toUrl(`${path}${path.includes("?") ? "&" : "?"}limit=${size}`);
      return readAllPages(
        (offset, signal) =>
          http.read(
            { url: `${url}&offset=${offset}`, absent },
            (json) => toPage(json, toItem),
            endedBy(limits, signal),
          ),
        extent,
      );
    },
    tenantOf: async (path, toItem) => {
      const url = toUrl(`${path}?limit=1`);
      const page = await http.read({ url }, (json) => toPage(json, toItem), limits);
      return page.state === "found" ? (page.value.items[0]?.tenant_id ?? null) : null;
    },
  };
}

type ReadPage<T> = (offset: number, signal: AbortSignal) => Promise<Read<Page<T>>>;

/**
 * All items of a paged list, each id once. There is no total, and services differ in the largest
 * page and in what `offset` of the reply means, so the end is a page that is empty or brings
 * nothing new: a short page proves nothing by itself.
 */
async function readAllPages<T extends { readonly id: string }>(
  readPage: ReadPage<T>,
  { most = Infinity, expected = 0, pages: mostPages = Infinity }: Extent,
): Promise<Lookup<T>> {
  const items = new Map<string, T>();
  const found = (): readonly T[] => [...items.values()];
  const pagesAhead = createPagesAhead(readPage, expected);
  try {
    let offset = 0;
    for (let pages = 0; pages < MAX_PAGES; pages++) {
      if (pages >= mostPages) return { state: "found", items: found(), partial: true };
      const page = await pagesAhead.read(offset);
      if (page.state === "absent") return { state: "absent-lookup", status: page.status };
      const before = items.size;
      for (const item of page.value.items) if (!items.has(item.id)) items.set(item.id, item);
      const { length } = page.value.items;
      if (items.size === before && length === PAGE_LIMIT) throw standsStill(offset);
      if (items.size === before || items.size >= most) return { state: "found", items: found() };
      const { next } = page.value;
      offset = next !== null && next > offset ? next : offset + length;
    }
  } finally {
    pagesAhead.stop();
  }
  throw new ServiceError(
    `the service's list does not end after ${MAX_PAGES} pages (${items.size} items), so it cannot be used; ask its operator`,
  );
}

/** The same full page again: what follows it cannot be read, so the list proves nothing. */
const standsStill = (offset: number): ServiceError =>
  new ServiceError(
    `the service returned the same page of ${PAGE_LIMIT} twice, at offset ${offset}, so the rest of the list cannot be read; contact its operator`,
  );

/** Pages in turn, and those that are likely to follow under way along with them. */
export interface PagesAhead<P> {
  readonly read: (offset: number) => Promise<P>;
  /** Gives up what is under way and was not read. */
  readonly stop: () => void;
}

/** So many items are expected; it looks ahead as long as pages begin where they were expected. */
export function createPagesAhead<P>(
  readPage: (offset: number, signal: AbortSignal) => Promise<P>,
  expected: number,
): PagesAhead<P> {
  const stopping = new AbortController();
  const asked = new Map<number, Promise<P>>();
  const ask = (offset: number): Promise<P> => {
    const page = asked.get(offset) ?? readPage(offset, stopping.signal);
    // A page that turns out not to be needed may fail unseen.
    page.catch(() => undefined);
    asked.set(offset, page);
    return page;
  };
  let predictable = true;
  return {
    read: (offset) => {
      predictable &&= asked.size === 0 || asked.has(offset);
      const page = ask(offset);
      for (let n = 1; predictable && n <= AHEAD; n++) {
        const from = offset + (n - 1) * PAGE_LIMIT;
        if (from < expected) ask(Math.min(from + PAGE_LIMIT, expected));
      }
      asked.delete(offset);
      return page;
    },
    stop: () => {
      stopping.abort();
    },
  };
}

/** Limits that a signal of their own ends as well. */
export function endedBy(limits: Limits, signal: AbortSignal): Limits {
  const both = limits.signal === undefined ? signal : AbortSignal.any([limits.signal, signal]);
  return { ...limits, signal: both };
}
