/** How a deployment, or a run, ended; from worst to best. */
export const OUTCOMES = [
  "cancelled",
  "failed",
  "blocked",
  "timed-out",
  "superseded",
  "not-run",
  "deployed",
  "started",
  "updated",
  "planned",
  "unchanged",
  "skipped",
] as const;
/** How a run or one deployment of it ended. */
export type Outcome = (typeof OUTCOMES)[number];

/** The worst of several outcomes; `unchanged` for none. */
export function worstOutcome(outcomes: readonly Outcome[]): Outcome {
  return OUTCOMES.find((outcome) => outcomes.includes(outcome)) ?? "unchanged";
}

const GREEN: readonly Outcome[] = [
  "deployed",
  "started",
  "updated",
  "planned",
  "unchanged",
  "skipped",
];

/** Whether an outcome leaves the step green (gates and `fail-on-changes` are judged apart). */
export function isGreen(outcome: Outcome): boolean {
  return GREEN.includes(outcome);
}
