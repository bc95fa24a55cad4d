import type { Dialect } from "../model/dialect.ts";
import type { LiveDeployment } from "../model/live.ts";
import { isDeployed } from "../model/revision-status.ts";
import type { Change } from "../plan/plan.ts";
import type { Outcome } from "../report/outcome.ts";
import type { DeploymentReport } from "../report/report.ts";
import { ONCE_GONE } from "../report/wording.ts";
import { boundedBy, type DeployContext } from "./context.ts";
import type { DocumentRun } from "./document-run.ts";
import { isDeleting } from "./identity.ts";
import { sendRedeploy, waitForRedeployed } from "./redeployment.ts";
import { findActiveBefore } from "./serving.ts";
import { createTracker, type DeploymentEnd, type Tracker } from "./tracker.ts";
import { nextAfterTimeout, reattachLine } from "./wait.ts";
import type { WaitEnd } from "./wait-request.ts";
import { endOfWrite } from "./write.ts";

/** What a redeploy leaves unchanged: everything outside source_revision_config belongs to the deployment. */
export const NOT_RESTORED =
  "a redeploy leaves secrets, resource_spec, custom_url, build_on_push, install_command and build_command as they are";

/** Names, as in a spec, of the changed fields that a redeploy does not restore. */
function notRestored(changes: readonly Change[]): readonly string[] {
  const names = changes
    .map(({ path }) => path.replace(/^source_config\./, ""))
    .filter((path) => path !== "revision" && path !== "source")
    .filter((path) => !path.startsWith("source_revision_config."))
    .map((path) => path.split(".")[0]!);
  return [...new Set(names)];
}

/** Rolls back after a red end if `on-failure: rollback` asks for it; the end stays red. */
export async function rollBack(
  { context, desired, tracker, timeoutMs }: DocumentRun,
  end: DeploymentEnd,
): Promise<DeploymentEnd> {
  const wanted = context.policy.onFailure ?? desired.deploy.on_failure ?? "none";
  if (wanted !== "rollback" || tracker.id === null) return end;
  const failed = { ...tracker, id: tracker.id, changes: tracker.plan?.changes ?? [] };
  const done = await redeployPrevious(context, failed, {
    timeoutMs,
    // A revision that failed after it was DEPLOYED was active.
    failedWasActive: isDeployed(tracker.revision_status),
    dialect: desired.dialect,
  });
  // A run that only attached has now written something.
  tracker.changed ||= done.sent;
  tracker.previous_revision_id = done.known.previous_revision_id;
  tracker.rollback = done.known.rollback;
  tracker.serving = done.known.serving;
  // What to do depends on how the rollback ended: earlier advice assumed that the failed revision is the latest.
  const both = { message: `${end.message}. ${done.message}`, next: done.next };
  return done.known.rollback.outcome === "cancelled"
    ? { outcome: "cancelled", reason: "signal", ...both }
    : { ...end, ...both };
}

/** The deployment, the revision that failed and the one that was active before the run, and what the run changed. */
type Failed = Pick<
  DeploymentReport,
  "name" | "revision_id" | "previous_revision_id" | "changes"
> & { readonly id: string };

/** How to roll back. */
interface RollbackOptions {
  /** Counted from the start of the rollback. */
  readonly timeoutMs: number;
  /** Whether the failed revision was active: if another one is active now, it is somebody else's. */
  readonly failedWasActive: boolean;
  /** How the spec spells fields; absent: as the service does. */
  readonly dialect?: Dialect;
}

interface RollbackEnd {
  /** For the report: the revision to go back to, how that ended, and what a wait that timed out last saw active. */
  readonly known: Pick<DeploymentReport, "previous_revision_id" | "serving"> &
    Required<Pick<DeploymentReport, "rollback">>;
  /** Whether a redeploy was sent, or may have been. */
  readonly sent: boolean;
  readonly message: string;
  readonly next: readonly string[];
}

/**
 * Redeploys the previously active revision and waits for it, but never over somebody else's newer
 * revision. Every end is a value, a cancel included.
 */
export async function redeployPrevious(
  context: DeployContext,
  failed: Failed,
  options: RollbackOptions,
): Promise<RollbackEnd> {
  const tracker = createTracker(failed.name);
  tracker.id = failed.id;
  tracker.previous_revision_id = failed.previous_revision_id;
  const { outcome, message, next } = await goBack(context, failed, options, tracker).catch(
    (error: Error) => toBroken(context, tracker, error),
  );
  const { changed: sent, revision_id, previous_revision_id, serving } = tracker;
  const stay = sent ? notRestored(failed.changes) : [];
  return {
    known: {
      previous_revision_id,
      rollback: { revision_id, outcome },
      ...(serving === undefined ? {} : { serving }),
    },
    sent,
    message: `Rollback: ${message}`,
    next:
      stay.length === 0
        ? next
        : [
            ...next,
            `Still as this run changed them: ${stay.join(", ")}. Revert them in the spec and deploy to restore them`,
          ],
  };
}

type Ended = DeploymentEnd & { readonly next: readonly string[] };

function ended(outcome: Outcome, message: string): Ended {
  const stays = outcome === "deployed" ? [NOT_RESTORED] : [];
  return { outcome, message, next: ["Fix the cause, then deploy again", ...stays] };
}

function toBroken({ signal }: DeployContext, tracker: Tracker, error: Error): Ended {
  const { id, revision_id: revisionId } = tracker;
  if (!signal.aborted) return ended("failed", error.message);
  return revisionId === null
    ? { ...ended("cancelled", "cancelled before it was sent"), next: [] }
    : {
        ...ended("cancelled", `cancelled: revision ${revisionId} still building`),
        next: [reattachLine(id!, revisionId)],
      };
}

/** Why, according to the run, there is nothing to go back to; null if there is. */
function refuseByRequest(failed: Failed): Ended | null {
  const { revision_id: failedRevisionId, previous_revision_id: previousRevisionId } = failed;
  if (previousRevisionId !== null && previousRevisionId !== failedRevisionId) return null;
  return ended(
    "blocked",
    previousRevisionId === null
      ? "nothing was active before this run, so there is nothing to go back to"
      : `revision ${failedRevisionId}, which failed, is the one that was active before`,
  );
}

/**
 * Why this run must not replace what is live now; null if it may. `previousRevisionId` is the one
 * that the run remembers.
 */
function refuseByLive(
  { revision_id: failedRevisionId, previous_revision_id: previousRevisionId }: Failed,
  failedWasActive: boolean,
  live: LiveDeployment,
): Ended | null {
  if (isDeleting(live))
    return {
      ...ended("blocked", `not done: deployment ${live.id} is being deleted`),
      next: [ONCE_GONE],
    };
  const overtaken = (why: string): Ended => ended("superseded", `not done: ${why}`);
  const { latest_revision_id: latest, active_revision_id: active } = live;
  const isForeign = (id: string | null): id is string =>
    id !== null && id !== failedRevisionId && id !== previousRevisionId;
  if (isForeign(latest) && failedRevisionId !== null)
    return overtaken(`revision ${latest}, which is not of this run, is newer`);
  if (!failedWasActive)
    return isForeign(active)
      ? overtaken(
          `revision ${active}, which is not of this run, became active while this run was under way, and stays`,
        )
      : null;
  if (active === failedRevisionId) return null;
  const serving = active === null ? "no revision" : `revision ${active}`;
  return overtaken(
    active === previousRevisionId
      ? `${serving} is active again already`
      : `${serving} is active by now, not revision ${failedRevisionId}`,
  );
}

async function goBack(
  context: DeployContext,
  failed: Failed,
  { timeoutMs, failedWasActive, dialect }: RollbackOptions,
  tracker: Tracker,
): Promise<Ended> {
  const { name, id: deploymentId, revision_id: failedRevisionId } = failed;
  const deadlineMs = context.clock.monotonic() + timeoutMs;
  const controlPlane = boundedBy(context, deadlineMs);
  const refused = refuseByRequest(failed);
  if (refused !== null) return refused;
  const live = await controlPlane.getDeployment(deploymentId);
  if (live === null) return ended("failed", `deployment ${deploymentId} is not found any more`);
  const overtaken = refuseByLive(failed, failedWasActive, live);
  if (overtaken !== null) return overtaken;
  // refuseByRequest has checked that there is one.
  const remembered = failed.previous_revision_id!;
  const revisionId =
    failedWasActive && failedRevisionId !== null
      ? await findActiveBefore(controlPlane, deploymentId, failedRevisionId, remembered)
      : remembered;
  tracker.previous_revision_id = revisionId;
  context.progress(`${name}: rolling back to revision ${revisionId}`);
  const redeploying = { name: `${name} (rollback)`, live, revisionId, deadlineMs };
  const sent = await sendRedeploy(context, tracker, redeploying);
  if (sent.state !== "sent") {
    const { outcome, message, next } = endOfWrite(sent);
    return next === undefined ? ended("failed", message) : { outcome, message, next };
  }
  const how = { timeoutMs, dialect: dialect ?? live.dialect };
  const end = await waitForRedeployed(context, tracker, redeploying, sent, how);
  return toRolledBack(context, tracker, revisionId, end);
}

function toRolledBack(
  context: DeployContext,
  tracker: Tracker,
  previousId: string,
  end: WaitEnd,
): Ended {
  if (end.state === "timed-out")
    return { ...ended("timed-out", end.message), next: nextAfterTimeout(context, tracker, end) };
  if (end.state !== "deployed") return ended(end.state, end.message);
  return ended(
    "deployed",
    end.revisionId === previousId
      ? `revision ${previousId}, which was active before, is active again`
      : `revision ${previousId}, which was active before, was redeployed as revision ${end.revisionId}`,
  );
}

/** Whether a signal ended a rollback before it was done. */
export function isRollbackCancelled(deployments: readonly DeploymentReport[]): boolean {
  return deployments.some((one) => one.rollback?.outcome === "cancelled");
}
