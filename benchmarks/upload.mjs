// 200,000 rows (about 180 MB) as an experiment, against the bare pass-through of the same bytes to the same sink.
import { spawn } from "node:child_process";
import { createReadStream, createWriteStream, mkdtempSync, rmSync, statSync } from "node:fs";
import { createServer, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { print } from "./figure.mjs";

const ROWS = 200_000;
const folder = mkdtempSync(join(tmpdir(), "agent-deploy-bench-"));
const file = join(folder, "rows.jsonl");
const out = createWriteStream(file);
for (let index = 0; index < ROWS; index++) {
  const time = new Date(Date.UTC(2026, 0, 1) + index * 10).toISOString();
  const row = { inputs: { question: `question ${index}`, context: "c".repeat(300) }, expected_outputs: { answer: "e".repeat(100) }, actual_outputs: { answer: "a".repeat(250) }, evaluation_scores: [{ key: "correctness", score: index % 2 }], start_time: time, end_time: time };
  if (!out.write(`${JSON.stringify(row)}\n`)) await once(out, "drain");
}
out.end();
await once(out, "finish");

// Takes the bytes and answers as the service does; it keeps nothing.
let received = 0;
const session = (name) => ({ id: "6c1a9d3e-4f5b-4a2c-9d8e-7f6a5b4c3d2e", name, run_count: null, extra: null, reference_dataset_id: "7d2b0e4f-5a6c-4b3d-8e9f-0a1b2c3d4e5f", tenant_id: null });
const server = createServer((incoming, outgoing) => {
  incoming.on("data", (chunk) => { received += chunk.length; });
  incoming.on("end", () => {
    outgoing.setHeader("content-type", "application/json");
    const statistics = { ...session("x"), run_count: ROWS, feedback_stats: { correctness: { n: ROWS, avg: 0.5 } } };
    outgoing.end(JSON.stringify(incoming.method === "POST" ? { dataset: { id: "7d2b0e4f-5a6c-4b3d-8e9f-0a1b2c3d4e5f", name: "d", tenant_id: null }, experiment: session("x") } : statistics));
  });
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const url = `http://127.0.0.1:${server.address().port}`;

async function passThrough() {
  const begin = process.hrtime.bigint();
  const post = request(`${url}/bare`, { method: "POST" });
  createReadStream(file, { highWaterMark: 65_536 }).pipe(post);
  const [reply] = await once(post, "response");
  reply.resume();
  await once(reply, "end");
  return Number(process.hrtime.bigint() - begin) / 1e9;
}

async function upload() {
  const begin = process.hrtime.bigint();
  const env = { PATH: process.env.PATH, HOME: folder, AGENT_DEPLOY_API_KEY: "k", AGENT_DEPLOY_CONTROL_PLANE_URL: url };
  const cli = fileURLToPath(new URL("../dist/cli.js", import.meta.url));
  const watch = `import(${JSON.stringify(cli)}).then(() => { process.on("exit", () => console.error("RSS " + process.resourceUsage().maxRSS)); })`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", `process.argv.splice(1, 0, ${JSON.stringify(cli)}); process.on("exit", () => console.error("RSS " + process.resourceUsage().maxRSS)); await ${watch};`, "upload", "rows.jsonl"], { cwd: folder, env, stdio: ["ignore", "ignore", "pipe"] });
  let text = "";
  child.stderr.on("data", (chunk) => { text += chunk; });
  const [code] = await once(child, "close");
  if (code !== 0) throw new Error(`upload ended with ${code}: ${text}`);
  return { seconds: Number(process.hrtime.bigint() - begin) / 1e9, rssMb: Number(/RSS (\d+)/.exec(text)[1]) / 1024 };
}

const bytes = statSync(file).size;
await passThrough();
const bare = await passThrough();
received = 0;
const ours = await upload();
print("body", received / 2 ** 20, "MB");
print("bare pass-through", bytes / 2 ** 20 / bare, "MB/s");
print("upload: read, check, number, send, read back", received / 2 ** 20 / ours.seconds, "MB/s");
print("upload: time over the bare pass-through", ours.seconds / bare, "×", "≤ 1.3");
print("upload: peak memory", ours.rssMb, "MB", "< 150");
server.closeAllConnections();
server.close();
rmSync(folder, { recursive: true, force: true });
