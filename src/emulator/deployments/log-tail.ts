import type { Json } from "../../model/json.ts";
import { findDeployment, findRevision } from "./deployment.ts";
import { iso, momentOf } from "./readback.ts";
import { ok, refuse, refuseUuid, refuseValue, type Reply } from "../http/reply.ts";
import { bodyOf, pageIn } from "../http/request-value.ts";
import type { Sight } from "./revision.ts";
import type { StoredRevision } from "../state/store.ts";
import { isUuid } from "../rules/validation.ts";
import type { Call, World } from "../world.ts";

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

/**
 * Lines that a revision has written so far: one a phase, and the scenario's own while it builds or
 * starts. A log only grows.
 */
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

/** Where the words of one of the log endpoints are, and what it calls them (contributing/service.md 2.7). */
interface Words {
  readonly where: "query" | "body";
  readonly order: string;
  readonly names: readonly [offset: string, limit: string];
  readonly bounds: { readonly usual: number; readonly least: number; readonly most: number };
  readonly reply: readonly [lines: string, next: string];
}

const LOGS: Words = {
  where: "query",
  order: "order",
  names: ["offset", "limit"],
  bounds: { usual: 50, least: 1, most: 1000 },
  reply: ["logs", "next_offset"],
};
const POSTED: Words = { ...LOGS, where: "body" };
const DEPLOYMENT_LOGS: Words = {
  where: "query",
  order: "sort_order",
  names: ["cursor", "page_size"],
  bounds: { usual: 20, least: 1, most: 100 },
  reply: ["items", "next_cursor"],
};

type Phase = "build" | "deploy";

/** The lines of a phase that the words ask for, of one revision or of all of a deployment. */
function answerLogs(world: World, call: Call, phase: Phase, words: Words): Reply {
  const read = (name: string): Json =>
    (words.where === "query" ? call.query.get(name) : bodyOf(call)[name]) ?? null;
  const text = (name: string): string | null => {
    const value = read(name);
    return value === null ? null : String(value as string);
  };
  const [from, to] = pageIn(words.where, read, words.bounds, words.names);
  const deployment = findDeployment(world, call);
  const id = call.params["revision_id"] ?? call.query.get("revision_id")?.toLowerCase();
  const revisions =
    id === undefined ? deployment.revisions : deployment.revisions.filter((one) => one.id === id);
  if (revisions.length === 0 && call.params["revision_id"] !== undefined)
    refuse(404, `Revision ID ${id ?? ""} not found.`);
  const now = world.now();
  const { timelines } = momentOf(deployment, world.settings, now);
  const level = text("level")?.toUpperCase() ?? null;
  const part = text("query") ?? "";
  const all = revisions
    .flatMap((one) =>
      linesOf(one, timelines.get(one.id)!, phase, now).map((line, i) => ({
        id: `${one.id}-${phase}-${i}`,
        ...line,
      })),
    )
    .filter((line) => (level === null || line.level === level) && line.message.includes(part))
    .sort((a, b) => a.at - b.at);
  const ordered = text(words.order)?.toLowerCase() === "desc" ? all.toReversed() : all;
  return ok({
    [words.reply[0]]: ordered
      .slice(from, to)
      .map(({ id: line, at, ...said }) => ({ id: line, timestamp: iso(at), ...said })),
    [words.reply[1]]: to < ordered.length ? String(to) : null,
  });
}

/** GET …/revisions/{rid}/logs?type= and GET /v2/deployments/{id}/logs?type=. */
export function getLogs(world: World, call: Call): Reply {
  const type = call.query.get("type");
  if (type === null) return refuseValue("query", "type", "Field required", "missing");
  if (type !== "build" && type !== "deploy")
    return refuseValue("query", "type", "Input should be 'build' or 'deploy'", "enum");
  if (call.params["revision_id"] !== undefined) findRevision(world, call);
  return answerLogs(world, call, type, LOGS);
}

/** GET /v2/deployment-logs?deployment_id&revision_id&log_type. */
export function getDeploymentLogs(world: World, call: Call): Reply {
  const id = call.query.get("deployment_id") ?? "";
  if (!isUuid(id)) return refuseUuid("query", "deployment_id");
  const phase = call.query.get("log_type")?.toLowerCase() === "build" ? "build" : "deploy";
  return answerLogs(
    world,
    { ...call, params: { deployment_id: id.toLowerCase() } },
    phase,
    DEPLOYMENT_LOGS,
  );
}

/**
 * POST /v1/projects/{id}/revisions/{rid}/build_logs and …/deploy_logs, POST
 * /v1/projects/{id}/deploy_logs (the vendor's command line).
 */
export const postLogs =
  (phase: Phase) =>
  (world: World, call: Call): Reply =>
    answerLogs(world, call, phase, POSTED);
