import { setTimeout as setTimer } from "node:timers/promises";

/** Time as a port: core code reads no clock of its own. */
export interface Clock {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Monotonic milliseconds, for deadlines. */
  readonly monotonic: () => number;
  /** Resolves after `ms`; rejects with the signal's reason as soon as that aborts. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
}

/** Returns a random number, uniform in [0, 1). */
export type Random = () => number;

/** The clock of this machine, with real pauses. */
export const systemClock: Clock = {
  now: () => Date.now(),
  // Not performance.now(): its first use loads all of node:perf_hooks.
  monotonic: () => Number(process.hrtime.bigint()) / 1e6,
  sleep: async (ms, signal) => {
    await setTimer(ms, undefined, signal === undefined ? {} : { signal }).catch(
      (error: unknown) => {
        // It rejects with an error of its own.
        throw signal?.reason ?? error;
      },
    );
  },
};

/** A signal that aborts with others, or when its time is up. */
export interface TimeLimit {
  readonly signal: AbortSignal;
  /** Clears the timer; call it when the limited work has ended. */
  readonly clear: () => void;
}

/**
 * Limits one request. The timer keeps a reference to the signal: Node 20 collects an
 * `AbortSignal.timeout` that only `AbortSignal.any` refers to, and the limit never fires.
 */
export function limitTime(ms: number, others: readonly AbortSignal[]): TimeLimit {
  const controller = new AbortController();
  const timer = setTimeout(() => {
    controller.abort(new DOMException(`no answer within ${ms / 1000} s`, "TimeoutError"));
  }, ms);
  return {
    signal:
      others.length === 0 ? controller.signal : AbortSignal.any([controller.signal, ...others]),
    clear: () => {
      clearTimeout(timer);
    },
  };
}
