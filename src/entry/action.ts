import { join } from "node:path";
import { setSecret } from "@actions/core";
import { systemClock } from "../clock.ts";
import { resolveAuto } from "../cli/command-table.ts";
import type { Session } from "../ci/session.ts";
import { noteUnjudged, runCommand } from "./command.ts";
import { locateWrittenFiles } from "../ci/written-files.ts";
import { readRunContext, readEvent } from "../ci/context.ts";
import { createGithubHost } from "../github/host.ts";
import { createRedactor } from "../secrets/redaction.ts";
import { createWorkspace } from "../files/workspace.ts";
import { secretsOf, type Options } from "../cli/options.ts";
import { parseInputs, readActionInputs, readGateEnvironment } from "../cli/input-values.ts";
import { abortOnSignals, createSession, endIfCancelled, maskSecrets, wantsLogs } from "./wiring.ts";

/**
 * The Action's entry point: reads inputs, runs one command, sets outputs. gate/action.yml has its
 * own inputs and outputs, and runs `gate`.
 */
export async function run(source: Exclude<Session["entryPoint"], "cli"> = "action"): Promise<void> {
  const signal = abortOnSignals();
  const env: Session["env"] = { ...process.env, GITHUB_ACTIONS: "true" };
  const { options, problems } = parseInputs(
    readActionInputs(env),
    source,
    source === "gate" ? readGateEnvironment(env) : {},
  );
  if (options.command === "emulator") {
    const { startBackgroundEmulator } = await import("../commands/emulator.ts");
    process.exitCode = await startBackgroundEmulator(env);
    return;
  }
  const redactor = createRedactor({ onForm: setSecret });
  maskSecrets(redactor, secretsOf(options), env);
  const context = readRunContext(env, readEvent(env["GITHUB_EVENT_PATH"]));
  const root = env["GITHUB_WORKSPACE"] ?? process.cwd();
  const workspace = createWorkspace({ root, temp: env["RUNNER_TEMP"] });
  const ownReport = ownReportFile(env, root);
  const located = await locateWrittenFiles(workspace, {
    ...options,
    reportFile: options.reportFile ?? ownReport,
  });
  const host = createGithubHost({
    context,
    redactor,
    clock: systemClock,
    env,
    color: env["NO_COLOR"] === undefined || env["NO_COLOR"] === "",
    options: {
      ...options,
      ...located,
      reportFile: located.reportFile ?? ownReport,
      streamLogs: wantsLogs(options, env),
      ...(source === "gate" ? asGate(options, env) : {}),
    },
  });
  const session = createSession({
    entryPoint: source,
    command: source === "gate" ? "gate" : resolveAuto(options.command, context.event),
    options,
    env,
    host,
    redactor,
    workspace,
    run: context,
    cwd: root,
    signal,
    print: (text) => {
      for (const line of text.trimEnd().split("\n")) host.progress(line);
    },
    color: false,
  });
  for (const { level, message } of problems)
    if (level === "warning") host.notify("warning", message);
  noteUnjudged(session);
  const wrong = problems.filter((problem) => problem.level === "error");
  const refused = [...wrong.map((problem) => problem.message), ...located.problems];
  const code = await runCommand(session, refused);
  process.exitCode = code === 0 ? 0 : 1;
  endIfCancelled(signal);
}

/** Where a step without `report-file` writes its report; steps of one job differ by GITHUB_ACTION. */
function ownReportFile(env: Session["env"], root: string): string {
  const step = (env["GITHUB_ACTION"] ?? "run").replace(/[^\w-]/g, "-");
  return join(env["RUNNER_TEMP"] ?? root, `agent-deploy-report-${step}.json`);
}

/**
 * Host options for a gate on its own. It has no `spec`, `matrix` or `comment-key` to distinguish
 * comments: the step and its result files do, so each leg of a matrix needs its own file name.
 */
function asGate(
  { experiment }: Options,
  env: Session["env"],
): Pick<Options, "commentKey" | "spec"> {
  return {
    commentKey: env["GITHUB_ACTION"],
    spec: experiment.filter((one) => !one.startsWith("experiment:")),
  };
}
