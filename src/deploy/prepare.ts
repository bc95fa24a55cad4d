import { planDeployment } from "../plan/decision.ts";
import { liveOf, type Found, type FoundLive } from "../plan/found.ts";
import type { Choices, PlanRequest } from "../plan/plan-draft.ts";
import { movesImage } from "../plan/image.ts";
import type { Planned } from "../plan/plan.ts";
import { isNull, valueAt } from "../plan/value.ts";
import type { LiveDeployment, LiveRevision } from "../model/live.ts";
import { isDeployed } from "../model/revision-status.ts";
import {
  isAnswered,
  PROVES_ABSENCE,
  ServiceError,
  type ControlPlane,
} from "../service/control-plane.ts";
import { readShownRevision } from "../service/revision-lookup.ts";
import { withBuilt } from "./unbuilt.ts";
import type { Desired } from "../spec/desired.ts";
import { boundedBy, type DeployContext } from "./context.ts";
import type { Directory } from "./directory.ts";
import { findLive, isDeleting, toLive } from "./identity.ts";
import { checkCommit } from "./wanted-commit.ts";

/** One document with everything read for it, and its plan. */
export interface Prepared extends PlanRequest {
  readonly planned: Planned;
  /** Clock time when reading the live state began. */
  readonly readAtMs: number;
}

/** How to plan a document. */
export interface PrepareOptions {
  /**
   * An earlier plan of this run: reads the service itself, by the id that was found, instead of a
   * list read before, and does not repeat lookups.
   */
  readonly earlier?: Prepared;
  /** Takes a list's values for what was built; otherwise the latest revision is read if nothing differs. */
  readonly trustsList?: boolean;
  /** The given id no longer exists: look up the name. */
  readonly byName?: boolean;
}

/** Reads the live state and plans one document; throws a ServiceError if the service cannot be read. */
export async function prepareDeployment(
  context: DeployContext,
  directory: Directory,
  desired: Desired,
  { earlier, trustsList = false, byName = false }: PrepareOptions = {},
): Promise<Prepared> {
  const { controlPlane, policy } = context;
  const readAtMs = earlier === undefined ? directory.readAtMs() : context.clock.monotonic();
  // The flag or input comes first.
  const id = byName ? null : (policy.deploymentId ?? desired.deploy.id ?? null);
  const reads = earlier === undefined ? directory : directory.again;
  const find = (known: string | null): Promise<Found> =>
    findLive(controlPlane, desired.name, known, reads);
  // What was found earlier is read by its id, unless it has another name by now.
  const known = earlier === undefined ? null : liveOf(earlier.found);
  const seen = id === null && known !== null ? await find(known.id) : null;
  const isSame = seen?.state === "live" && seen.deployment.name === desired.name;
  const there = isSame ? seen : await find(id);
  const found = there.state === "live" ? await toLive(controlPlane, there.deployment) : there;
  if (found.state === "live") context.onLive?.(found.deployment, desired);
  const commit = await checkCommit(context, desired, found);
  const newer =
    context.newerRun !== undefined && movesImage(desired, found)
      ? { newerRun: await context.newerRun(desired.name) }
      : {};
  const creates =
    found.state === "absent" || found.state === "deleting" || found.state === "lookup-unavailable";
  const chosen = earlier?.choices.items == null ? null : earlier.choices;
  const choices =
    creates && policy.create !== "never"
      ? (chosen ?? (await readChoices(context, directory, desired)))
      : { items: null };
  const given: PlanRequest = { desired, found, commit, ...newer, choices, policy };
  const planned = planDeployment(given);
  if (trustsList || found.state !== "live") return { ...given, planned, readAtMs };
  const standing = await readStanding(controlPlane, found, planned, id);
  if (standing === null) return { ...given, planned, readAtMs };
  if (standing.state === "live") context.onLive?.(standing.deployment, desired);
  const again = { ...given, found: standing };
  return { ...again, readAtMs, planned: planDeployment(again) };
}

/**
 * What a run that builds nothing would leave live, read from the service itself: the deployment if
 * a list showed it, since a list may lag, and its latest revision. Null if the plan was made from
 * that.
 */
async function readStanding(
  controlPlane: ControlPlane,
  found: FoundLive,
  { plan, steps }: Planned,
  givenId: string | null,
): Promise<Found | null> {
  const builds = steps.some(
    (step) => step.kind !== "redeploy" && !(step.kind === "patch" && !step.makesRevision),
  );
  if (plan.action === "blocked" || builds) return null;
  const shown = found.deployment;
  const [own, revision] = await Promise.all([
    shown.isListed === true && steps.length === 0 ? controlPlane.getDeployment(shown.id) : shown,
    readSettled(controlPlane, shown),
  ]);
  const given = givenId === null ? {} : ({ isGiven: true } as const);
  if (own === null) return { state: "deleting", id: shown.id, isListed: true, ...given };
  if (isDeleting(own)) return { state: "deleting", id: shown.id, ...given };
  const isSame =
    own.latest_revision_id === shown.latest_revision_id &&
    own.active_revision_id === shown.active_revision_id;
  const now = isSame ? { ...found, deployment: own } : await toLive(controlPlane, own);
  const latest = isSame ? revision : await readSettled(controlPlane, own);
  const built = latest === null ? null : withLatest(now, latest);
  return built ?? (own === shown ? null : now);
}

/** The latest revision if it is also the active one; null otherwise, or if it cannot be read. */
async function readSettled(
  controlPlane: ControlPlane,
  { id, latest_revision_id: latestId, active_revision_id: activeId }: LiveDeployment,
): Promise<LiveRevision | null> {
  if (latestId === null || latestId !== activeId) return null;
  return readShownRevision(controlPlane, id, latestId);
}

/**
 * The live state according to its latest revision: an update that was stored but never built is
 * not live, and an active revision may be building again or have failed to. Null if both agree.
 */
function withLatest(found: FoundLive, latest: LiveRevision): FoundLive | null {
  const deployment = withBuilt(found.deployment, latest);
  const isUnfinished = !isDeployed(latest.status);
  if (deployment === null && !isUnfinished) return null;
  return {
    ...found,
    deployment: deployment ?? found.deployment,
    ...(isUnfinished ? { latest } : {}),
  };
}

/** Time limit for reading the listeners, which a deploy can do without. */
const LISTENERS_WITHIN_MS = 15_000;

/** The integrations or listeners to choose from, if a create must choose one. */
async function readChoices(
  context: DeployContext,
  directory: Directory,
  { source, body, dialect }: Desired,
): Promise<Choices> {
  const isUnnamed = (key: string): boolean => isNull(valueAt(body, `source_config.${key}`));
  try {
    if (source === "repohost" && isUnnamed("integration_id"))
      return { items: await directory.integrations(dialect) };
    // A config that is not written at all is sent as `{}`.
    const isWritten = !isNull(body["source_config"]);
    if (source !== "external_container" || !isWritten || !isUnnamed("listener_id"))
      return { items: null };
    const untilMs = context.clock.monotonic() + LISTENERS_WITHIN_MS;
    const listeners = await directory.listeners(boundedBy(context, untilMs));
    return { items: listeners.map(({ id, compute_id }) => ({ id, name: compute_id })) };
  } catch (error) {
    if (isAnswered(error, PROVES_ABSENCE)) return { items: null };
    const isForbidden = isAnswered(error, [403]);
    // A key that may not read integrations does not show whether there are any. Few deployments need a listener: if
    // the service forbids reading them, the create names none (contributing/service.md 2.8).
    if (isForbidden && source !== "repohost") return { items: null };
    if (!(error instanceof ServiceError) || (source === "repohost" && !isForbidden)) throw error;
    context.signal.throwIfAborted();
    return { items: null, unread: error.message };
  }
}
