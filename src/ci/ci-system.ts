/** What a CI other than GitHub says about the run; empty strings where it says nothing. */
export interface CiRun {
  /** The commit of the run, hex digits. */
  readonly commit: string;
  /** Full ref; empty in a change request, whose branch is not the one that is deployed. */
  readonly ref: string;
  /** Git or web address of the repository. */
  readonly repositoryUrl: string;
  /** Target branch of a change request, without `refs/heads/`. */
  readonly baseRef: string;
  /** The event as GitHub calls it; empty unless it is a change request. */
  readonly event: "pull_request" | "";
}

/**
 * The variables of one CI system, in order of preference. `change` names those that hold the
 * target branch of a change request, or mark one.
 */
interface CiSystem {
  readonly commit: readonly string[];
  readonly branch: readonly string[];
  readonly tag: readonly string[];
  readonly url: readonly string[];
  readonly change: readonly string[];
}

/**
 * Sources: each system's page of predefined variables (GitLab and Woodpecker, Bitbucket, CircleCI,
 * Buildkite, Azure Pipelines, Drone, Jenkins with its git plugin and multibranch). ci-info names
 * the system but no commit.
 */
const SYSTEMS: readonly CiSystem[] = [
  {
    commit: ["CI_COMMIT_SHA"],
    branch: ["CI_COMMIT_BRANCH"],
    tag: ["CI_COMMIT_TAG"],
    url: ["CI_PROJECT_URL", "CI_REPO_URL", "CI_REPO_CLONE_URL", "CI_REPOSITORY_URL"],
    change: ["CI_MERGE_REQUEST_TARGET_BRANCH_NAME", "CI_COMMIT_TARGET_BRANCH"],
  },
  {
    commit: ["BITBUCKET_COMMIT"],
    branch: ["BITBUCKET_BRANCH"],
    tag: ["BITBUCKET_TAG"],
    url: ["BITBUCKET_GIT_HTTP_ORIGIN", "BITBUCKET_GIT_SSH_ORIGIN"],
    change: ["BITBUCKET_PR_DESTINATION_BRANCH"],
  },
  {
    commit: ["CIRCLE_SHA1"],
    branch: ["CIRCLE_BRANCH"],
    tag: ["CIRCLE_TAG"],
    url: ["CIRCLE_REPOSITORY_URL"],
    change: [],
  },
  {
    commit: ["BUILDKITE_COMMIT"],
    branch: ["BUILDKITE_BRANCH"],
    tag: ["BUILDKITE_TAG"],
    url: ["BUILDKITE_REPO"],
    change: ["BUILDKITE_PULL_REQUEST_BASE_BRANCH"],
  },
  {
    commit: ["BUILD_SOURCEVERSION"],
    branch: ["BUILD_SOURCEBRANCH"],
    tag: [],
    url: ["BUILD_REPOSITORY_URI"],
    change: ["SYSTEM_PULLREQUEST_TARGETBRANCH"],
  },
  {
    commit: ["DRONE_COMMIT_SHA", "DRONE_COMMIT"],
    branch: ["DRONE_COMMIT_REF", "DRONE_COMMIT_BRANCH"],
    tag: ["DRONE_TAG"],
    url: ["DRONE_REPO_LINK", "DRONE_GIT_HTTP_URL", "DRONE_REMOTE_URL"],
    // DRONE_TARGET_BRANCH is also set for pushes.
    change: [],
  },
  {
    commit: ["GIT_COMMIT"],
    branch: ["BRANCH_NAME", "GIT_BRANCH"],
    tag: ["TAG_NAME"],
    url: ["GIT_URL", "GIT_URL_1"],
    change: ["CHANGE_TARGET"],
  },
];

const NOTHING: CiRun = { commit: "", ref: "", repositoryUrl: "", baseRef: "", event: "" };

type Env = Readonly<Record<string, string | undefined>>;

/** Reads the environment of a CI other than GitHub; of several systems, the first that names a commit. */
export function readCiRun(env: Env): CiRun {
  const first = (names: readonly string[]): string =>
    names.map((name) => env[name] ?? "").find((value) => value !== "") ?? "";
  for (const system of SYSTEMS) {
    const commit = first(system.commit);
    // Buildkite sets HEAD until the checkout has resolved it.
    if (!/^[0-9a-f]{1,64}$/i.test(commit)) continue;
    const baseRef = first(system.change).replace(/^refs\/heads\//, "");
    const tag = first(system.tag);
    const named = tag === "" ? toBranchRef(first(system.branch)) : `refs/tags/${tag}`;
    const isChange = baseRef !== "" || isChangeRequest(env);
    return {
      commit,
      // CircleCI builds a push, and names the pull request of its branch.
      ref: isChange || (env["CIRCLE_PULL_REQUEST"] ?? "") !== "" ? "" : named,
      repositoryUrl: first(system.url),
      baseRef,
      event: isChange ? "pull_request" : "",
    };
  }
  return NOTHING;
}

/** Whether the run is a change request, for systems that name its branch like a pushed one. */
function isChangeRequest(env: Env): boolean {
  return ["DRONE_BUILD_EVENT", "CI_PIPELINE_EVENT", "CI_BUILD_EVENT"].some(
    (name) => env[name] === "pull_request",
  );
}

/** `main`, `origin/main` (Jenkins) and `refs/heads/main` (Azure, Drone) are the same branch. */
function toBranchRef(branch: string): string {
  if (branch === "" || branch.startsWith("refs/")) return branch;
  return `refs/heads/${branch.replace(/^(?:refs\/remotes\/)?origin\//, "")}`;
}
