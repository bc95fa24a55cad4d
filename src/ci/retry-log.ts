import type { Clock } from "../clock.ts";
import { durationWords } from "../report/wording.ts";

interface Streak {
  readonly beganAt: number;
  /** The highest count for one request. */
  tries: number;
  lastAt: number;
  loggedAt: number;
}

/** The shortest time between two lines about one failure, however many requests fail at once. */
const COUNT_EVERY_MS = 5_000;
/** After this long without it, a failure is logged in full again. */
const FORGET_AFTER_MS = 120_000;

/**
 * Reports a failing service without flooding the log: each kind of failure once in full, then
 * counted. `sentence` says what failed and when it is tried again; `kind` identifies the failure
 * at any address; `tries` counts those of one request. Parallel requests are not added up, since
 * the final error counts the tries of one.
 */
export function createRetryLog(
  clock: Clock,
  log: (line: string) => void,
): (sentence: string, kind: string, tries: number) => void {
  const streaks = new Map<string, Streak>();
  return (sentence, kind, tries) => {
    const now = clock.monotonic();
    const streak = streaks.get(kind);
    if (streak === undefined || now - streak.lastAt > FORGET_AFTER_MS) {
      streaks.set(kind, { beganAt: now, tries, lastAt: now, loggedAt: now });
      log(sentence);
      return;
    }
    streak.tries = Math.max(streak.tries, tries);
    streak.lastAt = now;
    if (now - streak.loggedAt < COUNT_EVERY_MS) return;
    streak.loggedAt = now;
    log(`${kind}: retrying (${streak.tries}, ${durationWords(now - streak.beganAt)})`);
  };
}
