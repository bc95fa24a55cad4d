import type { CommitCheck } from "../plan/commit.ts";
import { planDeployment } from "../plan/decision.ts";
import type { Found, Lookups } from "../plan/plan-draft.ts";
import { movesImage, type NewerRun } from "../plan/image.ts";
import type { Planned } from "../plan/plan.ts";
import { isNull, valueAt } from "../plan/value.ts";
import { isAnswered, ServiceError } from "../service/control-plane.ts";
import { withBuilt } from "./unbuilt.ts";
import type { Desired } from "../spec/desired.ts";
import type { DeployContext } from "./context.ts";
import type { Directory } from "./directory.ts";
import { findKnown, findLive } from "./identity.ts";
import { checkCommit } from "./wanted-commit.ts";

/** One document with what was read for it and what follows from that. */
export interface Prepared {
  readonly desired: Desired;
  readonly found: Found;
  readonly commit: CommitCheck;
  readonly newerRun?: NewerRun;
  readonly lookups: Lookups;
  readonly planned: Planned;
  /** Time of the clock at which the reading of what is live began. */
  readonly readAtMs: number;
}

/** Id of the deployment a document names: flag or input, then `deploy.id`. */
export function idOf(context: DeployContext, desired: Desired): string | null {
  return context.policy.deploymentId ?? desired.deploy.id ?? null;
}

/** How a document is planned anew. */
export interface PrepareOptions {
  /** Reads the service itself instead of a list that this run has read before. */
  readonly fresh?: boolean;
  /** Takes what a list shows for what was built; else the latest revision is read where nothing differs. */
  readonly trustsList?: boolean;
  /** What an earlier plan of this run found: read by id instead of looked up by name. */
  readonly knownId?: string;
  /** Integrations and listeners as an earlier plan of this run read them. */
  readonly lookups?: Lookups;
}

/** Lookups that were read; those of a plan that needed none hold nothing. */
function readLookupsOf({ lookups }: PrepareOptions): Lookups | null {
  if (lookups === undefined) return null;
  return lookups.integrations === null && lookups.listeners === null ? null : lookups;
}

/** Reads what is live and plans one document; throws a ServiceError where the service cannot be read. */
export async function prepareDeployment(
  context: DeployContext,
  directory: Directory,
  desired: Desired,
  options: PrepareOptions = {},
): Promise<Prepared> {
  const { controlPlane } = context;
  const readAtMs = options.fresh === true ? context.clock.monotonic() : directory.readAtMs();
  const getById: Directory["get"] = (wanted) => controlPlane.getDeployment(wanted);
  const id = idOf(context, desired);
  const known =
    id === null && options.knownId !== undefined
      ? await findKnown(controlPlane, desired.name, options.knownId)
      : null;
  const reads =
    options.fresh === true ? { ...directory, find: directory.findAgain, get: getById } : directory;
  const found = known ?? (await findLive(controlPlane, desired, id, reads));
  if (found.state === "live") context.onLive?.(found.deployment, desired);
  const commit = await checkCommit(
    desired,
    found,
    context.policy.commit,
    context.run,
    context.repository,
  );
  const newer =
    context.newerRun !== undefined && movesImage(desired, found)
      ? { newerRun: await context.newerRun(desired.name) }
      : {};
  const creates =
    found.state === "absent" || found.state === "deleting" || found.state === "lookup-unavailable";
  const lookups =
    creates && context.policy.create !== "never"
      ? (readLookupsOf(options) ?? (await readLookups(context, desired)))
      : { integrations: null, listeners: null };
  const { policy } = context;
  const given = { desired, found, commit, ...newer, lookups };
  const planned = planDeployment({ ...given, policy });
  const built =
    options.trustsList === true ? null : await readUnbuilt(controlPlane, found, planned);
  return built === null
    ? { ...given, planned, readAtMs }
    : {
        ...given,
        readAtMs,
        found: built,
        planned: planDeployment({ ...given, found: built, policy }),
      };
}

/**
 * What is live as its latest revision holds it, where the service stored an update and built no
 * revision of it; null where they agree. Read only where the plan builds nothing new by itself.
 */
async function readUnbuilt(
  controlPlane: DeployContext["controlPlane"],
  found: Found,
  { plan, steps }: Planned,
): Promise<Found | null> {
  if (found.state !== "live" || plan.action === "blocked") return null;
  const { id, latest_revision_id: latestId, active_revision_id: activeId } = found.deployment;
  const builds = steps.some(
    (step) => step.kind !== "redeploy" && !(step.kind === "patch" && !step.makesRevision),
  );
  if (builds || latestId === null || latestId !== activeId) return null;
  const revision = await controlPlane.getRevision(id, latestId).catch((error: unknown) => {
    // A service that serves no revisions tells nothing here; any other error is one of the plan.
    if (isAnswered(error, [403, 405, 501])) return null;
    throw error;
  });
  const deployment = revision === null ? null : withBuilt(found.deployment, revision);
  return deployment === null ? null : { ...found, deployment };
}

const LISTENERS_WITHIN_MS = 15_000;

/** The control plane for a read that a deploy can do without. */
function briefly({ controlPlane, clock, signal }: DeployContext): DeployContext["controlPlane"] {
  return (
    controlPlane.within?.({ deadlineMs: clock.monotonic() + LISTENERS_WITHIN_MS, signal }) ??
    controlPlane
  );
}

/**
 * Integrations or listeners a create may choose from; null where the service has none of these
 * lookups or forbids them.
 */
async function readLookups(context: DeployContext, desired: Desired): Promise<Lookups> {
  const read = async <T>(
    wanted: boolean,
    call: () => Promise<readonly T[]>,
  ): Promise<readonly T[] | null> => {
    if (!wanted) return null;
    try {
      return await call();
    } catch (error) {
      if (isAnswered(error, [403, 404, 405, 501])) return null;
      throw error;
    }
  };
  const absent = (path: string): boolean => isNull(valueAt(desired.body, path));
  const integrations = await read(
    desired.source === "repohost" && absent("source_config.integration_id"),
    () => context.controlPlane.listIntegrations(desired.dialect),
  );
  // A config that is not written at all is sent as `{}`.
  const written = !isNull(desired.body["source_config"]);
  const wantsListener =
    desired.source === "external_container" && written && absent("source_config.listener_id");
  try {
    const listeners = await read(wantsListener, () => briefly(context).listListeners());
    return {
      integrations,
      listeners:
        listeners?.map((listener) => ({ id: listener.id, name: listener.compute_id })) ?? null,
    };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    context.signal.throwIfAborted();
    return { integrations, listeners: null, listenersUnread: error.message };
  }
}
