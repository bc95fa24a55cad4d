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
from scipy import stats, special
from statsmodels.stats.proportion import proportion_confint

def signs(differences):
    d = np.array([x for x in differences if x != 0])
    sums = np.array([np.dot(p, np.abs(d)) for p in itertools.product([-1, 1], repeat=len(d))])
    seen, slack = d.sum(), 1e-9
    return float(np.mean(sums <= seen + slack))

def labels(pools):
    total = {0.0: 1.0}
    seen = 0.0
    for values, head in pools:
        n = len(values)
        mean = sum(values) / n
        scale = 1 / head + 1 / (n - head)
        seen += scale * (sum(values[:head]) - head * mean)
        picks = list(itertools.combinations(values, head))
        after = {}
        for sum_, chance in total.items():
            for pick in picks:
                key = round(sum_ + scale * (sum(pick) - head * mean), 9)
                after[key] = after.get(key, 0.0) + chance / len(picks)
        total = after
    return sum(chance for sum_, chance in total.items() if sum_ <= seen + 1e-6)

def unconditional(worse, better, n):
    z = (worse - better) / (worse + better) ** 0.5
    tails = np.zeros(n + 1)
    for m in range(1, n + 1):
        k = int(np.ceil((m + z * m ** 0.5) / 2 - 1e-9))
        tails[m] = stats.binom.sf(k - 1, m, 0.5)
    shares = np.sin(np.linspace(0.0005, np.pi / 2, 6000)) ** 2
    m = np.arange(n + 1)
    return float(max(np.dot(stats.binom.pmf(m, n, q), tails) for q in shares))

ANSWERS = {
    "studentCdf": lambda t, df: stats.t.cdf(t, df),
    "studentQuantile": lambda p, df: stats.t.ppf(p, df),
    "normalCdf": lambda z: stats.norm.cdf(z),
    "normalQuantile": lambda p: stats.norm.ppf(p),
    "incompleteBeta": lambda a, b, x: special.betainc(a, b, x),
    "betaQuantile": lambda p, a, b: stats.beta.ppf(p, a, b),
    "binomialUpperTail": lambda k, n, q: stats.binom.sf(k - 1, n, q),
    "exactRate": lambda hits, n: list(proportion_confint(hits, n, method="beta")),
    "lowRateChance": lambda hits, n, truth: stats.binom.cdf(hits, n, truth),
    "quantile": lambda values, q: np.quantile(values, q),
    "standardError": lambda values: stats.sem(values),
    "studentInterval": lambda m, se, df, c: list(stats.t.interval(c, df, loc=m, scale=se)),
    "tTest": lambda values, bar: stats.ttest_1samp(values, bar, alternative="less").pvalue,
    "testSigns": signs,
    "testLabels": labels,
    "suissaShuster": unconditional,
}
for name, args in json.load(open(sys.argv[1])):
    answer = ANSWERS[name](*args)
    print(json.dumps([float(x) for x in answer] if isinstance(answer, list) else float(answer)))
`;

const between = (random, low, high) => low + (high - low) * random();
const whole = (random, low, high) => Math.floor(between(random, low, high + 1));
const list = (size, draw) => Array.from({ length: size }, draw);

/** Questions to both sides: a name, the arguments, and what ours says. */
function askOurs({ distribution, interval, exchange, single, comparison, random }) {
  const asked = [];
  const ask = (name, draw, answer) => {
    for (let i = 0; i < CASES; i++) {
      const args = draw();
      asked.push({ name, args, ours: answer(...args) });
    }
  };
  const degrees = () => (random() < 0.5 ? whole(random, 1, 40) : between(random, 1, 5000));
  const { studentCdf, studentQuantile, normalCdf, normalQuantile } = distribution;
  ask("studentCdf", () => [between(random, -8, 8), degrees()], studentCdf);
  ask("studentQuantile", () => [between(random, 0.0005, 0.9995), degrees()], studentQuantile);
  ask("normalCdf", () => [between(random, -9, 9)], normalCdf);
  ask("normalQuantile", () => [random() ** 4], normalQuantile);
  const shape = () => between(random, 0.3, 3) ** 4;
  ask(
    "incompleteBeta",
    () => [shape(), shape(), random()],
    (a, b, x) => distribution.incompleteBeta(a, b, x),
  );
  ask(
    "betaQuantile",
    () => [between(random, 0.01, 0.99), 1 + shape(), 1 + shape()],
    (...args) => distribution.betaQuantile(...args),
  );
  const trials = () => whole(random, 1, random() < 0.5 ? 60 : 20_000);
  const counted = () => {
    const n = trials();
    return [whole(random, 0, n), n];
  };
  ask("binomialUpperTail", () => [...counted(), random()], distribution.binomialUpperTail);
  ask("exactRate", counted, (hits, n) => [...interval.exactRate(hits / n, n)]);
  ask(
    "lowRateChance",
    () => [...counted(), random()],
    (hits, n, truth) => interval.lowRateChance(hits / n, n, truth),
  );
  const values = () => list(whole(random, 2, 60), () => Number(between(random, -3, 9).toFixed(3)));
  ask(
    "quantile",
    () => [values(), random()],
    (some, q) => interval.quantile(Float64Array.from(some).sort(), q),
  );
  ask(
    "standardError",
    () => [values()],
    (some) => interval.standardError(some, interval.meanOf(some)),
  );
  ask(
    "studentInterval",
    () => [between(random, -5, 5), between(random, 0.01, 3), degrees(), between(random, 0.5, 0.99)],
    (...args) => [...interval.studentInterval(...args)],
  );
  ask(
    "tTest",
    () => [values(), between(random, 0, 6)],
    (some, bar) => {
      const mean = interval.meanOf(some);
      return comparison.studentTail(mean - bar, interval.standardError(some, mean), some.length);
    },
  );
  askExact({ asked, exchange, single, random });
  return asked;
}

/** Examples as the product has them: all values in one array. */
function behindOneAnother(pools) {
  const sizes = pools.map(([marks]) => marks.length);
  return {
    count: pools.length,
    values: Float64Array.from(pools.flatMap(([marks]) => marks)),
    start: Int32Array.from([...sizes, 0], (_, i) => sizes.slice(0, i).reduce((a, b) => a + b, 0)),
    head: Int32Array.from(pools, ([, head]) => head),
  };
}

/** Tests that both sides count out; fewer of them, since the other side takes its time. */
function askExact({ asked, exchange, single, random }) {
  for (let i = 0; i < 60; i++) {
    const differences = list(whole(random, 2, 9), () => Number(between(random, -2, 1).toFixed(2)));
    if (new Set(differences.map(Math.abs)).size < 2 || differences.includes(0)) continue;
    const ours = exchange.testSigns(Float64Array.from(differences)).p;
    asked.push({ name: "testSigns", args: [differences], ours });
  }
  for (let i = 0; i < 40; i++) {
    const pools = list(whole(random, 2, 5), () => {
      const marks = list(whole(random, 3, 7), () => Number(random() < 0.6));
      return [marks, whole(random, 1, marks.length - 1)];
    }).filter(([marks]) => new Set(marks).size === 2);
    if (pools.length === 0) continue;
    const ours = exchange.testLabels(behindOneAnother(pools)).p;
    asked.push({ name: "testLabels", args: [pools], ours });
  }
  for (let i = 0; i < 60; i++) {
    const n = whole(random, 10, 150);
    const worse = whole(random, 1, Math.min(14, n));
    const better = whole(random, 0, worse - 1);
    if (worse + better > n) continue;
    asked.push({
      name: "suissaShuster",
      args: [worse, better, n],
      ours: single.suissaShuster(worse, better, n),
      // Both sides look for a largest value, each on a grid of its own.
      close: 1e-4,
    });
  }
}

const near = (a, b, close) => Math.abs(a - b) <= close * Math.max(1, Math.abs(b));

async function runStatistics({ check }) {
  compile();
  const from = (name) => import(new URL(`../../build/gate/${name}.js`, import.meta.url).href);
  const [distribution, interval, exchange, single, comparison, { createSeededRandom }] =
    await Promise.all(
      ["distribution", "interval", "exchange", "single-pairs", "comparison", "random"].map(from),
    );
  const random = createSeededRandom(22);
  const asked = askOurs({ distribution, interval, exchange, single, comparison, random });
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
