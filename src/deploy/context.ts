import { spellInput } from "../model/entry-point.ts";
import type { Clock } from "../clock.ts";
import type { RunContext } from "../run-context.ts";
import type { LiveDeployment } from "../model/live.ts";
import type { CommitHistory } from "../plan/history.ts";
import type { NewerRun } from "../plan/plan.ts";
import type { PlanRequest } from "../plan/plan-draft.ts";
import type { Desired } from "../spec/desired.ts";
import type { ControlPlane } from "../service/control-plane.ts";

/** Runs a `verify` script; resolves with its exit code, or null if the time limit stopped it. */
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

/**
 * Milliseconds until the next look at a revision, from its status, the time in that status, and
 * the time of the wait.
 */
export type PollDelay = (status: string | null, inStatusMs: number, elapsedMs: number) => number;

/** How apply behaves. What a document's `deploy:` may override is resolved per document. */
export interface DeployPolicy extends Readonly<PlanRequest["policy"]> {
  /** Only from the flag or input; null: `deploy.timeout`, else 30 minutes. */
  readonly timeoutMs: number | null;
  /** The service's own credentials that `deploy.verify_env` may pass to `verify`, by name. */
  readonly keys?: Readonly<Record<string, string>>;
  readonly deploymentId: string | null;
  /** The input `commit`. */
  readonly commit: string | null;
  /** The flags that lead to the place that a target of the spec names; absent: inputs lead there. */
  readonly placeFlags?: string;
  /** A plan was approved (`expect-plan`): changes since then are refused rather than reported. */
  readonly pinned?: boolean;
}

/** What a wait shows besides progress lines. */
export interface LiveDisplay {
  /**
   * Sets the status of a deployment in a live display: empty before it has one, null after it
   * ended. Absent: a change of status is a progress line.
   */
  readonly status?: (name: string, status: string | null) => void;
  /** New lines of a deployment's log, as the service returns them. */
  readonly log: (name: string, phase: "build" | "deploy", lines: readonly string[]) => void;
}

/** Everything outside itself that the deploy flow uses, passed in by the entry point. */
export interface DeployContext {
  readonly controlPlane: ControlPlane;
  readonly clock: Clock;
  readonly repository: Pick<CommitHistory, "compare" | "checkedOut">;
  readonly shell: Shell;
  readonly run: RunContext;
  readonly policy: DeployPolicy;
  readonly pollDelayMs: PollDelay;
  /** Aborts on SIGINT and SIGTERM. */
  readonly signal: AbortSignal;
  readonly progress: (line: string) => void;
  /** Shows statuses and logs as they come; absent: no log is read while a revision builds. */
  readonly live?: LiveDisplay;
  /** Whether a newer run has deployed this deployment; absent if nobody knows. */
  readonly newerRun?: (name: string) => Promise<NewerRun>;
  /** Called with every deployment read, before any of it is printed: its values may have to be masked. */
  readonly onLive?: (live: LiveDeployment, desired: Desired) => void;
}

/** The service, with every request limited to a time of the clock. */
export function boundedBy(
  { controlPlane, signal }: Pick<DeployContext, "controlPlane" | "signal">,
  deadlineMs: number,
): ControlPlane {
  return controlPlane.within({ deadlineMs, signal });
}

/** The wait limit in milliseconds: flag or input (`given`), then `deploy.timeout`, then 30 minutes. */
export function timeoutOf(
  given: number | null | undefined,
  deploy: Pick<Desired["deploy"], "timeoutMs"> | undefined,
): number {
  return given ?? deploy?.timeoutMs ?? 30 * 60_000;
}

/** The end of the sentence on what was begun: `wait: false does not wait for it`. */
export function unwaitedWords({ policy }: DeployContext): string {
  return `${spellInput(policy.entryPoint, "wait", false)} does not wait for it`;
}
