import { isObject, parseJson } from "../model/json.ts";
import type { Clock } from "../clock.ts";
import type { Limits } from "./control-plane.ts";

/** One rate budget for all requests of a run with one key; first come, first served. */
export interface RateBudget {
  /** Waits for a turn; false if the deadline passes first; rejects with the signal's reason if it aborts first. */
  readonly take: (limits?: Limits) => Promise<boolean>;
  /** Stops all callers for `ms`, as the service asked, and slows down for a while afterwards. */
  readonly pause: (ms: number) => void;
}

/** Share of the limit that is used, so that requests that bunch up on the way do not exceed it. */
const USED_SHARE = 0.9;
const SLOWEST_FACTOR = 0.1;
const RECOVERY_MS = 20_000;

/** At most `count` turns in any window of `intervalMs`, in bursts of at most a tenth of that. */
function createBucket(count: number, intervalMs: number, startMs: number) {
  const burst = Math.max(1, Math.floor(count / 10));
  const perMs = (USED_SHARE * count - (burst - 1)) / intervalMs;
  let tokens = burst;
  let factor = 1;
  let countedAt = startMs;
  let pausedUntil = startMs;
  const refill = (now: number): void => {
    const elapsed = now - countedAt;
    if (elapsed <= 0) return;
    tokens = Math.min(burst, tokens + elapsed * perMs * factor);
    factor = Math.min(1, factor + elapsed / RECOVERY_MS);
    countedAt = now;
  };
  return {
    /** Takes a turn if one is available now. */
    taken: (now: number): boolean => {
      refill(now);
      if (now < pausedUntil || tokens < 1 - 1e-9) return false;
      tokens -= 1;
      return true;
    },
    nextAt: (now: number): number =>
      Math.max(pausedUntil, now) + Math.max(0, 1 - tokens) / (perMs * factor),
    pause: (now: number, ms: number): void => {
      refill(now);
      // Responses to requests already in progress belong to the same pause.
      if (now >= pausedUntil) factor = Math.max(SLOWEST_FACTOR, factor / 2);
      pausedUntil = Math.max(pausedUntil, now + ms);
      countedAt = pausedUntil;
      tokens = Math.min(tokens, 0);
    },
  };
}

/** Parses a limit such as `20/1` (requests / seconds, as in contributing/interface.md); null if the text is not one. */
export function parseRateLimit(text: string): RateLimit | null {
  const [, count, seconds] = /^\s*(\d{1,7})\s*\/\s*(\d{1,5}(?:\.\d+)?)\s*$/.exec(text) ?? [];
  const limit = { count: Number(count), intervalMs: Number(seconds) * 1000 };
  return limit.count >= 1 && limit.intervalMs >= 1 ? limit : null;
}

/** Requests per interval in milliseconds. */
export interface RateLimit {
  readonly count: number;
  readonly intervalMs: number;
}

/** The default row of contributing/interface.md "Limits". */
export const DEFAULT_LIMIT: RateLimit = { count: 1000, intervalMs: 10_000 };

/** One leg's share of a limit. `strategy` is the job's GitHub context as JSON; empty outside a matrix. */
export function shareOf(limit: RateLimit, strategy: string | undefined): RateLimit {
  const legs = legsAtOnce(strategy);
  if (legs <= 1) return limit;
  if (legs <= limit.count) return { ...limit, count: Math.floor(limit.count / legs) };
  return { count: 1, intervalMs: (limit.intervalMs * legs) / limit.count };
}

/** How many legs run at the same time: all, unless `max-parallel` is lower. */
function legsAtOnce(strategy = ""): number {
  const read = parseJson(strategy);
  if (!isObject(read)) return 1;
  const [total, parallel] = ["job-total", "max-parallel"].map((key) => {
    const value = read[key];
    return typeof value === "number" && value >= 1 ? value : Number.POSITIVE_INFINITY;
  });
  const legs = Math.min(total!, parallel!);
  return Number.isFinite(legs) ? Math.floor(legs) : 1;
}

/**
 * Creates a budget; by default the default row of contributing/interface.md "Limits". A pause
 * halves the rate, which recovers over 20 s.
 */
export function createBudget(options: {
  readonly clock: Clock;
  readonly count?: number;
  readonly intervalMs?: number;
}): RateBudget {
  const { clock, count = DEFAULT_LIMIT.count, intervalMs = DEFAULT_LIMIT.intervalMs } = options;
  const bucket = createBucket(count, intervalMs, clock.monotonic());
  let waiting = 0;
  /** Resolves once everybody who waits has left. */
  let everybody: Promise<void> = Promise.resolve();
  const wait = async (deadlineMs: number, signal: AbortSignal | undefined): Promise<boolean> => {
    const earlier = everybody;
    let leave = (): void => undefined;
    everybody = new Promise((resolve) => {
      leave = resolve;
    });
    waiting += 1;
    try {
      await earliest(earlier, clock, deadlineMs, signal);
      for (let now = clock.monotonic(); now < deadlineMs; now = clock.monotonic()) {
        if (bucket.taken(now)) return true;
        await clock.sleep(Math.max(1, Math.min(deadlineMs, bucket.nextAt(now)) - now), signal);
      }
      return false;
    } finally {
      waiting -= 1;
      // Later callers wait for all before them, also if this one gave up.
      void earlier.then(leave);
    }
  };
  return {
    pause: (ms) => bucket.pause(clock.monotonic(), ms),
    take: async ({ signal, deadlineMs = Infinity } = {}) => {
      signal?.throwIfAborted();
      const now = clock.monotonic();
      if (deadlineMs <= now) return false;
      return (waiting === 0 && bucket.taken(now)) || wait(deadlineMs, signal);
    },
  };
}

/** Node's timers use 31 bits. */
const LONGEST_MS = 2 ** 31 - 1;

/** Resolves with what comes first, the end of the wait for others or the deadline; rejects with the signal's reason. */
async function earliest(
  others: Promise<void>,
  clock: Clock,
  deadlineMs: number,
  signal: AbortSignal | undefined,
): Promise<void> {
  const done = new AbortController();
  const stop = signal === undefined ? done.signal : AbortSignal.any([done.signal, signal]);
  const leftMs = Math.min(LONGEST_MS, deadlineMs - clock.monotonic());
  await Promise.race([others, clock.sleep(leftMs, stop)]);
  done.abort();
}
