import { timeoutOf, type DeployContext } from "../deploy/context.ts";
import { awaitNamed } from "../deploy/identity.ts";
import { withServing } from "../deploy/serving.ts";
import { createTracker, toDeploymentReport } from "../deploy/tracker.ts";
import { redeployRevision } from "../deploy/wait-only.ts";
import type { DeploymentReport } from "../report/report.ts";
import { endWith, publishStart } from "../ci/report-assembly.ts";
import { toDeployContext } from "../ci/deploy-context.ts";
import type { ControlPlane } from "../service/control-plane.ts";
import type { CommandEnd, Session } from "../ci/session.ts";
import type { Desired } from "../spec/desired.ts";
import { findOnly, overTargets, toMissingReport, type Target } from "./looked-up-deployment.ts";

/** `redeploy`: POST redeploy of `revision-id` (default: the latest), then wait. */
export const runRedeploy = overTargets("writes", redeployTarget);

/** The same on a service that is connected. */
export async function redeployTarget(
  session: Session,
  documents: readonly Desired[] | null,
  controlPlane: ControlPlane,
): Promise<CommandEnd> {
  const context = toDeployContext(session, controlPlane);
  const target = await findOnly(session, controlPlane, documents);
  await publishStart(session, [target]);
  const ended = await withServing(context, await redeploy(session, context, target));
  return endWith(session, { deployments: [ended] });
}

async function redeploy(
  { options, clock }: Session,
  context: DeployContext,
  target: Target,
): Promise<DeploymentReport> {
  if (target.live === null) return toMissingReport(target);
  const timeoutMs = timeoutOf(context, target.desired?.deploy ?? {});
  const live =
    options.revisionId === undefined
      ? await awaitNamed(context, target.live, clock.monotonic() + timeoutMs)
      : target.live;
  const revisionId = options.revisionId ?? live.latest_revision_id;
  if (revisionId === null) {
    return toDeploymentReport(createTracker(target.name), {
      outcome: "failed",
      reason: "no-revision",
      message: `deployment ${live.id} has no revision yet, so there is nothing to redeploy`,
    });
  }
  return redeployRevision(context, live, revisionId, timeoutMs);
}
