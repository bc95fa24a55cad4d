import type { ControlPlane } from "../service/control-plane.ts";
import type { Desired } from "../spec/desired.ts";
import { boundedBy, type DeployContext } from "./context.ts";
import type { Directory } from "./directory.ts";
import { lookUntil } from "./look.ts";
import { prepareDeployment, type Prepared, type PrepareOptions } from "./prepare.ts";
import type { Tracker } from "./tracker.ts";

/** Work on one deployment: its surroundings, what is known so far, and its time limit. */
export interface DeploymentRun {
  readonly context: DeployContext;
  readonly tracker: Tracker;
  /** Limit of each wait, and of `verify` and a rollback. */
  readonly timeoutMs: number;
  /** Clock time after which nothing begins, except the wait, which has its own limit. */
  readonly deadlineMs: number;
}

/** The work on one document of a spec. */
export interface DocumentRun extends DeploymentRun {
  readonly directory: Directory;
  readonly desired: Desired;
}

/** Starts the work on one deployment, and its time limit. */
export function startRun(
  context: DeployContext,
  tracker: Tracker,
  timeoutMs: number,
): DeploymentRun {
  return { context, tracker, timeoutMs, deadlineMs: context.clock.monotonic() + timeoutMs };
}

/** The service as available to the run before its wait. */
export function serviceOf({ context, deadlineMs }: DeploymentRun): ControlPlane {
  return boundedBy(context, deadlineMs);
}

/** Reads what is live and plans the document again. */
export function planFresh(
  run: DocumentRun,
  shown: Prepared,
  { byName = false }: Pick<PrepareOptions, "byName"> = {},
): Promise<Prepared> {
  const context = { ...run.context, controlPlane: serviceOf(run) };
  return prepareDeployment(context, run.directory, run.desired, { earlier: shown, byName });
}

/**
 * Plans again after each pause until the plan is as wanted; returns the last one. A plan takes
 * several reads, which a shortened pause would leave no time for: only pauses that fit are made.
 */
export async function planUntil(
  run: DocumentRun,
  shown: Prepared,
  pausesMs: readonly number[],
  isEnd: (prepared: Prepared) => boolean,
  options: Pick<PrepareOptions, "byName"> = {},
): Promise<Prepared> {
  const { context, deadlineMs } = run;
  const { seen } = await lookUntil<Prepared>(context, {
    look: (last = shown) => planFresh(run, last, options),
    isEnd,
    schedule: (pauses) => {
      const pauseMs = pausesMs[pauses] ?? Infinity;
      return context.clock.monotonic() + pauseMs >= deadlineMs ? null : pauseMs;
    },
    deadlineMs,
  });
  return seen;
}
