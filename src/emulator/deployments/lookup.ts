import { isObject, type Json, type JsonObject } from "../../model/json.ts";
import { findDeployment, isVisible, findRevision } from "./deployment.ts";
import { momentOf, showDeployment, showRevision, sightOf } from "./readback.ts";
import { BEYOND, GONE, listRow, oneRow, row, when, type Endpoints } from "../http/endpoint.ts";
import {
  equals,
  findOne,
  holds,
  isListed,
  isSo,
  testOf,
  type Filters,
  CONTROL,
} from "../http/listing.ts";
import { splitWords } from "../http/parameter.ts";
import { type Reply, NO_BODY, ok, refuse, refuseAll } from "../http/reply.ts";
import { hasEnded } from "./revision.ts";
import type { Settings } from "../options.ts";
import type { StoredDeployment, StoredRevision } from "../state/store.ts";
import { checkFilter, isUuid } from "../rules/validation.ts";
import type { Call, World } from "../world.ts";

/** The type as a read shows it, also for deployments created without one. */
function typeOf({ source_config: config }: JsonObject): Json | undefined {
  return isObject(config) ? config["deployment_type"] : undefined;
}

/** Whether a listener in the customer's own cluster reconciles the deployment, rather than the service. */
const isRemote = ({ source_config: config }: { readonly source_config?: Json }): boolean =>
  isObject(config) && (config["listener_id"] ?? null) !== null;

const STORED_FILTERS: Filters<StoredDeployment> = {
  by: {
    name: equals((one) => one.name),
    name_contains: holds((one) => one.name),
    deployment_ids: isListed((one) => one.id),
  },
};
/** Filters over what a read shows. */
const SHOWN_FILTERS: Filters<JsonObject> = {
  by: {
    status: equals((one) => one["status"]),
    deployment_type: equals(typeOf),
    image_version: equals((one) => one["image_version"]),
    remote_reconciled: isSo(isRemote),
    // Deployments have no tags here, so none matches.
    tag_value_ids: (param) => {
      const asked = param.words() ?? [];
      return () => asked.length === 0;
    },
  },
};

/** Newest first. */
function findDeployments(world: World, call: Call): readonly JsonObject[] {
  const type = call.query("deployment_type").text();
  if (type !== null) {
    const path = ["source_config", "deployment_type"];
    const flaws = checkFilter(path, type, world.settings);
    if (flaws.length > 0) refuseAll(flaws);
  }
  const isStored = testOf(STORED_FILTERS, call.query);
  return world.store
    .all("deployments")
    .filter((one) => isVisible(world, call, one) && isStored(one))
    .toReversed()
    .map(showDeployment(world, call));
}

/** Newest first; only those on the page are rendered later. */
function findRevisions(world: World, call: Call): readonly StoredRevision[] {
  const deployment = findDeployment(world, call);
  const reconciled = call.query("remote_reconciled").flag();
  if (reconciled !== null && isRemote(deployment) !== reconciled) return [];
  const statuses = call.query("status").words();
  const moment = momentOf(world, deployment);
  return moment.revisions
    .filter(
      (one) =>
        one.created_ms + world.settings.lags.revision <= moment.now &&
        (statuses === null || statuses.includes(sightOf(moment, one).status)),
    )
    .toReversed();
}

/** Interrupts an unfinished revision; a finished one stays unchanged. */
function interrupt(world: World, call: Call): StoredRevision {
  const { deployment, revision } = findRevision(world, call);
  const { status } = sightOf(momentOf(world, deployment), revision);
  if (hasEnded(status))
    return refuse(400, `Revision ID ${revision.id} is ${status} and cannot be interrupted.`);
  const run = { ...revision.runs.at(-1)!, cut: world.now() };
  const cut = { ...revision, runs: revision.runs.with(-1, run) };
  world.store.put("revisions", `${deployment.id} ${cut.id}`, cut);
  return cut;
}

/**
 * Starts a deletion, which takes a while; the tracing project is deleted on request, or if
 * `deleteKeepsProject` is off.
 */
function remove(world: World, deployment: StoredDeployment, withProject: boolean | null): void {
  const { store, settings } = world;
  if (deployment.deleted_ms === null)
    store.put("deployments", deployment.id, { ...deployment, deleted_ms: world.now() });
  if (withProject !== true && settings.deleteKeepsProject) return;
  for (const one of store.all("sessions"))
    if (
      one.dataset_id === null &&
      one.name === deployment.name &&
      one.tenant_id === deployment.tenant_id
    )
      store.remove("sessions", one.id);
}

/** `?deployment_ids=a&deployment_ids=b`, or `a,b`: up to 100; 207 if some did not exist. */
function deleteDeployments(world: World, call: Call): Reply {
  const withProject = call.query("delete_tracing_project").flag();
  const asked = call.query("deployment_ids");
  const ids = asked.all().flatMap(splitWords);
  if (ids.length === 0 || ids.length > 100 || ids.some((id) => !isUuid(id)))
    return asked.refuse("value_error", "Input should be a list of 1 to 100 UUIDs");
  const found = new Map(
    ids.flatMap((id) => {
      const one = world.store.get("deployments", id.toLowerCase());
      return one !== undefined && isVisible(world, call, one) ? [[id, one] as const] : [];
    }),
  );
  const failed = ids.filter((id) => !found.has(id));
  if (found.size === 0) refuse(404, `Deployment ID ${failed.join(", ")} not found.`);
  for (const one of found.values()) remove(world, one, withProject);
  return ok({ deleted: [...found.keys()], failed }, failed.length === 0 ? 200 : 207);
}

const DEPLOYMENTS = "/v2/deployments";
const DEPLOYMENT = `${DEPLOYMENTS}/{deployment_id}`;
const REVISION = `${DEPLOYMENT}/revisions/{revision_id}`;

// A bare array (contributing/service.md 9).
const install = row("Integration[]", ({ store }) =>
  ok(
    store
      .all("integrations")
      .map(({ id, installation_id, name }) => ({ id, installation_id, name })),
  ),
);
const repos = row("Any", ({ store }, call) => {
  const id = call.params["integration_id"];
  return ok(findOne(store.all("integrations"), id, `Integration ID ${id} not found.`).repos);
});
const interruption = oneRow("Revision", interrupt, showRevision);

/** Lists, deletions, and the sources for a deployment. */
export const LOOKUPS: Endpoints = {
  ...when(({ list }) => (list === "served" ? true : list), {
    [`GET ${DEPLOYMENTS}`]: listRow({
      reply: "DeploymentsList",
      paging: CONTROL,
      find: findDeployments,
      filters: SHOWN_FILTERS,
      view: () => (one) => one,
      query: Object.keys(STORED_FILTERS.by),
    }),
  }),
  ...when(({ remove: served }: Settings) => served, {
    [`DELETE ${DEPLOYMENT}`]: row(
      null,
      (world, call) => {
        const withProject = call.query("delete_tracing_project").flag();
        remove(world, findDeployment(world, call), withProject);
        return NO_BODY;
      },
      { status: GONE, query: ["delete_tracing_project"] },
    ),
  }),
  ...when(({ remove: served, list }) => served && list === "served", {
    [`DELETE ${DEPLOYMENTS}`]: row("Any", deleteDeployments, {
      query: ["deployment_ids", "delete_tracing_project"],
    }),
  }),
  ...when(({ revisionList }) => revisionList, {
    [`GET ${DEPLOYMENT}/revisions`]: listRow({
      reply: "RevisionsList",
      paging: CONTROL,
      find: findRevisions,
      view: showRevision,
      query: ["status", "remote_reconciled"],
    }),
  }),
  "GET /v1/integrations/repohost/install": install,
  ...when(BEYOND, {
    // The sources disagree about its name (contributing/service.md 2).
    [`POST ${REVISION}/interrupt`]: interruption,
    [`POST ${REVISION}/interruption`]: interruption,
    "GET /v1/integrations/github/install": install,
    "GET /v1/integrations/forge/github/install": install,
    ...Object.fromEntries(
      ["github", "repohost", "forge/github"].map((host) => [
        `GET /v1/integrations/${host}/{integration_id}/repos`,
        repos,
      ]),
    ),
  }),
};
