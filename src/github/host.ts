import { appendFileSync } from "node:fs";
import type { AnnotationProperties } from "@actions/core";
import { toVisible } from "../report/escape.ts";
import { withoutTerminalCodes } from "../terminal-codes.ts";
import { attempt, writeReportFiles } from "../ci/report-files.ts";
import { renderSummary } from "../report/markdown.ts";
import { toGateOutputs, toOutputs } from "../report/outputs.ts";
import { isGreen } from "../report/outcome.ts";
import { toProblemLine, type Report } from "../report/report.ts";
import { toAnnotations } from "../report/annotations.ts";
import { renderOutcome, renderPlan, warningsOfPlan } from "../report/terminal.ts";
import { painter, tailLines, toLogKey } from "../report/terminal-frame.ts";
import { toHeadline } from "../report/verdict.ts";
import { isRed } from "../report/judgement.ts";
import type { Stage } from "../report/wording.ts";
import type { Diagnostic } from "../spec/desired.ts";
import { messageOf } from "./error.ts";
import type { GithubHostSetup } from "./setup.ts";
import type { ReportToGithub } from "./sinks.ts";
import type { Host } from "../ci/host.ts";
import { createLogGroups } from "../ci/log-groups.ts";
import * as runner from "../ci/runner.ts";
import { toLogText } from "../ci/workflow-command.ts";

/** GitHub shows ten annotations per level and step; the rest become log lines. */
const MAX_ANNOTATIONS = 10;

/** The Action's host. `begin` may be reported again once plans are known, which creates the GitHub Deployment. */
export function createGithubHost(setup: GithubHostSetup): Host {
  const log = createLog(setup);
  const remote = createRemote(setup, log.notify);
  let planShown = false;

  const warn = (message: string): void => log.notify("warning", message);
  const setOutputs = (outputs: Readonly<Record<string, string>>): void => {
    attempt("The outputs were not set", () => runner.setOutputs(outputs), warn);
  };
  const showPlan = (report: Report): void => {
    if (planShown || report.deployments.every((one) => one.plan === null)) return;
    planShown = true;
    log.group("Plan", renderPlan(report, setup));
    for (const line of warningsOfPlan(report)) log.reported.add(line);
  };

  const publish: Host["publish"] = async (stage, unredacted) => {
    const report = setup.redactor.redactAll(unredacted);
    if (stage === "begin") {
      showPlan(report);
      await remote.follow("begin", report);
      return;
    }
    const reportPath = writeReportFiles(setup.options, report, warn);
    const outputsOf = unredacted.entry_point === "gate" ? toGateOutputs : toOutputs;
    setOutputs(outputsOf(report, { reportPath, commentUrl: remote.commentUrl() }));
    showEnd(report, { showPlan, log, color: setup.color });
    const summary = setup.env["GITHUB_STEP_SUMMARY"] ?? "";
    const hasReport = !WRITES_DOCUMENT.includes(report.command) || isRed(report);
    if (setup.options.summary && summary !== "" && hasReport)
      attempt("The job summary was not written", () => writeSummary(summary, report), warn);
    if (setup.options.driftIssue)
      await (await import("./drift-issue.ts")).publishDriftIssue(setup, report, log.notify);
    const before = remote.commentUrl();
    await remote.follow("end", report);
    if (remote.commentUrl() !== before) setOutputs({ "comment-url": remote.commentUrl() });
  };
  const deployedStates: NonNullable<Host["deployedStates"]> = async () =>
    (await import("./deployed-states.ts")).readDeployedStates(setup, log.notify);
  const newerRun: Host["newerRun"] = async (name) =>
    (await import("./deployed-states.ts")).readNewerRun(setup, name);
  const { progress, annotate, notify, show } = log;
  const live = setup.options.streamLogs ? { live: { log: show } } : {};
  return { progress, annotate, notify, publish, deployedStates, newerRun, ...live };
}

type Level = Parameters<Host["notify"]>[0];

function createLog({ redactor: { redact }, color, clock }: GithubHostSetup) {
  const shown = { notice: 0, warning: 0, error: 0 };
  const reported = new Set<string>();
  const write = (line: string): unknown => process.stdout.write(`${line}\n`);
  /** A line may repeat text from the service or a file: its terminal codes are removed. */
  const plain = (text: string): string =>
    redact(text)
      .split("\n")
      .map((line) => toVisible(withoutTerminalCodes(line)))
      .join("\n");
  const { open, close, show } = createLogGroups({
    write,
    clean: (text) => toLogText(plain(text)),
    ci: "github",
    paint: painter(color),
    now: clock.now,
  });
  const print = (text: string): void => {
    close();
    write(toLogText(redact(text)));
  };
  const annotation = (
    level: Level,
    message: string,
    properties: AnnotationProperties & { readonly title: string },
  ): void => {
    close();
    shown[level] += 1;
    const safe = toLogText(plain(message));
    const { title, file, startLine, startColumn } = properties;
    const place = file === undefined ? "" : `${file}:${startLine}:${startColumn}: `;
    if (shown[level] <= MAX_ANNOTATIONS)
      runner.annotate(level, safe, { ...properties, title: plain(title) });
    else print(`${level}: ${place}${safe}`);
  };
  const shownLog: typeof show = (name, phase, lines) => {
    show(name, phase, lines);
    reported.add(toLogKey(name, redact(lines.at(-1) ?? "")));
  };
  return {
    /** Prints our own text, with its colours. */
    print,
    progress: (line: string) => print(plain(line)),
    group: (title: string, body: string) => {
      open(title);
      write(toLogText(redact(body.trimEnd())));
      close();
    },
    show: shownLog,
    annotate: ({ level, file, line, column, path, message }: Diagnostic) =>
      annotation(level, path === "" ? message : `${path}: ${message}`, {
        title: `File ${level}`,
        file,
        startLine: line,
        startColumn: column,
      }),
    notify: (level: Level, message: string) => {
      if (level === "error") reported.add(redact(message));
      annotation(level, message, { title: "agent-deploy" });
    },
    /** Reports a problem of the run, prefixed with its title. */
    problem: (level: Level, title: string, message: string) =>
      annotation(level, message, { title }),
    hasErrors: () => shown.error > 0,
    /** Shown errors without a place, the last line of each log read, and the warnings of the plan. */
    reported,
  };
}

type Log = ReturnType<typeof createLog>;

function showEnd(
  report: Report,
  { showPlan, log, color }: { showPlan: (report: Report) => void; log: Log; color: boolean },
): void {
  if (report.command === "plan" && report.deployments.some((one) => one.plan !== null)) {
    log.print(renderPlan(report, { color }).trimEnd());
    for (const line of warningsOfPlan(report)) log.reported.add(line);
  } else showPlan(report);
  log.print("");
  log.print(renderOutcome(report, { color, logTails: false, reported: log.reported }).trimEnd());
  for (const { name, log_tail: tail } of report.deployments)
    if (tail.length > 0 && !log.reported.has(toLogKey(name, tail.at(-1)!)))
      log.group(`Log of ${name}, ${tail.length} lines`, tailLines("log", tail).join("\n"));
  annotateEnd(report, log);
}

/** Annotates each problem once; a red run without any annotated problem shows its first problem or its headline. */
function annotateEnd(report: Report, log: Log): void {
  const annotations = toAnnotations(report);
  for (const { level, title, message } of annotations) log.problem(level, title, message);
  const red = isRed(report);
  if (annotations.length > 0 || (!red && isGreen(report.outcome)) || (red && log.hasErrors()))
    return;
  const [problem] = report.problems;
  const what = red && problem !== undefined ? toProblemLine(problem) : toHeadline(report, "end");
  log.problem(red ? "error" : "warning", `agent-deploy ${report.command}`, what);
}

function writeSummary(path: string, report: Report): void {
  const summary = renderSummary(report);
  runner.endLastLine(path);
  appendFileSync(path, summary);
}

/**
 * Milliseconds that reporting to GitHub may take in all: little before the deploy, and almost none
 * when the runner is about to kill the process.
 */
const REPORT_LIMIT_MS = { begin: 10_000, end: 90_000, cancelled: 2_000 };
/** What any `timeout` leaves for the end of a run. */
const MIN_REPORT_LIMIT_MS = 2_000;

function patienceOf(
  stage: Stage,
  { outcome }: Report,
  { options: { timeoutMs } }: GithubHostSetup,
): number {
  if (stage === "end" && outcome === "cancelled") return REPORT_LIMIT_MS.cancelled;
  return Math.min(REPORT_LIMIT_MS[stage], Math.max(MIN_REPORT_LIMIT_MS, timeoutMs ?? Infinity));
}

/** These print or write a document; a comment about that would replace the comment of a plan. */
const WRITES_DOCUMENT: readonly string[] = ["render", "export"];

/** Commands that may create a GitHub Deployment: only these warn about a missing permission. */
const DEPLOYING: readonly string[] = ["apply", "redeploy", "rollback", "wait", "destroy"];
/** These do if their gates may roll back what an earlier step deployed. */
const GATING: readonly string[] = ["upload", "gate"];

function mayDeploy(command: string, { onFailure, deploymentId }: GithubHostSetup["options"]) {
  const mayRollBack = onFailure === "rollback" && deploymentId !== undefined;
  return DEPLOYING.includes(command) || (mayRollBack && GATING.includes(command));
}

/** The reports that go over the network: the comment and the GitHub Deployment. */
function createRemote(setup: GithubHostSetup, notify: Host["notify"]) {
  let opened: Promise<ReportToGithub | null> | null = null;
  let deadlineMs = 0;
  let giveUp = new AbortController();
  let queue: Promise<void> = Promise.resolve();
  let url = "";

  const open = async ({ command }: Report): Promise<ReportToGithub | null> => {
    const wanted = {
      comment: !WRITES_DOCUMENT.includes(command) && wantsComment(setup, notify),
      deployment: mayDeploy(command, setup.options) && wantsDeployment(setup, notify),
    };
    if (!wanted.comment && !wanted.deployment) return null;
    const { openGithubSinks } = await import("./sinks.ts");
    const timeoutMs = (): number => deadlineMs - setup.clock.monotonic();
    return openGithubSinks(setup, wanted, { timeoutMs, signal: () => giveUp.signal }, notify);
  };

  // Never throws. In sequence: a cancelled run reports its end while its beginning may still be in progress.
  const follow = async (stage: Stage, report: Report): Promise<void> => {
    const cancelled = stage === "end" && report.outcome === "cancelled";
    if (cancelled) giveUp.abort(new Error("the run was cancelled"));
    const turn = queue.then(async () => {
      deadlineMs = setup.clock.monotonic() + patienceOf(stage, report, setup);
      giveUp = new AbortController();
      opened ??= open(report);
      const shown = await (await opened)?.(stage, report);
      if (shown) url = shown;
    });
    queue = turn.catch(() => {});
    try {
      await turn;
    } catch (error) {
      notify(
        "warning",
        `Could not report this run to GitHub: ${messageOf(error)}. The report is in the job summary and the report file.`,
      );
    }
  };
  /** `commentUrl`: empty if unknown. */
  return { follow, commentUrl: () => url };
}

function wantsComment({ context, options }: GithubHostSetup, notify: Host["notify"]): boolean {
  if (options.comment === "never" || context.repository === null) return false;
  if (context.pullRequest === null && !context.pullRequestByCommit) return false;
  if (context.readOnlyToken) {
    // A push by Dependabot: whether a pull request expects a report is unknown and cannot be asked.
    if (context.pullRequest === null) return false;
    notify(
      "warning",
      `No pull request comment: the token of ${context.fork ? "a fork's" : "a Dependabot"} pull request may only read, and \`pull-requests: write\` is needed. The report is in the job summary.`,
    );
    return false;
  }
  if (options.githubToken === undefined) {
    notify(
      "warning",
      "No pull request comment: `github-token` is empty. Leave it at its default, and give the job `permissions: pull-requests: write`. The report is in the job summary.",
    );
    return false;
  }
  return true;
}

function wantsDeployment({ context, options }: GithubHostSetup, notify: Host["notify"]): boolean {
  if (options.environment === undefined || context.repository === null) return false;
  if (!context.readOnlyToken && options.githubToken !== undefined) return true;
  notify(
    "warning",
    "No GitHub Deployment: `environment` is set, but the token lacks the permission. Give the job `permissions: deployments: write`, or leave `environment` out.",
  );
  return false;
}
