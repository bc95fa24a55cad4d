import { execFileSync } from "node:child_process";
import { expect, test } from "@jest/globals";
import { createDeployed, createStage, edit, expectEnd, REPOSITORY } from "./stage.ts";

const NEW = "2".repeat(40);
const GIT = "https://127.0.0.1:1/acme/agents.git";

/** A clone of the spec's repository on main, with one commit that origin has; gives its id. */
function checkout(path: string): { readonly git: (...args: string[]) => string; commit: string } {
  const git = (...args: string[]): string =>
    execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.com", ...args], {
      cwd: path,
      encoding: "utf8",
    }).trim();
  git("init", "-q", "-b", "main");
  git("remote", "add", "origin", GIT);
  git("commit", "-q", "--allow-empty", "-m", "first");
  git("update-ref", "refs/remotes/origin/main", "HEAD");
  return { git, commit: git("rev-parse", "HEAD") };
}

test.each([
  ["on the branch", [] as string[]],
  ["detached, as a CI checks it out", ["checkout", "-q", "--detach"]],
])("in a plain checkout (%s) HEAD is wanted if origin has it", async (_, move) => {
  const stage = await createDeployed(REPOSITORY);
  const { git, commit } = checkout(stage.workspace.path);
  if (move.length > 0) git(...move);
  const run = await stage.cli(["plan", "--json"]);
  expect(JSON.parse(run.stdout).deployments[0].plan.changes).toMatchObject([
    { path: "source_revision_config.repo_commit_sha", after: commit },
  ]);
});

test("in a CI that gives only the commit, the checkout gives the rest", async () => {
  const stage = await createDeployed(REPOSITORY);
  const { git, commit } = checkout(stage.workspace.path);
  git("checkout", "-q", "--detach");
  const run = await stage.cli(["plan", "--json"], { CI: "true", GIT_COMMIT: commit });
  expect(JSON.parse(run.stdout).outcome).toBe("planned");
});

test.each([
  ["is not pushed", ["commit", "-q", "--allow-empty", "-m", "mine"]],
  ["is on another branch", ["checkout", "-q", "-b", "topic"]],
  ["is of another repository", ["remote", "set-url", "origin", "https://example.com/other/x.git"]],
])("a checkout whose commit %s reports that the commit was not checked", async (_, command) => {
  const stage = await createDeployed(REPOSITORY);
  checkout(stage.workspace.path).git(...command);
  const run = await stage.cli(["apply"]);
  expect(run).toMatchObject({ code: 0 });
  expect(run.stdout + run.stderr).toContain("the commit was not checked");
  expect(run.stdout + run.stderr).not.toContain("matches the spec");
});

test.each(["plan", "apply"])(
  "without a known commit %s says so in its headline, and does not claim that live matches",
  async (command) => {
    const stage = await createDeployed(REPOSITORY);
    const run = await stage.cli([command]);
    expect(run).toMatchObject({ code: 0 });
    expect(run.stdout + run.stderr).toContain("the commit was not checked");
    expect(run.stdout + run.stderr).not.toMatch(/matches the spec|live is what the spec says/);
    const json = JSON.parse((await stage.cli([command, "--json"])).stdout);
    expect(json.deployments[0].plan.commit_unchecked).toBe(true);
  },
);

test("the summary and the comment report an unchecked commit as well", async () => {
  const stage = await createStage(edit(REPOSITORY, "repo_ref: main", "repo_ref: release"));
  stage.emulator.emulator.push({
    repo_url: "http://127.0.0.1:1/acme/agents",
    ref: "release",
    commit: NEW,
  });
  expectEnd(await stage.run(), { outcome: "deployed" });
  const run = await stage.run();
  expectEnd(run, { outcome: "unchanged" });
  const comment = stage.workspace.read("told/comment.md");
  for (const text of [run.summary, comment]) expect(text).toContain("the commit was not checked");
  expect(run.summary + comment + run.stdout).not.toContain("matches the spec");
});

const MERGE_REQUEST = {
  GITLAB_CI: "true",
  CI_COMMIT_SHA: NEW,
  CI_MERGE_REQUEST_TARGET_BRANCH_NAME: "main",
  CI_MERGE_REQUEST_PROJECT_ID: "11",
};

test.each([
  ["GitLab", { ...MERGE_REQUEST, CI_MERGE_REQUEST_SOURCE_PROJECT_ID: "99" }],
  ["CircleCI", { CIRCLE_SHA1: NEW, CIRCLE_PR_REPONAME: "agents" }],
  ["Azure Pipelines", { BUILD_SOURCEVERSION: NEW, SYSTEM_PULLREQUEST_ISFORK: "True" }],
  ["Jenkins", { GIT_COMMIT: NEW, CHANGE_TARGET: "main", CHANGE_FORK: "someone" }],
])("a fork's change request without a key only validates in %s", async (_, env) => {
  const stage = await createStage(REPOSITORY);
  const keyless = { ...env, CI: "true", AGENT_DEPLOY_API_KEY: "" };
  const run = await stage.cli(["plan", "--json"], keyless);
  expect([run.code, JSON.parse(run.stdout).outcome]).toEqual([0, "skipped"]);
  expect(stage.emulator.emulator.requests()).toEqual([]);
});

test.each([
  ["GitLab", { ...MERGE_REQUEST, CI_MERGE_REQUEST_SOURCE_PROJECT_ID: "11" }],
  ["Azure Pipelines", { BUILD_SOURCEVERSION: NEW, SYSTEM_PULLREQUEST_ISFORK: "False" }],
  ["Jenkins", { GIT_COMMIT: NEW, CHANGE_TARGET: "main" }],
])("a change request of the same repository without a key is refused in %s", async (_, env) => {
  const stage = await createStage(REPOSITORY);
  const run = await stage.cli(["plan"], { ...env, CI: "true", AGENT_DEPLOY_API_KEY: "" });
  expect(run.code).toBe(2);
  expect(run.stderr).toContain("api-key: is empty");
});
