import { describe, expect, test } from "@jest/globals";
import { createSeededRandom } from "../../src/gate/random.ts";
import { amountsApart, outwardAmounts } from "../../src/gate/wording.ts";
import { runCli } from "../support/cli-run.ts";
import { createTree } from "../support/tree.ts";

/** So many examples, each with a score of `correctness`; null is a crash. */
const rows = (scores: readonly (number | null)[]): string =>
  JSON.stringify(
    scores.map((score, n) => ({
      inputs: { question: n },
      ...(score === null
        ? { error: "it broke" }
        : { evaluation_scores: [{ key: "correctness", score }] }),
    })),
  );

const marks = (right: number, all: number): readonly number[] =>
  Array.from({ length: all }, (_, n) => Number(n < right));

const around = (mean: number, all: number): readonly number[] =>
  Array.from({ length: all }, (_, n) => mean + (n % 2 === 0 ? 0.004 : -0.004));

interface Said {
  readonly page: string;
  readonly log: string;
}

async function gate(head: string, gates: string, base?: string): Promise<Said> {
  const files = { "head.json": head, "gates.yml": gates };
  const workspace = createTree(base === undefined ? files : { ...files, "base.json": base });
  const { stdout, stderr } = await runCli(
    [
      ...["gate", "head.json", "--gate", "gates.yml", "--markdown-file", "out.md"],
      ...(base === undefined ? [] : ["--baseline", "base.json"]),
    ],
    { workspace },
  );
  return { page: workspace.read("out.md"), log: stdout + stderr };
}

describe("a verdict does not contradict its numbers", () => {
  test("a value just below its floor is not shown as the floor", async () => {
    const { page, log } = await gate(rows(around(0.79996, 40)), "gates: correctness >= 0.8");
    expect(log).toContain("correctness is 0.79996 on 40 examples, below the floor of 0.8");
    expect(log).toMatch(/correctness >= 0\.8 +0\.79996\n/);
    expect(page).toContain("| **0.79996** |");
  });

  test("an interval below the floor does not end at it", async () => {
    const { page, log } = await gate(rows(marks(70, 100)), "gates: correctness >= 0.79");
    expect(log).toContain("below the floor of 0.79 (95% CI 0.6 to 0.788)");
    expect(page).toMatch(/\| 0\.6 … 0\.788 \| ≥ 0\.79 \|/);
  });

  test("a limit of three decimals is not another one", async () => {
    const { log } = await gate(rows(marks(70, 100)), "gates: correctness >= 0.855");
    expect(log).toContain("below the floor of 0.855");
  });

  test("a fall beyond the limit is not shown as one within it", async () => {
    const [head, base] = [rows(around(0.8051, 40)), rows(around(0.8349, 40))];
    const { log } = await gate(head, "gates: correctness drop <= 0.02", base);
    expect(log).toContain(
      "correctness fell from 0.835 to 0.805 on 40 shared examples (0.02 allowed",
    );
  });

  test("whatever the numbers are, ends and differences stay on their side of the limit", () => {
    const random = createSeededRandom(7);
    for (let at = 0; at < 2000; at++) {
      const limit = Math.round(random() * 100) / 100;
      const near = (): number => limit + (random() - 0.5) * 10 ** -Math.floor(1 + random() * 4);
      const [low, high] = [near(), near()].sort((a, b) => a - b) as [number, number];
      const [from, to] = outwardAmounts("correctness", [low, high], limit).map(Number);
      expect(from!).toBeLessThanOrEqual(low + 1e-9);
      expect(to!).toBeGreaterThanOrEqual(high - 1e-9);
      expect([from! < limit, to! < limit]).toEqual([low < limit, high < limit]);
      const [base, head] = [random(), random()];
      const [before, after] = amountsApart("correctness", limit, base, head).map(Number);
      expect(Math.abs(before! - after!) - limit > 1e-9).toBe(Math.abs(base - head) > limit);
    }
  });
});
