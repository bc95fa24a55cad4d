const decoded = (segment: string): string => {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
};

/**
 * Compiles a pattern in which `{x}` and a star are one segment and a final star is any rest.
 * Returns the segments by name, or null if the path does not match.
 */
export function toPathReader(
  pattern: string,
): (path: string) => Readonly<Record<string, string>> | null {
  const names: string[] = [];
  const toSegment = (_: string, name = ""): string => {
    names.push(name);
    return "([^/]*)";
  };
  const source = pattern
    .split("/")
    .map((segment, i, all) =>
      segment === "*" && i === all.length - 1
        ? ".*"
        : segment.replace(/[.+?^$()|[\]\\]/g, "\\$&").replace(/\{([^}]*)\}|\*/g, toSegment),
    )
    .join("/");
  const test = new RegExp(`^${source}$`);
  return (path) => {
    const found = test.exec(path);
    return found && Object.fromEntries(names.map((name, i) => [name, decoded(found[i + 1]!)]));
  };
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
  const read = toPathReader(pattern);
  return (called, path) =>
    (method === "*" || method.toUpperCase() === called) && read(path) !== null;
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
