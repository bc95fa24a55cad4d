import type { RunContext } from "../run-context.ts";
import type { Environment } from "../spec/interpolation.ts";

/**
 * What a CI other than GitHub says about the run; empty strings where it says nothing. `ref` is
 * empty in a change request, whose branch is not the one that is deployed.
 */
type CiRun = Pick<
  RunContext,
  "sha" | "ref" | "repositoryUrl" | "baseRef" | "event" | "fork" | "runUrl"
>;

/**
 * What variables say. `target`: the target branch of a change request; `event`: `pull_request` in a
 * change request; `pull`: a pull request of the pushed branch; `fork`: the source repository of a
 * change request, which some CIs name only for forks; `project`: this repository as `fork` would
 * name it.
 */
type Fact =
  | "commit"
  | "branch"
  | "tag"
  | "url"
  | "target"
  | "event"
  | "pull"
  | "run"
  | "fork"
  | "project";

/** The variables of one CI system, in order of preference. */
type CiSystem = { readonly [F in Fact]?: readonly string[] };

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
    target: [
      "CI_MERGE_REQUEST_TARGET_BRANCH_NAME",
      "CI_EXTERNAL_PULL_REQUEST_TARGET_BRANCH_NAME",
      "CI_COMMIT_TARGET_BRANCH",
    ],
    event: ["CI_PIPELINE_EVENT", "CI_BUILD_EVENT"],
    run: ["CI_JOB_URL"],
    fork: ["CI_MERGE_REQUEST_SOURCE_PROJECT_ID"],
    project: ["CI_MERGE_REQUEST_PROJECT_ID"],
  },
  {
    commit: ["BITBUCKET_COMMIT"],
    branch: ["BITBUCKET_BRANCH"],
    tag: ["BITBUCKET_TAG"],
    url: ["BITBUCKET_GIT_HTTP_ORIGIN", "BITBUCKET_GIT_SSH_ORIGIN"],
    target: ["BITBUCKET_PR_DESTINATION_BRANCH"],
  },
  {
    commit: ["CIRCLE_SHA1"],
    branch: ["CIRCLE_BRANCH"],
    tag: ["CIRCLE_TAG"],
    url: ["CIRCLE_REPOSITORY_URL"],
    pull: ["CIRCLE_PULL_REQUEST"],
    fork: ["CIRCLE_PR_REPONAME"],
  },
  {
    commit: ["BUILDKITE_COMMIT"],
    branch: ["BUILDKITE_BRANCH"],
    tag: ["BUILDKITE_TAG"],
    url: ["BUILDKITE_REPO"],
    target: ["BUILDKITE_PULL_REQUEST_BASE_BRANCH"],
  },
  {
    commit: ["BUILD_SOURCEVERSION"],
    branch: ["BUILD_SOURCEBRANCH"],
    url: ["BUILD_REPOSITORY_URI"],
    target: ["SYSTEM_PULLREQUEST_TARGETBRANCH"],
    fork: ["SYSTEM_PULLREQUEST_ISFORK"],
  },
  {
    commit: ["DRONE_COMMIT_SHA", "DRONE_COMMIT"],
    branch: ["DRONE_COMMIT_REF", "DRONE_COMMIT_BRANCH"],
    tag: ["DRONE_TAG"],
    url: ["DRONE_REPO_LINK", "DRONE_GIT_HTTP_URL", "DRONE_REMOTE_URL"],
    // DRONE_TARGET_BRANCH is also set for pushes.
    event: ["DRONE_BUILD_EVENT"],
  },
  {
    commit: ["GIT_COMMIT"],
    branch: ["BRANCH_NAME", "GIT_BRANCH"],
    tag: ["TAG_NAME"],
    url: ["GIT_URL", "GIT_URL_1"],
    target: ["CHANGE_TARGET"],
    run: ["BUILD_URL"],
    fork: ["CHANGE_FORK"],
  },
];

/** Whether the run is in a CI: most of them set `CI`, and `false` means no. */
export const isCi = (env: Environment): boolean => !["", "false"].includes(env["CI"] ?? "");

/** Reads the environment of a CI other than GitHub; of several systems, the first that names a commit. */
export function readCiRun(env: Environment): CiRun {
  const first = (names: readonly string[] = []): string =>
    names.map((name) => env[name] ?? "").find((value) => value !== "") ?? "";
  // Buildkite sets HEAD until the checkout has resolved it.
  const { commit, branch, tag, url, target, event, pull, fork, project }: CiSystem =
    SYSTEMS.find((system) => /^[0-9a-f]{1,64}$/i.test(first(system.commit))) ?? {};
  const baseRef = first(target).replace(/^refs\/heads\//, "");
  const isChange = baseRef !== "" || event?.some((name) => env[name] === "pull_request") === true;
  const pushed = first(tag) === "" ? toBranchRef(first(branch)) : `refs/tags/${first(tag)}`;
  return {
    sha: first(commit),
    ref: isChange || first(pull) !== "" ? "" : pushed,
    repositoryUrl: first(url),
    baseRef,
    event: isChange ? "pull_request" : "",
    // Azure writes False, and GitLab names the project itself, where there is no fork.
    fork: !["", "False", first(project)].includes(first(fork)),
    runUrl: first(SYSTEMS.flatMap(({ run = [] }) => run)),
  };
}

/** `main`, `origin/main` (Jenkins) and `refs/heads/main` (Azure, Drone) are the same branch. */
function toBranchRef(branch: string): string {
  if (branch === "" || branch.startsWith("refs/")) return branch;
  return `refs/heads/${branch.replace(/^(?:refs\/remotes\/)?origin\//, "")}`;
}
