import { endOf, statusRow } from "../model/revision-status.ts";
import type { DeployContext, PollDelay } from "./context.ts";

/** Something that is looked at again until what it shows is an end. Times in milliseconds. */
export interface Looking<T> {
  /** What was seen before; absent: the first look is made at once. */
  readonly known?: T;
  /** `untilMs`: time of the clock until which this look may read. */
  readonly look: (last: T | undefined, untilMs: number) => Promise<T>;
  readonly isEnd: (seen: T) => boolean;
  /** The pause before the next look, after so many pauses and what was seen; null: there is no further look. */
  readonly schedule: (pauses: number, seen: T) => number | null;
  /** Time of the clock after which nothing is looked at any more; a function where it moves. */
  readonly deadlineMs: number | (() => number);
}

/** A machine that slept so much longer than asked was suspended: the look after that may take as long. */
const LATE_MS = 2_000;

/** What was seen last; `isLate`: the deadline left less time for the looks than the schedule has. */
export interface Looked<T> {
  readonly seen: T;
  readonly isLate: boolean;
}

/**
 * The one loop of everything that waits or looks again. A pause is cut so that the look after it can
 * be answered before the deadline. Rejects with the signal's reason when it aborts.
 */
export async function lookUntil<T>(
  { clock, signal }: Pick<DeployContext, "clock" | "signal">,
  { known, look, isEnd, schedule, deadlineMs }: Looking<T>,
): Promise<Looked<T>> {
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

/** A look after each of these pauses. */
export function pausesOf(pausesMs: readonly number[]): (pauses: number) => number | null {
  return (pauses) => pausesMs[pauses] ?? null;
}

/** Statuses after which DEPLOYED may come any moment. */
function isLastPhase(status: string): boolean {
  return statusRow(status)?.phase === "deploy" || endOf(status) === "deployed";
}

/**
 * Delays between two looks in milliseconds; `share` is of the whole wait. `npm run bench -- wait`
 * holds them against fixed and growing ones.
 */
const DELAYS = {
  beginning: { untilMs: 1_000, ms: 1_000 },
  /** Nothing ends right after it began to roll out. */
  last: { untilMs: 6_000, firstMs: 6_000, ms: 2_600 },
  /**
   * Enough to see the last phases before they end: a later look there costs no lag, and a failed
   * build should not stay unseen for longer.
   */
  earlier: { share: 0.25, shortestMs: 5_500, longestMs: 16_000 },
};

/** The end of a time limit begins so long before it: that is what a look may take to be answered in time. */
export const ENDING_MS = 2_000;
const SHORTEST_LOOK_MS = 25;

/** Whether the time to the limit is too short for another look. */
export function isOver(leftMs: number): boolean {
  return leftMs <= SHORTEST_LOOK_MS;
}

/**
 * The wanted pause before a look, cut so that the look can be answered before the limit: one look
 * is made as the ending begins, and each later one has half of what is left, so that a service that
 * is quick is seen right up to the limit.
 */
export function beforeLimitMs(wantedMs: number, leftMs: number): number {
  return Math.min(wantedMs, Math.max(leftMs - ENDING_MS, leftMs / 2));
}

/**
 * The schedule without a poll interval. The end can only come out of the last phases, so only there is it watched
 * closely; before, the looks are there to see the last phases begin.
 */
export const adaptiveDelayMs: PollDelay = (status, inStatusMs, elapsedMs) => {
  const { beginning, last, earlier } = DELAYS;
  if (elapsedMs < beginning.untilMs) return beginning.ms;
  if (status !== null && isLastPhase(status))
    return inStatusMs < last.untilMs ? last.firstMs : last.ms;
  return Math.min(earlier.longestMs, Math.max(earlier.shortestMs, elapsedMs * earlier.share));
};
