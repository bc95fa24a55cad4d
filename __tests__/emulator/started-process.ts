import { afterEach, beforeEach } from "@jest/globals";
import { spawn, type ChildProcess } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { keptCode, nodeUnderTest } from "../support/child.ts";
import { repositoryRoot } from "../support/tree.ts";

// The emulator of dist/ as users start it, and a client that knows nothing but HTTP.

export const CLI = join(repositoryRoot, "dist/cli.js");

/** The working directory of what the test starts. */
export let folder: string;

/** Killed after the test. */
export const children: ChildProcess[] = [];

/** Gives each test of the file its own folder, and kills what it started. */
export function cleanUpEach(): void {
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "emulator-process-"));
  });

  afterEach(async () => {
    await Promise.all(children.splice(0).map(kill));
    rmSync(folder, { recursive: true, force: true });
  });
}

export async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGKILL");
  await gone;
}

interface Started {
  readonly url: string;
  /** The exit code of one that served nothing. */
  readonly code: number | null;
  readonly err: string;
  readonly child: ChildProcess;
}

export function start(...args: string[]): Promise<Started> {
  return startBy([nodeUnderTest], args);
}

/** Starts one whose files may have at most some KiB, as on a disk that is nearly full. */
export function startWithin(kib: number, ...args: string[]): Promise<Started> {
  return startBy(["bash", "-c", `ulimit -f ${kib}; exec "$0" "$@"`, nodeUnderTest], args);
}

function startBy([program = "", ...before]: string[], args: string[]): Promise<Started> {
  const call = [...before, ...keptCode, CLI, "emulator", "--port", "0", ...args];
  const child = spawn(program, call, {
    cwd: folder,
    env: { PATH: process.env["PATH"] ?? "" },
  });
  children.push(child);
  let [out, err] = ["", ""];
  child.stderr.on("data", (text: Buffer) => (err += String(text)));
  return new Promise((resolve) => {
    child.stdout.on("data", (text: Buffer) => {
      out += String(text);
      if (out.includes("\n")) resolve({ url: out.split("\n")[0]!, code: null, err, child });
    });
    child.once("close", (code) => resolve({ url: out, code, err, child }));
  });
}

export async function send(
  url: string,
  method: string,
  path: string,
  body?: unknown,
): Promise<{ readonly status: number; readonly body: any }> {
  const response = await fetch(url + path, {
    method,
    headers: { "x-api-key": "k", "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const json = /json/.test(response.headers.get("content-type") ?? "");
  return { status: response.status, body: json && text !== "" ? JSON.parse(text) : text };
}
