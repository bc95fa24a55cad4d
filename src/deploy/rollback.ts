import type { DeploymentReport, Outcome } from "../report/report.ts";
import type { Desired } from "../spec/desired.ts";
import { timeoutOf, type DeployContext } from "./context.ts";
import type { toDeploymentReport, Tracker } from "./tracker.ts";
import { reattachLine, waitForRevision } from "./wait.ts";
import { toRedeployed, writeRedeploy } from "./write.ts";

type End = Parameters<typeof toDeploymentReport>[1];

/** What going back leaves as it is. */
export const NOT_RESTORED = "a redeploy leaves secrets and resource_spec as they are";

/** Adds a roll back to a red end where `on-failure: rollback` asks for it; the end stays red. */
export async function rollBack(
  context: DeployContext,
  desired: Desired,
  tracker: Tracker,
  end: End,
): Promise<End> {
  const wanted = context.policy.onFailure ?? desired.deploy.on_failure ?? "none";
  if (wanted !== "rollback" || tracker.id === null) return end;
  const done = await redeployPrevious(context, {
    name: desired.name,
    deploymentId: tracker.id,
    failedRevisionId: tracker.revisionId,
    previousRevisionId: tracker.previousRevisionId,
    timeoutMs: timeoutOf(context, desired.deploy),
  });
  tracker.rollback = done.rollback;
  // What to do is said by how the roll back ended: the advice before it held for the failed revision being the latest.
  const told = { message: `${end.message}. ${done.message}`, next: done.next };
  return done.rollback.outcome === "cancelled"
    ? { outcome: "cancelled", reason: "signal", ...told }
    : { ...end, ...told };
}

/** What to go back from and to. */
export interface RollbackRequest {
  readonly name: string;
  readonly deploymentId: string;
  readonly failedRevisionId: string | null;
  /** Active before the run; null where none was. */
  readonly previousRevisionId: string | null;
  /** Counted from the begin of the roll back. */
  readonly timeoutMs: number;
}

interface RollbackEnd {
  readonly rollback: NonNullable<DeploymentReport["rollback"]>;
  readonly message: string;
  readonly next: readonly string[];
}

/** Redeploys the revision that was active before, and waits for it; never over somebody else's newer revision. Every end is a value, a cancel too. */
export async function redeployPrevious(
  context: DeployContext,
  request: RollbackRequest,
): Promise<RollbackEnd> {
  const progress: { revisionId: string | null } = { revisionId: null };
  try {
    return await goBack(context, request, progress);
  } catch (error) {
    const { revisionId } = progress;
    if (!context.signal.aborted) return ended("failed", revisionId, (error as Error).message);
    const message =
      revisionId === null
        ? "cancelled before it was sent"
        : `cancelled: revision ${revisionId} still building`;
    return {
      ...ended("cancelled", revisionId, message),
      next: revisionId === null ? [] : [reattachLine(request.deploymentId, revisionId)],
    };
  }
}

function ended(outcome: Outcome, revisionId: string | null, message: string): RollbackEnd {
  return {
    rollback: { revision_id: revisionId, outcome },
    message: `Rollback: ${message}`,
    next:
      outcome === "deployed"
        ? ["Fix the cause, then deploy again", NOT_RESTORED]
        : ["Check which revision is serving before you deploy again"],
  };
}

async function goBack(
  context: DeployContext,
  request: RollbackRequest,
  progress: { revisionId: string | null },
): Promise<RollbackEnd> {
  const { name, deploymentId, failedRevisionId, previousRevisionId } = request;
  const deadlineMs = context.clock.monotonic() + request.timeoutMs;
  const controlPlane =
    context.controlPlane.within?.({ deadlineMs, signal: context.signal }) ?? context.controlPlane;
  if (previousRevisionId === null)
    return ended(
      "blocked",
      null,
      "nothing was active before this run, so there is nothing to go back to",
    );
  if (previousRevisionId === failedRevisionId)
    return ended(
      "blocked",
      null,
      `revision ${failedRevisionId}, which failed, is the one that was active before`,
    );
  const live = await controlPlane.getDeployment(deploymentId);
  if (live === null)
    return ended("failed", null, `deployment ${deploymentId} is not found any more`);
  const latest = live.latest_revision_id;
  if (
    latest !== null &&
    latest !== failedRevisionId &&
    latest !== previousRevisionId &&
    failedRevisionId !== null
  ) {
    return ended(
      "superseded",
      null,
      `not done: revision ${latest}, which is not of this run, is newer`,
    );
  }
  context.progress(`${name}: going back to revision ${previousRevisionId}`);
  const before = await controlPlane.getRevision(deploymentId, previousRevisionId);
  const sent = await writeRedeploy(context, name, live, before, previousRevisionId, deadlineMs);
  if (sent.state === "undecided")
    return {
      ...ended(context.signal.aborted ? "cancelled" : "failed", null, sent.message),
      next: [sent.next],
    };
  if (sent.state !== "taken") return ended("failed", null, sent.error.message);
  const redeployed = toRedeployed(live, sent.deployment, before, previousRevisionId);
  progress.revisionId = redeployed.revisionId;
  const end = await waitForRevision(
    {
      name: `${name} (rollback)`,
      deploymentId,
      ...redeployed,
      previousActiveId: live.active_revision_id,
      timeoutMs: request.timeoutMs,
      pollIntervalMs: context.policy.pollIntervalMs,
    },
    {
      controlPlane: context.controlPlane,
      clock: context.clock,
      signal: context.signal,
      progress: context.progress,
      onStatus: () => {},
      onRevision: (id) => {
        progress.revisionId = id;
      },
    },
  );
  if (end.state === "deployed")
    return ended(
      "deployed",
      end.revisionId,
      end.revisionId === previousRevisionId
        ? `revision ${previousRevisionId}, which was active before, is active again`
        : `revision ${previousRevisionId}, which was active before, was redeployed as revision ${end.revisionId}`,
    );
  const told = ended(end.state, end.revisionId, end.message);
  return end.state === "timed-out"
    ? { ...told, next: [reattachLine(deploymentId, end.revisionId)] }
    : told;
}
