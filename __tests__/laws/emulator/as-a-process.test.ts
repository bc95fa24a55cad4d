import { expect, test } from "@jest/globals";
import type { ChildProcess } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { archiveOf, internal, put } from "../../emulator/source-archive.ts";
import { cleanUpEach, send, start } from "../../emulator/started-process.ts";
import { experiment } from "../../emulator/upload-body.ts";

cleanUpEach();

/** The most memory that a process had at once, in MB; null where the system does not say. */
function peakOf({ pid }: ChildProcess): number | null {
  if (!existsSync(`/proc/${pid}/status`)) return null;
  const found = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"));
  return Number(found?.[1]) / 1024;
}

test("archives and experiments are never held whole in memory", async () => {
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
