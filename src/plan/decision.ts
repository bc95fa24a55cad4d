import { spellInput, type Spelled } from "../model/entry-point.ts";
import { isVendorBuilt, spellSource } from "../model/dialect.ts";
import type { LiveDeployment } from "../model/live.ts";
import { DEPLOYED, endOf, statusRow } from "../model/revision-status.ts";
import type { Desired } from "../spec/desired.ts";
import { compareDeployment } from "./comparison.ts";
import type { DocumentComparison } from "./gathered-changes.ts";
import { judgeCommit, type CommitVerdict } from "./commit.ts";
import { gather, toChange, type Obstacle, type Planned, type Step, type PlanPart } from "./plan.ts";
import { judgeImage, resolveImage } from "./image.ts";
import { valueAt } from "./value.ts";
import { NOT_FOUND_CODES, describeNotFound, liveOf, type Found, type FoundLive } from "./found.ts";
import { type PlanRequest, finish, blocked } from "./plan-draft.ts";
import { planCreate } from "./create-plan.ts";
import { judgeSource, judgeSourceChange } from "./source.ts";
import { type Moves, refOf, repeatedUnits, toPatch } from "./patch.ts";
import { judgeWholeList } from "./secrets.ts";
import { ENVIRONMENT, REF } from "./units.ts";

/** Decides what a run does with one deployment; pure. */
export function planDeployment(given: PlanRequest): Planned {
  const { desired, unread = [], ...image } = resolveImage(given.desired, given.found);
  const request = { ...given, desired };
  const id = liveOf(given.found)?.id ?? null;
  const [blocker] = image.blockers ?? [];
  if (blocker !== undefined) return blocked(request, id, blocker);
  const { plan, steps } = planFound(request);
  const { warning } = desired.target ?? {};
  const aboutAddress: PlanPart = warning === undefined ? {} : { warnings: [warning] };
  const { notes, warnings } = gather([aboutAddress, image, plan]);
  return { plan: { ...plan, unreadable: [...unread, ...plan.unreadable], notes, warnings }, steps };
}

function planFound(request: PlanRequest): Planned {
  const { found, policy, desired } = request;
  if (found.state === "live") return planLive(request, found);
  const { name } = desired;
  const what = describeNotFound(name, found);
  const stop = (message: string | Spelled, code = NOT_FOUND_CODES[found.state]): Planned =>
    blocked(request, found.state === "id-not-found" ? found.id : null, { code, message });
  switch (found.state) {
    case "duplicates":
      return stop(
        `${what}. Say which one is meant with deploy.id or deployment-id, or delete the other`,
      );
    case "nameless":
      return stop(
        `${what}, so nothing is created. Give its id with deploy.id or deployment-id, or delete the deployment that has no name`,
      );
    case "id-not-found":
      return stop(`${what}. Check deploy.id or deployment-id, the region and the tenant-id`);
    case "lookup-unavailable":
      if (policy.create === "always") return planCreate(request, []);
      // At a wrong address, `create: always` must not be suggested.
      return stop(
        found.served
          ? (spell) =>
              `${what}, so whether ${name} exists cannot be proved and nothing is created. Give its id with deploy.id or deployment-id, or set ${spell("create", "always")} for its first run`
          : `${what}: check control-plane-url and region. Whether ${name} exists is not known, so nothing is created`,
      );
    case "absent":
    case "deleting":
      if (policy.create === "never")
        return stop(
          (spell) =>
            `there is no deployment named ${name}, and ${spell("create", "never")} forbids creating one`,
          "create-never",
        );
      return found.state === "deleting"
        ? planOnceDeleted(request, found, what)
        : planCreate(request, []);
  }
}

function planOnceDeleted(
  request: PlanRequest,
  { id, isListed, isGiven }: Extract<Found, { state: "deleting" }>,
  what: string,
): Planned {
  const then =
    isListed === true
      ? "a new one is created once the list no longer shows it"
      : "waiting for deletion, then creating a new one";
  const { plan, steps } = planCreate(request, [`${what}: ${then}`]);
  if (isGiven !== true || steps.length === 0) return { plan, steps };
  const stale = `${idKeyOf(request.desired, id)} names deployment ${id}, which is being deleted: the new one has another id`;
  return { plan: { ...plan, warnings: [...plan.warnings, stale] }, steps };
}

/** Where the id of a deployment was given. */
export function idKeyOf({ deploy }: Desired, id: string): string {
  return deploy.id === id ? "deploy.id" : "deployment-id";
}

type LatestState = "settled" | "unfinished" | "ended";

/**
 * The state of the latest revision. If it is DEPLOYED but not active, it is about to become
 * active, or somebody rolled back past it.
 */
export function judgeLatest({ deployment, latest, active }: FoundLive): LatestState {
  const { latest_revision_id: latestId, active_revision_id: activeId } = deployment;
  // On a service that redeploys a revision under its own id, the active revision may be in progress again.
  const isActive = latestId !== null && latestId === activeId;
  if (latest === null) return isActive ? "settled" : "unfinished";
  const end = endOf(latest.status);
  // An unknown status does not contradict a revision that is active.
  const isAtWork = end === undefined && statusRow(latest.status)?.phase !== undefined;
  if (isActive && !isAtWork && (end ?? "deployed") === "deployed") return "settled";
  if (end !== undefined && end !== "deployed") return "ended";
  const displaced =
    end === "deployed" &&
    active !== null &&
    Date.parse(active.updated_at) > Date.parse(latest.updated_at);
  return displaced ? "ended" : "unfinished";
}

function planLive(request: PlanRequest, live: FoundLive): Planned {
  const { desired, policy } = request;
  const { deployment } = live;
  const comparison = compareDeployment(desired, deployment, policy.secretsUnknown);
  const refChanges = comparison.units.some((unit) => unit.field === REF);
  const commit = judgeCommit(desired, deployment, request.commit, policy.force || refChanges);
  const moved = judgeSourceChange(desired, deployment);
  const source = judgeSource(desired, deployment, comparison);
  const exists: PlanPart =
    policy.create === "always" && desired.deploy.id === undefined
      ? { blockers: [toExisting(deployment)] }
      : {};
  const isUploaded = source.upload !== null && source.blockers === undefined;
  const wholeList = judgeWholeList(desired, comparison, isUploaded, policy.entryPoint);
  const internal = judgeInternalSource(desired, comparison);
  const settings = [moved, source, comparison, wholeList, internal, exists];
  const movesTo = moved.changes === undefined ? null : spellSource(desired.source, desired.dialect);
  const moves = { upload: source.upload, movesTo };
  const image = judgeImage(comparison.units, request.newerRun ?? { state: "none" }, policy.force);
  const { steps, revision } = toSteps(request, live, comparison, commit, moves);
  const unforced =
    policy.force && steps.some(({ kind }) => kind === "attach")
      ? [spellInput(policy.entryPoint, "force", true) + NOT_FORCED]
      : [];
  const withoutCommit = toSteps(request, live, comparison, {}, moves);
  const ref = judgeRepeatedRef(desired, deployment, commit);
  return finish(request, {
    ...gather([
      ...settings,
      commit,
      revision,
      image,
      ref,
      { warnings: unforced },
      desired.archive ?? {},
    ]),
    id: deployment.id,
    aside: { ...gather([...settings, withoutCommit.revision]), steps: withoutCommit.steps },
    steps,
    comparison,
    secrets: comparison.secrets,
    commitUnchecked: commit.unchecked === true,
  });
}

const toExisting = ({ name, id }: LiveDeployment): Obstacle => ({
  code: "exists",
  message: (spell) =>
    `${spell("create", "always")}, but there is a live deployment named ${name} (${id}). Use ${spell("create", "auto")} to update it`,
});

const NOT_FORCED =
  " builds nothing while a revision is under way: this run waits for that one. If it is stuck, interrupt it on the service's own page, then run again";

/** Building the commit requires a ref, which may be unknown. */
function judgeRepeatedRef(
  desired: Desired,
  deployment: LiveDeployment,
  { changes }: CommitVerdict,
): PlanPart {
  if (changes === undefined || refOf(desired, deployment) !== null) return {};
  const message = `the commit moved, and a build of it needs ${REF.path}: the spec does not name it and the service does not return it. Write it into the spec`;
  return { blockers: [{ code: "no-ref", path: REF.path, message }] };
}

/** Blocks all changes except those of secrets if the vendor's own tools build the deployment. */
function judgeInternalSource(
  desired: Desired,
  { units, unreadable }: DocumentComparison,
): PlanPart {
  if (!isVendorBuilt(desired.source)) return {};
  const blockers = [...units, ...unreadable]
    .filter(({ field }) => field !== ENVIRONMENT)
    .map(({ field: { path } }) => ({
      code: "internal-source",
      path,
      message:
        `${path} cannot be changed for source ${desired.source}, which the vendor's own tools build. Keep only name, source, secrets and deploy in the spec, ` +
        "or migrate: write a new deployment under another name with source repohost (github) or external_container (external_docker)",
    }));
  return { blockers };
}

/**
 * Whether the service builds pushes, now and after this run: if the spec disables that, the run
 * waits for no such build.
 */
function buildsOnPush(desired: Desired, deployment: LiveDeployment): boolean {
  const path = "source_config.build_on_push";
  return valueAt(deployment.body, path) === true && valueAt(desired.body, path) !== false;
}

function toSteps(
  request: PlanRequest,
  live: FoundLive,
  comparison: DocumentComparison,
  commit: CommitVerdict,
  source: Moves,
): { readonly steps: readonly Step[]; readonly revision: PlanPart } {
  const { desired, policy } = request;
  const { deployment, latest } = live;
  const steps: Step[] = [];
  // A changed ref is built by this PATCH, not by a push. `force` builds what no push has built.
  const [moved] = commit.changes ?? [];
  const byPush =
    moved !== undefined &&
    !policy.force &&
    !comparison.units.some((unit) => unit.field === REF) &&
    buildsOnPush(desired, deployment);
  if (byPush) steps.push({ kind: "await-push", commit: String(moved.after) });
  // A deployment moved back to a repository is built from its branch.
  const goesBack = source.movesTo !== null && source.upload === null;
  const patch = toPatch(
    comparison,
    (moved !== undefined && !byPush) || goesBack
      ? repeatedUnits(desired, deployment, goesBack)
      : [],
    deployment,
    source,
  );
  if (patch !== null) steps.push(patch);
  if (byPush || patch?.makesRevision === true) return { steps, revision: {} };
  const state = judgeLatest(live);
  if (state === "unfinished") {
    steps.push({ kind: "attach", revisionId: deployment.latest_revision_id });
    return { steps, revision: {} };
  }
  if ((state !== "ended" && !policy.force) || deployment.latest_revision_id === null)
    return { steps, revision: {} };
  steps.push({ kind: "redeploy", revisionId: deployment.latest_revision_id });
  const before = state === "ended" ? (latest?.status ?? "not active") : DEPLOYED;
  const change = toChange("revision", before, "redeployed", "new-revision");
  return { steps, revision: { changes: [change] } };
}
