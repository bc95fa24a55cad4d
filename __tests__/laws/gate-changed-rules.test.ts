import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { describe, expect, test } from "@jest/globals";
import { runAction, type ActionRun } from "../support/action-run.ts";
import { runCli } from "../support/cli-run.ts";
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
function createCheckout(
  files: Readonly<Record<string, string>>,
  base = "refs/remotes/origin/main",
): Tree {
  const tree = createTree(files);
  const git = (...args: readonly string[]): void => {
    execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.com", ...args], {
      cwd: tree.path,
    });
  };
  git("init", "-q");
  git("add", "-A");
  git("commit", "-q", "-m", "base");
  git("update-ref", base, "HEAD");
  git("checkout", "-q", "--detach");
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

const gateOn = (
  workspace: Tree,
  event = "pull_request",
  inputs: Readonly<Record<string, string>> = {},
): Promise<ActionRun> =>
  runAction(
    {
      command: "gate",
      experiment: "head.jsonl",
      gate: "gates.yml",
      baseline: "base.jsonl",
      comment: "never",
      ...inputs,
    },
    {
      workspace,
      event: { name: event, payload: event === "push" ? {} : payload },
      env: event === "push" ? {} : { GITHUB_BASE_REF: "main", GITHUB_REF: "refs/pull/7/merge" },
    },
  );

test("a base branch in a checkout without a remote is compared as well", async () => {
  const files = { "gates.yml": "gates: [correctness >= 0.9]\n", "base.jsonl": rows(0.95) };
  const workspace = createCheckout(files, "refs/heads/main");
  workspace.write("head.jsonl", rows(0.8));
  workspace.write("gates.yml", "gates: [correctness >= 0.7]\n");
  const changed = await gateOn(workspace);
  expect(changed.summary).toContain("This pull request changes");
  expect(changed.stdout).toContain("This pull request changes gates.yml");
});

test("a branch that is checked out is not taken for the base branch of the same name, since a fork's may be called main too", async () => {
  const files = { "gates.yml": "gates: [correctness >= 0.9]\n", "base.jsonl": rows(0.95) };
  const workspace = createCheckout(files, "refs/heads/main");
  execFileSync("git", ["-C", workspace.path, "symbolic-ref", "HEAD", "refs/heads/main"]);
  workspace.write("head.jsonl", rows(0.8));
  workspace.write("gates.yml", "gates: [correctness >= 0.7]\n");
  expect((await gateOn(workspace)).stdout).not.toContain("This pull request changes");
});

test("a pull request that changes its own gate file or baseline gets a notice at the top", async () => {
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
});

test("a pull request that changes its own mapping gets a notice at the top", async () => {
  const mapping = "inputs.q: q\nevaluation_scores.correctness: right\n";
  const workspace = createCheckout({
    "gates.yml": "gates: [correctness >= 0.5]\n",
    "mapping.yml": mapping,
  });
  const cases = Array.from({ length: 20 }, (_, q) => `${q},0,1\n`).join("");
  workspace.write("head.csv", `q,right,wrong\n${cases}`);
  const inputs = { experiment: "head.csv", baseline: "", mapping: "mapping.yml" };
  const unchanged = await gateOn(workspace, "pull_request", inputs);
  expect(unchanged.code).toBe(1);
  expect(unchanged.summary).not.toContain("This pull request changes");
  workspace.write("mapping.yml", mapping.replace("right", "wrong"));
  const changed = await gateOn(workspace, "pull_request", inputs);
  expect(changed.code).toBe(0);
  expect(changed.summary).toMatch(
    /This pull request changes .*mapping.*the mapping it is judged by/,
  );
});

describe("baseline: base:FILE", () => {
  const GATES = { "gates.yml": "gates: [correctness drop <= 0.02]\n" };
  const OF_BASE = { baseline: "base:evals/base.json" };

  /** A checkout whose base branch has a baseline of 0.95, written as a user would. */
  async function createWithBaseline(): Promise<Tree> {
    const made = createTree({ "rows.jsonl": rows(0.95) });
    const args = ["gate", "rows.jsonl", "--write-baseline", "evals/base.json", "--accept-baseline"];
    expect(await runCli(args, { workspace: made })).toMatchObject({ code: 0 });
    const workspace = createCheckout({ ...GATES, "evals/base.json": made.read("evals/base.json") });
    workspace.write("head.jsonl", rows(0.5));
    return workspace;
  }

  test("judges a pull request that brings its own baseline by that of the base branch", async () => {
    const workspace = await createWithBaseline();
    const own = createTree({ "rows.jsonl": rows(0.5) });
    await runCli(["gate", "rows.jsonl", "--write-baseline", "own.json", "--accept-baseline"], {
      workspace: own,
    });
    workspace.write("evals/base.json", own.read("own.json"));
    const by = async (baseline: string): Promise<string | undefined> =>
      (await gateOn(workspace, "pull_request", { baseline })).outputs["gate-verdict"];
    expect([await by("evals/base.json"), await by("base:evals/base.json")]).toEqual([
      "pass",
      "fail",
    ]);
    const judged = await gateOn(workspace, "pull_request", OF_BASE);
    expect(judged.summary).not.toContain("This pull request changes");
  });

  test("is the file of the checkout on a push", async () => {
    const workspace = await createWithBaseline();
    const run = await gateOn(workspace, "push", OF_BASE);
    expect([run.code, run.outputs["gate-verdict"]]).toEqual([1, "fail"]);
  });

  test("is the file of the default branch on a topic branch in a terminal, or the command says that it is not", async () => {
    const workspace = await createWithBaseline();
    const git = (...args: readonly string[]): void => {
      execFileSync("git", ["-C", workspace.path, ...args]);
    };
    git("remote", "add", "origin", "https://github.com/acme/agents.git");
    git("checkout", "-q", "-b", "topic");
    const made = createTree({ "rows.jsonl": rows(0.5) });
    await runCli(["gate", "rows.jsonl", "--write-baseline", "own.json", "--accept-baseline"], {
      workspace: made,
    });
    workspace.write("evals/base.json", made.read("own.json"));
    const gate = () =>
      runCli(["gate", "head.jsonl", "--gate", "gates.yml", "--baseline", "base:evals/base.json"], {
        workspace,
      });
    const unknown = await gate();
    expect([unknown.code, unknown.stderr]).toEqual([
      0,
      expect.stringContaining("the default branch is not known here"),
    ]);
    git("symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/main");
    expect((await gate()).code).toBe(4);
  });

  test("is a missing baseline if the base branch lacks the file, and on-no-baseline decides", async () => {
    const workspace = createCheckout(GATES);
    workspace.write("head.jsonl", rows(0.5));
    workspace.write("evals/base.json", rows(0.5));
    const run = await gateOn(workspace, "pull_request", OF_BASE);
    expect([run.code, run.outputs["gate-verdict"]]).toEqual([0, "inconclusive"]);
    expect(run.stdout).toContain("evals/base.json was not found on the base branch main");
    const strict = await gateOn(workspace, "pull_request", {
      ...OF_BASE,
      "on-no-baseline": "fail",
    });
    expect(strict.code).toBe(1);
  });

  test("is refused if that file is not a baseline", async () => {
    const workspace = createCheckout({ ...GATES, "evals/base.json": rows(0.9) });
    workspace.write("head.jsonl", rows(0.5));
    const run = await gateOn(workspace, "pull_request", OF_BASE);
    expect(run.code).toBe(1);
    expect(run.stdout).toContain("evals/base.json of the base branch main is not a baseline file");
  });
});
