import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { load } from "js-yaml";
import { startFakeGithub, type FakeGithub } from "../host/fake-github.ts";
import { pullRequestRun } from "../host/pull-request-run.ts";
import { runAction, type ActionOptions, type ActionRun } from "../support/action-run.ts";
import { startTestEmulator } from "../support/emulator-process.ts";
import { createTree, repositoryRoot, type Tree } from "../support/tree.ts";

/** Rows with one mark each. */
function marks(text: string): string {
  return JSON.stringify(
    [...text].map((mark, i) => ({
      inputs: { question: `question number ${i} of the suite` },
      evaluation_scores: [{ key: "correctness", score: Number(mark) }],
    })),
  );
}

const good = marks("1".repeat(18) + "0".repeat(2));
const bad = marks("1".repeat(10) + "0".repeat(10));

function judge(
  inputs: Readonly<Record<string, string>>,
  files: Readonly<Record<string, string>> | Tree = { "results.json": good },
  options: ActionOptions = {},
): Promise<ActionRun> {
  const workspace = "read" in files && typeof files.read === "function" ? (files as Tree) : null;
  return runAction(inputs, {
    ...options,
    entry: "gate",
    workspace: workspace ?? createTree(files as Readonly<Record<string, string>>),
  });
}

const reportOf = ({ outputs }: ActionRun): any =>
  JSON.parse(readFileSync(outputs["report"]!, "utf8"));

describe("gate/action.yml", () => {
  const action = load(readFileSync(join(repositoryRoot, "gate/action.yml"), "utf8")) as {
    inputs: Record<string, { description: string; default?: string }>;
    outputs: Record<string, { description: string }>;
    runs: Record<string, string>;
  };

  test("has eleven inputs and four outputs, each with a description", () => {
    expect(Object.keys(action.inputs)).toEqual([
      "results",
      "gates",
      "baseline",
      "floors",
      "on-inconclusive",
      "write-baseline",
      "accept-baseline",
      "comment",
      "github-token",
      "api-key",
      "region",
    ]);
    expect(Object.keys(action.outputs)).toEqual(["verdict", "gates", "comment-url", "report"]);
    for (const { description } of [action.inputs, action.outputs].flatMap((one) =>
      Object.values(one),
    ))
      expect(description).not.toBe("");
    expect(action.inputs["region"]!.description).not.toContain("spec");
  });

  test("sets its own outputs even if a secret has the value gate", async () => {
    const run = await judge({ gates: "correctness >= 0.5", "api-key": "gate", results: "*.json" });
    expect(run.code).toBe(0);
    expect(run.outputs["verdict"]).toBe("pass");
  });

  test("runs the dist of the main action, including the post step", () => {
    expect(action.runs["using"]).toBe("node24");
    for (const name of ["main", "post"])
      expect(existsSync(join(repositoryRoot, "gate", action.runs[name]!))).toBe(true);
  });
});

describe("the gate action, as the runner starts it", () => {
  test("needs neither key nor spec, passes, and sets its four outputs and a summary", async () => {
    const run = await judge({ results: "results.json", gates: "correctness >= 0.8" });
    expect(run.code).toBe(0);
    expect(Object.keys(run.outputs).sort()).toEqual(["comment-url", "gates", "report", "verdict"]);
    expect(run.outputs["verdict"]).toBe("pass");
    expect(JSON.parse(run.outputs["gates"]!)).toMatchObject([
      { metric: "correctness", verdict: "pass", n: 20, head: 0.9 },
    ]);
    expect(run.summary).toContain("correctness");
    expect(reportOf(run)).toMatchObject({ command: "gate", gate_verdict: "pass" });
  });

  test("fails the step for a score below its floor, and still sets the outputs", async () => {
    const run = await judge(
      { results: "results.json", gates: "correctness >= 0.95" },
      { "results.json": bad },
    );
    expect(run.code).toBe(1);
    expect(run.outputs["verdict"]).toBe("fail");
    expect(run.stdout).toContain("::error");
  });

  test.each([
    [
      "a line that is not a gate",
      "correctness >= 0.5\nfoo bar",
      "::gate: `foo bar` is not a valid",
    ],
    ["a metric whose side is unclear", "my_latency drop <= 0.1", "::my_latency: which side"],
  ])("annotates %s once, and names no file that does not exist", async (_, gates, message) => {
    const rows = [{ inputs: { q: "a" }, evaluation_scores: [{ key: "my_latency", score: 1 }] }];
    const run = await judge({ results: "*.json", gates }, { "r.json": JSON.stringify(rows) });
    expect(run.code).toBe(1);
    const errors = run.stdout.split("\n").filter((line) => line.startsWith("::error"));
    expect(errors).toEqual([expect.stringContaining(`::error title=agent-deploy${message}`)]);
  });

  test("takes several lines of gates, several files by pattern, or a gate file", async () => {
    const files = {
      "out/a.json": good,
      "out/b.json": good,
      "gates.yml": "gates:\n  - correctness >= 0.5\n  - error_rate <= 2%\n",
    };
    const lines = await judge(
      { results: "out/*.json\n!out/b.json", gates: "correctness >= 0.5\nerror_rate <= 2%" },
      files,
    );
    const file = await judge({ results: "out/a.json,out/b.json", gates: "gates.yml" }, files);
    for (const run of [lines, file]) {
      expect({ code: run.code, verdict: run.outputs["verdict"] }).toEqual({
        code: 0,
        verdict: "pass",
      });
      expect(JSON.parse(run.outputs["gates"]!)).toHaveLength(2);
    }
  });

  test("writes a baseline and judges a drop by it", async () => {
    const workspace = createTree({ "results.json": good });
    const first = await judge(
      {
        results: "results.json",
        gates: "correctness drop <= 0.02",
        "write-baseline": "baseline.json",
        "accept-baseline": "true",
      },
      workspace,
    );
    expect(first.code).toBe(0);
    expect(first.stdout).not.toContain("::warning title=agent-deploy::baseline: none was given");
    expect(workspace.has("baseline.json")).toBe(true);
    workspace.write("results.json", marks("0".repeat(18) + "1".repeat(2)));
    const second = await judge(
      { results: "results.json", gates: "correctness drop <= 0.02", baseline: "baseline.json" },
      workspace,
    );
    expect({ code: second.code, verdict: second.outputs["verdict"] }).toEqual({
      code: 1,
      verdict: "fail",
    });
  });

  test("warns of a drop gate without a baseline, as on-no-baseline says by default", async () => {
    const none = await judge({ results: "results.json", gates: "correctness drop <= 0.02" });
    expect(none.code).toBe(0);
    expect(none.stdout).toMatch(/^::warning [^\n]*baseline: none was given/mu);
    const pass = await runAction(
      {
        command: "gate",
        experiment: "results.json",
        gate: "correctness drop <= 0.02",
        "on-no-baseline": "pass",
      },
      { workspace: createTree({ "results.json": good }) },
    );
    expect(pass.code).toBe(0);
    expect(pass.stdout).not.toMatch(/^::warning [^\n]*baseline: none was given/mu);
  });

  test("reports a missing baseline without naming an input that only the main action has", async () => {
    const inputs = { results: "results.json", gates: "correctness drop <= 0.02" };
    const { stdout } = await judge({ ...inputs, baseline: "none.json" });
    expect(stdout).toContain("The first one is made with write-baseline and accept-baseline");
    expect(stdout).not.toContain("on-no-baseline");
  });

  test("passes a failed run that was accepted and says so, without advice to fix it", async () => {
    const run = await judge({
      results: "results.json",
      gates: "correctness >= 0.99",
      "write-baseline": "baseline.json",
      "accept-baseline": "true",
    });
    expect(run.code).toBe(0);
    expect(run.summary).toMatch(
      /^### ✅ The gate failed: correctness missed its limit · accepted as the baseline$/mu,
    );
    expect(run.summary).not.toContain("**Next:**");
  });

  test("fails for an inconclusive gate with on-inconclusive: fail", async () => {
    const inputs = { results: "results.json", gates: "correctness drop <= 0.02" };
    const files = { "results.json": marks("110011"), "base.json": marks("111111") };
    const warned = await judge({ ...inputs, baseline: "base.json" }, files);
    const red = await judge({ ...inputs, baseline: "base.json", "on-inconclusive": "fail" }, files);
    expect([warned.code, warned.outputs["verdict"]]).toEqual([0, "inconclusive"]);
    expect([red.code, red.outputs["verdict"]]).toEqual([1, "inconclusive"]);
  });

  test("names its own inputs if one is wrong, and accepts none of the main action", async () => {
    const run = await judge({
      results: "results.json",
      gates: "correctness >= 0.8",
      "on-inconclusive": "perhaps",
      mapping: "map.yml",
      experiment: "rows.json",
      basline: "x.json",
    });
    expect(run.code).toBe(1);
    expect(run.outputs["verdict"]).toBe("none");
    expect(run.stdout).toContain('input on-inconclusive: "perhaps" is not one of pass, warn, fail');
    expect(run.stdout).toContain(
      "input mapping: there is no such input; the main action with command: gate takes it",
    );
    expect(run.stdout).toContain(
      "input experiment: there is no such input (did you mean results?)",
    );
    expect(run.stdout).toContain("input basline: there is no such input (did you mean baseline?)");
  });

  test.each([
    ["no results", { gates: "correctness >= 0.8" }, "results"],
    ["no gates", { results: "results.json" }, "gates"],
    ["blank gates", { results: "results.json", gates: " " }, "input gates: was given and is blank"],
    [
      "a file that does not exist",
      { results: "other.json", gates: "correctness >= 0.8" },
      "other.json",
    ],
    ["an empty file", { results: "empty.json", gates: "correctness >= 0.8" }, "empty.json"],
    ["an unknown metric", { results: "results.json", gates: "accuracy >= 0.8" }, "correctness"],
  ] as const)("fails without a verdict and says what is missing: %s", async (_, inputs, said) => {
    const run = await judge(inputs, { "results.json": good, "empty.json": "" });
    expect(run.code).toBe(1);
    expect(run.outputs["verdict"]).toBe("none");
    expect(run.stdout).toContain(said);
  });

  test("fails the gate for a file without a scored row", async () => {
    const run = await judge(
      { results: "results.jsonl", gates: "correctness >= 0.8" },
      { "results.jsonl": '{"inputs": {"q": 1}, "error": "it broke"}\n' },
    );
    expect({ code: run.code, verdict: run.outputs["verdict"] }).toEqual({
      code: 1,
      verdict: "fail",
    });
  });

  test("makes no request without a stored head or baseline, even with a key and an address", async () => {
    const service = await startTestEmulator();
    const run = await judge(
      { results: "results.json", gates: "correctness >= 0.8", "api-key": "test-key" },
      { "results.json": good },
      { env: service.env },
    );
    expect(run.code).toBe(0);
    expect(service.emulator.requests()).toEqual([]);
  });

  test("reads a stored baseline at the address of the environment, and fails without a key", async () => {
    const service = await startTestEmulator();
    const { AGENT_DEPLOY_CONTROL_PLANE_URL, AGENT_DEPLOY_TRACING_URL } = service.env;
    const env = { AGENT_DEPLOY_CONTROL_PLANE_URL, AGENT_DEPLOY_TRACING_URL };
    const inputs = {
      results: "results.json",
      gates: "correctness >= 0.8",
      baseline: "experiment:nightly",
    };
    const run = await judge({ ...inputs, "api-key": "test-key" }, undefined, { env });
    expect(run.code).toBe(0);
    expect(service.emulator.requests().length).toBeGreaterThan(0);
    const keyless = await judge(inputs, undefined, { env });
    expect(keyless.code).toBe(1);
    expect(keyless.stdout).toContain("api-key");
  });
});

describe("on a pull request", () => {
  let github: FakeGithub;
  beforeAll(async () => {
    github = await startFakeGithub();
  });
  afterAll(() => github.close());

  test("posts one comment per step and result file, and updates it in place", async () => {
    const on = (action: string): ActionOptions => {
      const run = pullRequestRun(github);
      return { ...run, env: { ...run.env, GITHUB_ACTION: action } };
    };
    const inputs = { gates: "correctness >= 0.8", "github-token": github.token };
    const first = await judge(
      { ...inputs, results: "results.json" },
      { "results.json": bad },
      on("gate"),
    );
    expect(first.code).toBe(1);
    expect(first.outputs["comment-url"]).toMatch(/^http/);
    const again = await judge(
      { ...inputs, results: "results.json" },
      { "results.json": good },
      on("gate"),
    );
    expect(again.outputs["comment-url"]).toBe(first.outputs["comment-url"]);
    expect(await github.comments()).toHaveLength(1);
    await judge({ ...inputs, results: "other.json" }, { "other.json": good }, on("gate"));
    await judge({ ...inputs, results: "results.json" }, { "results.json": good }, on("gate_2"));
    expect(await github.comments()).toHaveLength(3);
    expect((await github.comments())[0]!.body).toContain("correctness");
  });

  test("posts no comment with comment: never", async () => {
    const before = github.requests.length;
    const run = await judge(
      {
        results: "results.json",
        gates: "correctness >= 0.8",
        comment: "never",
        "github-token": github.token,
      },
      undefined,
      pullRequestRun(github),
    );
    expect(run.code).toBe(0);
    expect(github.requests.length).toBe(before);
  });
});
