import { spellInput } from "../model/entry-point.ts";
import { isDeployed } from "../model/revision-status.ts";
import type { DeploymentReport } from "../report/report.ts";
import { diagnose } from "./diagnosis.ts";
import type { DeployContext } from "./context.ts";
import type { DeploymentRun } from "./document-run.ts";
import { lookUntil } from "./look.ts";
import { servedAtEnd, servedBefore } from "./serving.ts";
import {
  cancelled,
  toDeploymentReport,
  track,
  type DeploymentEnd,
  type Tracker,
  type WaitEnd,
} from "./tracker.ts";
import type { OwnRevision } from "./own-revision.ts";
import { createWatch } from "./watch.ts";

/** Watches one revision until it ends, and keeps the tracker up to date. Rejects only if the run's signal aborts. */
export async function waitForRevision(run: DeploymentRun, own: OwnRevision): Promise<WaitEnd> {
  const { context, tracker } = run;
  const watch = createWatch(run, own);
  context.live?.status?.(tracker.name, "");
  try {
    const { seen } = await lookUntil(context, watch);
    const end = seen ?? (await watch.overdue());
    trackEnd(tracker, end);
    return end;
  } finally {
    context.live?.status?.(tracker.name, null);
  }
}

function trackEnd(tracker: Tracker, end: WaitEnd): void {
  tracker.revision_id = end.revisionId ?? tracker.revision_id;
  tracker.revision_status = end.status ?? tracker.revision_status;
  tracker.untilMs = end.untilMs;
  if (end.deployment !== null) track(tracker, end.deployment);
  tracker.cause = end.outcome === "failed" ? (end.revision?.status_message ?? "") : "";
  if (end.outcome === "timed-out") tracker.serving = servedAtEnd(end.deployment, tracker.before);
}

/** The end of a run whose revision did not become DEPLOYED and active, with what to do next. */
export async function endOfWait(run: DeploymentRun, end: WaitEnd): Promise<DeploymentEnd> {
  if (end.outcome === "timed-out") return { ...end, next: nextAfterTimeout(run, end) };
  return { ...end, next: end.next ?? (await diagnose(run, end.untilMs)) };
}

/**
 * What to do after a timeout. A redeploy under the revision's own id is recognised only by its
 * former time, which a later run does not know.
 */
export function nextAfterTimeout(
  { context, tracker: { id, plan } }: DeploymentRun,
  { revisionId, unmoved }: WaitEnd,
): readonly string[] {
  if (id === null) return [];
  const line = reattachLine(context, id, revisionId);
  if (revisionId === null && plan !== null)
    return [
      `Run again with ${spellInput(context.policy.entryPoint, "force", true)} to build it anyway`,
      line,
      "That wait takes the latest revision: the one from before, as long as the service has begun no other",
    ];
  if (unmoved === undefined) return [line];
  const when = unmoved.updated_at === "" ? "" : ` later than ${unmoved.updated_at}`;
  return [
    line,
    `That wait may end at once: the revision still shows ${unmoved.status} from before the redeploy. The redeploy has begun only if the service shows another status or an updated_at${when}. If it does not, redeploy again`,
  ];
}

/** The command that waits for the same revision again, where the run found it. */
export function reattachLine(
  { policy: { placeFlags = "" } }: Pick<DeployContext, "policy">,
  deploymentId: string,
  revisionId: string | null,
): string {
  const revision = revisionId === null ? "" : ` --revision-id ${revisionId}`;
  return `agent-deploy wait --deployment-id ${deploymentId}${revision}${placeFlags}`;
}

const VERIFY_ONLY_TEXT = {
  unchanged: "nothing was changed",
  updated: "the update in place was made before",
} as const;

/** Reports the work on one deployment; a cancel and a service error are ends like others. */
export async function reportOf(
  run: DeploymentRun,
  work: () => Promise<DeploymentEnd>,
  {
    cancelled: onCancel = cancelledEnd,
    next,
  }: {
    readonly cancelled?: (run: DeploymentRun) => DeploymentEnd;
    readonly next?: (run: DeploymentRun) => readonly string[];
  } = {},
): Promise<DeploymentReport> {
  const { context, tracker } = run;
  const end = await work().catch(
    (error: Error): DeploymentEnd =>
      context.signal.aborted
        ? onCancel(run)
        : {
            outcome: "failed",
            reason: "service",
            message: error.message,
            error,
            next: next?.(run) ?? [],
          },
  );
  return toDeploymentReport(tracker, end);
}

function cancelledEnd({ context, tracker }: DeploymentRun): DeploymentEnd {
  const { id, revision_id: revisionId } = tracker;
  if (tracker.standing !== null)
    return cancelled(
      `cancelled before verify had ended: ${VERIFY_ONLY_TEXT[tracker.standing]}`,
      "Run again: it verifies what is live",
    );
  const underWay = id !== null && (revisionId !== null || tracker.changed);
  if (!underWay) return cancelled("cancelled before anything was started");
  const wait = reattachLine(context, id, revisionId);
  if (isDeployed(tracker.revision_status)) {
    const message = `cancelled after revision ${revisionId} was DEPLOYED, before the run had ended`;
    // After an apply, a wait would be green without the verify that was cut short.
    return cancelled(
      message,
      tracker.plan === null ? wait : "Run again: it checks and verifies what is live",
    );
  }
  tracker.serving = servedBefore(tracker.before);
  const what =
    revisionId === null
      ? `the new revision of deployment ${id}, not named yet,`
      : `revision ${revisionId}`;
  return cancelled(`cancelled: ${what} still building`, wait);
}
