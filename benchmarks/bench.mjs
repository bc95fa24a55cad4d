// npm run bench [names…]: every benchmark as a process of its own; prints a table, then the same as one line of JSON.
// npm run bench -- gates --runs 1000: what begins with the first option goes to the benchmark.
// npm run bench -- write [names…]: the same, and contributing/performance.md says what was measured, when and on what machine.
// npm run bench -- check: the regression check of CI, which fails where a count has grown.
import { spawnSync } from "node:child_process";
import { cpus, loadavg } from "node:os";
import { fileURLToPath } from "node:url";
import { compile } from "../scripts/compile.mjs";
import { renderFigure, writeBlock } from "./performance-page.mjs";

const ALL = [
  "start",
  "work",
  "wait",
  "diff",
  "report",
  "source",
  "upload",
  "results",
  "gate",
  "baseline",
];
const given = process.argv.slice(2);
const first = given.findIndex((word) => word.startsWith("--"));
const words = first < 0 ? given : given.slice(0, first);
const writes = words.includes("write");
const names = words.filter((word) => word !== "write");
const options = first < 0 ? [] : given.slice(first);
const wanted = names.length > 0 ? names : ALL;

compile();
const machine = `${cpus().length} × ${cpus()[0]?.model ?? "?"}, Node ${process.versions.node}`;
const figures = [];
for (const name of wanted) {
  const load = loadavg()[0].toFixed(1);
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    ["--expose-gc", fileURLToPath(new URL(`${name}.mjs`, import.meta.url)), ...options],
    { encoding: "utf8", maxBuffer: 1 << 26 },
  );
  if (status !== 0) {
    console.error(`${name}: ended with ${status}\n${stderr}`);
    process.exitCode = 1;
  }
  const own = stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
  figures.push(...own.map((figure) => ({ benchmark: name, ...figure })));
  const today = new Date().toISOString().slice(0, 10);
  if (writes && status === 0)
    writeBlock(name, own, `${today}, ${machine}; load of the machine at the start: ${load}`);
}
const width = Math.max(0, ...figures.map(({ figure }) => figure.length));
console.log(`${machine}\n`);
for (const { benchmark, ...figure } of figures)
  console.log(`${benchmark.padEnd(8)} ${renderFigure(figure, width)}`);
console.log(`\n${JSON.stringify(figures)}`);
