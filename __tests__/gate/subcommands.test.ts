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
    "gate %s prints what --%s prints, without the warning",
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

  test("a file of that name is given with its path, and only the first word is a subcommand", async () => {
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

  test("exit 2 with the call to make if there is no file, and gate --help lists both, but neither flag", async () => {
    const none = await runCli(["gate", "plan"]);
    expect(none.code).toBe(2);
    expect(none.stderr).toContain("agent-deploy gate plan results.jsonl");
    const help = await runCli(["gate", "--help"]);
    expect(help.stdout).toMatch(/^gate plan: /m);
    expect(help.stdout).toMatch(/^gate calibrate: /m);
    expect(help.stdout).not.toMatch(/--(plan|calibrate)\b/);
    expect((await runCli(["help", "inputs"])).stdout).not.toMatch(/--(plan|calibrate)\b/);
  });

  test("gate plan without gates leaves out cost and tokens, as * does, and a gate includes them", async () => {
    const rows = Array.from({ length: 40 }, (_, at) =>
      JSON.stringify({
        promptIdx: 0,
        vars: { question: `question number ${at}` },
        provider: { id: "p" },
        prompt: { label: "q" },
        response: { output: "x", tokenUsage: { total: 50 + (at % 3) } },
        success: at % 5 > 0,
        score: at % 5 > 0 ? 1 : 0,
        cost: 0.001 * at,
        gradingResult: { componentResults: [] },
        testCase: {},
      }),
    );
    const workspace = createTree({ "results.jsonl": rows.join("\n") });
    const plan = async (...more: string[]): Promise<string> =>
      (await runCli(["gate", "plan", "results.jsonl", ...more], { workspace })).stdout;
    const bare = await plan();
    expect(bare).toMatch(/^pass ↑/mu);
    expect(bare).not.toMatch(/^(?:cost|total_tokens)/mu);
    expect(await plan("--gate", "cost rise <= 10%")).toMatch(/^cost ↓/mu);
  });

  test.each([
    ["observed", "proven", "inconclusive"],
    ["proven", "observed", "fail"],
  ])(
    "floors: %s in the gate file gives way to --floors %s, with the verdict %s",
    async (written, given, verdict) => {
      const workspace = createTree({
        ...files,
        "gates.yml": `gates: correctness >= 0.85\nfloors: ${written}\n`,
      });
      const args = ["gate", "results.jsonl", "--gate", "gates.yml", "--floors", given, "--json"];
      const { stdout } = await runCli(args, { workspace });
      expect(JSON.parse(stdout).gates).toMatchObject([{ metric: "correctness", verdict }]);
    },
  );

  test("an invalid --floors is refused by name", async () => {
    const bad = await runCli(["gate", "results.jsonl", "--floors", "sure", ...GATE], {
      workspace: createTree(files),
    });
    expect(bad.code).toBe(2);
    expect(bad.stderr).toContain('--floors: "sure" is not one of observed, proven');
  });
});
