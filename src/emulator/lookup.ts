import { isObject, type Json, type JsonObject } from "../model/json.ts";
import { findDeployment, isVisible, showDeployment, findRevision } from "./deployment.ts";
import { toRevision, momentOf } from "./readback.ts";
import { invalid, isReply, ok, refused, type Reply, type ValidationError } from "./reply.ts";
import { flaw, queryBoolean, uuidParam } from "./request-value.ts";
import { statusAt } from "./revision.ts";
import type { StoredRevision } from "./store.ts";
import { checkFilter, isUuid } from "./validation.ts";
import type { Call, World } from "./world.ts";

/** Which part of a list is asked for. */
export interface PageRequest {
  readonly limit: number;
  readonly offset: number;
}

/** `limit` 1..100, default 20, and `offset` from 0, or the 422. */
export function pageOf(world: World, call: Call): PageRequest | Reply {
  const errors: ValidationError[] = [];
  const read = (name: string, fallback: number, least: number, most: number): number => {
    const text = call.query.get(name);
    if (text === null) return fallback;
    const fail = (type: string, msg: string): void => {
      errors.push({ loc: ["query", name], msg, type, input: text });
    };
    const value = Number(text);
    if (!/^-?\d+$/.test(text))
      fail("int_parsing", "Input should be a valid integer, unable to parse string as an integer");
    else if (value < least)
      fail("greater_than_equal", `Input should be greater than or equal to ${least}`);
    else if (value > most) fail("less_than_equal", `Input should be less than or equal to ${most}`);
    return value;
  };
  const page = {
    limit: read("limit", 20, 1, 100),
    offset: read("offset", 0, 0, Number.MAX_SAFE_INTEGER),
  };
  return errors.length > 0 ? invalid(errors, world.settings.validationEcho) : page;
}

/** One page and the offset of the next; there is no total (docs/service.md 2.1). */
export function paged(items: readonly Json[], page: PageRequest): JsonObject {
  const resources = items.slice(page.offset, page.offset + page.limit);
  return { resources, offset: page.offset + resources.length };
}

const words = (text: string | null): readonly string[] | null =>
  text
    ?.split(",")
    .map((word) => word.trim())
    .filter((word) => word !== "") ?? null;

/** The reason of each status by which a service can say that it has no list. */
const NO_LIST = { 404: "Not Found", 405: "Method Not Allowed", 501: "Not Implemented" } as const;

/** The type as a read shows it, which one that was created without has too. */
function typeOf({ source_config: config }: JsonObject): Json | undefined {
  return isObject(config) ? config["deployment_type"] : undefined;
}

/** Whether a listener in the customer's own cluster brings it about, and not the service. */
function isRemote({ source_config: config }: JsonObject): boolean {
  return isObject(config) && (config["listener_id"] ?? null) !== null;
}

/** GET /v2/deployments: newest first; filters narrow. */
export function listDeployments(world: World, call: Call): Reply {
  const { list } = world.settings;
  if (list !== "served") return refused(list, NO_LIST[list]);
  const page = pageOf(world, call);
  if (isReply(page)) return page;
  const contains = call.query.get("name_contains");
  const name = call.query.get("name");
  const status = call.query.get("status");
  const ids = words(call.query.get("deployment_ids"));
  const type = call.query.get("deployment_type");
  const flaws =
    type === null ? [] : checkFilter(["source_config", "deployment_type"], type, world.settings);
  if (flaws.length > 0) return invalid(flaws, world.settings.validationEcho);
  const reconciled = queryBoolean(call, "remote_reconciled");
  if (isReply(reconciled)) return reconciled;
  const imageVersion = call.query.get("image_version");
  // No deployment has tags here: one that is asked for is none's.
  const isTagged = (words(call.query.get("tag_value_ids")) ?? []).length > 0;
  const shown = world.store
    .all("deployments")
    .filter((one) => isVisible(world, call, one))
    .filter(
      (one) =>
        (contains === null || one.name.toLowerCase().includes(contains.toLowerCase())) &&
        (name === null || one.name === name),
    )
    .filter((one) => ids === null || ids.includes(one.id))
    .toReversed()
    .map((one) => showDeployment(world, call, one))
    .filter((one) => status === null || one["status"] === status)
    .filter((one) => type === null || typeOf(one) === type)
    .filter((one) => reconciled === null || isRemote(one) === reconciled)
    .filter((one) => imageVersion === null || one["image_version"] === imageVersion)
    .filter(() => !isTagged);
  return ok(paged(shown, page));
}

/** GET …/revisions: newest first. */
export function listRevisions(world: World, call: Call): Reply {
  const page = pageOf(world, call);
  if (isReply(page)) return page;
  const deployment = findDeployment(world, call);
  if (isReply(deployment)) return deployment;
  const reconciled = queryBoolean(call, "remote_reconciled");
  if (isReply(reconciled)) return reconciled;
  if (reconciled !== null && isRemote(showDeployment(world, call, deployment)) !== reconciled)
    return ok(paged([], page));
  const statuses = words(call.query.get("status"));
  const now = world.now();
  const show = (one: StoredRevision): JsonObject =>
    toRevision(deployment, one, world.settings, now);
  const seen = deployment.revisions
    .filter((one) => one.created_ms + world.settings.lags.revision <= now)
    .toReversed();
  if (statuses === null) {
    const chosen = seen.slice(page.offset, page.offset + page.limit);
    return ok({ resources: chosen.map(show), offset: page.offset + chosen.length });
  }
  const shown = seen.map(show).filter((one) => statuses.includes(one["status"] as string));
  return ok(paged(shown, page));
}

/** POST …/interrupt: ends an unfinished revision as INTERRUPTED; a finished one stays as it is. */
export function postInterrupt(world: World, call: Call): Reply {
  const found = findRevision(world, call);
  if (isReply(found)) return found;
  const { deployment, revision } = found;
  const now = world.now();
  const sight = statusAt(
    momentOf(deployment, world.settings, now).timelines.get(revision.id)!,
    now,
  );
  if (/^(DEPLOYED|SKIPPED|INTERRUPTED|.*_FAILED)$/.test(sight.status))
    return refused(400, `Revision ID ${revision.id} is ${sight.status} and cannot be interrupted.`);
  const runs = revision.runs.map((run, i) =>
    i === revision.runs.length - 1 ? { ...run, cut: now } : run,
  );
  const after = {
    ...deployment,
    revisions: deployment.revisions.map((one) => (one.id === revision.id ? { ...one, runs } : one)),
  };
  world.store.put("deployments", after.id, after);
  return ok(
    toRevision(after, after.revisions.find((one) => one.id === revision.id)!, world.settings, now),
  );
}

/** DELETE /v2/deployments/{deployment_id}: asynchronous; the tracing project stays unless asked otherwise. */
export function deleteDeployment(world: World, call: Call): Reply {
  const withProject = queryBoolean(call, "delete_tracing_project");
  if (isReply(withProject)) return withProject;
  const deployment = findDeployment(world, call);
  if (isReply(deployment)) return deployment;
  const { store, settings } = world;
  if (deployment.deleted_ms === null)
    store.put("deployments", deployment.id, { ...deployment, deleted_ms: world.now() });
  if (withProject === true || !settings.deleteKeepsProject) {
    const projects = store
      .all("sessions")
      .filter(
        (one) =>
          one.dataset_id === null &&
          one.name === deployment.name &&
          one.tenant_id === deployment.tenant_id,
      );
    for (const project of projects) store.remove("sessions", project.id);
  }
  return { status: 204, text: "" };
}

/** DELETE /v2/deployments?deployment_ids=a&deployment_ids=b, or a,b: up to 100; 207 where some were not there. */
export function deleteDeployments(world: World, call: Call): Reply {
  const ids = words(call.query.getAll("deployment_ids").join(",")) ?? [];
  const wrong = ids.length === 0 || ids.length > 100 || ids.some((id) => !isUuid(id));
  if (wrong)
    return flaw(
      "query",
      "deployment_ids",
      "Input should be a list of 1 to 100 UUIDs",
      "value_error",
    );
  const withProject = queryBoolean(call, "delete_tracing_project");
  if (isReply(withProject)) return withProject;
  const results = ids.map((id) => ({
    id,
    reply: deleteDeployment(world, { ...call, params: { deployment_id: id } }),
  }));
  const failed = results.filter(({ reply }) => reply.status !== 204).map(({ id }) => id);
  if (failed.length === ids.length)
    return refused(404, `Deployment ID ${failed.join(", ")} not found.`);
  const deleted = ids.filter((id) => !failed.includes(id));
  return ok({ deleted, failed }, failed.length === 0 ? 200 : 207);
}

/** GET /v1/integrations/…/install: a bare array (docs/service.md 9). */
export function listIntegrations(world: World): Reply {
  return ok(
    world.store
      .all("integrations")
      .map(({ id, installation_id, name }) => ({ id, installation_id, name })),
  );
}

/** GET /v1/integrations/…/{integration_id}/repos. */
export function listRepos(world: World, call: Call): Reply {
  const id = uuidParam(world, call, "integration_id");
  if (isReply(id)) return id;
  const integration = world.store.get("integrations", id);
  return integration === undefined
    ? refused(404, `Integration ID ${id} not found.`)
    : ok(integration.repos);
}
