/**
 * How often do gates fail an agent that did not change? Simulated runs are judged by the gates themselves. Seeded: the
 * same table each time. GATE_RUNS sets the runs per cell (300 unless set), GATE_CELLS a pattern of the cells to run.
 */
import { judgeGates } from "../build/gate/judge.js";
import { parseGates } from "../build/gate/language.js";
import { createSeededRandom } from "../build/gate/random.js";
import { print } from "./figure.mjs";
import { KINDS, makeRun, normal } from "./gate-agents.mjs";

const RUNS = Number(process.env.GATE_RUNS ?? 300);
const CELLS = new RegExp(process.env.GATE_CELLS ?? "", "u");

/** The value that half of all runs of the gated mean lie under, found with the cell's own agents. */
function trueMean({ kind, n, random }) {
  let [sum, count] = [0, 0];
  for (let i = 0; i < Math.max(20_000, 20 * n); i++) {
    const draw = KINDS[kind](random);
    for (let k = 0; k < 5; k++) sum += draw();
    count += 5;
  }
  return sum / count;
}

function linesOf({ kind, gates, floors, n }, random) {
  if (!floors) return Array.from({ length: gates }, (_, m) => `  - m${m} drop <= 0\n`).join("");
  const bar = trueMean({ kind, n, random });
  return Array.from({ length: gates }, (_, m) => `  - m${m} >= ${bar.toFixed(6)}\n`).join("");
}

function simulate(cell) {
  const { kind, n, gates = 1, a = 1, b = 1, missing = 0, errors = 0, sizes = null, floors } = cell;
  const random = createSeededRandom(n * 31 + gates * 7 + a * 3 + b + RUNS);
  const clusterOf = sizes === null ? null : sizes.flatMap((size, c) => Array(size).fill(c));
  const { gates: set } = parseGates({
    text: `gates:\n${linesOf({ kind, gates, floors, n }, random)}${sizes === null ? "" : "cluster_by: inputs.c\n"}`,
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
    const base = floors ? null : draw(b);
    const { verdict } = judgeGates({ head: draw(a), base, gates: set });
    if (verdict === "fail") failed++;
    if (verdict === "inconclusive") open++;
  }
  return { failed: failed / RUNS, open: open / RUNS };
}

function show(name, cell) {
  if (!CELLS.test(name)) return;
  const { failed, open } = simulate(cell);
  const percent = (share) => Number((100 * share).toFixed(1));
  print(`${name}: unchanged agent failed`, percent(failed), "%", "<= 5.5");
  if ((cell.gates ?? 1) <= 5 && !cell.floors)
    print(`${name}: inconclusive`, percent(open), "%", "<= 20");
}

for (const kind of Object.keys(KINDS))
  for (const [a, b] of [
    [1, 1],
    [3, 3],
    [10, 1],
    [1, 10],
    [3, 10],
  ])
    for (const n of [20, 50, 200, 1000]) show(`${kind}, n=${n}, ${a}:${b}`, { kind, n, a, b });
for (const gates of [5, 20])
  for (const n of [50, 200])
    show(`0/1 noisy, ${gates} gates, n=${n}`, { kind: "0/1 noisy", n, gates });
for (const share of [0.1, 0.3]) {
  show(`0/1 noisy, n=100, ${100 * share}% missing`, { kind: "0/1 noisy", n: 100, missing: share });
  show(`0/1 noisy, n=100, ${100 * share}% errors`, { kind: "0/1 noisy", n: 100, errors: share });
}
for (const sizes of [Array(10).fill(10), Array(20).fill(10), [30, 10, 10, 10, 10, 10, 5, 5, 5, 5]])
  show(`clusters of ${sizes.join(" ")}`, { kind: "judge noise", n: 0, sizes });
for (const kind of ["0/1 noisy", "judge noise", "skewed", "heavy tails", "ties"])
  for (const gates of [1, 5, 20])
    for (const [n, a] of [
      [20, 1],
      [100, 1],
      [100, 3],
    ])
      show(`${gates} floors at the true value, ${kind}, n=${n}, ${a} runs`, {
        kind,
        n,
        a,
        gates,
        floors: true,
      });
