import { isGreen, type Outcome, worstOutcome } from "../report/outcome.ts";
import type { DeploymentReport } from "../report/report.ts";
import { plural } from "../model/count-words.ts";
import type { Desired } from "../spec/desired.ts";

/** The wave of each document, by its name. */
export function waveOf(documents: readonly Desired[]): (name: string) => number {
  const waves = new Map(documents.map(({ name, deploy }) => [name, deploy.wave ?? 0]));
  return (name) => waves.get(name) ?? 0;
}

/** How many failures stop a run: a number, or a share of its documents. */
export interface FailureLimit {
  readonly text: string;
  /** The number of failures that stops a run of `documents`. */
  readonly of: (documents: number) => number;
}

/** Parses the input `max-failures`, already checked by the input table; undefined if not given. */
export function toFailureLimit(text: string | undefined): FailureLimit | undefined {
  if (text === undefined) return undefined;
  const isShare = text.endsWith("%");
  const value = Number.parseInt(text, 10);
  return {
    text,
    of: (documents) => (isShare ? Math.max(1, Math.ceil((value * documents) / 100)) : value),
  };
}

/** What runs in waves, and what stops it. */
export interface WavePlan<T> {
  readonly items: readonly T[];
  readonly waveOf: (item: T) => number;
  readonly concurrency: number;
  readonly failFast: boolean;
  readonly limit: FailureLimit | undefined;
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
  const { items, waveOf } = plan;
  const waves = [...new Set(items.map(waveOf))].sort((a, b) => a - b);
  const results = new Map<T, DeploymentReport>();
  const most = plan.limit?.of(items.length) ?? Number.POSITIVE_INFINITY;
  let failures = 0;
  let stopped: Stopped | null = null;
  for (const [at, wave] of waves.entries()) {
    const members = items.filter((item) => waveOf(item) === wave);
    if (waves.length > 1 && stopped === null)
      plan.progress(`wave ${wave}: ${plural(members.length, "deployment")}`);
    const reports: readonly DeploymentReport[] = await runPool(
      members,
      plan.concurrency,
      async (item) => {
        if (stopped !== null) return plan.skip(item, stopped.reason, stopped.message);
        const report = await plan.work(item);
        if (!isGreen(report.outcome)) failures += 1;
        if (failures >= most || (plan.failFast && !isGreen(report.outcome)))
          stopped ??= stoppedBy(report.outcome, () =>
            failures >= most ? atLimit(plan.limit!.text, failures) : failFast(report.outcome),
          );
        return report;
      },
    );
    const isLast = at === waves.length - 1;
    const closed =
      isLast || stopped !== null ? { deployments: reports, why: "" } : await plan.close(reports);
    for (const [index, item] of members.entries()) results.set(item, closed.deployments[index]!);
    if (closed.why !== "") {
      failures += 1;
      if (plan.failFast || plan.limit === undefined) stopped ??= afterWave(wave, closed.why);
      else if (failures >= most) stopped ??= atLimit(plan.limit.text, failures);
    }
    const worst = worstOutcome(reports.map(({ outcome }) => outcome));
    if (worst === "cancelled" || (plan.limit === undefined && failures > 0))
      stopped ??= stoppedBy(worst, () => afterWave(wave, `a deployment ${redWords(worst)}`));
  }
  return items.map((item) => results.get(item)!);
}

interface Stopped {
  readonly reason: string;
  readonly message: string;
}

/** A run that was cancelled begins nothing more, whatever else would have stopped it. */
const stoppedBy = (outcome: Outcome, otherwise: () => Stopped): Stopped =>
  outcome === "cancelled"
    ? { reason: "signal", message: "not run: the run was cancelled" }
    : otherwise();

/** Words for the outcomes of a deployment that keep later ones from starting. */
const RED_WORDS: Partial<Record<Outcome, string>> = {
  blocked: "was blocked",
  "timed-out": "timed out",
  superseded: "was superseded",
};
const redWords = (outcome: Outcome): string => RED_WORDS[outcome] ?? "failed";

const failFast = (outcome: Outcome): Stopped => ({
  reason: "fail-fast",
  message: `not run: an earlier deployment ${redWords(outcome)}, and fail-fast is set`,
});

const atLimit = (text: string, failures: number): Stopped => ({
  reason: "max-failures",
  message: `not run: ${failures} ${failures === 1 ? "deployment" : "deployments"} failed, and max-failures is ${text}`,
});

const afterWave = (wave: number, why: string): Stopped => ({
  reason: "wave",
  message: `not run: ${why} in wave ${wave}, and later waves wait for it`,
});

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
