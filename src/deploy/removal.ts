import type { LiveDeployment } from "../model/live.ts";
import type { DeploymentReport } from "../report/report.ts";
import { ServiceError } from "../service/control-plane.ts";
import type { DeployContext } from "./context.ts";
import { isDeleting } from "./identity.ts";
import { createTracker, toDeploymentReport, track } from "./tracker.ts";
import { writeDelete, type WriteEnd } from "./write.ts";

type End = Parameters<typeof toDeploymentReport>[1];

const POLL_MS = 1_000;
const POLL_AFTER_ERROR_MS = 5_000;

/** Deletes one deployment with its tracing project and waits until it is gone; every end is a report, a cancel too. */
export async function removeDeployment(
  context: DeployContext,
  live: LiveDeployment,
  timeoutMs: number,
): Promise<DeploymentReport> {
  const tracker = createTracker(live.name);
  track(tracker, live);
  tracker.previousRevisionId = live.active_revision_id;
  const deadlineMs = context.clock.monotonic() + timeoutMs;
  const report = (end: End): DeploymentReport => toDeploymentReport(tracker, end);
  let sent: WriteEnd;
  try {
    sent = await writeDelete(context, live, deadlineMs);
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
  if (sent.state === "undecided") {
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
  return report(await awaitGone(context, live, deadlineMs, notFound));
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

/** `notFound`: what the delete was answered where that was 404, which a service without deletes says too; only a read tells them apart. */
async function awaitGone(
  context: DeployContext,
  live: LiveDeployment,
  deadlineMs: number,
  notFound: Error | null,
): Promise<End> {
  const controlPlane =
    context.controlPlane.within?.({ deadlineMs, signal: context.signal }) ?? context.controlPlane;
  for (;;) {
    let pauseMs = POLL_MS;
    try {
      const now = await controlPlane.getDeployment(live.id);
      if (now === null)
        return {
          outcome: "updated",
          message: `deployment ${live.id} and its tracing project were deleted`,
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
    if (!context.signal.aborted)
      await context.clock.sleep(pauseMs, context.signal).catch(() => undefined);
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
