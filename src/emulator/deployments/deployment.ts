import type { JsonObject } from "../../model/json.ts";
import { checkHosted, checkNamespace } from "../rules/hosted-rule.ts";
import { momentOf, toDeployment, toRevision } from "./readback.ts";
import { type Reply, ok, refuse, refuseAll } from "../http/reply.ts";
import { hasEnded, toRun, type RevisionRule } from "./revision.ts";
import { buildArchive } from "./source-build.ts";
import type { StoredDeployment, StoredRevision } from "../state/store.ts";
import { checkDeployment } from "../rules/validation.ts";
import { headOf, normaliseRepo, type Call, type World } from "../world.ts";
import {
  othersOf,
  type WantedDeployment,
  writable,
  isInternal,
  checkKind,
  checkTag,
  asSent,
  canonical,
} from "./deployment-body.ts";
import { toChange } from "./deployment-change.ts";

/** A deployment of the caller that is not gone yet, or 422 / 404. */
export function findDeployment(world: World, call: Call): StoredDeployment {
  const id = call.params["deployment_id"]!;
  const found = world.store.get("deployments", id);
  return found !== undefined && isVisible(world, call, found)
    ? found
    : refuse(404, `Deployment ID ${id} not found.`);
}

/** A revision of a deployment of the caller, or 422 / 404; right after the write it may not be found yet. */
export function findRevision(
  world: World,
  call: Call,
): { readonly deployment: StoredDeployment; readonly revision: StoredRevision } {
  const id = call.params["revision_id"]!;
  const deployment = findDeployment(world, call);
  const revision = deployment.revisions.find((one) => one.id === id);
  if (revision === undefined || revision.created_ms + world.settings.lags.revision > world.now())
    return refuse(404, `Revision ID ${id} not found.`);
  return { deployment, revision };
}

/** Whether the caller's tenant sees the deployment, and its delete is not over. */
export function isVisible(world: World, call: Call, deployment: StoredDeployment): boolean {
  const gone =
    deployment.deleted_ms !== null &&
    deployment.deleted_ms + world.settings.lags.delete <= world.now();
  return !gone && (deployment.tenant_id === null || deployment.tenant_id === call.caller.tenant_id);
}

/** A deployment as its caller's GET shows it now. */
export const showDeployment = (
  world: World,
  call: Call,
  deployment: StoredDeployment,
): JsonObject =>
  toDeployment(deployment, world.settings, world.now(), call.origin, call.caller.tenant_id);

/** Adds a revision of `config` that goes as the scenario says. */
function addRevision(
  world: World,
  deployment: StoredDeployment,
  config: JsonObject,
  cause: string,
  given?: RevisionRule,
): StoredDeployment {
  const number = (deployment.revisions.at(-1)?.number ?? 0) + 1;
  const { lines: build, rule } = buildArchive(
    world,
    deployment,
    config,
    given ?? world.ruleFor(deployment.name, number),
  );
  const now = world.now();
  const { repo_commit_sha: pinned, ...writableConfig } = config;
  const head = (): string =>
    headOf(
      world,
      String(deployment.source_config["repo_url"] ?? ""),
      String(writableConfig["repo_ref"] ?? ""),
    );
  const built = cause === "redeploy" ? pinned : head();
  const commit = deployment.source === "repohost" ? built : undefined;
  const revision: StoredRevision = {
    id: world.newId(`revision ${deployment.id} ${number}`),
    number,
    created_ms: now,
    cause,
    config: commit === undefined ? writableConfig : { ...writableConfig, repo_commit_sha: commit },
    runs: [
      toRun({
        at: now,
        seenFrom: now,
        rule,
        builds: deployment.source !== "external_container" || world.settings.containerBuilds,
        again: false,
        phases: world.phases,
      }),
    ],
    status_message: rule.status_message ?? null,
    log: rule.log ?? [],
    build,
  };
  const revisions = [...trimRevisions(world, deployment), revision];
  return { ...deployment, updated_ms: now, revisions };
}

/** Revisions that a deployment keeps; above that the oldest that have ended are dropped, many at a time. */
const MOST_REVISIONS = 2000;

const DROPPED_AT_ONCE = 500;

function trimRevisions(world: World, deployment: StoredDeployment): readonly StoredRevision[] {
  const { revisions } = deployment;
  if (revisions.length < MOST_REVISIONS + DROPPED_AT_ONCE) return revisions;
  const { timelines, active } = momentOf(deployment, world.settings, world.now());
  const ended = (one: StoredRevision): boolean => {
    const last = timelines.get(one.id)?.at(-1);
    return last !== undefined && last.at <= world.now() && hasEnded(last.status);
  };
  return revisions.filter((one, i) => i >= DROPPED_AT_ONCE || one.id === active?.id || !ended(one));
}

/** POST /v2/deployments. */
export function postDeployment(world: World, call: Call): Reply {
  const { settings, store } = world;
  const hosted = settings.createRules === "hosted";
  const { body, dialect } = canonical(call.body, hosted ? "hosted" : "document");
  const errors = checkDeployment(body, "create", { ...settings, dialect });
  if (errors.length > 0) refuseAll(asSent(errors, call.body));
  const wanted = body as JsonObject & {
    readonly name: string;
    readonly source: string;
    readonly secrets: StoredDeployment["secrets"];
  };
  const own = {
    source: wanted.source,
    dialect,
    source_config: writable("source_config", wanted["source_config"]),
    source_revision_config: writable("source_revision_config", wanted["source_revision_config"]),
  };
  checkKind(own);
  checkTag(own.source_config, own.source_revision_config);
  if (hosted) checkHosted(world, { kind: "create", body: wanted, secrets: wanted.secrets, ...own });
  checkNamespace(world, own.source_config);
  const tenant_id = call.caller.tenant_id;
  const sessions = store
    .all("sessions")
    .filter(
      (session) => session.name === wanted.name && (session.tenant_id ?? tenant_id) === tenant_id,
    );
  const live = store
    .all("deployments")
    .some((one) => one.name === wanted.name && isVisible(world, call, one));
  if (settings.names === "unique" && (live || sessions.length > 0))
    refuse(409, `Project with name ${wanted.name} already exists.`);
  const made = makeDeployment(world, {
    name: wanted.name,
    secrets: wanted.secrets,
    others: othersOf(wanted, "create"),
    ...own,
    tenant_id,
  });
  return ok(showDeployment(world, call, made), settings.strict ? 200 : 201);
}

/** Stores a new deployment with its first revision and its tracing project. */
export function makeDeployment(
  world: World,
  wanted: WantedDeployment & {
    readonly name: string;
    readonly secrets: StoredDeployment["secrets"];
    readonly others: JsonObject;
    readonly tenant_id: string | null;
    readonly id?: string;
    readonly rule?: RevisionRule;
  },
): StoredDeployment {
  const now = world.now();
  const {
    source,
    dialect,
    source_config,
    source_revision_config,
    name,
    secrets,
    others,
    tenant_id,
  } = wanted;
  const namesakes = world.store.all("deployments").filter((one) => one.name === name);
  const empty: StoredDeployment = {
    id: wanted.id ?? world.newId(`deployment ${tenant_id} ${name} ${namesakes.length}`),
    tenant_id,
    name,
    source,
    dialect,
    source_config,
    secrets: secrets.map((one) => ({ name: one.name, value: one.value })),
    others,
    created_ms: now,
    updated_ms: now,
    deleted_ms: null,
    revisions: [],
  };
  // The vendor's command line first makes the deployment, then brings what to run.
  const nothingYet = isInternal(source) && Object.keys(source_revision_config).length === 0;
  const made = nothingYet
    ? empty
    : addRevision(world, empty, source_revision_config, "create", wanted.rule);
  world.store.put("deployments", made.id, made);
  const session = world.newId(`project ${made.id}`);
  world.store.put("sessions", session, {
    id: session,
    tenant_id,
    name,
    description: null,
    dataset_id: null,
    test_run_number: null,
    created_ms: now,
    start_time: new Date(now).toISOString(),
    end_time: null,
    metadata: null,
    statistics: {},
  });
  return made;
}

/**
 * PATCH /v2/deployments/{deployment_id}: null leaves a field; five fields make a revision whenever
 * they are not null.
 */
export function patchDeployment(world: World, call: Call): Reply {
  const deployment = findDeployment(world, call);
  const change = toChange(world, deployment, call.body);
  const { changed, revisionConfig, builds, rule } = change;
  const after = builds ? addRevision(world, changed, revisionConfig, "patch", rule) : changed;
  world.store.put("deployments", after.id, after);
  return ok(showDeployment(world, call, after));
}

/** POST …/revisions: what a PATCH does, and always a revision, which is returned (contributing/service.md 2.3). */
export function postRevision(world: World, call: Call): Reply {
  const deployment = findDeployment(world, call);
  const change = toChange(world, deployment, call.body ?? {});
  const { changed, revisionConfig, rule } = change;
  const after = addRevision(world, changed, revisionConfig, "revision", rule);
  world.store.put("deployments", after.id, after);
  return ok(toRevision(after, after.revisions.at(-1)!, world.settings, world.now()), 201);
}

/** GET /v2/deployments/{deployment_id}. */
export function getDeployment(world: World, call: Call): Reply {
  const deployment = findDeployment(world, call);
  return ok(showDeployment(world, call, deployment));
}

/** POST …/redeploy: the same revision once more, or a new one of the same configuration, by choice. */
export function postRedeploy(world: World, call: Call): Reply {
  const found = findRevision(world, call);
  const { deployment, revision } = found;
  if (deployment.deleted_ms !== null)
    return refuse(400, `Deployment ID ${deployment.id} is being deleted.`);
  const after =
    world.settings.redeploy === "new-revision"
      ? addRevision(world, deployment, revision.config, "redeploy")
      : runAgain(world, deployment, revision);
  world.store.put("deployments", after.id, after);
  return ok(showDeployment(world, call, after));
}

function runAgain(
  world: World,
  deployment: StoredDeployment,
  revision: StoredRevision,
): StoredDeployment {
  const now = world.now();
  const { lines: build, rule } = buildArchive(
    world,
    deployment,
    revision.config,
    world.ruleFor(deployment.name, revision.number),
  );
  const run = toRun({
    at: now,
    seenFrom: now + world.settings.lags.stale,
    rule,
    builds: deployment.source !== "external_container" || world.settings.containerBuilds,
    again: true,
    phases: world.phases,
  });
  const again = {
    ...revision,
    runs: [...revision.runs, run],
    status_message: rule.status_message ?? null,
    log: rule.log ?? [],
    build,
  };
  return {
    ...deployment,
    updated_ms: now,
    revisions: deployment.revisions.map((one) => (one.id === revision.id ? again : one)),
  };
}

/**
 * A push: moves the head, and builds every deployment that tracks the ref with build_on_push. Gives
 * the ids of those.
 */
export function push(world: World, repoUrl: string, ref: string, commit: string): string[] {
  world.store.put("heads", `${normaliseRepo(repoUrl)} ${ref}`, commit);
  const tracking = world.store
    .all("deployments")
    .filter(
      (one) =>
        one.source === "repohost" &&
        one.deleted_ms === null &&
        one.source_config["build_on_push"] === true &&
        normaliseRepo(String(one.source_config["repo_url"] ?? "")) === normaliseRepo(repoUrl) &&
        one.revisions.at(-1)?.config["repo_ref"] === ref,
    );
  for (const one of tracking)
    world.store.put(
      "deployments",
      one.id,
      addRevision(world, one, one.revisions.at(-1)!.config, "push"),
    );
  return tracking.map((one) => one.id);
}

/** GET …/revisions/{revision_id}. */
export function getRevision(world: World, call: Call): Reply {
  const found = findRevision(world, call);
  return ok(toRevision(found.deployment, found.revision, world.settings, world.now()));
}
