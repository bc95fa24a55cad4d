import type { LiveDeployment } from "../model/live.ts";
import type { DeploymentReport } from "../report/report.ts";
import { type DeployContext, unwaitedWords } from "./context.ts";
import { startRun, type DeploymentRun } from "./document-run.ts";
import { isDeleting } from "./identity.ts";
import { byId } from "./own-revision.ts";
import { redeployAndWait } from "./redeployment.ts";
import { versionOf } from "./serving.ts";
import {
  createTracker,
  failed,
  toDeploymentReport,
  track,
  type DeploymentEnd,
  type WaitEnd,
} from "./tracker.ts";
import { endOfWait, reattachLine, reportOf, waitForRevision } from "./wait.ts";

/** Starts a command without a plan. */
function startLive(
  context: DeployContext,
  live: LiveDeployment,
  action: "attach" | "redeploy",
  timeoutMs: number,
): DeploymentRun {
  const tracker = createTracker(live.name);
  track(tracker, live);
  tracker.before = live;
  tracker.previous_revision_id = live.active_revision_id;
  tracker.action = action;
  return startRun(context, tracker, timeoutMs);
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
  const run = startLive(context, live, "attach", timeoutMs);
  const { tracker } = run;
  tracker.revision_id = revisionId ?? live.latest_revision_id;
  // If the revision is already active, the one before it is unknown.
  if (live.active_revision_id === tracker.revision_id) tracker.previous_revision_id = null;
  return reportOf(run, async () => {
    // The active revision at the start proves nothing here: it may be a newer one.
    const own = byId(tracker.revision_id, null, revisionId === null ? "written" : "given");
    const end = await waitForRevision(run, own);
    return endOfWaited(run, end, alreadyDeployed(end, tracker.timeline.length));
  });
}

/** A redeploy that has not begun looks like one that ended earlier: only the time differs. */
function alreadyDeployed({ revision }: WaitEnd, statuses: number): string {
  if (statuses !== 1) return "";
  const since = (revision?.updated_at ?? "") === "" ? "" : `, last updated ${revision?.updated_at}`;
  return `; it was already DEPLOYED when first read${since}`;
}

async function endOfWaited(
  run: DeploymentRun,
  end: WaitEnd,
  remark: string,
): Promise<DeploymentEnd> {
  const isDeployed = end.outcome === "deployed";
  const config = end.revision?.source_revision_config;
  const commit = config?.["repo_commit_sha"];
  // A branch names its newest commit too, so an older revision of it is named by its own.
  const isCommit = isDeployed && typeof commit === "string" && commit !== "";
  run.tracker.version = isCommit ? commit : versionOf(config);
  return isDeployed ? { ...end, message: `${end.message}${remark}` } : endOfWait(run, end);
}

/** Redeploys one revision and waits for it, or only starts it; every end is a report. */
export async function redeployRevision(
  context: DeployContext,
  live: LiveDeployment,
  revisionId: string,
  timeoutMs: number,
): Promise<DeploymentReport> {
  const run = startLive(context, live, "redeploy", timeoutMs);
  if (isDeleting(live)) {
    const message = `deployment ${live.id} is being deleted, so no revision of it is redeployed`;
    return toDeploymentReport(run.tracker, failed("deleting", message));
  }
  const unwaited = (id: string | null): DeploymentEnd => ({
    outcome: "started",
    message: `redeploy of revision ${revisionId} was started, and ${unwaitedWords(context)}`,
    next: [reattachLine(context, live.id, id)],
  });
  return reportOf(run, async () => {
    const end = await redeployAndWait(run, live, revisionId, { unwaited });
    return "revision" in end ? endOfWaited(run, end, "") : end;
  });
}
