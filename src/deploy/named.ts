import type { LiveDeployment } from "../model/live.ts";
import { boundedBy, type DeployContext } from "./context.ts";
import { lookUntil } from "./look.ts";

/** A deployment that never had a revision is given up on after this long. */
const NAMED_WITHIN_MS = 30_000;
const LOOK_MS = 1_000;

/**
 * The deployment with its latest revision, which a service may name a while after the write that
 * made it; without one where it names none in time.
 */
export async function awaitNamed(
  context: DeployContext,
  known: LiveDeployment,
  deadlineMs: number,
): Promise<LiveDeployment> {
  const { seen } = await lookUntil(context, {
    known,
    look: async () => (await boundedBy(context, deadlineMs).getDeployment(known.id)) ?? known,
    isEnd: (live) => live.latest_revision_id !== null,
    schedule: () => LOOK_MS,
    deadlineMs: Math.min(deadlineMs, context.clock.monotonic() + NAMED_WITHIN_MS),
  });
  return seen;
}
