// Requests and wall time of whole runs against an emulator in another process, behind a fixed latency.
import { spawn } from "node:child_process";
import { createServer, request as forward } from "node:http";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startEmulator } from "../build/emulator/server.js";
import { document, print } from "./figure.mjs";

const LATENCY_MS = 20;
const CONCURRENCY = 8;
const cli = fileURLToPath(new URL("../dist/cli.js", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "agent-deploy-bench-"));

/** Waits before it passes a request on: the emulator answers at once, a service does not. */
async function startDelay(target) {
  let count = 0;
  const server = createServer((incoming, outgoing) => {
    count++;
    const chunks = [];
    incoming.on("data", (chunk) => chunks.push(chunk));
    incoming.on("end", () => setTimeout(() => {
      const passed = forward(new URL(incoming.url, target), { method: incoming.method, headers: incoming.headers }, (reply) => { outgoing.writeHead(reply.statusCode, reply.headers); reply.pipe(outgoing); });
      passed.end(Buffer.concat(chunks));
    }, LATENCY_MS));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${server.address().port}`, take: () => { const taken = count; count = 0; return taken; }, close: () => { server.closeAllConnections(); server.close(); } };
}

async function run(url, args) {
  const begin = process.hrtime.bigint();
  const env = { PATH: process.env.PATH, HOME: folder, AGENT_DEPLOY_API_KEY: "k", AGENT_DEPLOY_CONTROL_PLANE_URL: url, RUNNER_TEMP: folder };
  await new Promise((resolve) => spawn(process.execPath, [cli, ...args, "--concurrency", String(CONCURRENCY)], { cwd: folder, env, stdio: "ignore" }).on("close", resolve));
  return Number(process.hrtime.bigint() - begin) / 1e6;
}

for (const count of [1, 100, 1000]) {
  const bodies = Array.from({ length: count }, (_, index) => ({ ...document(`agent-${index}`), id: `00000000-0000-4000-8000-${String(index).padStart(12, "0")}` }));
  const emulator = await startEmulator({ seed: { deployments: bodies } });
  const delay = await startDelay(emulator.url);
  const spec = (withId) => bodies.map(({ id, ...body }) => JSON.stringify({ ...body, ...(withId ? { deploy: { id } } : {}) })).join("\n---\n");
  writeFileSync(join(folder, "names.yml"), spec(false));
  writeFileSync(join(folder, "ids.yml"), spec(true));
  await run(delay.url, ["plan", "names.yml"]);
  print(`no-op plan of ${count} by name: requests`, delay.take(), "");
  const idsMs = await run(delay.url, ["plan", "ids.yml"]);
  const requests = delay.take();
  print(`no-op plan of ${count} by id: requests`, requests, "", String(count));
  const noneMs = await run(delay.url, ["validate", "ids.yml"]);
  const boundMs = Math.max((requests * LATENCY_MS) / CONCURRENCY, requests * 10);
  if (count === 1000) print("no-op plan of 1000 by id: time over the bound of latency ÷ concurrency and the rate budget", (idsMs - noneMs) / boundMs, "×", "≤ 1.2");
  delay.close();
  await emulator.close();
}
rmSync(folder, { recursive: true, force: true });
