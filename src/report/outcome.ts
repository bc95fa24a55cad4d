/** The style of an end; red fails the step. */
type OutcomeStyle = "red" | "yellow" | "green";

/**
 * All ends of a deployment or run, from worst to best, with the sign before its verdict (different
 * for each, so that a column can be scanned) and its style.
 */
const ENDS = {
  cancelled: ["⏹️", "red"],
  failed: ["❌", "red"],
  blocked: ["⛔", "red"],
  "timed-out": ["⏱️", "red"],
  superseded: ["⏭️", "red"],
  "not-run": ["⏸️", "red"],
  deployed: ["✅", "green"],
  started: ["🚀", "yellow"],
  updated: ["✅", "green"],
  planned: ["📝", "yellow"],
  unchanged: ["✅", "green"],
  skipped: ["⚪", "yellow"],
} as const satisfies Readonly<Record<string, readonly [sign: string, style: OutcomeStyle]>>;

/** How a run or one of its deployments ended. */
export type Outcome = keyof typeof ENDS;
/** All outcomes, from worst to best. */
export const OUTCOMES = Object.keys(ENDS) as [Outcome, ...Outcome[]];

/** The worst of several outcomes; `unchanged` if there are none. */
export function worstOutcome(outcomes: readonly Outcome[]): Outcome {
  return OUTCOMES.find((outcome) => outcomes.includes(outcome)) ?? "unchanged";
}

/** The sign of an outcome. */
export const iconOf = (outcome: Outcome): string => ENDS[outcome][0];

/** The style of an outcome; yellow: good, but not live yet. */
export const outcomeStyle = (outcome: Outcome): OutcomeStyle => ENDS[outcome][1];

/** Whether an outcome leaves the step green (gates and `fail-on-changes` are judged separately). */
export function isGreen(outcome: Outcome): boolean {
  return outcomeStyle(outcome) !== "red";
}
