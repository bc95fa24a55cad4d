// 200,000 rows (about 180 MB) as an experiment, next to the bare pass-through of the same bytes:
// read from disk by a client that looks at nothing and sent to the same service, in a process of
// its own as ours is. Twice: to the emulator, which reads, checks and stores rows as the service
// does, and to a sink that looks at nothing either. A fresh service for every run; the best of five
// runs each.
import { spawn } from "node:child_process";
import { createReadStream, createWriteStream, mkdtempSync, rmSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { IMPORT_PEAK, peakKib, print } from "./figure.mjs";

const ROWS = 200_000;
const RUNS = 5;
const CLI = fileURLToPath(new URL("../dist/cli.js", import.meta.url));
const SELF = fileURLToPath(import.meta.url);
const HEADER = {
  experiment_name: "bare",
  experiment_start_time: "2026-01-01T00:00:00Z",
  experiment_end_time: "2026-01-02T00:00:00Z",
  dataset_name: "bare",
};
const ROUTE = "/api/v1/datasets/upload-experiment";

async function writeRows(file) {
  const out = createWriteStream(file);
  for (let index = 0; index < ROWS; index++) {
    const time = new Date(Date.UTC(2026, 0, 1) + index * 10).toISOString();
    const row = {
      inputs: { question: `question ${index}`, context: "c".repeat(300) },
      expected_outputs: { answer: "e".repeat(100) },
      actual_outputs: { answer: "a".repeat(250) },
      evaluation_scores: [{ key: "correctness", score: index % 2 }],
      start_time: time,
      end_time: time,
    };
    if (!out.write(`${JSON.stringify(row)}\n`)) await once(out, "drain");
  }
  out.end();
  await once(out, "finish");
}

/** The body as the upload makes it, for the pass-through. */
async function writeBody(folder, file) {
  const { readExperiments } = await import("#built/experiment/experiment.js");
  const { streamBody } = await import("#built/experiment/body.js");
  const { experiments } = await readExperiments({
    paths: ["rows.jsonl"],
    workspace: { root: folder },
  });
  const out = createWriteStream(file);
  for await (const chunk of streamBody(experiments[0], HEADER))
    if (!out.write(Buffer.from(chunk))) await once(out, "drain");
  out.end();
  await once(out, "finish");
}

/** Takes the bytes and answers as the service does; it keeps nothing. Run as a process: prints its URL. */
async function serveSink() {
  const session = (name) => ({
    id: "6c1a9d3e-4f5b-4a2c-9d8e-7f6a5b4c3d2e",
    name,
    run_count: null,
    extra: null,
    reference_dataset_id: "7d2b0e4f-5a6c-4b3d-8e9f-0a1b2c3d4e5f",
    tenant_id: null,
  });
  const server = createServer((incoming, outgoing) => {
    incoming.once("data", () => {
      if (incoming.method === "POST") console.log(`FIRST ${Date.now()}`);
    });
    incoming.resume();
    incoming.on("end", () => {
      outgoing.setHeader("content-type", "application/json");
      const statistics = {
        ...session("x"),
        run_count: ROWS,
        feedback_stats: { correctness: { n: ROWS, avg: 0.5 } },
      };
      outgoing.end(
        JSON.stringify(
          incoming.method === "POST"
            ? {
                dataset: { id: "7d2b0e4f-5a6c-4b3d-8e9f-0a1b2c3d4e5f", name: "d", tenant_id: null },
                experiment: session("x"),
              }
            : statistics,
        ),
      );
    });
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  console.log(
    `http://127.0.0.1:${/** @type {import("node:net").AddressInfo} */ (server.address()).port}`,
  );
}

/** Sends a file as it is, with the HTTP client that the upload uses. Run as a process. */
async function sendBare(url, file) {
  const { request } = await import("undici");
  const reply = await request(url + ROUTE, {
    method: "POST",
    body: createReadStream(file, { highWaterMark: 65_536 }),
    headers: { "x-api-key": "k", "content-type": "application/json" },
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  const text = await reply.body.text();
  if (reply.statusCode !== 200)
    throw new Error(`the pass-through ended with ${reply.statusCode}: ${text.slice(0, 500)}`);
  console.error(`RSS ${peakKib()}`);
  process.exit(0);
}

async function startService(parts) {
  const child = spawn(process.execPath, parts, { stdio: ["ignore", "pipe", "ignore"] });
  let text = "";
  while (!text.includes("\n")) text += (await once(child.stdout, "data"))[0];
  child.stdout.on("data", (piece) => {
    text += piece;
  });
  return {
    url: text.split("\n")[0].trim(),
    told: () => text,
    stop: async () => {
      child.kill("SIGKILL");
      await once(child, "close");
    },
  };
}

/** Wall time of a client from its start to its end and to its first byte, and its peak memory. */
async function timed(parts, folder, { url, told }) {
  const beginMs = Date.now();
  const begin = process.hrtime.bigint();
  const child = spawn(process.execPath, parts, {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      HOME: folder,
      AGENT_DEPLOY_API_KEY: "k",
      AGENT_DEPLOY_CONTROL_PLANE_URL: url,
    },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let text = "";
  child.stderr.on("data", (chunk) => {
    text += chunk;
  });
  const [code] = await once(child, "close");
  if (code !== 0) throw new Error(`a client ended with ${code}: ${text}`);
  const firstMs = Number(/FIRST (\d+)/.exec(told())?.[1] ?? Number.NaN);
  return {
    seconds: Number(process.hrtime.bigint() - begin) / 1e9,
    toFirst: (firstMs - beginMs) / 1000,
    rssMb: Number(/RSS (\d+)/.exec(text)?.[1]) / 1024,
    cpu: Number(/CPU (\d+)/.exec(text)?.[1] ?? Number.NaN) / 1e6,
  };
}

const ours = [
  "--input-type=module",
  "-e",
  `${IMPORT_PEAK}process.argv.splice(1, 0, ${JSON.stringify(CLI)}); process.on("exit", () => { const { userCPUTime, systemCPUTime } = process.resourceUsage(); console.error("RSS " + peakKib() + " CPU " + (userCPUTime + systemCPUTime)); }); await import(${JSON.stringify(new URL("../dist/cli.js", import.meta.url).href)});`,
  "upload",
  "rows.jsonl",
];

/**
 * Statistics that are there at once: the upload still reads them back, but does not wait for what
 * the service does in its own time.
 */
async function persistAtOnce(url) {
  const reply = await fetch(`${url}/_emulator/options`, {
    method: "POST",
    body: JSON.stringify({ lags: { statistics: 0 } }),
  });
  if (!reply.ok)
    throw new Error(`the emulator did not take the option: ${reply.status} ${await reply.text()}`);
}

/** Both clients against one kind of service, in turns, so that a busy machine is busy for both. */
async function compare(service, folder, body, { emulated }) {
  const best = {
    bare: { seconds: Infinity, toFirst: Infinity, rssMb: 0, cpu: Infinity },
    ours: { seconds: Infinity, toFirst: Infinity, rssMb: 0, cpu: Infinity },
  };
  for (let run = 0; run < RUNS; run++) {
    for (const [name, parts] of Object.entries({
      bare: (url) => [SELF, "bare", url, body],
      ours: () => ours,
    })) {
      const running = await startService(service);
      if (emulated) await persistAtOnce(running.url);
      const { seconds, toFirst, rssMb, cpu } = await timed(parts(running.url), folder, running);
      await running.stop();
      best[name] = {
        seconds: Math.min(best[name].seconds, seconds),
        toFirst: Math.min(best[name].toFirst, toFirst),
        rssMb: Math.max(best[name].rssMb, rssMb),
        cpu: Math.min(best[name].cpu, cpu),
      };
    }
  }
  return best;
}

async function main() {
  const folder = mkdtempSync(join(tmpdir(), "agent-deploy-bench-"));
  const [file, body] = [join(folder, "rows.jsonl"), join(folder, "body.json")];
  try {
    await writeRows(file);
    await writeBody(folder, body);
    const mb = statSync(body).size / 2 ** 20;
    print("body", mb, "MB");
    const emulator = await compare([CLI, "emulator", "--port", "0"], folder, body, {
      emulated: true,
    });
    const sink = await compare([SELF, "sink"], folder, body, { emulated: false });
    for (const [words, { bare, ours: upload }] of Object.entries({ emulator, sink })) {
      print(`to the ${words}: bare pass-through`, mb / bare.seconds, "MB/s");
      print(
        `to the ${words}: upload (read, check, number, send, read back)`,
        mb / upload.seconds,
        "MB/s",
      );
      print(
        `to the ${words}: upload over the bare pass-through`,
        upload.seconds / bare.seconds,
        "×",
      );
    }
    const before = sink.ours.toFirst - sink.bare.toFirst;
    print("upload: checking all rows before the first byte", before, "s");
    print(
      "upload: fastest service or line at which that is 0.3 of the pass-through",
      (0.3 * mb) / before,
      "MB/s",
    );
    print("upload: CPU time", sink.ours.cpu, "s");
    print("bare pass-through: peak memory", Math.max(emulator.bare.rssMb, sink.bare.rssMb), "MB");
    print("upload: peak memory", Math.max(emulator.ours.rssMb, sink.ours.rssMb), "MB");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const [mode, ...rest] = process.argv.slice(2);
if (mode === "sink") await serveSink();
else if (mode === "bare") await sendBare(...rest);
else await main();
