import { applyDeployment } from "../deploy/apply.ts";
import type { DeployContext } from "../deploy/context.ts";
import { withServing } from "../deploy/serving.ts";
import { createTracker, toDeploymentReport } from "../deploy/tracker.ts";
import { judgeApproval, withNames, type Approval } from "../plan/approval.ts";
import type { DeploymentReport, JudgedReport } from "../report/report.ts";
import type { Desired } from "../spec/desired.ts";
import { publishStart, toEnd } from "../ci/report-assembly.ts";
import { runWaves, waveOf } from "./waves.ts";
import { confirmOnTerminal } from "../ci/confirm.ts";
import { toDeployContext } from "../ci/deploy-context.ts";
import type { Evaluation, Stop } from "../evaluation/evaluation.ts";
import { prepareAll, toPlannedReport, type Preparation } from "./plan.ts";
import { overDocuments } from "./documents.ts";
import type { Connection } from "../ci/service-connection.ts";
import type { Session } from "../ci/session.ts";

/** `apply`: plans, gates existing results, creates or PATCHes, waits, verifies, uploads, gates and reports. */
export const applyDocuments = overDocuments("apply", runApply);

/** Applies documents that were already read. */
export async function runApply(
  given: Session,
  documents: readonly Desired[],
  connection: Connection,
): Promise<JudgedReport> {
  const { dryRun, concurrency, failFast } = given.options;
  // A dry run sends nothing: it is a plan, for every sink.
  const session: Session = dryRun ? { ...given, command: "plan" } : given;
  const approval = await approvalFor(session);
  const ofDocument = waveOf(documents);
  if (!dryRun && !session.options.wait) warnOfUnwaited(session, documents);
  const context = toDeployContext(session, connection.controlPlane);
  const evaluation = await evaluationOf(session, connection, context, documents);
  const begun = publishStart(session, documents);
  const { directory, preparations } = await prepareAll(context, documents, concurrency, {
    isShownOnly: dryRun,
  });
  const planned = preparations.map(({ report }) => report);
  await begun;
  const stop = await stopBeforeWriting(session, approval, preparations, evaluation);
  const accepted = stop === null ? planned : planned.map((one) => toStopped(one, stop));
  // The end of a dry run shows its plan.
  if (!dryRun)
    await session.host.publish(
      "begin",
      toPlannedReport(session, documents, { deployments: accepted }),
    );
  if (stop === null && !dryRun && approval === undefined) await confirmChanges(session, planned);
  const carryOut = () =>
    runWaves({
      items: preparations,
      waveOf: ({ report }) => ofDocument(report.name),
      concurrency,
      failFast,
      maxFailures: session.options.maxFailures,
      work: async (one) =>
        one.prepared === null ? one.report : applyDeployment(context, directory, one.prepared),
      skip: ({ report }, reason, message) => toNotRun(report, reason, message),
      close: (reports) => evaluation.afterWave(reports),
      progress: session.host.progress,
    });
  const deployments = stop !== null || dryRun ? accepted : await carryOut();
  const evaluated =
    stop === null
      ? await evaluation.after(deployments)
      : { deployments, parts: evaluation.partsSoFar() };
  const shown = await Promise.all(evaluated.deployments.map((one) => withServing(context, one)));
  return toEnd(
    session,
    toPlannedReport(session, documents, { ...evaluated.parts, deployments: shown }),
  );
}

/** Warns of what a run that does not wait leaves out, although it was asked for. */
function warnOfUnwaited({ options, host }: Session, documents: readonly Desired[]): void {
  const warn = (what: string): void => host.notify("warning", `wait is false: ${what}`);
  if (new Set(documents.map(({ deploy }) => deploy.wave ?? 0)).size > 1)
    warn("a wave begins as soon as the one before it was started, not when it ended well");
  const verifies = ({ deploy }: Desired): boolean =>
    (options.verify ?? deploy.verify ?? "").trim() !== "";
  if (documents.some(verifies)) warn("verify does not run");
  if (documents.some(({ deploy }) => (options.onFailure ?? deploy.on_failure) === "rollback"))
    warn("a revision that fails is not rolled back");
}

/** What `expect-plan` says; what reads report files loads zod, and is loaded only for it. */
async function approvalFor({ options, workspace }: Session): Promise<Approval | undefined> {
  if (options.expectPlan === undefined) return undefined;
  const { readApproval } = await import("./approval.ts");
  return readApproval(workspace, options.expectPlan);
}

/** The evaluation of a run without result files and gates. */
const NOTHING: Evaluation = {
  before: () => Promise.resolve(null),
  partsSoFar: () => ({}),
  afterWave: (deployments) => Promise.resolve({ deployments, why: "" }),
  after: (deployments) => Promise.resolve({ deployments, parts: {} }),
};

/** The evaluation that the inputs ask for; the code for result files is loaded only for it. */
async function evaluationOf(
  session: Session,
  connection: Connection,
  context: DeployContext,
  documents: readonly Desired[],
): Promise<Evaluation> {
  const { experiment, gate } = session.options;
  if (experiment.length === 0 && gate === undefined) return NOTHING;
  const { createEvaluation } = await import("../evaluation/evaluation.ts");
  return createEvaluation(session, connection, context, documents);
}

/** On a terminal, asks for confirmation of a plan that writes something; it is printed above. */
async function confirmChanges(
  session: Session,
  planned: readonly DeploymentReport[],
): Promise<void> {
  const changing = planned.filter(({ changed }) => changed);
  if (changing.length === 0) return;
  const what = changing.length === 1 ? changing[0]!.name : `${changing.length} deployments`;
  await confirmOnTerminal(session, `Apply these changes to ${what}?`);
}

async function stopBeforeWriting(
  session: Session,
  approval: Approval | undefined,
  preparations: readonly Preparation[],
  evaluation: Evaluation,
): Promise<Stop | null> {
  if (session.trust.state === "untrusted")
    return { reason: "untrusted", message: session.trust.why };
  if (approval !== undefined) {
    const prepared = preparations.flatMap((one) => one.prepared ?? []);
    const names = prepared.map(({ desired }) => desired.name);
    const verdict = judgeApproval(withNames(approval, names, session.redact), prepared);
    if (verdict.state === "refused") return { reason: "plan-changed", message: verdict.message };
    for (const note of verdict.notes) session.host.notify("notice", `expect-plan: ${note}`);
  }
  return evaluation.before();
}

/**
 * The report of a deployment in a run that stopped before its first write: planned work is blocked,
 * and so is an unchanged deployment unless the run is untrusted; other ends stay.
 */
function toStopped(report: DeploymentReport, stop: Stop): DeploymentReport {
  const { outcome } = report;
  if (outcome !== "planned" && (outcome !== "unchanged" || stop.reason === "untrusted"))
    return report;
  return { ...report, ...stop, outcome: "blocked", changed: false };
}

function toNotRun(report: DeploymentReport, reason: string, message: string): DeploymentReport {
  return toDeploymentReport(
    { ...createTracker(report.name), plan: report.plan, id: report.id, url: report.url },
    { outcome: "not-run", reason, message },
  );
}
