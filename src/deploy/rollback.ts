import type { Dialect } from "../model/dialect.ts";
import type { LiveDeployment, LiveRevision } from "../model/live.ts";
import { isDeployed } from "../model/revision-status.ts";
import type { Change } from "../plan/plan.ts";
import type { Outcome } from "../report/outcome.ts";
import type { DeploymentReport } from "../report/report.ts";
import { ONCE_GONE } from "../report/wording.ts";
import type { ControlPlane } from "../service/control-plane.ts";
import { timeoutOf, type DeployContext } from "./context.ts";
import { boundedBy, type DeploymentEnd, type DocumentRun } from "./document-run.ts";
import { isDeleting } from "./identity.ts";
import { findActiveBefore, servedAtEnd, versionOf } from "./serving.ts";
import { findBuiltOtherwise } from "./unbuilt.ts";
import { nextAfterTimeout, reattachLine, waitForRevision } from "./wait.ts";
import type { WaitEnd } from "./wait-request.ts";
import { toRedeployed, writeRedeploy } from "./write.ts";

/** What a redeploy leaves as it is: everything but source_revision_config belongs to the deployment. */
export const NOT_RESTORED =
  "a redeploy leaves secrets, resource_spec, custom_url, build_on_push, install_command and build_command as they are";

/** Of the fields that a run changed, those that a redeploy does not restore, by the names in a spec. */
function notRestored(changes: readonly Change[]): readonly string[] {
  const names = changes
    .map(({ path }) => path.replace(/^source_config\./, ""))
    .filter((path) => path !== "revision" && path !== "source")
    .filter((path) => !path.startsWith("source_revision_config."))
    .map((path) => path.split(".")[0]!);
  return [...new Set(names)];
}

/** Adds a roll back to a red end where `on-failure: rollback` asks for it; the end stays red. */
export async function rollBack(
  { context, desired, tracker }: DocumentRun,
  end: DeploymentEnd,
): Promise<DeploymentEnd> {
  const wanted = context.policy.onFailure ?? desired.deploy.on_failure ?? "none";
  if (wanted !== "rollback" || tracker.id === null) return end;
  const done = await redeployPrevious(context, {
    name: desired.name,
    deploymentId: tracker.id,
    failedRevisionId: tracker.revisionId,
    previousRevisionId: tracker.previousRevisionId,
    timeoutMs: timeoutOf(context, desired.deploy),
    changes: tracker.plan?.changes ?? [],
    // What failed after it was DEPLOYED was active.
    failedWasActive: isDeployed(tracker.revisionStatus),
    dialect: desired.dialect,
  });
  // A run that only attached has written by now.
  tracker.changed ||= done.sent;
  tracker.rollback = done.rollback;
  tracker.previousRevisionId = done.previousRevisionId;
  tracker.serving = done.serving;
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
  /** Whether the failed revision was active: then another one that is active by now is somebody else's. */
  readonly failedWasActive?: boolean;
  /** What this run changed. */
  readonly changes: readonly Change[];
  /** How the spec spells fields; absent: as the service does. */
  readonly dialect?: Dialect;
}

interface RollbackEnd {
  /** What the rollback went to, or would have. */
  readonly previousRevisionId: string | null;
  readonly rollback: NonNullable<DeploymentReport["rollback"]>;
  /** Whether a redeploy was sent, or may have been. */
  readonly sent: boolean;
  readonly message: string;
  readonly next: readonly string[];
  /** What is active, where the time was up and it was read before. */
  readonly serving?: DeploymentReport["serving"];
}

/**
 * Redeploys the revision that was active before, and waits for it; never over somebody else's newer
 * revision. Every end is a value, a cancel too.
 */
export async function redeployPrevious(
  context: DeployContext,
  request: RollbackRequest,
): Promise<RollbackEnd> {
  const progress: Progress = {
    revisionId: null,
    sent: false,
    previousRevisionId: request.previousRevisionId,
  };
  const end = await goBack(context, request, progress).catch((error: Error) =>
    toBroken(context, request, progress, error),
  );
  const stay = notRestored(request.changes);
  const next =
    end.sent && stay.length > 0
      ? [
          ...end.next,
          `Still as this run changed them: ${stay.join(", ")}. Revert them in the spec and deploy to restore them`,
        ]
      : end.next;
  return { ...end, next, previousRevisionId: progress.previousRevisionId };
}

type Ended = Omit<RollbackEnd, "previousRevisionId">;

function toBroken(
  { signal }: DeployContext,
  request: RollbackRequest,
  { revisionId, sent }: Progress,
  error: Error,
): Ended {
  if (!signal.aborted) return { ...ended("failed", revisionId, error.message), sent };
  const message =
    revisionId === null
      ? "cancelled before it was sent"
      : `cancelled: revision ${revisionId} still building`;
  return {
    ...ended("cancelled", revisionId, message),
    sent,
    next: revisionId === null ? [] : [reattachLine(request.deploymentId, revisionId)],
  };
}

interface Progress {
  revisionId: string | null;
  previousRevisionId: string | null;
  sent: boolean;
}

function ended(outcome: Outcome, revisionId: string | null, message: string): Ended {
  return {
    rollback: { revision_id: revisionId, outcome },
    sent: false,
    message: `Rollback: ${message}`,
    next:
      outcome === "deployed"
        ? ["Fix the cause, then deploy again", NOT_RESTORED]
        : ["Check which revision is serving before you deploy again"],
  };
}

/** Why there is nothing to go back to; null where there is. */
function refuseByRequest({ failedRevisionId, previousRevisionId }: RollbackRequest): Ended | null {
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
  return null;
}

/** Why what is live by now is not this run's to replace; null where it is. `previousRevisionId` is what the run remembers. */
function refuseByLive(
  { failedRevisionId, previousRevisionId, failedWasActive }: RollbackRequest,
  live: LiveDeployment,
): Ended | null {
  if (isDeleting(live))
    return {
      ...ended("blocked", null, `not done: deployment ${live.id} is being deleted`),
      next: [ONCE_GONE],
    };
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
  const active = live.active_revision_id;
  if (
    failedWasActive !== true &&
    active !== null &&
    active !== failedRevisionId &&
    active !== previousRevisionId
  )
    return ended(
      "superseded",
      null,
      `not done: revision ${active}, which is not of this run, became active while this run was under way, and stays`,
    );
  if (failedWasActive === true && active !== failedRevisionId) {
    return ended(
      "superseded",
      null,
      active === previousRevisionId
        ? `not done: revision ${active} is active again already`
        : `not done: ${active === null ? "no revision" : `revision ${active}`} is active by now, not revision ${failedRevisionId}`,
    );
  }
  return null;
}

/** What was active before the failed revision came to serve; refuseByRequest has seen that there is one. */
async function findTarget(
  controlPlane: ControlPlane,
  { deploymentId, failedRevisionId, previousRevisionId, failedWasActive }: RollbackRequest,
): Promise<string> {
  const remembered = previousRevisionId!;
  if (failedWasActive !== true || failedRevisionId === null) return remembered;
  return findActiveBefore(controlPlane, deploymentId, failedRevisionId, remembered);
}

async function goBack(
  context: DeployContext,
  request: RollbackRequest,
  progress: Progress,
): Promise<Ended> {
  const { name, deploymentId } = request;
  const deadlineMs = context.clock.monotonic() + request.timeoutMs;
  const controlPlane = boundedBy(context, deadlineMs);
  const refused = refuseByRequest(request);
  if (refused !== null) return refused;
  const live = await controlPlane.getDeployment(deploymentId);
  if (live === null)
    return ended("failed", null, `deployment ${deploymentId} is not found any more`);
  const overtaken = refuseByLive(request, live);
  if (overtaken !== null) return overtaken;
  const previousRevisionId = await findTarget(controlPlane, request);
  progress.previousRevisionId = previousRevisionId;
  context.progress(`${name}: going back to revision ${previousRevisionId}`);
  const before = await controlPlane.getRevision(deploymentId, previousRevisionId);
  const sent = await writeRedeploy(context, name, live, before, previousRevisionId, deadlineMs);
  if (sent.state === "outcome-unknown")
    return {
      ...ended(context.signal.aborted ? "cancelled" : "failed", null, sent.message),
      sent: true,
      next: [sent.next],
    };
  if (sent.state !== "taken") return ended("failed", null, sent.error.message);
  const redeployed = toRedeployed(live, sent.deployment, before, previousRevisionId);
  progress.sent = true;
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
      ...(context.live === undefined ? {} : { live: context.live }),
      timeline: [],
      onStatus: () => {},
      onRevision: (id) => {
        progress.revisionId = id;
      },
    },
  );
  const { dialect = live.dialect } = request;
  const waited = toWaited({ ...request, previousRevisionId, dialect }, before, end);
  const version = versionOf(before?.source_revision_config);
  return end.state === "timed-out"
    ? {
        ...waited,
        serving: servedAtEnd(end.deployment, { revision_id: previousRevisionId, version }),
      }
    : waited;
}

function toWaited(
  {
    deploymentId,
    previousRevisionId,
    dialect,
  }: Pick<RollbackRequest, "deploymentId" | "previousRevisionId"> & { readonly dialect: Dialect },
  before: LiveRevision | null,
  end: WaitEnd,
): Ended {
  const told = (outcome: Outcome, message: string): Ended => ({
    ...ended(outcome, end.revisionId, message),
    sent: true,
  });
  if (end.state === "timed-out")
    return {
      ...told("timed-out", end.message),
      next: nextAfterTimeout(deploymentId, end),
    };
  if (end.state !== "deployed") return told(end.state, end.message);
  const fields =
    end.revision === null || before === null
      ? []
      : findBuiltOtherwise(end.revision, before, dialect);
  if (fields.length > 0)
    return told(
      "superseded",
      `revision ${end.revisionId} is active, but it was not built from what revision ${previousRevisionId} was (${fields.join(", ")}): another run's update came in between`,
    );
  return told(
    "deployed",
    end.revisionId === previousRevisionId
      ? `revision ${previousRevisionId}, which was active before, is active again`
      : `revision ${previousRevisionId}, which was active before, was redeployed as revision ${end.revisionId}`,
  );
}

/** Whether a signal ended a roll back before it was done. */
export function isRollbackCancelled(deployments: readonly DeploymentReport[]): boolean {
  return deployments.some((one) => one.rollback?.outcome === "cancelled");
}
