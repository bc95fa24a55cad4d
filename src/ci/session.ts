import type { Clock, Random } from "../clock.ts";
import type { RunContext } from "../run-context.ts";
import type { Shell } from "../deploy/context.ts";
import type { CommitHistory } from "../plan/history.ts";
import type { AskCredentialHelper } from "./credential-helper.ts";
import type { Host } from "./host.ts";
import type { Workspace } from "../files/workspace.ts";
import { positionalOf, type Command } from "../cli/command-table.ts";
import type { EntryPoint, Options } from "../cli/options.ts";
import { toProblemLine, type Report } from "../report/report.ts";
import type { Diagnostic } from "../spec/desired.ts";
import type { Environment } from "../spec/interpolation.ts";
import type { Trust } from "./trust.ts";

/** One run of one command: its options, and everything it may reach outside itself, wired by the entry point. */
export interface Session {
  readonly entryPoint: EntryPoint;
  /** Inputs that come from the vendor's own variables; what a target says goes before them. */
  readonly ambient?: readonly string[];
  readonly command: Command;
  readonly options: Options;
  /** Target of the spec, known once the spec was read. */
  readonly target?: string;
  readonly env: Environment;
  readonly host: Host;
  readonly workspace: Workspace;
  /** Where result files may lie. */
  readonly files: {
    readonly root: string;
    /** The top of the repository that is checked out; where there is none, the root. */
    readonly checkout: string;
    readonly alsoAllowed: readonly string[];
    readonly allowOutside: boolean;
  };
  readonly clock: Clock;
  readonly random: Random;
  readonly run: RunContext;
  readonly trust: Trust;
  readonly repository: CommitHistory;
  readonly shell: Shell;
  readonly credentialHelper: AskCredentialHelper;
  /** Aborted by SIGINT or SIGTERM. */
  readonly signal: AbortSignal;
  readonly startedAtMs: number;
  /** Masks values before anything is printed. */
  readonly mask: (values: readonly string[], shownAs?: string) => void;
  /** Names that are public, though a secret may hold them. */
  readonly keep: (names: readonly string[]) => void;
  readonly redact: (text: string) => string;
  /** What is piped into the command line, to its end; rejects in the Action, which has no pipe. */
  readonly readPiped: (maxBytes: number) => Promise<string>;
  /** The command's own product (a spec, a body), to stdout or the log. */
  readonly print: (text: string) => void;
  /** Whether what is printed may be coloured. */
  readonly color: boolean;
  /** Version of the tool. */
  readonly version: string;
}

/** What a command leaves to its entry point: what every sink reports, and the exit code of the process. */
export interface CommandEnd {
  readonly report: Report;
  readonly exitCode: number;
}

/**
 * One file of this folder. It rejects where it could not continue; everything else that can happen
 * is in its report.
 */
export type CommandFunction = (session: Session) => Promise<CommandEnd>;

/** A bad call, or what is wrong in files: nothing was sent. Exit code 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
  readonly problems: readonly Diagnostic[];
  constructor(said: string | readonly Diagnostic[]) {
    super(typeof said === "string" ? said : said.map(toProblemLine).join("\n"));
    this.problems = typeof said === "string" ? [] : said;
  }
}

/** All problems at once, each annotated; warnings pass, an error ends the run before anything is sent. */
export function refuse({ host }: Pick<Session, "host">, problems: readonly Diagnostic[]): void {
  for (const problem of problems) host.annotate(problem);
  const errors = problems.filter(({ level }) => level === "error");
  if (errors.length > 0) throw new UsageError(errors);
}

/**
 * Ends a command that would write to the service where the code may be a stranger's; `apply` blocks
 * by itself, with its plan.
 */
export function refuseUntrusted({ command, trust }: Pick<Session, "command" | "trust">): void {
  if (trust.state === "untrusted") throw new UsageError(`${command}: ${trust.why}`);
}

/** Whether the call names a deployment, so that no spec is read: by id or name, which some commands take only so. */
export function isNamed({ options, entryPoint, command }: Session): boolean {
  const { deploymentId, name } = options;
  const takesName = entryPoint === "cli" && positionalOf(command) === "name";
  return takesName || deploymentId !== undefined || name !== undefined;
}

/** Commands that upload, and so can store an acceptance with what they upload. */
const UPLOADING = ["upload", "apply"];

/** Whether a person accepts this run as it is: it becomes the baseline, and its gates make nothing red. */
export function isAccepting({ options, command }: Pick<Session, "options" | "command">): boolean {
  if (!options.acceptBaseline) return false;
  if (options.writeBaseline !== undefined) return true;
  const stored = (options.baseline ?? "").trim().startsWith("experiment:");
  return stored && UPLOADING.includes(command) && !options.dryRun;
}
