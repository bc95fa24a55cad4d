// What simulations of unchanged agents showed, in docs/gate-method.md by shape and in docs/gate-cells.md cell by cell.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const METHOD = fileURLToPath(new URL("../docs/gate-method.md", import.meta.url));
const CELLS = fileURLToPath(new URL("../docs/gate-cells.md", import.meta.url));
const [BEGIN, END] = ["<!-- unchanged: begin -->", "<!-- unchanged: end -->"];
/** Fewer runs of a cell say too little to stand among the others. */
const FEWEST_RUNS = 1000;

const percent = (part, all) => (all === 0 ? "" : `${((100 * part) / all).toFixed(1)} %`);
const add = (sums, key) => sums.reduce((all, one) => all + one[key], 0);

/** A cell's name without its shape, as the page says it. */
const whereOf = ({ name }) =>
  name.replace("; 1 gates", "; 1 gate").replace(", 1 runs", ", 1 run").split("; ")[1];

function tally(cell, blocks) {
  const all = [...blocks.values()];
  const [failed, open, passed] = ["fail", "inconclusive", "pass"].map((key) => add(all, key));
  return { ...cell, where: whereOf(cell), runs: failed + open + passed, failed, open };
}

/**
 * What docs/gate-cells.md shows of each cell, by its name: how many of so many runs ended in each verdict. Its shares
 * have three digits, so that a thousand runs are read back to the run, and more to half of a thousandth.
 */
export function readPage(cells) {
  const shown = new Map(
    readFileSync(CELLS, "utf8")
      .split("\n")
      .filter((line) => line.startsWith("| ") && line.endsWith(" |"))
      .map((line) => line.slice(2, -2).split(" | "))
      .map(([shape, where, ...numbers]) => [
        `${shape}; ${where}`,
        numbers.map((text) => Number.parseFloat(text.replaceAll(",", "")) || 0),
      ]),
  );
  return new Map(
    cells.flatMap((cell) => {
      const found = shown.get(`${cell.shape}; ${whereOf(cell)}`);
      if (found === undefined) return [];
      const [runs, failed, open] = found;
      const [fail, inconclusive] = [failed, open].map((share) => Math.round((share * runs) / 100));
      return [[cell.name, { fail, inconclusive, pass: runs - fail - inconclusive }]];
    }),
  );
}

/** Chance of so many failed runs or more where the true rate is 5 %, in standard errors. */
const excess = ({ failed, runs }) => (failed / runs - 0.05) / Math.sqrt((0.05 * 0.95) / runs);

function renderShapes(cells) {
  const shapes = [...new Set(cells.map(({ shape }) => shape))];
  const rows = shapes.map((shape) => {
    const own = cells.filter((cell) => cell.shape === shape);
    const runs = add(own, "runs");
    const told = own.filter(({ gates, floors }) => gates <= 5 && !floors);
    const worst = own.toSorted((a, b) => b.failed / b.runs - a.failed / a.runs)[0];
    const [failed, open] = [
      percent(add(own, "failed"), runs),
      percent(add(told, "open"), add(told, "runs")),
    ];
    return `| ${shape} | ${runs.toLocaleString("en")} | ${failed} | ${open} | ${percent(worst.failed, worst.runs)}: ${worst.where} |`;
  });
  return [
    "| Unchanged agent | runs | failed | inconclusive | worst cell |",
    "|---|---|---|---|---|",
    ...rows,
  ];
}

/** The same runs by one property of their cells: what a shape's rows do not show. */
function renderProperty(cells, title, read) {
  const values = [...new Set(cells.map(read))];
  return values.map((value) => {
    const own = cells.filter((cell) => read(cell) === value);
    const runs = add(own, "runs");
    return `| ${title(value)} | ${own.length} | ${runs.toLocaleString("en")} | ${percent(add(own, "failed"), runs)} |`;
  });
}

function renderProperties(cells) {
  const byNumber = (key) => cells.toSorted((a, b) => a[key] - b[key]);
  return [
    "| Cells with | cells | runs | failed |",
    "|---|---|---|---|",
    ...renderProperty(
      byNumber("gates"),
      (gates) => (gates === 1 ? "1 gate" : `${gates} gates`),
      ({ gates }) => gates,
    ),
    ...renderProperty(
      byNumber("n"),
      (n) => `${n.toLocaleString("en")} examples`,
      ({ n }) => n,
    ),
    ...renderProperty(
      byNumber("a").filter(({ floors }) => !floors),
      (repeats) => `${repeats} runs`,
      ({ a, b }) => `${a}:${b}`,
    ),
  ];
}

function summarise(cells, all) {
  const worst = cells.toSorted((a, b) => b.failed / b.runs - a.failed / a.runs)[0];
  const surest = cells.toSorted((a, b) => excess(b) - excess(a))[0];
  const over = cells.filter(({ failed, runs }) => failed / runs > 0.055);
  return `Seen on ${new Date().toISOString().slice(0, 10)}: ${cells.length} of ${all} cells, ${add(cells, "runs").toLocaleString("en")} runs. ${over.length === 0 ? "No cell is" : `${over.length} ${over.length === 1 ? "cell is" : "cells are"}`} over 5.5 %; the highest has ${percent(worst.failed, worst.runs)} of ${worst.runs.toLocaleString("en")} runs, the one furthest beyond 5 % by its own error ${excess(surest).toFixed(1)} standard errors. Cell by cell: [gate-cells.md](gate-cells.md).`;
}

/** Writes both pages; cells without enough runs are left out, and how many there are in all is said. */
export function writePages(all, done) {
  const cells = all
    .filter(({ name }) => done.has(name))
    .map((cell) => tally(cell, done.get(cell.name)))
    .filter(({ runs }) => runs >= FEWEST_RUNS);
  const page = readFileSync(METHOD, "utf8");
  const [before, rest] = page.split(BEGIN);
  const after = rest.split(END)[1];
  const tables = [...renderShapes(cells), "", ...renderProperties(cells)];
  const block = [BEGIN, summarise(cells, all.length), "", ...tables, END].join("\n");
  writeFileSync(METHOD, `${before}${block}${after}`);
  const rows = cells.map(
    ({ shape, where, runs, failed, open, floors }) =>
      `| ${shape} | ${where} | ${runs.toLocaleString("en")} | ${percent(failed, runs)} | ${floors ? "" : percent(open, runs)} |`,
  );
  writeFileSync(
    CELLS,
    [
      "# Simulated cells",
      "",
      "How often gates fail an agent that did not change, by `npm run bench -- gates --write`. What the words mean: [gate-method.md](gate-method.md). Repeats are those of this run and of the baseline. The standard error of 5,000 runs is 0.3 points, of 1,000 runs 0.7.",
      "",
      "| Unchanged agent | cell | runs | failed | inconclusive |",
      "|---|---|---|---|---|",
      ...rows,
      "",
    ].join("\n"),
  );
}
