import type * as z from "zod/v4";
import type { JsonObject } from "../../model/json.ts";
import { isHostedSource } from "../../model/dialect.ts";
import { momentOf, showDeployment, showRevision, stepOf } from "./readback.ts";
import { BEYOND, CREATED, oneRow, when, type Endpoints } from "../http/endpoint.ts";
import { refuse } from "../http/reply.ts";
import { hasEnded, toRun, type RevisionRule } from "./revision.ts";
import { buildArchive } from "./source-build.ts";
import type { StoredDeployment, StoredRevision } from "../state/store.ts";
import { deploymentRule } from "../rules/validation.ts";
import { COMMIT, type Settings } from "../options.ts";
import { FILLED, must, object } from "../control/schema.ts";
import { headOf, isMine, mineIn, normaliseRepo, type Call, type World } from "../world.ts";
import { newestConfig, othersOf, readAsked, toChange, toSecrets } from "./deployment-body.ts";

/** The caller's deployment, unless it is gone; else 404. */
export function findDeployment(world: World, call: Call): StoredDeployment {
  const id = call.params["deployment_id"]!;
  const found = world.store.get("deployments", id);
  return found !== undefined && isVisible(world, call, found)
    ? found
    : refuse(404, `Deployment ID ${id} not found.`);
}

/** A revision of the caller's deployment; else 404. Right after its creation it may not be found yet. */
export function findRevision(world: World, call: Call) {
  const id = call.params["revision_id"]!;
  const deployment = findDeployment(world, call);
  const revision = world.store.get("revisions", `${deployment.id} ${id}`);
  if (revision === undefined || revision.created_ms + world.settings.lags.revision > world.now())
    return refuse(404, `Revision ID ${id} not found.`);
  return { deployment, revision };
}

/** Whether the deletion of a deployment is complete. */
export const isGone = ({ settings, now }: World, { deleted_ms: at }: StoredDeployment): boolean =>
  at !== null && at + settings.lags.delete <= now();

/** Drops deployments whose deletion is complete, with what belonged to them: nothing shows it again. */
export function forgetGone(world: World): void {
  const { store } = world;
  const gone = store.all("deployments").filter((one) => isGone(world, one));
  for (const { id } of gone) {
    store.remove("deployments", id);
    for (const one of store.of("revisions", id)) store.remove("revisions", `${id} ${one.id}`);
    for (const { deployment_id: owner, object_path: path } of store.all("uploads"))
      if (owner === id) store.remove("uploads", path);
  }
}

/** Whether the caller's tenant can see the deployment, and its deletion is not complete. */
export const isVisible = (world: World, call: Call, one: StoredDeployment): boolean =>
  !isGone(world, one) && isMine(call, one);

/** A run of a revision from now on, according to the scenario, and what its build logs. */
function startRun(
  world: World,
  deployment: StoredDeployment,
  { number, config }: Pick<StoredRevision, "number" | "config">,
  again: boolean,
  given?: RevisionRule,
): Pick<StoredRevision, "status_message" | "log" | "build" | "runs"> {
  const { lines: build, rule } = buildArchive(
    world,
    deployment,
    config,
    given ?? world.ruleFor(deployment.name, number),
  );
  const run = toRun({
    at: world.now(),
    seenFrom: world.now() + (again ? world.settings.lags.stale : 0),
    rule,
    // A prebuilt image has nothing to build.
    builds: deployment.source !== "external_container",
    again,
    phases: world.settings.phases,
  });
  return { runs: [run], status_message: rule.status_message ?? null, log: rule.log ?? [], build };
}

/** Stores a new or changed revision, and its deployment, which it changes. */
function putRevision(
  { store, now }: World,
  deployment: StoredDeployment,
  revision: StoredRevision,
): void {
  store.put("deployments", deployment.id, { ...deployment, updated_ms: now() });
  store.put("revisions", `${deployment.id} ${revision.id}`, revision);
}

/** Adds a revision of `config`. */
function addRevision(
  world: World,
  deployment: StoredDeployment,
  config: JsonObject,
  cause: string,
  given?: RevisionRule,
): StoredRevision {
  const number = (world.store.of("revisions", deployment.id).at(-1)?.number ?? 0) + 1;
  const { repo_commit_sha: pinned, ...rest } = config;
  const { repo_url: url = "" } = deployment.source_config;
  const built =
    cause === "redeploy" ? pinned : headOf(world, String(url), String(rest["repo_ref"] ?? ""));
  const revision: StoredRevision = {
    ...startRun(world, deployment, { number, config }, false, given),
    id: world.newId(`revision ${deployment.id} ${number}`),
    deployment_id: deployment.id,
    number,
    created_ms: world.now(),
    cause,
    config: deployment.source === "repohost" ? { ...rest, repo_commit_sha: built! } : rest,
  };
  trimRevisions(world, deployment);
  putRevision(world, deployment, revision);
  return revision;
}

/** Revisions kept per deployment; DROPPED_AT_ONCE above that, the oldest finished ones are dropped together. */
const MAX_REVISIONS = 2000;

const DROPPED_AT_ONCE = 500;

function trimRevisions(world: World, deployment: StoredDeployment): void {
  const revisions = world.store.of("revisions", deployment.id);
  if (revisions.length < MAX_REVISIONS + DROPPED_AT_ONCE) return;
  const moment = momentOf(world, deployment);
  for (const one of revisions.slice(0, DROPPED_AT_ONCE))
    if (one.id !== moment.active?.id && hasEnded(stepOf(moment, one).status))
      world.store.remove("revisions", `${deployment.id} ${one.id}`);
}

/** Whether the caller has a deployment or tracing project of that name. */
const isTaken = (world: World, call: Call, name: string): boolean =>
  [
    ...mineIn(world, call, "deployments").filter((one) => !isGone(world, one)),
    ...mineIn(world, call, "sessions"),
  ].some((one) => one.name === name);

/**
 * Stores a new deployment, by default under an id of its own, with its first revision of `config`
 * and its tracing project.
 */
export function makeDeployment(
  world: World,
  wanted: Omit<StoredDeployment, "id" | "created_ms" | "updated_ms" | "deleted_ms">,
  { config, rule, id }: { config: JsonObject; rule?: RevisionRule; id?: string | undefined },
): StoredDeployment {
  const now = world.now();
  const { name, tenant_id } = wanted;
  const namesakes = world.store
    .all("deployments")
    .filter((one) => one.name === name && one.deleted_ms === null);
  // Counted with the deleted ones, so that no stable id is given twice.
  const number = namesakes.length + (world.store.get("meta", "deleted") ?? 0);
  const made: StoredDeployment = {
    ...wanted,
    id: id ?? world.newId(`deployment ${tenant_id} ${name} ${number}`),
    created_ms: now,
    updated_ms: now,
    deleted_ms: null,
  };
  // The vendor's command line creates the deployment first and sends its source later.
  const nothingYet = isHostedSource(made.source) && Object.keys(config).length === 0;
  if (nothingYet) world.store.put("deployments", made.id, made);
  else addRevision(world, made, config, "create", rule);
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

function create(world: World, call: Call): StoredDeployment {
  const asked = readAsked(world, call.body, null);
  const name = String(asked.body["name"]);
  if (world.settings.names === "unique" && isTaken(world, call, name))
    refuse(409, `Project with name ${name} already exists.`);
  const { source, dialect, source_config, source_revision_config: config } = asked;
  const [secrets, others] = [toSecrets(asked.secrets), othersOf(asked.body, "create")];
  const { tenant_id } = call;
  const wanted = { name, source, dialect, source_config, secrets, others, tenant_id };
  return makeDeployment(world, wanted, { config });
}

function patch(world: World, call: Call): StoredDeployment {
  const { changed, config, builds, rule } = toChange(world, findDeployment(world, call), call.body);
  if (builds) addRevision(world, changed, config, "patch", rule);
  else world.store.put("deployments", changed.id, changed);
  return findDeployment(world, call);
}

/** The same, but always with a new revision (contributing/service.md 2.3). */
function revise(world: World, call: Call): StoredRevision {
  const { changed, config, rule } = toChange(world, findDeployment(world, call), call.body);
  return addRevision(world, changed, config, "revision", rule);
}

/** Runs the same revision again, or a new one with the same configuration, depending on the choice. */
function redeploy(world: World, call: Call): StoredDeployment {
  const { deployment, revision } = findRevision(world, call);
  if (deployment.deleted_ms !== null)
    return refuse(400, `Deployment ID ${deployment.id} is being deleted.`);
  if (world.settings.redeploy === "new-revision")
    addRevision(world, deployment, revision.config, "redeploy");
  else {
    const { runs, ...run } = startRun(world, deployment, revision, true);
    putRevision(world, deployment, { ...revision, ...run, runs: [...revision.runs, ...runs] });
  }
  return findDeployment(world, call);
}

/** A commit that a branch or tag of a repository points at now. */
export const PUSH = object({
  repo_url: must(FILLED, "Repository."),
  ref: must(FILLED, "Branch or tag."),
  commit: must(COMMIT, "Commit that it points at now."),
});
/** What the webhook of a code host reports: where a ref points now. */
export type Push = z.infer<typeof PUSH>;

/** Moves the head, and builds every deployment that tracks the ref with build_on_push. Returns their ids. */
export function push(world: World, { repo_url: repoUrl, ref, commit }: Push): string[] {
  world.store.put("heads", `${normaliseRepo(repoUrl)} ${ref}`, commit);
  const tracking = world.store
    .all("deployments")
    .filter(
      (one) =>
        one.source === "repohost" &&
        one.deleted_ms === null &&
        one.source_config["build_on_push"] === true &&
        normaliseRepo(String(one.source_config["repo_url"] ?? "")) === normaliseRepo(repoUrl) &&
        newestConfig(world, one)?.["repo_ref"] === ref,
    );
  for (const one of tracking) addRevision(world, one, newestConfig(world, one)!, "push");
  world.store.commit();
  return tracking.map((one) => one.id);
}

const ALL = "/v2/deployments";
const ONE = `${ALL}/{deployment_id}`;
const REVISION = `${ONE}/revisions/{revision_id}`;
const bodyOf =
  (kind: "create" | "patch") =>
  (settings: Settings): z.ZodType =>
    deploymentRule(kind, { ...settings, dialect: "document" });
const changeBody = { body: bodyOf("patch"), ownCheck: true } as const;

/** Deployments and their revisions. */
export const DEPLOYMENTS: Endpoints = {
  [`POST ${ALL}`]: oneRow("Deployment", create, showDeployment, {
    body: bodyOf("create"),
    ownCheck: true,
    status: ({ strict }) => (strict ? 200 : 201),
  }),
  [`GET ${ONE}`]: oneRow("Deployment", findDeployment, showDeployment),
  // Null leaves a field unchanged; five fields make a revision whenever they are not null.
  [`PATCH ${ONE}`]: oneRow("Deployment", patch, showDeployment, changeBody),
  [`GET ${REVISION}`]: oneRow(
    "Revision",
    (...asked) => findRevision(...asked).revision,
    showRevision,
  ),
  [`POST ${REVISION}/redeploy`]: oneRow("Deployment", redeploy, showDeployment),
  ...when(BEYOND, {
    [`POST ${ONE}/revisions`]: oneRow("Revision", revise, showRevision, {
      ...changeBody,
      mayLackBody: true,
      status: CREATED,
    }),
  }),
};
