// Every number of the gates' arithmetic against scipy, numpy and statsmodels, to 1e-9. The values are drawn with a fixed seed.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { compile } from "../compile.mjs";
import { pythonPrograms, run, temporaryFolder } from "./toolbox.mjs";

const VERSIONS = { scipy: "1.17.1", numpy: "2.4.6", statsmodels: "0.15.0" };
const CLOSE = 1e-9;
const CASES = 400;

/** What the other side computes; each takes the list of arguments of one question. */
const PYTHON = `
import itertools, json, sys
import numpy as np
from scipy import stats
from statsmodels.stats.proportion import proportion_confint

def signs(differences):
    d = np.array(differences)
    sums = np.array([np.dot(p, d) for p in itertools.product([-1, 1], repeat=len(d))])
    below, equal = sums < d.sum() - 1e-9, np.abs(sums - d.sum()) <= 1e-9
    return float(np.mean(below) + np.mean(equal) / 2)

def mcnemar(worse, better):
    n = worse + better
    if n >= 15:
        return stats.norm.cdf((better - worse) / n ** 0.5)
    return stats.binom.sf(worse - 1, n, 0.5) - stats.binom.pmf(worse, n, 0.5) / 2

ANSWERS = {
    "studentCdf": lambda t, df: stats.t.cdf(t, df),
    "studentQuantile": lambda p, df: stats.t.ppf(p, df),
    "normalCdf": lambda z: stats.norm.cdf(z),
    "binomialUpperTail": lambda k, n, q: stats.binom.sf(k - 1, n, q),
    "lowerBoundOfMean": lambda hits, n, c: proportion_confint(hits, n, alpha=2 * 0.98 * (1 - c), method="beta")[0],
    "wilson": lambda hits, n: list(proportion_confint(hits, n, method="wilson")),
    "quantileOf": lambda values, q: np.quantile(values, q),
    "estimateMean": lambda values: [np.mean(values), stats.sem(values)],
    "studentInterval": lambda m, se, df, c: list(stats.t.interval(c, df, loc=m, scale=se)),
    "mcnemar": mcnemar,
    "exchangedSigns": signs,
}
for name, args in json.load(open(sys.argv[1])):
    answer = ANSWERS[name](*args)
    print(json.dumps([float(x) for x in answer] if isinstance(answer, list) else float(answer)))
`;

const between = (random, low, high) => low + (high - low) * random();
const whole = (random, low, high) => Math.floor(between(random, low, high + 1));
const list = (size, draw) => Array.from({ length: size }, draw);

/** The modules of src/gate/ that are asked; by literal paths, so that their calls are type-checked. */
const loadRooms = async () => ({
  distribution: await import("#built/gate/distribution.js"),
  interval: await import("#built/gate/interval.js"),
  metric: await import("#built/gate/metric.js"),
  bound: await import("#built/gate/mean-bound.js"),
  chance: await import("#built/gate/chance.js"),
  exchange: await import("#built/gate/exchange.js"),
});
/** @typedef {Awaited<ReturnType<typeof loadRooms>>} Rooms */

/**
 * Questions to both sides: a name, the arguments, and what ours says.
 * @param {Rooms} rooms
 * @param {() => number} random
 */
function askOurs({ distribution, interval, metric, bound, chance, exchange }, random) {
  const asked = [];
  const ask = (name, draw, answer, { times = CASES, close = CLOSE } = {}) => {
    for (let i = 0; i < times; i++) {
      const args = draw();
      asked.push({ name, args, close, ours: answer(...args) });
    }
  };
  const degrees = () => (random() < 0.5 ? whole(random, 1, 40) : between(random, 1, 5000));
  const { studentCdf, studentQuantile, normalCdf, binomialUpperTail } = distribution;
  ask("studentCdf", () => [between(random, -8, 8), degrees()], studentCdf);
  ask("studentQuantile", () => [between(random, 0.0005, 0.9995), degrees()], studentQuantile);
  ask("normalCdf", () => [between(random, -9, 9)], normalCdf);
  const counted = () => {
    const n = whole(random, 1, random() < 0.5 ? 60 : 20_000);
    return [whole(random, 0, n), n];
  };
  ask("binomialUpperTail", () => [...counted(), random()], binomialUpperTail);
  ask("wilson", counted, (hits, n) => [...interval.wilson(hits / n, n)], { close: 1e-5 });
  const values = () => list(whole(random, 2, 60), () => Number(between(random, -3, 9).toFixed(3)));
  ask(
    "quantileOf",
    () => [values(), random()],
    (some, q) => metric.quantileOf(Float64Array.from(some).sort(), q),
  );
  ask(
    "estimateMean",
    () => [values()],
    (some) => {
      const { mean, scatter } = interval.estimateMean(Float64Array.from(some), null);
      return [mean, scatter?.se ?? 0];
    },
  );
  ask(
    "studentInterval",
    () => [between(random, -5, 5), between(random, 0.01, 3), degrees(), between(random, 0.5, 0.99)],
    (mean, se, df, confidence) => [...interval.studentInterval(mean, { se, df }, confidence)],
  );
  // Of 0/1 it is Clopper and Pearson's, which its saddlepoint is right to a hundredth of the chance of.
  const marks = (hits, n) => Float64Array.from({ length: n }, (_, i) => Number(i < hits));
  ask(
    "lowerBoundOfMean",
    () => [whole(random, 5, 45), 50, 0.95],
    (hits, n, confidence) => bound.lowerBoundOfMean(marks(hits, n), 0, confidence),
    { times: 40, close: 0.005 },
  );
  ask("mcnemar", () => [whole(random, 1, 40), whole(random, 0, 40)], chance.mcnemar);
  ask(
    "exchangedSigns",
    () => [list(whole(random, 2, 9), () => Number(between(random, -2, -0.01).toFixed(2)))],
    (some) => chanceOfSigns({ exchange, chance }, some),
    { times: 60 },
  );
  return asked;
}

/**
 * How often exchanged signs give a sum as low; so few are counted whole.
 * @param {Pick<Rooms, "exchange" | "chance">} rooms
 * @param {readonly number[]} differences
 */
function chanceOfSigns({ exchange, chance }, differences) {
  const places = Int32Array.from(differences.keys());
  const start = Int32Array.from({ length: differences.length + 1 }, (_, at) => at);
  const values = Float64Array.from(differences);
  /** @type {import("#built/gate/exchange.js").ExchangeColumn} */
  const column = {
    pairs: { head: places, base: places },
    head: { start, values },
    base: { start, values: new Float64Array(values.length) },
    differences: values,
    total: differences.reduce((sum, value) => sum + value, 0),
    single: true,
    statistic: null,
    sign: 1,
    marks: null,
  };
  const units = exchange.blocksOf(differences.length);
  const [{ z, draws }] = exchange.drawColumns([column], units, { group: 0, of: 1 });
  return chance.shareBelow(draws, z, 0);
}

const near = (a, b, close) => Math.abs(a - b) <= close * Math.max(1, Math.abs(b));

async function runStatistics({ check }) {
  compile();
  const rooms = await loadRooms();
  const asked = askOurs(rooms, rooms.chance.createSeededRandom(22));
  const packages = Object.entries(VERSIONS).map(([name, version]) => `${name}==${version}`);
  const bin = await pythonPrograms(`statistics-${packages.join("-")}`, packages, "f2py");
  const folder = temporaryFolder();
  const [program, questions] = [join(folder, "answers.py"), join(folder, "questions.json")];
  writeFileSync(program, PYTHON);
  writeFileSync(questions, JSON.stringify(asked.map(({ name, args }) => [name, args])));
  const { code, stdout, stderr } = await run(join(bin, "python3"), [program, questions]);
  if (code !== 0) throw new Error(stderr.slice(-2000));
  const answers = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  const byName = new Map();
  asked.forEach(({ name, args, ours, close = CLOSE }, at) => {
    const [left, right] = [[ours].flat(), [answers[at]].flat()];
    const same = left.every((value, i) => near(value, right[i], close));
    const told = byName.get(name) ?? { numbers: 0, wrong: [] };
    told.numbers += left.length;
    if (!same) told.wrong.push({ args, ours, theirs: answers[at] });
    byName.set(name, told);
  });
  let numbers = 0;
  for (const [name, told] of byName) {
    numbers += told.numbers;
    check(
      `${name}: ${told.numbers} numbers agree`,
      told.wrong.length === 0,
      told.wrong.slice(0, 3),
    );
  }
  return `${numbers} numbers`;
}

export const parties = [
  {
    name: "statistics",
    version: Object.entries(VERSIONS)
      .map(([name, version]) => `${name} ${version}`)
      .join(", "),
    run: runStatistics,
  },
];
