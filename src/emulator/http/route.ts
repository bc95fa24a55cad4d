import { DATASETS, DATASETS_V2 } from "../experiments/dataset-reads.ts";
import { UPLOAD } from "../experiments/experiment.ts";
import { RUNS, RUNS_V2 } from "../experiments/run-reads.ts";
import { SESSIONS, SESSIONS_V2 } from "../experiments/session-reads.ts";
import { UNKEPT } from "../experiments/unkept.ts";
import { DEPLOYMENTS } from "../deployments/deployment.ts";
import { LISTENER_ROUTES } from "../deployments/listener.ts";
import { LOG_ROUTES } from "../deployments/log-tail.ts";
import { LOOKUPS } from "../deployments/lookup.ts";
import { UPLOAD_ROUTES, UPLOADS } from "../deployments/source-upload.ts";
import { BEYOND, row, when, type Endpoint, type Endpoints } from "./endpoint.ts";
import { ok } from "./reply.ts";
import { meetsRoute, readPath, toPathTest, toServicePath } from "./route-pattern.ts";
import { suggest } from "../control/schema.ts";
import type { Settings } from "../options.ts";

/** One endpoint with its method and path. */
export interface Route extends Endpoint {
  readonly method: string;
  readonly path: string;
  readonly test: RegExp;
}

/** The newest version that the vendor's SDKs ask for (0.15.0 in Python, 0.12.0 in npm: their `sessions`). */
const SERVES = "0.18.0";
const INFO: Endpoints = when(BEYOND, {
  "GET /info": row("Any", () => ok({ version: `${SERVES}+emulator`, instance_flags: {} }), {
    open: true,
  }),
});
const read = (endpoints: Endpoints): Endpoints => when(({ sessions }) => sessions, endpoints);

const below = (prefix: string, ...tables: readonly Endpoints[]): readonly Route[] =>
  tables.flatMap(Object.entries<Endpoint>).map(([key, one]) => {
    const [method = "", path = ""] = key.split(" ");
    return { ...one, method, path: prefix + path, test: toPathTest(prefix + path) };
  });

/** Every endpoint in matching order. */
export const ROUTES: readonly Route[] = [
  ...below("", DEPLOYMENTS, LOOKUPS, LISTENER_ROUTES, UPLOAD_ROUTES, LOG_ROUTES),
  ...below("/api/v1", UPLOAD, INFO, ...[UNKEPT, SESSIONS, DATASETS, RUNS].map(read)),
  ...below("/v2", ...[SESSIONS_V2, DATASETS_V2, RUNS_V2].map(read)),
];

/** Whether the choices include an endpoint, or the status that refuses it. */
export const isServed = ({ served }: Route, settings: Settings): boolean | number =>
  served?.(settings) ?? true;

/** The endpoint for a method and path, with its parameters; else the status: 405 if another method exists there. */
export function findRoute(
  method: string,
  path: string,
  settings: Settings,
  forUploads: boolean,
): { readonly route: Route; readonly params: Readonly<Record<string, string>> } | number {
  let others = false;
  for (const route of ROUTES) {
    const served = isServed(route, settings);
    if (
      served === false ||
      (settings.uploadOrigin !== null && forUploads !== (route.path === UPLOADS))
    )
      continue;
    const params = readPath(path, route.path, route.test);
    if (params === null) continue;
    if (route.method === method) return served === true ? { route, params } : served;
    others = true;
  }
  return others ? 405 : 404;
}

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
/** Browsers and probes send these methods to any path. */
const ANYWHERE = ["*", "HEAD", "OPTIONS"];
const PATHS = [...new Set(ROUTES.map((route) => route.path))];

/** Why a method is invalid; null if it is valid. */
export function whyNoMethod(method: string): string | null {
  return method === "*" || METHODS.includes(method.toUpperCase())
    ? null
    : `unknown method "${method}"; ${suggest(method, METHODS, "use * or one of")}`;
}

/** Why no request with this method and path can match a route of the service; null if one can. */
export function whyUnreachable(method: string, pattern: string): string | null {
  if (pattern === "*") return null;
  const met = ROUTES.filter((route) => meetsRoute(pattern, route.path));
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
