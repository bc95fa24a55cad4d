import type { LiveDeployment } from "../model/live.ts";
import { isDeployed } from "../model/revision-status.ts";
import type { Found, FoundLive } from "../plan/found.ts";
import { boundedBy, type DeployContext } from "./context.ts";
import { isOver, type Looking, lookUntil } from "./look.ts";
import {
  isAnswered,
  PROVES_ABSENCE,
  type ControlPlane,
  type Lookup,
} from "../service/control-plane.ts";
import type { Reads } from "./directory.ts";

/** Statuses of a deployment being deleted: it is never adopted or patched. */
const DELETING = ["AWAITING_DELETE", "AWAITING_FINAL_DELETE"];

/** Whether a deployment is being deleted. */
export function isDeleting(deployment: LiveDeployment): boolean {
  return DELETING.includes(deployment.status);
}

/** A deployment as found, without reading its revisions. */
export function asFound(deployment: LiveDeployment): FoundLive {
  return { state: "live", deployment, latest: null, active: null };
}

/** Finds the live deployment by id, else by name; throws a ServiceError if it cannot be read. */
export async function findLive(
  controlPlane: ControlPlane,
  name: string,
  id: string | null,
  { find, get, whole }: Reads,
): Promise<Found> {
  if (id !== null) {
    const deployment = await get(id, controlPlane);
    if (deployment === null) return { state: "id-not-found", id };
    return isDeleting(deployment) ? { state: "deleting", id, isGiven: true } : asFound(deployment);
  }
  const lookup = await find(name, controlPlane);
  if (lookup.state === "absent-lookup")
    return {
      state: "lookup-unavailable",
      status: lookup.status,
      // Of these statuses, a wrong address returns only 404.
      served: lookup.status !== 404 || (await servesAnything(controlPlane)),
    };
  const found = judgeListed(lookup);
  if (found.state !== "live") return found;
  const deployment = await whole(found.deployment, controlPlane);
  if (deployment === null) return { state: "deleting", id: found.deployment.id, isListed: true };
  return isDeleting(deployment) ? { state: "deleting", id: deployment.id } : asFound(deployment);
}

/** What a list shows for one name, before the deployment itself is read. */
export function judgeListed({
  items,
  nameless = [],
}: Extract<Lookup<LiveDeployment>, { state: "found" }>): Found {
  const living = items.filter((item) => !isDeleting(item));
  if (living.length > 1) return { state: "duplicates", ids: living.map(({ id }) => id) };
  if (living[0] !== undefined) return asFound(living[0]);
  // Each of those that show no name may be the wanted one.
  const unnamed = nameless.filter((item) => !isDeleting(item));
  if (unnamed.length > 0) return { state: "nameless", ids: unnamed.map(({ id }) => id) };
  return items[0] === undefined ? { state: "absent" } : { state: "deleting", id: items[0].id };
}

/** Whether any list of the service exists at this address: if not, a 404 may mean a wrong address. */
export async function servesAnything(controlPlane: ControlPlane): Promise<boolean> {
  const answers = async (ask: () => Promise<unknown>): Promise<boolean> =>
    ask().then(
      () => true,
      (error: unknown) => !isAnswered(error, PROVES_ABSENCE),
    );
  return (
    (await answers(() => controlPlane.probe())) ||
    (await answers(() => controlPlane.listListeners())) ||
    (await answers(() => controlPlane.listIntegrations("document")))
  );
}

/** Adds the revisions that explain why the latest one is not the active one; reads nothing if it is. */
export async function toLive(
  controlPlane: ControlPlane,
  deployment: LiveDeployment,
): Promise<FoundLive> {
  const { id, latest_revision_id: latestId, active_revision_id: activeId } = deployment;
  if (latestId === null || latestId === activeId) return asFound(deployment);
  const latest = await controlPlane.getRevision(id, latestId);
  const active =
    isDeployed(latest?.status) && activeId !== null
      ? await controlPlane.getRevision(id, activeId)
      : null;
  return { state: "live", deployment, latest, active };
}

/** How long to wait for the first revision of a deployment to be named. */
const NAMED_WITHIN_MS = 30_000;
const LOOK_MS = 1_000;

/**
 * The deployment with its latest revision, which a service may name a while after the write that
 * made it; without one if it is not named in time.
 */
export async function awaitNamed(
  context: DeployContext,
  known: LiveDeployment,
  deadlineMs: number,
): Promise<LiveDeployment> {
  return readUntil(context, known, boundedBy(context, deadlineMs), {
    isEnd: (live) => live.latest_revision_id !== null,
    schedule: () => LOOK_MS,
    deadlineMs: Math.min(deadlineMs, context.clock.monotonic() + NAMED_WITHIN_MS),
  });
}

/**
 * The deployment once it shows what is waited for, else as it was last read; a read that the limit
 * cut off is not an error.
 */
export async function readUntil(
  context: DeployContext,
  known: LiveDeployment,
  service: ControlPlane,
  until: Pick<Looking<LiveDeployment>, "isEnd" | "schedule" | "deadlineMs">,
): Promise<LiveDeployment> {
  const look = async (last = known, untilMs: number) => {
    try {
      return (await service.getDeployment(known.id)) ?? last;
    } catch (error) {
      if (!isOver(untilMs - context.clock.monotonic())) throw error;
      context.signal.throwIfAborted();
      return last;
    }
  };
  return (await lookUntil(context, { known, look, ...until })).seen;
}
