import { describe, expect, test } from "@jest/globals";
import { createSeededRandom } from "../../src/gate/chance.ts";
import {
  amountsWith,
  decimalsApart,
  number,
  outwardAmounts,
  pWords,
  tidy,
} from "../../src/report/numbers.ts";
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
    expect(log).toMatch(/correctness >= 0\.8 +0\.79996 {2}95% CI 0\.79 … 0\.81\n/);
    expect(page).toContain("| **0.79996** |");
  });

  test("an interval below the floor does not end at it", async () => {
    const { page, log } = await gate(rows(marks(70, 100)), "gates: correctness >= 0.79");
    expect(log).toContain("below the floor of 0.79 (95% CI 0.6 to 0.782)");
    expect(page).toMatch(/\| 0\.6 … 0\.782 \| ≥ 0\.79 \|/);
  });

  test("a value keeps its decimals next to a far larger limit, inside its own interval", async () => {
    const { page, log } = await gate(rows(around(1.524, 40)), "gates: correctness <= 3600");
    expect(log).toMatch(/correctness is 1\.52 on 40 examples .* \(95% CI 1\.52 to 1\.53\)/);
    expect(log).toMatch(/correctness <= 3600 +1\.52 {2}95% CI 1\.52 … 1\.53\n/);
    expect(page).toContain("| 1.52 | 1.52 … 1.53 |");
  });

  test("a limit of three decimals is not shown as another one", async () => {
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

  test("a value is written the same with a floor, with a baseline and in the list of scores", async () => {
    // 339 of 400 is 0.8475: two decimals would show the floor itself.
    const [head, base] = [rows(marks(339, 400)), rows(marks(360, 400))];
    const lines = "gates: [correctness >= 0.85, correctness drop <= 0.02]";
    const { page, log } = await gate(head, lines, base);
    expect(log).toMatch(/correctness is 0\.84[78] on 400 examples/);
    const shown = log.match(/(?<=correctness is )0\.\d+/)![0];
    expect(log).toContain(`fell from 0.9 to ${shown} on`);
    expect(log).toContain(`  correctness ${shown} (n 400)`);
    expect(page).toContain(`| **${shown}** |`);
    expect(page).toContain(`| 0.9 → **${shown}**`);
  });

  test("a small value is written the same with a generous limit and with a near baseline", async () => {
    const [head, base] = [rows(around(0.0246, 40)), rows(around(0.0205, 40))];
    const lines = "gates: [cost <= 0.05, cost rise <= 10%]".replaceAll("cost", "correctness");
    const { log } = await gate(head, `${lines}\ndirection: { correctness: lower }`, base);
    expect(log).toContain("correctness is 0.025 on 40 examples");
    expect(log).toContain("rose from 0.021 to 0.025");
  });

  test("an unchanged score or quantile has neither an interval nor a p-value", async () => {
    const timed = JSON.stringify(
      Array.from({ length: 80 }, (_, n) => ({
        inputs: { question: n },
        evaluation_scores: [{ key: "correctness", score: n % 9 === 0 ? 0 : 1 }],
        start_time: "2026-01-01T00:00:00.000Z",
        end_time: `2026-01-01T00:00:01.${String(100 + n)}Z`,
      })),
    );
    const lines = "gates: [correctness drop <= 0.02, latency_p95 rise <= 200ms]";
    const { page, log } = await gate(timed, lines, `${timed}\n`);
    expect(log).toMatch(/latency_p95 rise <= 200ms +1\.18 → 1\.18 s\n/);
    expect(log).toMatch(/correctness drop <= 0\.02 +0\.89 → 0\.89\n/);
    expect(log).not.toContain("p > 0.99");
    expect(page).toMatch(/latency_p95` \| 1\.18 → 1\.18 s \| – \|/);
  });

  const toNumber = (shown: string): number => Number(shown.replace("−", "-"));

  test("whatever the numbers are, ends and differences stay on their side of the limit", () => {
    const random = createSeededRandom(7);
    for (let at = 0; at < 2000; at++) {
      const limit = Math.round(random() * 100) / 100;
      const near = (): number => limit + (random() - 0.5) * 10 ** -Math.floor(1 + random() * 4);
      const [low, high] = [near(), near()].sort((a, b) => a - b) as [number, number];
      const [from, to] = outwardAmounts("correctness", [low, high], limit).map(toNumber);
      expect(from!).toBeLessThanOrEqual(low + 1e-9);
      expect(to!).toBeGreaterThanOrEqual(high - 1e-9);
      expect([from! < limit, to! < limit]).toEqual([low < limit, high < limit]);
      const [base, head] = [random(), random()];
      const decimals = decimalsApart(limit, [base, head]);
      const [before, after] = amountsWith(decimals, "correctness", base, head).map(toNumber);
      expect(Math.abs(before! - after!) - limit > 1e-9).toBe(Math.abs(base - head) > limit);
    }
  });
});

test("a p-value half a digit apart reads the same in a sentence and from a report", () => {
  const exact = 0.0625 - 1e-16;
  expect(pWords(exact)).toBe(pWords(tidy(exact)));
  expect(number(0.125 - 1e-17)).toBe(number(0.125));
});

describe("the headline and the next step fit what failed", () => {
  const good = rows(marks(100, 100));

  test("crashes are reported as crashes, not as a limit that a metric missed", async () => {
    const head = rows(Array.from({ length: 100 }, (_, n) => (n < 20 ? null : 1)));
    const { page, log } = await gate(head, "gates: correctness drop <= 0.5", good);
    expect(page).toMatch(/^### ❌ The gate passed, but more rows crashed$/m);
    expect(log).toContain("The gate passed, but more rows crashed\n");
    expect(page).toContain("**Next:** Fix the crashes.");
    expect(page).not.toContain("missed");
  });

  test("the errors of crashed rows are on the terminal and in the comment, the most frequent first", async () => {
    const head = JSON.stringify(
      Array.from({ length: 20 }, (_, n) => ({
        inputs: { question: n },
        ...(n < 6
          ? {
              error:
                n < 4 ? `503 from host-${n}, request ${n}\n  at call` : "the prompt is too long",
            }
          : { evaluation_scores: [{ key: "correctness", score: 1 }] }),
      })),
    );
    const { page, log } = await gate(head, "gates: correctness >= 0.5");
    const said = "6 rows crashed: “503 from host-0, request 0” (4), “the prompt is too long” (2)";
    expect(log).toContain(said);
    expect(page).toContain(said);
  });

  test("a Python traceback is named by its last line, which says what went wrong", async () => {
    const ends = ["openai.RateLimitError: too many requests", "KeyError: 'answer'"];
    const head = JSON.stringify(
      Array.from({ length: 20 }, (_, n) => ({
        inputs: { question: n },
        ...(n < 2
          ? {
              error: `Traceback (most recent call last):\n${"  File a.py\n".repeat(300)}${ends[n]}`,
            }
          : { evaluation_scores: [{ key: "correctness", score: 1 }] }),
      })),
    );
    const { log } = await gate(head, "gates: correctness >= 0.5");
    expect(log).toContain(`2 rows crashed: “${ends[0]}” (1), “${ends[1]}” (1)`);
    expect(log).not.toContain("Traceback");
  });

  test("a headline counts every failed line of the list", async () => {
    const head = rows(Array.from({ length: 100 }, (_, n) => (n < 20 ? null : Number(n > 60))));
    const gates = "gates:\n  - correctness drop <= 0.05\n  - correctness >= 0.1";
    const { page, log } = await gate(head, gates, good);
    expect(page).toMatch(
      /^### ❌ 1 of 2 gates and the errors gate failed: correctness fell; more rows crashed$/m,
    );
    expect(log.match(/^fail /gm)).toHaveLength(2);
  });

  test("missing times are not reported by a gate", async () => {
    expect((await gate(good, "gates: correctness >= 0.5")).log).not.toMatch(
      /without a (?:time|duration)/,
    );
  });

  test("too few rows are named by their rule, with the advice to run them", async () => {
    const gates = "gates: correctness >= 0.5\nmin_rows: 120";
    const { page, log } = await gate(good, gates);
    expect(log).toContain("1 of 2 gates failed: min_rows not met\n");
    expect(page).toContain("**Next:** Run the missing rows.");
  });

  test("a run without a baseline found nothing out, and gets no advice to add examples", async () => {
    const { page, log } = await gate(good, "gates: correctness drop <= 0.02");
    expect(page).toMatch(/^### ❓ No baseline: correctness was not compared$/m);
    expect(log).toContain("No baseline: correctness was not compared\n");
    expect(page).toContain(
      "**Next:** There is no baseline to compare with. The first one is made with --write-baseline and --accept-baseline.",
    );
    expect(page + log).not.toMatch(/do not decide it|add examples/);
  });

  test("what cannot be judged is not reported as missed or as a price", async () => {
    const unscored = JSON.stringify(
      Array.from({ length: 20 }, (_, n) => ({ inputs: { question: n }, error: "it broke" })),
    );
    const { page } = await gate(unscored, "gates: correctness drop <= 0.02", good);
    expect(page).not.toMatch(/price|missed/);
    expect(page).toMatch(/Fix the crashes/);
  });
});
