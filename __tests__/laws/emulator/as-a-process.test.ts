import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { spawn, type ChildProcess } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { keptCode, nodeUnderTest } from "../../support/child.ts";
import { repositoryRoot } from "../../support/tree.ts";
import { archiveOf, internal, put } from "../../emulator/source-archive.ts";
import { experiment } from "../../emulator/upload-body.ts";

/** The emulator of dist/ as users start it, and a client that knows nothing but HTTP. */
const CLI = join(repositoryRoot, "dist/cli.js");

let folder: string;

const children: ChildProcess[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "emulator-process-"));
});

afterEach(async () => {
  await Promise.all(children.splice(0).map(kill));
  rmSync(folder, { recursive: true, force: true });
});

async function kill(child: ChildProcess): Promise<void> {
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

function start(...args: string[]): Promise<Started> {
  const child = spawn(nodeUnderTest, [...keptCode, CLI, "emulator", "--port", "0", ...args], {
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

async function send(
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

/** The most memory that a process had at once, in MB; null where the system does not say. */
function peakOf({ pid }: ChildProcess): number | null {
  if (!existsSync(`/proc/${pid}/status`)) return null;
  const found = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"));
  return Number(found?.[1]) / 1024;
}

test("archives and experiments are never held whole", async () => {
  const { url, child } = await start();
  const made = await send(url, "POST", "/v2/deployments", internal());
  const at = `/v2/deployments/${made.body.id}/upload-url`;
  const { body: address } = await send(url, "POST", at, { supports_upload_headers: true });
  const archive = archiveOf({ "langgraph.json": "{}", zeros: "\0".repeat(250 * 1024 * 1024) });
  expect((await put(address, archive)).status).toBe(200);
  const [listed] = (await send(url, "GET", "/_emulator/uploads")).body;
  expect(listed.archive.files).toEqual([
    { path: "langgraph.json", bytes: 2 },
    { path: "zeros", bytes: 250 * 1024 * 1024 },
  ]);
  const row = {
    inputs: { text: "x".repeat(100_000) },
    start_time: "2026-01-01T00:00:00Z",
    end_time: "2026-01-01T00:00:01Z",
  };
  const results = Array.from({ length: 1500 }, () => row);
  const uploaded = await send(
    url,
    "POST",
    "/api/v1/datasets/upload-experiment",
    experiment({ results } as object),
  );
  expect([uploaded.status, uploaded.body.dataset.example_count]).toEqual([200, 1500]);
  const peak = peakOf(child);
  // 57 MB at rest, 32 MB of rows that are kept, and what the collector leaves lying; it was 900 MB.
  if (peak !== null) expect(peak).toBeLessThan(400);
});
