import { expect, test } from "@jest/globals";
import { CONTAINER, createStage, expectEnd } from "./stage.ts";

const pull = {
  name: "pull_request",
  payload: {
    number: 7,
    pull_request: {
      number: 7,
      head: { ref: "topic", sha: "2".repeat(40), repo: { full_name: "acme/agents" } },
      base: { ref: "main", repo: { full_name: "acme/agents" } },
    },
  },
};
const queue = {
  name: "merge_group",
  payload: {
    merge_group: {
      head_sha: "3".repeat(40),
      head_ref: "refs/heads/gh-readonly-queue/main/pr-7-x",
      base_ref: "refs/heads/main",
    },
  },
};

test.each([
  ["pull_request", pull, "planned"],
  ["merge_group", queue, "planned"],
  ["push", { name: "push" }, "deployed"],
  ["workflow_dispatch", { name: "workflow_dispatch" }, "deployed"],
] as const)("auto on %s", async (_, event, outcome) => {
  const stage = await createStage(CONTAINER);
  expectEnd(await stage.run({ command: "auto" }, { event }), { outcome, changed: "true" });
  expect(stage.writes()).toEqual(outcome === "planned" ? [] : ["POST /v2/deployments"]);
});

test("auto prints a notice that it judges no gate if it only plans, and none if it applies", async () => {
  const stage = await createStage(CONTAINER);
  const gated = { command: "auto", gate: "correct >= 0.5", experiment: "none.jsonl" };
  const planned = await stage.run(gated, { event: pull });
  expectEnd(planned, { outcome: "planned" });
  expect(planned.stdout).toMatch(/^::notice title=agent-deploy::gate has no effect on plan: /m);
  const applied = await stage.run(gated);
  // The gate is asked for its results.
  expectEnd(applied, { outcome: "blocked" }, 1);
  expect(applied.stdout).toContain("none.jsonl");
  expect(applied.stdout).not.toContain("no effect");
});

const COMMIT = "2".repeat(40);

test.each([
  [
    "a merge request of GitLab",
    { GITLAB_CI: "true", CI_COMMIT_SHA: COMMIT, CI_MERGE_REQUEST_TARGET_BRANCH_NAME: "main" },
    "planned",
  ],
  [
    "a pull request of GitHub that GitLab builds",
    {
      GITLAB_CI: "true",
      CI_COMMIT_SHA: COMMIT,
      CI_COMMIT_BRANCH: "topic",
      CI_EXTERNAL_PULL_REQUEST_TARGET_BRANCH_NAME: "main",
    },
    "planned",
  ],
  [
    "a pull request of Bitbucket",
    { BITBUCKET_COMMIT: COMMIT, BITBUCKET_PR_DESTINATION_BRANCH: "main" },
    "planned",
  ],
  [
    "a pull request of Buildkite",
    { BUILDKITE_COMMIT: COMMIT, BUILDKITE_PULL_REQUEST_BASE_BRANCH: "main" },
    "planned",
  ],
  [
    "a pull request of Woodpecker",
    { CI_COMMIT_SHA: COMMIT, CI_PIPELINE_EVENT: "pull_request" },
    "planned",
  ],
  ["a push in GitLab", { GITLAB_CI: "true", CI_COMMIT_SHA: COMMIT }, "deployed"],
  [
    "a push in CircleCI to a branch with a pull request",
    { CIRCLE_SHA1: COMMIT, CIRCLE_PULL_REQUEST: "https://example.com/pull/7" },
    "deployed",
  ],
])("auto outside GitHub: %s", async (_, env, outcome) => {
  const stage = await createStage(CONTAINER);
  const run = await stage.cli(["auto", "--json"], { CI: "true", ...env });
  expect(JSON.parse(run.stdout).outcome).toBe(outcome);
  expect(stage.writes()).toEqual(outcome === "planned" ? [] : ["POST /v2/deployments"]);
});

test.each(["auto", "plan"])(
  "outside GitHub %s says once that it judges no gate",
  async (command) => {
    const stage = await createStage(CONTAINER);
    const mergeRequest = { CI_COMMIT_SHA: COMMIT, CI_MERGE_REQUEST_TARGET_BRANCH_NAME: "main" };
    const env = { CI: "true", GITLAB_CI: "true", ...mergeRequest };
    const { stderr } = await stage.cli([command, "--gate", "correct >= 0.5"], env);
    expect(stderr.match(/gate has no effect on plan/g)).toHaveLength(1);
  },
);
