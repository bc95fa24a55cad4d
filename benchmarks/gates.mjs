// How the gates behave, by simulation: how often they fail an agent that did not change, how often they find the fall
// that they say they find, what a series of runs does, and whether proven floors keep their word. Seeded.
//
//   npm run bench -- gates                          all of it, 5,000 runs a cell: under an hour on two cores
//   GATE_RUNS=500 npm run bench -- gates            fewer runs
//   GATE_CELLS='proven' npm run bench -- gates      the cells whose name matches
//   npm run bench -- gates --out FILE               a line for every cell; what FILE has is not run again
//   npm run bench -- gates --part 1/2 --out FILE    every second cell, for as many processes as there are cores
//   npm run bench -- gates --write FILE…            put what the files have into contributing/gate-method.md
import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { parseBaseline } from "#built/gate/baseline-reading.js";
import { toBaseline } from "#built/gate/baseline-writing.js";
import { judgeGates } from "#built/gate/judge.js";
import { parseGates } from "#built/gate/language.js";
import { createSeededRandom } from "#built/gate/chance.js";
import { print } from "./figure.mjs";
import { KINDS, makeRun, normal, seedOf, trueMean } from "./gate-agents.mjs";

const RUNS = Number(process.env.GATE_RUNS ?? 5000);
const PAGE = fileURLToPath(new URL("../contributing/gate-method.md", import.meta.url));
const DROPPED = [
  "0/1 stable",
  "0/1 noisy",
  "skewed",
  "ties",
  "heavy tails",
  "judge noise",
  "nearly constant",
  "rare failures",
];
const GATES = [1, 5, 20];

/** Unchanged agents. */
function unchanged() {
  const cells = [];
  const add = (cell) => cells.push({ group: "unchanged", a: 1, b: 1, n: 50, gates: 1, ...cell });
  for (const [i, kind] of DROPPED.entries()) {
    for (const [k, [a, b]] of [
      [1, 1],
      [3, 3],
      [10, 1],
      [1, 10],
    ].entries()) {
      const gates = GATES[(i + k) % 3];
      // Twenty gates on uneven repeats take half of the time otherwise.
      add({ kind, a, b, gates, n: gates === 20 && a * b > 1 ? 20 : 50 });
    }
    add({ kind, n: 20, gates: GATES[i % 3] });
    add({ kind, n: 200 });
  }
  for (const share of [0.1, 0.3])
    for (const [a, b] of [
      [1, 1],
      [3, 3],
    ]) {
      add({ kind: "0/1 noisy", errors: share, a, b, gates: a === 1 ? 1 : 5 });
      add({
        kind: "judge noise",
        missing: share,
        a,
        b,
        gates: a === 1 ? 5 : 1,
      });
    }
  for (const clusters of ["even", "uneven"])
    for (const gates of GATES) add({ kind: "judge noise", clusters, gates, n: 100 });
  add({ kind: "0/1 noisy", n: 200, a: 10 });
  add({ kind: "rare failures", n: 2000, a: 10 });
  return cells;
}

/** Proven floors at the true value. */
const floors = () =>
  [
    ...[...DROPPED, "long tail"].flatMap((kind, i) =>
      (kind === "nearly constant" ? [10, 12, 15, 20] : [[10, 20, 50][i % 3]]).map((n) => ({
        kind,
        n,
      })),
    ),
    ...["0/1 stable", "nearly constant", "long tail"].map((kind) => ({
      kind,
      n: 50,
      clusters: "alike",
    })),
  ].map((cell) => ({ group: "proven", a: 1, b: 0, gates: 1, ...cell }));

/** Falls that a run says it finds. */
const stated = () =>
  [
    { kind: "0/1 stable" },
    { kind: "0/1 noisy" },
    { kind: "0/1 noisy", a: 3, b: 3 },
    { kind: "0/1 noisy", b: 10 },
    { kind: "judge noise", n: 20 },
    { kind: "judge noise", a: 3, b: 3 },
    { kind: "ties" },
    { kind: "skewed", n: 200 },
    { kind: "judge noise", gates: 5 },
    { kind: "judge noise", clusters: "even", n: 100 },
    { kind: "0/1 noisy", n: 400 },
  ].map((cell) => ({ group: "stated", a: 1, b: 1, n: 50, gates: 1, ...cell }));

/** Falls of one metric, found by the gates and by plain drawn exchanges of the same runs. */
const powers = () =>
  [
    { kind: "0/1 stable", gates: 20, fall: 0.2 },
    { kind: "0/1 stable", gates: 5, fall: 0.2 },
    { kind: "0/1 stable", fall: 0.15 },
    { kind: "0/1 noisy", fall: 0.15, n: 100 },
    { kind: "0/1 noisy", fall: 0.15, a: 3, b: 3 },
    { kind: "0/1 noisy", fall: 0.15, b: 10 },
    { kind: "judge noise", fall: 0.06, gates: 5 },
    { kind: "skewed", fall: 0.5 },
    { kind: "judge noise", fall: 0.1, n: 100, clusters: "even" },
  ].map((cell) => ({
    group: "power",
    a: 1,
    b: 1,
    n: 50,
    gates: 1,
    ...cell,
  }));

const others = () => [
  ...[1, 3, 5, 10].map((run) => ({
    group: "series",
    kind: "0/1 noisy",
    n: 100,
    a: 1,
    b: 1,
    gates: 1,
    run,
  })),
  ...[0.05, 0.01].map((alpha) => ({
    group: "merges",
    kind: "0/1 noisy",
    n: 100,
    a: 1,
    b: 1,
    gates: 1,
    alpha,
  })),
  ...[50, 100].map((n) => ({ group: "kept", kind: "0/1 noisy", n, a: 1, b: 1, gates: 1 })),
  ...["0/1 stable", "nearly constant"].map((kind) => ({
    group: "observed",
    kind,
    n: 50,
    a: 1,
    b: 0,
    gates: 1,
  })),
];

const nameOf = ({ group, kind, gates, n, a, b, errors, missing, clusters, run, alpha, fall }) =>
  [
    `${group}: ${kind}`,
    `${gates} ${gates === 1 ? "gate" : "gates"}`,
    `n=${n}`,
    b === 0 ? "" : `${a}:${b}`,
    errors === undefined ? "" : `${100 * errors}% crashed`,
    missing === undefined ? "" : `${100 * missing}% missing`,
    clusters === undefined ? "" : `10 clusters, ${clusters}`,
    run === undefined ? "" : `run ${run}`,
    alpha === undefined ? "" : `alpha ${alpha}`,
    fall === undefined ? "" : `a fall of ${fall}`,
  ]
    .filter((part) => part !== "")
    .join(", ");

function gatesOf(text) {
  const parsed = parseGates({ text, file: "gates.yml" });
  if (parsed.state === "parsed") return parsed.gates;
  throw new Error(parsed.problems[0].message);
}

/** Ten clusters; the uneven ones go from one share to ten, and of alike ones all examples score the same. */
function clustersOf({ clusters, n }) {
  if (clusters === undefined) return null;
  return Array.from({ length: n }, (_, i) =>
    clusters !== "uneven" ? i % 10 : Math.floor((Math.sqrt(8 * ((i * 55) / n) + 1) - 1) / 2),
  );
}

/**
 * Two runs, or more, of one agent; `fall` is taken off the first, of so many of its metrics.
 * @returns {any[]} Tables as far as a judgement reads them.
 */
function pairOf(cell, random, { fall = 0, count = 2, falling = cell.gates } = {}) {
  const { kind, n, gates, a, b, errors = 0, missing = 0 } = cell;
  const clusterOf = clustersOf(cell);
  const samplers = Array.from({ length: n }, () =>
    Array.from({ length: gates }, () => KINDS[kind](random)),
  );
  if (cell.clusters === "alike")
    for (const [i, own] of samplers.entries())
      if (i < 10)
        samplers[i] = own.map((one) =>
          (
            (score) => () =>
              score
          )(one()),
        );
      else samplers[i] = samplers[i % 10];
  const isMark = kind.startsWith("0/1") || kind === "rare failures";
  const good = isMark ? trueMean(kind, createSeededRandom(7)) : 1;
  const part = fall / good;
  const worsen = {
    values: (sampler) => () => sampler() - fall,
    // Stable marks break for good, noisy ones are right less often.
    stable: (sampler) => (random() < part ? () => 0 : sampler),
    noisy: (sampler) => () => (random() < part ? 0 : sampler()),
  };
  const marks = kind === "0/1 stable" ? worsen.stable : worsen.noisy;
  const worse = isMark ? marks : worsen.values;
  const run = (repeats, of) =>
    makeRun({
      random,
      samplers: of,
      repeats,
      missing,
      errors,
      clusterOf,
      shifts:
        clusterOf === null || cell.clusters === "alike"
          ? undefined
          : Array.from({ length: 10 }, () => 0.1 * normal(random)),
    });
  const fallen =
    fall === 0
      ? samplers
      : samplers.map((own) => own.map((one, m) => (m < falling ? worse(one) : one)));
  return [
    run(a, fallen),
    ...Array.from({ length: count - 1 }, () => (b === 0 ? null : run(b, samplers))),
  ];
}

function share(count, judge) {
  let found = 0;
  for (let run = 0; run < count; run++) if (judge(run)) found++;
  return found / count;
}

const textOf = ({ gates, clusters, alpha = 0.05 }, line = "drop <= 0") =>
  `gates:\n${Array.from({ length: gates }, (_, m) => `  - m${m} ${line}\n`).join("")}alpha: ${alpha}\n${clusters === undefined ? "" : "cluster_by: inputs.c\n"}`;

const DRAWS = 1000;

/**
 * The chance of the first metric's fall by plain drawn exchanges: labels change sides within examples, or clusters, and
 * of each draw the lowest difference of all metrics counts, over its deviation in the draws.
 */
function chanceByDraws(head, base, { gates, a, b, clusters }, random) {
  const columns = Array.from({ length: gates }, (_, m) => [
    head.scores.get(`m${m}`),
    base.scores.get(`m${m}`),
  ]);
  const n = head.size / a;
  // One row against one can only change its sign, and so do clusters as a whole.
  const unitOf =
    clustersOf({ clusters, n }) ??
    (a * b === 1 ? Int32Array.from({ length: n }, (_, i) => i) : null);
  const lowest = Array.from({ length: gates }, () => new Float64Array(DRAWS + 1));
  const order = Int32Array.from({ length: a + b }, (_, k) => k);
  const flips = new Float64Array(n);
  const differenceOf = (/** @type {any[]} */ [mine, others], i) => {
    let difference = 0;
    for (let k = 0; k < a + b; k++) {
      const row = order[k];
      const value = row < a ? mine[i * a + row] : others[i * b + row - a];
      difference += k < a ? value / a : -value / b;
    }
    return difference;
  };
  const asSeen = columns.map((column) =>
    Float64Array.from({ length: n }, (_, i) => differenceOf(column, i)),
  );
  // Draw 0 is what was seen.
  for (let draw = 0; draw <= DRAWS; draw++) {
    for (let c = 0; c < n; c++) flips[c] = draw === 0 || random() < 0.5 ? 1 : -1;
    for (let i = 0; i < n; i++) {
      if (draw === 0 || unitOf !== null) {
        const sign = unitOf === null ? 1 : flips[unitOf[i]];
        for (let m = 0; m < gates; m++) lowest[m][draw] += sign * asSeen[m][i];
        continue;
      }
      for (let k = 0; k < a; k++) {
        const at = k + Math.floor(random() * (a + b - k));
        [order[k], order[at]] = [order[at], order[k]];
      }
      for (let m = 0; m < gates; m++) lowest[m][draw] += differenceOf(columns[m], i);
    }
  }
  const seen = lowest.map((sums) => {
    const squares = sums.subarray(1).reduce((sum, value) => sum + value * value, 0);
    const deviation = Math.sqrt(squares / DRAWS) || 1;
    for (let draw = 0; draw <= DRAWS; draw++) sums[draw] /= deviation;
    return sums;
  });
  let beyond = 0;
  for (let draw = 1; draw <= DRAWS; draw++) {
    const least = Math.min(...seen.map((sums) => sums[draw]));
    const over = least - seen[0][0];
    beyond += Math.abs(over) < 1e-9 ? 0.5 : Number(over < 0);
  }
  return beyond / DRAWS;
}

/** What a cell shows: shares of its runs, or one. */
function simulate(cell, name) {
  if (cell.group === "power") return besideDraws(cell, name);
  if (cell.group === "series") return inSeries(cell);
  return { share: Number(shareOf(cell, name)) };
}

/** Falls that the gates find; `beside`: that plain exchanges of the same runs find. */
function besideDraws(cell, name) {
  const [random, drawing] = [name, `${name}, drawn`].map((text) =>
    createSeededRandom(seedOf(text)),
  );
  const gates = gatesOf(textOf(cell));
  let [found, drawn] = [0, 0];
  for (let run = 0; run < RUNS; run++) {
    const [head, base] = pairOf(cell, random, { fall: cell.fall, falling: 1 });
    const given = { isMeasured: false, head, base, gates };
    if (judgeGates(given).gates[0].verdict === "fail") found++;
    if (chanceByDraws(head, base, cell, drawing) < 0.05) drawn++;
  }
  return { share: found / RUNS, beside: drawn / RUNS };
}

/**
 * The same fallen run and the same accepted one at each place of a series, where only the runs between them differ.
 * A baseline file took in each of those. Falls found against the accepted run, as that file kept it; `beside`: by the
 * gate as a whole, which holds a later run against the one before it as well.
 */
function inSeries(cell) {
  const gates = gatesOf(textOf(cell));
  const seed = seedOf(nameOf({ ...cell, run: undefined }));
  let [found, whole] = [0, 0];
  for (let run = 0; run < RUNS; run++) {
    const random = createSeededRandom(seed + run);
    const [head, ...runs] = pairOf(cell, random, { fall: 0.1, count: cell.run + 1 });
    const { table, anchor } = keepAll(runs);
    const isRed = (references) =>
      judgeGates({ isMeasured: false, head, gates, ...references }).verdict === "fail";
    if (isRed({ base: anchor ?? table })) found++;
    if (isRed({ base: table, anchor })) whole++;
  }
  return { share: found / RUNS, beside: whole / RUNS };
}

/** The baseline file after these runs; a person accepted the first. */
function keepAll(/** @type {any[]} */ [first, ...later]) {
  const keep = (table, previous) => {
    const text = toBaseline({
      groups: [{ label: "", group: "", table, wholeExperiments: [] }],
      gates: null,
      commit: null,
      created_at: "2026-01-01T00:00:00.000Z",
      previous,
      accepted: previous === null,
    });
    const parsed = parseBaseline(text, "baseline.json");
    if (parsed.state !== "parsed") throw new Error(parsed.problem.message);
    return parsed.baseline;
  };
  return later.reduce((previous, table) => keep(table, previous), keep(first, null)).groups[0];
}

/** Whether a run's score is at least that of everything its agent ever scores. */
function meetsTrueMean({ kind }, { scores }) {
  const values = scores.get("m0");
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return mean >= trueMean(kind, createSeededRandom(7)) - 1e-12;
}

function shareOf(cell, name) {
  const random = createSeededRandom(seedOf(name));
  const gates = gatesOf(textOf(cell));
  const verdict = (given) =>
    judgeGates({ isMeasured: false, base: null, anchor: null, gates, ...given }).verdict;
  const isRed = (/** @type {any[]} */ [head, base, anchor = null], set = gates) =>
    verdict({ head, base, anchor, gates: set }) === "fail";
  switch (cell.group) {
    case "unchanged":
      return share(RUNS, () => isRed(pairOf(cell, random)));
    case "kept":
      return share(RUNS, () => {
        for (;;) {
          const pair = pairOf(cell, random);
          if (meetsTrueMean(cell, pair[1])) return isRed(pair);
        }
      });
    case "proven":
    case "observed": {
      const bar = trueMean(cell.kind, createSeededRandom(7)).toFixed(9);
      const by = cell.clusters === undefined ? "" : "cluster_by: inputs.c\n";
      const set = gatesOf(`gates: m0 >= ${bar}\nfloors: ${cell.group}\n${by}`);
      if (cell.group === "proven") return share(RUNS, () => isRed(pairOf(cell, random), set));
      return share(RUNS, () => {
        const [head] = pairOf(cell, random);
        return isRed([head, null], set) !== meetsTrueMean(cell, head);
      });
    }
    case "stated": {
      const looks = Math.max(20, Math.min(100, RUNS / 20));
      let [sum, seen] = [0, 0];
      for (let k = 0; k < looks; k++) {
        const [head, base] = pairOf(cell, random);
        const { mde } = judgeGates({ head, base, gates }).gates[0];
        if (mde !== null) [sum, seen] = [sum + mde, seen + 1];
      }
      return share(RUNS, () => {
        const [head, base] = pairOf(cell, random, { fall: sum / seen, falling: 1 });
        return judgeGates({ head, base, gates, isMeasured: false }).gates[0].verdict === "fail";
      });
    }
    case "merges":
      return share(RUNS, () => {
        const series = pairOf(cell, random, { count: 21 });
        let base = series[0];
        for (const head of series.slice(1)) {
          const found = verdict({
            head,
            base,
            anchor: base === series[0] ? null : series[0],
          });
          if (found === "fail") return true;
          if (found === "pass") base = head;
        }
        return false;
      });
  }
}

const LIMITS = {
  unchanged: "<= 6",
  proven: "<= 6",
  observed: ">= 100",
  stated: "75 to 85",
};
const TITLES = {
  unchanged: "Unchanged agents that failed",
  proven: "Agents at their true value that `floors: proven` failed",
  observed: "Observed floors that said what the score says",
  stated: "Falls of the stated size that were found",
  power: "Falls of one metric that the gates found, and that plain drawn exchanges found",
  series:
    "Falls of 10 points in run 1, 3, 5, 10 of a series, found against the accepted run, and by the whole gate, which holds later ones against the run before as well",
  merges: "Twenty unchanged merges, at least one of them red",
  kept: "Runs of an agent that did not change, failed against a run that was kept because it met a floor at the true value",
};

const percent = (part) => `${(100 * part).toFixed(1)} %`;

function write(files) {
  const seen = new Map(
    files.flatMap((file) =>
      readFileSync(file, "utf8")
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line))
        .map((one) => [one.name, one]),
    ),
  );
  const groups =
    Map.groupBy?.([...seen.values()], ({ group }) => group) ?? group([...seen.values()]);
  const lines = [...groups].flatMap(([name, cells]) => {
    const runs = [...new Set(cells.map((cell) => cell.runs))].join(" or ");
    const isHeld = cells.some(({ beside }) => beside !== undefined);
    const rows = cells.map(
      (cell) =>
        `| ${cell.name.slice(cell.name.indexOf(": ") + 2)} | ${percent(cell.share)} |${isHeld ? ` ${percent(cell.beside)} |` : ""}`,
    );
    const [empty, rule] = isHeld ? [" | |", "|---|---|---|"] : [" |", "|---|---|"];
    return [`| ${TITLES[name]}, of ${runs} runs |${empty}`, rule, ...rows, ""];
  });
  const page = readFileSync(PAGE, "utf8");
  const [begin, end] = ["<!-- simulated: begin -->", "<!-- simulated: end -->"];
  const block = `${begin}\nSeen on ${new Date().toISOString().slice(0, 10)}: ${seen.size} cells.\n\n${lines.join("\n")}${end}`;
  writeFileSync(
    PAGE,
    page.slice(0, page.indexOf(begin)) + block + page.slice(page.indexOf(end) + end.length),
  );
}

function group(cells) {
  const found = new Map();
  for (const cell of cells) found.set(cell.group, [...(found.get(cell.group) ?? []), cell]);
  return found;
}

function main() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      out: { type: "string" },
      part: { type: "string", default: "1/1" },
      write: { type: "boolean", default: false },
    },
  });
  if (values.write) return write(positionals);
  const [part, parts] = values.part.split("/").map(Number);
  const known = new Set(
    values.out !== undefined && existsSync(values.out)
      ? readFileSync(values.out, "utf8")
          .split("\n")
          .filter((line) => line !== "")
          .map((line) => JSON.parse(line).name)
      : [],
  );
  const cells = [...others(), ...unchanged(), ...floors(), ...stated(), ...powers()].map(
    (cell) => ({
      ...cell,
      name: nameOf(cell),
    }),
  );
  cells
    .filter(({ name }) => new RegExp(process.env.GATE_CELLS ?? "", "u").test(name))
    .filter((_, at) => at % parts === part - 1)
    .filter(({ name }) => !known.has(name))
    .forEach((cell) => {
      const begin = process.cpuUsage();
      const { share, beside } = simulate(cell, cell.name);
      const seconds = process.cpuUsage(begin).user / 1e6;
      const found = Number((100 * share).toFixed(2));
      const aim =
        cell.group === "power" ? `>= ${(100 * beside - 3).toFixed(1)}` : LIMITS[cell.group];
      print(cell.name, found, "%", aim ?? "");
      if (values.out !== undefined)
        appendFileSync(
          values.out,
          `${JSON.stringify({ group: cell.group, name: cell.name, runs: RUNS, share, beside, seconds })}\n`,
        );
    });
}

if (process.argv[1]?.endsWith("gates.mjs")) main();
