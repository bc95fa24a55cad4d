// The runs of dist/ that are timed and counted: each as arguments and environment, in one folder
// with a spec of three documents.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const dist = fileURLToPath(new URL("../dist/", import.meta.url));
export const FIRST_ERRORS = {
  badInput: "dist/index.js to its first error: a bad input",
  emptyKey: "dist/index.js to its first error: an empty key, the spec being fine",
};

/** What people wait for first: name → [arguments of node, environment], and the folder they run in. */
export function createProcesses() {
  const folder = mkdtempSync(join(tmpdir(), "agent-deploy-bench-"));
  const text = ["a", "b", "c"].map(
    (name) =>
      `name: ${name}\nsource: external_container\nsource_config:\n  resource_spec: { cpu: 1, memory_mb: 512 }\nsource_revision_config:\n  image_uri: r.example.com/x@sha256:${"a".repeat(64)}\nsecrets: [KEY]\n`,
  );
  writeFileSync(join(folder, "agent-deploy.yml"), text.join("---\n"));
  for (const name of ["output", "state", "summary"]) writeFileSync(join(folder, name), "");
  const env = { PATH: process.env.PATH, HOME: folder, KEY: "x" };
  const runner = {
    ...env,
    GITHUB_OUTPUT: join(folder, "output"),
    GITHUB_STATE: join(folder, "state"),
    GITHUB_STEP_SUMMARY: join(folder, "summary"),
    GITHUB_WORKSPACE: folder,
    RUNNER_TEMP: folder,
  };
  const commands = {
    "cli.js --version": [[`${dist}cli.js`, "--version"], env],
    "validate, three documents": [[`${dist}cli.js`, "validate"], env],
    [FIRST_ERRORS.badInput]: [[`${dist}index.js`], { ...runner, INPUT_COMMAND: "aply" }],
    [FIRST_ERRORS.emptyKey]: [[`${dist}index.js`], { ...runner, INPUT_COMMAND: "apply" }],
    "plan to its first request (refused)": [
      [`${dist}cli.js`, "plan", "--timeout", "1ms"],
      { ...env, AGENT_DEPLOY_API_KEY: "k", AGENT_DEPLOY_CONTROL_PLANE_URL: "http://127.0.0.1:9" },
    ],
  };
  return { folder, commands, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Every command, and node itself under `bare`. */
export function withBare(commands) {
  return { bare: [["-e", "0"], commands["cli.js --version"][1]], ...commands };
}

/** Runs one once; the CPU time it took. */
export function cpuOf(folder, [args, env]) {
  const told = join(folder, "spent.json");
  spawnSync(
    process.execPath,
    ["-r", fileURLToPath(new URL("spent.cjs", import.meta.url)), ...args],
    { env: { ...env, SPENT_FILE: told }, cwd: folder, stdio: "ignore" },
  );
  return JSON.parse(readFileSync(told, "utf8")).cpuMs;
}

/**
 * CPU time over that of bare node, the leanest of some runs each: a busy machine stretches it far
 * less than the clock on the wall.
 */
export function cpuRatios({ folder, commands }, runs) {
  const all = withBare(commands);
  const least = Object.fromEntries(Object.keys(all).map((name) => [name, Infinity]));
  for (let run = 0; run < runs; run++)
    for (const name of Object.keys(all))
      least[name] = Math.min(least[name], cpuOf(folder, all[name]));
  return Object.fromEntries(Object.keys(commands).map((name) => [name, least[name] / least.bare]));
}
