import { type Clock, systemClock } from "../../clock.ts";
import type { EmulatorOptions } from "../options.ts";
import type { Store } from "./store.ts";

/** The given clock, which can be advanced; the store keeps by how much, so that a restart does not set it back. */
export function toClock(given: EmulatorOptions["clock"], store: Store) {
  const manual = given !== undefined && "manual" in given ? given : null;
  const start = (): number => manual?.startMs ?? Date.UTC(2026, 0, 1);
  const still: Clock = { now: start, monotonic: start, sleep: async (ms) => advance(ms) };
  const running = given !== undefined && "now" in given ? given : systemClock;
  const base = manual === null ? running : still;
  const moved = (): number => store.get("meta", "advanced") ?? 0;
  const advance = (ms: number): void => {
    if (ms > 0) store.put("meta", "advanced", moved() + ms);
  };
  return {
    clock: {
      now: () => base.now() + moved(),
      monotonic: () => base.monotonic() + moved(),
      sleep: base.sleep,
    },
    advance,
    step: (): void => advance(manual?.stepMs ?? 0),
  };
}
