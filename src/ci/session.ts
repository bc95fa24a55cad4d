import type { Clock, Random } from "../clock.ts";
import type { RunContext } from "../run-context.ts";
import type { Shell } from "../deploy/context.ts";
import type { CommitHistory } from "../plan/history.ts";
import type { AskCredentialHelper } from "./credential-helper.ts";
import type { Host } from "./host.ts";
import type { Workspace, WorkspaceOptions } from "../files/workspace.ts";
import { commandRow, type Command } from "../cli/command-table.ts";
import type { EntryPoint } from "../model/entry-point.ts";
import type { Options } from "../cli/options.ts";
import { type JudgedReport, type ReportProblem, toProblemLine } from "../report/report.ts";
import type { Diagnostic } from "../spec/desired.ts";
import type { Environment } from "../spec/interpolation.ts";
import type { Trust } from "./trust.ts";

/** What an entry point knows of a run, and where it prints. */
export interface EntrySession {
  readonly entryPoint: EntryPoint;
  /** Inputs that come from the vendor's variables; a target of the spec overrides them. */
  readonly ambient?: readonly string[];
  readonly command: Command;
  readonly options: Options;
  readonly env: Environment;
  readonly host: Host;
  readonly workspace: Workspace;
  readonly run: RunContext;
  /** Aborts on SIGINT and SIGTERM. */
  readonly signal: AbortSignal;
  /** Prints the command's product (a spec, a body) to stdout or the log, redacted unless it is `clean`. */
  readonly print: (text: string, clean?: "clean") => void;
  readonly color: boolean;
}

/** One run of one command: its options and all its access to the outside, wired by the entry point. */
export interface Session extends EntrySession {
  /** Target of the spec, once the spec was read. */
  readonly target?: string;
  /** The flags that lead where that target does. */
  readonly placeFlags?: string;
  /** Where result files may be. */
  readonly files: WorkspaceOptions & {
    /** Top of the checked-out repository; the root if there is none. */
    readonly checkout: string;
  };
  readonly clock: Clock;
  readonly random: Random;
  readonly trust: Trust;
  readonly repository: CommitHistory;
  readonly shell: Shell;
  readonly credentialHelper: AskCredentialHelper;
  readonly startedAtMs: number;
  /** Masks values in all later output. */
  readonly mask: (values: readonly string[], shownAs?: string) => void;
  /** Public names to keep, although a secret may contain them. */
  readonly keep: (names: readonly string[]) => void;
  readonly redact: (text: string) => string;
  /** Every string within a value redacted, but for our own words. */
  readonly redactAll: <T>(value: T) => T;
  /** Reads standard input to its end; rejects in the Action, which has none. */
  readonly readPiped: (maxBytes: number) => Promise<string>;
  /** Settles when what was printed has left the process; until then it is in memory. */
  readonly printed: () => Promise<void>;
  readonly version: string;
}

/** Runs one command. It rejects only if it could not continue; any other end is in its judged report. */
export type CommandFunction = (session: Session) => Promise<JudgedReport>;

/** A wrong call or invalid files: nothing was sent. Exit code 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
  /** Each at its place in a file, if it has one. */
  readonly problems: readonly ReportProblem[];
  constructor(said: string | readonly (string | Diagnostic)[]) {
    const problems = [said].flat().map(toProblem);
    super(problems.map(toProblemLine).join("\n"));
    this.problems = problems;
  }
}

function toProblem(said: string | Diagnostic): ReportProblem {
  if (typeof said === "string") return { message: said };
  const { message, file, line, column, path } = said;
  const place = file === "" ? {} : { file, line, column };
  return { message, ...place, ...(path === "" ? {} : { path }) };
}

/** Names of the errors of a wrong call and of files that cannot be used. */
const USAGE_ERRORS = ["UsageError", "WorkspaceError", "DiagnosticError"];

/** Whether an error means a wrong call or file, rather than a failure of the service or of ours. */
export function isUsageError(error: unknown): boolean {
  return USAGE_ERRORS.includes((error as { readonly name?: string }).name ?? "");
}

/**
 * Annotates all problems in files and throws a UsageError if one is an error; warnings pass. Errors
 * in inputs have no line to annotate: the end of the run shows them.
 */
export function refuse({ host }: Pick<Session, "host">, problems: readonly Diagnostic[]): void {
  for (const problem of problems) if (problem.file !== "") host.annotate(problem);
  const errors = problems.filter(({ level }) => level === "error");
  if (errors.length > 0) throw new UsageError(errors);
}

/** Refuses a write while the code may be foreign; `apply` blocks by itself, with its plan. */
export function refuseUntrusted({ command, trust }: Pick<Session, "command" | "trust">): void {
  if (trust.state === "untrusted") throw new UsageError(`${command}: ${trust.why}`);
}

/**
 * Whether the call names a deployment by id or name, so that no spec is read. A command that takes
 * a name takes a target of the spec, or one of its documents, instead.
 */
export function isNamed({ options, entryPoint, command }: Session): boolean {
  const { deploymentId, name, target, only } = options;
  if (deploymentId !== undefined || name !== undefined) return true;
  const choosesDocument = target !== undefined || only.length > 0;
  return entryPoint === "cli" && commandRow(command).positional === "name" && !choosesDocument;
}

/** Commands that upload, and so can store an acceptance with the experiment. */
const UPLOADING = ["upload", "apply"];

/** Whether a person asks for this run as the baseline; whether it may become one is not yet known. */
export function asksToAccept({ options, command }: Pick<Session, "options" | "command">): boolean {
  if (!options.acceptBaseline) return false;
  if (options.writeBaseline !== undefined) return true;
  const stored = (options.baseline ?? "").trim().startsWith("experiment:");
  return stored && UPLOADING.includes(command) && !options.dryRun;
}

/** Whether a person accepts this run: it becomes the baseline, and its gates make nothing red. */
export function isAccepting(session: Pick<Session, "options" | "command" | "trust">): boolean {
  return session.trust.state !== "untrusted" && asksToAccept(session);
}
