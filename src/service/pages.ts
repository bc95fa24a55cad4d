import { ServiceError, type Lookup } from "./control-plane.ts";
import type { Read } from "./http.ts";
import type { Page } from "./replies.ts";

/** Items asked for in one page: the most the service documents (docs/service.md 2.1). */
export const PAGE_LIMIT = 100;

/** More pages than any tenant has; a service that never ends is an error of its own. */
const MAX_PAGES = 1000;

/**
 * All items of a paged list, each id once. There is no total, and services differ in the largest page and in what `offset`
 * of the reply means, so the end is a page that is empty or brings nothing new: a short page alone proves nothing. No
 * further page is read once there are `most`.
 */
export async function readAllPages<T extends { readonly id: string }>(
  readPage: (offset: number) => Promise<Read<Page<T>>>,
  most = Infinity,
): Promise<Lookup<T>> {
  const items = new Map<string, T>();
  let offset = 0;
  for (let pages = 0; pages < MAX_PAGES; pages++) {
    const page = await readPage(offset);
    if (page.state === "absent") return { state: "absent-lookup", status: page.status };
    const before = items.size;
    for (const item of page.value.items) if (!items.has(item.id)) items.set(item.id, item);
    if (items.size === before || items.size >= most)
      return { state: "found", items: [...items.values()] };
    const { next } = page.value;
    offset = next !== null && next > offset ? next : offset + page.value.items.length;
  }
  throw new ServiceError(
    `the service's list does not end after ${MAX_PAGES} pages (${items.size} items), so nothing can be told from it; ask its operator`,
  );
}
