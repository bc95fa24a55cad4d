// What anybody would write for one of the files of results.mjs: it reads each row once, names it as we do, writes it into a
// temporary file and sends that. No checks, no notes, no gates. `node plain.mjs SHAPE FILE URL`.
import { Readable } from "node:stream";
import { createHash } from "node:crypto";
import { createReadStream, createWriteStream, readFileSync, rmSync, statSync } from "node:fs";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { parse } from "csv-parse";
import { request } from "undici";
import { peakKib } from "./figure.mjs";

const [, , shape, file, url] = process.argv;
const NAMESPACE = Buffer.from("6ba7b8109dad11d180b400c04fd430c8", "hex");
const START = new Date(Math.floor(statSync(file).mtimeMs)).toISOString();

function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const fields = Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`);
  return `{${fields.join(",")}}`;
}

/** A conversation by what was asked in it. */
const asked = (inputs) =>
  Array.isArray(inputs.messages)
    ? {
        ...inputs,
        messages: inputs.messages
          .filter(({ role }) => role !== "assistant")
          .map(({ role, content }) => ({ role, content })),
      }
    : inputs;

/** Rows of one experiment, in a file. */
function createExperiment(name) {
  const path = `${file}.${name}.spool`;
  const out = createWriteStream(path);
  const seen = new Map();
  const sums = new Map();
  let rows = 0;
  return {
    path,
    /** @param {Record<string, any>} row */
    async add({ inputs, start_time: start = START, end_time: end = start, error, ...row }) {
      const text = canonical(asked(inputs));
      const k = seen.get(text) ?? 0;
      seen.set(text, k + 1);
      const hash = createHash("sha1").update(NAMESPACE);
      const id = hash
        .update(k === 0 ? text : `${text}\n${k}`)
        .digest()
        .subarray(0, 16);
      id[6] = (id[6] & 0x0f) | 0x50;
      id[8] = (id[8] & 0x3f) | 0x80;
      const hex = id.toString("hex");
      const body = {
        row_id: `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`,
        inputs,
        expected_outputs: row.expected_outputs,
        actual_outputs: row.actual_outputs,
        evaluation_scores: row.evaluation_scores,
        start_time: start,
        end_time: end,
        run_name: row.run_name,
        error: error ?? undefined,
        run_metadata: row.run_metadata,
      };
      for (const { key, score } of row.evaluation_scores ?? [])
        sums.set(key, (sums.get(key) ?? 0) + score);
      if (!out.write((rows++ === 0 ? "" : ",") + JSON.stringify(body))) await once(out, "drain");
    },
    async send() {
      out.end();
      await once(out, "finish");
      async function* body() {
        const metadata = Object.fromEntries([...sums].map(([key, sum]) => [key, sum / rows]));
        yield `${JSON.stringify({ experiment_name: name, experiment_metadata: metadata }).slice(0, -1)},"results":[`;
        yield* createReadStream(path, { highWaterMark: 65_536 });
        yield "]}";
      }
      const reply = await request(`${url}/api/v1/datasets/upload-experiment`, {
        method: "POST",
        body: Readable.from(body()),
        headers: { "content-type": "application/json" },
      });
      await reply.body.text();
      rmSync(path);
    },
  };
}

const READERS = {
  async jsonl() {
    const experiment = createExperiment("rows");
    for await (const line of createInterface({ input: createReadStream(file) }))
      await experiment.add(JSON.parse(line));
    return [experiment];
  },
  async csv() {
    const experiment = createExperiment("rows");
    const records = createReadStream(file).pipe(parse({ columns: true }));
    for await (const record of records)
      await experiment.add({
        inputs: { q: record["inputs.q"] },
        actual_outputs: { a: record["outputs.a"] },
        evaluation_scores: [{ key: "correct", score: Number(record["feedback.correct"]) }],
      });
    return [experiment];
  },
  async promptfoo() {
    const { results } = JSON.parse(readFileSync(file, "utf8"));
    const groups = new Map();
    const started = Date.parse(results.timestamp);
    for (const row of results.results) {
      const key = JSON.stringify([row.provider.id, row.promptIdx]);
      if (!groups.has(key)) groups.set(key, createExperiment(`group${groups.size}`));
      await groups.get(key).add({
        inputs: row.vars,
        actual_outputs: { output: row.response.output },
        evaluation_scores: [
          ...Object.entries(row.namedScores).map(([name, score]) => ({ key: name, score })),
          { key: "score", score: row.score },
          { key: "pass", score: row.success ? 1 : 0 },
        ],
        start_time: results.timestamp,
        end_time: new Date(started + row.latencyMs).toISOString(),
        run_name: row.provider.id,
        run_metadata: {
          promptId: row.promptId,
          prompt: row.prompt.label,
          provider: row.provider.id,
        },
      });
    }
    return [...groups.values()];
  },
};

for (const experiment of await READERS[shape]()) await experiment.send();
const { userCPUTime, systemCPUTime } = process.resourceUsage();
console.error(
  `USED ${JSON.stringify({ mb: peakKib() / 1024, cpu: (userCPUTime + systemCPUTime) / 1e6 })}`,
);
process.exit(0);
