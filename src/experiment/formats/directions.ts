import type { BetterSide } from "../../gate/direction.ts";

interface Verdict {
  readonly key: string;
  readonly score: unknown;
  readonly threshold: unknown;
  readonly passed: unknown;
}

/** Finds the side of its threshold on which a metric passes, if the verdicts of a file show it consistently. */
export function createDirections() {
  const seen = new Map<string, BetterSide | null>();
  return {
    add: ({ key, score, threshold, passed }: Verdict): void => {
      if (typeof passed !== "boolean" || typeof score !== "number") return;
      if (typeof threshold !== "number" || !(Math.abs(score - threshold) > 0)) return;
      const side = score > threshold === passed ? "higher" : "lower";
      seen.set(key, (seen.get(key) ?? side) === side && seen.get(key) !== null ? side : null);
    },
    found: (): ReadonlyMap<string, BetterSide> =>
      new Map([...seen].flatMap(([key, side]) => (side === null ? [] : [[key, side]]))),
  };
}
