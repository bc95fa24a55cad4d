import { endOf, statusRow } from "../model/revision-status.ts";

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
 * Time to the next look. The end can only come out of the last phases, so only there is it watched
 * closely; before, the looks are there to see the last phases begin.
 */
export function pollDelayMs(status: string | null, inStatusMs: number, elapsedMs: number): number {
  const { beginning, last, earlier } = DELAYS;
  if (elapsedMs < beginning.untilMs) return beginning.ms;
  if (status !== null && isLastPhase(status))
    return inStatusMs < last.untilMs ? last.firstMs : last.ms;
  return Math.min(earlier.longestMs, Math.max(earlier.shortestMs, elapsedMs * earlier.share));
}
