import type { ControlPlane } from "../service/control-plane.ts";
import type { Desired } from "../spec/desired.ts";
import { boundedBy, timeoutOf, type DeployContext } from "./context.ts";
import type { Directory } from "./directory.ts";
import { lookUntil } from "./look.ts";
import { prepareDeployment, type Prepared, type PrepareOptions } from "./prepare.ts";
import type { Tracker } from "./tracker.ts";

/** One document on its way: what carries it out, and what is known of it so far. */
export interface DocumentRun {
  readonly context: DeployContext;
  readonly directory: Directory;
  readonly desired: Desired;
  readonly tracker: Tracker;
  /** Time of the clock after which nothing is begun but the wait, which has a limit of its own. */
  readonly deadlineMs: number;
}

/** The run of one document, whose time starts now. */
export function startDocumentRun(
  context: DeployContext,
  directory: Directory,
  desired: Desired,
  tracker: Tracker,
): DocumentRun {
  const deadlineMs = context.clock.monotonic() + timeoutOf(context, desired.deploy);
  return { context, directory, desired, tracker, deadlineMs };
}

/** The service as the run may use it before its wait. */
export function serviceOf({ context, deadlineMs }: DocumentRun): ControlPlane {
  return boundedBy(context, deadlineMs);
}

/** Reads what is live now and plans the document anew. */
export function planFresh(
  run: DocumentRun,
  shown: Prepared,
  { byName = false }: Pick<PrepareOptions, "byName"> = {},
): Promise<Prepared> {
  const context = { ...run.context, controlPlane: serviceOf(run) };
  return prepareDeployment(context, run.directory, run.desired, { earlier: shown, byName });
}

/**
 * The plan once it is as wanted, made anew after each of these pauses; else the last one. It takes
 * several reads, for which a pause that the limit cuts would leave no time: only the pauses that fit.
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
