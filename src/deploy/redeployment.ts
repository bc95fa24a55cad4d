import type { Dialect } from "../model/dialect.ts";
import type { LiveDeployment } from "../model/live.ts";
import { serviceOf, type DeploymentRun } from "./document-run.ts";
import { hasChanged, redeployedOf, type OwnRevision } from "./own-revision.ts";
import { versionOf } from "./serving.ts";
import { superseded, type DeploymentEnd, type WaitEnd } from "./tracker.ts";
import { findBuiltOtherwise } from "./unbuilt.ts";
import { reattachLine, waitForRevision } from "./wait.ts";
import {
  endOfWrite,
  lookAt,
  repeatWhileBusy,
  sendAndReconcile,
  type Conflict,
  type Written,
} from "./write.ts";

/**
 * Redeploys a revision and finds the resulting one. After a lost response, reads whether a new
 * revision appeared, or this one or its deployment changed. `busy`: the conflict that an earlier
 * try met; it is the end if a newer revision than the known one has come since.
 */
export async function sendRedeploy(
  run: DeploymentRun,
  known: LiveDeployment,
  revisionId: string,
  busy?: Conflict,
): Promise<Written> {
  // Read at every try: what changes after this shows whether a lost write was accepted.
  const before = (await serviceOf(run).getDeployment(known.id)) ?? known;
  const latest = before.latest_revision_id;
  if (busy !== undefined && latest !== null && latest !== known.latest_revision_id)
    return { ...busy, newer: latest };
  const model = await serviceOf(run).getRevision(before.id, revisionId);
  let touchedAt: string | null = null;
  const sent = await sendAndReconcile(run, {
    what: `redeploy of ${run.tracker.name}`,
    send: (controlPlane) => controlPlane.redeploy(before.id, revisionId),
    look: lookAt(before, async (live, service) => {
      // The revision may keep its old status for a while. If its deployment was changed once, rather than at every
      // read, it was redeployed.
      const isTouched = live.updated_at !== before.updated_at && live.updated_at === touchedAt;
      if (live.latest_revision_id !== before.latest_revision_id || isTouched) return true;
      touchedAt = live.updated_at;
      const now = await service.getRevision(before.id, revisionId);
      return now !== null && model !== null && hasChanged(model, now);
    }),
    howToFindOut: [`Run ${reattachLine(run.context, before.id, null)} to see its latest revision`],
  });
  if (sent.state !== "taken") return sent;
  const own = redeployedOf(before, sent.live, model, revisionId);
  run.tracker.revision_id = own.id;
  return { ...sent, wait: own };
}

/** Redeploys a revision and waits for the result; `unwaited`: how it ends without the wait. */
export async function redeployAndWait(
  run: DeploymentRun,
  live: LiveDeployment,
  revisionId: string,
  { dialect = live.dialect, unwaited }: RedeployOptions = {},
): Promise<WaitEnd | DeploymentEnd> {
  const sent = await repeatWhileBusy(run, (busy) => sendRedeploy(run, live, revisionId, busy));
  if (sent.state === "conflict" && sent.newer !== undefined) return overtakenBy(sent.newer);
  if (sent.state !== "taken") return endOfWrite(sent);
  const own = { ...sent.wait!, previousActiveId: live.active_revision_id };
  if (unwaited !== undefined && !run.context.policy.wait) return unwaited(own.id);
  return judgeBuilt(run, own, await waitForRevision(run, own), dialect);
}

const LOOK_FIRST = "Look at what is live, then redeploy again";

/** A revision that came before this run could redeploy is not replaced. */
function overtakenBy(newer: string): DeploymentEnd {
  const message = `not redeployed: another update made revision ${newer}, which is newer`;
  return { ...superseded(message, LOOK_FIRST), supersededBy: newer };
}

interface RedeployOptions {
  /** How the spec spells fields. */
  readonly dialect?: Dialect | undefined;
  readonly unwaited?: (revisionId: string | null) => DeploymentEnd;
}

/** A revision built from something other than the redeployed one is another run's. */
function judgeBuilt(
  { tracker }: DeploymentRun,
  { model }: OwnRevision,
  end: WaitEnd,
  dialect: Dialect,
): WaitEnd {
  if (model === null) return end;
  // After a timeout, the revision that serves may be the redeployed one.
  if (tracker.serving?.revision_id === model.id)
    tracker.serving = {
      revision_id: model.id,
      version: versionOf(model.source_revision_config),
    };
  if (end.outcome !== "deployed" || end.revision === null) return end;
  const foreign = findBuiltOtherwise(end.revision, model, dialect);
  if (foreign.length === 0) return end;
  const message = `${end.message}, but it was not built from what revision ${model.id} was (${foreign.join(", ")}): another run's update came in between`;
  return { ...end, ...superseded(message, LOOK_FIRST) };
}
