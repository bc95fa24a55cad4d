import {
  endedBy,
  PROVES_ABSENCE,
  ServiceError,
  type Extent,
  type Limits,
  type Lookup,
} from "./control-plane.ts";
import type { Http, Read } from "./http.ts";
import type { Parse } from "./repeat.ts";
import { toPage, type Page } from "./replies.ts";

/** Page size: the largest that the service documents (contributing/service.md 2.1). */
export const PAGE_LIMIT = 100;

/** More pages than any tenant has; an endless list is an error. */
const MAX_PAGES = 1000;
/** Pages requested ahead of the current one. */
const AHEAD = 3;

/** Creates the reads of an API whose URLs `toUrl` builds, within shared limits. */
export function createReads({
  http,
  toUrl,
  limits,
}: {
  readonly http: Http;
  readonly toUrl: (path: string) => string;
  readonly limits: Limits;
}) {
  return {
    /** Null on 404. */
    find: async <T>(path: string, parse: Parse<T>): Promise<T | null> => {
      const read = await http.read({ url: toUrl(path), absent: [404] }, parse, limits);
      return read.state === "found" ? read.value : null;
    },
    /** Reads all pages of a list; `absent` lists the statuses that mean that there is none. */
    list: <T extends { readonly id: string }>(
      path: string,
      toItem: Parse<T>,
      { absent = PROVES_ABSENCE, ...extent }: Extent & { readonly absent?: readonly number[] } = {},
    ): Promise<Lookup<T>> => {
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
    /** The tenant of a list's first item; null if it shows none; throws if the key is refused. */
    tenantOf: async (
      path: string,
      toItem: Parse<{ readonly tenant_id: string | null }>,
    ): Promise<string | null> => {
      const url = toUrl(`${path}?limit=1`);
      const page = await http.read({ url }, (json) => toPage(json, toItem), limits);
      return page.state === "found" ? (page.value.items[0]?.tenant_id ?? null) : null;
    },
  };
}

/**
 * Reads all items of a paged list, each id once. There is no total, and services differ in the
 * largest page and in the meaning of the reply's `offset`, so the list ends with a page that is
 * empty or has nothing new. A short page proves nothing.
 */
async function readAllPages<T extends { readonly id: string }>(
  readPage: (offset: number, signal: AbortSignal) => Promise<Read<Page<T>>>,
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
      if (items.size === before && length === PAGE_LIMIT) throw repeatedPage(offset);
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

/** The same full page again: the rest cannot be read, so the list proves nothing. */
const repeatedPage = (offset: number): ServiceError =>
  new ServiceError(
    `the service returned the same page of ${PAGE_LIMIT} twice, at offset ${offset}, so the rest of the list cannot be read; contact its operator`,
  );

/**
 * Reads pages in order, and requests ahead up to the expected number, as long as pages begin at
 * the expected offsets.
 */
export function createPagesAhead<P>(
  readPage: (offset: number, signal: AbortSignal) => Promise<P>,
  expected: number,
) {
  const stopping = new AbortController();
  const asked = new Map<number, Promise<P>>();
  const ask = (offset: number): Promise<P> => {
    const page = asked.get(offset) ?? readPage(offset, stopping.signal);
    // A page that turns out to be unneeded may fail unnoticed.
    page.catch(() => undefined);
    asked.set(offset, page);
    return page;
  };
  let predictable = true;
  return {
    read: (offset: number): Promise<P> => {
      predictable &&= asked.size === 0 || asked.has(offset);
      const page = ask(offset);
      for (let n = 1; predictable && n <= AHEAD; n++) {
        const from = offset + (n - 1) * PAGE_LIMIT;
        if (from < expected) ask(Math.min(from + PAGE_LIMIT, expected));
      }
      asked.delete(offset);
      return page;
    },
    /** Abandons pages requested ahead. */
    stop: (): void => {
      stopping.abort();
    },
  };
}
