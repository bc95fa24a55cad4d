import { createDirectory, toWanted, type Directory } from "../deploy/directory.ts";
import { boundedBy, timeoutOf, type DeployContext } from "../deploy/context.ts";
import { prepareDeployment, type Prepared } from "../deploy/prepare.ts";
import { servedBy, withShownVersions } from "../deploy/serving.ts";
import {
  blockedEnd,
  createTracker,
  toDeploymentReport,
  trackLatest,
  trackPlan,
} from "../deploy/tracker.ts";
import { judgeLatest } from "../plan/decision.ts";
import { runFingerprint } from "../plan/fingerprint.ts";
import { isWrite, nothingToDo, type DeploymentPlan } from "../plan/plan.ts";
import type { DeploymentReport, JudgedReport, Report } from "../report/report.ts";
import type { Desired } from "../spec/desired.ts";
import { publishStart, toEnd, toReport, type Parts } from "../ci/report-assembly.ts";
import { noteDriftCauses } from "./drift.ts";
import { describeWaves, toMatrix } from "./matrix.ts";
import { toDeployContext } from "../ci/deploy-context.ts";
import { overDocuments } from "./documents.ts";
import type { Connection } from "../ci/service-connection.ts";
import type { Session } from "../ci/session.ts";
import { runPool, waveOf } from "./waves.ts";

/** A document with the report of its plan, until that is carried out. */
export interface Preparation {
  readonly report: DeploymentReport;
  /** Null if the service could not be read. */
  readonly prepared: Prepared | null;
}

/**
 * Reads and plans every document, at most `concurrency` at once; keeps spec order. A plan that is
 * only shown trusts a list instead of many reads; one that is carried out also reads what was
 * built.
 */
export async function prepareAll(
  context: DeployContext,
  documents: readonly Desired[],
  concurrency: number,
  { isShownOnly = false }: { readonly isShownOnly?: boolean } = {},
): Promise<{ directory: Directory; preparations: readonly Preparation[] }> {
  const wanted = { ...toWanted(documents), ahead: isShownOnly };
  const directory = createDirectory(context, wanted);
  const trustsList = isShownOnly && directory.listsAll;
  const preparations = await runPool(documents, concurrency, async (desired) => {
    try {
      const bounded = withinTimeout(context, desired);
      const prepared = await prepareDeployment(bounded, directory, desired, { trustsList });
      return { report: toPlanReport(prepared), prepared };
    } catch (error) {
      return { report: toUnread(desired, error, context.signal.aborted), prepared: null };
    }
  });
  return { directory, preparations };
}

function toUnread({ name }: Desired, error: unknown, isCancelled: boolean): DeploymentReport {
  return toDeploymentReport(
    createTracker(name),
    isCancelled
      ? { outcome: "cancelled", reason: "signal", message: "cancelled before anything was sent" }
      : { outcome: "failed", reason: "service", message: (error as Error).message, error },
  );
}

function withinTimeout(context: DeployContext, desired: Desired): DeployContext {
  const deadlineMs =
    context.clock.monotonic() + timeoutOf(context.policy.timeoutMs, desired.deploy);
  return { ...context, controlPlane: boundedBy(context, deadlineMs) };
}

function toPlanReport(prepared: Prepared): DeploymentReport {
  const {
    planned: { plan, steps },
    found,
  } = prepared;
  const tracker = createTracker(plan.name);
  trackPlan(tracker, prepared);
  if (found.state === "live") {
    tracker.serving = servedBy(found.deployment);
    trackLatest(tracker, found);
  }
  if (plan.action === "blocked") return toDeploymentReport(tracker, blockedEnd(plan));
  tracker.changed = steps.some(isWrite);
  return toDeploymentReport(tracker, {
    outcome: steps.length === 0 ? "unchanged" : "planned",
    message: planSentence(plan, found.state === "live" && judgeLatest(found) === "settled"),
  });
}

/** `serves`: the latest revision is active and healthy. */
function planSentence(plan: DeploymentPlan, serves: boolean): string {
  switch (plan.action) {
    case "create":
      return "would be created";
    case "update":
      return "would be updated";
    case "redeploy":
      return `would redeploy the latest revision, ${serves ? "as force asks" : "which is not running"}`;
    case "attach":
      return "a revision is under way: would wait for it, and write nothing";
    default:
      return nothingToDo(plan);
  }
}

/** The report of a planning run, with the run's fingerprint. */
export function toPlannedReport(
  session: Session,
  documents: readonly Desired[],
  parts: Parts & { readonly deployments: readonly DeploymentReport[] },
): Report {
  const deployments = parts.deployments.map((one) => {
    const desired = documents.find(({ name }) => name === one.name);
    return desired === undefined ? one : withShownVersions(desired, one);
  });
  const plans = deployments.flatMap((one) => (one.plan === null ? [] : [one.plan]));
  return toReport(session, {
    ...parts,
    deployments,
    matrix: toMatrix(deployments, waveOf(documents), session.options.matrixSize),
    fingerprint: plans.length === 0 ? "" : runFingerprint(plans),
  });
}

/** `plan`: compares the spec with what is live; changes nothing. */
export const planDocuments = overDocuments("plan", runPlan);

/** Plans documents that were already read. */
export async function runPlan(
  session: Session,
  documents: readonly Desired[],
  connection: Connection,
): Promise<JudgedReport> {
  const context = toDeployContext(session, connection.controlPlane);
  const begun = publishStart(session, documents);
  const { concurrency } = session.options;
  const { preparations } = await prepareAll(context, documents, concurrency, { isShownOnly: true });
  await begun;
  const deployments = await noteDriftCauses(
    session,
    preparations.map(({ report }) => report),
  );
  const report = toPlannedReport(session, documents, { deployments });
  const waves = describeWaves(report.matrix ?? []);
  // `auto` deploys all documents in one job; only a plan of its own is made for its outputs.
  const isForOutputs = session.entryPoint === "action" && session.options.command === "plan";
  if (waves !== "" && isForOutputs && !(await readsWaves(session)))
    session.host.notify("warning", waves);
  return toEnd(session, report);
}

/** Far above any workflow that was written by hand. */
const MAX_WORKFLOW_BYTES = 512 * 1024;

/** Whether the workflow of this run takes the output `waves`; false where its file is not in the checkout. */
async function readsWaves({ env, workspace }: Session): Promise<boolean> {
  const [, path] = /^[^/]+\/[^/]+\/([^@]+)@/u.exec(env["GITHUB_WORKFLOW_REF"] ?? "") ?? [];
  if (path === undefined) return false;
  const text = await workspace.readText(path, MAX_WORKFLOW_BYTES).catch(() => "");
  return /\boutputs\.waves\b/u.test(text);
}
