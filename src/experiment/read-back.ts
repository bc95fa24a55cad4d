import type { Clock } from "../clock.ts";
import { isObject, own } from "../model/json.ts";
import type { TracingSession, Tracing } from "../service/tracing.ts";
import type { Experiment } from "./experiment.ts";

/** The result of reading an experiment back. */
export interface ReadBack {
  /** The last session read; null if there was none. */
  readonly session: TracingSession | null;
  /** How the service's figures differ from ours, or why that is unknown; one sentence each. */
  readonly warnings: readonly string[];
}

const DELAYS_MS: readonly number[] = [100, 250, 500, 1000, 2000, 3000, 5000];
/** Statistics appear after some seconds, later with many rows; longer waits are not worth it. */
const LIMIT_MS = 15_000;
const LIMIT_PER_ROW_MS = 0.5;
const MAX_MS = 60_000;
/** An experiment stored a moment ago is found at once, or not served at all. */
const UNKNOWN_LIMIT_MS = 4_000;
/** The service computes and rounds its means differently. */
const TOLERANCE = 1e-4;

/**
 * Reads an experiment until its statistics exist (they are null for some seconds) and compares
 * them with ours; bounded in time, never throws.
 */
export async function readBack(
  experiment: Experiment,
  id: string,
  how: {
    readonly tracing: Pick<Tracing, "getSession">;
    readonly clock: Clock;
    readonly signal?: AbortSignal | undefined;
  },
): Promise<ReadBack> {
  const { tracing, clock } = how;
  const begun = clock.monotonic();
  const limitMs = Math.min(MAX_MS, LIMIT_MS + LIMIT_PER_ROW_MS * experiment.rowCount);
  let session: TracingSession | null = null;
  let failure = "";
  for (let turn = 0; ; turn += 1) {
    try {
      session = (await tracing.getSession(id)) ?? session;
      if (session !== null && differences(experiment, session).length === 0)
        return { session, warnings: [] };
      failure = "";
    } catch (error) {
      failure = (error as Error).message;
    }
    const delay = DELAYS_MS[Math.min(turn, DELAYS_MS.length - 1)]!;
    if (
      clock.monotonic() + delay >
      begun + (session === null && failure === "" ? Math.min(limitMs, UNKNOWN_LIMIT_MS) : limitMs)
    )
      break;
    try {
      await clock.sleep(delay, how.signal);
    } catch {
      return { session, warnings: ["the run was cancelled before the statistics were read back"] };
    }
  }
  if (failure !== "")
    return {
      session,
      warnings: [`the experiment is uploaded, but could not be read back: ${failure}`],
    };
  if (session === null)
    return {
      session,
      warnings: ["the experiment is uploaded, but the service does not find it yet"],
    };
  return { session, warnings: differences(experiment, session) };
}

function differences(experiment: Experiment, session: TracingSession): string[] {
  if (session.run_count === null)
    return [
      "the service has no statistics of the experiment yet; row count and averages are not verified",
    ];
  const found: string[] = [];
  if (session.run_count !== experiment.rowCount)
    found.push(`the service counts ${session.run_count} rows, the file has ${experiment.rowCount}`);
  const stats = own(session.body, "feedback_stats");
  for (const [key, { mean, n }] of Object.entries(experiment.sent)) {
    const stat = own(stats, key);
    if (!isObject(stat)) {
      found.push(`the service has no statistics of ${key}, but ${n} scores were sent`);
      continue;
    }
    const [count, average] = [own(stat, "n"), own(stat, "avg")];
    if (typeof count === "number" && count !== n)
      found.push(`the service counts ${count} scores of ${key}, ${n} were sent`);
    else if (
      typeof average === "number" &&
      Math.abs(average - mean) > TOLERANCE * Math.max(1, Math.abs(mean))
    )
      found.push(`the service's mean of ${key} is ${average}, ours ${mean}`);
  }
  return found;
}
