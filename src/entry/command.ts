import { once } from "node:events";
import type { Command } from "../cli/command-table.ts";
import { renderCompletion, type CompletedShell } from "../cli/completion.ts";
import { rowOf, type Options } from "../cli/options.ts";
import { type JudgedReport, toProblemLine } from "../report/report.ts";
import { endWith, showProblems } from "../ci/report-assembly.ts";
import { isUsageError, UsageError, type CommandFunction, type Session } from "../ci/session.ts";

/** Functions of commands; only that of the command that runs is loaded. */
type Loaders<F> = Readonly<Partial<Record<Command, () => Promise<F>>>>;

/** Commands that end with a report for every sink. */
const COMMANDS: Loaders<CommandFunction> = {
  plan: async () => (await import("../commands/plan.ts")).planDocuments,
  apply: async () => (await import("../commands/apply.ts")).applyDocuments,
  wait: async () => (await import("../commands/wait.ts")).runWait,
  redeploy: async () => (await import("../commands/redeploy.ts")).runRedeploy,
  rollback: async () => (await import("../commands/rollback.ts")).runRollback,
  destroy: async () => (await import("../commands/destroy.ts")).runDestroy,
  validate: async () => (await import("../commands/validate.ts")).runValidate,
  render: async () => (await import("../commands/render.ts")).runRender,
  upload: async () => (await import("../commands/upload.ts")).runUpload,
  gate: async () => (await import("../commands/gate.ts")).runGate,
  report: async () => (await import("../commands/report.ts")).runReport,
  export: async () => (await import("../commands/export.ts")).runExport,
};

/** Prints what it was asked for, without a report; returns the exit code. */
type PrintFunction = (session: Session) => Promise<number>;

/** Commands of the command line that only print. */
const PRINTING: Loaders<PrintFunction> = {
  lookup: async () => (await import("../commands/lookup.ts")).runLookup,
  list: async () => (await import("../commands/list.ts")).runList,
  status: async () => (await import("../commands/status.ts")).runStatus,
  history: async () => (await import("../commands/history.ts")).runHistory,
  logs: async () => (await import("../commands/logs.ts")).runLogs,
  open: async () => (await import("../commands/status.ts")).runOpen,
  whoami: async () => (await import("../commands/whoami.ts")).runWhoami,
  emulator: async () => (await import("../commands/emulator.ts")).runEmulatorCommand,
  demo: async () => (await import("../commands/demo.ts")).runDemo,
  init: async () => (await import("../commands/init.ts")).runInit,
  completion: () =>
    Promise.resolve(({ print, options }) => {
      print(renderCompletion(options.name as CompletedShell));
      return Promise.resolve(0);
    }),
};

/** How to load a command that only prints; undefined for one that ends with a report. */
export function printerOf(
  command: Command,
  { explain, plan }: Pick<Options, "explain" | "plan">,
): (() => Promise<PrintFunction>) | undefined {
  if (command === "upload" && explain)
    return async () => (await import("../commands/upload.ts")).runExplain;
  if (command === "gate" && plan)
    return async () => (await import("../commands/gate-plan.ts")).runGatePlan;
  return PRINTING[command];
}

/** Runs a command that only prints; an error is its problems on stderr. Returns the exit code. */
export async function runPrinting(
  session: Session,
  load: () => Promise<PrintFunction>,
): Promise<number> {
  try {
    return await (await load())(session);
  } catch (error) {
    const report = toFailedEnd(session, error);
    // Problems in a file were annotated there.
    for (const problem of report.problems)
      if (problem.file === undefined) session.host.notify("error", toProblemLine(problem));
    return exitCodeOf(report);
  }
}

/** Commands that leave nothing running, except a rollback requested by a gate. */
const LEAVE_NOTHING = ["plan", "gate", "validate", "render", "report", "export"];
/** How long a cancelled command may take to end on its own, so that every sink is written before the process ends. */
const OWN_END_MS = { nothingLeft: 500, other: 3_700 };

/**
 * Notes that a gate is not judged, so that a green run does not look as if it had passed. For inputs,
 * and for what `auto` became: the command line itself warns of a flag without effect on a command.
 */
export function noteUnjudged({ command, options, host }: Session): void {
  if (options.gate === undefined || rowOf("gate").on.includes(command)) return;
  host.notify(
    "notice",
    `gate has no effect on ${command}: no results are judged; to judge them, run the command gate`,
  );
}

const exitCodeOf = ({ judgement }: JudgedReport): number => judgement.exit_code;

/**
 * Runs the session's command, unless its call was refused for these problems, and reports its end to
 * every sink, whatever happens. Returns the exit code.
 */
export async function runCommand(
  session: Session,
  refused: readonly string[],
  load = loadCommand,
): Promise<number> {
  const ended = new AbortController();
  const loading = refused.length > 0 ? Promise.reject(new UsageError(refused)) : load(session);
  const running = loading
    .then((command) => command(session))
    .catch((error: unknown) => toFailedEnd(session, error))
    .finally(() => {
      ended.abort();
    });
  const end = await Promise.race([running, cancelledEnd(session, ended.signal)]);
  try {
    await session.host.publish("end", end);
    return exitCodeOf(end);
  } catch (error) {
    // The runtime would print a stack trace that bypasses the redactor.
    session.host.notify(
      "error",
      `failed to publish the final report: ${String((error as { message?: unknown }).message ?? error)}`,
    );
    return exitCodeOf(end) || 1;
  }
}

/** Ends a cancelled command that is busy with something that ignores signals: reading files, scoring rows. */
async function cancelledEnd(session: Session, ended: AbortSignal): Promise<JudgedReport> {
  if (!session.signal.aborted) await once(session.signal, "abort");
  const leavesNothing =
    LEAVE_NOTHING.includes(session.command) && session.options.onFailure !== "rollback";
  await session.clock
    .sleep(leavesNothing ? OWN_END_MS.nothingLeft : OWN_END_MS.other, ended)
    .catch(() => new Promise(() => undefined));
  return leavesNothing
    ? toFailedEnd(session, session.signal.reason)
    : toCancelledEnd(
        session,
        "cancelled: the run did not stop in time; the log shows how far it got",
      );
}

function toCancelledEnd(session: Session, problem: string): JudgedReport {
  const problems = [{ message: problem }];
  return endWith(session, { outcome: "cancelled", changed: false, problems });
}

/**
 * Commands that only write: a dry run would do nothing, and sending the request would be the
 * opposite of what was asked.
 */
const NO_DRY_RUN: readonly Command[] = ["redeploy", "destroy"];

async function loadCommand({ command, options }: Session): Promise<CommandFunction> {
  if (options.dryRun && NO_DRY_RUN.includes(command))
    throw new UsageError(
      `dry-run: ${command} has no dry run, and nothing was sent; leave dry-run out to do it`,
    );
  const load = COMMANDS[command];
  if (load === undefined)
    throw new UsageError(`${command} is not a command of the Action; use the command line for it`);
  return load();
}

/** The end of a run that could not continue: exit code 2 for a usage error, 1 otherwise. */
export function toFailedEnd(session: Session, error: unknown): JudgedReport {
  if (session.signal.aborted)
    return toCancelledEnd(session, "cancelled before anything was started");
  const problems = showProblems(session, error);
  const usage = isUsageError(error);
  const { name = "Error", stack } = error as { readonly name?: string; readonly stack?: unknown };
  if (!usage && name !== "ServiceError" && session.env["RUNNER_DEBUG"] === "1")
    session.host.progress(String(stack));
  return endWith(session, { outcome: "failed", changed: false, problems }, { usage });
}
