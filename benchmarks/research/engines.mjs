// Two engines held against each other on the same seeded pairs of runs: which verdicts of drops and of errors differ.
//
//   git worktree add --detach ../old 35cc15b, and compile it there; then
//   node benchmarks/research/engines.mjs ../old/build build --pairs 20000
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { createSeededRandom } from "#built/gate/chance.js";
import { KINDS, makeRun, normal } from "../gate-agents.mjs";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { pairs: { type: "string", default: "2000" }, from: { type: "string", default: "0" } },
});
const load = async (folder, file) =>
  import(pathToFileURL(join(resolve(folder), "gate", file)).href);
const engines = await Promise.all(
  positionals.map(async (folder) => ({
    judgeGates: (await load(folder, "judge.js")).judgeGates,
    parseGates: (await load(folder, "language.js")).parseGates,
  })),
);

const SHAPES = Object.keys(KINDS);
const RATIOS = [
  [1, 1],
  [3, 3],
  [10, 1],
  [1, 10],
];
const SIZES = [20, 50, 100];
const GATES = [1, 5, 20];
const FALLS = [0, 0, 0.1, 0.2];

/** A pair by its number only. */
function pairOf(number) {
  const random = createSeededRandom(number * 7919 + 1);
  const pick = (list) => list[Math.floor(random() * list.length)];
  const [kind, [a, b], n, fall] = [pick(SHAPES), pick(RATIOS), pick(SIZES), pick(FALLS)];
  const gates = pick(a * b > 1 ? GATES.slice(0, 2) : GATES);
  const crashed = random() < 0.2 ? 0.1 : 0;
  const clusters = random() < 0.15;
  const clusterOf = clusters ? Array.from({ length: n }, (_, i) => i % 10) : null;
  const shifts = () =>
    clusters ? Array.from({ length: 10 }, () => 0.1 * normal(random)) : undefined;
  const samplers = Array.from({ length: n }, () =>
    Array.from({ length: gates }, () => KINDS[kind](random)),
  );
  const isMark = kind.startsWith("0/1") || kind === "rare failures";
  const mark = (sampler) => () => (random() < fall ? 0 : sampler());
  const value = (sampler) => () => sampler() - fall * 2;
  const worse = isMark ? mark : value;
  const run = (repeats, of, errors) =>
    makeRun({ random, samplers: of, repeats, missing: 0, errors, clusterOf, shifts: shifts() });
  const base = run(b, samplers, 0);
  const fallen = samplers.map((own) =>
    own.map((one, m) => (m === 0 && fall > 0 ? worse(one) : one)),
  );
  const head = run(a, fallen, crashed);
  const lines = Array.from({ length: gates }, (_, m) => `  - m${m} drop <= 0\n`).join("");
  const text = `gates:\n${lines}${clusters ? "cluster_by: inputs.c\n" : ""}`;
  const even = a === b ? "repeats" : "unequal";
  const shape = [
    kind,
    a * b === 1 ? "once" : even,
    gates === 1 ? "one gate" : "family",
    crashed > 0 ? "crashes" : "",
    clusters ? "clusters" : "",
    fall > 0 ? "fall" : "unchanged",
  ]
    .filter((word) => word !== "")
    .join(", ");
  return { head, base, text, shape };
}

const seen = new Map();
const tally = new Map();
let verdicts = 0;
const [from, pairs] = [Number(values.from), Number(values.pairs)];
for (let number = from; number < from + pairs; number++) {
  const { head, base, text, shape } = pairOf(number);
  const [before, after] = engines.map(({ judgeGates, parseGates }) => {
    const { gates } = parseGates({ text, file: "gates.yml" });
    return judgeGates({ head, base, gates, isMeasured: false }).gates;
  });
  for (const old of before) {
    const now = after.find(({ rule }) => rule === old.rule);
    const change = `${old.verdict} → ${now?.verdict ?? "none"}`;
    verdicts++;
    tally.set(change, (tally.get(change) ?? 0) + 1);
    if (now?.verdict === old.verdict) continue;
    const of = `${old.rule === "errors" ? "errors" : "drop"} of ${shape}: ${change}`;
    const known = seen.get(of) ?? { count: 0, example: "" };
    known.count++;
    const p = (gate) => Number((gate.p ?? 1).toPrecision(2));
    known.example ||= `pair ${number}, ${old.rule}: p ${p(old)} → ${p(now)} (${old.method} → ${now.method})`;
    seen.set(of, known);
  }
}
console.log(`${pairs} pairs, ${verdicts} verdicts`);
for (const [change, count] of [...tally].sort((x, y) => y[1] - x[1])) console.log(count, change);
for (const [of, { count, example }] of [...seen].sort((x, y) => y[1].count - x[1].count))
  console.log(count, of, "|", example);
