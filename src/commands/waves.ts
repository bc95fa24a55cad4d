import { isGreen, type Outcome, worstOutcome } from "../report/outcome.ts";
import type { DeploymentReport } from "../report/report.ts";
import { plural } from "../model/count-words.ts";
import type { Desired } from "../spec/desired.ts";

/** The wave of each document, by its name. */
export function waveOf(documents: readonly Desired[]): (name: string) => number {
  const waves = new Map(documents.map(({ name, deploy }) => [name, deploy.wave ?? 0]));
  return (name) => waves.get(name) ?? 0;
}

/** What runs in waves, and what stops it. */
export interface WavePlan<T> {
  readonly items: readonly T[];
  readonly waveOf: (item: T) => number;
  readonly concurrency: number;
  readonly failFast: boolean;
  /** The input `max-failures`, already checked: a number, or a share of the items. */
  readonly maxFailures: string | undefined;
  readonly work: (item: T) => Promise<DeploymentReport>;
  /** The report of an item that was not started, and why. */
  readonly skip: (item: T, reason: string, message: string) => DeploymentReport;
  /** Called after a wave that is not the last: returns its final reports, and why it failed, if it did. */
  readonly close: (
    reports: readonly DeploymentReport[],
  ) => Promise<{ readonly deployments: readonly DeploymentReport[]; readonly why: string }>;
  readonly progress: (line: string) => void;
}

/** Works on items wave by wave; results keep the items' order. */
export async function runWaves<T>(plan: WavePlan<T>): Promise<readonly DeploymentReport[]> {
  const { items, waveOf, failFast, maxFailures } = plan;
  const waves = [...new Set(items.map(waveOf))].sort((a, b) => a - b);
  const results = new Map<T, DeploymentReport>();
  const most = toFailureLimit(maxFailures, items.length);
  let failures = 0;
  let stopped: Stopped | null = null;
  /** Stops what has not begun, for the first reason only; a cancelled run begins nothing more anyway. */
  const stop = (reason: string, why: string, outcome?: Outcome): void => {
    stopped ??=
      outcome === "cancelled"
        ? { reason: "signal", message: "not run: the run was cancelled" }
        : { reason, message: `not run: ${why}` };
  };
  const stopAtLimit = (outcome?: Outcome): void => {
    const failed = plural(failures, "deployment");
    if (failures >= most)
      stop("max-failures", `${failed} failed, and max-failures is ${maxFailures}`, outcome);
  };
  for (const wave of waves) {
    const members = items.filter((item) => waveOf(item) === wave);
    if (waves.length > 1 && stopped === null)
      plan.progress(`wave ${wave}: ${plural(members.length, "deployment")}`);
    const reports = await runPool(members, plan.concurrency, async (item) => {
      if (stopped !== null) return plan.skip(item, stopped.reason, stopped.message);
      const report = await plan.work(item);
      const { outcome } = report;
      if (isGreen(outcome)) return report;
      failures += 1;
      stopAtLimit(outcome);
      if (failFast)
        stop(
          "fail-fast",
          `an earlier deployment ${redWords(outcome)}, and fail-fast is set`,
          outcome,
        );
      return report;
    });
    const isLast = wave === waves.at(-1);
    const closed =
      isLast || stopped !== null ? { deployments: reports, why: "" } : await plan.close(reports);
    for (const [index, item] of members.entries()) results.set(item, closed.deployments[index]!);
    const waits = (why: string, outcome?: Outcome): void =>
      stop("wave", `${why} in wave ${wave}, and later waves wait for it`, outcome);
    if (closed.why !== "") {
      failures += 1;
      if (failFast || maxFailures === undefined) waits(closed.why);
      stopAtLimit();
    }
    const worst = worstOutcome(reports.map(({ outcome }) => outcome));
    if (worst === "cancelled" || (maxFailures === undefined && failures > 0))
      waits(`a deployment ${redWords(worst)}`, worst);
  }
  return items.map((item) => results.get(item)!);
}

/** The number of failures that stops a run of `count` items, by the input `max-failures`. */
export function toFailureLimit(text: string | undefined, count: number): number {
  if (text === undefined) return Number.POSITIVE_INFINITY;
  const value = Number.parseInt(text, 10);
  return text.endsWith("%") ? Math.max(1, Math.ceil((value * count) / 100)) : value;
}

interface Stopped {
  readonly reason: string;
  readonly message: string;
}

/** Words for the outcomes of a deployment that keep later ones from starting. */
const RED_WORDS: Partial<Record<Outcome, string>> = {
  blocked: "was blocked",
  "timed-out": "timed out",
  superseded: "was superseded",
};
const redWords = (outcome: Outcome): string => RED_WORDS[outcome] ?? "failed";

/** Works on items with at most `limit` at once; results keep the items' order. */
export async function runPool<T, R>(
  items: readonly T[],
  limit: number,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results = new Array<R>(items.length);
  const rest = items.entries();
  const worker = async (): Promise<void> => {
    // One iterator for all workers: each takes the next item.
    for (const [index, item] of rest) results[index] = await work(item);
  };
  await Promise.all(Array.from({ length: Math.max(1, Math.min(limit, items.length)) }, worker));
  return results;
}
