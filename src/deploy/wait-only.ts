import type { LiveDeployment, LiveRevision } from "../model/live.ts";
import { endOf } from "../model/revision-status.ts";
import type { DeploymentReport } from "../report/report.ts";
import { toCancelled } from "./apply.ts";
import type { DeployContext } from "./context.ts";
import { diagnose } from "./diagnosis.ts";
import type { DeploymentEnd } from "./document-run.ts";
import { isDeleting } from "./identity.ts";
import { servedAtEnd, servedBy, versionOf } from "./serving.ts";
import { portsFor } from "./step.ts";
import { createTracker, toDeploymentReport, track, type Tracker } from "./tracker.ts";
import { findBuiltOtherwise } from "./unbuilt.ts";
import {
  NEXT_AFTER_SUPERSEDED,
  nextAfterCause,
  nextAfterTimeout,
  reattachLine,
  waitForRevision,
} from "./wait.ts";
import type { WaitEnd, WaitRequest } from "./wait-request.ts";
import { toRedeployed, writeRedeploy } from "./write.ts";

/**
 * Waits for a revision that an earlier run, or somebody else, began; reads no spec and changes
 * nothing. Null: the latest.
 */
export function awaitRevision(
  context: DeployContext,
  live: LiveDeployment,
  revisionId: string | null,
  timeoutMs: number,
): Promise<DeploymentReport> {
  const tracker = createTracker(live.name);
  track(tracker, live);
  tracker.servedBefore = servedBy(live);
  tracker.revisionId = revisionId ?? live.latest_revision_id;
  tracker.action = "attach";
  // Of a revision that is active by now, the one before is not known any more.
  if (live.active_revision_id !== tracker.revisionId)
    tracker.previousRevisionId = live.active_revision_id;
  // Which revision is active at the start tells nothing here: it may be a newer one.
  return waitAndReport(context, tracker, {
    name: live.name,
    deploymentId: live.id,
    revisionId: tracker.revisionId,
    notRevisionIds: [],
    previousActiveId: null,
    timeoutMs,
    pollIntervalMs: context.policy.pollIntervalMs,
    stale: null,
    given: revisionId !== null,
  });
}

/** `model`: the revision that was redeployed; null where none was. */
async function waitAndReport(
  context: DeployContext,
  tracker: Tracker,
  request: WaitRequest,
  model: LiveRevision | null = null,
): Promise<DeploymentReport> {
  const end = await waitForRevision(request, portsFor(context, tracker)).catch((error: unknown) => {
    if (context.signal.aborted) return null;
    throw error;
  });
  if (end === null) return toDeploymentReport(tracker, toCancelled(tracker));
  tracker.revisionId = end.revisionId;
  tracker.untilMs = end.untilMs;
  if (end.state === "timed-out")
    tracker.serving = servedAtEnd(end.deployment, tracker.servedBefore);
  if (end.deployment !== null) track(tracker, end.deployment);
  tracker.version = versionOf(end.revision?.source_revision_config);
  if (end.state === "failed") tracker.cause = end.revision?.status_message ?? "";
  if (end.state === "deployed") return toDeploymentReport(tracker, toDeployed(end, model, tracker));
  return toDeploymentReport(tracker, {
    outcome: end.state,
    reason: reasonOf(end),
    message: end.message,
    next: await nextOf(context, tracker, end),
  });
}

/** A reply may name another run's revision: what a redeploy made was built from what the old one was. */
function toDeployed(
  end: WaitEnd,
  model: LiveRevision | null,
  { dialect, timeline }: Tracker,
): DeploymentEnd {
  const { revision } = end;
  const message = model === null ? toWaitedFor(end, timeline) : end.message;
  const fields =
    revision === null || model === null
      ? []
      : findBuiltOtherwise(revision, model, dialect ?? "document");
  if (fields.length === 0) return { outcome: "deployed", message };
  return {
    outcome: "superseded",
    reason: "superseded",
    message: `${message}, but it was not built from what revision ${model?.id} was (${fields.join(", ")}): another run's update came in between`,
    next: ["Look at what is live, then redeploy again"],
  };
}

/** A redeploy that has not begun yet looks like one that ended before: the time tells them apart. */
function toWaitedFor({ revision, message }: WaitEnd, timeline: Tracker["timeline"]): string {
  if (timeline.length !== 1) return message;
  const since = (revision?.updated_at ?? "") === "" ? "" : `, last updated ${revision?.updated_at}`;
  return `${message}; it was already DEPLOYED when first read${since}`;
}

function reasonOf(end: WaitEnd): string {
  if (end.cause !== undefined) return end.cause;
  if (end.state === "timed-out") return "timeout";
  if (end.state === "superseded" && endOf(end.status ?? "") !== "skipped") return "superseded";
  return end.status ?? end.state;
}

async function nextOf(
  context: DeployContext,
  tracker: Tracker,
  end: WaitEnd,
): Promise<readonly string[]> {
  if (end.state === "failed") return nextAfterCause(end) ?? diagnose(context, tracker);
  if (end.state === "superseded") return [NEXT_AFTER_SUPERSEDED];
  if (end.state === "timed-out" && tracker.id !== null) return nextAfterTimeout(tracker.id, end);
  return [];
}

/** Redeploys one revision and waits for it, or only starts it; every end is a report. */
export async function redeployRevision(
  context: DeployContext,
  live: LiveDeployment,
  revisionId: string,
  timeoutMs: number,
): Promise<DeploymentReport> {
  const tracker = createTracker(live.name);
  track(tracker, live);
  tracker.servedBefore = servedBy(live);
  tracker.action = "redeploy";
  tracker.previousRevisionId = live.active_revision_id;
  if (isDeleting(live))
    return toDeploymentReport(tracker, {
      outcome: "failed",
      reason: "deleting",
      message: `deployment ${live.id} is being deleted, so no revision of it is redeployed`,
    });
  try {
    return await redeployAndWait(context, live, revisionId, timeoutMs, tracker);
  } catch (error) {
    if (context.signal.aborted) return toDeploymentReport(tracker, toCancelled(tracker));
    return toDeploymentReport(tracker, {
      outcome: "failed",
      reason: "service",
      message: (error as Error).message,
    });
  }
}

async function redeployAndWait(
  context: DeployContext,
  live: LiveDeployment,
  revisionId: string,
  timeoutMs: number,
  tracker: Tracker,
): Promise<DeploymentReport> {
  const deadlineMs = context.clock.monotonic() + timeoutMs;
  const controlPlane =
    context.controlPlane.within?.({ deadlineMs, signal: context.signal }) ?? context.controlPlane;
  const before = await controlPlane.getRevision(live.id, revisionId);
  const sent = await writeRedeploy(context, live.name, live, before, revisionId, deadlineMs);
  if (sent.state === "outcome-unknown") {
    tracker.changed = true;
    const ended = context.signal.aborted
      ? ({ outcome: "cancelled", reason: "signal" } as const)
      : ({ outcome: "failed", reason: "unknown" } as const);
    return toDeploymentReport(tracker, { ...ended, message: sent.message, next: [sent.next] });
  }
  if (sent.state !== "taken")
    return toDeploymentReport(tracker, {
      outcome: "failed",
      reason: "refused",
      message: sent.error.message,
    });
  tracker.changed = true;
  const redeployed = toRedeployed(live, sent.deployment, before, revisionId);
  tracker.revisionId = redeployed.revisionId;
  if (!context.policy.wait) {
    return toDeploymentReport(tracker, {
      outcome: "started",
      message: `redeploy of revision ${revisionId} was started, and wait: false does not wait for it`,
      next: [reattachLine(live.id, redeployed.revisionId)],
    });
  }
  const request = {
    name: live.name,
    deploymentId: live.id,
    ...redeployed,
    previousActiveId: live.active_revision_id,
    timeoutMs,
    pollIntervalMs: context.policy.pollIntervalMs,
  };
  return waitAndReport(context, tracker, request, before);
}
