import { ONCE_GONE, durationWords } from "../report/wording.ts";
import type { DeployContext } from "./context.ts";
import { boundedBy, type DeploymentEnd } from "./document-run.ts";

const POLL = { shortestMs: 250, longestMs: 10_000, share: 0.1 };

/** Null once a deployment that is being deleted answers 404; the end of the run where it does not in time. */
export async function awaitGone(
  context: DeployContext,
  id: string,
  timeoutMs: number,
): Promise<DeploymentEnd | null> {
  const { clock, signal } = context;
  const startedAt = clock.monotonic();
  const deadlineMs = startedAt + timeoutMs;
  const controlPlane = boundedBy(context, deadlineMs);
  context.progress(`deployment ${id} is being deleted: waiting until it is gone`);
  for (;;) {
    const there = await controlPlane.getDeployment(id).then(
      (found) => found !== null,
      (error: unknown) => {
        signal.throwIfAborted();
        const why = (error as Error).message;
        if (clock.monotonic() < deadlineMs)
          context.progress(`deployment ${id} cannot be read: still waiting (${why})`);
        return true;
      },
    );
    if (!there) return null;
    const now = clock.monotonic();
    if (now >= deadlineMs) {
      return {
        outcome: "timed-out",
        reason: "timeout",
        message: `deployment ${id} is still being deleted after ${durationWords(timeoutMs)}`,
        next: [ONCE_GONE],
      };
    }
    const pauseMs = Math.max(POLL.shortestMs, (now - startedAt) * POLL.share);
    await clock.sleep(Math.max(10, Math.min(deadlineMs - now, POLL.longestMs, pauseMs)), signal);
  }
}
