// npm run bench [names…]: every benchmark as a process of its own; prints a table, then the same as one line of JSON.
// npm run bench -- gates --runs 1000: what begins with the first option goes to the benchmark.
// npm run bench -- check: the regression check of CI, which fails where a count has grown.
import { spawnSync } from "node:child_process";
import { cpus } from "node:os";
import { fileURLToPath } from "node:url";
import { compile } from "../scripts/compile.mjs";

const ALL = ["start", "work", "wait", "diff", "report", "upload", "gate", "baseline"];
const given = process.argv.slice(2);
const first = given.findIndex((word) => word.startsWith("--"));
const names = first < 0 ? given : given.slice(0, first);
const options = first < 0 ? [] : given.slice(first);
const wanted = names.length > 0 ? names : ALL;

compile();
const figures = [];
for (const name of wanted) {
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    ["--expose-gc", fileURLToPath(new URL(`${name}.mjs`, import.meta.url)), ...options],
    { encoding: "utf8", maxBuffer: 1 << 26 },
  );
  if (status !== 0) {
    console.error(`${name}: ended with ${status}\n${stderr}`);
    process.exitCode = 1;
  }
  for (const line of stdout.split("\n").filter((line) => line !== ""))
    figures.push({ benchmark: name, ...JSON.parse(line) });
}
const width = Math.max(0, ...figures.map(({ figure }) => figure.length));
console.log(`node ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? "?"}\n`);
for (const { benchmark, figure, value, unit, aim } of figures) {
  console.log(
    `${benchmark.padEnd(7)} ${figure.padEnd(width)}  ${String(value).padStart(9)} ${unit}${aim === undefined ? "" : `   (aim ${aim})`}`,
  );
}
console.log(`\n${JSON.stringify(figures)}`);
