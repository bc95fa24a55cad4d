import type { Session } from "../ci/session.ts";
import type { RunContext } from "../run-context.ts";
import type { Clock } from "../clock.ts";
import type { Redactor } from "../secrets/redaction.ts";

/** Everything that the host needs; only the runner's file commands are read from `process` later. */
export interface GithubHostSetup {
  readonly context: RunContext;
  /** The inputs, which decide where a run is reported; files of reports are located. */
  readonly options: Session["options"];
  readonly redactor: Redactor;
  readonly clock: Clock;
  readonly env: Session["env"];
  /** Whether to colour GitHub's log; the caller respects NO_COLOR. */
  readonly color: boolean;
}
