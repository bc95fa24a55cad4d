import { spellInput } from "../model/entry-point.ts";
import { timeoutOf } from "../deploy/context.ts";
import { isRollbackCancelled, redeployPrevious, toRolledBack } from "../deploy/rollback.ts";
import { withServing } from "../deploy/serving.ts";
import { createTracker, toDeploymentReport, track } from "../deploy/tracker.ts";
import type { LiveDeployment } from "../model/live.ts";
import { endOf } from "../model/revision-status.ts";
import { isUploadRed } from "../report/judgement.ts";
import { worstOutcome, type Outcome } from "../report/outcome.ts";
import {
  blankDeployment,
  type DeploymentReport,
  type ExperimentReport,
  type JudgedReport,
} from "../report/report.ts";
import { toDeployContext } from "../ci/deploy-context.ts";
import { endWith, showProblems } from "../ci/report-assembly.ts";
import type { Connection } from "../ci/service-connection.ts";
import { maskLive } from "../ci/live-secrets.ts";
import { isUsageError, refuseUntrusted, UsageError, type Session } from "../ci/session.ts";
import { whyNoKey } from "../ci/skip.ts";
import { isGateRed, type Judged, toParts } from "../evaluation/gate-judgement.ts";
import { refuseOptions } from "../evaluation/result-files.ts";
import { writeBaseline } from "../evaluation/write-baseline.ts";
import type { GateSet } from "../gate/gate-set.ts";

/** An empty output means that nothing was active before; an output that was not passed on looks the same. */
const PASS_IT =
  "If something was active before: pass previous-revision-id, an output of the step that deployed";

/** Whether a failed gate of this step rolls back a deployment that an earlier step deployed; never in a dry run. */
function wantsLaterRollback({ options }: Session): boolean {
  return options.onFailure === "rollback" && options.deploymentId !== undefined && !options.dryRun;
}

/**
 * Checks before anything is sent that a rollback would be safe, so that this is no surprise on the
 * day it is needed.
 */
export function checkLaterRollback(session: Session): void {
  const { options, entryPoint, host } = session;
  // No error: a step before it that only planned a new deployment has no id.
  if (options.onFailure === "rollback" && options.deploymentId === undefined)
    host.notify(
      "warning",
      `${spellInput(entryPoint, "on-failure", "rollback")} does nothing without ${spellInput(entryPoint, "deployment-id")}: pass the output of the step that deployed`,
    );
  if (wantsLaterRollback(session) && options.revisionId === undefined)
    throw new UsageError(
      `${spellInput(entryPoint, "on-failure", "rollback")} in a later step needs ${spellInput(entryPoint, "revision-id")}: the output of the step that deployed. Without it, a newer revision of somebody else's could be taken back`,
    );
}

/** A step that judges what it may have to roll back. */
interface JudgingStep {
  readonly gates: GateSet | null;
  readonly judge: () => Promise<Judged>;
  /** Prints more about what was judged; its usage errors are no failed gate. */
  readonly show?: (judged: Judged) => void;
  /** Uploads what was judged, and returns the reports. */
  readonly upload?: (judged: Judged) => Promise<readonly ExperimentReport[]>;
  readonly online: <T>(work: (connection: Connection) => Promise<T>) => Promise<T>;
  /** Why nothing is uploaded, in a run without a key. */
  readonly skipped?: string;
}

/**
 * Judges, uploads, rolls back after a failed gate if asked, and writes the baseline. If the step
 * may roll back, results that are missing or cannot be judged are a failed gate, as after `verify`.
 */
export async function runJudging(
  session: Session,
  { gates, judge, show, upload, online, skipped }: JudgingStep,
): Promise<JudgedReport> {
  const rollsBack = wantsLaterRollback(session) && whyNoKey(session) === null;
  const rollBack = (): Promise<readonly DeploymentReport[]> =>
    online((connection) => rollBackLater(session, connection));
  const isGuarded = gates !== null && rollsBack;
  if (isGuarded) await refuseOptions(session);
  let judged: Judged;
  try {
    judged = await judge();
  } catch (error) {
    if (!isGuarded || !isUsageError(error)) throw error;
    const problems = showProblems(session, error);
    const deployments = await rollBack();
    const outcome = outcomeAfter(deployments, []);
    return endWith(session, { problems, gate_verdict: "fail", deployments, outcome });
  }
  show?.(judged);
  const uploads = (await upload?.(judged)) ?? [];
  const deployments = rollsBack && isGateRed(session, judged) ? await rollBack() : [];
  const problems = await writeBaseline(session, judged);
  const parts = toParts(session, [judged], uploads);
  const outcome = skipped === undefined ? outcomeAfter(deployments, uploads) : "skipped";
  return endWith(session, {
    ...parts,
    ...(skipped === undefined ? {} : { warnings: [...(parts.warnings ?? []), skipped] }),
    problems,
    deployments,
    outcome: session.signal.aborted ? "cancelled" : outcome,
  });
}

function outcomeAfter(
  deployments: readonly DeploymentReport[],
  uploads: readonly ExperimentReport[],
): Outcome {
  if (isRollbackCancelled(deployments)) return "cancelled";
  return uploads.some(isUploadRed) ? "failed" : worstOutcome(deployments.map((one) => one.outcome));
}

/**
 * Rolls back after a failed gate of a later step: from `deployment-id` to `previous-revision-id`.
 * Earlier uploads stay in the report in any case.
 */
async function rollBackLater(
  session: Session,
  connection: Connection,
): Promise<readonly DeploymentReport[]> {
  const { deploymentId = "", revisionId = null, previousRevisionId = null } = session.options;
  refuseUntrusted(session);
  const ended = (outcome: Outcome, reason: string, message: string): DeploymentReport[] => [
    {
      ...blankDeployment(deploymentId),
      id: deploymentId,
      revision_id: revisionId,
      previous_revision_id: previousRevisionId,
      outcome,
      reason,
      message: `Rollback: ${message}`,
    },
  ];
  try {
    const live = await connection.controlPlane.getDeployment(deploymentId);
    maskLive(session, live);
    if (live === null)
      return ended("failed", "not-found", `there is no deployment ${deploymentId}`);
    return [await goBack(session, connection, live)];
  } catch (error) {
    return session.signal.aborted
      ? ended("cancelled", "signal", "cancelled before it was sent")
      : ended("failed", "service", (error as Error).message);
  }
}

/** Whether a revision was started without waiting for it and has not ended: it would go live later. */
async function isUnderWay(
  { controlPlane }: Connection,
  id: string,
  revisionId: string | null,
): Promise<boolean> {
  const revision = revisionId === null ? null : await controlPlane.getRevision(id, revisionId);
  return revision !== null && endOf(revision.status) === undefined;
}

async function goBack(
  session: Session,
  connection: Connection,
  live: LiveDeployment,
): Promise<DeploymentReport> {
  const { revisionId = null, previousRevisionId = null } = session.options;
  const context = toDeployContext(session, connection.controlPlane);
  const tracker = createTracker(live.name);
  track(tracker, live);
  const timeoutMs = timeoutOf(session.options.timeoutMs, undefined);
  const { name, id } = live;
  const revisions = { revision_id: revisionId, previous_revision_id: previousRevisionId };
  const wasActive = !(await isUnderWay(connection, id, revisionId));
  const failed = { name, id, ...revisions, changes: [], timeoutMs, wasActive };
  const done = await redeployPrevious(context, failed);
  const report = {
    ...toDeploymentReport(
      { ...tracker, ...revisions, changed: done.changed },
      {
        outcome: done.changed ? "deployed" : "unchanged",
        reason: "gate",
        message: done.message,
        next: previousRevisionId === null ? [...done.next, PASS_IT] : done.next,
      },
    ),
    ...toRolledBack(done),
  };
  return withServing(context, report);
}
