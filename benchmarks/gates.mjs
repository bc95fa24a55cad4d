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
import { judgeGates } from "#built/gate/judge.js";
import { parseGates } from "#built/gate/language.js";
import { createSeededRandom } from "#built/gate/random.js";
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
    ].entries())
      add({ kind, a, b, gates: GATES[(i + k) % 3] });
    add({ kind, n: 20, gates: GATES[i % 3] });
    add({ kind, n: 200 });
  }
  for (const share of [0.1, 0.3])
    for (const [a, b] of [
      [1, 1],
      [3, 3],
    ]) {
      add({ kind: "0/1 noisy", errors: share, a, b, gates: a === 1 ? 1 : 5 });
      add({ kind: "judge noise", missing: share, a, b, gates: a === 1 ? 5 : 1 });
    }
  for (const clusters of ["even", "uneven"])
    for (const gates of GATES) add({ kind: "judge noise", clusters, gates, n: 100 });
  add({ kind: "0/1 noisy", n: 2000, a: 10 });
  add({ kind: "rare failures", n: 2000, a: 10 });
  return cells;
}

/** Proven floors at the true value. */
const floors = () =>
  [...DROPPED, "long tail"].flatMap((kind, i) =>
    (kind === "nearly constant" ? [10, 12, 15, 20] : [[10, 20, 50][i % 3]]).map((n) => ({
      group: "proven",
      kind,
      n,
      a: 1,
      b: 0,
      gates: 1,
    })),
  );

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
  ...["0/1 stable", "nearly constant"].map((kind) => ({
    group: "observed",
    kind,
    n: 50,
    a: 1,
    b: 0,
    gates: 1,
  })),
];

const nameOf = ({ group, kind, gates, n, a, b, errors, missing, clusters, run, alpha }) =>
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
  ]
    .filter((part) => part !== "")
    .join(", ");

function gatesOf(text) {
  const parsed = parseGates({ text, file: "gates.yml" });
  if (parsed.state === "parsed") return parsed.gates;
  throw new Error(parsed.problems[0].message);
}

/** Ten clusters; the uneven ones go from one share to ten. */
function clustersOf({ clusters, n }) {
  if (clusters === undefined) return null;
  return Array.from({ length: n }, (_, i) =>
    clusters === "even" ? i % 10 : Math.floor((Math.sqrt(8 * ((i * 55) / n) + 1) - 1) / 2),
  );
}

/**
 * Two runs, or more, of one agent; `fall` is taken off the first.
 * @returns {any[]} Tables as far as a judgement reads them.
 */
function pairOf(cell, random, fall = 0, count = 2) {
  const { kind, n, gates, a, b, errors = 0, missing = 0 } = cell;
  const clusterOf = clustersOf(cell);
  const samplers = Array.from({ length: n }, () =>
    Array.from({ length: gates }, () => KINDS[kind](random)),
  );
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
        clusterOf === null ? undefined : Array.from({ length: 10 }, () => 0.1 * normal(random)),
    });
  const fallen = fall === 0 ? samplers : samplers.map((own) => own.map(worse));
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

/** What a cell shows: a share of runs. */
function simulate(cell, name) {
  const random = createSeededRandom(seedOf(name));
  const gates = gatesOf(textOf(cell));
  const verdict = (given) =>
    judgeGates({ isMeasured: false, base: null, anchor: null, gates, ...given }).verdict;
  const isRed = (/** @type {any[]} */ [head, base, anchor = null], set = gates) =>
    verdict({ head, base, anchor, gates: set }) === "fail";
  switch (cell.group) {
    case "unchanged":
      return share(RUNS, () => isRed(pairOf(cell, random)));
    case "proven":
    case "observed": {
      const bar = trueMean(cell.kind, createSeededRandom(7)).toFixed(9);
      const set = gatesOf(`gates: m0 >= ${bar}\nfloors: ${cell.group}\n`);
      if (cell.group === "proven") return share(RUNS, () => isRed(pairOf(cell, random), set));
      return share(RUNS, () => {
        const [head] = pairOf(cell, random);
        const values = head.scores.get("m0");
        const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
        return isRed([head, null], set) !== mean >= Number(bar) - 1e-12;
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
        const [head, base] = pairOf({ ...cell }, random, sum / seen);
        return judgeGates({ head, base, gates, isMeasured: false }).gates[0].verdict === "fail";
      });
    }
    case "series":
      // The baseline is the run before, the anchor the accepted one.
      return share(RUNS, () => {
        const [head, anchor, base] = pairOf(cell, random, 0.1, 3);
        return isRed([head, cell.run === 1 ? anchor : base, cell.run === 1 ? null : anchor]);
      });
    case "merges":
      return share(Math.ceil(RUNS / 10), () => {
        const runs = pairOf(cell, random, 0, 21);
        let base = runs[0];
        for (const head of runs.slice(1)) {
          const found = verdict({ head, base, anchor: base === runs[0] ? null : runs[0] });
          if (found === "fail") return true;
          if (found === "pass") base = head;
        }
        return false;
      });
  }
}

const LIMITS = { unchanged: "<= 6", proven: "<= 6", observed: ">= 100", stated: ">= 75" };
const TITLES = {
  unchanged: "Unchanged agents that failed",
  proven: "Agents at their true value that `floors: proven` failed",
  observed: "Observed floors that said what the score says",
  stated: "Falls of the stated size that were found",
  series: "Falls of 10 points that run 1, 3, 5, 10 against one anchor found",
  merges: "Twenty unchanged merges, at least one of them red",
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
    const rows = cells.map(
      (cell) => `| ${cell.name.slice(cell.name.indexOf(": ") + 2)} | ${percent(cell.share)} |`,
    );
    return [`| ${TITLES[name]}, of ${runs} runs | |`, "|---|---|", ...rows, ""];
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
  const cells = [...others(), ...unchanged(), ...floors(), ...stated()].map((cell) => ({
    ...cell,
    name: nameOf(cell),
  }));
  cells
    .filter(
      ({ name }) => new RegExp(process.env.GATE_CELLS ?? "", "u").test(name) && !known.has(name),
    )
    .filter((_, at) => at % parts === part - 1)
    .forEach((cell) => {
      const found = Number(simulate(cell, cell.name));
      const runs = cell.group === "merges" ? Math.ceil(RUNS / 10) : RUNS;
      print(cell.name, Number((100 * found).toFixed(2)), "%", LIMITS[cell.group] ?? "");
      if (values.out !== undefined)
        appendFileSync(
          values.out,
          `${JSON.stringify({ group: cell.group, name: cell.name, runs, share: found })}\n`,
        );
    });
}

if (process.argv[1]?.endsWith("gates.mjs")) main();
