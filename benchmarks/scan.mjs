// What looking at rows as bytes saves of an upload's own work: CPU time of the check and of the body
// of 50,000 rows of the document's own format, with src/experiment/row-scan.ts and with the parser
// alone. The network and the service come on top on both sides.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readExperiments } from "../build/experiment/experiment.js";
import { streamBody } from "../build/experiment/body.js";
import { FORMATS } from "../build/experiment/formats/registry.js";
import { print } from "./figure.mjs";

const ROWS = 50_000;
const RUNS = 3;
const HEADER = {
  experiment_name: "scan",
  experiment_start_time: "2026-01-01T00:00:00Z",
  experiment_end_time: "2026-01-02T00:00:00Z",
  dataset_name: "scan",
};

function rowsText() {
  return Array.from({ length: ROWS }, (_, index) => {
    const time = new Date(Date.UTC(2026, 0, 1) + index * 10).toISOString();
    return JSON.stringify({
      inputs: { question: `question ${index}`, context: "c".repeat(300) },
      expected_outputs: { answer: "e".repeat(100) },
      actual_outputs: { answer: "a".repeat(250) },
      evaluation_scores: [{ key: "correctness", score: index % 2 }],
      start_time: time,
      end_time: time,
    });
  }).join("\n");
}

async function cpuOf(root) {
  const before = process.cpuUsage();
  const { experiments } = await readExperiments({ paths: ["rows.jsonl"], workspace: { root } });
  let bytes = 0;
  for await (const chunk of streamBody(experiments[0], HEADER)) bytes += chunk.length;
  const { user, system } = process.cpuUsage(before);
  if (bytes < ROWS * 700) throw new Error("the body lacks rows");
  return (user + system) / 1e6;
}

const folder = mkdtempSync(join(tmpdir(), "agent-deploy-scan-"));
writeFileSync(join(folder, "rows.jsonl"), rowsText());
const own = FORMATS.find(({ name }) => name === "rows");
const { open } = own;
const best = { bytes: Infinity, parser: Infinity };
for (let run = 0; run < RUNS; run += 1)
  for (const way of ["bytes", "parser"]) {
    // The way of every other format: rows are parsed and written anew.
    own.open = (...args) =>
      way === "bytes" ? open(...args) : { ...open(...args), texts: undefined };
    best[way] = Math.min(best[way], await cpuOf(folder));
  }
rmSync(folder, { recursive: true });
print("50,000 rows, looked at as bytes: CPU time", best.bytes, "s");
print("50,000 rows, parsed and written anew: CPU time", best.parser, "s");
print("saved", 100 * (1 - best.bytes / best.parser), "%", "> 20");
