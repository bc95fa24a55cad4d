import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { createTree, type Tree } from "../../support/tree.ts";
import {
  createDeployed,
  createStage,
  edit,
  expectEnd,
  REPOSITORY,
  REPO_URL,
  THIS_COMMIT,
  type Stage,
} from "../../scenarios/stage.ts";
import { commitsIn, gitIn, history } from "../../scenarios/history.ts";

test("a file that was moved out of deploy.paths counts as a change", async () => {
  const { stage, commits, at } = await history(
    `${REPOSITORY}deploy: { paths: ["agents/support/**"] }\n`,
    "agents/support/a.py",
  );
  stage.workspace.write("agents/support/a.py", "a file\nof several\nlines\n");
  const git = gitIn(stage.workspace);
  git("add", ".");
  git("commit", "-q", "-m", "filled");
  const filled = git("rev-parse", "HEAD");
  stage.emulator.emulator.push({ repo_url: REPO_URL, ref: "main", commit: filled });
  expectEnd(await at(filled), { outcome: "deployed" });
  git("mv", "agents/support/a.py", "moved.py");
  git("commit", "-q", "-m", "moved");
  const moved = git("rev-parse", "HEAD");
  stage.emulator.emulator.push({ repo_url: REPO_URL, ref: "main", commit: moved });
  expectEnd(await at(moved), { outcome: "deployed" });
  expect(commits).toHaveLength(1);
});

test("after a force push deploy.paths counts as changed, since the histories have diverged", async () => {
  const { stage, at } = await history(
    `${REPOSITORY}deploy: { paths: ["agents/support/**"] }\n`,
    "agents/support/a.py",
  );
  const git = gitIn(stage.workspace);
  git("checkout", "-q", "--orphan", "other");
  stage.workspace.write("docs/x.md", "x");
  git("add", ".");
  git("commit", "-q", "-m", "started anew");
  const pushed = git("rev-parse", "HEAD");
  stage.emulator.emulator.push({ repo_url: REPO_URL, ref: "main", commit: pushed });
  expectEnd(await at(pushed), { outcome: "deployed" });
});

test("deploy.paths supports sets, choices and exclusions, as every file pattern does", async () => {
  const { stage, commits, at } = await history(
    `${REPOSITORY}deploy: { paths: ["src/[ab].{py,js}", "!src/b.js"] }\n`,
    "docs/x.md",
    "src/b.js",
    "src/a.py",
  );
  expectEnd(await at(commits[1]!), { outcome: "unchanged" });
  expect(stage.writes()).toEqual([]);
  expectEnd(await at(commits[2]!), { outcome: "deployed" });
});

test.each([
  "https://127.0.0.1/Acme/Agents.git",
  "git@127.0.0.1:acme/agents.git",
  "ssh://git@127.0.0.1/acme/agents",
])("%s is recognised as this repository", async (url) => {
  const env = { GITHUB_SERVER_URL: "https://127.0.0.1" };
  const stage = await createStage(edit(REPOSITORY, REPO_URL, url));
  stage.emulator.emulator.push({ repo_url: url, ref: "main", commit: THIS_COMMIT });
  expectEnd(await stage.run({}, { env }), { outcome: "deployed" });
  expectEnd(await stage.run({ command: "plan" }, { env: { ...env, GITHUB_SHA: "2".repeat(40) } }), {
    outcome: "planned",
  });
});

test("deploy.paths counts as changed in a shallow clone, which lacks the history", async () => {
  const { stage, commits, at } = await history(
    `${REPOSITORY}deploy: { paths: ["agents/support/**"] }\n`,
    "agents/support/a.py",
    "docs/x.md",
    "docs/y.md",
  );
  const [full, shallow] = [createTree({}), gitIn(stage.workspace)];
  gitIn(full)("clone", "-q", "--bare", stage.workspace.path, ".");
  rmSync(join(stage.workspace.path, ".git"), { recursive: true });
  shallow("init", "-q", "-b", "main");
  shallow("fetch", "-q", "--depth", "1", `file://${full.path}`, "main");
  shallow("checkout", "-q", "-f", "FETCH_HEAD");
  const run = await at(commits[2]!);
  expectEnd(run, { outcome: "deployed", changed: "true" });
  expect(run.stdout).toMatch(/deploy\.paths counts as changed/);
});

test("the repository may be in a folder of the workspace, and deploy.paths are relative to the repository", async () => {
  const stage = await createStage(REPOSITORY);
  const app = { ...stage.workspace, path: join(stage.workspace.path, "app") };
  const inApp: Tree = {
    ...app,
    write: (file, text) => stage.workspace.write(`app/${file}`, text),
  };
  stage.workspace.write(
    "app/deploy/agent-deploy.yml",
    `${REPOSITORY}deploy: { paths: ["agents/**"] }\n`,
  );
  const commits = commitsIn(inApp, "agents/a.py", "docs/x.md", "agents/b.py");
  const at = (commit: string): ReturnType<Stage["run"]> =>
    stage.run({ spec: "app/deploy/agent-deploy.yml" }, { env: { GITHUB_SHA: commit } });
  stage.emulator.emulator.push({ repo_url: REPO_URL, ref: "main", commit: commits[0]! });
  expectEnd(await at(commits[0]!), { outcome: "deployed" });
  stage.emulator.emulator.push({ repo_url: REPO_URL, ref: "main", commit: commits[2]! });
  const aside = await at(commits[1]!);
  expectEnd(aside, { outcome: "unchanged" });
  expect(aside.stdout).toMatch(/nothing under deploy\.paths changed/);
  expectEnd(await at(commits[2]!), { outcome: "deployed" });
  expectEnd(await at(commits[0]!), { outcome: "blocked" }, 1);
});

test.each([
  ["is deployed", { outcome: "deployed" }],
  ["fails", { outcome: "build-failed" }],
] as const)(
  "the first revision of two pushes in a row is ignored, even if it %s, and ours is waited for",
  async (_, rule) => {
    const spec = edit(REPOSITORY, "build_on_push: false", "build_on_push: true");
    const workspace = createTree();
    const commits = commitsIn(workspace, "a.txt", "b.txt", "c.txt");
    const revisions = [rule, { outcome: "deployed" as const }];
    const stage = await createDeployed(spec, { revisions }, { commit: commits[0]!, workspace });
    const push = (at: number) =>
      stage.send("POST", "/_emulator/push", {
        repo_url: REPO_URL,
        ref: "main",
        commit: commits[at]!,
      });
    const started = stage.start({ "on-failure": "rollback" }, { env: { GITHUB_SHA: commits[2]! } });
    await started.until(/waiting for the revision that the push/);
    await push(1);
    await started.until(/shows the earlier commit/);
    await push(2);
    const run = await started.done;
    const live = await stage.live();
    expectEnd(run, {
      outcome: "deployed",
      changed: "true",
      "revision-id": live.active_revision_id,
    });
    expect(live.source_revision_config.repo_commit_sha).toBe(commits[2]);
    expect(stage.writes()).toEqual([]);
  },
);
