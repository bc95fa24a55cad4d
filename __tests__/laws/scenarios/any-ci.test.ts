import { expect, test } from "@jest/globals";
import { join } from "node:path";
import { startChild } from "../../support/child.ts";
import { repositoryRoot } from "../../support/tree.ts";
import { createDeployed, REPOSITORY, THIS_COMMIT } from "../../scenarios/stage.ts";

const NEW = "2".repeat(40);
const GIT = "https://127.0.0.1:1/acme/agents.git";

/** What each system sets in a job on a branch; the URL is the repository of the spec. */
const SYSTEMS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  GitHub: {
    CI: "true",
    GITHUB_ACTIONS: "true",
    GITHUB_SHA: NEW,
    GITHUB_REF: "refs/heads/main",
    GITHUB_REPOSITORY: "acme/agents",
    GITHUB_SERVER_URL: "http://127.0.0.1:1",
    GITHUB_EVENT_NAME: "push",
  },
  GitLab: {
    CI: "true",
    GITLAB_CI: "true",
    CI_COMMIT_SHA: NEW,
    CI_COMMIT_BRANCH: "main",
    CI_PROJECT_URL: "https://127.0.0.1:1/acme/agents",
  },
  Bitbucket: {
    CI: "true",
    BITBUCKET_BUILD_NUMBER: "7",
    BITBUCKET_COMMIT: NEW,
    BITBUCKET_BRANCH: "main",
    BITBUCKET_GIT_HTTP_ORIGIN: "http://127.0.0.1:1/acme/agents",
  },
  CircleCI: {
    CI: "true",
    CIRCLECI: "true",
    CIRCLE_SHA1: NEW,
    CIRCLE_BRANCH: "main",
    CIRCLE_REPOSITORY_URL: "git@127.0.0.1:acme/agents.git",
  },
  Jenkins: {
    JENKINS_URL: "https://ci.example.com/",
    GIT_COMMIT: NEW,
    GIT_BRANCH: "origin/main",
    GIT_URL: GIT,
  },
  Buildkite: {
    CI: "true",
    BUILDKITE: "true",
    BUILDKITE_COMMIT: NEW,
    BUILDKITE_BRANCH: "main",
    BUILDKITE_REPO: "git@127.0.0.1:acme/agents.git",
    BUILDKITE_PULL_REQUEST: "false",
    BUILDKITE_PULL_REQUEST_BASE_BRANCH: "",
  },
  "Azure Pipelines": {
    TF_BUILD: "True",
    BUILD_SOURCEVERSION: NEW,
    BUILD_SOURCEBRANCH: "refs/heads/main",
    BUILD_REPOSITORY_URI: GIT,
  },
  Woodpecker: {
    CI: "woodpecker",
    CI_COMMIT_SHA: NEW,
    CI_COMMIT_BRANCH: "main",
    CI_PIPELINE_EVENT: "push",
    CI_REPO_URL: "https://127.0.0.1:1/acme/agents",
  },
  Drone: {
    CI: "true",
    DRONE: "true",
    DRONE_BUILD_EVENT: "push",
    DRONE_COMMIT_SHA: NEW,
    DRONE_COMMIT_BRANCH: "main",
    DRONE_COMMIT_REF: "refs/heads/main",
    DRONE_TARGET_BRANCH: "main",
    DRONE_REPO_LINK: "https://127.0.0.1:1/acme/agents",
  },
};

/** Of a change request: the target branch is main, and what is checked out is not what is deployed. */
const CHANGE_REQUESTS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  GitLab: {
    CI_COMMIT_SHA: NEW,
    CI_PROJECT_URL: GIT,
    CI_MERGE_REQUEST_TARGET_BRANCH_NAME: "main",
  },
  Bitbucket: { ...SYSTEMS["Bitbucket"], BITBUCKET_PR_DESTINATION_BRANCH: "main" },
  CircleCI: { ...SYSTEMS["CircleCI"], CIRCLE_PULL_REQUEST: "https://example.com/pull/7" },
  Jenkins: { ...SYSTEMS["Jenkins"], BRANCH_NAME: "PR-7", CHANGE_TARGET: "main" },
  Buildkite: { ...SYSTEMS["Buildkite"], BUILDKITE_PULL_REQUEST_BASE_BRANCH: "main" },
  "Azure Pipelines": {
    ...SYSTEMS["Azure Pipelines"],
    BUILD_SOURCEBRANCH: "refs/pull/7/merge",
    SYSTEM_PULLREQUEST_TARGETBRANCH: "refs/heads/main",
  },
  Woodpecker: { ...SYSTEMS["Woodpecker"], CI_PIPELINE_EVENT: "pull_request" },
  Drone: { ...SYSTEMS["Drone"], DRONE_BUILD_EVENT: "pull_request" },
};

test.each(Object.entries(SYSTEMS))(
  "in %s a pushed commit that is not live is a change by default",
  async (_, env) => {
    const stage = await createDeployed(REPOSITORY);
    const run = await stage.cli(["plan", "--json"], env);
    const { outcome, deployments } = JSON.parse(run.stdout);
    expect([outcome, deployments[0].plan.changes]).toEqual([
      "planned",
      [
        {
          path: "source_revision_config.repo_commit_sha",
          before: THIS_COMMIT,
          after: NEW,
          effect: "new-revision",
          sensitive: false,
        },
      ],
    ]);
  },
);

test.each(Object.entries(CHANGE_REQUESTS))(
  "in a change request of %s the commit is not expected to be live",
  async (_, env) => {
    const stage = await createDeployed(REPOSITORY);
    const run = await stage.cli(["plan", "--json"], env);
    expect(JSON.parse(run.stdout).outcome).toBe("unchanged");
  },
);

test("examples/ci/deploy.sh deploys a push outside GitHub", async () => {
  const stage = await createDeployed(REPOSITORY);
  stage.emulator.emulator.push({
    repo_url: "http://127.0.0.1:1/acme/agents",
    ref: "main",
    commit: NEW,
  });
  const run = await startChild("bash", [join(repositoryRoot, "examples/ci/deploy.sh"), "deploy"], {
    cwd: stage.workspace.path,
    env: {
      PATH: process.env["PATH"] ?? "",
      HOME: stage.workspace.path,
      AGENT_DEPLOY_CLI: join(repositoryRoot, "dist/cli.js"),
      ...stage.emulator.env,
      ...SYSTEMS["Jenkins"],
    },
  }).done;
  expect(run).toMatchObject({ code: 0 });
  expect((await stage.live()).source_revision_config.repo_commit_sha).toBe(NEW);
});
