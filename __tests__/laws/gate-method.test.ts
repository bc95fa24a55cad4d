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

/** Rows of a table in docs/gate-cells.md, as texts. */
function readCells(): readonly (readonly string[])[] {
  const cells = readFileSync(join(repositoryRoot, "docs", "gate-cells.md"), "utf8");
  return cells
    .split("\n")
    .filter((line) => line.startsWith("| ") && !line.startsWith("| Unchanged"))
    .map((line) => line.split("|").map((text) => text.trim()));
}

describe("what docs/gate-method.md says of simulations", () => {
  test("is what docs/gate-cells.md adds up to, and no cell is surely over 5.5 %", () => {
    const cells = readCells();
    expect(cells.length).toBeGreaterThanOrEqual(36);
    const sums = new Map<string, { runs: number; failed: number }>();
    const over: string[] = [];
    for (const [, shape, cell, runs, failed] of cells) {
      const [count, share] = [Number(runs!.replaceAll(",", "")), Number.parseFloat(failed!) / 100];
      const sum = sums.get(shape!) ?? { runs: 0, failed: 0 };
      sums.set(shape!, { runs: sum.runs + count, failed: sum.failed + share * count });
      const error = Math.sqrt((0.055 * 0.945) / count);
      if (share > 0.055 + 2 * error) over.push(`${shape!}; ${cell!}`);
    }
    expect(over).toEqual([]);
    for (const [shape, { runs, failed }] of sums) {
      expect([shape, stated(shape).runs]).toEqual([shape, runs]);
      expect(Math.abs(stated(shape).failed - (100 * failed) / runs)).toBeLessThanOrEqual(0.11);
    }
  });

  test("runs that the page shows are gone on from, not repeated", () => {
    const cells = readCells().filter(([, shape]) => shape === "0/1 noisy");
    const figures = bench("gates", ["--continue", "--runs", "100", "--cells", "^0/1 noisy; "], {});
    const told = figures.filter(({ figure }) => figure.includes(": failed, "));
    expect(told.map(({ value, figure }) => [value.toFixed(1), figure.split(", ").at(-1)])).toEqual(
      cells.map(([, , , runs, failed]) => [
        Number.parseFloat(failed!).toFixed(1),
        `${Number(runs!.replaceAll(",", ""))} runs`,
      ]),
    );
  });

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
  });

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
  });

  test("the size of fall or shortfall that a run states is found in 8 of 10 runs, also where marks repeat, lie in clusters or have a long tail", () => {
    const cells = [
      "stated fall, 0/1 stable, n=50, 3:10",
      "stated fall, 0/1 stable, clusters even, n=50, 3:3",
      "stated shortfall, 0/1 noisy, n=20, 10 runs",
      "stated shortfall, skewed, n=50, 1 runs",
    ];
    const figures = bench("gate-sensitivity", [], {
      GATE_RUNS: "150",
      GATE_CELLS: `^(${cells.join("|")})$`,
    });
    expect(figures.map(({ figure }) => figure.replace(/: [\d.]+ found$/u, ""))).toEqual(cells);
    for (const { figure, value } of figures) {
      // Five points, and two and a half standard errors of 150 runs.
      expect([figure, value >= 67 && value <= 93]).toEqual([figure, true]);
    }
  });
});

test("the page lists the names that mean lower, all of them", () => {
  const [, section] = /## Names that mean lower\n\n(.+?) They count/u.exec(page)!;
  const listed = [...section!.matchAll(/`([^`]+)`/gu)].map(([, name]) => name!);
  const source = readFileSync(join(repositoryRoot, "src", "gate", "direction.ts"), "utf8");
  const [, names] = /LOWER_NAMES: readonly string\[\] = \[([^\]]+)\]/u.exec(source)!;
  expect(listed).toEqual([...names!.matchAll(/"([^"]+)"/gu)].map(([, name]) => name).sort());
});
