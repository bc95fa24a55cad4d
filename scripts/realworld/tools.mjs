// What the real clients share: an emulator, a cache outside the repository, programs, and checks that are counted.
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { pathToFileURL } from "node:url";

const root = new URL("../../", import.meta.url).pathname;

/** Where clients are installed; kept from run to run. */
export const cacheFolder = () =>
  process.env.AGENT_DEPLOY_REALWORLD_CACHE ??
  join(process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache"), "agent-deploy-realworld");

/** Runs a program to its end. */
export function runProgram(command, args, { cwd, env = {}, input, seconds = 240 } = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd,
      env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
      stdio: ["pipe", "pipe", "pipe"],
    });
    const out = { stdout: "", stderr: "" };
    const timer = setTimeout(() => child.kill("SIGKILL"), seconds * 1000);
    for (const name of ["stdout", "stderr"])
      child[name].setEncoding("utf8").on("data", (text) => {
        out[name] += text;
      });
    child.on("error", (error) => {
      clearTimeout(timer);
      resolve({ code: null, stdout: "", stderr: error.message });
    });
    child.on("close", (code) => {
      clearTimeout(timer);
      resolve({ code, ...out });
    });
    child.stdin.on("error", () => {});
    child.stdin.end(input ?? "");
  });
}

/** Whether a program can be run at all. */
export async function hasProgram(command, args = ["--version"]) {
  return (await runProgram(command, args, { seconds: 30 })).code === 0;
}

/** An emulator as a process of its own, as users start it. */
export async function startEmulator(scenario = {}) {
  const folder = mkdtempSync(join(tmpdir(), "realworld-"));
  const file = join(folder, "scenario.json");
  writeFileSync(file, JSON.stringify({ timeScale: 2, ...scenario }));
  const cli = join(root, "dist", "cli.js");
  if (!existsSync(cli)) throw new Error("dist/cli.js is not built: npm run build");
  const child = spawn(process.execPath, [cli, "emulator", "--port", "0", "--scenario", file], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  child.stderr.on("data", (text) => {
    said += text;
  });
  const url = await new Promise((resolve, reject) => {
    child.stdout.once("data", (text) => resolve(String(text).split("\n")[0]));
    child.once("exit", () => reject(new Error(`the emulator did not start: ${said}`)));
  });
  return {
    url,
    folder,
    stop: async () => {
      const gone = new Promise((resolve) => child.once("exit", resolve));
      child.kill("SIGTERM");
      await gone;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A JSON request to the emulator, beside what the client under test sends. */
export async function call(url, method, path, body) {
  const response = await fetch(url + path, {
    method,
    headers: { "x-api-key": "k", "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: text === "" ? null : JSON.parse(text) };
}

/** Bodies that every request of the emulator's log with a status of 400 or more had. */
export async function refusals(url) {
  const { body } = await call(url, "GET", "/_emulator/requests?replies=true");
  return body.filter(({ status }) => status === null || status >= 400);
}

/** Python packages in a virtual environment of their own; gives its folder of programs, or null where there is no Python. */
export async function installPython(name, packages) {
  if (!(await hasProgram("python3"))) return null;
  const folder = join(cacheFolder(), "python", name);
  const stamp = join(folder, "installed.json");
  const wanted = JSON.stringify(packages);
  if (!existsSync(stamp) || readFileSync(stamp, "utf8") !== wanted) {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    const made = await runProgram("python3", ["-m", "venv", folder]);
    if (made.code !== 0) return null;
    const pip = join(folder, "bin", "pip");
    const env = Object.fromEntries(
      Object.entries(process.env).filter(([key]) => /^(PIP_|SSL_|.*_proxy$)/i.test(key)),
    );
    const done = await runProgram(pip, ["install", "-q", ...packages], { env, seconds: 600 });
    if (done.code !== 0) throw new Error(`pip install ${packages.join(" ")}: ${done.stderr}`);
    writeFileSync(stamp, wanted);
  }
  return join(folder, "bin");
}

/** An npm package in a folder of its own; gives the folder that holds node_modules. */
export async function installNpm(name, packages) {
  const folder = join(cacheFolder(), "npm", name);
  const stamp = join(folder, "installed.json");
  const wanted = JSON.stringify(packages);
  if (!existsSync(stamp) || readFileSync(stamp, "utf8") !== wanted) {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "package.json"), '{ "private": true, "type": "module" }\n');
    const args = ["install", "--no-audit", "--no-fund", "--ignore-scripts", ...packages];
    const done = await runProgram("npm", args, { cwd: folder, env: process.env, seconds: 600 });
    if (done.code !== 0) throw new Error(`npm install ${packages.join(" ")}: ${done.stderr}`);
    writeFileSync(stamp, wanted);
  }
  return folder;
}

/** Counts what holds; the first thing that does not is thrown with what was seen. */
export function createChecks() {
  let count = 0;
  return {
    hold: (what, value, seen) => {
      if (value !== true)
        throw new Error(`${what}: ${typeof seen === "string" ? seen : JSON.stringify(seen)}`);
      count += 1;
    },
    get count() {
      return count;
    },
  };
}

/** A PATH with a folder before the rest. */
export const pathWith = (folder) => `${folder}${delimiter}${process.env.PATH}`;

/** Runs a module that was started by itself: prints its line, or what is wrong. */
export async function runAlone(meta, run) {
  if (meta.url !== pathToFileURL(process.argv[1] ?? "").href) return;
  try {
    console.log(await run());
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}
