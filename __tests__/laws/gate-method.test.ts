import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "@jest/globals";
import { USAGE } from "../../src/gate/metric.ts";
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

const page = readFileSync(join(repositoryRoot, "contributing", "gate-method.md"), "utf8");

describe("what contributing/gate-method.md says about simulations", () => {
  test("no cell of unchanged agents, or of proven floors, is clearly above 6 %", () => {
    const block = page.slice(page.indexOf("<!-- simulated: begin -->"));
    let [limit, runs] = [Infinity, 0];
    const over: string[] = [];
    for (const line of block.split("\n")) {
      const title = /^\| (.+), of (?:\d+ or )*(\d+) runs/.exec(line);
      if (title !== null) {
        limit = /Unchanged agents|floors: proven/.test(title[1]!) ? 6 : Infinity;
        runs = Number(title[2]);
      }
      const cell = /^\| (.+) \| ([\d.]+) % \|$/.exec(line);
      if (cell === null) continue;
      // Three standard errors of so many runs.
      if (Number(cell[2]) > limit + 300 * Math.sqrt((0.06 * 0.94) / runs)) over.push(line);
    }
    expect(over).toEqual([]);
  });

  test("a small run of the script that makes the table stays within the limits", () => {
    const cells = "^(unchanged: 0/1 noisy, 1 gate, n=200, |observed|proven: nearly constant)";
    const figures = bench("gates", [], { GATE_RUNS: "100", GATE_CELLS: cells });
    expect(figures.length).toBeGreaterThanOrEqual(7);
    for (const { figure, value } of figures) {
      // 6 %, and three standard errors of 100 runs.
      const isRight = figure.startsWith("observed") ? value === 100 : value <= 13;
      expect([figure, isRight]).toEqual([figure, true]);
    }
  });
});

test("the page lists all names that mean lower", () => {
  const [, section] = /## Names that mean lower\n\n(.+?) They count/u.exec(page)!;
  const listed = [...section!.matchAll(/`([^`]+)`/gu)].map(([, name]) => name!);
  const source = readFileSync(join(repositoryRoot, "src", "gate", "direction.ts"), "utf8");
  const lists = [...source.matchAll(/const (?:COUNTS|SHARES) = wordsOf\(([^)]+)\)/gu)];
  expect(lists).toHaveLength(2);
  const names = [...USAGE, ...lists.flatMap(([, text]) => text!.match(/\w+/gu)!)];
  expect(listed).toEqual(names.sort());
});
