// Result files that are long. Each is uploaded by dist/ in a process of its own to a service that takes the bytes and keeps none, and
// some in turns by plain.mjs too, which anybody would write: reads a file once and checks nothing. Both must send the same rows, by
// SHA-256. Memory is the peak of the process, CPU time is that of the process with its start; the best of three runs each.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createHash } from "node:crypto";
import {
  appendFileSync,
  createReadStream,
  createWriteStream,
  mkdtempSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { crc32, deflateRawSync, inflateRawSync } from "node:zlib";
import { IMPORT_PEAK, print } from "./figure.mjs";

const CLI = fileURLToPath(new URL("../dist/cli.js", import.meta.url));
const PLAIN = fileURLToPath(new URL("plain.mjs", import.meta.url));
const RUNS = 3;
const CSV_ROWS = 1_000_000;
const SAMPLES = 9_900;
const SESSION = {
  id: "6c1a9d3e-4f5b-4a2c-9d8e-7f6a5b4c3d2e",
  name: "x",
  extra: null,
  reference_dataset_id: "7d2b0e4f-5a6c-4b3d-8e9f-0a1b2c3d4e5f",
  tenant_id: null,
};

async function write(file, rows, toText, head = "") {
  const out = createWriteStream(file);
  out.write(head);
  for (let row = 0; row < rows; row++) if (!out.write(toText(row))) await once(out, "drain");
  out.end();
  await once(out, "finish");
}

const csvRow = (n) => `"What is ${n} plus ${n}?",It is ${2 * n} as far as I know,${n % 2}\n`;
const CSV_HEAD = "inputs.q,outputs.a,feedback.correct\n";
const TIME = "2026-01-01T00:00:00.000Z";
const rowOf = (n, length) => ({
  inputs: { question: `question ${n}`, context: "c".repeat(length) },
  expected_outputs: { answer: "e".repeat(100) },
  actual_outputs: { answer: "a".repeat(350) },
  evaluation_scores: [{ key: "correct", score: n % 2 }],
  start_time: TIME,
  end_time: TIME,
});
const toLine = (row) => `${JSON.stringify(row)}\n`;
const jsonRow = (n) => toLine(rowOf(n, 300));
const idealRow = (n) => toLine(rowOf(n, 1300));
const bodyRow = (n) => (n === 0 ? "" : ",") + JSON.stringify(rowOf(n, 1300));
const nullRow = (n) => toLine({ ...rowOf(n, 1300), error: null });
const untimedRow = (n) => {
  const { start_time, end_time, ...row } = rowOf(n, 1300);
  return toLine(row);
};
const chatRow = (n) =>
  toLine({
    ...rowOf(n, 0),
    inputs: {
      messages: [
        { role: "system", content: "s".repeat(300) },
        { role: "user", content: `question ${n}`, id: `u${n}` },
        { role: "assistant", content: "a".repeat(600), id: `a${n}` },
        { role: "user", content: "and then?", id: `v${n}` },
      ],
    },
  });

const PROMPTFOO_ROWS = 32_400;
/** Every provider with every prompt: a test of four prompts at three providers. */
function promptfooText() {
  const results = Array.from({ length: PROMPTFOO_ROWS }, (_, n) => {
    const [provider, prompt, test] = [n % 3, Math.floor(n / 3) % 4, Math.floor(n / 12)];
    return {
      promptIdx: prompt,
      promptId: `prompt-${prompt}`,
      testIdx: test,
      testCase: {
        vars: { question: `question ${test}` },
        assert: [{ type: "contains", value: "x" }],
      },
      prompt: {
        raw: `Answer ${prompt}: question ${test} ${"p".repeat(300)}`,
        label: `prompt ${prompt}`,
      },
      vars: { question: `question ${test}` },
      response: { output: `answer ${n} ${"o".repeat(900)}`, tokenUsage: {} },
      success: test % 2 === 0,
      score: test % 2 === 0 ? 1 : 0,
      failureReason: test % 2 === 0 ? 0 : 1,
      gradingResult: {
        pass: test % 2 === 0,
        score: test % 2 === 0 ? 1 : 0,
        reason: "r",
        componentResults: [],
      },
      namedScores: { correct: test % 2 },
      provider: { id: `provider-${provider}`, label: "" },
      latencyMs: 100 + (n % 50),
    };
  });
  return JSON.stringify({
    evalId: "eval-1",
    results: { version: 3, timestamp: TIME, prompts: [], results },
    config: {},
  });
}

/** Words that shrink as text does, not to nothing. */
function createWords() {
  let state = 1;
  return (count) =>
    Array.from({ length: count }, () => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return (state >>> 14).toString(36);
    }).join(" ");
}

async function writeLog(file) {
  const words = createWords();
  const out = createWriteStream(file);
  const list = [];
  let at = 0;
  const add = async (name, value) => {
    const raw = Buffer.from(JSON.stringify(value));
    const packed = deflateRawSync(raw, { level: 4 });
    const head = Buffer.alloc(26);
    head.writeUInt16LE(20, 0);
    head.writeUInt16LE(8, 4);
    head.writeUInt32LE(crc32(raw), 10);
    head.writeUInt32LE(packed.length, 14);
    head.writeUInt32LE(raw.length, 18);
    head.writeUInt16LE(name.length, 22);
    const local = Buffer.concat([Buffer.from("PK\u0003\u0004"), head, Buffer.from(name), packed]);
    const where = Buffer.alloc(14);
    where.writeUInt32LE(at, 10);
    list.push(Buffer.from("PK\u0001\u0002"), Buffer.from([20, 0]), head, where, Buffer.from(name));
    at += local.length;
    if (!out.write(local)) await once(out, "drain");
  };
  await add("header.json", {
    version: 2,
    status: "success",
    eval: { task: "t", model: "m" },
    results: { scores: [] },
  });
  for (let n = 0; n < SAMPLES; n++)
    await add(`samples/s${n}_epoch_1.json`, {
      id: `s${n}`,
      epoch: 1,
      input: words(40),
      target: "x",
      output: { choices: [{ message: { role: "assistant", content: words(100) } }] },
      scores: { correct: { value: n % 2 ? "C" : "I" } },
      events: Array.from({ length: 20 }, () => ({ event: "model", input: words(400) })),
      started_at: TIME,
      completed_at: TIME,
    });
  const central = Buffer.concat(list);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(SAMPLES + 1, 4);
  end.writeUInt16LE(SAMPLES + 1, 6);
  end.writeUInt32LE(central.length, 8);
  end.writeUInt32LE(at, 12);
  out.end(Buffer.concat([central, Buffer.from("PK\u0005\u0006"), end]));
  await once(out, "finish");
}

/** A service that counts rows as they were sent, half of them correct, and hashes what comes as rows where it is to be compared. */
async function startSink(rows, isHashed) {
  const hashes = [];
  const server = createServer((incoming, outgoing) => {
    if (isHashed && incoming.method === "POST") hashRows(incoming, hashes);
    else incoming.resume();
    incoming.on("end", () => {
      outgoing.setHeader("content-type", "application/json");
      const session = { ...SESSION, run_count: incoming.method === "POST" ? null : rows };
      const dataset = { id: SESSION.reference_dataset_id, name: "d", tenant_id: null };
      const marks = { n: rows, avg: 0.5 };
      outgoing.end(
        JSON.stringify(
          incoming.method === "POST"
            ? { dataset, experiment: session }
            : { ...session, feedback_stats: { correct: marks, score: marks, pass: marks } },
        ),
      );
    });
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const close = () => server.close();
  return {
    url: `http://127.0.0.1:${/** @type {import("node:net").AddressInfo} */ (server.address()).port}`,
    close,
    hashes,
  };
}

const MARK = Buffer.from(',"results":[');

function hashRows(incoming, hashes) {
  const hash = createHash("sha256");
  let head = Buffer.alloc(0);
  let begun = false;
  incoming.on("data", (piece) => {
    if (begun) {
      hash.update(piece);
      return;
    }
    head = Buffer.concat([head, piece]);
    const at = head.indexOf(MARK);
    if (at < 0) return;
    begun = true;
    hash.update(head.subarray(at));
  });
  incoming.on("end", () => hashes.push(hash.digest("hex")));
}

const RUN = `${IMPORT_PEAK}process.argv.splice(1, 0, ${JSON.stringify(CLI)}); process.on("exit", () => { const { userCPUTime, systemCPUTime } = process.resourceUsage(); console.error("USED " + JSON.stringify({ mb: peakKib() / 1024, cpu: (userCPUTime + systemCPUTime) / 1e6 })); }); await import(${JSON.stringify(pathToFileURL(CLI).href)});`;

/** A process that uploads a file to a sink of its own; what it took, and the hashes of what it sent. */
async function measure(folder, rows, isHashed, argsOf) {
  const sink = await startSink(rows, isHashed);
  const startedAt = process.hrtime.bigint();
  const child = spawn(process.execPath, argsOf(sink.url), {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      HOME: folder,
      TMPDIR: folder,
      AGENT_DEPLOY_API_KEY: "k",
      AGENT_DEPLOY_CONTROL_PLANE_URL: sink.url,
    },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let text = "";
  child.stderr.on("data", (chunk) => {
    text += chunk;
  });
  const [code] = await once(child, "close");
  const seconds = Number(process.hrtime.bigint() - startedAt) / 1e9;
  sink.close();
  if (code !== 0) throw new Error(`an upload ended with ${code}: ${text.slice(0, 2000)}`);
  return {
    ...JSON.parse(/USED (.*)/.exec(text)?.[1] ?? ""),
    seconds,
    sent: sink.hashes.sort().join(" "),
  };
}

const upload = (folder, file, rows, isHashed = false) =>
  measure(folder, rows, isHashed, () => ["--input-type=module", "-e", RUN, "upload", file]);
const uploadPlainly = (folder, file, rows, shape) =>
  measure(folder, rows, true, (url) => [PLAIN, shape, join(folder, file), url]);

const best = (runs, of) => Math.min(...runs.map((run) => run[of]));

/**
 * The same file by both, in turns.
 * @param {string} folder
 * @param {string} title
 * @param {{ file: string, rows: number, shape: string, most?: number }} what
 */
async function compare(folder, title, { file, rows, shape, most }) {
  /** @type {Record<string, any>[][]} */
  const [ours, plain] = [[], []];
  for (let turn = 0; turn < RUNS; turn += 1) {
    ours.push(await upload(folder, file, rows, true));
    plain.push(await uploadPlainly(folder, file, rows, shape));
  }
  const sent = new Set([...ours, ...plain].map((run) => run.sent));
  if (sent.size !== 1) throw new Error(`${title}: both ways do not send the same rows`);
  const [cpu, plainCpu] = [best(ours, "cpu"), best(plain, "cpu")];
  print(`${title}: CPU time`, cpu, "s");
  print(`${title}: CPU time of a plain program`, plainCpu, "s");
  print(`${title}: CPU time over that of a plain program`, cpu / plainCpu, "×", "≤ 1.5");
  print(
    `${title}: peak memory`,
    best(ours, "mb"),
    "MB",
    most === undefined ? undefined : `≤ ${most}`,
  );
  print(`${title}: peak memory of a plain program`, best(plain, "mb"), "MB");
  rmSync(join(folder, file));
}

function cpuOf(work) {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}

/** What unpacking and parsing every entry once costs, one after the other. */
async function leastOfLog(file) {
  const parts = [];
  for await (const part of createReadStream(file)) parts.push(part);
  const bytes = Buffer.concat(parts);
  return cpuOf(() => {
    for (let at = 0; bytes.readUInt32LE(at) === 0x04034b50; ) {
      const [packed, name] = [bytes.readUInt32LE(at + 18), bytes.readUInt16LE(at + 26)];
      const from = at + 30 + name;
      JSON.parse(inflateRawSync(bytes.subarray(from, from + packed)).toString());
      at = from + packed;
    }
  });
}

const folder = mkdtempSync(join(tmpdir(), "agent-deploy-bench-"));
const at = (name) => join(folder, name);
const size = (name) => statSync(at(name)).size / 2 ** 20;
const JSONL = {
  "ideal rows": idealRow,
  chats: chatRow,
  "rows with error: null": nullRow,
  "rows without times": untimedRow,
};
try {
  for (const [title, toText] of Object.entries(JSONL)) {
    await write(at("rows.jsonl"), 50_000, toText);
    await compare(folder, `50,000 ${title}`, { file: "rows.jsonl", rows: 50_000, shape: "jsonl" });
  }
  await write(at("rows.csv"), CSV_ROWS, csvRow, CSV_HEAD);
  await compare(folder, "1,000,000 CSV rows", {
    file: "rows.csv",
    rows: CSV_ROWS,
    shape: "csv",
    most: 250,
  });
  writeFileSync(at("promptfoo.json"), promptfooText());
  print("promptfoo, 12 experiments", size("promptfoo.json"), "MB");
  await compare(folder, "promptfoo, 12 experiments", {
    file: "promptfoo.json",
    rows: PROMPTFOO_ROWS / 12,
    shape: "promptfoo",
  });

  await write(at("body.json"), 75_000, bodyRow, '{"results":[');
  appendFileSync(at("body.json"), "]}");
  const body = await upload(folder, "body.json", 75_000);
  print("one JSON document", size("body.json"), "MB");
  print("one JSON document: CPU time", body.cpu, "s");
  print("one JSON document: peak memory", body.mb, "MB");
  print("one JSON document: peak memory over its size", body.mb / size("body.json"), "×", "≤ 4");
  rmSync(at("body.json"));

  await writeLog(at("log.eval"));
  const log = await upload(folder, "log.eval", SAMPLES);
  print("an .eval log", size("log.eval"), "MB");
  print("an .eval log: time", log.seconds, "s", "≤ 4");
  print("an .eval log: CPU time", log.cpu, "s");
  print(
    "an .eval log: CPU time over unpacking and parsing it",
    log.cpu / (await leastOfLog(at("log.eval"))),
    "×",
    "≤ 3",
  );
  print("an .eval log: peak memory", log.mb, "MB");
  rmSync(at("log.eval"));

  await write(at("rows.jsonl"), 120_000, jsonRow);
  const tenth = await upload(folder, "rows.jsonl", 120_000);
  await write(at("rows.jsonl"), 500_000, jsonRow);
  print(
    "500,000 JSONL rows: peak memory",
    (await upload(folder, "rows.jsonl", 500_000)).mb,
    "MB",
    "≤ 250",
  );
  await write(at("rows.jsonl"), 1_200_000, jsonRow);
  const whole = await upload(folder, "rows.jsonl", 1_200_000);
  print("JSONL", size("rows.jsonl"), "MB");
  print("JSONL: peak memory", whole.mb, "MB");
  print("JSONL: peak memory over that of a tenth of it", whole.mb / tenth.mb, "×", "≤ 1.5");
} finally {
  rmSync(folder, { recursive: true, force: true });
}
