/** A repository as GitHub names it. */
export interface Repository {
  readonly owner: string;
  readonly name: string;
}

/** What the environment says about this run. Nothing of it was asked over the network. */
export interface RunContext {
  readonly host: "github" | "gitlab" | "other-ci" | "terminal";
  readonly repository: Repository | null;
  readonly serverUrl: string;
  readonly apiUrl: string;
  readonly graphqlUrl: string;
  /** `pull_request`, `push`, …; empty outside GitHub. */
  readonly event: string;
  /** Full ref (`refs/heads/main`); empty where there is none. */
  readonly ref: string;
  /** On a pull request the merge commit, as GITHUB_SHA is. */
  readonly sha: string;
  /** The commit people know: the head of the pull request, else `sha`. */
  readonly headSha: string;
  /** Branch a pull request goes into, its bare name; empty elsewhere. */
  readonly baseRef: string;
  /** The pull request of the event, where the event names it. */
  readonly pullRequest: number | null;
  /** True: the event (a push) names none, but its commit may belong to one. */
  readonly pullRequestByCommit: boolean;
  readonly fork: boolean;
  readonly dependabot: boolean;
  /** The token can only read: a fork's or Dependabot's pull request. */
  readonly readOnlyToken: boolean;
  /** Runs with the base repository's secrets over files that may be a fork's (`pull_request_target`, `workflow_run`, a comment on a pull request). */
  readonly untrustedHead: boolean;
  /** Digits; empty outside GitHub. Re-runs share it and differ in `runAttempt`. */
  readonly runId: string;
  readonly runAttempt: number;
  readonly workflow: string;
  readonly job: string;
  readonly actor: string;
  /** Page of this attempt; empty where there is none. */
  readonly runUrl: string;
}

type Env = Readonly<Record<string, string | undefined>>;

/** Reads the run from the environment and the event's payload (the parsed GITHUB_EVENT_PATH, or anything else: it is not trusted to have a shape). */
export function readRunContext(env: Env, event: unknown): RunContext {
  if (env["GITHUB_ACTIONS"] !== "true") return elsewhere(env);
  const get = (name: string): string => env[name] ?? "";
  const name = get("GITHUB_EVENT_NAME");
  const [owner = "", repo = ""] = get("GITHUB_REPOSITORY").split("/");
  const serverUrl = get("GITHUB_SERVER_URL") || "https://github.com";
  const fork = isFork(name, event, get("GITHUB_REPOSITORY"));
  const dependabot =
    get("GITHUB_ACTOR") === "dependabot[bot]" ||
    at(event, "pull_request", "user", "login") === "dependabot[bot]";
  const fromPullRequest = name === "pull_request" || name.startsWith("pull_request_review");
  const runId = /^\d+$/.test(get("GITHUB_RUN_ID")) ? get("GITHUB_RUN_ID") : "";
  const runAttempt = Number.parseInt(get("GITHUB_RUN_ATTEMPT"), 10) || 1;
  return {
    host: "github",
    repository: owner === "" || repo === "" ? null : { owner, name: repo },
    serverUrl,
    apiUrl: get("GITHUB_API_URL") || "https://api.github.com",
    graphqlUrl: get("GITHUB_GRAPHQL_URL") || "https://api.github.com/graphql",
    event: name,
    ref: get("GITHUB_REF"),
    sha: get("GITHUB_SHA"),
    headSha:
      text(at(event, "pull_request", "head", "sha")) ||
      text(at(event, "merge_group", "head_sha")) ||
      text(at(event, "workflow_run", "head_sha")) ||
      get("GITHUB_SHA"),
    baseRef:
      get("GITHUB_BASE_REF") ||
      text(at(event, "pull_request", "base", "ref")) ||
      text(at(event, "merge_group", "base_ref")).replace(/^refs\/heads\//, ""),
    pullRequest: pullRequestOf(name, event, get("GITHUB_REF")),
    pullRequestByCommit: name === "push" && get("GITHUB_REF").startsWith("refs/heads/"),
    fork,
    dependabot,
    readOnlyToken:
      (fork && fromPullRequest) ||
      (get("GITHUB_ACTOR") === "dependabot[bot]" && name !== "pull_request_target"),
    // An event that does not say whose head it is may be about a stranger's.
    untrustedHead:
      name === "pull_request_target" || name === "workflow_run"
        ? fork || headRepository(name, event) === undefined
        : name === "issue_comment" && at(event, "issue", "pull_request") !== undefined,
    runId,
    runAttempt,
    workflow: get("GITHUB_WORKFLOW"),
    job: get("GITHUB_JOB"),
    actor: get("GITHUB_ACTOR"),
    runUrl:
      owner === "" || runId === ""
        ? ""
        : `${serverUrl}/${owner}/${repo}/actions/runs/${runId}/attempts/${runAttempt}`,
  };
}

function elsewhere(env: Env): RunContext {
  const host =
    env["GITLAB_CI"] === "true"
      ? "gitlab"
      : (env["CI"] ?? "") !== "" && env["CI"] !== "false"
        ? "other-ci"
        : "terminal";
  const sha = env["CI_COMMIT_SHA"] ?? env["GIT_COMMIT"] ?? "";
  const branch = env["CI_COMMIT_BRANCH"] ?? "";
  return {
    host,
    repository: null,
    serverUrl: env["CI_SERVER_URL"] ?? "",
    apiUrl: "",
    graphqlUrl: "",
    event: "",
    ref: branch === "" ? "" : `refs/heads/${branch}`,
    sha,
    headSha: sha,
    baseRef: env["CI_MERGE_REQUEST_TARGET_BRANCH_NAME"] ?? "",
    pullRequest: null,
    pullRequestByCommit: false,
    fork: false,
    dependabot: false,
    readOnlyToken: false,
    untrustedHead: false,
    runId: env["CI_PIPELINE_ID"] ?? "",
    runAttempt: 1,
    workflow: "",
    job: env["CI_JOB_NAME"] ?? "",
    actor: "",
    runUrl: env["CI_JOB_URL"] ?? env["BUILD_URL"] ?? "",
  };
}

function at(value: unknown, ...path: readonly string[]): unknown {
  let found = value;
  for (const key of path) {
    if (typeof found !== "object" || found === null || !Object.hasOwn(found, key)) return undefined;
    found = (found as Record<string, unknown>)[key];
  }
  return found;
}

const text = (value: unknown): string => (typeof value === "string" ? value : "");
const number = (value: unknown): number | null =>
  Number.isSafeInteger(value) && (value as number) > 0 ? (value as number) : null;

/** What the event says of the repository that the code comes from: its full name, null where that repository is gone, undefined where nothing is said. */
function headRepository(name: string, event: unknown): unknown {
  if (name === "workflow_run")
    return at(event, "workflow_run", "head_repository") === undefined
      ? undefined
      : (at(event, "workflow_run", "head_repository", "full_name") ?? null);
  return at(event, "pull_request", "head") === undefined
    ? undefined
    : (at(event, "pull_request", "head", "repo", "full_name") ?? null);
}

function isFork(name: string, event: unknown, repository: string): boolean {
  const head = headRepository(name, event);
  return (
    head !== undefined &&
    (typeof head !== "string" || head.toLowerCase() !== repository.toLowerCase())
  );
}

function pullRequestOf(name: string, event: unknown, ref: string): number | null {
  if (name === "merge_group") {
    const from = /^refs\/heads\/gh-readonly-queue\/.+\/pr-(\d+)-[0-9a-f]+$/.exec(
      text(at(event, "merge_group", "head_ref")) || ref,
    );
    return from === null ? null : number(Number(from[1]));
  }
  if (name === "issue_comment")
    return at(event, "issue", "pull_request") === undefined
      ? null
      : number(at(event, "issue", "number"));
  if (name === "workflow_run") {
    const pulls = at(event, "workflow_run", "pull_requests");
    return Array.isArray(pulls) ? number(at(pulls[0], "number")) : null;
  }
  return name.startsWith("pull_request")
    ? (number(at(event, "pull_request", "number")) ?? number(at(event, "number")))
    : null;
}
