import { isObject, type Json, type JsonObject } from "../../model/json.ts";
import { findDeployment, isVisible, showDeployment, findRevision } from "./deployment.ts";
import { toRevision, momentOf } from "./readback.ts";
import { type Reply, ok, refuse, refuseAll, refuseValue } from "../http/reply.ts";
import { queryBoolean, type PageRange, pageOf } from "../http/request-value.ts";
import { hasEnded, statusAt } from "./revision.ts";
import type { StoredRevision } from "../state/store.ts";
import { checkFilter, isUuid } from "../rules/validation.ts";
import type { Call, World } from "../world.ts";

/** Items of a page of the control plane (contributing/service.md 2.1). */
export const CONTROL_PAGE = { usual: 20, least: 1, most: 100 };

/** One page and the offset of the next; there is no total (contributing/service.md 2.1). */
export function paged(items: readonly Json[], [from, to]: PageRange): JsonObject {
  const resources = items.slice(from, to);
  return { resources, offset: from + resources.length };
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
  if (list !== "served") return refuse(list, NO_LIST[list]);
  const page = pageOf(call, CONTROL_PAGE);
  const contains = call.query.get("name_contains");
  const name = call.query.get("name");
  const status = call.query.get("status");
  const ids = words(call.query.get("deployment_ids"));
  const type = call.query.get("deployment_type");
  const flaws =
    type === null ? [] : checkFilter(["source_config", "deployment_type"], type, world.settings);
  if (flaws.length > 0) return refuseAll(flaws);
  const reconciled = queryBoolean(call, "remote_reconciled");
  const imageVersion = call.query.get("image_version");
  // No deployment has tags here: so no deployment has the one asked for.
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
  const page = pageOf(call, CONTROL_PAGE);
  const deployment = findDeployment(world, call);
  const reconciled = queryBoolean(call, "remote_reconciled");
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
    const chosen = seen.slice(...page);
    return ok({ resources: chosen.map(show), offset: page[0] + chosen.length });
  }
  const shown = seen.map(show).filter((one) => statuses.includes(one["status"] as string));
  return ok(paged(shown, page));
}

/** POST …/interrupt: ends an unfinished revision as INTERRUPTED; a finished one stays as it is. */
export function postInterrupt(world: World, call: Call): Reply {
  const found = findRevision(world, call);
  const { deployment, revision } = found;
  const now = world.now();
  const sight = statusAt(
    momentOf(deployment, world.settings, now).timelines.get(revision.id)!,
    now,
  );
  if (hasEnded(sight.status))
    return refuse(400, `Revision ID ${revision.id} is ${sight.status} and cannot be interrupted.`);
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
  const deployment = findDeployment(world, call);
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
    return refuseValue(
      "query",
      "deployment_ids",
      "Input should be a list of 1 to 100 UUIDs",
      "value_error",
    );
  const known = ids.filter((id) => {
    const found = world.store.get("deployments", id.toLowerCase());
    return found !== undefined && isVisible(world, call, found);
  });
  const failed = ids.filter((id) => !known.includes(id));
  if (known.length === 0) refuse(404, `Deployment ID ${failed.join(", ")} not found.`);
  for (const id of known)
    deleteDeployment(world, { ...call, params: { deployment_id: id.toLowerCase() } });
  return ok({ deleted: known, failed }, failed.length === 0 ? 200 : 207);
}

/** GET /v1/integrations/…/install: a bare array (contributing/service.md 9). */
export function listIntegrations(world: World): Reply {
  return ok(
    world.store
      .all("integrations")
      .map(({ id, installation_id, name }) => ({ id, installation_id, name })),
  );
}

/** GET /v1/integrations/…/{integration_id}/repos. */
export function listRepos(world: World, call: Call): Reply {
  const id = call.params["integration_id"]!;
  const integration = world.store.get("integrations", id);
  return integration === undefined
    ? refuse(404, `Integration ID ${id} not found.`)
    : ok(integration.repos);
}
