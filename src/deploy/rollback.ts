import type { Dialect } from "../model/dialect.ts";
import type { LiveDeployment } from "../model/live.ts";
import { isDeployed } from "../model/revision-status.ts";
import type { Change } from "../plan/plan.ts";
import type { Outcome } from "../report/outcome.ts";
import type { DeploymentReport } from "../report/report.ts";
import { ONCE_GONE } from "../report/wording.ts";
import type { DeployContext } from "./context.ts";
import { serviceOf, startRun, type DocumentRun, type DeploymentRun } from "./document-run.ts";
import { isDeleting } from "./identity.ts";
import { redeployAndWait } from "./redeployment.ts";
import { findActiveBefore } from "./serving.ts";
import { createTracker, type DeploymentEnd, type WaitEnd } from "./tracker.ts";
import { nextAfterTimeout, reattachLine, reportOf } from "./wait.ts";

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
  const done = await redeployPrevious(context, {
    ...tracker,
    id: tracker.id,
    changes: tracker.plan?.changes ?? [],
    timeoutMs,
    // A revision that failed after it was DEPLOYED was active.
    wasActive: isDeployed(tracker.revision_status),
    dialect: desired.dialect,
  });
  // A run that only attached has now written something.
  tracker.changed ||= done.changed;
  tracker.serving = done.serving;
  tracker.previous_revision_id = done.previous_revision_id;
  tracker.rollback = { revision_id: done.revision_id, outcome: done.outcome };
  // What to do depends on how the rollback ended: earlier advice assumed that the failed revision is the latest.
  const both = { message: `${end.message}. ${done.message}`, next: done.next };
  return done.outcome === "cancelled"
    ? { outcome: "cancelled", reason: "signal", ...both }
    : { ...end, ...both };
}

/** What a rollback adds to the report of the deployment that it was made for. */
export function toRolledBack({
  previous_revision_id,
  revision_id,
  outcome,
  serving,
}: DeploymentReport): Partial<DeploymentReport> {
  return {
    previous_revision_id,
    rollback: { revision_id, outcome },
    ...(serving === undefined ? {} : { serving }),
  };
}

/** The deployment, the revision that failed, the one that was active before the run, and what the run changed. */
interface Failed
  extends Pick<DeploymentReport, "name" | "revision_id" | "previous_revision_id" | "changes"> {
  readonly id: string;
  /** Counted from the start of the rollback. */
  readonly timeoutMs: number;
  /** Whether the failed revision was active: if another one is active now, it is somebody else's. */
  readonly wasActive: boolean;
  /** How the spec spells fields; absent: as the service does. */
  readonly dialect?: Dialect;
}

/**
 * Redeploys the previously active revision and waits for it, but never over somebody else's newer
 * revision. The report is that of the redeploy: every end is a value, a cancel included.
 */
export async function redeployPrevious(
  context: DeployContext,
  failed: Failed,
): Promise<DeploymentReport> {
  const tracker = createTracker(`${failed.name} (rollback)`);
  tracker.id = failed.id;
  tracker.previous_revision_id = failed.previous_revision_id;
  const run = startRun(context, tracker, failed.timeoutMs);
  const done = await reportOf(run, () => goBack(run, failed), {
    cancelled: (cancelledRun) => cancelled(cancelledRun, failed),
    next: () => FIX,
  });
  const restore = done.changed ? toRestore(failed.changes) : [];
  return { ...done, message: `Rollback: ${done.message}`, next: [...done.next, ...restore] };
}

/** What to do about changes that no redeploy takes back. */
export function toRestore(changes: readonly Change[]): readonly string[] {
  const stay = notRestored(changes).join(", ");
  return stay === ""
    ? []
    : [
        `Still as this run changed them: ${stay}. Revert them in the spec and deploy to restore them`,
      ];
}

const FIX = ["Fix the cause, then deploy again"];

const ended = (outcome: Outcome, message: string): DeploymentEnd => ({
  outcome,
  message,
  next: FIX,
});

function cancelled(
  { context, tracker: { id, revision_id: revisionId } }: DeploymentRun,
  { name, wasActive, revision_id: failedId, previous_revision_id: previousId }: Failed,
): DeploymentEnd {
  if (revisionId !== null)
    return {
      outcome: "cancelled",
      message: `cancelled: revision ${revisionId} still building`,
      next: [reattachLine(context, id!, revisionId)],
    };
  const message = "cancelled before it was sent";
  if (!wasActive || previousId === null) return { outcome: "cancelled", message };
  // A new run finds the failed revision live, and rolls nothing back.
  return {
    outcome: "cancelled",
    message: `${message}: revision ${failedId}, which failed, is still live`,
    next: [`agent-deploy rollback ${name} --to ${previousId}${context.policy.placeFlags ?? ""}`],
  };
}

/**
 * Why this run must not replace what is live now; null if it may. The previous revision is the one
 * that the run remembers.
 */
function refuseByLive(
  { revision_id: failedId, previous_revision_id: previousId, wasActive }: Failed,
  live: LiveDeployment,
): DeploymentEnd | null {
  if (isDeleting(live))
    return {
      ...ended("blocked", `not done: deployment ${live.id} is being deleted`),
      next: [ONCE_GONE],
    };
  const overtaken = (why: string): DeploymentEnd => ended("superseded", `not done: ${why}`);
  const { latest_revision_id: latest, active_revision_id: active } = live;
  const isForeign = (id: string | null): id is string =>
    id !== null && id !== failedId && id !== previousId;
  if (isForeign(latest) && failedId !== null) return overtaken(`revision ${latest} is newer`);
  if (!wasActive)
    return isForeign(active)
      ? overtaken(
          `revision ${active}, which is not of this run, became active while this run was under way, and stays`,
        )
      : null;
  if (active === failedId) return null;
  const serving = active === null ? "no revision" : `revision ${active}`;
  return overtaken(
    active === previousId
      ? `${serving}, the previous one, is active already`
      : `${serving} is active by now, not revision ${failedId}`,
  );
}

async function goBack(run: DeploymentRun, failed: Failed): Promise<DeploymentEnd> {
  const { name, id, revision_id: failedId, previous_revision_id: remembered } = failed;
  if (remembered === null)
    return ended(
      "blocked",
      "nothing was active before this run, so there is nothing to go back to",
    );
  if (remembered === failedId)
    return ended(
      "blocked",
      `revision ${failedId}, which failed, is the one that was active before`,
    );
  const live = await serviceOf(run).getDeployment(id);
  if (live === null) return ended("failed", `deployment ${id} is not found any more`);
  const overtaken = refuseByLive(failed, live);
  if (overtaken !== null) return overtaken;
  const previousId =
    failed.wasActive && failedId !== null
      ? await findActiveBefore(serviceOf(run), id, failedId, remembered)
      : remembered;
  run.tracker.previous_revision_id = previousId;
  run.context.progress(`${name}: rolling back to revision ${previousId}`);
  const end = await redeployAndWait(run, live, previousId, { dialect: failed.dialect });
  return "revision" in end ? toEnd(run, previousId, end) : { ...end, next: end.next ?? FIX };
}

function toEnd(run: DeploymentRun, previousId: string, end: WaitEnd): DeploymentEnd {
  if (end.outcome === "timed-out") return { ...end, next: nextAfterTimeout(run, end) };
  if (end.outcome !== "deployed") return { ...end, next: FIX };
  const message =
    end.revisionId === previousId
      ? `revision ${previousId}, which was active before, is active again`
      : `revision ${previousId}, which was active before, was redeployed as revision ${end.revisionId}`;
  return { ...end, message, next: [...FIX, NOT_RESTORED] };
}

/** Whether a signal ended a rollback before it was done. */
export function isRollbackCancelled(deployments: readonly DeploymentReport[]): boolean {
  return deployments.some((one) => one.rollback?.outcome === "cancelled");
}
