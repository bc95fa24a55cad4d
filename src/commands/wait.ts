import { timeoutOf } from "../deploy/context.ts";
import { withServing } from "../deploy/serving.ts";
import { awaitRevision } from "../deploy/wait-only.ts";
import { endWith, publishStart } from "../ci/report-assembly.ts";
import { toDeployContext } from "../ci/deploy-context.ts";
import type { ControlPlane } from "../service/control-plane.ts";
import type { Desired } from "../spec/desired.ts";
import { UsageError, type CommandEnd, type Session } from "../ci/session.ts";
import { findTargets, overTargets, toMissingReport } from "./looked-up-deployment.ts";

/** `wait`: re-attaches to the revision that is under way (or to `revision-id`) until it ends; changes nothing. */
export const runWait = overTargets("reads", awaitTargets);

/** The same on a service that is connected. */
export async function awaitTargets(
  session: Session,
  documents: readonly Desired[] | null,
  controlPlane: ControlPlane,
): Promise<CommandEnd> {
  const context = toDeployContext(session, controlPlane);
  const targets = await findTargets(session, controlPlane, documents);
  const { revisionId = null } = session.options;
  if (revisionId !== null && targets.length > 1)
    throw new UsageError(
      "revision-id names one revision: give deployment-id too, or a spec of one document",
    );
  await publishStart(session, targets);
  const deployments = await Promise.all(
    targets.map(async (target) => {
      const { desired, live } = target;
      if (live === null) return toMissingReport(target);
      const timeoutMs = timeoutOf(context, desired?.deploy ?? {});
      return withServing(context, await awaitRevision(context, live, revisionId, timeoutMs));
    }),
  );
  return endWith(session, { deployments, changed: false });
}
