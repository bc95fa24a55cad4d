/**
 * How often do gates find a real fall? Against the best exact test, for crashes, and over chains of merges. Seeded.
 * GATE_RUNS sets the runs per cell (300 unless set), GATE_CELLS a pattern.
 */
import { judgeGates } from "../build/gate/judge.js";
import { parseGates } from "../build/gate/language.js";
import { createSeededRandom } from "../build/gate/random.js";
import { toTable } from "../build/gate/table.js";
import { print } from "./figure.mjs";
import { beta, FACTS, normal } from "./gate-agents.mjs";

const RUNS = Number(process.env.GATE_RUNS ?? 300);
const CELLS = new RegExp(process.env.GATE_CELLS ?? "", "u");
const PREVIEW = { input: "", expected: "", output: "" };
const percent = (share) => Number((100 * share).toFixed(1));
const gatesOf = (text) => parseGates({ text, file: "gates" }).gates;
const draws = (count, draw) => Array.from({ length: count }, draw);
const wants = (name) => CELLS.test(name);

/** A table of rows: `marks[i]` are the scores of example i, "crash" for one that errored. */
const tableOf = (marks) =>
  toTable(
    marks.flatMap((repeats, i) =>
      [repeats].flat().map((mark) => ({
        example: String(i).padStart(6, "0"),
        scores: mark === "crash" ? {} : { m0: mark },
        error: mark === "crash",
        latency: null,
        tags: {},
        preview: PREVIEW,
      })),
    ),
    FACTS,
  );

// --- Against the best exact test: every outcome of n pairs is judged, so the power is exact, not simulated.

const logFactorial = [0];
for (let i = 1; i < 2000; i++) logFactorial.push(logFactorial[i - 1] + Math.log(i));
function trinomial(n, w, b, pw, pb) {
  const rest = n - w - b;
  const term = (count, chance) => (count === 0 ? 0 : count * Math.log(chance));
  return Math.exp(
    logFactorial[n] -
      logFactorial[w] -
      logFactorial[b] -
      logFactorial[rest] +
      term(w, pw) +
      term(b, pb) +
      term(rest, 1 - pw - pb),
  );
}

/**
 * The largest region of outcomes, ordered by McNemar's statistic, whose size is at most alpha for
 * every share of chance changes.
 */
function exactRegion(n, alpha) {
  const outcomes = [];
  for (let w = 1; w <= n; w++)
    for (let b = 0; b < w && w + b <= n; b++)
      outcomes.push({ w, b, z: (w - b) / Math.sqrt(w + b) });
  outcomes.sort((x, y) => y.z - x.z);
  const shares = Array.from({ length: 150 }, (_, i) => ((i + 1) / 150) ** 2);
  const sizes = shares.map(() => 0);
  const region = [];
  for (let at = 0; at < outcomes.length; ) {
    let end = at;
    while (end < outcomes.length && outcomes[end].z > outcomes[at].z - 1e-9) end++;
    const tied = outcomes.slice(at, end);
    shares.forEach((q, i) => {
      for (const { w, b } of tied) sizes[i] += trinomial(n, w, b, q / 2, q / 2);
    });
    if (Math.max(...sizes) > alpha) break;
    region.push(...tied);
    at = end;
  }
  return region;
}

function exactPower(n, pw, pb) {
  const name = `exact power, n=${n}, ${pw} worse, ${pb} better`;
  if (!wants(name)) return;
  const best = exactRegion(n, 0.05).reduce((sum, { w, b }) => sum + trinomial(n, w, b, pw, pb), 0);
  const gates = gatesOf("m0 drop <= 0");
  let ours = 0;
  for (let w = 1; w <= n; w++)
    for (let b = 0; b < w && w + b <= n; b++) {
      const chance = trinomial(n, w, b, pw, pb);
      if (chance < 1e-7) continue;
      const mark = (i, before) => {
        if (i < w) return before;
        return i < w + b ? 1 - before : 1;
      };
      const base = tableOf(Array.from({ length: n }, (_, i) => mark(i, 1)));
      const head = tableOf(Array.from({ length: n }, (_, i) => mark(i, 0)));
      if (judgeGates({ head, base, gates }).verdict === "fail") ours += chance;
    }
  print(`${name}: best exact test`, percent(best), "%");
  print(`${name}: gate`, percent(ours), "%", `>= ${percent(best - 0.03)}`);
}
exactPower(50, 0.05, 0);
exactPower(50, 0.1, 0.02);
exactPower(100, 0.05, 0);
exactPower(100, 0.1, 0.02);
exactPower(100, 0.15, 0.05);

// --- Against exchanges drawn outright, where outcomes are too many to list: the same runs, both tests.

const EXCHANGES = 999;

/** Chance of a statistic this low among drawn exchanges; the one seen counts as one of them. */
function shareAsLow(seen, draw) {
  let count = 1;
  for (let i = 0; i < EXCHANGES; i++) if (draw() <= seen + 1e-9) count++;
  return count / (EXCHANGES + 1);
}

/** The lowest standardised mean of several metrics when the signs of whole examples are exchanged. */
function lowestByExchange(differences, random) {
  const [n, m] = [differences.length, differences[0].length];
  const norms = Array.from({ length: m }, (_, j) =>
    Math.sqrt(differences.reduce((sum, one) => sum + one[j] ** 2, 0)),
  );
  const sums = new Float64Array(m);
  return (isExchanged) => {
    sums.fill(0);
    for (let i = 0; i < n; i++) {
      const sign = isExchanged && random() < 0.5 ? -1 : 1;
      for (let j = 0; j < m; j++) sums[j] += sign * differences[i][j];
    }
    return Math.min(...sums.map((sum, j) => sum / norms[j]));
  };
}

function familyPower({ metrics, rho, fallen, fall, n = 100 }) {
  const name = `${metrics} metrics that go together by ${rho}, ${fallen} fall by ${fall} deviations, n=${n}`;
  if (!wants(name)) return;
  const random = createSeededRandom(metrics + fallen);
  const keys = Array.from({ length: metrics }, (_, j) => `m${String(j).padStart(2, "0")}`);
  const gates = gatesOf(keys.map((key) => `${key} drop <= 0`).join("\n"));
  const tableFrom = (rows) =>
    toTable(
      rows.map((scores, i) => ({
        example: String(i).padStart(6, "0"),
        scores: Object.fromEntries(keys.map((key, j) => [key, scores[j]])),
        error: false,
        latency: null,
        tags: {},
        preview: PREVIEW,
      })),
      FACTS,
    );
  const base = tableFrom(draws(n, () => draws(metrics, () => 10)));
  let [best, ours] = [0, 0];
  for (let run = 0; run < RUNS; run++) {
    const differences = draws(n, () => {
      const shared = normal(random);
      return keys.map(
        (_, j) =>
          Math.sqrt(rho) * shared + Math.sqrt(1 - rho) * normal(random) - (j < fallen ? fall : 0),
      );
    });
    const lowest = lowestByExchange(differences, random);
    if (shareAsLow(lowest(false), () => lowest(true)) <= 0.05) best++;
    const head = tableFrom(differences.map((one) => one.map((value) => 10 + value)));
    if (judgeGates({ head, base, gates }).verdict === "fail") ours++;
  }
  print(`${name}: drawn max-T`, percent(best / RUNS), "%");
  print(`${name}: gate`, percent(ours / RUNS), "%", `>= ${percent(best / RUNS - 0.03)}`);
}

function repeatsPower({ n, a, b, fall }) {
  const name = `exchange power, n=${n}, ${a} runs against ${b}, ${fall} worse`;
  if (!wants(name)) return;
  const random = createSeededRandom(n + a + b);
  const gates = gatesOf("m0 drop <= 0");
  const meanOf = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const gapOf = (pools) =>
    pools.reduce((sum, pool) => sum + meanOf(pool.slice(0, a)) - meanOf(pool.slice(a)), 0);
  const shuffled = (pool) => {
    const values = [...pool];
    for (let i = values.length - 1; i > 0; i--) {
      const other = Math.floor(random() * (i + 1));
      [values[i], values[other]] = [values[other], values[i]];
    }
    return values;
  };
  let [best, ours] = [0, 0];
  for (let run = 0; run < RUNS; run++) {
    const rates = draws(n, () => beta(random, 1.7, 0.3));
    const before = rates.map((rate) => draws(b, () => Number(random() < rate)));
    const after = rates.map((rate) => draws(a, () => Number(random() < rate * (1 - fall / 0.85))));
    const pools = after.map((values, i) => [...values, ...before[i]]);
    const open = pools.filter((pool) => pool.some((value) => value !== pool[0]));
    if (shareAsLow(gapOf(open), () => gapOf(open.map(shuffled))) <= 0.05) best++;
    const { verdict } = judgeGates({ head: tableOf(after), base: tableOf(before), gates });
    if (verdict === "fail") ours++;
  }
  print(`${name}: drawn exchanges`, percent(best / RUNS), "%");
  print(`${name}: gate`, percent(ours / RUNS), "%", `>= ${percent(best / RUNS - 0.03)}`);
}
familyPower({ metrics: 20, rho: 0.7, fallen: 20, fall: 0.2 });
familyPower({ metrics: 20, rho: 0.3, fallen: 5, fall: 0.25 });
familyPower({ metrics: 5, rho: 0.7, fallen: 1, fall: 0.25 });
familyPower({ metrics: 20, rho: 0, fallen: 1, fall: 0.35 });
repeatsPower({ n: 50, a: 1, b: 10, fall: 0.08 });
repeatsPower({ n: 50, a: 3, b: 3, fall: 0.08 });
repeatsPower({ n: 100, a: 10, b: 1, fall: 0.06 });

// --- Crashes.

const RANK = ["fail", "inconclusive", "pass"];
function crashing(which) {
  const name = `crashes on ${which}, n=100`;
  if (!wants(name)) return;
  const random = createSeededRandom(11);
  const gates = gatesOf("m0 >= 0.5\nm0 drop <= 0.05");
  let [red, greener] = [0, 0];
  for (let run = 0; run < RUNS; run++) {
    const base = draws(100, () => Number(random() < 0.7));
    const head = base.map((mark) => (random() < 0.95 ? mark : 1 - mark));
    const order = head.map((mark, i) => ({
      i,
      key: (which === "wrong rows" ? mark : 0) + random(),
    }));
    order.sort((x, y) => x.key - y.key);
    const verdicts = [0, 1, 2, 5, 10, 20, 40].map((crashes) => {
      const gone = new Set(order.slice(0, crashes).map(({ i }) => i));
      const marks = head.map((mark, i) => (gone.has(i) ? "crash" : mark));
      return judgeGates({ head: tableOf(marks), base: tableOf(base), gates }).verdict;
    });
    if (verdicts[4] === "fail") red++;
    const ranks = verdicts.map((verdict) => RANK.indexOf(verdict));
    if (ranks.some((rank, i) => i > 0 && rank > ranks[i - 1])) greener++;
  }
  print(`${name}: 10 % newly crashing is red`, percent(red / RUNS), "%", ">= 99");
  print(`${name}: crashing more was greener`, percent(greener / RUNS), "%", "0");
}
crashing("any row");
crashing("wrong rows");

// --- Many small falls: the anchor stays, the baseline follows every passing run.

function ratchet({ merges, step, n, repeats, aim, accepted = repeats, within = merges }) {
  const name = `ratchet, ${merges} merges of ${-step}, n=${n}, ${repeats} repeats, ${accepted} accepted`;
  if (!wants(name)) return;
  const random = createSeededRandom(merges + n);
  const gates = gatesOf("m0 drop <= 0.02");
  let red = 0;
  for (let run = 0; run < RUNS; run++) {
    const rates = draws(n, () => beta(random, 8, 0.9));
    const at = (merge, times = repeats) =>
      tableOf(
        rates.map((rate) =>
          draws(times, () => Number(random() < rate * Math.max(0, 1 - (merge * step) / 0.9))),
        ),
      );
    const anchor = at(0, accepted);
    let base = null;
    let written = 0;
    for (let merge = 1; merge <= within; merge++) {
      const head = at(merge);
      const { verdict } = judgeGates({
        head,
        base: base ?? anchor,
        anchor: base === null ? null : anchor,
        looks: written + 1,
        gates,
      });
      if (verdict === "fail") {
        red++;
        break;
      }
      if (verdict !== "pass") continue;
      base = head;
      written++;
    }
  }
  print(`${name}: red by merge ${within}`, percent(red / RUNS), "%", aim);
}
ratchet({ merges: 12, step: 0.04, n: 100, repeats: 1, within: 3, aim: ">= 90" });
ratchet({ merges: 12, step: 0.04, n: 100, repeats: 3, within: 3, aim: ">= 90" });
ratchet({ merges: 12, step: 0.04, n: 100, repeats: 1, accepted: 10, within: 3, aim: ">= 90" });
ratchet({ merges: 20, step: 0.01, n: 100, repeats: 3, aim: ">= 90" });
ratchet({ merges: 20, step: 0, n: 100, repeats: 3, aim: "<= 15" });
ratchet({ merges: 20, step: 0, n: 100, repeats: 1, accepted: 10, aim: "<= 15" });
ratchet({ merges: 20, step: 0, n: 100, repeats: 1, aim: "<= 15" });
