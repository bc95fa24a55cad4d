/**
 * How often do gates fail an agent that did not change, and how often do they see one that did?
 * Simulated runs are judged by the gates themselves, beside the rules of thumb that people write by hand.
 *
 *   node benchmarks/gate-simulation.mjs [runs]     (Node 24: it imports the TypeScript sources)
 *   node benchmarks/gate-simulation.mjs size       time and memory of 100,000 rows with five metrics instead
 *
 * Every example has its own pass rate, drawn from Beta(1.7, 0.3), mean 0.85; every run draws each repeat anew. A worse
 * agent has all rates scaled so that their mean falls by the stated number of points. Seeded: the same table each time.
 */
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";

if (!process.features.typescript) {
  console.log(
    `skipped: gate-simulation imports TypeScript sources, which Node ${process.versions.node} cannot run; use Node 24`,
  );
  process.exit(0);
}

const { judgeGates } = await import("../src/gate/judge.ts");
const { parseGates } = await import("../src/gate/language.ts");
const { createSeededRandom } = await import("../src/gate/calibration.ts");

const { parseBaseline, toBaseline } = await import("../src/gate/baseline.ts");

const RUNS = Number(process.argv[2] ?? 4000);
const PREVIEW = { input: "", expected: "", output: "" };

function normal(random) {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

/** Marsaglia and Tsang 2000. */
function gamma(random, shape) {
  if (shape < 1) return gamma(random, shape + 1) * (1 - random()) ** (1 / shape);
  const d = shape - 1 / 3;
  for (;;) {
    const x = normal(random);
    const v = (1 + x / Math.sqrt(9 * d)) ** 3;
    if (v > 0 && Math.log(1 - random()) < 0.5 * x * x + d - d * v + d * Math.log(v)) return d * v;
  }
}

function beta(random, a, b) {
  const x = gamma(random, a);
  return x / (x + gamma(random, b));
}

/** One run's table: rates[metric][example], `shift` added per cluster. */
function table({ random, rates, repeats, factor = 1, clusters = null, spread = 0 }) {
  const shifts =
    clusters === null ? [] : Array.from({ length: clusters }, () => spread * normal(random));
  const names = Object.keys(rates);
  const n = rates[names[0]].length;
  const rows = [];
  for (let i = 0; i < n; i++) {
    const cluster = clusters === null ? 0 : i % clusters;
    for (let k = 0; k < repeats; k++) {
      const scores = {};
      for (const name of names) {
        const rate = Math.min(1, Math.max(0, rates[name][i] * factor + (shifts[cluster] ?? 0)));
        scores[name] = random() < rate ? 1 : 0;
      }
      rows.push({
        example: String(i).padStart(5, "0"),
        scores,
        error: false,
        latency: null,
        tags: { "inputs.document": String(cluster) },
        preview: PREVIEW,
      });
    }
  }
  return {
    file: "simulated",
    rows,
    state: "complete",
    commit: null,
    created_at: null,
    judge: null,
  };
}

function gatesOf(text) {
  const parsed = parseGates({ text, file: "gate" });
  if (parsed.state !== "parsed") throw new Error(JSON.stringify(parsed.problems));
  return parsed.gates;
}

const drawRates = (random, n) => Array.from({ length: n }, () => beta(random, 1.7, 0.3));

/** What people write instead: each takes means before and after, and whether any example got worse. */
const NAIVE = {
  "any drop": ({ before, after }) => after < before - 1e-12,
  "drop ≥ 2 points": ({ before, after }) => after - before <= -0.02 + 1e-12,
  "drop ≥ 5 points": ({ before, after }) => after - before <= -0.05 + 1e-12,
  "mean < 0.80": ({ after }) => after < 0.8 - 1e-12,
  "any row worse": ({ worse }) => worse > 0,
};

function simulate({ n, repeats, factor, runs, seed }) {
  const random = createSeededRandom(seed);
  const gates = gatesOf("score drop <= 0.02");
  const tally = { gate: 0, ...Object.fromEntries(Object.keys(NAIVE).map((name) => [name, 0])) };
  for (let run = 0; run < runs; run++) {
    const rates = { score: drawRates(random, n) };
    const base = table({ random, rates, repeats });
    const head = table({ random, rates, repeats, factor });
    const judged = judgeGates({ head, base, gates });
    const [gate] = judged.gates;
    if (judged.verdict === "fail") tally.gate++;
    const seen = { before: gate.base, after: gate.head, worse: judged.changed.score?.worse ?? 0 };
    for (const [name, rule] of Object.entries(NAIVE)) if (rule(seen)) tally[name]++;
  }
  return tally;
}

const percent = (count, runs) => `${((100 * count) / runs).toFixed(1)}`;
const failures = [];

function expect(claim, holds) {
  if (!holds) failures.push(claim);
}

function printPower() {
  const sizes = [
    [20, 1],
    [20, 3],
    [50, 1],
    [50, 3],
    [200, 1],
    [200, 3],
    [1000, 1],
    [1000, 3],
  ];
  const wanted = { "50/3/10": 70, "200/1/5": 38, "200/3/10": 98 };
  const rows = Object.fromEntries(
    ["`drop <= 0.02` gate", ...Object.keys(NAIVE)].map((name) => [name, []]),
  );
  for (const [n, repeats] of sizes) {
    const tallies = [0, 5, 10].map((points) => {
      // The unchanged agent is the promise; the power of large sets needs fewer runs to be seen.
      const runs = points > 0 && n >= 1000 ? Math.ceil(RUNS / 8) : RUNS;
      const tally = simulate({
        n,
        repeats,
        factor: (0.85 - points / 100) / 0.85,
        runs,
        seed: 1000 * n + 10 * repeats + points,
      });
      if (points === 0)
        expect(`n=${n} K=${repeats}: false fails ≤ 5.5 %`, tally.gate / runs <= 0.055);
      const least = wanted[`${n}/${repeats}/${points}`];
      if (least !== undefined)
        expect(
          `n=${n} K=${repeats} −${points} points: power ≥ ${least} %`,
          tally.gate / runs >= least / 100,
        );
      return { tally, runs };
    });
    for (const name of Object.keys(rows)) {
      const key = NAIVE[name] ? name : "gate";
      rows[name].push(tallies.map(({ tally, runs }) => percent(tally[key], runs)).join(" / "));
    }
  }
  console.log(`| Rule | ${sizes.map(([n, k]) => `n=${n} K=${k}`).join(" | ")} |`);
  console.log(`|---|${sizes.map(() => "---").join("|")}|`);
  for (const [name, cells] of Object.entries(rows))
    console.log(`| ${name} | ${cells.join(" | ")} |`);
}

function countFails({ n, runs, seed, text, metrics = ["score"], ...shape }) {
  const random = createSeededRandom(seed);
  const gates = gatesOf(text);
  let fails = 0;
  for (let run = 0; run < runs; run++) {
    const rates = Object.fromEntries(metrics.map((metric) => [metric, drawRates(random, n)]));
    const base = table({ random, rates, repeats: 1, ...shape });
    const head = table({ random, rates, repeats: 1, ...shape });
    if (judgeGates({ head, base, gates }).verdict === "fail") fails++;
  }
  return fails;
}

function printShared() {
  console.log("\n| Unchanged agent | share of runs that fail |\n|---|---|");
  const line = (name, fails, promised) => {
    console.log(`| ${name} | ${percent(fails, RUNS)} |`);
    if (promised) expect(`${name}: false fails ≤ 5.5 %`, fails / RUNS <= 0.055);
  };
  for (const [clusters, size] of [
    [10, 10],
    [20, 10],
    [40, 5],
  ]) {
    const shape = { n: clusters * size, clusters, spread: 0.2, runs: RUNS, seed: clusters };
    line(
      `${clusters} clusters of ${size}, luck shared inside, no \`cluster_by\``,
      countFails({ ...shape, text: "score drop <= 0.02" }),
      false,
    );
    line(
      `${clusters} clusters of ${size}, \`cluster_by\``,
      countFails({ ...shape, text: "gates: score drop <= 0.02\ncluster_by: inputs.document" }),
      true,
    );
  }
  const metrics = ["a", "b", "c", "d", "e", "f"];
  for (const [n, repeats] of [
    [50, 1],
    [50, 3],
    [200, 3],
  ]) {
    const text = metrics.map((metric) => `${metric} drop <= 0.02`).join("\n");
    line(
      `six gated metrics, n=${n} K=${repeats}`,
      countFails({ n, repeats, runs: RUNS, seed: n + repeats, text, metrics }),
      true,
    );
  }
  for (const n of [50, 200]) {
    line(
      `no drop allowed (\`drop <= 0\`), n=${n} K=3`,
      countFails({ n, repeats: 3, runs: RUNS, seed: 7 * n, text: "score drop <= 0" }),
      true,
    );
  }
}

/** A baseline file and a run of 100,000 rows with five metrics and a latency, judged by seven gates. */
function measureSize() {
  const random = createSeededRandom(5);
  const id = (i) => `${i.toString(16).padStart(8, "0")}${"0123456789abcdef".repeat(3)}01234567`;
  const run = () => ({
    file: "run",
    state: "complete",
    commit: null,
    created_at: null,
    judge: null,
    rows: Array.from({ length: 100_000 }, (_, i) => ({
      example: id((i * 7919) % 100_000),
      error: false,
      latency: random() * 4,
      tags: {},
      preview: { input: `question ${i}`, expected: "", output: `answer ${i}` },
      scores: {
        a: random() < 0.85 ? 1 : 0,
        b: random(),
        c: random(),
        d: random() < 0.5 ? 1 : 0,
        e: Math.round(random() * 5),
      },
    })),
  });
  // The baseline is made by another process, so that only reading and judging it counts here.
  if (process.argv[3] === "write") {
    process.stdout.write(toBaseline(run(), { commit: null, created_at: "2026-01-01T00:00:00Z" }));
    return;
  }
  const text = execFileSync(process.execPath, [fileURLToPath(import.meta.url), "size", "write"], {
    encoding: "utf8",
    maxBuffer: 1e8,
  });
  const head = run();
  const gates = gatesOf(
    "a drop <= 0.02\nb drop <= 0.02\nc drop <= 0.02\nd drop <= 0.02\ne drop <= 0.02\na >= 0.8\nlatency_p95 <= 4s",
  );
  const before = process.memoryUsage().rss;
  const cpu = process.cpuUsage();
  const started = performance.now();
  const parsed = parseBaseline(text, "baseline.json");
  const { verdict } = judgeGates({ head, base: parsed.table, gates });
  const seconds = (performance.now() - started) / 1000;
  const used = process.cpuUsage(cpu);
  const megabytes = (bytes) => Math.round(bytes / 1e6);
  console.log(
    `100,000 rows x 5 metrics against a baseline of ${megabytes(text.length)} MB: ${verdict}; read and judged in ${seconds.toFixed(2)} s (${((used.user + used.system) / 1e6).toFixed(2)} s of processor); memory ${megabytes(before)} MB before, ${megabytes(process.resourceUsage().maxRSS * 1024)} MB at most`,
  );
}

if (process.argv[2] === "size") {
  measureSize();
} else {
  simulateAll();
}

function simulateAll() {
  console.log(
    `Share of ${RUNS} simulated runs that fail, percent: unchanged agent / −5 points / −10 points\n`,
  );
  printPower();
  printShared();
  console.log(
    failures.length === 0 ? "\nEvery promise holds." : `\nBROKEN:\n${failures.join("\n")}`,
  );
  process.exitCode = failures.length === 0 ? 0 : 1;
}
