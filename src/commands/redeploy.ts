import type { DeployContext } from "../deploy/context.ts";
import { awaitNamed } from "../deploy/identity.ts";
import { redeployRevision } from "../deploy/wait-only.ts";
import type { LiveDeployment } from "../model/live.ts";
import { blankDeployment, type DeploymentReport } from "../report/report.ts";
import { endWith } from "../ci/report-assembly.ts";
import { findOnly, overTargets, workOn, type TargetCommand } from "./looked-up-deployment.ts";

/** `redeploy`: redeploys `revision-id` (default: the latest), then waits. */
export const redeployTarget: TargetCommand = async (session, documents, controlPlane) => {
  const target = await findOnly(session, controlPlane, documents);
  const { revisionId } = session.options;
  const deployments = await workOn(session, controlPlane, [target], (context, live, timeoutMs) =>
    redeploy(context, live, revisionId, timeoutMs),
  );
  return endWith(session, { deployments });
};

/** `redeploy` of the deployment that the spec, an id or a name identifies; refused in an untrusted run. */
export const runRedeploy = overTargets("writes", redeployTarget);

async function redeploy(
  context: DeployContext,
  given: LiveDeployment,
  wanted: string | undefined,
  timeoutMs: number,
): Promise<DeploymentReport> {
  const live =
    wanted === undefined
      ? await awaitNamed(context, given, context.clock.monotonic() + timeoutMs)
      : given;
  const revisionId = wanted ?? live.latest_revision_id;
  if (revisionId === null) {
    return {
      ...blankDeployment(live.name),
      outcome: "failed",
      reason: "no-revision",
      message: `deployment ${live.id} has no revision yet, so there is nothing to redeploy`,
    };
  }
  return redeployRevision(context, live, revisionId, timeoutMs);
}
