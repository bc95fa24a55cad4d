import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "@jest/globals";
import { repositoryRoot } from "../support/tree.ts";

interface Figure {
  readonly figure: string;
  readonly value: number;
  readonly aim: string;
}

/** What a benchmark prints; it compiles the sources first. */
function bench(name: string, args: readonly string[], env: Record<string, string>): Figure[] {
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    [join(repositoryRoot, "benchmarks", "bench.mjs"), name, ...args],
    { cwd: repositoryRoot, env: { ...process.env, ...env }, encoding: "utf8" },
  );
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout.trim().split("\n").at(-1)!) as Figure[];
}

const page = readFileSync(join(repositoryRoot, "docs", "gate-method.md"), "utf8");

/** The share of failed runs that the page states for a shape, and of how many runs. */
function stated(shape: string): { readonly failed: number; readonly runs: number } {
  const row = page.split("\n").find((line) => line.startsWith(`| ${shape} |`));
  const [, , runs, failed] = row!.split("|").map((cell) => cell.trim());
  return { runs: Number(runs!.replaceAll(",", "")), failed: Number.parseFloat(failed!) };
}

describe("what docs/gate-method.md says of simulations", () => {
  test("small runs of the script that made the table agree with it", () => {
    const shapes = ["0/1 noisy", "ties", "10% errors", "thresholds at the true value, 0/1 noisy"];
    const cells = `^(${shapes.join("|")}); 1 gates, n=50, (1:1|1 runs)$`;
    const figures = bench("gates", ["--runs", "100", "--cells", cells], {});
    for (const shape of shapes) {
      const found = figures.find(({ figure }) => figure.startsWith(`${shape};`))!;
      const { failed, runs } = stated(shape);
      // Three standard errors of a hundred runs and of those of the page, at 5.5 %.
      const margin = 300 * Math.sqrt(0.055 * 0.945 * (1 / 100 + 1 / runs));
      expect([shape, Math.abs(found.value - failed) <= margin]).toEqual([shape, true]);
      expect([shape, found.value <= 5.5 + margin]).toEqual([shape, true]);
    }
  }, 300_000);

  test("the power of single marks is that of the best exact test, and ten crashes of a hundred are red", () => {
    const figures = bench("gate-power", [], {
      GATE_RUNS: "40",
      GATE_CELLS: "exact power, n=50, 0.05|crashes on any row",
    });
    const figureOf = (end: string): number =>
      figures.find(({ figure }) => figure.endsWith(end))!.value;
    expect(figureOf(": gate")).toBeGreaterThanOrEqual(figureOf("best exact test") - 3);
    expect(figureOf("newly crashing is red")).toBe(100);
    expect(figureOf("crashing more was greener")).toBe(0);
  }, 300_000);
});
