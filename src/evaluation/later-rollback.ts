import { timeoutOf } from "../deploy/context.ts";
import { redeployPrevious } from "../deploy/rollback.ts";
import { withServing } from "../deploy/serving.ts";
import { createTracker, toDeploymentReport, track } from "../deploy/tracker.ts";
import type { DeploymentReport } from "../report/report.ts";
import { toDeployContext } from "../run/deploy-context.ts";
import type { Connection } from "../run/service-connection.ts";
import { maskLive } from "../run/live-secrets.ts";
import { UsageError, type Session } from "../run/session.ts";
import { refuseUntrusted } from "../run/trust.ts";

/** Whether a later step may roll back, and was told of what. */
export function wantsLaterRollback({ options }: Session): boolean {
  return options.onFailure === "rollback" && options.deploymentId !== undefined && !options.dryRun;
}

/** Whether a signal ended a roll back before it was done. */
export function isRollbackCancelled(deployments: readonly DeploymentReport[]): boolean {
  return deployments.some((one) => one.rollback?.outcome === "cancelled");
}

/**
 * The roll back of a later step whose gate failed: from `deployment-id` to `previous-revision-id`,
 * where `on-failure: rollback` asks for it.
 */
export async function rollBackLater(
  session: Session,
  connection: Connection,
): Promise<readonly DeploymentReport[]> {
  const { deploymentId, revisionId, previousRevisionId } = session.options;
  if (!wantsLaterRollback(session) || deploymentId === undefined) return [];
  refuseUntrusted(session);
  if (previousRevisionId === undefined)
    throw new UsageError(
      "on-failure: rollback in a later step needs previous-revision-id: the output of the step that deployed",
    );
  if (revisionId === undefined)
    throw new UsageError(
      "on-failure: rollback in a later step needs revision-id: the output of the step that deployed. Without it, a newer revision of somebody else's could be taken back",
    );
  const context = toDeployContext(session, connection.controlPlane);
  const live = await connection.controlPlane.getDeployment(deploymentId);
  maskLive(session, live);
  const tracker = createTracker(live?.name ?? deploymentId);
  if (live === null)
    return [
      toDeploymentReport(tracker, {
        outcome: "failed",
        reason: "not-found",
        message: `there is no deployment ${deploymentId}`,
      }),
    ];
  track(tracker, live);
  tracker.revisionId = revisionId;
  tracker.previousRevisionId = previousRevisionId;
  const done = await redeployPrevious(context, {
    name: live.name,
    deploymentId,
    failedRevisionId: revisionId,
    failedWasActive: true,
    previousRevisionId,
    timeoutMs: timeoutOf(context, {}),
  });
  tracker.rollback = done.rollback;
  tracker.changed = done.sent;
  const report = toDeploymentReport(tracker, {
    outcome: done.sent ? "deployed" : "unchanged",
    reason: "gate",
    message: done.message,
    next: done.next,
  });
  return [await withServing(context, report)];
}
