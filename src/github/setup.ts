import type { RunContext } from "../run-context.ts";
import type { Clock } from "../clock.ts";
import type { Redactor } from "../secrets/redaction.ts";

/** The inputs that say where a run is reported. */
export interface GithubHostOptions {
  /** `changes`: none is posted for a run that changes nothing; one that is there is updated anyway. */
  readonly comment: "auto" | "changes" | "never";
  readonly commentKey: string;
  readonly githubToken: string;
  /** Empty: no GitHub Deployment. */
  readonly environment: string;
  readonly summary: boolean;
  /** Absolute; its folder is made. */
  readonly reportFile: string;
  /** Absolute; the comment's Markdown goes there too. */
  readonly markdownFile?: string;
  readonly matrix: string;
  /** The `spec` input, for the comment's key. */
  readonly spec: string;
  /** Keep an issue about drift. */
  readonly driftIssue?: boolean;
  /** The `timeout` input: telling GitHub takes no longer, but for a few seconds. */
  readonly timeoutMs?: number | null;
  /** The `target` input, for the same. */
  readonly target?: string | undefined;
  /** Print the log of a revision while it builds. */
  readonly streamLogs?: boolean;
  /** Sets the outputs of gate/action.yml. */
  readonly isGate?: boolean;
}

/** Everything the host is made of; nothing of it is read from `process` again but the file commands. */
export interface GithubHostSetup {
  readonly context: RunContext;
  readonly options: GithubHostOptions;
  readonly redactor: Redactor;
  readonly clock: Clock;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** GitHub's log shows colours; NO_COLOR is the caller's to honour. */
  readonly color: boolean;
}
