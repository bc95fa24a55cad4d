import { awaitRevision } from "../deploy/wait-only.ts";
import { endWith } from "../ci/report-assembly.ts";
import type { ControlPlane } from "../service/control-plane.ts";
import type { Desired } from "../spec/desired.ts";
import { UsageError, type CommandEnd, type Session } from "../ci/session.ts";
import { findTargets, overTargets, workOn } from "./looked-up-deployment.ts";

/** `wait`: re-attaches to the revision that is under way (or to `revision-id`) until it ends; changes nothing. */
export const runWait = overTargets("reads", awaitTargets);

/** The same on a service that is connected. */
export async function awaitTargets(
  session: Session,
  documents: readonly Desired[] | null,
  controlPlane: ControlPlane,
): Promise<CommandEnd> {
  const targets = await findTargets(session, controlPlane, documents);
  const { revisionId = null } = session.options;
  if (revisionId !== null && targets.length > 1)
    throw new UsageError(
      "revision-id names one revision: give deployment-id too, or a spec of one document",
    );
  const deployments = await workOn(session, controlPlane, targets, (context, live, timeoutMs) =>
    awaitRevision(context, live, revisionId, timeoutMs),
  );
  return endWith(session, { deployments, changed: false });
}
