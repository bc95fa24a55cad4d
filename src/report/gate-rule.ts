import type { GateReport } from "./report.ts";

/** Whether a rule compares with the baseline: its interval is then that of the change, else that of the value. */
export function isDrop(rule: string): boolean {
  return /\s(?:drop|rise)\s*(?:<=|=<|≤|<)/u.test(rule);
}

/** Whether less of a metric is better, where the gate says so. */
export function isLowerBetter({ direction, rule }: GateReport): boolean {
  return direction === undefined ? /\srise\s/.test(rule) : direction === "lower";
}

const UNITS: Readonly<Record<string, number>> = {
  "": 1,
  "%": 0.01,
  ms: 0.001,
  s: 1,
  m: 60,
  min: 60,
  h: 3600,
};

/** The number of a gate's rule in its metric's own unit, latencies in seconds; null where it names none. */
export function limitNumber(rule: string): number | null {
  const found = /(?:>=|<=|=>|=<|≥|≤|>|<)\s*(-?[\d.]+(?:e[+-]?\d+)?)\s*([a-z%]*)\s*$/iu.exec(rule);
  const unit = UNITS[found?.[2]?.toLowerCase() ?? ""];
  return found === null || unit === undefined ? null : Number(found[1]) * unit;
}

/**
 * The worst value of a metric that its gate lets through: the threshold itself, or the baseline
 * less what may be lost.
 */
export function worstAllowed(gate: GateReport): number | null {
  const number = limitNumber(gate.rule);
  if (number === null || !isDrop(gate.rule)) return number;
  if (gate.base === null) return null;
  return gate.base + (isLowerBetter(gate) ? number : -number);
}
