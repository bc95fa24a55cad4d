import type { Clock } from "../clock.ts";
import { durationWords } from "../report/wording.ts";

interface Streak {
  readonly beganAt: number;
  /** The most of one request. */
  tries: number;
  lastAt: number;
  toldAt: number;
}

/** Shortest time between two lines about one failure, however many requests fail at once. */
const COUNT_EVERY_MS = 5_000;
/** A failure that was gone for this long is logged in full again. */
const FORGET_AFTER_MS = 120_000;

/**
 * Reports a failing service without a flood: each kind of failure once in full, then counted.
 * `sentence` says what failed and when it is tried again; `kind` is the same failure at any
 * address, in a few words; `tries` are those of the one request. Requests that fail side by side
 * are not added up: the error at the end counts the tries of one.
 */
export function createRetryLog(
  clock: Clock,
  say: (line: string) => void,
): (sentence: string, kind: string, tries: number) => void {
  const streaks = new Map<string, Streak>();
  return (sentence, kind, tries) => {
    const now = clock.monotonic();
    const streak = streaks.get(kind);
    if (streak === undefined || now - streak.lastAt > FORGET_AFTER_MS) {
      streaks.set(kind, { beganAt: now, tries, lastAt: now, toldAt: now });
      say(sentence);
      return;
    }
    streak.tries = Math.max(streak.tries, tries);
    streak.lastAt = now;
    if (now - streak.toldAt < COUNT_EVERY_MS) return;
    streak.toldAt = now;
    say(`${kind}: retrying (${streak.tries}, ${durationWords(now - streak.beganAt)})`);
  };
}
