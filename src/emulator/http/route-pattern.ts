const decoded = (segment: string): string => {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
};

const isWild = (part: string): boolean => part === "*" || /^\{[^}]*\}$/u.test(part);

/** A test of paths by a pattern, in which `{x}` and a star are one segment and a final star is any rest. */
export function toPathTest(pattern: string): RegExp {
  const parts = pattern.split("/");
  const rest = parts.at(-1) === "*" ? "(?:/.*)?" : "";
  const tests = parts.map((part) => (isWild(part) ? "([^/]*)" : part.replace(/\W/g, "\\$&")));
  return new RegExp(`^${tests.join("/")}${rest}$`, "s");
}

/** Whether a pattern can match a path of a route: what is free in the one is as the other has it. */
export function meetsRoute(pattern: string, route: string): boolean {
  const asked = pattern.split("/");
  const path = route.split("/").map((part, i) => (isWild(part) ? (asked[i] ?? part) : part));
  return toPathTest(pattern).test(path.join("/"));
}

/** The segments of a path by their names in a route; null if the route's test does not match. */
export function readPath(path: string, route: string, test: RegExp): Record<string, string> | null {
  const given = test.exec(path)?.slice(1).map(decoded);
  const names = given && route.match(/(?<=\{)[^}]*/g);
  return given ? Object.fromEntries(given.map((one, i) => [names![i], one])) : null;
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
  const test = toPathTest(pattern);
  return (called, path) => (method === "*" || method.toUpperCase() === called) && test.test(path);
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
