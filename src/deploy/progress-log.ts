import { statusRow } from "../model/revision-status.ts";
import { durationWords } from "../report/wording.ts";
import type { DeploymentRun } from "./document-run.ts";

/** The longest silence of the log, at first and in the end. */
const SILENCE = { shortestMs: 30_000, longestMs: 300_000 };

/** What a wait logs. */
export type ProgressLog = ReturnType<typeof createProgressLog>;

/** Creates a log that names the deployment in each line, and logs little if a live line shows the status. */
export function createProgressLog({ context, tracker }: DeploymentRun) {
  const { clock, progress, live } = context;
  const startedAt = clock.monotonic();
  const moves = live?.status !== undefined;
  let [spokeAt, silenceMs] = [startedAt, SILENCE.shortestMs];
  const elapsed = (): string => durationWords(clock.monotonic() - startedAt);
  const log = (line: string): void => {
    progress(`${tracker.name}: ${line}`);
    spokeAt = clock.monotonic();
  };
  return {
    log,
    /** The revision that is waited for. */
    revision: (id: string): void => {
      // A runner may kill this process before it can report, so the ids are logged at the start.
      if (!moves) log(`revision ${id} of deployment ${tracker.id}`);
    },
    /** One line per change of status. */
    change: (status: string, remark: string): void => {
      live?.status?.(tracker.name, status);
      // A live line shows what is running; what has ended stays as a line.
      if (!moves || remark !== "" || statusRow(status)?.phase === undefined)
        log(`${status}${remark} after ${elapsed()}`);
      silenceMs = SILENCE.shortestMs;
    },
    /** A sign of life after some silence, at growing intervals. */
    still: (words: string): void => {
      if (moves || clock.monotonic() - spokeAt < silenceMs) return;
      log(`still ${words} after ${elapsed()}`);
      silenceMs = Math.min(SILENCE.longestMs, silenceMs * 2);
    },
  };
}
