import { type Clock, systemClock } from "../../clock.ts";
import type { EmulatorOptions } from "../options.ts";

/**
 * The given clock, which can be advanced; it starts no earlier than `startAt`, the time that the
 * stored state had reached.
 */
export function toClock(given: EmulatorOptions["clock"], startAt: number) {
  const manual = given !== undefined && "manual" in given ? given : null;
  const start = (): number => manual?.startMs ?? Date.UTC(2026, 0, 1);
  const still: Clock = { now: start, monotonic: start, sleep: async (ms) => advance(ms) };
  const running = given !== undefined && "now" in given ? given : systemClock;
  const base = manual === null ? running : still;
  let moved = Math.max(0, startAt - base.now());
  const advance = (ms: number): void => {
    moved += ms;
  };
  return {
    clock: {
      now: () => base.now() + moved,
      monotonic: () => base.monotonic() + moved,
      sleep: base.sleep,
    },
    advance,
    step: (): void => advance(manual?.stepMs ?? 0),
    restart: (): void => {
      moved = 0;
    },
  };
}
