import { expect, test } from "@jest/globals";
import {
  createDeployed,
  createStage,
  deploymentOf,
  edit,
  expectEnd,
  REPOSITORY,
  REPO_URL,
  THIS_COMMIT,
  type Stage,
} from "./stage.ts";
import { history } from "./history.ts";

test("a new commit of the branch is built with a PATCH that only repeats repo_ref", async () => {
  const { stage, commits, at } = await history(REPOSITORY, "a.txt", "b.txt");
  const run = await at(commits[1]!);
  expectEnd(run, { outcome: "deployed", changed: "true" });
  expect(stage.patches()).toEqual([{ source_revision_config: { repo_ref: "main" } }]);
  expect(deploymentOf(run).changes).toMatchObject([
    {
      path: "source_revision_config.repo_commit_sha",
      before: commits[0],
      after: commits[1],
      effect: "new-revision",
    },
  ]);
  expect((await stage.live()).source_revision_config.repo_commit_sha).toBe(commits[1]);
  expectEnd(await at(commits[1]!), { outcome: "unchanged", changed: "false" });
});

test("an older commit is blocked, since an older run must not roll back a newer one, unless forced", async () => {
  const { stage, commits, at } = await history(REPOSITORY, "a.txt", "b.txt");
  expectEnd(await at(commits[1]!), { outcome: "deployed" });
  stage.forget();
  const run = await at(commits[0]!);
  expectEnd(run, { outcome: "blocked", changed: "false" }, 1);
  expect(run.stdout).toMatch(/ancestor/);
  expect(stage.writes()).toEqual([]);
  expectEnd(await at(commits[0]!, { force: "true" }), { outcome: "deployed" });
});

test("with deploy.paths a new commit only counts if a file under them changed", async () => {
  const { stage, commits, at } = await history(
    `${REPOSITORY}deploy: { paths: ["agents/support/**"] }\n`,
    "agents/support/a.py",
    "docs/x.md",
    "agents/support/b.py",
  );
  const aside = await at(commits[1]!);
  expectEnd(aside, { outcome: "unchanged", changed: "false" });
  expect(aside.stdout).toMatch(/nothing under deploy\.paths changed/);
  expect(stage.writes()).toEqual([]);
  expectEnd(await at(commits[2]!), { outcome: "deployed" });
});

test("without a CI that names the repository, the checkout's git shows what is older and what changed", async () => {
  const { stage, commits, at } = await history(
    `${REPOSITORY}deploy: { paths: ["agents/**"] }\n`,
    "docs/a.txt",
    "agents/b.txt",
    "docs/c.txt",
  );
  expectEnd(await at(commits[1]!), { outcome: "deployed" });
  stage.forget();
  const apply = (commit: string): ReturnType<Stage["cli"]> =>
    stage.cli(["apply", "--commit", commit, "--json"]);
  expect(JSON.parse((await apply(commits[2]!)).stdout)).toMatchObject({
    outcome: "unchanged",
    changed: false,
  });
  expect(JSON.parse((await apply(commits[0]!)).stdout)).toMatchObject({
    outcome: "blocked",
    deployments: [{ reason: "older-commit" }],
  });
  expect(stage.writes()).toEqual([]);
});

test("if the ancestry cannot be read, the commit counts as newer, and the report says so", async () => {
  const stage = await createDeployed(`${REPOSITORY}deploy: { paths: ["agents/**"] }\n`);
  stage.emulator.emulator.push({ repo_url: REPO_URL, ref: "main", commit: "2".repeat(40) });
  const run = await stage.run({ commit: "2".repeat(40) });
  expectEnd(run, { outcome: "deployed" });
  expect(run.stdout).toMatch(/could not be read: it counts as newer/);
  expect(run.stdout).toMatch(/deploy\.paths counts as changed/);
});

test.each([
  ["another repository", REPOSITORY.replace("acme/agents", "acme/others"), {}],
  ["another branch", REPOSITORY, { GITHUB_REF: "refs/heads/topic" }],
])("commits of %s are not compared, and the log says so", async (_, spec, env) => {
  const stage = await createDeployed(spec);
  const run = await stage.run({}, { env: { ...env, GITHUB_SHA: "2".repeat(40) } });
  expectEnd(run, { outcome: "unchanged" });
  expect(run.stdout).toMatch(/commit not checked/);
});

test("an abbreviated commit equals the one that was built, without reading the history", async () => {
  const stage = await createStage(REPOSITORY);
  stage.emulator.emulator.push({ repo_url: REPO_URL, ref: "main", commit: THIS_COMMIT });
  const run = await stage.run({ commit: THIS_COMMIT.slice(0, 10) });
  expectEnd(run, { outcome: "deployed" });
  expect(run.stdout).not.toMatch(/could not be read/);
  expectEnd(await stage.run({ commit: THIS_COMMIT.slice(0, 10) }), { outcome: "unchanged" });
});

test("a pull request into the branch shows what the merge will do, without affecting changed and the fingerprint", async () => {
  const stage = await createDeployed(REPOSITORY);
  const before = await stage.run({ command: "plan" });
  const event = {
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
  const run = await stage.run(
    { command: "auto" },
    {
      event,
      env: { GITHUB_REF: "refs/pull/7/merge", GITHUB_SHA: "3".repeat(40), GITHUB_BASE_REF: "main" },
    },
  );
  expectEnd(run, {
    outcome: "unchanged",
    changed: "false",
    fingerprint: before.outputs["fingerprint"]!,
  });
  expect(run.summary).toContain("on merge: builds the merged commit\n");
  stage.spec(`${REPOSITORY}deploy: { paths: ["agents/**"] }\n`);
  const env = { GITHUB_REF: "refs/pull/7/merge", GITHUB_BASE_REF: "main" };
  const some = await stage.run({ command: "auto" }, { event, env });
  expect(some.summary).toContain(
    "on merge: builds the merged commit, if it changes files under deploy.paths",
  );
});

test("a new commit and a changed field are sent in one PATCH", async () => {
  const { stage, commits, at } = await history(REPOSITORY, "a.txt", "b.txt");
  stage.spec(edit(REPOSITORY, "graphs/support.json", "graphs/other.json"));
  expectEnd(await at(commits[1]!), { outcome: "deployed" });
  expect(stage.patches()).toEqual([
    { source_revision_config: { repo_ref: "main", graph_config_path: "graphs/other.json" } },
  ]);
  expect(await stage.revisions()).toHaveLength(2);
});

test("switching to a branch with an older commit does not count as an older run", async () => {
  const { stage, commits, at } = await history(REPOSITORY, "a.txt", "b.txt");
  expectEnd(await at(commits[1]!), { outcome: "deployed" });
  stage.emulator.emulator.push({ repo_url: REPO_URL, ref: "stable", commit: commits[0]! });
  stage.forget();
  stage.spec(edit(REPOSITORY, "repo_ref: main", "repo_ref: stable"));
  const env = { GITHUB_SHA: commits[0]!, GITHUB_REF: "refs/heads/stable" };
  expectEnd(await stage.run({}, { env }), { outcome: "deployed", changed: "true" });
  expect(stage.patches()).toEqual([{ source_revision_config: { repo_ref: "stable" } }]);
});
