import { getOctokit } from "@actions/github";
import { type Clock, limitTime } from "../clock.ts";
import { own, ownAt } from "../model/json.ts";
import type { RunContext } from "../run-context.ts";
import { createGithubFetch } from "./fetch.ts";
import { headersOf, isFinal, isRateLimited, isUnanswered, statusOf } from "./error.ts";

/** A successful response; 4xx and 5xx throw. */
export interface GithubReply {
  readonly data: unknown;
  readonly headers: unknown;
}

/** Where the API is, and how long reporting may delay the run. */
export interface GithubApiOptions {
  readonly token: string;
  readonly run: Pick<RunContext, "apiUrl" | "repository">;
  readonly clock: Clock;
  /** Milliseconds for a request with its repeats and pauses, evaluated when it starts. */
  readonly timeoutMs: () => number;
  /** Aborts requests that the run can no longer wait for. */
  readonly signal?: () => AbortSignal;
}

const REQUEST_TIMEOUT_MS = 15_000;
const SILENT = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/** Creates a client through octokit, over a `fetch` with our own rules; makes no request yet. */
export function createGithubApi({
  token,
  run: { apiUrl: baseUrl, repository },
  clock,
  timeoutMs,
  signal,
}: GithubApiOptions) {
  const fetch = createGithubFetch(baseUrl, process.env);
  const about = { owner: repository?.owner ?? "", repo: repository?.name ?? "" };
  const octokit = getOctokit(token, { baseUrl, log: SILENT, request: { fetch } });
  /** Throws an error with `status` (null without a response) and GitHub's own `message`. */
  const request = async (
    route: string,
    parameters?: Readonly<Record<string, unknown>>,
  ): Promise<GithubReply> => {
    const until = signal?.();
    const deadlineMs = clock.monotonic() + timeoutMs();
    const leftMs = (): number => deadlineMs - clock.monotonic();
    for (let failures = 0; ; failures += 1) {
      const limit = limitTime(
        Math.ceil(Math.max(500, Math.min(REQUEST_TIMEOUT_MS, leftMs()))),
        until === undefined ? [] : [until],
      );
      try {
        const bounded = { ...about, ...parameters, request: { signal: limit.signal } };
        return await octokit.request(route, bounded);
      } catch (error) {
        const waitMs = toWaitMs(error, { route, failures, nowMs: clock.now() });
        if (waitMs === null || waitMs > leftMs() || until?.aborted === true) throw error;
        await clock.sleep(waitMs, until);
      } finally {
        limit.clear();
      }
    }
  };

  /**
   * Sends what creates something. Without a definite response it may have been accepted, so it is
   * sent again only if `find` shows nothing.
   */
  const createOnce = async <Made>(
    send: () => Promise<Made>,
    find: () => Promise<Made | false | null | undefined>,
  ): Promise<Made> => {
    const until = signal?.();
    const deadlineMs = clock.monotonic() + timeoutMs();
    for (let tries = 1; ; tries += 1) {
      try {
        return await send();
      } catch (error) {
        const isRefused = (statusOf(error) ?? 500) < 500 || isFinal(error);
        const isLate = clock.monotonic() + 1000 * tries > deadlineMs || until?.aborted === true;
        if (tries >= MAX_CREATES || isRefused || isLate) throw error;
      }
      await clock.sleep(1000 * tries, until);
      const found = await find();
      if (found) return found;
    }
  };

  /** Every item of a list, page by page. */
  async function* items(
    route: string,
    parameters: Readonly<Record<string, unknown>>,
    maxPages = 100,
  ): AsyncGenerator<unknown> {
    let first = "";
    for (let page = 1; page <= maxPages; page += 1) {
      const { data, headers } = await request(route, { ...parameters, per_page: PER_PAGE, page });
      if (!Array.isArray(data)) return;
      const begins = JSON.stringify(data[0]);
      // A server that ignores the page number returns the first page for ever.
      if (page > 1 && begins === first) return;
      first = begins;
      yield* data as readonly unknown[];
      if (!goesOn(own(headers, "link"), data.length)) return;
    }
  }
  return { request, createOnce, items };
}

/** GitHub's REST API for the run's repository, with octokit's routes (`GET /repos/{owner}/{repo}`). */
export type GithubApi = ReturnType<typeof createGithubApi>;

const PER_PAGE = 100;

/** Whether a list has another page. If a proxy removes the Link header, a full page means yes. */
function goesOn(link: unknown, size: number): boolean {
  return typeof link === "string" ? /rel="next"/.test(link) : size >= PER_PAGE;
}

const MAX_TRIES = 4;
/** How often something is sent that GitHub did not show after a lost response. */
const MAX_CREATES = 3;
/** For a server that accepts a request and never answers: a second try that hangs is the last. */
const MAX_TRIES_UNANSWERED = 2;

/**
 * Milliseconds until the request is repeated; null: no repeat. A POST that may have been accepted
 * is not repeated here, but by `createOnce`.
 */
function toWaitMs(
  error: unknown,
  { route, failures, nowMs }: { route: string; failures: number; nowMs: number },
): number | null {
  if (failures + 1 >= MAX_TRIES || isFinal(error)) return null;
  const status = statusOf(error);
  if (isUnanswered(error) && failures + 1 >= MAX_TRIES_UNANSWERED) return null;
  const headers = headersOf(error);
  if (isRateLimited(error)) {
    // Refused unread, so any method may be sent again.
    const after = Number(headers["retry-after"]);
    if (Number.isFinite(after) && headers["retry-after"] !== undefined)
      return Math.max(0, after) * 1000;
    const reset = Number(headers["x-ratelimit-reset"]) * 1000 - nowMs;
    return headers["x-ratelimit-remaining"] === "0" && Number.isFinite(reset)
      ? Math.max(1000, reset)
      : 60_000;
  }
  const lost = status === null || status >= 500;
  return lost && !route.startsWith("POST ") ? 1000 * 2 ** failures : null;
}

/** Whether a bot or an app wrote a comment or an issue: anybody may copy a marker. */
export function isByApp(one: unknown): boolean {
  return (
    ownAt(one, "user", "type") === "Bot" || (own(one, "performed_via_github_app") ?? null) !== null
  );
}

/**
 * The pull request of a run: from the event, else that of the pushed commit (merged by it, else
 * open, else any). Null if there is none.
 */
export async function findPullRequest(api: GithubApi, context: RunContext): Promise<number | null> {
  if (context.pullRequest !== null) return context.pullRequest;
  if (!context.pullRequestByCommit || context.repository === null || context.sha === "")
    return null;
  let found: readonly unknown[];
  try {
    const { data } = await api.request("GET /repos/{owner}/{repo}/commits/{commit_sha}/pulls", {
      commit_sha: context.sha,
      per_page: 100,
    });
    found = Array.isArray(data) ? data : [];
  } catch (error) {
    // GitHub does not know the commit, or an old server lacks the route: there is no pull request to report to.
    if ([404, 409, 422].includes(statusOf(error) ?? 0)) return null;
    throw error;
  }
  const best =
    found.find((pull) => own(pull, "merge_commit_sha") === context.sha) ??
    found.find((pull) => own(pull, "state") === "open") ??
    found[0];
  const number = own(best, "number");
  return typeof number === "number" ? number : null;
}
