const decoded = (segment: string): string => {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
};

const isWild = (part: string): boolean => part === "*" || /^\{[^}]*\}$/u.test(part);

/** Whether a path matches a pattern, in which `{x}` and a star are one segment and a final star is any rest. */
export function meetsPath(pattern: string, path: string): boolean {
  const [asked, given] = [pattern.split("/"), path.split("/")];
  const open = asked.at(-1) === "*";
  if (open ? given.length < asked.length : given.length !== asked.length) return false;
  return asked.every((part, i) => isWild(part) || part === given[i]);
}

/** Whether a pattern can match a path of a route: what is free in the one is as the other has it. */
export function meetsRoute(pattern: string, route: string): boolean {
  const asked = pattern.split("/");
  const path = route.split("/").map((part, i) => (isWild(part) ? (asked[i] ?? part) : part));
  return meetsPath(pattern, path.join("/"));
}

/** The segments of a path by their names in a route; null if it does not match. */
export function readPath(route: string, path: string): Readonly<Record<string, string>> | null {
  if (!meetsPath(route, path)) return null;
  const given = path.split("/").map(decoded);
  const named = route.split("/").map((part, i) => [part.slice(1, -1), given[i]!, isWild(part)]);
  return Object.fromEntries(named.filter(([, , wild]) => wild));
}

/** The parts of `METHOD pattern`, or of a pattern only. */
export function splitRoute(route: string): { readonly method: string; readonly pattern: string } {
  const [first = "", second] = route.trim().split(/\s+/u);
  const method = second === undefined && /^[/*]/u.test(first) ? "*" : first;
  return { method, pattern: second === undefined && method === "*" ? first : (second ?? "") };
}

/** A test of method and path by a route. */
export function toRouteTest(route: string): (method: string, path: string) => boolean {
  const { method, pattern } = splitRoute(route);
  return (called, path) =>
    (method === "*" || method.toUpperCase() === called) && meetsPath(pattern, path);
}

/** The tracing API, where clients may omit `/api`, `/v1` or both. */
const TRACING =
  /^(?:\/api)*(?:\/v1)?(?=\/(?:datasets|sessions|feedback|feedback-configs|annotation-queues|examples|runs|info|settings|repos|commits|public|platform)(?:\/|$))/;

/** A path as routes spell it: no self-hosted prefix, no final slash, the tracing API below /api/v1. */
export function toServicePath(pathname: string): string {
  const bare = pathname
    .replace(/^\/api-host(?=\/)/, "")
    .replace(/^(?:\/api)+(?=\/v2\/)/, "")
    .replace(TRACING, "/api/v1");
  return bare.length > 1 ? bare.replace(/\/+$/, "") : bare;
}
