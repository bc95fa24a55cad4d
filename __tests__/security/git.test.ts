import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { createDeployed, expectEnd, REPOSITORY } from "../scenarios/stage.ts";
import { expectWithin } from "../support/busy.ts";
import { createTree, type Tree } from "../support/tree.ts";

const git = (cwd: string, ...args: string[]): string => {
  try {
    return execFileSync("git", args, {
      cwd,
      stdio: ["ignore", "pipe", "ignore"],
      encoding: "utf8",
    });
  } catch {
    return "";
  }
};

/**
 * Makes a folder a bare repository, as a commit may hold one, whose configuration names a program
 * for everything git can run.
 */
function plantRepository(workspace: Tree, marker: string): void {
  git(workspace.path, "init", "--bare", "-q", ".");
  const program = `touch ${marker}; false`;
  for (const [key, value] of [
    ["core.repositoryformatversion", "1"],
    ["extensions.partialClone", "origin"],
    ["remote.origin.promisor", "true"],
    ["remote.origin.url", "ssh://x/y"],
    ["protocol.allow", "always"],
    ["protocol.ssh.allow", "always"],
    ["core.sshCommand", program],
    ["core.fsmonitor", program],
    ["core.pager", program],
    ["core.editor", program],
    ["credential.helper", `!${program}`],
    ["diff.external", program],
  ] as const)
    git(workspace.path, "config", key, value);
}

test("a folder of the commit that is a git repository does not run its programs", async () => {
  const stage = await createDeployed(REPOSITORY);
  const marker = join(createTree().path, "ran");
  plantRepository(stage.workspace, marker);
  // The trap is live: git by itself walks into it.
  git(stage.workspace.path, "cat-file", "-e", `${"2".repeat(40)}^{commit}`);
  expect(existsSync(marker)).toBe(true);
  rmSync(marker);
  // As in a workflow: only of this run's repository is the commit compared.
  const github = {
    GITHUB_ACTIONS: "true",
    GITHUB_REPOSITORY: "acme/agents",
    GITHUB_SERVER_URL: "http://127.0.0.1:1",
    GITHUB_EVENT_NAME: "push",
  };
  for (const args of [
    ["plan", "--commit", "2".repeat(40)],
    ["init", "--output", "new.yml"],
  ]) {
    const run = await stage.cli(args, github);
    if (args[0] === "plan") expect(run.stdout).toContain("could not be read: it counts as newer");
    expect([args[0], existsSync(marker)]).toEqual([args[0], false]);
  }
  const run = await stage.run({ command: "plan", commit: "2".repeat(40) });
  expect([run.stdout, existsSync(marker)]).toEqual([
    expect.stringContaining("could not be read: it counts as newer"),
    false,
  ]);
});

test("in a real checkout git still compares two commits", async () => {
  const stage = await createDeployed(REPOSITORY);
  const at = (...args: string[]): string =>
    git(
      stage.workspace.path,
      "-c",
      "user.name=a",
      "-c",
      "user.email=a@example.com",
      ...args,
    ).trim();
  at("init", "-q");
  const commits = ["first", "second"].map((name) => {
    stage.workspace.write(`${name}.txt`, name);
    at("add", ".");
    at("commit", "-q", "-m", name);
    return at("rev-parse", "HEAD");
  });
  expect(commits).toEqual([
    expect.stringMatching(/^[0-9a-f]{40}$/),
    expect.stringMatching(/^[0-9a-f]{40}$/),
  ]);
  stage.emulator.emulator.push({
    repo_url: "http://127.0.0.1:1/acme/agents",
    ref: "main",
    commit: commits[1]!,
  });
  expectEnd(await stage.run({ commit: commits[1]! }), { outcome: "deployed" });
  const older = await stage.run({ commit: commits[0]! });
  expectEnd(older, { outcome: "blocked" }, 1);
  expect(older.stdout).toMatch(/older|ancestor/);
});

test.each(["plan", "apply"])(
  "a hanging git is stopped within the run's limit: %s",
  async (command) => {
    const stage = await createDeployed(REPOSITORY);
    const bin = createTree({ git: "#!/bin/sh\nexec sleep 60\n" });
    chmodSync(join(bin.path, "git"), 0o755);
    const begun = performance.now();
    const run = await stage.run(
      { command, commit: "2".repeat(40), timeout: "2s" },
      { env: { PATH: `${bin.path}:${process.env["PATH"]}` } },
    );
    expectWithin(performance.now() - begun, 15_000);
    expect(run.stdout).toContain("did not end within 2 s and was stopped");
  },
);
