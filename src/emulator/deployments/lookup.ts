import type { JsonObject } from "../../model/json.ts";
import { findDeployment, isVisible, findRevision } from "./deployment.ts";
import { momentOf, showDeployment, showRevision, stepOf } from "./readback.ts";
import { BEYOND, GONE, listRow, oneRow, row, when, type Endpoints } from "../http/endpoint.ts";
import { equals, findOne, holds, isListed, isSo, type Filters, CONTROL } from "../http/listing.ts";
import { splitWords } from "../http/parameter.ts";
import { type Reply, NO_BODY, ok, refuse, refuseAny } from "../http/reply.ts";
import { hasEnded } from "./revision.ts";
import type { Settings } from "../options.ts";
import type { StoredDeployment, StoredRevision } from "../state/store.ts";
import { checkBody, fieldRule, isUuid } from "../rules/validation.ts";
import type { Call, World } from "../world.ts";

/** Whether a listener in the customer's own cluster reconciles the deployment, rather than the service. */
const isRemote = ({ source_config: config }: StoredDeployment): boolean =>
  (config["listener_id"] ?? null) !== null;

/** A deployment of a list, and how it is shown if a filter or the page asks for that. */
interface Listed {
  readonly one: StoredDeployment;
  readonly show: () => JsonObject;
}
const FILTERS: Filters<Listed> = {
  by: {
    status: equals(({ show }) => show()["status"]),
    // As shown: a read fills it in for deployments created without one.
    deployment_type: equals(
      ({ show }) => (show()["source_config"] as JsonObject)["deployment_type"],
    ),
    image_version: equals(({ show }) => show()["image_version"]),
    remote_reconciled: isSo(({ one }) => isRemote(one)),
    // Deployments have no tags here, so none matches.
    tag_value_ids: (param) => {
      const asked = param.words() ?? [];
      return () => asked.length === 0;
    },
    name: equals(({ one }) => one.name),
    name_contains: holds(({ one }) => one.name),
    deployment_ids: isListed(({ one }) => one.id),
  },
};

/** Newest first. */
function findDeployments(world: World, call: Call): readonly Listed[] {
  const { name, value } = call.query("deployment_type");
  const rule = fieldRule(["source_config", name], world.settings).nullable();
  refuseAny(checkBody(rule, value, { at: ["query", name] }));
  const view = showDeployment(world, call);
  return world.store
    .all("deployments")
    .filter((one) => isVisible(world, call, one))
    .toReversed()
    .map((one) => ({ one, show: () => view(one) }));
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
        (statuses === null || statuses.includes(stepOf(moment, one).status)),
    )
    .toReversed();
}

/** Interrupts an unfinished revision; a finished one stays unchanged. */
function interrupt(world: World, call: Call): StoredRevision {
  const { deployment, revision } = findRevision(world, call);
  const { status } = stepOf(momentOf(world, deployment), revision);
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
  if (deployment.deleted_ms === null) {
    store.put("deployments", deployment.id, { ...deployment, deleted_ms: world.now() });
    store.put("meta", "deleted", (store.get("meta", "deleted") ?? 0) + 1);
  }
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
  const ids = asked.texts().flatMap(splitWords);
  if (ids.length === 0 || ids.length > 100 || ids.some((id) => !isUuid(id)))
    return asked.refuse("value_error", "Input should be a list of 1 to 100 UUIDs");
  const found = world.store
    .all("deployments")
    .filter((one) => ids.includes(one.id) && isVisible(world, call, one));
  const deleted = found.map(({ id }) => id);
  const failed = ids.filter((id) => !deleted.includes(id));
  if (found.length === 0) refuse(404, `Deployment ID ${failed.join(", ")} not found.`);
  for (const one of found) remove(world, one, withProject);
  return ok({ deleted, failed }, failed.length === 0 ? 200 : 207);
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
      filters: FILTERS,
      view: () => (one) => one.show(),
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
