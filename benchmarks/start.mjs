// Whole processes, in turn, after a warm-up: ratios to `node -e 0` hold where absolute times drift.
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { bundle } from "../scripts/bundle.mjs";
import { root } from "../scripts/compile.mjs";
import { median, print } from "./figure.mjs";
import { cpuRatios, createProcesses, FIRST_ERRORS, withBare } from "./processes.mjs";

const RUNS = 20;
const AIMS = { [FIRST_ERRORS.badInput]: "≤ 3.0" };
const CORE_ALONE = "a bundle of @actions/core alone that reports an error";

/** What no start of the Action can be below: a program that only imports @actions/core, built as dist/ is. */
async function buildCoreAlone(folder) {
  const source = join(root, "build", "core-alone");
  mkdirSync(source, { recursive: true });
  writeFileSync(join(source, "package.json"), '{ "type": "commonjs" }\n');
  const entry = join(source, "core-alone.js");
  writeFileSync(entry, 'import("@actions/core").then(({ error }) => error("a bad input"));\n');
  for (const [name, text] of Object.entries(await bundle(entry)))
    writeFileSync(join(folder, name), text);
  return join(folder, "core-alone.js");
}

const processes = createProcesses();
const [, runner] = processes.commands[FIRST_ERRORS.badInput];
processes.commands[CORE_ALONE] = [[await buildCoreAlone(processes.folder)], runner];
const all = withBare(processes.commands);
/** @type {Record<string, number[]>} */
const times = Object.fromEntries(Object.keys(all).map((name) => [name, []]));
for (let run = 0; run <= RUNS; run++) {
  for (const [name, [args, env]] of Object.entries(all)) {
    const begin = process.hrtime.bigint();
    spawnSync(process.execPath, args, { env, cwd: processes.folder, stdio: "ignore" });
    if (run > 0) times[name].push(Number(process.hrtime.bigint() - begin) / 1e6);
  }
}
print("node -e 0", median(times.bare), "ms");
for (const name of Object.keys(processes.commands))
  print(name, median(times[name]) / median(times.bare), "× bare node", AIMS[name]);
for (const [name, ratio] of Object.entries(cpuRatios(processes, RUNS / 2)))
  print(`${name}: CPU time`, ratio, "× bare node");
processes.remove();
