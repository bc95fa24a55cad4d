import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, test } from "@jest/globals";
import { runAction, type ActionRun } from "../support/action-run.ts";
import { createTree, type Tree } from "../support/tree.ts";

const rows = (score: number): string =>
  Array.from({ length: 20 }, (_, q) =>
    JSON.stringify({
      inputs: { q },
      actual_outputs: { a: q },
      evaluation_scores: [{ key: "correctness", score }],
    }),
  ).join("\n");

/** A checkout of a pull request: what is given is what the base branch has. */
function createCheckout(files: Readonly<Record<string, string>>): Tree {
  const tree = createTree(files);
  const git = (...args: readonly string[]): void => {
    execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.com", ...args], {
      cwd: tree.path,
    });
  };
  git("init", "-q");
  git("add", "-A");
  git("commit", "-q", "-m", "base");
  git("update-ref", "refs/remotes/origin/main", "HEAD");
  return tree;
}

const repository = { full_name: "acme/agents" };
const payload = {
  pull_request: {
    number: 7,
    head: { sha: "2".repeat(40), repo: repository },
    base: { ref: "main", repo: repository },
  },
  repository,
};

const gateOn = (workspace: Tree, event = "pull_request"): Promise<ActionRun> =>
  runAction(
    {
      command: "gate",
      experiment: "head.jsonl",
      gate: "gates.yml",
      baseline: "base.jsonl",
      comment: "never",
    },
    {
      workspace,
      event: { name: event, payload: event === "push" ? {} : payload },
      env: event === "push" ? {} : { GITHUB_BASE_REF: "main", GITHUB_REF: "refs/pull/7/merge" },
    },
  );

test("a pull request that changes the gate file or the baseline it is judged by is told so at the top", async () => {
  const workspace = createCheckout({
    "gates.yml": "gates: [correctness >= 0.9]\n",
    "base.jsonl": rows(0.95),
  });
  workspace.write("head.jsonl", rows(0.8));
  const unchanged = await gateOn(workspace);
  expect(unchanged.summary).not.toContain("This pull request changes");

  workspace.write("gates.yml", "gates: [correctness >= 0.7]\n");
  workspace.write("base.jsonl", `${rows(0.8)}\n`);
  const changed = await gateOn(workspace);
  const [headline, first, second] = changed.summary.split("\n").filter((line) => line !== "");
  expect(headline).toMatch(/^### /);
  expect(first).toMatch(/This pull request changes .*gates.*the gate file it is judged by/);
  expect(second).toMatch(/This pull request changes .*base.*the baseline it is judged by/);
  expect(changed.stdout).toContain("This pull request changes gates.yml");
  expect(JSON.parse(readFileSync(changed.outputs["report"]!, "utf8")).alerts).toHaveLength(2);

  expect((await gateOn(workspace, "push")).summary).not.toContain("This pull request changes");
}, 60_000);
