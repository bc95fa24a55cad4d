// Whole processes, in turn, after a warm-up: ratios to `node -e 0` hold where absolute times drift.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { median, print } from "./figure.mjs";

const RUNS = 20;
const dist = fileURLToPath(new URL("../dist/", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "agent-deploy-bench-"));
const text = ["a", "b", "c"].map((name) => `name: ${name}\nsource: external_container\nsource_config:\n  resource_spec: { cpu: 1, memory_mb: 512 }\nsource_revision_config:\n  image_uri: r.example.com/x@sha256:${"a".repeat(64)}\nsecrets: [KEY]\n`);
writeFileSync(join(folder, "agent-deploy.yml"), text.join("---\n"));
for (const name of ["output", "state", "summary"]) writeFileSync(join(folder, name), "");
const env = { PATH: process.env.PATH, HOME: folder };
const runner = { ...env, GITHUB_OUTPUT: join(folder, "output"), GITHUB_STATE: join(folder, "state"), GITHUB_STEP_SUMMARY: join(folder, "summary"), GITHUB_WORKSPACE: folder, RUNNER_TEMP: folder };
const commands = {
  bare: [["-e", "0"], env],
  "cli.js --version": [[`${dist}cli.js`, "--version"], env],
  "validate, three documents": [[`${dist}cli.js`, "validate"], { ...env, KEY: "x" }],
  "dist/index.js to its first error": [[`${dist}index.js`], { ...runner, INPUT_COMMAND: "apply", KEY: "x" }],
  "plan to its first request (refused)": [[`${dist}cli.js`, "plan", "--timeout", "1ms"], { ...env, KEY: "x", AGENT_DEPLOY_API_KEY: "k", AGENT_DEPLOY_CONTROL_PLANE_URL: "http://127.0.0.1:9" }],
};
const AIMS = { "cli.js --version": "≤ 1.5", "validate, three documents": "≤ 2.6", "dist/index.js to its first error": "≤ 2.6" };
const times = Object.fromEntries(Object.keys(commands).map((name) => [name, []]));
for (let run = 0; run <= RUNS; run++) {
  for (const [name, [args, environment]] of Object.entries(commands)) {
    const begin = process.hrtime.bigint();
    spawnSync(process.execPath, args, { env: environment, cwd: folder, stdio: "ignore" });
    if (run > 0) times[name].push(Number(process.hrtime.bigint() - begin) / 1e6);
  }
}
print("node -e 0", median(times.bare), "ms");
for (const name of Object.keys(commands).slice(1)) print(name, median(times[name]) / median(times.bare), "× bare node", AIMS[name]);
rmSync(folder, { recursive: true, force: true });
