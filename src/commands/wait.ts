import { awaitRevision } from "../deploy/wait-only.ts";
import { endWith } from "../ci/report-assembly.ts";
import { UsageError } from "../ci/session.ts";
import { findTargets, overTargets, workOn, type TargetCommand } from "./looked-up-deployment.ts";

/** `wait`: waits for the revision in progress (or `revision-id`) until it ends; changes nothing. */
export const awaitTargets: TargetCommand = async (session, documents, controlPlane) => {
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
};

/** `wait` for the deployments that the spec, an id or a name identifies. */
export const runWait = overTargets("reads", awaitTargets);
