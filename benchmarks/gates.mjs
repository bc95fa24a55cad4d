/**
 * How often do gates fail an agent that did not change? Simulated runs are judged by the gates themselves. Seeded: the
 * same table each time. GATE_RUNS sets the runs per cell (300 unless set).
 */
import { judgeGates } from "../build/gate/judge.js";
import { parseGates } from "../build/gate/language.js";
import { createSeededRandom } from "../build/gate/random.js";
import { createTableBuilder } from "../build/gate/table.js";
import { print } from "./figure.mjs";

const RUNS = Number(process.env.GATE_RUNS ?? 300);
const FACTS = { file: "run", state: "complete", commit: null, created_at: null, judge: null };
const PREVIEW = { input: "", expected: "", output: "" };

const normal = (random) =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());

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

const clamp = (value, low, high) => Math.max(low, Math.min(high, value));

/** How one example scores, run after run. */
const KINDS = {
  "0/1 stable": (random) => {
    const mark = random() < 0.85 ? 1 : 0;
    return () => (random() < 0.97 ? mark : 1 - mark);
  },
  "0/1 noisy": (random) => {
    const rate = beta(random, 1.7, 0.3);
    return () => (random() < rate ? 1 : 0);
  },
  skewed: (random) => {
    const scale = Math.exp(normal(random) / 2);
    return () => scale * Math.exp(0.7 * normal(random));
  },
  ties: (random) => {
    const middle = 3 + 0.8 * normal(random);
    return () => clamp(Math.round(middle + 0.6 * normal(random)), 1, 5);
  },
  "heavy tails": (random) => {
    const middle = normal(random);
    return () => middle + normal(random) / Math.sqrt(gamma(random, 1.5) / 1.5);
  },
  "judge noise": (random) => {
    const middle = 0.3 + 0.6 * random();
    return () => clamp(middle + 0.15 * normal(random), 0, 1);
  },
};

function makeRun({ random, samplers, repeats, missing, errors, clusterOf, shifts }) {
  const builder = createTableBuilder();
  samplers.forEach((metrics, i) => {
    for (let k = 0; k < repeats; k++) {
      const error = random() < errors;
      const scores = {};
      if (!error)
        metrics.forEach((draw, m) => {
          if (random() >= missing) scores[`m${m}`] = draw() + (shifts?.[clusterOf[i]] ?? 0);
        });
      builder.add({
        example: String(i).padStart(6, "0"),
        scores,
        error,
        latency: null,
        tags: clusterOf === null ? {} : { "inputs.c": String(clusterOf[i]) },
        preview: PREVIEW,
      });
    }
  });
  return builder.finish(FACTS);
}

function simulate({ kind, n, gates = 1, a = 1, b = 1, missing = 0, errors = 0, sizes = null }) {
  const random = createSeededRandom(n * 31 + gates * 7 + a * 3 + b + RUNS);
  const clusterOf = sizes === null ? null : sizes.flatMap((size, c) => Array(size).fill(c));
  const lines = Array.from({ length: gates }, (_, m) => `  - m${m} drop <= 0\n`).join("");
  const { gates: set } = parseGates({
    text: `gates:\n${lines}${sizes === null ? "" : "cluster_by: inputs.c\n"}`,
    file: "gates.yml",
  });
  let [failed, open] = [0, 0];
  for (let run = 0; run < RUNS; run++) {
    const samplers = Array.from({ length: clusterOf?.length ?? n }, () =>
      Array.from({ length: gates }, () => KINDS[kind](random)),
    );
    const draw = (repeats) => {
      const shifts = sizes?.map(() => 0.1 * normal(random));
      return makeRun({ random, samplers, repeats, missing, errors, clusterOf, shifts });
    };
    const base = draw(b);
    const { verdict } = judgeGates({ head: draw(a), base, gates: set });
    if (verdict === "fail") failed++;
    if (verdict === "inconclusive") open++;
  }
  return { failed: failed / RUNS, open: open / RUNS };
}

function show(name, cell) {
  const { failed, open } = simulate(cell);
  const percent = (share) => Number((100 * share).toFixed(1));
  print(`${name}: unchanged agent failed`, percent(failed), "%", "<= 5.5");
  if ((cell.gates ?? 1) <= 5) print(`${name}: inconclusive`, percent(open), "%", "<= 20");
}

for (const kind of Object.keys(KINDS))
  for (const [a, b] of [
    [1, 1],
    [3, 3],
    [10, 1],
    [1, 10],
    [3, 10],
  ])
    for (const n of [20, 50, 200]) show(`${kind}, n=${n}, ${a}:${b}`, { kind, n, a, b });
for (const gates of [5, 20])
  for (const n of [50, 200])
    show(`0/1 noisy, ${gates} gates, n=${n}`, { kind: "0/1 noisy", n, gates });
for (const share of [0.1, 0.3]) {
  show(`0/1 noisy, n=100, ${100 * share}% missing`, { kind: "0/1 noisy", n: 100, missing: share });
  show(`0/1 noisy, n=100, ${100 * share}% errors`, { kind: "0/1 noisy", n: 100, errors: share });
}
for (const sizes of [Array(10).fill(10), Array(20).fill(10), [30, 10, 10, 10, 10, 10, 5, 5, 5, 5]])
  show(`clusters of ${sizes.join(" ")}`, { kind: "judge noise", n: 0, sizes });
