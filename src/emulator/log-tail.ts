import { isObject, type Json, type JsonObject } from "../model/json.ts";
import { findDeployment, findRevision } from "./deployment.ts";
import { iso, momentOf } from "./readback.ts";
import { isReply, ok, refused, type Reply } from "./reply.ts";
import { badUuid, flaw } from "./request-value.ts";
import type { Sight } from "./revision.ts";
import type { StoredDeployment, StoredRevision } from "./store.ts";
import { isUuid } from "./validation.ts";
import type { Call, World } from "./world.ts";

interface Line {
  readonly at: number;
  readonly level: string;
  readonly message: string;
}

const SAYS: Readonly<
  Record<string, readonly [phase: "build" | "deploy", level: string, message: string]>
> = {
  AWAITING_BUILD: ["build", "INFO", "waiting for a builder"],
  BUILDING: ["build", "INFO", "building the image"],
  BUILD_FAILED: ["build", "ERROR", "the build failed"],
  AWAITING_DEPLOY: ["build", "INFO", "the image is built"],
  DEPLOYING: ["deploy", "INFO", "starting the new revision"],
  DEPLOYED: ["deploy", "INFO", "the new revision is ready"],
  DEPLOY_FAILED: ["deploy", "ERROR", "the new revision did not become ready"],
};

/** Lines that a revision has written so far: one a phase, and the scenario's own while it builds or starts. A log only grows. */
export function linesOf(
  revision: StoredRevision,
  sights: readonly Sight[],
  phase: "build" | "deploy",
  now: number,
): Line[] {
  const own = sights.some((sight) => sight.status === "BUILD_FAILED") ? "build" : "deploy";
  const said = sights.filter((sight) => SAYS[sight.status]?.[0] === phase);
  const worked = said.find(({ status }) => status === "BUILDING" || status === "DEPLOYING");
  const place = own === phase ? (worked ?? said.at(-1)) : undefined;
  const level = said.some(({ status }) => /FAILED/.test(status)) ? "ERROR" : "INFO";
  const extra = (at: number): Line[] => revision.log.map((message) => ({ at, level, message }));
  const built = ({ at, status }: Sight): Line[] =>
    status === "BUILDING"
      ? (revision.build ?? []).map((message) => ({ at, level: "INFO", message }))
      : [];
  return said
    .filter(({ at }) => at <= now)
    .flatMap((sight) => {
      const [, level, message] = SAYS[sight.status]!;
      const lines = [{ at: sight.at, level, message }, ...built(sight)];
      if (sight !== place) return lines;
      // What went wrong comes before the word that it did.
      return sight === worked ? [...lines, ...extra(sight.at)] : [...extra(sight.at), ...lines];
    });
}

interface Wanted {
  readonly phase: "build" | "deploy";
  readonly desc: boolean;
  readonly limit: number;
  readonly offset: number;
  readonly query: string | null;
  readonly level: string | null;
}

function page(
  world: World,
  deployment: StoredDeployment,
  revisions: readonly StoredRevision[],
  wanted: Wanted,
): { readonly lines: readonly JsonObject[]; readonly next: string | null } {
  const now = world.now();
  const { timelines } = momentOf(deployment, world.settings, now);
  const all = revisions
    .flatMap((one) =>
      linesOf(one, timelines.get(one.id)!, wanted.phase, now).map((line, i) => ({
        id: `${one.id}-${wanted.phase}-${i}`,
        ...line,
      })),
    )
    .filter(
      (line) =>
        (wanted.level === null || line.level === wanted.level.toUpperCase()) &&
        (wanted.query === null || line.message.includes(wanted.query)),
    )
    .sort((a, b) => a.at - b.at);
  const ordered = wanted.desc ? all.toReversed() : all;
  const end = wanted.offset + wanted.limit;
  return {
    lines: ordered
      .slice(wanted.offset, end)
      .map(({ id, at, level, message }) => ({ id, timestamp: iso(at), level, message })),
    next: end < ordered.length ? String(end) : null,
  };
}

function toWanted(
  get: (name: string) => string | null,
  names: {
    readonly phase: string;
    readonly order: string;
    readonly limit: string;
    readonly offset: string;
    readonly most: number;
    readonly usual: number;
  },
): Wanted {
  return {
    phase: names.phase.toLowerCase() === "build" ? "build" : "deploy",
    desc: (get(names.order) ?? "asc").toLowerCase() === "desc",
    limit: Math.min(
      names.most,
      Math.max(1, Number(get(names.limit) ?? names.usual) || names.usual),
    ),
    offset: Math.max(0, Number(get(names.offset) ?? 0) || 0),
    query: get("query"),
    level: get("level"),
  };
}

/** The sizes of pages are documented for the two GETs (docs/service.md 2.7); the POST takes any whole number. */
function refuseLimit(
  where: "query" | "body",
  name: string,
  text: string | null,
  most = Infinity,
): Reply | null {
  const limit = Number(text);
  if (text === null || (Number.isInteger(limit) && limit >= 1 && limit <= most)) return null;
  const msg = `Input should be a whole number from 1${most === Infinity ? " on" : ` to ${most}`}`;
  return flaw(where, name, msg, "int_parsing");
}

/** GET …/revisions/{rid}/logs?type= and GET /v2/deployments/{id}/logs?type=. */
export function getLogs(world: World, call: Call): Reply {
  const type = call.query.get("type");
  if (type === null || !/^(build|deploy)$/.test(type)) {
    return type === null
      ? flaw("query", "type", "Field required", "missing")
      : flaw("query", "type", "Input should be 'build' or 'deploy'", "enum");
  }
  const wrong = refuseLimit("query", "limit", call.query.get("limit"), 1000);
  if (wrong !== null) return wrong;
  const found =
    call.params["revision_id"] === undefined
      ? findDeployment(world, call)
      : findRevision(world, call);
  if (isReply(found)) return found;
  const [deployment, revisions] =
    "revision" in found ? [found.deployment, [found.revision]] : [found, found.revisions];
  const { lines, next } = page(
    world,
    deployment,
    revisions,
    toWanted((name) => call.query.get(name), {
      phase: type,
      order: "order",
      limit: "limit",
      offset: "offset",
      most: 1000,
      usual: 50,
    }),
  );
  return ok({ logs: lines, next_offset: next });
}

/** GET /v2/deployment-logs?deployment_id&revision_id&log_type. */
export function getDeploymentLogs(world: World, call: Call): Reply {
  const id = call.query.get("deployment_id") ?? "";
  if (!isUuid(id)) return badUuid("query", "deployment_id");
  const wrong = refuseLimit("query", "page_size", call.query.get("page_size"), 100);
  if (wrong !== null) return wrong;
  const found = findDeployment(world, { ...call, params: { deployment_id: id } });
  if (isReply(found)) return found;
  const revision = call.query.get("revision_id");
  const revisions =
    revision === null
      ? found.revisions
      : found.revisions.filter((one) => one.id === revision.toLowerCase());
  const names = {
    phase: call.query.get("log_type") ?? "DEPLOY",
    order: "sort_order",
    limit: "page_size",
    offset: "cursor",
    most: 100,
    usual: 20,
  };
  const { lines, next } = page(
    world,
    found,
    revisions,
    toWanted((name) => call.query.get(name), names),
  );
  return ok({ items: lines, next_cursor: next });
}

/**
 * POST /v1/projects/{id}/revisions/{rid}/build_logs and …/deploy_logs, POST
 * /v1/projects/{id}/deploy_logs (the vendor's command line).
 */
export function postLogs(phase: "build" | "deploy"): (world: World, call: Call) => Reply {
  return (world, call) => {
    const found = findDeployment(world, call);
    if (isReply(found)) return found;
    const body: JsonObject = isObject(call.body) ? call.body : {};
    const get = (name: string): string | null => {
      const value: Json | undefined = body[name];
      return value === undefined || value === null ? null : String(value as string | number);
    };
    const wrong = refuseLimit("body", "limit", get("limit"));
    if (wrong !== null) return wrong;
    const revision = call.params["revision_id"]?.toLowerCase();
    const revisions =
      revision === undefined
        ? found.revisions
        : found.revisions.filter((one) => one.id === revision);
    if (revisions.length === 0) return refused(404, `Revision ID ${revision ?? ""} not found.`);
    const { lines, next } = page(
      world,
      found,
      revisions,
      toWanted(get, {
        phase,
        order: "order",
        limit: "limit",
        offset: "offset",
        most: 1000,
        usual: 50,
      }),
    );
    return ok({ logs: lines, next_offset: next });
  };
}
