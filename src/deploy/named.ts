import type { LiveDeployment } from "../model/live.ts";
import type { DeployContext } from "./context.ts";
import { boundedBy } from "./document-run.ts";

/** A deployment that never had a revision is given up on after this long. */
const NAMED_WITHIN_MS = 30_000;
const LOOK_MS = 1_000;

/**
 * The deployment with its latest revision, which a service may name a while after the write that
 * made it; without one where it names none in time.
 */
export async function awaitNamed(
  context: DeployContext,
  given: LiveDeployment,
  deadlineMs: number,
): Promise<LiveDeployment> {
  const { clock, signal } = context;
  const controlPlane = boundedBy(context, deadlineMs);
  const untilMs = Math.min(deadlineMs, clock.monotonic() + NAMED_WITHIN_MS);
  let live = given;
  while (live.latest_revision_id === null && clock.monotonic() < untilMs) {
    await clock.sleep(Math.min(LOOK_MS, untilMs - clock.monotonic()), signal);
    if (clock.monotonic() >= deadlineMs) break;
    live = (await controlPlane.getDeployment(live.id)) ?? live;
  }
  return live;
}
