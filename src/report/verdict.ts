import { OUTCOMES, isGreen, type DeploymentReport, type Outcome, type Report } from "./report.ts";
import { ICONS, isRed, planWords, plural, reasonWords, type Stage } from "./wording.ts";

/** What happened, to what, and why, in one line without markup; `name` sets names and `plain` everything else apart. */
export interface Verdict {
  readonly icon: string;
  readonly headline: string;
}

interface Marking {
  readonly name: (name: string) => string;
  readonly plain: (words: string) => string;
}

const BEGUN: Readonly<Record<string, string>> = {
  plan: "Planning",
  apply: "Deploying",
  wait: "Waiting for",
  redeploy: "Redeploying",
  destroy: "Destroying",
  upload: "Uploading experiments",
  gate: "Judging gates",
  report: "Collecting reports",
};

/** The verdict of a run, the first line of every sink. */
export function toVerdict(report: Report, stage: Stage, marking: Marking): Verdict {
  const verdict = toRunVerdict(report, stage, marking);
  return report.target === undefined
    ? verdict
    : { ...verdict, headline: `${marking.name(report.target)}: ${verdict.headline}` };
}

function toRunVerdict(report: Report, stage: Stage, marking: Marking): Verdict {
  if (stage === "begin") {
    const planned =
      report.command === "apply" && report.deployments.every((one) => one.plan === null);
    const names = report.deployments
      .slice(0, 3)
      .map((one) => marking.name(one.name))
      .join(", ");
    const more = report.deployments.length > 3 ? ` and ${report.deployments.length - 3} more` : "";
    return {
      icon: "⏳",
      headline: `${planned ? "Planning" : Object.hasOwn(BEGUN, report.command) ? BEGUN[report.command] : "Running"}${names === "" ? "" : ` ${names}${more}`}…`,
    };
  }
  const words = [endWords(report, marking), gateWords(report, marking)].filter(
    (part) => part !== "",
  );
  // Where the gates decide, they come first.
  if (isRed(report) && isGreen(report.outcome))
    return { icon: "❌", headline: words.toReversed().join(" · ") };
  if (
    report.gate_verdict === "inconclusive" &&
    report.deployments.length === 0 &&
    isGreen(report.outcome)
  )
    return { icon: "❓", headline: words.toReversed().join(" · ") };
  return { icon: ICONS[report.outcome], headline: words.join(" · ") };
}

function gateWords(report: Report, { plain }: Marking): string {
  const { gates, gate_verdict: verdict } = report;
  if (verdict === "none") return "";
  if (verdict === "pass")
    return gates.length === 1
      ? "the gate passed"
      : `${gates.length === 0 ? "the" : `all ${gates.length}`} gates passed`;
  const deciding = gates.filter((gate) => gate.verdict === verdict);
  const word = verdict === "fail" ? "failed" : "inconclusive";
  if (deciding.length === 0) return `gates ${word}`;
  const metrics = [...new Set(deciding.map((gate) => gate.metric))];
  const names = `${metrics
    .slice(0, 3)
    .map((metric) => plain(metric))
    .join(", ")}${metrics.length > 3 ? ` and ${metrics.length - 3} more` : ""}`;
  return `${gates.length === 1 ? `The gate ${word}` : `${deciding.length} of ${plural(gates.length, "gate")} ${word}`}: ${names}`;
}

function endWords(report: Report, marking: Marking): string {
  const [only] = report.deployments;
  if (only === undefined) return bareWords(report, marking);
  return report.deployments.length === 1
    ? oneWords(report, only, marking)
    : manyWords(report, marking);
}

function bareWords(report: Report, { plain }: Marking): string {
  if (report.problems.length > 0)
    return `${plural(report.problems.length, "problem")}: nothing was done`;
  if (report.experiments.length > 0) {
    const failed = report.experiments.filter(
      (one) => one.outcome === "failed" || one.outcome === "unknown",
    ).length;
    const done =
      report.command === "gate" || report.experiments.every((one) => one.outcome === "gated-only")
        ? "Judged"
        : report.experiments.every((one) => one.outcome === "dry-run")
          ? "Dry run of"
          : "Uploaded";
    return failed > 0
      ? `${failed} of ${plural(report.experiments.length, "experiment")} not uploaded`
      : `${done} ${plural(report.experiments.length, "experiment")}`;
  }
  if (report.command === "validate")
    return isGreen(report.outcome) ? "The spec is valid" : "The spec is not valid";
  return `${plain(report.command)}: ${report.outcome}`;
}

/** What the service does not show was not compared: then nothing claims that all of it matches. */
function matchWords({ plan }: DeploymentReport): string {
  return (plan?.unreadable ?? []).length === 0
    ? "what is live matches the spec"
    : "what is live matches the spec, as far as the service shows it";
}

function oneWords(report: Report, one: DeploymentReport, { name, plain }: Marking): string {
  const named = name(one.name);
  const why = one.reason === "" ? "" : `: ${plain(reasonWords(one.reason))}`;
  if (one.rollback !== undefined) {
    return isGreen(one.rollback.outcome)
      ? `Failed and rolled back ${named}${why}`
      : `Failed ${named}${why}; the rollback ended ${one.rollback.outcome}`;
  }
  switch (one.outcome) {
    case "planned":
      return `Plan for ${named}: ${planWords(one)}`;
    case "unchanged":
      return report.command === "plan"
        ? `No changes for ${named}: ${matchWords(one)}`
        : `Nothing to change for ${named}: ${matchWords(one)}`;
    case "blocked":
      return `Blocked ${named}, nothing was changed${why}`;
    case "deployed":
      return report.command === "wait"
        ? `${named} is deployed`
        : one.action === "create"
          ? `Created and deployed ${named}`
          : one.action === "redeploy"
            ? `Redeployed ${named}`
            : `Deployed ${named}`;
    case "started":
      return `Started ${named}, not waited for`;
    case "updated":
      return report.command === "destroy"
        ? `Destroyed ${named}`
        : `Updated ${named} in place, no new revision`;
    case "skipped":
      return `Skipped ${named}: validated only`;
    case "failed":
      return `Failed ${named}${why}`;
    case "timed-out":
      return `Timed out waiting for ${named}${one.revision_status === null ? "" : `, last seen ${plain(one.revision_status)}`}`;
    case "superseded":
      return `Superseded: another revision of ${named} took over`;
    case "cancelled":
      return `Cancelled while deploying ${named}`;
    case "not-run":
      return `Not run: ${named}`;
  }
}

function manyWords(report: Report, { name }: Marking): string {
  const counts = OUTCOMES.map((outcome): [Outcome, number] => [
    outcome,
    report.deployments.filter((one) => one.outcome === outcome).length,
  ])
    .filter(([, count]) => count > 0)
    .map(([outcome, count]) => `${count} ${outcome}`)
    .join(", ");
  const red = report.deployments.filter(
    (one) => !isGreen(one.outcome) && one.outcome !== "not-run",
  );
  const names = red
    .slice(0, 3)
    .map((one) => name(one.name))
    .join(", ");
  const more = red.length > 3 ? ` and ${red.length - 3} more` : "";
  return `${plural(report.deployments.length, "deployment")}: ${counts}${red.length === 0 ? "" : ` (${names}${more})`}`;
}
