import { judgeCheckedOut } from "./checked-out.ts";
import { own, ownAt, ownString } from "../model/json.ts";
import type { RunContext } from "../run-context.ts";
import type { Environment } from "../spec/interpolation.ts";
import { isCi, readCiRun } from "./ci-system.ts";
import { readFileSync } from "node:fs";

/**
 * Reads the run from the environment and the event's payload (the parsed GITHUB_EVENT_PATH, which
 * is untrusted and may have any shape).
 */
export function readRunContext(env: Environment, event: unknown): RunContext {
  if (env["GITHUB_ACTIONS"] !== "true") return elsewhere(env);
  const get = (name: string): string => env[name] ?? "";
  const name = get("GITHUB_EVENT_NAME");
  const [account = "", repo = ""] = get("GITHUB_REPOSITORY").split("/");
  const serverUrl = get("GITHUB_SERVER_URL") || "https://github.com";
  const owner = judgeCheckedOut({
    name,
    payload: event,
    repository: get("GITHUB_REPOSITORY"),
    ref: get("GITHUB_REF"),
  });
  const fork = owner === "foreign";
  const byDependabot = get("GITHUB_ACTOR") === "dependabot[bot]";
  const fromPullRequest = name === "pull_request" || name.startsWith("pull_request_review");
  const runId = /^\d+$/.test(get("GITHUB_RUN_ID")) ? get("GITHUB_RUN_ID") : "";
  const runAttempt = Number.parseInt(get("GITHUB_RUN_ATTEMPT"), 10) || 1;
  const repositoryUrl = account === "" || repo === "" ? "" : `${serverUrl}/${account}/${repo}`;
  const headSha =
    ownString(ownAt(event, "pull_request", "head"), "sha") ||
    ownString(own(event, "merge_group"), "head_sha") ||
    ownString(own(event, "workflow_run"), "head_sha") ||
    get("GITHUB_SHA");
  return {
    host: "github",
    repository: repositoryUrl === "" ? null : { owner: account, name: repo },
    repositoryUrl,
    apiUrl: get("GITHUB_API_URL") || "https://api.github.com",
    event: name,
    ref: get("GITHUB_REF"),
    sha: get("GITHUB_SHA"),
    headSha,
    baseRef:
      get("GITHUB_BASE_REF") ||
      ownString(ownAt(event, "pull_request", "base"), "ref") ||
      (ownString(own(event, "merge_group"), "base_ref") ?? "").replace(/^refs\/heads\//, ""),
    defaultBranch: ownString(own(event, "repository"), "default_branch") ?? "",
    pullRequest: pullRequestOf(name, event, get("GITHUB_REF")),
    pullRequestByCommit: name === "push" && get("GITHUB_REF").startsWith("refs/heads/"),
    fork,
    // A push by Dependabot is no pull request: `@dependabot merge` pushes to main, and that must deploy or fail.
    dependabot:
      (fromPullRequest || name === "pull_request_target") &&
      (byDependabot || ownAt(event, "pull_request", "user", "login") === "dependabot[bot]"),
    readOnlyToken: (fork && fromPullRequest) || (byDependabot && name !== "pull_request_target"),
    // GitHub gives a fork's pull request no secrets; runs of all other events have them.
    untrustedHead: owner === "unknown" || (owner === "foreign" && !fromPullRequest),
    runId,
    runAttempt,
    workflow: get("GITHUB_WORKFLOW"),
    job: get("GITHUB_JOB"),
    actor: get("GITHUB_ACTOR"),
    runUrl:
      repositoryUrl === "" || runId === ""
        ? ""
        : `${repositoryUrl}/actions/runs/${runId}/attempts/${runAttempt}`,
    commitUrl: repositoryUrl === "" || headSha === "" ? "" : `${repositoryUrl}/commit/${headSha}`,
  };
}

function elsewhere(env: Environment): RunContext {
  const notGitlab = isCi(env) ? "other-ci" : "terminal";
  const run = readCiRun(env);
  return {
    ...run,
    host: env["GITLAB_CI"] === "true" ? "gitlab" : notGitlab,
    repository: null,
    apiUrl: "",
    headSha: run.sha,
    defaultBranch: env["CI_DEFAULT_BRANCH"] ?? "",
    pullRequest: null,
    pullRequestByCommit: false,
    dependabot: false,
    readOnlyToken: false,
    untrustedHead: false,
    runId: env["CI_PIPELINE_ID"] ?? "",
    runAttempt: 1,
    workflow: "",
    job: env["CI_JOB_NAME"] ?? "",
    actor: "",
    commitUrl: "",
  };
}

const number = (value: unknown): number | null =>
  Number.isSafeInteger(value) && (value as number) > 0 ? (value as number) : null;

function pullRequestOf(name: string, event: unknown, ref: string): number | null {
  if (name === "merge_group") {
    const from = /^refs\/heads\/gh-readonly-queue\/.+\/pr-(\d+)-[0-9a-f]+$/.exec(
      ownString(own(event, "merge_group"), "head_ref") || ref,
    );
    return from === null ? null : number(Number(from[1]));
  }
  if (name === "issue_comment")
    return ownAt(event, "issue", "pull_request") === undefined
      ? null
      : number(ownAt(event, "issue", "number"));
  if (name === "workflow_run") {
    const pulls = ownAt(event, "workflow_run", "pull_requests");
    return Array.isArray(pulls) ? number(own(pulls[0], "number")) : null;
  }
  return name.startsWith("pull_request")
    ? (number(ownAt(event, "pull_request", "number")) ?? number(own(event, "number")))
    : null;
}

/**
 * The parsed payload of GITHUB_EVENT_PATH, which may have any shape; null if there is none or it
 * cannot be read: the variables hold the rest.
 */
export function readEvent(path = ""): unknown {
  try {
    return JSON.parse(readFileSync(path, "utf8")) as unknown;
  } catch {
    return null;
  }
}
