import type { LiveDisplay } from "../deploy/context.ts";
import type { Diagnostic } from "../spec/desired.ts";
import type { NewerRun } from "../plan/plan.ts";
import type { Report } from "../report/report.ts";

/** Where the run happens, in our words: GitHub or a terminal. Every method is best effort and never throws. */
export interface Host {
  /** One line of progress; the host redacts it. */
  readonly progress: (line: string) => void;
  readonly live?: LiveDisplay;
  /** One problem at its place in a file, also as an annotation where the host has them. */
  readonly annotate: (problem: Diagnostic) => void;
  /** Words for the run as a whole, without a place. */
  readonly say: (level: "notice" | "warning" | "error", message: string) => void;
  /**
   * Digests of the wanted states that were last deployed to the environment, by deployment; null
   * where nothing says.
   */
  readonly deployedStates?: () => Promise<ReadonlyMap<string, string> | null>;
  /** Whether a run newer than this one has deployed this deployment to the environment, as far as the host knows. */
  readonly newerRun?: (name: string) => Promise<NewerRun>;
  /**
   * Updates every sink. `begin` before the first request, `end` once, whatever happened. Gives back
   * where the comment is.
   */
  readonly publish: (
    stage: "begin" | "end",
    report: Report,
  ) => Promise<{ readonly commentUrl: string }>;
}
