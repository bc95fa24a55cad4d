import type { BetterSide } from "../../gate/direction.ts";

/** A metric's number next to what the tool made of it. */
interface Verdict {
  readonly key: string;
  readonly score: unknown;
  readonly threshold: unknown;
  readonly passed: unknown;
}

/** Which side of its threshold a metric passes on, where the verdicts of a file show it and do not disagree. */
export function createDirections(): {
  readonly add: (verdict: Verdict) => void;
  readonly found: () => ReadonlyMap<string, BetterSide>;
} {
  const seen = new Map<string, BetterSide | null>();
  return {
    add: ({ key, score, threshold, passed }) => {
      if (typeof passed !== "boolean" || typeof score !== "number") return;
      if (typeof threshold !== "number" || !(Math.abs(score - threshold) > 0)) return;
      const side = score > threshold === passed ? "higher" : "lower";
      seen.set(key, (seen.get(key) ?? side) === side && seen.get(key) !== null ? side : null);
    },
    found: () => new Map([...seen].flatMap(([key, side]) => (side === null ? [] : [[key, side]]))),
  };
}
