import type { Dialect } from "../model/dialect.ts";
import type { LiveDeployment, LiveRevision } from "../model/live.ts";
import { boundedBy, type DeployContext } from "./context.ts";
import { redeployedOf, type OwnRevision } from "./own-revision.ts";
import { versionOf } from "./serving.ts";
import type { Tracker } from "./tracker.ts";
import { findBuiltOtherwise } from "./unbuilt.ts";
import { waitForRevision } from "./wait.ts";
import type { WaitEnd } from "./wait-request.ts";
import { LOOK_AFTER_MS, lookAt, type NotTaken, sendAndReconcile } from "./write.ts";

/** A redeploy that the service accepted. */
export interface Redeployed {
  readonly state: "sent";
  readonly deployment: LiveDeployment;
  /** The revision before the redeploy. */
  readonly model: LiveRevision | null;
  readonly own: OwnRevision;
}

/** What to redeploy, its name in the log, and the time limit. */
export interface Redeploying {
  readonly name: string;
  readonly live: LiveDeployment;
  readonly revisionId: string;
  readonly deadlineMs: number;
}

/**
 * Redeploys a revision and finds the resulting one. After a lost response, reads whether a new
 * revision appeared, or this one or its deployment changed.
 */
export async function sendRedeploy(
  context: DeployContext,
  tracker: Tracker,
  { name, live: before, revisionId, deadlineMs }: Redeploying,
): Promise<NotTaken | Redeployed> {
  const model = await boundedBy(context, deadlineMs).getRevision(before.id, revisionId);
  let touchedAt: string | null = null;
  const sent = await sendAndReconcile(context, tracker, {
    what: `redeploy of ${name}`,
    lookAfterMs: LOOK_AFTER_MS,
    deadlineMs,
    send: (controlPlane) => controlPlane.redeploy(before.id, revisionId),
    look: lookAt(before, async (live, service) => {
      // The revision may keep its old status for a while. If its deployment was changed once, rather than at every
      // read, it was redeployed.
      const isTouched = live.updated_at !== before.updated_at && live.updated_at === touchedAt;
      if (live.latest_revision_id !== before.latest_revision_id || isTouched) return true;
      touchedAt = live.updated_at;
      const now = await service.getRevision(before.id, revisionId);
      return (
        now !== null &&
        model !== null &&
        (now.status !== model.status || now.updated_at !== model.updated_at)
      );
    }),
    howToFindOut: [`Run agent-deploy wait --deployment-id ${before.id} to see its latest revision`],
  });
  if (sent.state !== "taken") return sent;
  const own = redeployedOf(before, sent.deployment, model, revisionId);
  tracker.revision_id = own.id;
  return { state: "sent", deployment: sent.deployment, model, own };
}

/** Waits for the result of a redeploy; a revision built from something other than its model is another run's. */
export async function waitForRedeployed(
  context: DeployContext,
  tracker: Tracker,
  { name, live, revisionId }: Redeploying,
  { model, own }: Redeployed,
  { timeoutMs, dialect }: { readonly timeoutMs: number; readonly dialect: Dialect },
): Promise<WaitEnd> {
  const request = { name, deploymentId: live.id, own, timeoutMs };
  const end = await waitForRevision(
    context,
    { ...request, previousActiveId: live.active_revision_id },
    tracker,
  );
  // After a timeout, the revision that serves may be the redeployed one.
  if (model !== null && tracker.serving?.revision_id === model.id)
    tracker.serving = {
      revision_id: model.id,
      version: versionOf(model.source_revision_config),
    };
  if (end.state !== "deployed" || end.revision === null || model === null) return end;
  const foreign = findBuiltOtherwise(end.revision, model, dialect);
  if (foreign.length === 0) return end;
  const message = `${end.message}, but it was not built from what revision ${revisionId} was (${foreign.join(", ")}): another run's update came in between`;
  return { ...end, state: "superseded", cause: "built-otherwise", message };
}
