import type { LiveDeployment } from "../model/live.ts";
import type { DeploymentReport } from "../report/report.ts";
import { ServiceError } from "../service/control-plane.ts";
import type { DeployContext } from "./context.ts";
import { boundedBy, type DeploymentEnd as End } from "./document-run.ts";
import { awaitGone } from "./gone.ts";
import { isDeleting } from "./identity.ts";
import { createTracker, toDeploymentReport, track } from "./tracker.ts";
import { writeDelete, type WriteEnd } from "./write.ts";

const POLL_MS = 1_000;
const POLL_AFTER_ERROR_MS = 5_000;

/** What a removal deletes besides the deployment, and how long it may take. */
export interface RemovalOptions {
  readonly deleteTraces: boolean;
  readonly timeoutMs: number;
}

/**
 * Deletes one deployment, with its traces where asked, and waits until it is gone; every end is a
 * report, a cancel too.
 */
export async function removeDeployment(
  context: DeployContext,
  live: LiveDeployment,
  { deleteTraces, timeoutMs }: RemovalOptions,
): Promise<DeploymentReport> {
  const tracker = createTracker(live.name);
  track(tracker, live);
  tracker.previousRevisionId = live.active_revision_id;
  const deadlineMs = context.clock.monotonic() + timeoutMs;
  const report = (end: End): DeploymentReport => toDeploymentReport(tracker, end);
  if (isDeleting(live)) return report(await awaitForeignDelete(context, live, timeoutMs));
  context.progress(
    deleteTraces
      ? `${live.name}: deleting deployment ${live.id} and its tracing project with all traces (delete-traces: true)`
      : `${live.name}: deleting deployment ${live.id}; its traces stay (delete-traces: true deletes them too)`,
  );
  let sent: WriteEnd;
  try {
    sent = await writeDelete(context, live, deleteTraces, deadlineMs);
  } catch (error) {
    if (context.signal.aborted)
      return report({
        outcome: "cancelled",
        reason: "signal",
        message: `cancelled: nothing was sent, deployment ${live.id} is as it was`,
      });
    return report({ outcome: "failed", reason: "service", message: (error as Error).message });
  }
  const notFound = sent.state === "refused" && statusOf(sent.error) === 404 ? sent.error : null;
  if (sent.state === "outcome-unknown") {
    tracker.changed = true;
    return report({
      ...(context.signal.aborted
        ? { outcome: "cancelled", reason: "signal" }
        : { outcome: "failed", reason: "unknown" }),
      message: sent.message,
      next: [sent.next],
    });
  }
  if (sent.state !== "taken" && notFound === null) return report(toRefused(sent.error, live));
  tracker.changed = notFound === null;
  if (!context.policy.wait && notFound === null)
    return report({
      outcome: "started",
      message: `deployment ${live.id} is being deleted, and wait: false does not wait for it`,
    });
  const done = deleteTraces
    ? `deployment ${live.id} and its tracing project were deleted`
    : `deployment ${live.id} was deleted; its traces stay`;
  return report(await awaitDeleted(context, live, { deadlineMs, notFound, done }));
}

/** Somebody else deletes it already: nothing is sent, and the run ends once it is gone. */
async function awaitForeignDelete(
  context: DeployContext,
  live: LiveDeployment,
  timeoutMs: number,
): Promise<End> {
  if (!context.policy.wait)
    return {
      outcome: "unchanged",
      message: `deployment ${live.id} is being deleted already, and wait: false does not wait for it`,
    };
  try {
    const late = await awaitGone(context, live.id, timeoutMs);
    return (
      late ?? {
        outcome: "unchanged",
        message: `deployment ${live.id} was being deleted already, and is gone now`,
      }
    );
  } catch (error) {
    if (!context.signal.aborted) throw error;
    return {
      outcome: "cancelled",
      reason: "signal",
      message: `cancelled: deployment ${live.id} is still being deleted`,
      next: ["Run destroy again: it waits until the deployment is gone"],
    };
  }
}

const statusOf = (error: Error): number | null =>
  error instanceof ServiceError ? error.status : null;

function toRefused(error: Error, live: LiveDeployment): End {
  const status = statusOf(error);
  return status === 405 || status === 501
    ? {
        outcome: "failed",
        reason: "no-delete",
        message: `this service cannot delete deployments (it answers ${status}): delete ${live.id} in its own page`,
      }
    : { outcome: "failed", reason: "refused", message: error.message };
}

interface DeletionWait {
  readonly deadlineMs: number;
  /**
   * What the delete was answered where that was 404, which a service without deletes says too; only
   * a read tells them apart.
   */
  readonly notFound: Error | null;
  /** What to say once it is gone. */
  readonly done: string;
}

async function awaitDeleted(
  context: DeployContext,
  live: LiveDeployment,
  { deadlineMs, notFound, done }: DeletionWait,
): Promise<End> {
  const controlPlane = boundedBy(context, deadlineMs);
  for (;;) {
    let pauseMs = POLL_MS;
    try {
      const now = await controlPlane.getDeployment(live.id);
      if (now === null)
        return {
          outcome: "updated",
          message: done,
        };
      if (notFound !== null && !isDeleting(now))
        return {
          outcome: "failed",
          reason: "no-delete",
          message: `this service cannot delete deployments (it answers 404, and deployment ${live.id} is there): delete it in its own page`,
        };
    } catch (error) {
      pauseMs = POLL_AFTER_ERROR_MS;
      if (!context.signal.aborted) context.progress(`${live.name}: ${(error as Error).message}`);
    }
    const left = Math.max(1, deadlineMs - context.clock.monotonic());
    if (!context.signal.aborted)
      await context.clock.sleep(Math.min(pauseMs, left), context.signal).catch(() => undefined);
    if (context.signal.aborted)
      return {
        outcome: "cancelled",
        reason: "signal",
        message: `cancelled: deployment ${live.id} is still being deleted`,
        next: ["Run destroy again: it waits until the deployment is gone"],
      };
    if (context.clock.monotonic() >= deadlineMs)
      return {
        outcome: "timed-out",
        reason: "timeout",
        message: `deployment ${live.id} is still there after the timeout`,
        next: ["Run destroy again"],
      };
  }
}
