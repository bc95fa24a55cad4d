import type { Clock } from "../../src/clock.ts";

/** A clock that a test moves: no wall-clock time passes in `sleep`. */
export interface ManualClock extends Clock {
  /** Moves both clocks and lets everything that is due run, in order of its time. */
  readonly advance: (ms: number) => Promise<void>;
  /** Moves the wall clock only, as an NTP step or a set clock does. */
  readonly jumpWall: (ms: number) => void;
  readonly sleepers: () => number;
  /** Every sleep asked for, in order, in milliseconds. */
  readonly slept: readonly number[];
}

interface Sleeper {
  readonly atMs: number;
  readonly order: number;
  readonly wake: () => void;
}

/** Lets pending promises and I/O callbacks run. */
function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/**
 * A manual clock that starts at a fixed date. With `auto`, time jumps to the next sleeper whenever the event loop comes
 * round, so that code that sleeps for minutes runs at once.
 */
export function createManualClock(
  options: { readonly startMs?: number; readonly auto?: boolean } = {},
): ManualClock {
  const { startMs = Date.UTC(2026, 0, 1), auto = false } = options;
  const sleepers: Sleeper[] = [];
  const slept: number[] = [];
  let elapsedMs = 0;
  let wallShiftMs = 0;
  let order = 0;
  let jumping = false;

  const wakeNext = (): void => {
    const next = sleepers.reduce((a, b) =>
      b.atMs < a.atMs || (b.atMs === a.atMs && b.order < a.order) ? b : a,
    );
    sleepers.splice(sleepers.indexOf(next), 1);
    elapsedMs = Math.max(elapsedMs, next.atMs);
    next.wake();
  };
  const jump = async (): Promise<void> => {
    jumping = true;
    for (await turn(); sleepers.length > 0; await turn()) wakeNext();
    jumping = false;
  };

  return {
    now: () => startMs + elapsedMs + wallShiftMs,
    monotonic: () => elapsedMs,
    slept,
    sleepers: () => sleepers.length,
    jumpWall: (ms) => {
      wallShiftMs += ms;
    },
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) {
          reject(signal.reason);
          return;
        }
        slept.push(ms);
        const stop = (): void => {
          sleepers.splice(sleepers.indexOf(sleeper), 1);
          reject(signal?.reason);
        };
        const sleeper: Sleeper = {
          atMs: elapsedMs + Math.max(0, ms),
          order: order++,
          wake: () => {
            signal?.removeEventListener("abort", stop);
            resolve();
          },
        };
        signal?.addEventListener("abort", stop, { once: true });
        sleepers.push(sleeper);
        if (auto && !jumping) void jump();
      }),
    advance: async (ms) => {
      const untilMs = elapsedMs + ms;
      await turn();
      while (sleepers.some(({ atMs }) => atMs <= untilMs)) {
        wakeNext();
        await turn();
      }
      elapsedMs = untilMs;
      await turn();
    },
  };
}
