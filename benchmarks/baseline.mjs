// 200,000 rows of an experiment that the service keeps, read back as a baseline, next to a client that only fetches the same
// pages; and 50,000, 200,000 and 800,000 rows, which a service makes up, for the memory they take.
import { spawn, spawnSync } from "node:child_process";
import {
  closeSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { print } from "./figure.mjs";
import { dist } from "./processes.mjs";

const ROWS = Number(process.env.BASELINE_ROWS ?? 200_000);
const PAGE = 100;
/** Pages under way at a time, on both sides. */
const AT_ONCE = 4;
const folder = mkdtempSync(join(tmpdir(), "agent-deploy-bench-"));
const key = "bench-key";

function writeResults(name, salt, rows = ROWS) {
  const file = openSync(join(folder, name), "w");
  for (let i = 0; i < rows; ) {
    const lines = [];
    for (const end = Math.min(rows, i + 1000); i < end; i++)
      lines.push(
        `{"inputs":{"question":"What is item number ${i} of the list?"},"actual_outputs":{"answer":"${salt}"},"start_time":"2026-01-01T00:00:00.000Z","end_time":"2026-01-01T00:00:01.500Z","evaluation_scores":[{"key":"metric_0","score":${i % 10 === 0 ? 0 : 1}},{"key":"metric_1","score":${(i % 7) / 10}}]}\n`,
      );
    writeSync(file, lines.join(""));
  }
  closeSync(file);
}

/** A process of dist/ to its end: seconds, and what it says it took. */
function run(url, ...args) {
  const told = join(folder, "told.json");
  const begin = process.hrtime.bigint();
  const { status, stderr } = spawnSync(
    process.execPath,
    ["-r", new URL("spent.cjs", import.meta.url).pathname, `${dist}cli.js`, ...args],
    {
      cwd: folder,
      encoding: "utf8",
      env: {
        PATH: process.env.PATH,
        HOME: folder,
        SPENT_FILE: told,
        AGENT_DEPLOY_API_KEY: key,
        AGENT_DEPLOY_CONTROL_PLANE_URL: url,
        AGENT_DEPLOY_TRACING_URL: url,
        // The emulator is as fast as it is; the documented limit of 100 requests a second is what a hosted service adds.
        AGENT_DEPLOY_RATE_LIMIT: "1000000/1",
      },
    },
  );
  if (status !== 0) throw new Error(`${args[0]} ended with ${status}: ${stderr.slice(-2000)}`);
  const { cpuMs, peakMb } = JSON.parse(readFileSync(told, "utf8"));
  return { seconds: Number(process.hrtime.bigint() - begin) / 1e9, cpuMs, peakMb };
}

/** One page, thrown away; asked for again where the service had just closed the connection. */
async function fetchPage(url, dataset, body, tries = 5) {
  try {
    const reply = await fetch(`${url}/api/v1/datasets/${dataset}/runs`, {
      method: "POST",
      headers: { "x-api-key": key, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    if (reply.status !== 200) throw new Error(`a page was answered with ${reply.status}`);
    await reply.arrayBuffer();
  } catch (error) {
    if (tries <= 1) throw error;
    await fetchPage(url, dataset, body, tries - 1);
  }
}

/** What the service by itself needs: the same pages, as many at once, read and thrown away. */
async function fetchPages(url, { id, reference_dataset_id: dataset }) {
  const begin = process.hrtime.bigint();
  let next = 0;
  const work = async () => {
    for (;;) {
      const offset = next;
      next += PAGE;
      if (offset > ROWS) return;
      await fetchPage(url, dataset, { session_ids: [id], limit: PAGE, offset });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return Number(process.hrtime.bigint() - begin) / 1e9;
}

/** A service as a process, and its address: its first line holds that. */
async function start(...args) {
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  const [url] = await new Promise((resolve) =>
    createInterface({ input: child.stdout }).once("line", (line) =>
      resolve(/http:\/\/[^\s]+/.exec(line)),
    ),
  );
  return { url, stop: () => child.kill() };
}

/** The most memory that a run against so many stored rows holds. */
async function peakOf(rows) {
  const service = await start(
    new URL("made-up-service.mjs", import.meta.url).pathname,
    String(rows),
    "2",
  );
  try {
    writeResults("many.jsonl", "b", rows);
    const gates = "metric_0 drop <= 0.9\nmetric_1 drop <= 0.9";
    const judged = ["gate", "many.jsonl", "--gate", gates, "--baseline", "experiment:base"];
    return run(service.url, ...judged).peakMb;
  } finally {
    service.stop();
  }
}

// Both sides would wait for the same limit otherwise, or only one of them.
writeFileSync(join(folder, "scenario.yml"), "limits: off\n");
const scenario = ["--scenario", join(folder, "scenario.yml")];
const emulator = await start(`${dist}cli.js`, "emulator", "--port", "0", ...scenario);
try {
  const { url } = emulator;
  writeResults("base.jsonl", "a");
  writeResults("head.jsonl", "b");
  run(url, "upload", "base.jsonl", "--experiment-name", "base", "--dataset-name", "bench");
  const named = await fetch(`${url}/api/v1/sessions?name=base`, { headers: { "x-api-key": key } });
  const [session] = /** @type {any[]} */ (await named.json());
  const gate = ["gate", "head.jsonl", "--gate", "metric_0 drop <= 0.02"];
  run(url, ...gate, "--baseline", "base.jsonl");
  const TURNS = Number(process.env.BASELINE_TURNS ?? 1);
  const fetched = [];
  const stored = [];
  const local = [];
  for (let turn = 0; turn < TURNS; turn++) {
    fetched.push(await fetchPages(url, session));
    stored.push(run(url, ...gate, "--baseline", "experiment:base"));
    local.push(run(url, "gate", "head.jsonl", "--gate", "metric_0 >= 0.5"));
  }
  const least = (list, pick) => Math.min(...list.map(pick));
  const read = least(stored, ({ seconds }) => seconds) - least(local, ({ seconds }) => seconds);
  const sent = least(fetched, (seconds) => seconds);
  print(`${ROWS} rows: the service sends them in`, sent, "s");
  print("read as a baseline (the run less one without it)", read, "s");
  print("the same over what the service needs", read / sent, "×", "≤ 2");
  print(
    "CPU of the reading",
    (least(stored, ({ cpuMs }) => cpuMs) - least(local, ({ cpuMs }) => cpuMs)) / 1000,
    "s",
  );
  print(
    "peak memory of the run",
    least(stored, ({ peakMb }) => peakMb),
    "MB",
    "≤ 200",
  );
  print(
    "peak memory of the run without a baseline",
    least(local, ({ peakMb }) => peakMb),
    "MB",
  );
  const peaks = [];
  for (const rows of [50_000, 200_000, 800_000]) {
    peaks.push(await peakOf(rows));
    print(`${rows} rows, head and baseline: peak memory`, peaks.at(-1), "MB");
  }
  const grown = ((peaks.at(-1) - peaks[0]) * 1024 ** 2) / 750_000;
  print("bytes for a row more on both sides, two metrics", grown, "bytes", "≤ 400");
} finally {
  emulator.stop();
  rmSync(folder, { recursive: true, force: true });
}
