/**
 * How often do gates fail an agent that did not change? Simulated runs are judged by the gates
 * themselves, cell by cell of {1, 5, 20 gates} × {20, 50, 200, 1,000 examples} × repeats × shapes.
 *
 *   npm run bench -- gates --runs 5000                every cell; days of work for one core
 *   npm run bench -- gates --runs 500 --cells 'n=50,' the cells whose name matches
 *   npm run bench -- gates --runs 5000 --spread       six cells of each shape, which have every number between them
 *   … --out FILE                                      a line for every hundred runs; what FILE has is not run again
 *   … --continue                                      what docs/gate-cells.md shows is not run again, and counts
 *   … --part 1/2                                      every second hundred, for as many processes as there are cores
 *   … --minutes 10                                    stop after that; run again to go on
 *   … --write                                         put what FILE has into docs/gate-method.md and docs/gate-cells.md
 *
 * Every hundred runs have a seed of their own, so the table is the same however the work was divided.
 */
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { judgeGates } from "../build/gate/judge.js";
import { parseGates } from "../build/gate/language.js";
import { createSeededRandom } from "../build/gate/random.js";
import { print } from "./figure.mjs";
import { KINDS, makeRun, normal, REPEATS, seedOf, trueMean } from "./gate-agents.mjs";
import { readPage, writePages } from "./gates-page.mjs";

const BLOCK = 100;
const EXAMPLES = [20, 50, 200, 1000];
const GATES = [1, 5, 20];
const CLUSTERS = {
  even: () => 1,
  uneven: (c) => 1 + (c % 5),
};

/** Ten clusters or more, none over 30 % of the rows: sizes in proportion to some weights. */
function clusterSizes(n, weightOf) {
  const count = Math.max(10, Math.round(n / 10));
  const weights = Array.from({ length: count }, (_, c) => weightOf(c));
  const all = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.map((weight) => Math.max(1, Math.round((n * weight) / all)));
}

/** What is simulated, without the numbers of gates, examples and repeats. */
const SHAPES = [
  ...Object.keys(KINDS).map((kind) => ({ shape: kind, kind })),
  ...Object.entries(CLUSTERS).map(([name, weightOf]) => ({
    shape: `clusters ${name}`,
    kind: "judge noise",
    weightOf,
  })),
  ...[0.1, 0.3].flatMap((share) => [
    { shape: `${100 * share}% errors`, kind: "0/1 noisy", errors: share },
    { shape: `${100 * share}% missing`, kind: "0/1 noisy", missing: share },
  ]),
  ...Object.keys(KINDS).map((kind) => ({
    shape: `thresholds at the true value, ${kind}`,
    kind,
    floors: true,
  })),
];

function listCells() {
  return SHAPES.flatMap((shape) =>
    GATES.flatMap((gates) =>
      EXAMPLES.flatMap((n) =>
        REPEATS.filter(([, b]) => !shape.floors || b !== 10).map(([a, b]) => ({
          ...shape,
          gates,
          n,
          a,
          b,
          name: `${shape.shape}; ${gates} gates, n=${n}, ${shape.floors ? `${a} runs` : `${a}:${b}`}`,
        })),
      ),
    ),
  );
}

function linesOf({ kind, gates, floors }) {
  const bar = floors ? trueMean(kind, createSeededRandom(7)).toFixed(6) : "";
  return Array.from(
    { length: gates },
    (_, m) => `  - m${m} ${floors ? `>= ${bar}` : "drop <= 0"}\n`,
  );
}

/** A hundred runs of a cell: how many ended in each verdict. */
export function simulateBlock(cell, block, runs = BLOCK) {
  const { kind, n, gates, a, b, missing = 0, errors = 0, weightOf, floors } = cell;
  const random = createSeededRandom(seedOf(`${cell.name} ${block}`));
  const sizes = weightOf === undefined ? null : clusterSizes(n, weightOf);
  const clusterOf = sizes?.flatMap((size, c) => Array(size).fill(c)) ?? null;
  const text = `gates:\n${linesOf(cell).join("")}${sizes === null ? "" : "cluster_by: inputs.c\n"}`;
  const { gates: set } = parseGates({ text, file: "gates.yml" });
  const tally = { fail: 0, inconclusive: 0, pass: 0 };
  for (let run = 0; run < runs; run++) {
    const samplers = Array.from({ length: clusterOf?.length ?? n }, () =>
      Array.from({ length: gates }, () => KINDS[kind](random)),
    );
    const draw = (repeats) => {
      const shifts = sizes?.map(() => 0.1 * normal(random));
      return makeRun({ random, samplers, repeats, missing, errors, clusterOf, shifts });
    };
    const base = floors ? null : draw(b);
    tally[judgeGates({ head: draw(a), base, gates: set }).verdict]++;
  }
  return tally;
}

/** The runs that the page shows are a cell's first ones: they stand in its first block, the others of them are empty. */
function readShown(cells) {
  const none = { fail: 0, inconclusive: 0, pass: 0 };
  return new Map(
    [...readPage(cells)].map(([name, tally]) => {
      const blocks = (tally.fail + tally.inconclusive + tally.pass) / BLOCK;
      return [name, new Map(Array.from({ length: blocks }, (_, k) => [k, k === 0 ? tally : none]))];
    }),
  );
}

function readDone(out, done) {
  if (out === undefined || !existsSync(out)) return done;
  for (const line of readFileSync(out, "utf8").split("\n")) {
    if (line === "") continue;
    const { cell, block, ...tally } = JSON.parse(line);
    if (!done.has(cell)) done.set(cell, new Map());
    if (!done.get(cell).has(block)) done.get(cell).set(block, tally);
  }
  return done;
}

function show(cell, blocks) {
  const tallies = [...blocks.values()];
  const sum = (key) => tallies.reduce((all, tally) => all + tally[key], 0);
  const [failed, open] = [sum("fail"), sum("inconclusive")];
  const runs = failed + open + sum("pass");
  const percent = (count) => Number(((100 * count) / runs).toFixed(2));
  print(`${cell.name}: failed, ${runs} runs`, percent(failed), "%", "<= 5.5");
  if (cell.gates <= 5 && !cell.floors)
    print(`${cell.name}: inconclusive`, percent(open), "%", "<= 20");
}

const SPREAD = [
  { gates: 1, n: 20 },
  { gates: 5, n: 50 },
  { gates: 1, n: 200 },
  { gates: 1, n: 1000 },
  { gates: 20, n: 20 },
  { gates: 5, n: 200 },
];

/** For each shape cells with every number of gates, of examples and of repeats; the first of all shapes come first. */
function spreadCells() {
  const all = listCells();
  return SPREAD.flatMap(({ gates, n }, k) =>
    SHAPES.map(({ shape }, i) => {
      const like = all.filter(
        (cell) => cell.shape === shape && cell.gates === gates && cell.n === n,
      );
      return like[(k + i) % like.length];
    }),
  );
}

export function cellsLike(pattern) {
  return listCells().filter(({ name }) => new RegExp(pattern, "u").test(name));
}

/** Block by block over all cells, so that a run cut short has seen every cell alike; or each cell to its end. */
function* listWork(cells, blocks, isDeep) {
  if (isDeep)
    for (const cell of cells) for (let block = 0; block < blocks; block++) yield { cell, block };
  else for (let block = 0; block < blocks; block++) for (const cell of cells) yield { cell, block };
}

function main() {
  const { values: given } = parseArgs({
    options: {
      runs: { type: "string", default: "300" },
      cells: { type: "string", default: "" },
      spread: { type: "boolean", default: false },
      continue: { type: "boolean", default: false },
      out: { type: "string" },
      part: { type: "string", default: "1/1" },
      minutes: { type: "string", default: "Infinity" },
      write: { type: "boolean", default: false },
    },
  });
  const cells = given.spread ? spreadCells() : cellsLike(given.cells);
  const done = readDone(given.out, given.continue ? readShown(cells) : new Map());
  const [part, parts] = given.part.split("/").map(Number);
  const end = Date.now() + 60_000 * Number(given.minutes);
  for (const { cell, block } of listWork(cells, given.runs / BLOCK, given.spread)) {
    if (Date.now() > end) break;
    const blocks = done.get(cell.name) ?? new Map();
    done.set(cell.name, blocks);
    if (block % parts !== part - 1 || blocks.has(block)) continue;
    const tally = simulateBlock(cell, block);
    blocks.set(block, tally);
    if (given.out !== undefined)
      appendFileSync(given.out, `${JSON.stringify({ cell: cell.name, block, ...tally })}\n`);
  }
  if (given.write) writePages(listCells(), done);
  for (const cell of cells)
    if ((done.get(cell.name)?.size ?? 0) > 0) show(cell, done.get(cell.name));
}

if (process.argv[1]?.endsWith("gates.mjs")) main();
