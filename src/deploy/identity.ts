import type { LiveDeployment } from "../model/live.ts";
import type { Desired } from "../spec/desired.ts";
import type { Found } from "../plan/decision.ts";
import type { ControlPlane, Lookup } from "../service/control-plane.ts";

/** Statuses of a deployment that is going away: never adopted, never patched. */
const DELETING = ["AWAITING_DELETE", "AWAITING_FINAL_DELETE"];

/** Whether a deployment is being deleted. */
export function isDeleting(deployment: LiveDeployment): boolean {
  return DELETING.includes(deployment.status);
}

/** From how many documents on one listing of everything is cheaper than a lookup by name each. */
const LIST_ALL_FROM = 4;

/** Finds deployments by name for one run; a listing of everything is read once and shared. The control plane given bounds the reads. */
export interface Directory {
  readonly find: (name: string, controlPlane?: ControlPlane) => Promise<Lookup<LiveDeployment>>;
  /** The same, read afresh: after a write nobody answered, or a conflict. */
  readonly findAgain: (
    name: string,
    controlPlane?: ControlPlane,
  ) => Promise<Lookup<LiveDeployment>>;
}

/** `documentCount` decides whether names are looked up one by one or all at once. */
export function createDirectory(controlPlane: ControlPlane, documentCount: number): Directory {
  let everything: Promise<Lookup<LiveDeployment>> | undefined;
  const exactly = (name: string, lookup: Lookup<LiveDeployment>): Lookup<LiveDeployment> =>
    lookup.state === "found"
      ? { state: "found", items: lookup.items.filter((item) => item.name === name) }
      : lookup;
  const findAgain: Directory["findAgain"] = async (name, bounded = controlPlane) =>
    exactly(name, await bounded.listDeployments({ nameContains: name }));
  return {
    findAgain,
    find: async (name, bounded) => {
      if (documentCount < LIST_ALL_FROM) return findAgain(name, bounded);
      everything ??= (bounded ?? controlPlane).listDeployments({});
      return exactly(name, await everything);
    },
  };
}

/** Reads what is live where the document's deployment should be; throws a ServiceError where it cannot be read. */
export async function findLive(
  controlPlane: ControlPlane,
  desired: Pick<Desired, "name">,
  id: string | null,
  find: Directory["find"],
): Promise<Found> {
  if (id !== null) {
    const deployment = await controlPlane.getDeployment(id);
    if (deployment === null) return { state: "id-not-found", id };
    return isDeleting(deployment) ? { state: "deleting", id } : toLive(controlPlane, deployment);
  }
  const lookup = await find(desired.name, controlPlane);
  if (lookup.state === "absent-lookup")
    return { state: "lookup-unavailable", status: lookup.status };
  const living = lookup.items.filter((item) => !isDeleting(item));
  if (living.length > 1) return { state: "duplicates", ids: living.map((item) => item.id) };
  const [listed] = living;
  if (listed !== undefined) {
    const deployment = await readWhole(controlPlane, listed);
    // Gone, or going, since it was listed.
    return deployment === null || isDeleting(deployment)
      ? { state: "deleting", id: listed.id }
      : toLive(controlPlane, deployment);
  }
  const deleting = lookup.items[0];
  return deleting === undefined ? { state: "absent" } : { state: "deleting", id: deleting.id };
}

/** Reads a deployment that was found before, by its id; null where it is gone, or going, and has to be looked up again. */
export async function findKnown(
  controlPlane: ControlPlane,
  name: string,
  id: string,
): Promise<Found | null> {
  const deployment = await controlPlane.getDeployment(id);
  if (deployment === null || isDeleting(deployment) || deployment.name !== name) return null;
  return toLive(controlPlane, deployment);
}

/** A deployment of a list with all that a plan compares: the list of a service may hold less than a GET. Null when it is gone. */
export async function readWhole(
  controlPlane: ControlPlane,
  listed: LiveDeployment,
): Promise<LiveDeployment | null> {
  const whole = [
    "source_config",
    "source_revision_config",
    "secrets",
    "latest_revision_id",
    "active_revision_id",
  ].every((key) => listed.body[key] !== undefined);
  const { secrets } = listed.body;
  // Some lists show no secrets of deployments that have some: an empty one proves nothing.
  const told = Array.isArray(secrets) && secrets.length > 0;
  return whole && told ? listed : controlPlane.getDeployment(listed.id);
}

/** One read where latest and active agree; otherwise the revisions that tell why they do not. */
async function toLive(
  controlPlane: ControlPlane,
  deployment: LiveDeployment,
): Promise<Extract<Found, { state: "live" }>> {
  const { id, latest_revision_id: latestId, active_revision_id: activeId } = deployment;
  if (latestId === null || latestId === activeId)
    return { state: "live", deployment, latest: null, active: null };
  const latest = await controlPlane.getRevision(id, latestId);
  const active =
    latest?.status === "DEPLOYED" && activeId !== null
      ? await controlPlane.getRevision(id, activeId)
      : null;
  return { state: "live", deployment, latest, active };
}
