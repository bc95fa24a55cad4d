import type { ReportFiles } from "../ci/report-files.ts";
import type { Session } from "../ci/session.ts";
import type { RunContext } from "../run-context.ts";
import type { Clock } from "../clock.ts";
import type { Redactor } from "../secrets/redaction.ts";

/** The inputs, which decide where a run is reported; `spec` as it is written, for the comment's key. */
export interface GithubHostOptions
  extends ReportFiles,
    Omit<Session["options"], keyof ReportFiles | "spec"> {
  readonly spec: string;
}

/** Everything that the host needs; only the runner's file commands are read from `process` later. */
export interface GithubHostSetup {
  readonly context: RunContext;
  readonly options: GithubHostOptions;
  readonly redactor: Redactor;
  readonly clock: Clock;
  readonly env: Session["env"];
  /** Whether to colour GitHub's log; the caller respects NO_COLOR. */
  readonly color: boolean;
}
