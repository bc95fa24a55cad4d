import { toServicePath } from "../http/route-pattern.ts";
import { ROUTES } from "../http/route.ts";
import { suggest } from "./schema.ts";

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
/** Browsers and probes send these methods to any path. */
const ANYWHERE = ["*", "HEAD", "OPTIONS"];
const PATHS = [...new Set(ROUTES.map((route) => route.path))];
const isWild = (part: string): boolean => part === "*" || /^\{[^}]*\}$/u.test(part);

/** Whether a pattern can match a path of the service. */
function meetsPath(pattern: string, path: string): boolean {
  const asked = pattern.split("/");
  const known = path.split("/");
  const open = asked.at(-1) === "*";
  if (open ? known.length < asked.length - 1 : known.length !== asked.length) return false;
  return (open ? asked.slice(0, -1) : asked).every((part, i) => {
    const other = known[i]!;
    return isWild(part) || isWild(other) || part === other;
  });
}

/** Why a method is invalid; null if it is valid. */
export function whyNoMethod(method: string): string | null {
  return method === "*" || METHODS.includes(method.toUpperCase())
    ? null
    : `unknown method "${method}"; ${suggest(method, METHODS, "use * or one of")}`;
}

/** Why no request with this method and path can match a route of the service; null if one can. */
export function whyUnreachable(method: string, pattern: string): string | null {
  if (pattern === "*") return null;
  const met = ROUTES.filter((route) => meetsPath(pattern, route.path));
  if (met.length === 0) {
    // Usually the prefix of a self-hosted service, or a query, which is not part of a path.
    const bare = toServicePath(pattern.replace(/\?.*$/su, ""));
    const end = PATHS.includes(bare)
      ? `did you mean "${bare}"?`
      : suggest(bare, PATHS, "there are");
    return `no route of the service is ${pattern}; ${end}`;
  }
  const asked = method.toUpperCase();
  if (ANYWHERE.includes(asked) || met.some((route) => route.method === asked)) return null;
  const taken = [...new Set(met.map((route) => route.method))].join(", ");
  return `${pattern} takes no ${asked}; it takes ${taken}`;
}
