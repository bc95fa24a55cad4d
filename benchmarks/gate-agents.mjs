/**
 * Made-up agents for the simulations of gates: how one example scores, run after run, and whole runs of them. Seeded.
 */
import { pickRows } from "#built/gate/table.js";

/** @type {import("#built/gate/row.js").TableFacts} */
export const FACTS = {
  file: "run",
  state: "complete",
  commit: null,
  created_at: null,
  judge: null,
};

export const normal = (random) =>
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

export function beta(random, a, b) {
  const x = gamma(random, a);
  return x / (x + gamma(random, b));
}

/** A seed of its own for every text. */
export function seedOf(text) {
  let hash = 0x811c9dc5;
  for (const char of text) hash = Math.imul(hash ^ char.charCodeAt(0), 0x01000193);
  return hash >>> 0;
}

const clamp = (value, low, high) => Math.max(low, Math.min(high, value));

/** How one example scores, run after run. */
export const KINDS = {
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
  "nearly constant": (random) => () => (random() < 0.9 ? 0.8 : 1),
  "rare failures": (random) => () => (random() < 0.999 ? 1 : 0),
  "long tail": (random) => () => Math.exp(normal(random)),
};

/** The means of the kinds that have one by formula; the others are drawn. */
const MEANS = {
  "0/1 stable": 0.85 * 0.97 + 0.15 * 0.03,
  "0/1 noisy": 1.7 / 2,
  skewed: Math.exp((0.25 + 0.49) / 2),
  "heavy tails": 0,
  "nearly constant": 0.82,
  "rare failures": 0.999,
  "long tail": Math.exp(0.5),
};
const drawn = new Map();

/** The mean of everything that agents of a kind ever score. */
export function trueMean(kind, random) {
  if (MEANS[kind] !== undefined) return MEANS[kind];
  if (!drawn.has(kind)) {
    const runs = 1_000_000;
    let sum = 0;
    for (let i = 0; i < runs; i++) sum += KINDS[kind](random)();
    drawn.set(kind, sum / runs);
  }
  return drawn.get(kind);
}

const PREVIEW = { input: "", expected: "", output: "" };

/** One run: a table as a reader would make it. `clusterOf` puts examples into clusters, `shifts` are theirs. */
export function makeRun({ random, samplers, repeats, missing, errors, clusterOf, shifts }) {
  const size = samplers.length * repeats;
  const gates = samplers[0].length;
  const columns = Array.from({ length: gates }, () => new Float64Array(size).fill(NaN));
  const error = new Uint8Array(size);
  const example = new Array(size);
  for (let i = 0, row = 0; i < samplers.length; i++) {
    const name = String(i).padStart(6, "0");
    const shift = shifts === undefined ? 0 : shifts[clusterOf[i]];
    for (let k = 0; k < repeats; k++, row++) {
      example[row] = name;
      if (errors > 0 && random() < errors) error[row] = 1;
      else
        for (let m = 0; m < gates; m++)
          if (missing === 0 || random() >= missing) columns[m][row] = samplers[i][m]() + shift;
    }
  }
  const metrics = columns.map((_, m) => `m${m}`).sort();
  const tag = (row) => String(clusterOf[Math.floor(row / repeats)]);
  const rows = {
    ...FACTS,
    size,
    example,
    error,
    latency: new Float64Array(size).fill(NaN),
    metrics,
    scores: new Map(metrics.map((metric) => [metric, columns[Number(metric.slice(1))]])),
    tagNames: clusterOf === null ? [] : ["inputs.c"],
    tag: clusterOf === null ? () => undefined : tag,
    preview: () => PREVIEW,
  };
  return pickRows(rows, Int32Array.from(example.keys()));
}
