/** A test of method and path; in the pattern `{x}` is one segment and a final star any rest. */
export function toRouteTest(route: string): (method: string, path: string) => boolean {
  const [method = "*", pattern = "*"] = route.includes(" ")
    ? route.trim().split(/\s+/, 2)
    : ["*", route];
  const source = pattern
    .split("/")
    .map((segment, i, all) =>
      segment === "*" && i === all.length - 1
        ? ".*"
        : segment.replace(/[.+?^$()|[\]\\]/g, "\\$&").replace(/\{[^}]*\}|\*/g, "[^/]+"),
    )
    .join("/");
  const test = new RegExp(`^${source}$`);
  return (calledMethod, path) =>
    (method === "*" || method.toUpperCase() === calledMethod) && test.test(path);
}

/** The tracing API, whose clients may leave `/api`, `/v1` or both out. */
const TRACING =
  /^(?:\/api)*(?:\/v1)?(?=\/(?:datasets|sessions|feedback|feedback-configs|annotation-queues|examples|runs|info|settings|repos|commits|public|platform)(?:\/|$))/;

/** A path as the routes spell it: no self-hosted prefix, no final slash, the tracing API below /api/v1. */
export function toServicePath(pathname: string): string {
  const bare = pathname
    .replace(/^\/api-host(?=\/)/, "")
    .replace(/^(?:\/api)+(?=\/v2\/)/, "")
    .replace(TRACING, "/api/v1");
  return bare.length > 1 ? bare.replace(/\/+$/, "") : bare;
}
