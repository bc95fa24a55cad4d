import { expect, test } from "@jest/globals";
import { runCli } from "../support/cli-run.ts";
import { createTree } from "../support/tree.ts";

/** Forty examples, each with a score and a duration; the same ones cost a little more or less in every run. */
function rows(shift: number, errors = 0): string {
  return JSON.stringify(
    Array.from({ length: 40 }, (_, n) => ({
      inputs: { question: n },
      start_time: "2026-01-01T00:00:00.000Z",
      end_time: `2026-01-01T00:00:01.${100 + ((n * 37 + shift * 11) % 400)}Z`,
      ...(n < errors
        ? { error: "it broke" }
        : {
            evaluation_scores: [
              { key: "correctness", score: Number((n + shift) % 9 > 0) },
              { key: "toxicity", score: ((n * 7 + shift) % 10) / 50 },
            ],
          }),
    })),
  );
}

async function said(...args: string[]): Promise<string> {
  const workspace = createTree({ "head.json": rows(1), "base.json": rows(0) });
  const run = await runCli(["gate", "head.json", ...args], { workspace });
  return run.stdout + run.stderr;
}

test("the sensitivity calls a change for the worse a fall or a rise, by metric", async () => {
  const one = await said("--gate", "latency_p50 rise <= 1s", "--baseline", "base.json");
  expect(one).toMatch(
    /latency_p50 rose .*; this suite could miss one of up to 1\.01 s, you allow 1 s\./,
  );
  const gates = "correctness drop <= 0.5, latency_p50 rise <= 1s, toxicity rise <= 0.5";
  const all = await said("--gate", gates, "--baseline", "base.json");
  expect(all).toMatch(
    /find a true fall of \S+ in correctness, a true rise of \S+ (?:m?s )?in latency_p50, \S+ in toxicity in 8 of 10 runs/,
  );
});

test("the plan of a suite calls a change for the worse a fall or a rise, by metric", async () => {
  const lower = await said("--plan", "--gate", "toxicity rise <= 0.02");
  expect(lower).toContain("Examples needed to notice a rise in 8 of 10 runs");
  expect(lower).toMatch(/To notice a rise of \S+ in toxicity/);
  const both = await said("--plan", "--gate", "toxicity rise <= 0.02, correctness drop <= 0.02");
  expect(both).toContain("Examples needed to notice a fall or a rise in 8 of 10 runs");
});

/** Forty examples that take so many seconds and score so much; the words say which of the two is worse. */
const slow = (seconds: number, correctness: number): string =>
  JSON.stringify(
    Array.from({ length: 40 }, (_, n) => ({
      inputs: { question: n },
      start_time: "2026-01-01T00:00:00.000Z",
      end_time: `2026-01-01T00:00:0${seconds}.${100 + n}Z`,
      evaluation_scores: [{ key: "correctness", score: correctness }],
    })),
  );

async function comment(gates: string): Promise<{ readonly page: string; readonly log: string }> {
  const workspace = createTree({ "head.json": slow(2, 0), "base.json": slow(1, 1) });
  const args = ["--baseline", "base.json", "--gate", gates, "--markdown-file", "out.md"];
  const { stdout, stderr } = await runCli(["gate", "head.json", ...args], { workspace });
  return { page: workspace.read("out.md"), log: stdout + stderr };
}

test("latencies have their unit in the comment and on the terminal, and scores have none", async () => {
  const { page, log } = await comment("latency_p50 rise <= 200ms, correctness drop <= 0.02");
  expect(page).toMatch(/latency_p50` \| 1\.\d+ → \*\*2\.\d+ s\*\* \| \S+ … \S+ s \|/);
  expect(page).toMatch(/correctness` \| 1 → \*\*0\*\*<br>40 worse \| \S+ … \S+ \|/);
  expect(log).toMatch(/latency_p50 rise <= 200ms +1\.\d+ → 2\.\d+ s {2}95% CI \+\S+ … \S+ s\n/);
});

test("the next step calls a rise a rise, a fall a fall, and both a change", async () => {
  const asked = async (gates: string) =>
    /Is the (\w+) the price/.exec((await comment(gates)).page)?.[1];
  expect(await asked("latency_p95 rise <= 200ms")).toBe("rise");
  expect(await asked("correctness drop <= 0.02")).toBe("fall");
  expect(await asked("latency_p95 rise <= 200ms, correctness drop <= 0.02")).toBe("change");
});

test("the interval of the errors gate is a change with a sign, as for drops", async () => {
  const workspace = createTree({ "head.json": rows(1, 20), "base.json": rows(1, 2) });
  const gates = ["--gate", "correctness drop <= 0.5", "--baseline", "base.json"];
  const { stdout } = await runCli(["gate", "head.json", ...gates], { workspace });
  expect(stdout).toMatch(/↓ errors +0\.05 → 0\.5 +95% CI \+0\.\d+ … \+0\.\d+\n/);
});
