/**
 * Is the size of fall that the report states found in 8 of 10 runs? For each cell, unchanged runs state one, and runs
 * that are worse by the mean of these are judged; in a family only its first metric falls. Seeded. GATE_RUNS sets the
 * runs per cell (300 unless set), GATE_CELLS a pattern.
 */
import { judgeGates } from "../build/gate/judge.js";
import { parseGates } from "../build/gate/language.js";
import { createSeededRandom } from "../build/gate/random.js";
import { print } from "./figure.mjs";
import { beta, KINDS, makeRun, normal, REPEATS, seedOf, trueMean } from "./gate-agents.mjs";

const RUNS = Number(process.env.GATE_RUNS ?? 300);
const CELLS = new RegExp(process.env.GATE_CELLS ?? "", "u");

/** Before and after a fall of the mean. */
const AGENTS = {
  "0/1 stable": (random, fall) => {
    const good = random() < 0.85;
    // What breaks still passes in 2 of 100 runs, what does not fails in 2: the mean falls by `fall`.
    const breaks = random() < fall / 0.85 / 0.96;
    const draw = (right) => () => Number(random() < 0.98 ? right : !right);
    return { before: draw(good), after: draw(good && !breaks) };
  },
  "0/1 noisy": (random, fall) => {
    const rate = beta(random, 1.7, 0.3);
    return {
      before: () => Number(random() < rate),
      after: () => Number(random() < rate * (1 - fall / 0.85)),
    };
  },
  ties: (random, fall) => {
    const middle = 3 + 0.8 * normal(random);
    const draw = (shift) =>
      Math.max(1, Math.min(5, Math.round(middle - shift + 0.6 * normal(random))));
    // The ends of the scale swallow a part of the shift.
    return { before: () => draw(0), after: () => draw(fall / 0.955) };
  },
  ...Object.fromEntries(
    ["skewed", "heavy tails", "judge noise"].map((kind) => [
      kind,
      (random, fall) => {
        const draw = KINDS[kind](random);
        return { before: draw, after: () => draw() - fall };
      },
    ]),
  ),
};

/** What the means of unchanged agents are. */
const meanOf = (kind) =>
  kind === "0/1 stable" ? 0.85 * 0.98 + 0.15 * 0.02 : trueMean(kind, createSeededRandom(7));

const WEIGHTS = { even: () => 1, uneven: (c) => 1 + (c % 5) };

/** At least ten clusters, of about ten rows where there are enough. */
function clustersOf(n, weightOf) {
  const weights = Array.from({ length: Math.max(10, Math.round(n / 10)) }, (_, c) => weightOf(c));
  const all = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.flatMap((weight, c) => Array(Math.max(1, Math.round((n * weight) / all))).fill(c));
}

function runsOf({ kind, n, a, b, gates, clusters }, fall, random) {
  const clusterOf = clusters === undefined ? null : clustersOf(n, WEIGHTS[clusters]);
  const agents = Array.from({ length: clusterOf?.length ?? n }, () =>
    Array.from({ length: gates }, (_, m) => AGENTS[kind](random, m === 0 ? fall : 0)),
  );
  const draw = (which, repeats) => {
    const isMoved = clusterOf !== null && !kind.startsWith("0/1");
    const shifts = isMoved
      ? Array.from({ length: clusterOf.at(-1) + 1 }, () => 0.1 * normal(random))
      : undefined;
    const samplers = agents.map((metrics) => metrics.map((agent) => agent[which]));
    return makeRun({ random, samplers, repeats, missing: 0, errors: 0, clusterOf, shifts });
  };
  return { base: draw("before", b), head: draw("after", a) };
}

function nameOf({ kind, n, a, b, gates, clusters, floor, limit }) {
  const about = clusters === undefined ? kind : `${kind}, clusters ${clusters}`;
  if (floor) return `stated shortfall, ${about}, n=${n}, ${a} runs`;
  const rest = `${gates > 1 ? `, ${gates} gates` : ""}${limit === 0 ? "" : `, limit ${limit}`}`;
  return `stated fall, ${about}, n=${n}, ${a}:${b}${rest}`;
}

function gatesOf({ kind, gates, clusters, floor, limit }) {
  const rule = floor ? `>= ${meanOf(kind).toFixed(6)}` : `drop <= ${limit}`;
  const lines = Array.from({ length: gates }, (_, m) => `  - m${m} ${rule}\n`);
  const text = `gates:\n${lines.join("")}${clusters === undefined ? "" : "cluster_by: inputs.c\n"}`;
  return parseGates({ text, file: "gates.yml" }).gates;
}

/** The share of runs that find the fall that unchanged runs state on average. */
export function simulate(cell, runs) {
  const random = createSeededRandom(seedOf(nameOf(cell)));
  const gates = gatesOf(cell);
  const judge = (fall) => {
    const { head, base } = runsOf(cell, fall, random);
    return judgeGates({ head, base: cell.floor ? null : base, gates }).gates[0];
  };
  const stated = Array.from({ length: Math.ceil(runs / 2) }, () => judge(0).mde).filter(
    (mde) => mde !== null,
  );
  const fall = stated.reduce((sum, mde) => sum + mde, 0) / stated.length;
  const found = Array.from({ length: runs }, () => judge(fall)).filter(
    ({ verdict }) => verdict === "fail",
  ).length;
  return { fall, found: found / runs };
}

const EXAMPLES = [20, 50, 200];
const ONE = { gates: 1, limit: 0, floor: false };

function listCells() {
  const kinds = Object.keys(AGENTS);
  const sizes = EXAMPLES.flatMap((n) => REPEATS.map(([a, b]) => ({ n, a, b })));
  const drops = kinds.flatMap((kind) => sizes.map((size) => ({ ...ONE, kind, ...size })));
  const clustered = ["0/1 stable", "0/1 noisy", "judge noise"].flatMap((kind) =>
    Object.keys(WEIGHTS).flatMap((clusters) =>
      sizes.filter(({ n }) => n > 20).map((size) => ({ ...ONE, kind, clusters, ...size })),
    ),
  );
  const families = ["0/1 noisy", "judge noise"].flatMap((kind) =>
    [5, 20].flatMap((gates) => [50, 200].map((n) => ({ ...ONE, kind, gates, n, a: 1, b: 1 }))),
  );
  const limits = ["0/1 stable", "judge noise"].map((kind) => ({
    ...ONE,
    kind,
    limit: 0.02,
    n: 200,
    a: 1,
    b: 1,
  }));
  const floors = kinds.flatMap((kind) =>
    EXAMPLES.flatMap((n) => [1, 3, 10].map((a) => ({ ...ONE, kind, n, a, b: 1, floor: true }))),
  );
  const large = { ...ONE, kind: "0/1 stable", n: 1000, a: 1, b: 1 };
  return [...drops, large, ...clustered, ...families, ...limits, ...floors];
}

if (process.argv[1]?.endsWith("gate-sensitivity.mjs"))
  for (const cell of listCells()) {
    const name = nameOf(cell);
    if (!CELLS.test(name)) continue;
    const { fall, found } = simulate(cell, RUNS);
    print(
      `${name}: ${fall.toPrecision(2)} found`,
      Number((100 * found).toFixed(1)),
      "%",
      "75 to 85",
    );
  }
