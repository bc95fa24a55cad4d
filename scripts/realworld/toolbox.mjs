// Installs programs of others from their registries into a folder outside the repository, and runs them.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";

const { env } = process;

/** Where installed programs are kept between runs. */
export const cache =
  env.AGENT_DEPLOY_REALWORLD_CACHE ??
  join(env.XDG_CACHE_HOME ?? join(homedir(), ".cache"), "agent-deploy-realworld");

/** A reason to leave a party out, which is printed. */
export class Skipped extends Error {}

function finds(program) {
  return spawnSync(program, ["version"], { stdio: "ignore" }).error === undefined;
}

/** Throws Skipped where a toolchain is not on this machine. */
export function need(program, name) {
  if (!finds(program)) throw new Skipped(`no ${name}`);
}

/** Runs a program to its end; never throws for its exit code. Output above 20 MB is an error. */
export function run(program, args, options = {}) {
  const { timeoutMs = 300_000, ...rest } = options;
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { ...rest, stdio: ["ignore", "pipe", "pipe"] });
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      child.kill("SIGKILL");
    }, timeoutMs);
    let stdout = "";
    let stderr = "";
    child.stdout.on("data", (chunk) => (stdout += chunk));
    child.stderr.on("data", (chunk) => (stderr += chunk));
    child.on("error", reject);
    child.on("close", (code, signal) => {
      clearTimeout(timer);
      if (late) stdout += `\n${program} was killed: it had not ended after ${timeoutMs / 1000} s`;
      resolve({ code, signal, stdout, stderr });
    });
  });
}

const lastLine = (text) => text.trim().split("\n").at(-1).slice(-300);

async function install(name, target, steps) {
  if (existsSync(target)) return target;
  for (const [program, args, options] of steps) {
    const { code, stderr } = await run(program, args, { timeoutMs: 900_000, ...options });
    if (code !== 0) throw new Skipped(`${name} was not installed: ${lastLine(stderr)}`);
  }
  return target;
}

/** Builds a package in a copy of its module: Go installs none whose go.mod replaces other modules. */
async function buildCopy(name, { module, path, version, bin }) {
  const flags = { ...env, GOFLAGS: "-mod=mod -buildvcs=false" };
  const got = await run("go", ["mod", "download", "-json", `${module}@${version}`], { env: flags });
  if (got.code !== 0) throw new Skipped(`${name} was not installed: ${lastLine(got.stdout)}`);
  const copy = join(temporaryFolder(), name);
  await install(name, join(bin, name), [
    // Folders of the module cache are read-only: cp makes them so only once they are filled.
    ["cp", ["-R", JSON.parse(got.stdout).Dir, copy]],
    ["chmod", ["-R", "u+w", copy]],
    [
      "go",
      ["build", "-o", join(bin, name), `./${path.slice(module.length + 1)}`],
      { cwd: copy, env: flags, timeoutMs: 1_800_000 },
    ],
  ]);
}

/** A program of a Go module, built once; `module`: build it in a copy of that module. */
export async function goProgram(path, version, /** @type {{ module?: string }} */ { module } = {}) {
  need("go", "Go");
  const name = path.split("/").at(-1);
  const bin = join(cache, "go", `${name}-${version}`);
  mkdirSync(bin, { recursive: true });
  if (module !== undefined) {
    if (!existsSync(join(bin, name))) await buildCopy(name, { module, path, version, bin });
    return join(bin, name);
  }
  return install(name, join(bin, name), [
    ["go", ["install", `${path}@${version}`], { env: { ...env, GOBIN: bin, GOFLAGS: "-mod=mod" } }],
  ]);
}

/** The folder with the programs of Python packages (`name==version`), in an environment of their own. */
export async function pythonPrograms(name, packages, program) {
  need("python3", "Python");
  const folder = join(cache, "python", name);
  const bin = join(folder, "bin");
  await install(name, join(bin, program), [
    ["python3", ["-m", "venv", folder]],
    [join(bin, "pip"), ["install", "--quiet", "--disable-pip-version-check", ...packages]],
  ]);
  return bin;
}

/** The folder with the programs of npm packages (`name@version`). */
export async function npmPrograms(name, packages, program) {
  const folder = join(cache, "npm", name);
  mkdirSync(folder, { recursive: true });
  const quiet = ["--no-save", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"];
  const bin = join(folder, "node_modules", ".bin");
  await install(name, join(bin, program), [
    ["npm", ["install", "--prefix", folder, ...quiet, ...packages]],
  ]);
  return bin;
}

const folders = [];
process.once("exit", () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** A folder that is removed at the end of the process. */
export function temporaryFolder() {
  const folder = mkdtempSync(join(tmpdir(), "agent-deploy-realworld-"));
  folders.push(folder);
  return folder;
}
