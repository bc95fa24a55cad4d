import { parseMetric } from "./metric.ts";

/** How many it takes to bound a quantile. */
export interface Needed {
  readonly needed: number;
  readonly of: "examples" | "clusters";
}

type Side = "above" | "below";

/** How many independent values it takes to bound a quantile on a side, one-sided tail `tail`. */
export function valuesToBound(q: number, side: Side, tail: number): number {
  return Math.ceil(Math.log(tail) / Math.log(side === "above" ? q : 1 - q) - 1e-9);
}

/** The same for a latency's quantile on the sides that matter, in what counts as independent. */
export function neededToBound(
  name: string,
  {
    sides,
    tail,
    clustered,
  }: {
    readonly sides: readonly Side[];
    readonly tail: number;
    readonly clustered: boolean;
  },
): Needed {
  const metric = parseMetric(name);
  const q = (metric.kind === "latency" ? metric.quantile : null) ?? 0.5;
  return {
    needed: Math.max(...sides.map((side) => valuesToBound(q, side, tail))),
    of: clustered ? "clusters" : "examples",
  };
}
