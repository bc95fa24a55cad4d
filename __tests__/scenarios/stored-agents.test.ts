import { execFileSync } from "node:child_process";
import { beforeAll, describe, expect, test } from "@jest/globals";
import type { Report } from "../../src/report/report.ts";
import { runCli } from "../support/cli-run.ts";
import { startTestEmulator, type TestEmulator } from "../support/emulator-process.ts";
import { createTree, type Tree } from "../support/tree.ts";
import type { Finished } from "../support/child.ts";

const EXAMPLES = 20;

/** An Inspect log of one agent; the first samples are wrong. */
const inspect = (model: string, wrong: number, salt: string): string =>
  JSON.stringify({
    version: 2,
    status: "success",
    eval: { task: "qa", model, created: "2026-01-01T00:00:00Z", run_id: salt },
    samples: Array.from({ length: EXAMPLES }, (_, i) => ({
      id: `s${i}`,
      epoch: 1,
      input: `question ${i}`,
      target: "x",
      output: {},
      scores: { accuracy: { value: i < wrong ? 0 : 1 } },
    })),
  });

const A = "openai/a";
const B = "openai/b";
const C = "openai/c";

describe("stored runs of several agents", () => {
  let workspace: Tree;
  let service: TestEmulator;
  const git = (...args: string[]): string =>
    execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.com", ...args], {
      cwd: workspace.path,
      encoding: "utf8",
    }).trim();
  const run = (args: readonly string[], dataset: string): Promise<Finished> =>
    runCli([...args, "--dataset-name", dataset, "--json"], {
      workspace,
      env: {
        ...service.env,
        CI: "true",
        GITHUB_ACTIONS: "true",
        GITHUB_REPOSITORY: "acme/agents",
        GITHUB_SERVER_URL: "http://127.0.0.1:1",
        GITHUB_API_URL: "http://127.0.0.1:1",
        GITHUB_EVENT_NAME: "push",
        GITHUB_REF: "refs/heads/main",
        GITHUB_SHA: git("rev-parse", "HEAD"),
      },
    });
  const upload = async (
    dataset: string,
    model: string,
    wrong: number,
    ...args: string[]
  ): Promise<number | null> => {
    const file = `${model.slice(-1)}.json`;
    workspace.write(file, inspect(model, wrong, "before"));
    const name = `${dataset}-${model.slice(-1)}`;
    const { code } = await run(["upload", file, "--experiment-name", name, ...args], dataset);
    return code;
  };
  const judge = async (
    dataset: string,
    wrong: Readonly<Record<string, number>>,
    baseline = "auto",
  ): Promise<{ ends: readonly unknown[]; report: Report; stderr: string }> => {
    const files = Object.entries(wrong).map(([model, count]) => {
      const file = `${model.slice(-1)}.json`;
      workspace.write(file, inspect(model, count, "after"));
      return file;
    });
    const gate = ["--gate", "accuracy drop <= 0.02", "--baseline", `experiment:${baseline}`];
    const { stdout, stderr } = await run(["gate", ...files, ...gate], dataset);
    const report = JSON.parse(stdout) as Report;
    const ends = report.gates
      .filter(({ metric }) => metric === "accuracy")
      .map(({ group, verdict, base, head }) => [group, verdict, base, head]);
    return { ends, report, stderr };
  };

  beforeAll(async () => {
    workspace = createTree({ ".gitignore": "*.json\n" });
    service = await startTestEmulator();
    git("init", "-q", "-b", "main");
    git("add", ".");
    git("commit", "-q", "-m", "begin");
    const codes = [
      await upload("both", A, 0),
      await upload("both", B, 12),
      await upload("only", A, 0),
      await upload("failed", A, 0, "--gate", "accuracy <= 0.5"),
      await upload("failed", B, 12),
    ];
    expect(codes).toEqual([0, 0, 0, 4, 0]);
    git("commit", "-q", "--allow-empty", "-m", "next");
  });

  test("are compared each with the run of its own agent, whichever is newer", async () => {
    const { ends } = await judge("both", { [A]: 12, [B]: 12 });
    expect(ends).toEqual([
      [A, "fail", 1, 0.4],
      [B, "pass", 0.4, 0.4],
    ]);
    const single = await judge("both", { [A]: 12 });
    expect(single.ends).toEqual([[undefined, "fail", 1, 0.4]]);
  });

  test("are the baseline of an agent that replaces the only one, and a line names both", async () => {
    const { ends, stderr } = await judge("only", { [C]: 12 });
    expect(ends).toEqual([[undefined, "fail", 1, 0.4]]);
    expect(stderr).toContain(
      `experiment only-a is a run of ${A}: main has no earlier run of ${C}, so this compares the two`,
    );
  });

  test("are no baseline of a new agent where it may replace any of them", async () => {
    const { ends, report } = await judge("both", { [C]: 0 });
    expect(ends).toEqual([[undefined, "inconclusive", null, 1]]);
    expect(report.baseline?.message).toContain(
      `main has no earlier run of ${C}, only of ${A}, ${B}`,
    );
  });

  test("are no baseline of another agent whose own runs failed their gates", async () => {
    const { ends, stderr } = await judge("failed", { [A]: 12 });
    expect(ends).toEqual([[undefined, "inconclusive", null, 0.4]]);
    expect(stderr).toContain("passed over: 1 whose gate failed");
  });

  test("are no baseline of another agent that is judged together with theirs", async () => {
    const { ends, report } = await judge("only", { [A]: 0, [C]: 12 });
    expect(ends).toEqual([
      [A, "pass", 1, 1],
      [C, "inconclusive", null, 0.4],
    ]);
    expect(report.baseline?.message).toContain(`the baseline has no results of ${C}`);
  });

  test("are no baseline of another agent, even if a person names one", async () => {
    const { ends, stderr } = await judge("both", { [A]: 12, [B]: 12 }, "both-b");
    expect(ends).toEqual([
      [A, "inconclusive", null, 0.4],
      [B, "pass", 0.4, 0.4],
    ]);
    expect(stderr).toContain(`experiment both-b is a run of ${B}, not of ${A}`);
  });
});
