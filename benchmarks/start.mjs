// Whole processes, in turn, after a warm-up: ratios to `node -e 0` hold where absolute times drift.
import { spawnSync } from "node:child_process";
import { median, print } from "./figure.mjs";
import { cpuRatios, createProcesses, FIRST_ERRORS, withBare } from "./processes.mjs";

const RUNS = 20;
const AIMS = { [FIRST_ERRORS.badInput]: "≤ 3.0" };
const processes = createProcesses();
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
