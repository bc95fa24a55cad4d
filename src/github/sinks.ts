import type { GithubHostSetup } from "./setup.ts";
import { toCommentKey } from "./comment-key.ts";
import { createGithubApi, findPullRequest, type GithubApi, type GithubApiOptions } from "./api.ts";
import { createGithubDeployment, type GithubDeployment } from "./deployment.ts";
import { refusalOf } from "./error.ts";
import type { Host } from "../ci/host.ts";
import { saveSinks, type Sinks } from "./post-state.ts";
import {
  createStickyComment,
  NOWHERE,
  type CommentRenderer,
  type StickyComment,
} from "./sticky-comment.ts";
import { renderComment } from "../report/markdown.ts";
import type { Report } from "../report/report.ts";
import { hasNews, type Stage } from "../report/wording.ts";

/**
 * Reports progress over the network, by the comment and the GitHub Deployment if wanted, and saves
 * what stays open for the post step. Returns the URL of the comment; empty if unknown.
 */
export type ReportToGithub = (stage: Stage, report: Report) => Promise<string>;

/** Opens the sinks; a host that reports nothing over the network does not load this file. */
export async function openGithubSinks(
  setup: GithubHostSetup,
  wanted: { readonly comment: boolean; readonly deployment: boolean },
  limits: Pick<GithubApiOptions, "timeoutMs" | "signal">,
  notify: Host["notify"],
): Promise<ReportToGithub> {
  const { context, options, clock } = setup;
  const { githubToken: token = "", environment = "", comment } = options;
  const api = createGithubApi({ token, run: context, clock, ...limits });
  const sticky = wanted.comment ? await openComment(setup, api, notify) : null;
  const deployment = wanted.deployment
    ? createGithubDeployment({ api, context, environment, notify })
    : null;
  return createReporting(sticky, deployment, comment);
}

/** Limits of a comment for the post step, since it travels in an environment variable. */
const LATE_COMMENT = { maxChars: 6_000, maxBytes: 12_000 };

function createReporting(
  sticky: StickyComment | null,
  deployment: GithubDeployment | null,
  posts: GithubHostSetup["options"]["comment"],
): ReportToGithub {
  let commentId: number | null = null;
  let saved = "";
  const keep = (sinks: Sinks): void => {
    const text = JSON.stringify(sinks);
    if ((sinks.commentId === null && sinks.deploymentId === null) || text === saved) return;
    saveSinks(sinks);
    saved = text;
  };

  return async (stage, report) => {
    const render: CommentRenderer = (limits) => renderComment(report, { ...limits, stage });
    const deploymentId = (): number | null => deployment?.id() ?? null;
    const unclosed = (comment: number | null, id: number | null): Sinks => {
      const status = id === null ? null : (deployment?.endOf(report) ?? null);
      const late = comment === null ? null : render({ header: "", ...LATE_COMMENT });
      return { open: true, commentId: comment, deploymentId: id, end: { comment: late, status } };
    };
    const keepOpen = (): void => {
      if (stage === "end") keep(unclosed(commentId, deploymentId()));
      else keep({ open: true, commentId, deploymentId: deploymentId() });
    };
    // If the run is killed from here on, the post step reports its end.
    if (stage === "end") keepOpen();
    const mayCreate = posts !== "changes" || hasNews(report);
    const comment = async () => {
      const place = await sticky?.(render, stage === "begin", mayCreate);
      commentId = place?.id ?? commentId;
      if (stage === "begin") keepOpen();
      return place ?? NOWHERE;
    };
    const [place, isReported] = await Promise.all([
      comment(),
      deployment === null ? true : deployment.follow(stage, report, keepOpen),
    ]);
    const isFailed = place.isFailed === true;
    if (stage === "begin") return place.url;
    if (isFailed || !isReported)
      keep(unclosed(isFailed ? commentId : null, isReported ? null : deploymentId()));
    else keep({ open: false, commentId, deploymentId: deploymentId() });
    return place.url;
  };
}

async function openComment(
  { context, options }: GithubHostSetup,
  api: GithubApi,
  notify: Host["notify"],
): Promise<StickyComment | null> {
  if (context.repository === null) return null;
  let pullRequest: number | null;
  try {
    pullRequest = await findPullRequest(api, context);
  } catch (error) {
    const refusal = refusalOf(error, "`permissions: pull-requests: write`");
    notify(
      "warning",
      `No pull request comment: the pull request of this commit could not be determined ${refusal} The report is in the job summary.`,
    );
    return null;
  }
  if (pullRequest === null) return null;
  const { workflow, job } = context;
  const key = toCommentKey({ ...options, workflow, job });
  return createStickyComment({ api, pullRequest, key, run: context, notify });
}
