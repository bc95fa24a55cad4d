/** The style in which an end is printed; red leaves the step red. */
type OutcomeStyle = "red" | "yellow" | "green";

/**
 * How a deployment, or a run, ends, from worst to best: the sign in front of its verdict, one per
 * outcome, so that a column of them can be scanned, and its style.
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

/** How a run or one deployment of it ended. */
export type Outcome = keyof typeof ENDS;
/** All of them, from worst to best. */
export const OUTCOMES = Object.keys(ENDS) as [Outcome, ...Outcome[]];

/** The worst of several outcomes; `unchanged` for none. */
export function worstOutcome(outcomes: readonly Outcome[]): Outcome {
  return OUTCOMES.find((outcome) => outcomes.includes(outcome)) ?? "unchanged";
}

/** The sign of an outcome. */
export const iconOf = (outcome: Outcome): string => ENDS[outcome][0];

/** How an outcome is printed; yellow is good, and not yet live. */
export const outcomeStyle = (outcome: Outcome): OutcomeStyle => ENDS[outcome][1];

/** Whether an outcome leaves the step green (gates and `fail-on-changes` are judged apart). */
export function isGreen(outcome: Outcome): boolean {
  return outcomeStyle(outcome) !== "red";
}
