import type { Json, JsonObject } from "../../model/json.ts";
import { scoreOf } from "./upload-check.ts";

interface Tally {
  n: number;
  scored: number;
  sum: number;
  squares: number;
  readonly values: Map<string, number>;
}

/** Counts feedback by key, in memory bounded by the number of keys and of distinct values. */
export function createTally(): {
  readonly add: (feedback: Json | undefined) => void;
  readonly result: () => JsonObject | null;
} {
  const keys = new Map<string, Tally>();
  return {
    add: (feedback) => {
      for (const one of Array.isArray(feedback) ? (feedback as readonly JsonObject[]) : []) {
        const name = String(one["key"]);
        const tally = keys.get(name) ?? { n: 0, scored: 0, sum: 0, squares: 0, values: new Map() };
        keys.set(name, tally);
        const score = scoreOf(one);
        tally.n += 1;
        if (score !== null) {
          tally.scored += 1;
          tally.sum += score;
          tally.squares += score * score;
        }
        if (typeof one["value"] === "string" && tally.values.size < 1000)
          tally.values.set(one["value"], (tally.values.get(one["value"]) ?? 0) + 1);
      }
    },
    result: () =>
      keys.size === 0
        ? null
        : Object.fromEntries(
            [...keys].map(([name, { n, scored, sum, squares, values }]) => {
              const avg = scored === 0 ? null : sum / scored;
              const variance = avg === null ? null : Math.max(0, squares / scored - avg * avg);
              return [
                name,
                {
                  n,
                  avg,
                  stdev: variance === null ? null : Math.sqrt(variance),
                  values: Object.fromEntries(values),
                },
              ];
            }),
          ),
  };
}
