import { comparisonCaveat } from "../plan/plan.ts";
import { gateFall, gateWords } from "./gate-words.ts";
import { iconOf, isGreen, OUTCOMES, type Outcome } from "./outcome.ts";
import type { DeploymentReport, FailedRequest, Report } from "./report.ts";
import { endOf, isDeployed, statusRow } from "../model/revision-status.ts";
import { isFailAccepted, judgementOf, NOT_UPLOADED } from "./judgement.ts";
import { listSome, plural } from "../model/count-words.ts";
import { planWords, reasonWords, shortVersion, statusWords, type Stage } from "./wording.ts";

/** Who, what and whether to worry, in one line. */
export interface VerdictLine {
  readonly icon: string;
  readonly headline: string;
}

/** How words are formatted: `name` for names and versions, `plain` for everything else. */
interface Marking {
  readonly name: (name: string) => string;
  readonly plain: (words: string) => string;
}

/** The commands that report their beginning. */
const BEGUN: Readonly<Record<string, string>> = {
  plan: "Planning",
  apply: "Deploying",
  wait: "Waiting for",
  redeploy: "Redeploying",
  rollback: "Rolling back",
  destroy: "Deleting",
};

/** The verdict of a run, the first line of every sink. */
export function toVerdict(report: Report, stage: Stage, marking: Marking): VerdictLine {
  const verdict = toRunVerdict(report, stage, marking);
  return report.target === undefined || verdict.headline === ""
    ? verdict
    : { ...verdict, headline: `${marking.name(report.target)}: ${verdict.headline}` };
}

function toRunVerdict(report: Report, stage: Stage, marking: Marking): VerdictLine {
  if (stage === "begin") return { icon: "⏳", headline: beginWords(report, marking) };
  const icon = signOf(report);
  const end = endWords(report, marking);
  const gates =
    report.deployments.length === 1 && coversGates(report) ? "" : gateWords(report, marking.plain);
  const accepted = isFailAccepted(report) ? "accepted as the baseline" : "";
  const words = [end, gates, accepted, whyWords(report, marking)].filter((part) => part !== "");
  // If the gates decide, they come first.
  const decides = ["❌", "❓"].includes(icon) && isGreen(report.outcome);
  return { icon, headline: (decides ? words.toReversed() : words).join(" · ") };
}

/** What made a run red, if neither its deployments nor a failed gate say so. */
function whyWords(report: Report, { plain }: Marking): string {
  if (report.outcome === "cancelled" && report.deployments.length > 0) {
    const isSaid = report.deployments.some(({ outcome }) => outcome === "cancelled");
    return isSaid ? "" : "the run was cancelled";
  }
  const { red, why, cause } = judgementOf(report);
  if (!red || !isGreen(report.outcome) || report.gate_verdict === "fail") return "";
  if (report.deployments.length === 0 && isWhySaid(report)) return "";
  if (cause === undefined) return plain(why);
  // Each problem's own message is shown below, and so is that of an experiment.
  if (cause === "problem") return plain(report.problems.length > 0 ? placeOfProblems(report) : why);
  // Other words already say how the gates ended.
  return plain(cause === "upload" ? NOT_UPLOADED : `${cause} is fail`);
}

function supersededWords(
  named: string,
  { reason, superseded_by: newer }: DeploymentReport,
  version: string,
): string {
  if (endOf(reason) !== "skipped")
    return `${named} was superseded: another revision replaced ${version === "" ? "this one" : version}`;
  const skipped = `${named} was superseded: the service skipped ${version === "" ? "this revision" : version}`;
  return newer === undefined ? skipped : `${skipped} for a newer one`;
}

/** Whether the words of a run without deployments already say why it is red. */
function isWhySaid(report: Report): boolean {
  if (report.problems.length > 0) return endsWithProblems(report);
  return report.experiments.length > 0 && report.gate_verdict !== "inconclusive";
}

/** Whether the run came to nothing but its problems, without judging or sending anything before. */
function endsWithProblems({ problems, command, experiments }: Report): boolean {
  if (problems.length === 0) return false;
  const isPlaced = problems.some(({ file }) => file !== undefined);
  return command === "validate" || isPlaced || experiments.length === 0;
}

/** `1 problem in results.json`; a problem without a file is shown in the error itself, except that of a baseline. */
function placeOfProblems(report: Report): string {
  if (report.problems[0]?.about === "baseline") return "No baseline was written";
  return report.problems.some(({ file }) => file !== undefined)
    ? problemWords(report)
    : "see the error";
}

/** The sign of a run: that of its outcome, unless the gates override it. An inconclusive run is never a green tick. */
function signOf(report: Report): string {
  if (!isGreen(report.outcome)) return iconOf(report.outcome);
  if (judgementOf(report).red) return "❌";
  return report.gate_verdict === "inconclusive" ? "❓" : iconOf(report.outcome);
}

function beginWords(report: Report, marking: Marking): string {
  const { command, deployments } = report;
  const isPlanned = deployments.some(({ plan }) => plan !== null);
  const verb = BEGUN[command === "apply" && !isPlanned ? "plan" : command] ?? "Running";
  return `${verb} ${listNames(deployments, marking)}…`;
}

function listNames(deployments: readonly DeploymentReport[], { name }: Marking): string {
  return listSome(deployments, (one) => name(one.name), 3);
}

/** Whether the words about the only deployment already say what the gates did. */
function coversGates(report: Report): boolean {
  const [one] = report.deployments;
  return (
    one !== undefined &&
    report.gates.length > 0 &&
    report.gate_verdict === "fail" &&
    (one.reason === "gate" || one.rollback !== undefined || one.outcome === "deployed")
  );
}

function endWords(report: Report, marking: Marking): string {
  const [only] = report.deployments;
  if (only === undefined) return bareWords(report, marking);
  return report.deployments.length === 1
    ? oneWords(report, only, marking)
    : manyWords(report, marking);
}

function bareWords(report: Report, { plain }: Marking): string {
  const { problems, experiments, command, outcome } = report;
  if (outcome === "cancelled") return "The run was cancelled";
  if (endsWithProblems(report))
    return command === "validate" || problems.some(({ file }) => file !== undefined)
      ? `${plain(problemWords(report))}; nothing was sent`
      : "Nothing was done: see the error";
  if (outcome === "skipped") return "Only validated: there is no API key in this run";
  if (experiments.length > 0) return experimentWords(report);
  if (command === "validate")
    return isGreen(outcome) ? "The spec is valid" : "The spec is not valid";
  return isGreen(outcome) ? "" : `${plain(command)} failed`;
}

/** Where the problems of a run are: in the spec, or in named files of results and gates. */
function problemWords({ command, problems }: Report): string {
  const files = [...new Set(problems.flatMap(({ file }) => (file === undefined ? [] : [file])))];
  const isSpec =
    !["gate", "upload"].includes(command) && files.every((file) => /^stdin$|\.ya?ml$/i.test(file));
  const count = plural(problems.length, "problem");
  if (isSpec || files.length === 0) return `The spec has ${count}`;
  const shown = files.slice(0, 3).join(", ") + (files.length > 3 ? " and others" : "");
  return `${count} in ${shown}`;
}

function experimentWords({ command, experiments }: Report): string {
  const failed = experiments.filter(
    ({ outcome }) => outcome === "failed" || outcome === "unknown",
  ).length;
  const count = plural(experiments.length, "experiment");
  if (failed > 0) return `${failed} of ${count} not uploaded`;
  if (command === "gate" || experiments.every((one) => one.outcome === "gated-only")) return "";
  return experiments.every((one) => one.outcome === "dry-run")
    ? `Dry run of ${count}`
    : `Uploaded ${count}`;
}

function oneWords(report: Report, one: DeploymentReport, marking: Marking): string {
  const { name } = marking;
  const named = name(one.name);
  const version = versionWords(one, marking);
  const { rollback } = one;
  if (rollback !== undefined)
    return `${named}: ${rollbackWords(report, { ...one, rollback }, marking)}`;
  switch (one.outcome) {
    case "planned":
      return `${named} ${planWords(one)}`;
    case "unchanged":
      return unchangedWords(one, named);
    case "blocked":
      return report.command === "plan"
        ? `${named} cannot be deployed: ${blockedWords(report, one, marking)}`
        : `${named} was not ${NOT_DONE[report.command] ?? "deployed"}: ${blockedWords(report, one, marking)}`;
    case "deployed":
      return deployedWords(report, one, marking);
    case "started":
      return `Started ${named} (not waiting)`;
    case "updated":
      return report.command === "destroy"
        ? `${named} was deleted`
        : `${named} was updated in place, without a new revision`;
    case "skipped":
      return `${named} was only validated: there is no API key in this run`;
    case "failed":
      return `${named}: ${failureWords(one, marking)}${servingWords(one, marking)}`;
    case "timed-out":
      if (report.command === "destroy") return `${named} timed out: it is still being deleted`;
      return `${named} timed out: ${timedOutWords(one, marking)}`;
    case "superseded":
      return supersededWords(named, one, version);
    case "cancelled":
      return `${named}: ${cancelledWords(one, version)}${one.changed ? servingWords(one, marking) : ""}`;
    case "not-run":
      return `${named} was not deployed: another deployment failed first`;
  }
}

/** How far this run's revision got before the timeout, and what serves. */
function timedOutWords(one: DeploymentReport, marking: Marking): string {
  const version = versionWords(one, marking) || "the new revision";
  const { revision_id: id, revision_status: status, serving } = one;
  // The deployment calls it active, whatever was read about the revision itself.
  if (id !== null && serving?.revision_id === id)
    return `${version} is live, but its status ${status === null ? "could not be read" : `was last read as ${marking.plain(status)}`}`;
  const where = status === null ? "not live" : `still ${marking.plain(statusWords(status))}`;
  return `${version} is ${where}${servingWords(one, marking)}`;
}

/** What a blocked command did not do, if it is no deploy. */
const NOT_DONE: Readonly<Record<string, string>> = {
  destroy: "deleted",
  wait: "waited for",
  redeploy: "redeployed",
  rollback: "rolled back",
};

function unchangedWords(one: DeploymentReport, named: string): string {
  const { plan } = one;
  if (plan === null) return `${named}: nothing to change`;
  if (plan.commit_unchecked === true)
    return `${named}: nothing to change in the settings${comparisonCaveat(plan)}; the commit was not checked`;
  return `${named}: nothing to change, live matches the spec${comparisonCaveat(plan)}`;
}

const DEPLOYED_WORDS: Readonly<Record<string, string>> = {
  create: "was created",
  redeploy: "was redeployed",
  wait: "is live",
};

function deployedWords(report: Report, one: DeploymentReport, marking: Marking): string {
  const done = DEPLOYED_WORDS[report.command === "wait" ? "wait" : one.action] ?? "was deployed";
  const version = versionWords(one, marking);
  const live = version === "" || done === "is live" ? "" : `: ${version} is live`;
  const why = gateFall(report, marking.plain) || "its gate could not be judged";
  const fell = report.gate_verdict === "fail" ? `, but ${why}` : "";
  return `${marking.name(one.name)} ${done}${live}${fell}`;
}

/**
 * What this run's revision is built from, formatted; empty if unknown. Its id if another serving
 * revision is built from the same.
 */
function versionWords(one: DeploymentReport, { name }: Marking): string {
  if (one.version === undefined) return "";
  return sharesVersion(one)
    ? revisionWords(one.revision_id!, name)
    : name(shortVersion(one.version));
}

const revisionWords = (id: string, name: Marking["name"]): string =>
  `revision ${name(id.slice(0, 8))}`;

/** Whether a branch or tag names the serving revision as well as this run's. */
function sharesVersion({ revision_id: id, serving, version }: DeploymentReport): boolean {
  if (id === null || version === undefined || serving === undefined || serving === null)
    return false;
  const { revision_id: served, version: other } = serving;
  return served !== id && other !== null && shortVersion(other) === shortVersion(version);
}

function blockedWords(report: Report, one: DeploymentReport, { name, plain }: Marking): string {
  if (one.reason === "gate") return gateFall(report, plain) || reasonWords(one.reason);
  const blockers = one.plan?.blockers ?? [];
  const path = blockers.length === 1 ? blockers[0]!.path : undefined;
  if (path === undefined) return plain(reasonWords(one.reason));
  const why = FIELD_WORDS[one.reason];
  return why === undefined ? plain(reasonWords(one.reason)) : `${name(lastKey(path))} ${why}`;
}

const FIELD_WORDS: Readonly<Record<string, string>> = {
  immutable: "cannot be changed",
  impossible: "cannot be changed",
  clear: "cannot be cleared",
};

const lastKey = (path: string): string => path.replace(/^source_(?:revision_)?config\./, "");

/** What failed, without what serves now. */
function failureWords(one: DeploymentReport, marking: Marking): string {
  const version = versionWords(one, marking);
  const of = version === "" ? "" : ` of ${version}`;
  if (one.reason === "service") return serviceWords(one.request);
  switch (statusRow(one.reason)?.endsPhase) {
    case "queued":
      return `${sharesVersion(one) ? version : `the revision${of}`} could not be created`;
    case "build":
      return `the build${of} failed`;
    case "deploy":
      return `${version === "" ? "the new revision" : version} was built, but did not start`;
    default:
      return one.reason === "" ? "failed" : marking.plain(reasonWords(one.reason, one.request));
  }
}

const STATUS_WORDS: Readonly<Record<number, string>> = {
  401: "the API key was rejected (401)",
  402: "a plan or payment limit was reached (402)",
  403: "access was denied (403)",
};

const serviceWords = (request: FailedRequest | undefined): string =>
  STATUS_WORDS[request?.status ?? 0] ?? reasonWords("service", request);

/** What serves at the end, as read then; empty if it was not read. */
function servingWords(one: DeploymentReport, { name }: Marking): string {
  const { serving } = one;
  if (serving === undefined) return "";
  if (serving === null) return "; nothing is serving";
  if (serving.revision_id === one.revision_id) {
    const own = serving.version ?? one.version;
    return `; ${own === undefined ? "the new revision" : name(shortVersion(own))} is live`;
  }
  const version = serving.version === null ? null : shortVersion(serving.version);
  const same = version === null || version === shortVersion(one.version ?? "");
  // A revision made during this run is not the one that served before it, and after a rollback none served throughout.
  const isStill = serving.revision_id === one.previous_revision_id && one.rollback === undefined;
  const serves = isStill ? "still serving" : "serving";
  return `; ${same ? revisionWords(serving.revision_id, name) : name(version)} is ${serves}`;
}

function rollbackWords(report: Report, one: RolledBack, marking: Marking): string {
  const { rollback, serving } = one;
  const why =
    one.outcome === "deployed" && report.gate_verdict === "fail"
      ? gateFall(report, marking.plain) || "a gate failed"
      : failureWords(one, marking);
  if (rollback.outcome === "deployed") {
    const to = serving?.version ?? null;
    return `${why}; rolled back${to === null || to === one.version ? " to the revision before" : ` to ${marking.name(shortVersion(to))}`}`;
  }
  // The previous one may be built from the same, so say which of the two it is.
  const serves =
    serving?.revision_id === one.revision_id && one.revision_id !== null
      ? `; ${revisionWords(one.revision_id, marking.name)}, which failed, is live`
      : servingWords(one, marking);
  return `${why}, and the rollback ${rollbackEnd(rollback)}${serves}`;
}

/** If it names a revision, an overtaken rollback was sent. */
function rollbackEnd({ outcome, revision_id }: RolledBack["rollback"]): string {
  if (outcome === "superseded" && revision_id !== null)
    return "was overtaken by another run's update";
  return ROLLBACKS[outcome] ?? outcome;
}

type RolledBack = DeploymentReport & Required<Pick<DeploymentReport, "rollback">>;

const ROLLBACKS: Readonly<Partial<Record<Outcome, string>>> = {
  failed: "failed",
  blocked: "was not possible",
  cancelled: "was cancelled",
  superseded: "was not done, since a newer revision exists",
  "timed-out": "did not finish",
};

function cancelledWords(one: DeploymentReport, version: string): string {
  if (one.revision_id === null) return "cancelled";
  // A status without a wait is that of an existing revision: the run was cancelled while verifying it.
  if (one.revision_status !== null && one.timeline.length === 0)
    return one.changed
      ? "cancelled after it was updated in place"
      : "cancelled; nothing was changed";
  const what = version === "" ? "the new revision" : version;
  return isDeployed(one.revision_status)
    ? `cancelled after ${what} went live`
    : `cancelled; ${what} is still ${one.revision_status === null ? "building" : statusWords(one.revision_status)}`;
}

function manyWords(report: Report, marking: Marking): string {
  const counts = OUTCOMES.map((outcome): [Outcome, number] => [
    outcome,
    report.deployments.filter((one) => one.outcome === outcome).length,
  ])
    .filter(([, count]) => count > 0)
    .map(([outcome, count]) => `${count === report.deployments.length ? "all" : count} ${outcome}`)
    .join(", ");
  const red = report.deployments.filter(
    (one) => !isGreen(one.outcome) && one.outcome !== "not-run",
  );
  const names = red.length === 0 ? "" : ` (${listNames(red, marking)})`;
  return `${plural(report.deployments.length, "deployment")}: ${counts}${names}`;
}
