import { isMovedCommit } from "../plan/plan.ts";
import { isGreen } from "./outcome.ts";
import {
  toProblemLine,
  type DeploymentReport,
  type ExperimentReport,
  type Judgement,
  type Report,
} from "./report.ts";

/** Inputs that decide whether a given end is red. */
export interface JudgementPolicy {
  readonly onSuperseded: "fail" | "warn";
  readonly onInconclusive: "pass" | "warn" | "fail";
  readonly onNoBaseline: "pass" | "warn" | "fail";
  /** A person accepts the run as the baseline, so its gates make nothing red. */
  readonly acceptBaseline: boolean;
  readonly failOnChanges: boolean;
}

/** Facts that are not in the report. */
export interface JudgementFacts {
  /** An invalid spec or call: nothing was sent. */
  readonly usage?: boolean;
  /** The merged reports: a red leg stays red, an accepted one stays accepted. */
  readonly legs?: readonly Pick<Report, "outcome" | "judgement">[];
}

type Fault = Pick<Judgement, "why" | "cause">;

const EXIT = {
  fine: 0,
  red: 1,
  usage: 2,
  changes: 3,
  gate: 4,
  timedOut: 5,
  cancelled: 130,
} as const;

const DEFAULTS: JudgementPolicy = {
  onSuperseded: "fail",
  onInconclusive: "warn",
  onNoBaseline: "warn",
  acceptBaseline: false,
  failOnChanges: false,
};

/** The only place that decides between red and green, and the exit code. */
export function judge(
  report: Report,
  policy: JudgementPolicy = DEFAULTS,
  facts: JudgementFacts = {},
): Judgement {
  const red = (exit_code: number, fault: Fault = { why: "" }): Judgement => ({
    red: true,
    exit_code,
    ...fault,
  });
  if (report.outcome === "cancelled") return red(EXIT.cancelled);
  if (facts.usage === true) return red(EXIT.usage, otherFault(report));
  const accepted = isAccepted(report, policy, facts);
  const unrun = report.deployments.some(({ outcome }) => outcome === "not-run");
  const fine = (isGreen(report.outcome) || accepted) && !unrun;
  const acceptBaseline = policy.acceptBaseline && !isRefused(report);
  const gate = gateFault(report, { ...policy, acceptBaseline });
  const stopped = isBlockedByGate(report) || isStoppedByGate(report, accepted);
  if (gate !== null && (fine || stopped)) return red(EXIT.gate, gate);
  if (report.outcome === "timed-out") return red(EXIT.timedOut);
  const other = otherFault(report);
  if (!fine || other.why !== "") return red(EXIT.red, other);
  if (policy.failOnChanges && hasDrift(report))
    return red(EXIT.changes, { why: "there are changes, and fail-on-changes is set" });
  const leg = facts.legs?.find((one) => one.judgement?.red === true);
  if (leg?.judgement !== undefined) return leg.judgement;
  return { red: false, exit_code: EXIT.fine, why: "" };
}

/** The judgement in a report; by the defaults if it has none. */
export function judgementOf(report: Report): Judgement {
  return report.judgement ?? judge(report);
}

/** True if and only if the exit code is not 0. */
export function isRed(report: Report): boolean {
  return judgementOf(report).red;
}

/** Whether a gate failed but a person accepted the run as the baseline. */
export function isFailAccepted(report: Report): boolean {
  return report.gate_verdict === "fail" && !isRed(report);
}

/** Whether `on-superseded: warn` accepted the superseded end, even if a gate then made the run red. */
export function isSupersededAccepted(report: Report): boolean {
  const { exit_code: exit } = judgementOf(report);
  return report.outcome === "superseded" && (exit === EXIT.fine || exit === EXIT.gate);
}

/**
 * Whether `on-superseded: warn`, of this run or of every superseded leg, makes that end green:
 * another revision must serve in place of the superseded one.
 */
function isAccepted(report: Report, policy: JudgementPolicy, { legs }: JudgementFacts): boolean {
  if (report.outcome !== "superseded" || report.deployments.some(leavesNothing)) return false;
  if (policy.onSuperseded === "warn") return true;
  const superseded = legs?.filter((leg) => leg.outcome === "superseded") ?? [];
  return superseded.length > 0 && superseded.every((leg) => leg.judgement?.red === false);
}

/** A superseded deployment, if nothing is known to serve. */
function leavesNothing({
  outcome,
  serving,
  previous_revision_id: before,
}: DeploymentReport): boolean {
  if (outcome !== "superseded") return false;
  return serving === undefined ? before === null : serving === null;
}

/** Why the gates make a run red; null if they do not. */
export function gateFault(
  { gates, gate_verdict: verdict }: Pick<Report, "gates" | "gate_verdict">,
  policy: JudgementPolicy,
): Fault | null {
  if (policy.acceptBaseline) return null;
  if (verdict === "fail") return { why: "a gate failed" };
  if (verdict !== "inconclusive") return null;
  const open = gates.filter((gate) => gate.verdict === "inconclusive");
  const without = open.filter((gate) => gate.no_baseline === true);
  if (policy.onInconclusive === "fail" && (open.length === 0 || without.length < open.length))
    return {
      why: "a gate is inconclusive, and on-inconclusive is fail",
      cause: "on-inconclusive",
    };
  return policy.onNoBaseline === "fail" && without.length > 0
    ? { why: "a drop has no baseline, and on-no-baseline is fail", cause: "on-no-baseline" }
    : null;
}

/** Whether the run became no baseline, even if a person asked for it: its gates count. */
function isRefused(report: Report): boolean {
  return report.problems.some(({ about }) => about === "baseline") || isBlockedByGate(report);
}

/** Blocked by its gates and by nothing else. */
function isBlockedByGate({ outcome, deployments }: Report): boolean {
  return (
    outcome === "blocked" &&
    deployments.every((one) => one.outcome !== "blocked" || one.reason === "gate")
  );
}

/** Only a gate failed, and what should have followed was not run. */
function isStoppedByGate({ outcome, deployments }: Report, accepted: boolean): boolean {
  return (
    (outcome === "not-run" || accepted) &&
    deployments.every(
      (one) => one.outcome === "not-run" || isGreen(one.outcome) || one.outcome === "superseded",
    )
  );
}

/** Whether an experiment was not uploaded, or may not have been. */
export const isUploadRed = ({ outcome }: Pick<ExperimentReport, "outcome">): boolean =>
  outcome === "failed" || outcome === "unknown";

/** What makes a run red apart from its deployments and gates. */
function otherFault({ problems, experiments }: Report): Fault {
  if (problems.length > 0) return { why: toProblemLine(problems[0]!), cause: "problem" };
  const lost = experiments.find(isUploadRed);
  return lost === undefined
    ? { why: "" }
    : { why: `${NOT_UPLOADED}: ${lost.message}`, cause: "upload" };
}

/** Why a run is red whose experiment may not have been uploaded, without the experiment's own message. */
export const NOT_UPLOADED = "an experiment was not uploaded";

/** Whether live differs from the spec by more than a moved commit. */
function hasDrift({ command, deployments }: Report): boolean {
  return (
    command === "plan" &&
    deployments.some(({ changes }) => changes.some((change) => !isMovedCommit(change)))
  );
}
