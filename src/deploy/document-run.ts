import type { ControlPlane } from "../service/control-plane.ts";
import type { Desired } from "../spec/desired.ts";
import { boundedBy, timeoutOf, type DeployContext } from "./context.ts";
import type { Directory } from "./directory.ts";
import { lookUntil } from "./look.ts";
import { prepareDeployment, type Prepared, type PrepareOptions } from "./prepare.ts";
import type { Tracker } from "./tracker.ts";

/** One document in progress: its context and what is known so far. */
export interface DocumentRun {
  readonly context: DeployContext;
  readonly directory: Directory;
  readonly desired: Desired;
  readonly tracker: Tracker;
  /** Limit of each wait, and of `verify` and a rollback. */
  readonly timeoutMs: number;
  /** Clock time after which nothing begins, except the wait, which has its own limit. */
  readonly deadlineMs: number;
}

/** Starts the run of one document, and its time limit. */
export function startDocumentRun(
  context: DeployContext,
  directory: Directory,
  desired: Desired,
  tracker: Tracker,
): DocumentRun {
  const timeoutMs = timeoutOf(context.policy.timeoutMs, desired.deploy);
  const deadlineMs = context.clock.monotonic() + timeoutMs;
  return { context, directory, desired, tracker, timeoutMs, deadlineMs };
}

/** The service as available to the run before its wait. */
export function serviceOf({ context, deadlineMs }: DocumentRun): ControlPlane {
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
