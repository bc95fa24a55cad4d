import type { LiveDeployment } from "../model/live.ts";
import type { DeploymentReport } from "../report/report.ts";
import { type DeployContext, unwaitedWords } from "./context.ts";
import { isDeleting } from "./identity.ts";
import { byId } from "./own-revision.ts";
import { sendRedeploy, waitForRedeployed } from "./redeployment.ts";
import { servedBy, versionOf } from "./serving.ts";
import {
  createTracker,
  toDeploymentReport,
  track,
  type DeploymentEnd,
  type Tracker,
} from "./tracker.ts";
import { endOfWait, reattachLine, reportOf, waitForRevision } from "./wait.ts";
import type { WaitEnd } from "./wait-request.ts";
import { endOfWrite } from "./write.ts";

/** Starts tracking for a command without a plan. */
function trackLive(live: LiveDeployment, action: Tracker["action"]): Tracker {
  const tracker = createTracker(live.name);
  track(tracker, live);
  tracker.servedBefore = servedBy(live);
  tracker.action = action;
  return tracker;
}

/**
 * Waits for a revision that an earlier run or somebody else began; reads no spec and changes
 * nothing. `revisionId` null: the latest one.
 */
export function awaitRevision(
  context: DeployContext,
  live: LiveDeployment,
  revisionId: string | null,
  timeoutMs: number,
): Promise<DeploymentReport> {
  const tracker = trackLive(live, "attach");
  tracker.revision_id = revisionId ?? live.latest_revision_id;
  // If the revision is already active, the one before it is unknown.
  if (live.active_revision_id !== tracker.revision_id)
    tracker.previous_revision_id = live.active_revision_id;
  return reportOf(context, tracker, async () => {
    const end = await waitForRevision(
      context,
      {
        name: live.name,
        deploymentId: live.id,
        own: byId(tracker.revision_id, revisionId === null ? "written" : "given"),
        // The active revision at the start proves nothing here: it may be a newer one.
        previousActiveId: null,
        timeoutMs,
      },
      tracker,
    );
    return endOfWaited(context, tracker, end, alreadyDeployed(end, tracker.timeline));
  });
}

/** A redeploy that has not begun looks like one that ended earlier: only the time differs. */
function alreadyDeployed({ revision }: WaitEnd, timeline: Tracker["timeline"]): string {
  if (timeline.length !== 1) return "";
  const since = (revision?.updated_at ?? "") === "" ? "" : `, last updated ${revision?.updated_at}`;
  return `; it was already DEPLOYED when first read${since}`;
}

async function endOfWaited(
  context: DeployContext,
  tracker: Tracker,
  end: WaitEnd,
  remark: string,
): Promise<DeploymentEnd> {
  const { state } = end;
  const config = end.revision?.source_revision_config;
  const commit = config?.["repo_commit_sha"];
  // A branch names its newest commit too, so an older revision of it is named by its own.
  const isCommit = state === "deployed" && typeof commit === "string" && commit !== "";
  tracker.version = isCommit ? commit : versionOf(config);
  return state === "deployed"
    ? { outcome: state, message: `${end.message}${remark}` }
    : endOfWait(context, tracker, { ...end, state });
}

/** Redeploys one revision and waits for it, or only starts it; every end is a report. */
export async function redeployRevision(
  context: DeployContext,
  live: LiveDeployment,
  revisionId: string,
  timeoutMs: number,
): Promise<DeploymentReport> {
  const tracker = trackLive(live, "redeploy");
  tracker.previous_revision_id = live.active_revision_id;
  if (isDeleting(live))
    return toDeploymentReport(tracker, {
      outcome: "failed",
      reason: "deleting",
      message: `deployment ${live.id} is being deleted, so no revision of it is redeployed`,
    });
  const deadlineMs = context.clock.monotonic() + timeoutMs;
  const redeploying = { name: live.name, live, revisionId, deadlineMs };
  return reportOf(context, tracker, async () => {
    const sent = await sendRedeploy(context, tracker, redeploying);
    if (sent.state !== "sent") return endOfWrite(sent);
    if (!context.policy.wait)
      return {
        outcome: "started",
        message: `redeploy of revision ${revisionId} was started, and ${unwaitedWords(context)}`,
        next: [reattachLine(live.id, sent.own.id)],
      };
    const how = { timeoutMs, dialect: live.dialect };
    const end = await waitForRedeployed(context, tracker, redeploying, sent, how);
    return endOfWaited(context, tracker, end, "");
  });
}
