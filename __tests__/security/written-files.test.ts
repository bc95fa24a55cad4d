import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "@jest/globals";
import { CONTAINER, createStage } from "../scenarios/stage.ts";

const ROWS = JSON.stringify([
  { inputs: { q: "a" }, evaluation_scores: [{ key: "correctness", score: 1 }] },
]);
const GATE = { command: "gate", experiment: "results.json", gate: "correctness >= 0.5" };

describe("a file that a run writes", () => {
  test.each([
    [
      { "report-file": "out.txt", "markdown-file": "./told/../out.txt" },
      "report-file and markdown-file both name ./told/../out.txt",
    ],
    [
      { "report-file": "agent-deploy.yml" },
      "report-file would replace agent-deploy.yml, which spec",
    ],
    [{ "report-file": "link.yml" }, "report-file would replace link.yml, which spec reads"],
    [
      { spec: "*.yml", "markdown-file": "agent-deploy.yml" },
      "markdown-file would replace agent-deploy.yml, which spec reads",
    ],
    [
      { ...GATE, "write-baseline": "results.json" },
      "write-baseline would replace results.json, which experiment reads",
    ],
    [
      { ...GATE, "write-baseline": "b.json", "report-file": "b.json" },
      "report-file and write-baseline both name b.json",
    ],
    [
      { ...GATE, baseline: "old.json", "report-file": "old.json" },
      "report-file would replace old.json, which baseline reads",
    ],
  ])("%j is refused before anything is sent", async (inputs, problem) => {
    const stage = await createStage(CONTAINER);
    stage.workspace.write("results.json", ROWS);
    stage.workspace.write("old.json", ROWS);
    symlinkSync("agent-deploy.yml", join(stage.workspace.path, "link.yml"));
    const given: Readonly<Record<string, string>> = { command: "apply", ...inputs };
    const run = await stage.run(given);
    expect(run.code).toBe(1);
    expect(run.stdout).toContain(problem);
    expect(stage.emulator.emulator.requests()).toEqual([]);
    expect(stage.workspace.read("agent-deploy.yml")).toBe(CONTAINER);
    expect(stage.workspace.read("results.json")).toBe(ROWS);

    const flags = Object.entries(given).flatMap(([name, value]) =>
      name === "command" ? [] : [`--${name}`, value],
    );
    const cli = await stage.cli([given["command"]!, ...flags]);
    expect([cli.code, cli.stderr]).toEqual([2, expect.stringContaining(problem)]);
  });

  test("a new baseline may replace the old one, and a report may be next to results", async () => {
    const stage = await createStage(CONTAINER);
    stage.workspace.write("results.json", ROWS);
    const gate = ["gate", "--experiment", "r*.json", "--gate", "correctness >= 0.5"];
    const baseline = ["--baseline", "base.json", "--write-baseline", "base.json"];
    for (let times = 0; times < 2; times += 1) {
      const run = await stage.cli([...gate, ...baseline, "--markdown-file", "report.md"]);
      expect([run.code, run.stderr]).toEqual([0, expect.not.stringContaining("would replace")]);
    }
    const { code } = await stage.cli([...gate, "--report-file", "report.json"]);
    expect(code).toBe(0);
  });
});
