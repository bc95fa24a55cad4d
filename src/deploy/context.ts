import type { Clock, Random } from "../clock.ts";
import type { RunContext } from "../run-context.ts";
import type { LiveDeployment } from "../model/live.ts";
import type { CommitHistory } from "../plan/history.ts";
import type { NewerRun } from "../plan/plan.ts";
import type { PlanRequest } from "../plan/plan-draft.ts";
import type { Desired } from "../spec/desired.ts";
import type { ControlPlane } from "../service/control-plane.ts";

/** Runs a `verify` script; resolves with its exit code, null where it was stopped by the time limit. */
export interface Shell {
  readonly run: (
    script: string,
    options: {
      readonly env: Readonly<Record<string, string>>;
      readonly timeoutMs: number;
      readonly onLine: (line: string) => void;
      readonly signal: AbortSignal;
    },
  ) => Promise<{ readonly exitCode: number | null; readonly tail: readonly string[] }>;
}

/** Milliseconds to the next look at a revision, from its status, its time in it, and the time of the wait. */
export type PollDelay = (status: string | null, inStatusMs: number, elapsedMs: number) => number;

/** How apply behaves; what `deploy:` of a document may override is resolved per document. */
export interface DeployPolicy extends Readonly<PlanRequest["policy"]> {
  readonly wait: boolean;
  /** Only from the flag or input; null: `deploy.timeout`, else 30 minutes. */
  readonly timeoutMs: number | null;
  readonly onFailure: "none" | "rollback" | null;
  readonly verify: string | null;
  /** The service's own keys that `deploy.verify_env` may hand to `verify`, by name. */
  readonly keys?: Readonly<Record<string, string>>;
  readonly deploymentId: string | null;
  /** The input `commit`. */
  readonly commit: string | null;
  /** A plan was approved (`expect-plan`): what has changed since is refused instead of reported. */
  readonly pinned?: boolean;
}

/** What a wait shows besides its lines of progress. */
export interface LiveDisplay {
  /**
   * The status of a deployment from now on, where a display moves: empty before it has one, null once it is over.
   * Absent: a change of status is a line of progress.
   */
  readonly status?: (name: string, status: string | null) => void;
  /** Lines that a deployment's log has gained, as the service gives them. */
  readonly log: (name: string, phase: "build" | "deploy", lines: readonly string[]) => void;
}

/** Everything the deploy flow reaches outside itself, handed in by the entry point. */
export interface DeployContext {
  readonly controlPlane: ControlPlane;
  readonly clock: Clock;
  readonly random: Random;
  readonly repository: Pick<CommitHistory, "compare" | "checkedOut">;
  readonly shell: Shell;
  readonly run: RunContext;
  readonly policy: DeployPolicy;
  readonly pollDelayMs: PollDelay;
  /** Aborted by SIGINT or SIGTERM. */
  readonly signal: AbortSignal;
  readonly progress: (line: string) => void;
  /** Shows statuses and logs as they come; without it no log is read while a revision builds. */
  readonly live?: LiveDisplay;
  /** Whether a newer run has deployed this deployment; absent where nobody knows. */
  readonly newerRun?: (name: string) => Promise<NewerRun>;
  /**
   * Called with every deployment that is read, before anything of it is printed: what it holds may
   * have to be masked.
   */
  readonly onLive?: (live: LiveDeployment, desired: Desired) => void;
}

/** The service with every request bounded by a time of the clock. */
export function boundedBy(
  { controlPlane, signal }: Pick<DeployContext, "controlPlane" | "signal">,
  deadlineMs: number,
): ControlPlane {
  return controlPlane.within({ deadlineMs, signal });
}

/** The wait limit of a document, in milliseconds: flag or input, then `deploy.timeout`, then 30 minutes. */
export function timeoutOf(context: DeployContext, deploy: { readonly timeoutMs?: number }): number {
  return timeoutIn(context.policy.timeoutMs, deploy);
}

/** The same before there is a context; `given` is the flag or input. */
export function timeoutIn(given: number | null, deploy: { readonly timeoutMs?: number }): number {
  return given ?? deploy.timeoutMs ?? 30 * 60_000;
}
