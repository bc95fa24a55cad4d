import type { GithubHostSetup } from "./github.ts";
import { toCommentKey } from "./comment-key.ts";
import { createGithubApi, findPullRequest, type GithubApi } from "./github-api.ts";
import { createGithubDeployment, type GithubDeployment } from "./github-deployment.ts";
import { messageOf, statusOf } from "./github-error.ts";
import type { Host } from "./host.ts";
import { saveSinks, type Sinks } from "./post-state.ts";
import { createStickyComment, type StickyComment } from "./sticky-comment.ts";

/** What a run tells GitHub over the network; null where it does not. */
export interface GithubSinks {
  readonly sticky: StickyComment | null;
  readonly deployment: GithubDeployment | null;
  /** Keeps for the post step what is open. */
  readonly save: (sinks: Sinks) => void;
}

/** Which of them a run wants, and how long it waits for them. */
export interface GithubSinksOptions {
  readonly setup: GithubHostSetup;
  readonly wanted: { readonly comment: boolean; readonly deployment: boolean };
  readonly timeoutMs: () => number;
  readonly signal: () => AbortSignal;
  readonly say: Host["say"];
}

/** Finds the pull request of the run and opens what is wanted; the rest of the host is loaded without this file. */
export async function openGithubSinks({
  setup,
  wanted,
  timeoutMs,
  signal,
  say,
}: GithubSinksOptions): Promise<GithubSinks> {
  const { context, options, clock } = setup;
  const api = await createGithubApi({
    token: options.githubToken,
    baseUrl: context.apiUrl,
    clock,
    timeoutMs,
    signal,
  });
  return {
    sticky: wanted.comment ? await openComment(setup, api, say) : null,
    deployment: wanted.deployment
      ? createGithubDeployment({ api, context, environment: options.environment, say })
      : null,
    save: saveSinks,
  };
}

async function openComment(
  { context, options, clock }: GithubHostSetup,
  api: GithubApi,
  say: Host["say"],
): Promise<StickyComment | null> {
  if (context.repository === null) return null;
  let pullRequest: number | null;
  try {
    pullRequest = await findPullRequest(api, context);
  } catch (error) {
    const needs = [401, 403].includes(statusOf(error) ?? 0)
      ? " Give the job `permissions: pull-requests: write`."
      : "";
    say(
      "warning",
      `No pull request comment: the pull request of this commit was not found out (${statusOf(error) ?? "no answer"}: ${messageOf(error)}).${needs} The report is in the job summary.`,
    );
    return null;
  }
  if (pullRequest === null) return null;
  const key = toCommentKey({
    workflow: context.workflow,
    job: context.job,
    matrix: options.matrix,
    environment: options.environment,
    commentKey: options.commentKey,
    spec: options.spec,
    target: options.target ?? "",
  });
  return createStickyComment({
    api,
    clock,
    repository: context.repository,
    pullRequest,
    key,
    say,
    run: { id: context.runId, attempt: context.runAttempt, sha: context.headSha },
  });
}
