// Whole processes, in turn, after a warm-up: ratios to `node -e 0` hold where absolute times drift.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { bundle } from "../scripts/bundle.mjs";
import { root } from "../scripts/compile.mjs";
import { median, print } from "./figure.mjs";
import { cpuOf, cpuRatios, createProcesses, dist, FIRST_ERRORS, withBare } from "./processes.mjs";

const RUNS = 20;
const AIMS = { [FIRST_ERRORS.badInput]: "≤ 3.0" };
const CORE_ONLY = "a bundle of only @actions/core that reports an error";

/** What no start of the Action can be below: a program that only imports @actions/core, built as dist/ is. */
async function buildCoreOnly(folder) {
  const source = join(root, "build", "core-only");
  mkdirSync(source, { recursive: true });
  writeFileSync(join(source, "package.json"), '{ "type": "commonjs" }\n');
  const entry = join(source, "core-only.js");
  writeFileSync(entry, 'import("@actions/core").then(({ error }) => error("a bad input"));\n');
  for (const [name, text] of Object.entries(await bundle(entry)))
    writeFileSync(join(folder, name), text);
  return join(folder, "core-only.js");
}

/** The commit whose plan is the measure of ours. Its history carries dist/, as ours does. */
const TAG_DAY = "35cc15b";

/** CPU time of a plan against an emulator over that of TAG_DAY's; undefined in a clone without that commit. */
async function planOverTagDay(folder) {
  const old = spawnSync("git", ["archive", TAG_DAY, "dist"], { cwd: root, maxBuffer: 1 << 26 });
  if (old.status !== 0) return undefined;
  spawnSync("tar", ["-x", "-C", folder], { input: old.stdout });
  const spec = join(folder, "one.yml");
  writeFileSync(
    spec,
    `name: one\nsource: external_container\nsource_config: { resource_spec: { cpu: 1, memory_mb: 512 } }\nsource_revision_config: { image_uri: "r.example.com/x@sha256:${"a".repeat(64)}" }\nsecrets: []\n`,
  );
  const service = spawn(process.execPath, [`${dist}cli.js`, "emulator", "--port", "0"], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  try {
    const [first] = await once(service.stdout, "data");
    const env = {
      PATH: process.env.PATH,
      HOME: folder,
      AGENT_DEPLOY_API_KEY: "k",
      AGENT_DEPLOY_CONTROL_PLANE_URL: String(first).split("\n")[0],
    };
    const [ours, before] = [dist, join(folder, "dist/")].map((from) =>
      Array.from({ length: RUNS }, () => cpuOf(folder, [[`${from}cli.js`, "plan", spec], env])),
    );
    return Math.min(...ours) / Math.min(...before);
  } finally {
    service.kill();
    await once(service, "exit");
  }
}

const processes = createProcesses();
const [, runner] = processes.commands[FIRST_ERRORS.badInput];
processes.commands[CORE_ONLY] = [[await buildCoreOnly(processes.folder)], runner];
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
const overTagDay = await planOverTagDay(processes.folder);
if (overTagDay !== undefined)
  print(`plan of one deployment: CPU time over that of ${TAG_DAY}`, overTagDay, "×", "≤ 2");
const bytes = readdirSync(dist).reduce((sum, name) => sum + statSync(join(dist, name)).size, 0);
print("dist/", bytes / 1e6, "MB", "≤ 5");
processes.remove();
