import type { LiveDisplay } from "../deploy/context.ts";
import type { Diagnostic } from "../spec/desired.ts";
import type { NewerRun } from "../plan/plan.ts";
import type { Report } from "../report/report.ts";

/** Where the run reports: GitHub or a terminal. Every method is best effort and never throws. */
export interface Host {
  /** One line of progress; the host redacts it. */
  readonly progress: (line: string) => void;
  readonly live?: LiveDisplay;
  /** Reports one problem at its place in a file, also as an annotation if the host has them. */
  readonly annotate: (problem: Diagnostic) => void;
  /** A message about the run as a whole. */
  readonly notify: (level: "notice" | "warning" | "error", message: string) => void;
  /** Finds the digest of a deployment's wanted state last deployed to the environment; null if there is no record. */
  readonly deployedStates?: () => Promise<((name: string) => string | undefined) | null>;
  /** Whether a newer run has deployed this deployment to the environment, as far as the host knows. */
  readonly newerRun?: (name: string) => Promise<NewerRun>;
  /** Updates every sink: `begin` before the first request, `end` once in any case. */
  readonly publish: (stage: "begin" | "end", report: Report) => Promise<void>;
}
