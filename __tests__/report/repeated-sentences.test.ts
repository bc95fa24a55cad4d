// Runs with long output: each sentence is printed once, and each number has one format.
import { describe, expect, test } from "@jest/globals";
import { toAnnotations } from "../../src/report/annotations.ts";
import { renderSummary } from "../../src/report/markdown.ts";
import type { GateReport, Report } from "../../src/report/report.ts";
import { renderOutcome } from "../../src/report/terminal.ts";
import { createDeployed, createStage, edit, REPOSITORY } from "../scenarios/stage.ts";
import { findRepeats, findTwoForms } from "../support/repeats.ts";
import { deployment, plan, report, SAMPLES } from "./sample-reports.ts";

const plain = { color: false };
const blockedAlike = (reason: string, message: string): Report =>
  report({
    deployments: ["search-agent", "support-agent", "ranking-agent"].map((name) =>
      deployment({
        name,
        action: "blocked",
        outcome: "blocked",
        reason,
        message: message.replace("NAME", name),
        plan: plan({
          action: "blocked",
          blockers: [{ code: reason, message: message.replace("NAME", name) }],
        }),
        next: ["Name one of them in source_config.integration_id"],
      }),
    ),
  });

const rows = (bad: number): string =>
  Array.from({ length: 40 }, (_, at) =>
    JSON.stringify({
      inputs: { q: `question ${at}` },
      actual_outputs: { answer: at < bad ? "no" : "yes" },
      evaluation_scores: ["tone", "style"].map((key) => ({ key, score: at < bad ? 0.604 : 0.93 })),
    }),
  ).join("\n");
const DROPS = "tone drop <= 0.02\nstyle drop <= 0.02\ntone >= 0.9";

describe("each sentence is printed once", () => {
  test("for a gate that blocks, in the log and in the summary", async () => {
    const stage = await createDeployed(REPOSITORY);
    stage.spec(edit(REPOSITORY, "repo_ref: main", "repo_ref: release-2"));
    stage.workspace.write("base.jsonl", rows(0));
    stage.workspace.write("now.jsonl", rows(12));
    const inputs = { experiment: "now.jsonl", baseline: "base.jsonl", gate: DROPS };
    const run = await stage.run(inputs);
    expect(run.outputs["outcome"]).toBe("blocked");
    const log = run.stdout.replace(/^::.*$/gm, "");
    expect(log.match(/tone fell from 0\.93 to 0\.83/g)).toHaveLength(1);
    expect(findRepeats(log)).toEqual([]);
    expect(findRepeats(run.summary)).toEqual([]);
    const cli = await stage.cli([
      "apply",
      "--yes",
      ...Object.entries(inputs).flatMap(([name, value]) => [`--${name}`, value]),
    ]);
    expect(findRepeats(cli.stdout + cli.stderr)).toEqual([]);
  });

  test("for an inconclusive gate, in a terminal too", async () => {
    const stage = await createStage(REPOSITORY);
    stage.workspace.write("base.jsonl", rows(0).split("\n").slice(0, 3).join("\n"));
    stage.workspace.write("now.jsonl", rows(3).split("\n").slice(0, 3).join("\n"));
    const drop = ["--baseline", "base.jsonl", "--gate", "tone drop <= 0.02"];
    const run = await stage.cli(["gate", "now.jsonl", ...drop]);
    expect(findRepeats(run.stdout + run.stderr)).toEqual([]);
  });

  test.each([
    ["integration", "no source_config.integration_id, and there are 2: 3f25 and 9a0c"],
    ["plan-changed", "NAME is not what was approved: the plan has another fingerprint"],
    ["untrusted", "the code of this run is not trusted, so that nothing is written"],
  ])("for three documents that are blocked for the same reason: %s", (reason, message) => {
    const run = blockedAlike(reason, message);
    const [summary, end] = [renderSummary(run), renderOutcome(run, plain)];
    expect(findRepeats(summary.replaceAll(/(?:search|support|ranking)-agent/g, "it"))).toEqual([]);
    expect(findRepeats(end.replaceAll(/(?:search|support|ranking)-agent/g, "it"))).toEqual([]);
    expect(summary.match(/<details open>/g)).toHaveLength(1);
    const annotations = toAnnotations(run).map((one) => one.message);
    expect(annotations.filter((one) => one.startsWith("same reason as "))).toHaveLength(2);
  });

  test("for reads that failed in the same way, with their own addresses and tries", () => {
    const ids = ["0b6f8f7e-5f0e-4a55-9a42-51f2b6a3c1d0", "5d2e5a4e-2d0f-4b57-8f0e-6a0a0f3b7c11"];
    const run = report({
      deployments: ids.map((id, at) =>
        deployment({
          name: ["search-agent", "support-agent"][at]!,
          id,
          outcome: "failed",
          reason: "service",
          message: `GET https://api.example.com/v2/deployments/${id}: no answer (${2 + at} tries): api.example.com did not answer in time. Check control-plane-url, the network, and HTTPS_PROXY / NO_PROXY.`,
          request: { status: null, headline: "", sent: true, tries: 2 + at },
          plan: null,
        }),
      ),
    });
    const [summary, end] = [renderSummary(run), renderOutcome(run, plain)];
    expect([...findRepeats(summary), ...findRepeats(end)]).toEqual([]);
    expect(summary).toContain("Same reason as search-agent.");
  });

  test("for the smallest change that a gate could have detected", () => {
    const gate: GateReport = {
      ...SAMPLES["experiments-and-gates"]!.gates[0]!,
      verdict: "pass",
      limit: 0.02,
      mde: 0.08,
      reason: "tone rose; this suite could miss one of up to 0.08, you allow 0.02.",
    };
    const run = report({
      gates: [gate],
      gate_verdict: "pass",
      sensitivity:
        "Sensitivity: 40 examples with 1 run each find a true fall of 0.08 in tone in 8 of 10 runs.",
    });
    expect(renderSummary(run)).not.toContain("Sensitivity");
    expect(renderOutcome(run, plain)).not.toContain("Sensitivity");
  });
});

describe("each number has one format", () => {
  test("in the log and the summary of a gate", async () => {
    const stage = await createDeployed(REPOSITORY);
    stage.workspace.write("base.jsonl", rows(0));
    stage.workspace.write("now.jsonl", rows(12));
    const run = await stage.run({
      command: "gate",
      experiment: "now.jsonl",
      baseline: "base.jsonl",
      gate: DROPS,
      "markdown-file": "out.md",
    });
    for (const text of [run.stdout, run.summary, stage.workspace.read("out.md")])
      expect(findTwoForms(text)).toEqual([]);
  });
});

describe("a regression is not drawn as a gain", () => {
  test("a failed answer is not an added line", async () => {
    const stage = await createStage(REPOSITORY);
    stage.workspace.write("base.jsonl", rows(0));
    stage.workspace.write("now.jsonl", rows(12));
    const run = await stage.cli([
      "gate",
      "now.jsonl",
      "--baseline",
      "base.jsonl",
      "--gate",
      DROPS,
      "--markdown-file",
      "out.md",
    ]);
    expect(run.stdout).toContain("      - yes\n      ! no\n");
    expect(stage.workspace.read("out.md")).toContain("```diff\n- yes\n! no\n```");
    expect(run.stdout + stage.workspace.read("out.md")).not.toMatch(/^ *\+ /m);
  });
});
