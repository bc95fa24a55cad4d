import { createTracker, toDeploymentReport, track } from "../deploy/tracker.ts";
import { timeoutOf, type DeployContext } from "../deploy/context.ts";
import type { LiveDeployment } from "../model/live.ts";
import type { DeploymentReport } from "../report/report.ts";
import { toEnd, toReport } from "./assembly.ts";
import { toDeployContext } from "./deploy-context.ts";
import { connect } from "./service-connection.ts";
import { skipWithoutKey } from "./skip.ts";
import { UsageError, type CommandEnd, type Session } from "./session.ts";
import { findTargets, onlyTarget, toMissingReport } from "./target.ts";
import { refuseUntrusted } from "./trust.ts";

/** `destroy`: deletes one deployment and its tracing project (hosted service), and waits until it is gone. */
export async function runDestroy(session: Session): Promise<CommandEnd> {
  const { confirm } = session.options;
  if (confirm === undefined) throw new UsageError("destroy needs confirm: <name of the deployment>, so that no wrong one is deleted");
  refuseUntrusted(session);
  const skipped = await skipWithoutKey(session);
  if (skipped !== null) return skipped;
  const connection = connect(session);
  try {
    const context = toDeployContext(session, connection.controlPlane);
    const target = onlyTarget(await findTargets(session, connection.controlPlane), "destroy");
    if (target.live !== null && target.live.name !== confirm) {
      throw new UsageError(`confirm is ${confirm}, and the deployment is named ${target.live.name}: nothing was deleted`);
    }
    const unproved = target.missing === "twins" || target.missing === "no-lookup";
    const report = unproved ? toMissingReport(target) : target.live === null
      ? toDeploymentReport(createTracker(target.name), { outcome: "unchanged", reason: "absent", message: `nothing to delete: ${target.why}` })
      : await destroy(context, target.live, timeoutOf(context, target.desired?.deploy ?? {}));
    return toEnd(session, toReport(session, { deployments: [report] }));
  } finally {
    await connection.close();
  }
}

async function destroy(context: DeployContext, live: LiveDeployment, timeoutMs: number): Promise<DeploymentReport> {
  const tracker = createTracker(live.name);
  track(tracker, live);
  tracker.previousRevisionId = live.active_revision_id;
  const sent = await context.controlPlane.deleteDeployment(live.id, { deleteTracingProject: true });
  if (sent.state === "refused" && sent.status !== 404) {
    const noDelete = sent.status === 405 || sent.status === 501;
    return toDeploymentReport(tracker, {
      outcome: "failed", reason: noDelete ? "no-delete" : "refused",
      message: noDelete ? `this service cannot delete deployments (it answers ${sent.status}): delete ${live.id} in its own page` : sent.error.message,
    });
  }
  tracker.changed = true;
  if (!context.policy.wait) return toDeploymentReport(tracker, { outcome: "started", message: `deployment ${live.id} is being deleted, and wait: false does not wait for it` });
  const startedAt = context.clock.monotonic();
  while ((await context.controlPlane.getDeployment(live.id)) !== null) {
    if (context.signal.aborted) return toDeploymentReport(tracker, { outcome: "cancelled", reason: "signal", message: `cancelled: deployment ${live.id} is still being deleted` });
    if (context.clock.monotonic() - startedAt >= timeoutMs) {
      const asked = sent.state === "unknown" ? `it is unknown whether the service took the delete (${sent.error.message}); ` : "";
      return toDeploymentReport(tracker, { outcome: "timed-out", reason: "timeout", message: `${asked}deployment ${live.id} is still there after the timeout`, next: ["Run destroy again"] });
    }
    await context.clock.sleep(1_000, context.signal).catch(() => undefined);
  }
  return toDeploymentReport(tracker, { outcome: "updated", message: `deployment ${live.id} and its tracing project were deleted` });
}
