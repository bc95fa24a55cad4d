import { describe, expect, test } from "@jest/globals";
import { runCli } from "../support/cli-run.ts";
import { createTree } from "../support/tree.ts";

/** Forty examples, twice each, half of them with a crash-free mark. */
const repeated = Array.from({ length: 80 }, (_, i) =>
  JSON.stringify({
    inputs: { question: `question number ${i % 40}` },
    evaluation_scores: [{ key: "correctness", score: (i * 7) % 10 < 8 ? 1 : 0 }],
  }),
).join("\n");

const files = { "results.jsonl": repeated, plan: repeated };
const GATE = ["--gate", "correctness drop <= 0.05"];

describe("gate plan and gate calibrate", () => {
  test.each(["plan", "calibrate"])(
    "gate %s says what --%s says, without the warning",
    async (mode) => {
      const workspace = createTree(files);
      const now = await runCli(["gate", mode, "results.jsonl", ...GATE], { workspace });
      const before = await runCli(["gate", "results.jsonl", `--${mode}`, ...GATE], { workspace });
      const warning = `warning: --${mode} is an old name; write agent-deploy gate ${mode}\n`;
      expect(now.code).toBe(0);
      expect(now.stderr).not.toContain("old name");
      expect(before.code).toBe(0);
      expect(before.stderr).toContain(warning);
      expect(before.stdout).toBe(now.stdout);
      expect(before.stderr.replace(warning, "")).toBe(now.stderr);
    },
  );

  test("gate plan with a baseline says each gate's mde as gate does, of quantiles and clusters too", async () => {
    const rows = (slow: number, broken: number) =>
      Array.from({ length: 60 }, (_, i) =>
        JSON.stringify({
          inputs: { question: `question ${i}`, doc: String(i % 12) },
          evaluation_scores: [
            { key: "correctness", score: i % broken === 0 ? 0 : 1 },
            { key: "quality", score: 3 + ((i * i * broken) % 7) / 3 },
          ],
          start_time: "2026-11-01T00:00:00Z",
          end_time: new Date(Date.UTC(2026, 10, 1) + 500 + ((i * slow) % 60) * 10).toISOString(),
        }),
      ).join("\n");
    const lines = ["correctness drop <= 0.02", "correctness drop <= 10%", "quality drop <= 0.1"];
    const gates = `gates:\n${[...lines, "latency_p90 rise <= 50ms"].map((line) => `  - ${line}\n`).join("")}`;
    const workspace = createTree({
      "head.jsonl": rows(7, 9),
      "base.jsonl": rows(11, 8),
      "gates.yml": gates,
      "clusters.yml": `${gates}cluster_by: inputs.doc\n`,
    });
    for (const file of ["gates.yml", "clusters.yml"]) {
      const args = ["head.jsonl", "--baseline", "base.jsonl", "--gate", file, "--json"];
      const judged = await runCli(["gate", ...args], { workspace });
      const planned = await runCli(["gate", "plan", ...args], { workspace });
      type Gate = { readonly rule: string; readonly mde: number | null };
      const told = ({ rule, mde }: Gate): Gate => ({ rule, mde });
      const { gates: reports } = JSON.parse(judged.stdout) as { gates: Gate[] };
      const [plan] = JSON.parse(planned.stdout) as { compared: Gate[] }[];
      const drops = reports.filter(({ rule }) => rule !== "errors").map(told);
      expect(drops.map(({ mde }) => typeof mde)).toEqual(drops.map(() => "number"));
      expect(plan!.compared.map(told)).toEqual(drops);
    }
  });

  test("a file of that name is given with its path, and only the first word is one", async () => {
    const workspace = createTree(files);
    const judged = await runCli(["gate", "./plan", "--gate", "correctness >= 0.5"], { workspace });
    expect(judged.code).toBe(0);
    expect(judged.stdout).toContain("correctness");
    const after = await runCli(["gate", "results.jsonl", "plan", "--gate", "correctness >= 0.5"], {
      workspace: createTree({ "results.jsonl": repeated }),
    });
    expect(after.code).toBe(2);
    expect(after.stdout + after.stderr).toContain("plan");
  });

  test("without a file, exit 2 with the call to make; gate --help has both and neither flag", async () => {
    const none = await runCli(["gate", "plan"]);
    expect(none.code).toBe(2);
    expect(none.stderr).toContain("agent-deploy gate plan results.jsonl");
    const help = await runCli(["gate", "--help"]);
    expect(help.stdout).toMatch(/^gate plan: /m);
    expect(help.stdout).toMatch(/^gate calibrate: /m);
    expect(help.stdout).not.toMatch(/--(plan|calibrate)\b/);
    expect((await runCli(["help", "inputs"])).stdout).not.toMatch(/--(plan|calibrate)\b/);
  });

  test("floors of the command line go before those of the gate file", async () => {
    const bad = await runCli(["gate", "results.jsonl", "--floors", "sure", ...GATE], {
      workspace: createTree(files),
    });
    expect(bad.code).toBe(2);
    expect(bad.stderr).toContain('--floors: "sure" is not one of observed, proven');
  });
});
