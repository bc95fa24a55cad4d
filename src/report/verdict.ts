import { comparisonCaveat } from "../plan/plan.ts";
import { cut, toVisible } from "./escape.ts";
import { gateFall, gateWords } from "./gate-words.ts";
import { iconOf, isGreen, OUTCOMES, type Outcome } from "./outcome.ts";
import type { DeploymentReport, Report } from "./report.ts";
import { endOf, isDeployed, statusRow } from "../model/revision-status.ts";
import {
  isFailAccepted,
  isSupersededAccepted,
  isUploadRed,
  judgementOf,
  NOT_UPLOADED,
} from "./judgement.ts";
import { listSome, plural } from "../model/count-words.ts";
import {
  planWords,
  reasonWords,
  rollbackEnd,
  shortVersion,
  statusWords,
  type Stage,
} from "./wording.ts";

const MAX_NAME = 100;

const quote = (name: string): string =>
  `\`${cut(toVisible(name).replaceAll("`", "'"), MAX_NAME)}\``;

/** Of each command that works on deployments: what it does, and what it has not done if it is blocked. */
const COMMANDS: Readonly<Record<string, readonly [doing: string, done: string]>> = {
  plan: ["Planning", "deployed"],
  apply: ["Deploying", "deployed"],
  wait: ["Waiting for", "waited for"],
  redeploy: ["Redeploying", "redeployed"],
  rollback: ["Rolling back", "rolled back"],
  destroy: ["Deleting", "deleted"],
};

/**
 * The verdict of a run, the first line of every sink: who, what and whether to worry. Names and
 * versions in it are in backticks.
 */
export function toVerdict(report: Report, stage: Stage) {
  const { icon, headline } = toRunVerdict(report, stage);
  const isNamed = report.target !== undefined && headline !== "";
  return { icon, headline: isNamed ? `${quote(report.target)}: ${headline}` : headline };
}

/** Its headline as plain text. */
export const toHeadline = (report: Report, stage: Stage): string =>
  toVisible(toVerdict(report, stage).headline.replaceAll("`", ""));

function toRunVerdict(report: Report, stage: Stage) {
  if (stage === "begin") return { icon: "⏳", headline: beginWords(report) };
  const icon = signOf(report);
  const isAccepted = isSupersededAccepted(report);
  const words = [
    `${endWords(report)}${isAccepted ? " · accepted by on-superseded" : ""}`,
    coversGates(report) ? "" : gateWords(report),
    isFailAccepted(report) ? "accepted as the baseline" : "",
    whyWords(report),
  ].filter((part) => part !== "");
  // If the gates decide, they come first.
  const decides = ["❌", "❓"].includes(icon) && (isGreen(report.outcome) || isAccepted);
  return { icon, headline: (decides ? words.toReversed() : words).join(" · ") };
}

/** What made a run red, if neither its deployments nor a failed gate say so. */
function whyWords(report: Report): string {
  const { deployments, experiments, problems, outcome, gate_verdict: verdict } = report;
  if (outcome === "cancelled" && deployments.length > 0)
    return deployments.some((one) => one.outcome === "cancelled") ? "" : "the run was cancelled";
  const { red, why, cause } = judgementOf(report);
  if (!red || !isGreen(outcome) || verdict === "fail") return "";
  const isEnd =
    problems.length > 0
      ? endsWithProblems(report)
      : experiments.length > 0 && verdict !== "inconclusive";
  if (deployments.length === 0 && isEnd) return "";
  if (cause === undefined) return why;
  // Each problem's own message is shown below, and so is that of an experiment.
  if (cause === "problem") return problems.length > 0 ? problemWords(report) : why;
  // Other words already say how the gates ended.
  return cause === "upload" ? NOT_UPLOADED : `${cause} is fail`;
}

/** Whether the run came to nothing but its problems, without judging or sending anything before. */
const endsWithProblems = ({ problems, command, experiments }: Report): boolean =>
  problems.length > 0 &&
  (command === "validate" ||
    experiments.length === 0 ||
    problems.some(({ file }) => file !== undefined));

/** Where the problems of a run are: in the spec, or in named files of results and gates. */
function problemWords({ command, problems }: Report): string {
  if (problems[0]?.about === "baseline") return "No baseline was written";
  const files = [...new Set(problems.flatMap(({ file }) => file ?? []))];
  if (files.length === 0 && command !== "validate") return "see the error";
  const isSpec =
    !["gate", "upload"].includes(command) && files.every((file) => /^stdin$|\.ya?ml$/i.test(file));
  const count = plural(problems.length, "problem");
  if (isSpec) return `The spec has ${count}`;
  return `${count} in ${files.slice(0, 3).join(", ")}${files.length > 3 ? " and others" : ""}`;
}

/** The sign of a run: that of its outcome, unless the gates override it. An inconclusive run is never a green tick. */
function signOf(report: Report): string {
  if (!isGreen(report.outcome) && !isSupersededAccepted(report)) return iconOf(report.outcome);
  if (judgementOf(report).red) return "❌";
  return report.gate_verdict === "inconclusive" ? "❓" : iconOf(report.outcome);
}

function beginWords(report: Report): string {
  const { command, deployments } = report;
  const isPlanned = deployments.some(({ plan }) => plan !== null);
  const verb = COMMANDS[command === "apply" && !isPlanned ? "plan" : command]?.[0] ?? "Running";
  return `${verb} ${listNames(deployments)}…`;
}

function listNames(deployments: readonly DeploymentReport[]): string {
  return listSome(deployments, (one) => quote(one.name), 3);
}

/** Whether the words about the only deployment already say what the gates did. */
function coversGates({ deployments, gate_verdict: verdict }: Report): boolean {
  const [one, ...others] = deployments;
  return (
    one !== undefined &&
    others.length === 0 &&
    verdict === "fail" &&
    (one.reason === "gate" || one.rollback !== undefined || one.outcome === "deployed")
  );
}

function endWords(report: Report): string {
  const [only] = report.deployments;
  if (only === undefined) return bareWords(report);
  return report.deployments.length === 1 ? oneWords(report, only) : manyWords(report);
}

function bareWords(report: Report): string {
  const { experiments, command, outcome } = report;
  if (outcome === "cancelled") return "The run was cancelled";
  if (endsWithProblems(report)) {
    const words = problemWords(report);
    return words === "see the error" ? `Nothing was done: ${words}` : `${words}; nothing was sent`;
  }
  if (outcome === "skipped") return "Only validated: there is no API key in this run";
  if (experiments.length > 0) return experimentWords(report);
  if (command === "validate")
    return isGreen(outcome) ? "The spec is valid" : "The spec is not valid";
  return isGreen(outcome) ? "" : `${command} failed`;
}

function experimentWords({ command, experiments }: Report): string {
  const failed = experiments.filter(isUploadRed).length;
  const count = plural(experiments.length, "experiment");
  if (failed > 0) return `${failed} of ${count} not uploaded`;
  if (command === "gate" || experiments.every((one) => one.outcome === "gated-only")) return "";
  return experiments.every((one) => one.outcome === "dry-run")
    ? `Dry run of ${count}`
    : `Uploaded ${count}`;
}

function oneWords(report: Report, one: DeploymentReport): string {
  const named = quote(one.name);
  const { ours } = labelsOf(one);
  const mine = ours === "" ? "the new revision" : ours;
  const serving = servingWords(one);
  if (one.rollback !== undefined) return `${named}: ${rollbackWords(report, one)}`;
  switch (one.outcome) {
    case "planned":
      return `${named} ${planWords(one)}`;
    case "unchanged":
      return `${named}: ${report.command === "destroy" ? "nothing to delete" : unchangedWords(one)}`;
    case "blocked": {
      const { command } = report;
      const done = COMMANDS[command]?.[1] ?? "deployed";
      const end = command === "plan" ? "cannot be deployed" : `was not ${done}`;
      return `${named} ${end}: ${blockedWords(report, one)}`;
    }
    case "deployed":
      return `${named} ${deployedWords(report, one)}`;
    case "started":
      return `Started ${report.command === "destroy" ? "deleting " : ""}${named} (not waiting)`;
    case "updated":
      return report.command === "destroy"
        ? `${named} was deleted`
        : `${named} was updated in place, without a new revision`;
    case "skipped":
      return `${named} was only validated: there is no API key in this run`;
    case "failed":
      return `${named}: ${failureWords(one)}${serving}`;
    case "timed-out": {
      if (report.command === "destroy") return `${named} timed out: it is still being deleted`;
      const { revision_status: status } = one;
      // The deployment calls it active, whatever was read about the revision itself.
      if (isOwnLive(one))
        return `${named} timed out: ${mine} is live, but its end was not confirmed`;
      const where = status === null ? "not live" : `still ${statusWords(status)}`;
      return `${named} timed out: ${mine} is ${where}${serving}`;
    }
    case "superseded": {
      if (one.revision_id === null && one.superseded_by !== undefined)
        return `${named} was superseded: another update's revision came first`;
      if (endOf(one.reason) !== "skipped")
        return `${named} was superseded: another revision replaced ${ours || "this one"}`;
      const version = ours || "this revision";
      const newer = one.superseded_by === undefined ? "" : " for a newer one";
      return `${named} was superseded: the service skipped ${version}${newer}`;
    }
    case "cancelled":
      return `${named}: ${cancelledWords(one, mine)}${one.changed ? serving : ""}`;
    case "not-run":
      return `${named} was not deployed: another deployment failed first`;
  }
}

function unchangedWords({ plan }: DeploymentReport): string {
  if (plan === null) return "nothing to change";
  return plan.commit_unchecked === true
    ? `nothing to change in the settings${comparisonCaveat(plan)}; the commit was not checked`
    : `nothing to change, live matches the spec${comparisonCaveat(plan)}`;
}

const DEPLOYED_WORDS: Readonly<Record<string, string>> = {
  create: "was created",
  redeploy: "was redeployed",
};

function deployedWords(report: Report, one: DeploymentReport): string {
  const { ours } = labelsOf(one);
  const why = gateFall(report) || "its gate could not be judged";
  const fell = report.gate_verdict === "fail" ? `, but ${why}` : "";
  if (report.command === "wait") return `is live${fell}`;
  const live = ours === "" ? "" : `: ${ours} is live`;
  const done = report.command === "rollback" ? "was rolled back" : DEPLOYED_WORDS[one.action];
  return `${done ?? "was deployed"}${live}${fell}`;
}

/**
 * What this run's revision and the serving one are built from, formatted; empty if unknown. Their
 * ids, if both are built from the same: a branch may name several.
 */
function labelsOf({ version, revision_id: id, serving }: DeploymentReport) {
  const labelOf = (from?: string | null): string => (from == null ? "" : quote(shortVersion(from)));
  const idOf = (of: string): string => `revision ${quote(of.slice(0, 8))}`;
  const [ours, theirs] = [labelOf(version), labelOf(serving?.version)];
  if (serving == null) return { ours, theirs };
  const isSame = ours !== "" && ours === theirs && id !== null && id !== serving.revision_id;
  const isUnclear = theirs === "" || ours === theirs;
  return {
    ours: isSame ? idOf(id) : ours,
    theirs: isUnclear ? idOf(serving.revision_id) : theirs,
  };
}

const isOwnLive = ({ revision_id: id, serving }: DeploymentReport): boolean =>
  id !== null && serving?.revision_id === id;

/** What serves at the end, as read then; empty if it was not read. */
function servingWords(one: DeploymentReport): string {
  const { serving, version, previous_revision_id: before, rollback } = one;
  if (serving === undefined) return "";
  if (serving === null) return "; nothing is serving";
  if (isOwnLive(one)) {
    const own = serving.version ?? version;
    return `; ${own === undefined ? "the new revision" : quote(shortVersion(own))} is live`;
  }
  // A revision made during this run is not the one that served before it, and after a rollback none served throughout.
  const isStill = serving.revision_id === before && rollback === undefined;
  return `; ${labelsOf(one).theirs} is ${isStill ? "still serving" : "serving"}`;
}

function blockedWords(report: Report, one: DeploymentReport): string {
  if (one.reason === "gate") return gateFall(report) || reasonWords(one.reason);
  const [blocker, ...others] = one.plan?.blockers ?? [];
  const why = FIELD_WORDS[one.reason];
  return blocker?.path === undefined || others.length > 0 || why === undefined
    ? reasonWords(one.reason)
    : `${quote(blocker.path.replace(/^source_(?:revision_)?config\./, ""))} ${why}`;
}

const FIELD_WORDS: Readonly<Record<string, string>> = {
  immutable: "cannot be changed",
  impossible: "cannot be changed",
  clear: "cannot be cleared",
};

function failureWords(one: DeploymentReport): string {
  const { reason, request } = one;
  const { ours } = labelsOf(one);
  const of = ours === "" ? "" : ` of ${ours}`;
  switch (statusRow(reason)?.endsPhase) {
    case "queued":
      return `${ours.startsWith("revision ") ? ours : `the revision${of}`} could not be created`;
    case "build":
      return `the build${of} failed`;
    case "deploy":
      return `${ours === "" ? "the new revision" : ours} was built, but did not start`;
    default:
      return reason === "" ? "failed" : reasonWords(reason, request);
  }
}

function rollbackWords(report: Report, one: DeploymentReport): string {
  const { serving, version, revision_id: id } = one;
  const { outcome } = one.rollback!;
  const why = isGreen(one.outcome) ? gateFall(report) || reasonWords("gate") : failureWords(one);
  if (outcome === "deployed") {
    const to = serving?.version ?? null;
    const isNamed = to !== null && to !== version;
    return `${why}; rolled back to ${isNamed ? quote(shortVersion(to)) : "the revision before"}`;
  }
  // The previous one may be built from the same, so say which of the two it is.
  const serves =
    isOwnLive(one) && id !== null
      ? `; revision ${quote(id.slice(0, 8))}, which failed, is live`
      : servingWords(one);
  return `${why}, and ${rollbackEnd(outcome)}${serves}`;
}

function cancelledWords(one: DeploymentReport, mine: string): string {
  const { revision_id: id, revision_status: status, timeline, changed } = one;
  if (id === null) return "cancelled";
  // A status without a wait is that of an existing revision: the run was cancelled while verifying it.
  if (status !== null && timeline.length === 0)
    return changed ? "cancelled after it was updated in place" : "cancelled; nothing was changed";
  return isDeployed(status)
    ? `cancelled after ${mine} went live`
    : `cancelled; ${mine} is still ${status === null ? "building" : statusWords(status)}`;
}

function manyWords({ deployments }: Report): string {
  const counts = OUTCOMES.map((outcome): [Outcome, number] => [
    outcome,
    deployments.filter((one) => one.outcome === outcome).length,
  ])
    .filter(([, count]) => count > 0)
    .map(([outcome, count]) => `${count === deployments.length ? "all" : count} ${outcome}`);
  const red = deployments.filter((one) => !isGreen(one.outcome) && one.outcome !== "not-run");
  // Outcomes are sorted worst first, so the names follow the counts they belong to.
  const lastRed = new Set(red.map(({ outcome }) => outcome)).size - 1;
  const words = counts.map((count, at) =>
    at === lastRed ? `${count} (${listNames(red)})` : count,
  );
  const counted = (of: readonly DeploymentReport[], what: string): string =>
    of.length === 0 ? "" : `; ${of.length} ${what} (${listNames(of)})`;
  // A failed gate leaves the outcome of what it rolls back.
  const back = deployments.filter(
    (one) => isGreen(one.outcome) && one.rollback?.outcome === "deployed",
  );
  const left = deployments.filter(
    ({ rollback }) => (rollback?.outcome ?? "deployed") !== "deployed",
  );
  const undone = counted(back, "rolled back") + counted(left, "not rolled back");
  return `${plural(deployments.length, "deployment")}: ${words.join(", ")}${undone}`;
}
