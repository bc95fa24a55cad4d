// What clients of the service share when they run against the emulator: the emulator itself, their
// program, its request log.
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";

const root = new URL("../../", import.meta.url).pathname;

/**
 * Runs a program to its end.
 * @param {string} command
 * @param {string[]} args
 * @param {{ cwd?: string, env?: Record<string, string | undefined>, input?: string, seconds?: number }} options
 */
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

/** A JSON request to the emulator, next to what the client under test sends. */
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

/** A PATH with a folder before the rest. */
export const pathWith = (folder) => `${folder}${delimiter}${process.env.PATH}`;
