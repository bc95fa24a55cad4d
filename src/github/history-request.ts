import type { Clock } from "../clock.ts";
import type { RunContext } from "../run-context.ts";
import { statusOf } from "./error.ts";
import type { GithubApi } from "./api.ts";

/** Limit for one question with its repeats. */
const QUESTION_MS = 20_000;
/** Limit for all questions of a run. */
const ALL_MS = 60_000;

/**
 * Asks GitHub about the run's repository. Null if nobody can be asked, if the time for all
 * questions is up, or if GitHub left a question of this run unanswered: another one would delay the
 * run again for each document.
 */
export type AskForHistory = (
  route: `GET /repos/{owner}/{repo}/${string}`,
  parameters: Readonly<Record<string, string>>,
) => Promise<Readonly<Record<string, unknown>> | null>;

/** Sends all questions of a run through one client that keeps its connections; each question is asked once. */
export function createHistoryRequests({
  run,
  token,
  clock,
  timeoutMs,
  signal,
}: {
  readonly run: RunContext;
  /** Empty: no requests. */
  readonly token: string;
  readonly clock: Clock;
  /** The run's `timeout`, if given: no question takes longer. */
  readonly timeoutMs: number | null;
  readonly signal: AbortSignal;
}): AskForHistory {
  if (run.host !== "github" || run.repository === null || token === "") return async () => null;
  const longestMs = Math.min(QUESTION_MS, timeoutMs ?? Infinity);
  let opened: GithubApi | undefined;
  let isSilent = false;
  let untilMs = Infinity;
  const leftMs = (): number => untilMs - clock.monotonic();
  const ask: AskForHistory = async (route, parameters) => {
    if (isSilent || leftMs() <= 0) return null;
    untilMs = Math.min(untilMs, clock.monotonic() + ALL_MS);
    const { createGithubApi } = await import("./api.ts");
    const timeout = (): number => Math.min(longestMs, leftMs());
    opened ??= createGithubApi({ token, run, clock, timeoutMs: timeout, signal: () => signal });
    try {
      const { data } = await opened.request(route, parameters);
      return data as Readonly<Record<string, unknown>>;
    } catch (error) {
      isSilent ||= statusOf(error) === null;
      throw error;
    }
  };
  // Deployments of one repository ask about the same two commits.
  const answers = new Map<string, ReturnType<AskForHistory>>();
  return (route, parameters) => {
    const question = JSON.stringify([route, parameters]);
    const answer = answers.get(question) ?? ask(route, parameters);
    answers.set(question, answer);
    return answer;
  };
}
