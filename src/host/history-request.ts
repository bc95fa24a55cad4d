import type { Clock } from "../clock.ts";
import type { RunContext } from "./context.ts";

const TIMEOUT_MS = 20_000;

/** GitHub's comparison of two commits. */
export const COMPARE = "GET /repos/{owner}/{repo}/compare/{basehead}";

/** Whom to ask about commits, and with which token; an empty one asks nobody. */
export interface HistorySource {
  readonly run: RunContext;
  readonly token: string;
  readonly clock: Clock;
}

/** What GitHub answers about the run's own repository; null where there is nobody to ask. */
export async function askForHistory(
  { run, token, clock }: HistorySource,
  route: `GET /repos/{owner}/{repo}/${string}`,
  parameters: Readonly<Record<string, string>>,
): Promise<Readonly<Record<string, unknown>> | null> {
  if (run.host !== "github" || run.repository === null || token === "") return null;
  const { createGithubApi } = await import("./github-api.ts");
  const baseUrl = run.apiUrl;
  const api = await createGithubApi({ token, baseUrl, clock, timeoutMs: () => TIMEOUT_MS });
  const { owner, name: repo } = run.repository;
  const { data } = await api.request(route, { owner, repo, ...parameters });
  return data as Readonly<Record<string, unknown>>;
}
