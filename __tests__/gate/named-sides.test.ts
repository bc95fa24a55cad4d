import { describe, expect, test } from "@jest/globals";
import { runCli } from "../support/cli-run.ts";
import { createTree } from "../support/tree.ts";

/** Forty examples with one metric that is near 0 in the baseline and near 1 in the head. */
const rows = (metric: string, level: number): string =>
  JSON.stringify(
    Array.from({ length: 40 }, (_, n) => ({
      inputs: { question: n },
      evaluation_scores: [{ key: metric, score: level + (n % 5) / 100 }],
    })),
  );

async function riseOf(metric: string, level = 0.92) {
  const workspace = createTree({ "head.json": rows(metric, level), "base.json": rows(metric, 0) });
  const args = ["head.json", "--baseline", "base.json", "--gate", `${metric} drop <= 0.02`];
  return runCli(["gate", ...args], { workspace });
}

describe("a metric whose name may leave open which side is better", () => {
  test.each([
    "jailbreak_success",
    "attack_success_rate",
    "attack_pass_rate",
    "injection_passed",
    "falsePositiveRate",
    "guardrail_failed",
    "tests_failed",
    "pii_leak",
    "unsafe",
    "is_harmful",
    "hallucinated",
    "mae",
    "RMSE",
    "edit_distance",
    "retries",
    "ttft",
    "flag_rate",
    "response_time",
  ])("is refused with the line to add: %s", async (metric) => {
    const { code, stderr } = await riseOf(metric);
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining(`direction: {${JSON.stringify(metric)}: higher}`),
    ]);
  });

  test.each(["success", "task_success", "unsafe.pass", "pass_rate", "safety", "harmlessness"])(
    "is accepted without a line if the name is clear: %s",
    async (metric) => {
      expect((await riseOf(metric)).code).toBe(0);
    },
  );
});
