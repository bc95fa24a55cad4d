import type { RunContext } from "../run-context.ts";
import type { Clock } from "../clock.ts";
import type { Redactor } from "../secrets/redaction.ts";

/** The inputs that decide where a run is reported. */
export interface GithubHostOptions {
  /** `changes`: no comment for a run that changes nothing, but an existing one is still updated. */
  readonly comment: "auto" | "changes" | "never";
  readonly commentKey: string;
  readonly githubToken: string;
  /** Empty: no GitHub Deployment. */
  readonly environment: string;
  readonly summary: boolean;
  /** Absolute; its folder is created. */
  readonly reportFile: string;
  /** Absolute; receives the comment's Markdown too. */
  readonly markdownFile?: string;
  readonly matrix: string;
  /** The `spec` input, for the comment's key. */
  readonly spec: string;
  /** Maintain an issue about drift. */
  readonly driftIssue?: boolean;
  /** The `timeout` input: reporting to GitHub takes no longer, except for a few seconds. */
  readonly timeoutMs?: number | null;
  /** The `target` input, also for the comment's key. */
  readonly target?: string | undefined;
  /** Print a revision's log while it builds. */
  readonly streamLogs?: boolean;
  /** Set the outputs of gate/action.yml. */
  readonly isGate?: boolean;
}

/** Everything that the host needs; only the runner's file commands are read from `process` later. */
export interface GithubHostSetup {
  readonly context: RunContext;
  readonly options: GithubHostOptions;
  readonly redactor: Redactor;
  readonly clock: Clock;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Whether to colour GitHub's log; the caller respects NO_COLOR. */
  readonly color: boolean;
}
