import type { Command } from "../inputs.ts";
import { toReport } from "./assembly.ts";
import { UsageError, type CommandEnd, type CommandFunction, type Session } from "./session.ts";

/** Commands that run in a session; each is loaded only when it is the one that runs. */
const COMMANDS: Readonly<Partial<Record<Command, () => Promise<CommandFunction>>>> = {
  plan: async () => (await import("./plan.ts")).runPlan,
  apply: async () => (await import("./apply.ts")).runApply,
  wait: async () => (await import("./wait.ts")).runWait,
  redeploy: async () => (await import("./redeploy.ts")).runRedeploy,
  destroy: async () => (await import("./destroy.ts")).runDestroy,
  validate: async () => (await import("./validate.ts")).runValidate,
  upload: async () => (await import("./upload.ts")).runUpload,
  gate: async () => (await import("./gate.ts")).runGate,
  report: async () => (await import("./report.ts")).runReport,
  export: async () => (await import("./export.ts")).runExport,
};

/** What `auto` stands for on an event (contract.md section 3). */
export function resolveAuto(command: Command, event: string): Command {
  if (command !== "auto") return command;
  return event === "pull_request" || event === "merge_group" ? "plan" : "apply";
}

/** Runs the session's command and tells every sink how it ended, whatever happened. */
export async function runCommand(session: Session, run = loadCommand): Promise<CommandEnd> {
  const end = await (await run(session))(session).catch((error: unknown) => toFailedEnd(session, error));
  await session.host.tell("end", end.report);
  return end;
}

async function loadCommand(session: Session): Promise<CommandFunction> {
  const load = COMMANDS[session.command];
  if (load === undefined) return () => Promise.reject(new UsageError(`${session.command} is no command of the Action; use the command line for it`));
  return load();
}

/** Errors that mean a bad call or a bad file: nothing was sent because of it. */
const USAGE_ERRORS = ["UsageError", "WorkspaceError", "ProblemError"];

/** The end of a run that could not go on; a usage error is exit code 2, anything else 1. */
export function toFailedEnd(session: Session, error: unknown): CommandEnd {
  const { name = "Error", message = String(error) } = error as { name?: string; message?: string };
  if (session.signal.aborted) {
    return { report: toReport(session, { outcome: "cancelled", changed: false, problems: ["cancelled before anything was left under way"] }), exitCode: 130 };
  }
  if (error instanceof UsageError && error.problems.length > 0) {
    return { report: toReport(session, { outcome: "failed", changed: false, problems: message.split("\n") }), exitCode: 2 };
  }
  const problems = message.split("\n");
  // The terminal's report lists them itself; GitHub shows them as annotations.
  if (session.door === "action") for (const problem of problems) session.host.say("error", problem);
  const usage = USAGE_ERRORS.includes(name);
  if (!usage && name !== "ServiceError" && session.env["RUNNER_DEBUG"] === "1") session.host.progress(String((error as { stack?: unknown }).stack));
  return { report: toReport(session, { outcome: "failed", changed: false, problems }), exitCode: usage ? 2 : 1 };
}
