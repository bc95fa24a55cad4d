import type { LiveDeployment } from "../model/live.ts";
import { idsOf } from "../plan/found.ts";
import type { ControlPlane, Lookup } from "../service/control-plane.ts";
import { boundedBy } from "./context.ts";
import { serviceOf, type DocumentRun } from "./document-run.ts";
import { judgeListed } from "./identity.ts";
import { lookUntil } from "./look.ts";
import { blocked, failed, type DeploymentEnd } from "./tracker.ts";

/** A lagging list shows a deployment this late at most. */
const LISTED_WITHIN_MS = 30_000;
/**
 * A create without a response may have been accepted although another deployment has the name:
 * looks continue for this long.
 */
const LATE_CREATE_MS = 10_000;
const LOOK_MS = 500;
const TIME_UP = "the time limit passed before it could be determined";

/** What remains to be proved about a create: that no other run made a deployment of that name at the same time. */
export interface UniquenessCheck {
  readonly id: string;
  /** Clock time of the service's response. */
  readonly createdAt: number;
  /** An earlier response was lost, so a second deployment may be this run's own too. */
  readonly lost: boolean;
}

type Seen =
  | { readonly state: "single" | "unlisted" }
  | { readonly state: "duplicates"; readonly ids: readonly string[] }
  | { readonly state: "unread"; readonly why: string };

/** A first check right after a create; null if another one must follow. */
export async function checkUniqueness(
  run: DocumentRun,
  check: UniquenessCheck,
): Promise<DeploymentEnd | "unique" | null> {
  const seen = await look(run, check.id, serviceOf(run));
  if (seen.state === "duplicates") return toDuplicatesEnd(run, check, seen.ids);
  return seen.state === "single" && !check.lost ? "unique" : null;
}

/**
 * Looks until the list shows this run's own deployment. The run whose deployment is listed later
 * sees both, so of two runs that create at the same time, at least one notices, however late the
 * list is. Null: it is the only one, or nothing has to be proved.
 */
export async function awaitUniqueness(
  run: DocumentRun,
  check: UniquenessCheck | null,
): Promise<DeploymentEnd | null> {
  if (check === null) return null;
  const { clock } = run.context;
  const limitMs = run.tracker.untilMs ?? run.deadlineMs;
  const untilMs = Math.min(limitMs, clock.monotonic() + LISTED_WITHIN_MS);
  const settledMs = check.lost ? check.createdAt + LATE_CREATE_MS : 0;
  let unread: string | null = null;
  const { seen } = await lookUntil<Seen>(run.context, {
    look: async (last) => {
      const now = await look(run, check.id, boundedBy(run.context, untilMs));
      // A look cut off by the time limit proves nothing about the list.
      if (clock.monotonic() < untilMs || last === undefined)
        unread = now.state === "unread" ? now.why : null;
      return now;
    },
    isEnd: ({ state }) =>
      state === "duplicates" || (state === "single" && clock.monotonic() >= settledMs),
    schedule: () => LOOK_MS,
    deadlineMs: untilMs,
  });
  if (seen.state === "duplicates") return toDuplicatesEnd(run, check, seen.ids);
  if (seen.state === "single" && clock.monotonic() >= settledMs) return null;
  const shown = seen.state === "single" ? TIME_UP : "the list does not show this one yet";
  const why = unread ?? shown;
  if (check.lost) return toUnknownEnd(run, check.id, why);
  run.tracker.warnings.push(
    `whether somebody else created a deployment named ${run.desired.name} at the same moment could not be read: ${why}`,
  );
  return null;
}

async function look(
  { context, directory, desired }: DocumentRun,
  id: string,
  controlPlane: ControlPlane,
): Promise<Seen> {
  let lookup: Lookup<LiveDeployment>;
  try {
    lookup = await directory.again.find(desired.name, controlPlane);
  } catch (error) {
    context.signal.throwIfAborted();
    return { state: "unread", why: (error as Error).message };
  }
  // Without a list, the user has set create: always.
  if (lookup.state !== "found") return { state: "single" };
  const found = judgeListed(lookup);
  const listed = idsOf(found);
  const ids = [...new Set([id, ...listed])];
  if (ids.length > 1 && found.state !== "nameless") return { state: "duplicates", ids };
  return { state: listed.includes(id) ? "single" : "unlisted" };
}

function toDuplicatesEnd(
  { desired }: DocumentRun,
  { id, lost }: UniquenessCheck,
  ids: readonly string[],
): DeploymentEnd {
  const whose = lost
    ? "Another one is of a create of this run that got no answer, or somebody else's"
    : "Somebody else created one at the same moment";
  const next =
    "Delete one of them, then run again; give the other's id with deploy.id or deployment-id";
  const message = `two deployments are named ${desired.name}: ${ids.join(", ")}; one of them is this run's (${id} answered it). ${whose}`;
  return blocked("duplicates", message, next);
}

/** A create without a response may have been accepted: a list that lags that far proves nothing. */
function toUnknownEnd({ desired }: DocumentRun, id: string, why: string): DeploymentEnd {
  const message = `deployment ${id} was created, but an earlier create of ${desired.name} got no answer, and it is unknown whether the service took that one too: ${why}`;
  const next = `Look for a second deployment named ${desired.name} in the service's own page: delete the one that is not ${id}, if there is one, then run again`;
  return failed("unknown", message, next);
}
