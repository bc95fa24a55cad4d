import { timeoutOf, type DeployContext } from "../deploy/context.ts";
import { awaitNamed } from "../deploy/identity.ts";
import { withServing } from "../deploy/serving.ts";
import { createTracker, toDeploymentReport } from "../deploy/tracker.ts";
import { redeployRevision } from "../deploy/wait-only.ts";
import type { DeploymentReport } from "../report/report.ts";
import { toEnd, toReport } from "../ci/report-assembly.ts";
import { toDeployContext } from "../ci/deploy-context.ts";
import { readPlaced } from "./place.ts";
import { withConnection, type Connection } from "../ci/service-connection.ts";
import type { CommandEnd, Session } from "../ci/session.ts";
import { skipWithoutKey } from "../ci/skip.ts";
import type { Desired } from "../spec/desired.ts";
import { findTargets, onlyTarget, toMissingReport, type Target } from "./looked-up-deployment.ts";
import { publishTargets } from "./start-report.ts";
import { refuseUntrusted } from "../ci/session.ts";

/** `redeploy`: POST redeploy of `revision-id` (default: the latest), then wait. */
export async function runRedeploy(given: Session): Promise<CommandEnd> {
  refuseUntrusted(given);
  const skipped = await skipWithoutKey(given);
  if (skipped !== null) return skipped;
  const { session, documents } = await readPlaced(given);
  return withConnection(session, (connection) => redeployTarget(session, documents, connection));
}

/** The same with what it works on. */
export async function redeployTarget(
  session: Session,
  documents: readonly Desired[] | null,
  { controlPlane }: Pick<Connection, "controlPlane">,
): Promise<CommandEnd> {
  const context = toDeployContext(session, controlPlane);
  const target = onlyTarget(await findTargets(session, controlPlane, documents), "redeploy");
  await publishTargets(session, [target]);
  const ended = await withServing(context, await redeploy(session, context, target));
  return toEnd(session, toReport(session, { deployments: [ended] }));
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
