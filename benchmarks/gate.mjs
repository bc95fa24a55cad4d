// 200,000 rows with 20 gates against a baseline file, through the command line: all of it, and
// without reading the results.
import { spawnSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseBaseline } from "#built/gate/baseline-reading.js";
import { judgeGates } from "#built/gate/judge.js";
import { parseGates } from "#built/gate/language.js";
import { createSeededRandom } from "#built/gate/chance.js";
import { print } from "./figure.mjs";
import { dist } from "./processes.mjs";

const ROWS = 200_000;
const METRICS = Array.from({ length: 20 }, (_, m) => `metric_${m}`);
const folder = mkdtempSync(join(tmpdir(), "agent-deploy-bench-"));
const random = createSeededRandom(7);

/** Every other metric is a mark, the rest are graded; with `worse` one example in forty got worse. */
function write(name, worse) {
  const file = openSync(join(folder, name), "w");
  for (let i = 0; i < ROWS; ) {
    const lines = [];
    for (const end = Math.min(ROWS, i + 1000); i < end; i++) {
      const fallen = worse && i % 40 === 0 ? 0.5 : 0;
      const scores = METRICS.map((key, m) => {
        const score = m % 2 === 1 ? Number(random() < 0.9 - fallen) : random().toFixed(3);
        return `{"key":"${key}","score":${score}}`;
      });
      lines.push(
        `{"inputs":{"question":"What is item number ${i} of the list?"},"actual_outputs":{"answer":"answer ${Math.floor(9 * random())}"},"start_time":"2026-01-01T00:00:00.000Z","end_time":"2026-01-01T00:00:0${Math.floor(1 + 8 * random())}.500Z","evaluation_scores":[${scores.join(",")}]}\n`,
      );
    }
    writeSync(file, lines.join(""));
  }
  closeSync(file);
}

/** One run of the command line: CPU seconds and the most memory it held, as it reports at its end. */
function run(...args) {
  const told = join(folder, "told.json");
  const { status, stderr } = spawnSync(
    process.execPath,
    ["-r", new URL("spent.cjs", import.meta.url).pathname, `${dist}cli.js`, "gate", ...args],
    { cwd: folder, env: { ...process.env, SPENT_FILE: told }, encoding: "utf8" },
  );
  if (status !== 0) throw new Error(`gate ended with ${status}: ${stderr.slice(-2000)}`);
  return JSON.parse(readFileSync(told, "utf8"));
}

try {
  write("base.jsonl", false);
  write("head.jsonl", true);
  const lines = METRICS.map((metric) => `${metric} drop <= 0.02`).join("\n");
  const made = ["--gate", "metric_1 >= 0.1", "--write-baseline", "baseline.json"];
  run("--experiment", "base.jsonl", ...made, "--accept-baseline");
  const judging = ["--experiment", "head.jsonl", "--gate", lines];
  const runs = [1, 2, 3].map(() => run(...judging, "--baseline", "baseline.json"));
  const least = (key) => Math.min(...runs.map((one) => one[key]));
  print("200,000 rows × 20 gates + baseline: CPU", least("cpuMs") / 1000, "s", "≤ 4");
  print("200,000 rows × 20 gates + baseline: peak memory", least("peakMb"), "MB", "≤ 300");
  const begin = process.cpuUsage();
  const parsed = parseBaseline(readFileSync(join(folder, "baseline.json"), "utf8"), "base");
  const read = process.cpuUsage(begin).user / 1e6;
  if (parsed.state !== "parsed") throw new Error(parsed.problem.message);
  const [{ table }] = parsed.baseline.groups;
  const head = { ...table, scores: new Map(table.scores) };
  for (const [key, values] of table.scores) head.scores.set(key, values.slice().reverse());
  const read20 = parseGates({ text: lines, file: "gates" });
  if (read20.state !== "parsed") throw new Error(read20.problems[0].message);
  const started = process.cpuUsage();
  judgeGates({ head, base: table, gates: read20.gates });
  print("of it the baseline file", read, "s");
  print("of it the judgement", process.cpuUsage(started).user / 1e6, "s", "< 3");
} finally {
  rmSync(folder, { recursive: true, force: true });
}
