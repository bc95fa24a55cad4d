/** Time, handed in: nothing in core reads a clock of its own. */
export interface Clock {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Milliseconds that never jump, for deadlines. */
  readonly monotonic: () => number;
  /** Resolves after `ms`, or rejects with the signal's reason as soon as it aborts. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
}

/** Uniform in [0, 1), handed in. */
export type Random = () => number;

/** The machine's own clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  // Not performance.now(): its first use loads all of node:perf_hooks.
  monotonic: () => Number(process.hrtime.bigint()) / 1e6,
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) {
        reject(signal.reason);
        return;
      }
      const timer = setTimeout(() => {
        signal?.removeEventListener("abort", stop);
        resolve();
      }, ms);
      const stop = (): void => {
        clearTimeout(timer);
        reject(signal?.reason);
      };
      signal?.addEventListener("abort", stop, { once: true });
    }),
};

/** A signal that ends with others, or when its time is over. */
export interface TimeLimit {
  readonly signal: AbortSignal;
  /** Clears the timer; call it when the limited work has ended. */
  readonly clear: () => void;
}

/**
 * Limits one request. Its timer holds the signal: Node 20 collects an `AbortSignal.timeout` that only
 * `AbortSignal.any` refers to, and the limit never comes.
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
