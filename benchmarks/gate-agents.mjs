/**
 * Made-up agents for the simulations of gates: how one example scores, run after run, and whole runs of them. Seeded.
 */
import { createTableBuilder } from "../build/gate/table.js";

export const FACTS = {
  file: "run",
  state: "complete",
  commit: null,
  created_at: null,
  judge: null,
};
const PREVIEW = { input: "", expected: "", output: "" };

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
};

export function makeRun({ random, samplers, repeats, missing, errors, clusterOf, shifts }) {
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
