import { endOf, statusRow } from "../model/revision-status.ts";
import type { DeployContext, PollDelay } from "./context.ts";

/** Something to look at until it shows an end. Times in milliseconds. */
export interface Looking<T> {
  /** What was seen before; absent: look at once. */
  readonly known?: T;
  /** `untilMs`: clock time until which this look may read. */
  readonly look: (last: T | undefined, untilMs: number) => Promise<T>;
  readonly isEnd: (seen: T) => boolean;
  /** The pause before the next look, from the number of pauses so far and what was seen; null: no further look. */
  readonly schedule: (pauses: number, seen: T) => number | null;
  /** Clock time after which there is no further look; a function if it moves. */
  readonly deadlineMs: number | (() => number);
}

/**
 * A sleep that took this much longer than asked means that the machine was suspended: the next
 * look may take that long too.
 */
const LATE_MS = 2_000;

/**
 * The one loop for everything that waits or looks again. A pause is shortened so that the look
 * after it can be answered before the deadline. Rejects with the signal's reason if it aborts.
 * Gives the last thing seen; `isLate`: the deadline left less time for the looks than the schedule
 * asks for.
 */
export async function lookUntil<T>(
  { clock, signal }: Pick<DeployContext, "clock" | "signal">,
  { known, look, isEnd, schedule, deadlineMs }: Looking<T>,
): Promise<{ readonly seen: T; readonly isLate: boolean }> {
  const deadline = typeof deadlineMs === "number" ? () => deadlineMs : deadlineMs;
  let seen = known === undefined ? await look(undefined, deadline()) : known;
  let isLate = false;
  for (let pauses = 0; !isEnd(seen); pauses += 1) {
    const pauseMs = schedule(pauses, seen);
    if (pauseMs === null) break;
    const leftMs = deadline() - clock.monotonic();
    const cutMs = beforeLimitMs(pauseMs, leftMs);
    isLate ||= cutMs < pauseMs;
    if (isOver(leftMs)) return { seen, isLate: true };
    signal.throwIfAborted();
    const dueMs = clock.monotonic() + cutMs;
    if (cutMs > 0) await clock.sleep(cutMs, signal);
    const now = clock.monotonic();
    seen = await look(seen, Math.max(deadline(), now - dueMs < LATE_MS ? 0 : now + LATE_MS));
  }
  return { seen, isLate };
}

/**
 * Pauses between looks for what a service may show some seconds later: a write without a response,
 * which may still be in progress, before it counts as not accepted; an update in place; a taken name.
 */
export const LOOK_AGAIN_MS = [500, 1_500, 4_000];

/** One look after each of these pauses. */
export function pausesOf(pausesMs: readonly number[]): (pauses: number) => number | null {
  return (pauses) => pausesMs[pauses] ?? null;
}

/** Statuses after which DEPLOYED may come at any moment. */
function isLastPhase(status: string): boolean {
  return statusRow(status)?.phase === "deploy" || endOf(status) === "deployed";
}

/**
 * Delays between two looks in milliseconds; `share` is a share of the whole wait. The benchmark
 * `npm run bench -- wait` compares them with fixed and growing ones.
 */
const DELAYS = {
  beginning: { untilMs: 1_000, ms: 1_000 },
  /** No rollout ends right after it began. */
  last: { untilMs: 6_000, firstMs: 6_000, ms: 2_600 },
  /**
   * Enough to see the last phases before they end: a later look there delays nothing, and a failed
   * build should not go unnoticed for longer.
   */
  earlier: { share: 0.25, shortestMs: 5_500, longestMs: 16_000 },
};

/** How long before a time limit its ending begins: the time that a look may take to be answered. */
export const ENDING_MS = 2_000;
const SHORTEST_LOOK_MS = 25;

/** Whether too little time is left for another look. */
export function isOver(leftMs: number): boolean {
  return leftMs <= SHORTEST_LOOK_MS;
}

/**
 * The pause before a look, shortened so that it can be answered before the limit: one look as the
 * ending begins, then each after half of the remaining time, so that a fast service is watched
 * right up to the limit.
 */
export function beforeLimitMs(wantedMs: number, leftMs: number): number {
  return Math.min(wantedMs, Math.max(leftMs - ENDING_MS, leftMs / 2));
}

/**
 * The schedule without a poll interval. Only the last phases can end in success, so only they are
 * watched closely; earlier looks are there to see them begin.
 */
export const adaptiveDelayMs: PollDelay = (status, inStatusMs, elapsedMs) => {
  const { beginning, last, earlier } = DELAYS;
  if (elapsedMs < beginning.untilMs) return beginning.ms;
  if (status !== null && isLastPhase(status))
    return inStatusMs < last.untilMs ? last.firstMs : last.ms;
  return Math.min(earlier.longestMs, Math.max(earlier.shortestMs, elapsedMs * earlier.share));
};
