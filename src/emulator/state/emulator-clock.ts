import { type Clock, systemClock } from "../../clock.ts";
import type { EmulatorOptions, ManualClock } from "../options.ts";

interface Ticking {
  readonly clock: Clock;
  readonly advance: (ms: number) => void;
  readonly step: () => void;
  readonly restart: () => void;
}

/** The clock that was given, which can be moved on; it starts no earlier than what the kept state saw. */
export function toClock(given: EmulatorOptions["clock"], startAt: number): Ticking {
  let moved = 0;
  const advance = (ms: number): void => {
    moved += ms;
  };
  if (given !== undefined && "manual" in given) {
    const manual: ManualClock = given;
    const start = Math.max(manual.startMs ?? Date.UTC(2026, 0, 1), startAt);
    const now = (): number => start + moved;
    const sleep = async (ms: number): Promise<void> => advance(ms);
    return {
      clock: { now, monotonic: now, sleep },
      advance,
      step: () => advance(manual.stepMs ?? 0),
      restart: () => {
        moved = 0;
      },
    };
  }
  const base = given ?? systemClock;
  moved = Math.max(0, startAt - base.now());
  return {
    clock: {
      now: () => base.now() + moved,
      monotonic: () => base.monotonic() + moved,
      sleep: base.sleep,
    },
    advance,
    step: () => undefined,
    restart: () => {
      moved = 0;
    },
  };
}
