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
import { toPathReader } from "./route-pattern.ts";
import type { Settings } from "../options.ts";

/** One endpoint with its method and path. */
export interface Route extends Endpoint {
  readonly method: string;
  readonly path: string;
  readonly read: ReturnType<typeof toPathReader>;
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
    return { ...one, method, path: prefix + path, read: toPathReader(prefix + path) };
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
    const params = route.read(path);
    if (params === null) continue;
    if (route.method === method) return served === true ? { route, params } : served;
    others = true;
  }
  return others ? 405 : 404;
}
