import { spellInput } from "../model/entry-point.ts";
import type { LiveDeployment } from "../model/live.ts";
import type { DeploymentReport } from "../report/report.ts";
import { ServiceError } from "../service/control-plane.ts";
import { type DeployContext, unwaitedWords } from "./context.ts";
import { awaitGone } from "./gone.ts";
import { isDeleting } from "./identity.ts";
import { createTracker, track, type DeploymentEnd, type Tracker } from "./tracker.ts";
import { reportOf } from "./wait.ts";
import { endOfWrite, LOOK_AFTER_MS, sendAndReconcile, type WriteEnd } from "./write.ts";

/** What a removal deletes besides the deployment, and its time limit. */
export interface RemovalOptions {
  readonly deleteTraces: boolean;
  readonly timeoutMs: number;
}

/**
 * Deletes one deployment, with its traces if asked, and waits until it is gone; every end is a
 * report, a cancel included.
 */
export async function removeDeployment(
  context: DeployContext,
  live: LiveDeployment,
  options: RemovalOptions,
): Promise<DeploymentReport> {
  const tracker = createTracker(live.name);
  track(tracker, live);
  tracker.previous_revision_id = live.active_revision_id;
  const remove = isDeleting(live) ? awaitForeignDelete : deleteAndWait;
  return reportOf(context, tracker, () => remove(context, live, options, tracker), {
    cancelled: ({ changed }) => cancelledRemoval(live, changed),
  });
}

function cancelledRemoval(live: LiveDeployment, changed: boolean): DeploymentEnd {
  const cancelled = { outcome: "cancelled", reason: "signal" } as const;
  return changed || isDeleting(live)
    ? {
        ...cancelled,
        message: `cancelled: deployment ${live.id} is still being deleted`,
        next: ["Run destroy again: it waits until the deployment is gone"],
      }
    : {
        ...cancelled,
        message: `cancelled: nothing was sent, deployment ${live.id} is as it was`,
      };
}

async function deleteAndWait(
  context: DeployContext,
  live: LiveDeployment,
  { deleteTraces, timeoutMs }: RemovalOptions,
  tracker: Tracker,
): Promise<DeploymentEnd> {
  const { clock } = context;
  const deadlineMs = clock.monotonic() + timeoutMs;
  const input = spellInput(context.policy.entryPoint, "delete-traces", true);
  context.progress(
    deleteTraces
      ? `${live.name}: deleting deployment ${live.id} and its tracing project with all traces (${input})`
      : `${live.name}: deleting deployment ${live.id}; its traces stay (${input} deletes them too)`,
  );
  const sent = await writeDelete(context, tracker, live, deleteTraces, deadlineMs);
  const status = sent.state === "taken" ? null : statusOf(endOfWrite(sent).error);
  // A service without deletes returns 404 too: only a read shows which it is.
  const isNotFound = status === 404;
  if (status === 405 || status === 501)
    return toNoDelete(`this service cannot delete deployments (it answers ${status})`, live);
  if (sent.state !== "taken" && !isNotFound) return endOfWrite(sent);
  if (!context.policy.wait && !isNotFound)
    return {
      outcome: "started",
      message: `deployment ${live.id} is being deleted, and ${unwaitedWords(context)}`,
    };
  const stays = (now: LiveDeployment): DeploymentEnd | null =>
    isNotFound && !isDeleting(now)
      ? toNoDelete(
          `this service cannot delete deployments (it answers 404, and deployment ${live.id} is there)`,
          live,
        )
      : null;
  const late = await awaitGone(context, live.id, deadlineMs - clock.monotonic(), stays);
  if (late === null) forgetAddress(tracker);
  return (
    late ?? {
      outcome: "updated",
      message: deleteTraces
        ? `deployment ${live.id} and its tracing project were deleted`
        : `deployment ${live.id} was deleted; its traces stay`,
    }
  );
}

/** Somebody else is already deleting it: sends nothing, and ends once it is gone. */
async function awaitForeignDelete(
  context: DeployContext,
  live: LiveDeployment,
  { timeoutMs }: RemovalOptions,
  tracker: Tracker,
): Promise<DeploymentEnd> {
  const going = { outcome: "unchanged" } as const;
  const already = `deployment ${live.id} is being deleted already`;
  if (!context.policy.wait)
    return {
      ...going,
      message: `${already}, and ${unwaitedWords(context)}`,
    };
  context.progress(`${already}: waiting until it is gone`);
  const late = await awaitGone(context, live.id, timeoutMs);
  if (late === null) forgetAddress(tracker);
  return (
    late ?? {
      ...going,
      message: `deployment ${live.id} was being deleted already, and is gone now`,
    }
  );
}

/** Nothing serves at the address of a deployment that is gone. */
function forgetAddress(tracker: Tracker): void {
  tracker.url = "";
}

const statusOf = (error: unknown): number | null =>
  error instanceof ServiceError ? error.status : null;

const toNoDelete = (why: string, { id }: LiveDeployment): DeploymentEnd => ({
  outcome: "failed",
  reason: "no-delete",
  message: `${why}: delete ${id} in its own page`,
});

/** Deletes a deployment; after a lost response, reads whether it is gone or being deleted. */
function writeDelete(
  context: DeployContext,
  tracker: Tracker,
  live: LiveDeployment,
  deleteTracingProject: boolean,
  deadlineMs: number,
): Promise<WriteEnd> {
  return sendAndReconcile(context, tracker, {
    what: `delete of ${live.name}`,
    lookAfterMs: LOOK_AFTER_MS,
    deadlineMs,
    send: async (controlPlane) => {
      const result = await controlPlane.deleteDeployment(live.id, { deleteTracingProject });
      return result.state === "taken" ? { state: "taken", reply: live } : result;
    },
    look: async (controlPlane) => {
      const now = await controlPlane.getDeployment(live.id);
      return now === null || isDeleting(now)
        ? { state: "yes", value: now ?? live }
        : { state: "no" };
    },
    howToFindOut: ["Run destroy again: it reads what is there and deletes only that"],
  });
}
