/** A signal that ends with others, or when its time is over. */
export interface TimeLimit {
  readonly signal: AbortSignal;
  /** Lets go of the timer; to be called when what it limits has ended. */
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
