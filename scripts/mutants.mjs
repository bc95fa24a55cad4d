// npm run mutants -- [--room plan,gate] [--count 20] [--seed 1] [--workers 1] [--laws]: changes one place of src/ at a time
// in a copy of the repository, asks every test that runs the place, and prints the first that fails. A mutant that all
// tests pass survives; a person judges it. A change that does not compile does not count: the type check notices it. Runs
// of dist/ are played by src/ there. `--laws`: the laws are asked too (minutes a mutant).
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { parseSync } from "@swc/core";
import { root } from "./compile.mjs";

/** Operators and what takes their place. */
const OPERATORS = {
  "===": "!==",
  "!==": "===",
  "<": "<=",
  "<=": "<",
  ">": ">=",
  ">=": ">",
  "+": "-",
  "-": "+",
  "*": "/",
  "/": "*",
  "&&": "||",
  "||": "&&",
};
/** A mutant that hangs is noticed: when a test file takes so many times as long as unchanged, and a minute. */
const TIMES_AS_LONG = 10;
/** No test file is this slow while nothing is changed. */
const MAX_QUIET_MS = 30 * 60_000;
/** What is not about the behaviour of a room: pages, and texts of the repository itself. */
const LEFT_OUT = /\/(docs|examples|editors|support)\/|\/(dist|check|architecture[\w-]*)\.test/;
/** Expressions around a value that are types only. */
const AS_IF = [
  "TsAsExpression",
  "TsNonNullExpression",
  "TsSatisfiesExpression",
  "TsConstAssertion",
];

const withLaws = process.argv.includes("--laws");

function optionOf(name, fallback) {
  const at = process.argv.indexOf(`--${name}`);
  return at === -1 ? fallback : process.argv[at + 1];
}

/** Numbers in [0, 1) that a seed repeats (mulberry32). */
function randomOf(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Every place that can be changed: byte offsets, the new text, and the expression that has the place. */
function placesOf(bytes) {
  // With a statement of our own in front, so that the module begins at a known byte, whatever comments come first.
  const module = parseSync(`0;${bytes.toString("utf8")}`, { syntax: "typescript" });
  const base = module.span.start + 2;
  const found = [];
  /** @returns {[number, number]} */
  const at = (span) => [span.start - base, span.end - base];
  const add = (span, [from, to], text) => found.push({ from, to, text, whole: at(span) });
  const visit = (node) => {
    if (typeof node !== "object" || node === null) return;
    if (Array.isArray(node)) return node.forEach(visit);
    if (AS_IF.includes(node.type)) return visit(node.expression);
    if (node.type?.startsWith("Ts")) return;
    if (node.type === "BinaryExpression" && OPERATORS[node.operator] !== undefined) {
      const [, from] = at(node.left.span);
      const [to] = at(node.right.span);
      const gap = bytes.subarray(from, to).toString("utf8");
      if (gap.includes(node.operator))
        add(node.span, [from, to], gap.replace(node.operator, OPERATORS[node.operator]));
    }
    if (node.type === "BooleanLiteral") add(node.span, at(node.span), String(!node.value));
    if (node.type === "NumericLiteral") add(node.span, at(node.span), String(node.value + 1));
    if (node.type === "IfStatement" || node.type === "ConditionalExpression") {
      const [from, to] = at(node.test.span);
      add(node.test.span, [from, to], `!(${bytes.subarray(from, to).toString("utf8")})`);
    }
    for (const [name, child] of Object.entries(node)) if (name !== "key") visit(child);
  };
  visit(module.body.slice(1));
  return found;
}

/** The tracked files in a folder of their own, so that work continues in this one. */
function copyRepository() {
  const copy = fs.mkdtempSync(join(tmpdir(), "agent-deploy-mutants-"));
  const tracked = execFileSync(
    "git",
    ["ls-files", "-z", "--cached", "--others", "--exclude-standard"],
    {
      cwd: root,
      encoding: "utf8",
      maxBuffer: 64 * 1024 * 1024,
    },
  );
  for (const path of tracked
    .split("\0")
    .filter((name) => name !== "" && fs.existsSync(join(root, name)))) {
    fs.mkdirSync(dirname(join(copy, path)), { recursive: true });
    fs.copyFileSync(join(root, path), join(copy, path));
  }
  fs.symlinkSync(join(root, "node_modules"), join(copy, "node_modules"));
  return copy;
}

const typescriptBelow = (folder) =>
  fs
    .readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => join(folder, name));

/** By file: the files that import it. */
function importersIn(copy) {
  const importers = new Map();
  for (const file of ["src", "__tests__"].flatMap((name) => typescriptBelow(join(copy, name))))
    for (const [, statement, path, later] of fs
      .readFileSync(file, "utf8")
      .matchAll(/^(?:import|export)\b([^;]*?)from "(\.[^"]+)"|\bimport\("(\.[^"]+)"\)/gm)) {
      if (/^\s*type\b/.test(statement ?? "")) continue;
      const target = join(dirname(file), path ?? later);
      importers.set(target, [...(importers.get(target) ?? []), file]);
    }
  return importers;
}

/** Test files that reach a file by imports, with how many steps away they are. */
function testsOf(file, importers) {
  const steps = new Map([[file, 0]]);
  for (const [one, step] of steps)
    for (const importer of importers.get(one) ?? [])
      if (!steps.has(importer)) steps.set(importer, step + 1);
  const isAsked = (one) =>
    one.endsWith(".test.ts") && !LEFT_OUT.test(one) && (withLaws || !one.includes("/laws/"));
  return new Map([...steps].filter(([one]) => isAsked(one)));
}

/**
 * Runs test files in a copy. Answers what Jest says, and null as its code where no test file ended for `stallMs`.
 */
async function runTests(copy, tests, { more, env = {}, stallMs = MAX_QUIET_MS }) {
  const child = spawn(
    process.execPath,
    [
      ...["--experimental-vm-modules", "--disable-warning=ExperimentalWarning"],
      join(root, "node_modules/jest/bin/jest.js"),
      ...["--config", withLaws ? "jest.laws.config.js" : "jest.config.js"],
      ...["--testMatch", "**/*.test.ts", "--cacheDirectory", join(copy, ".jest")],
      ...["--testSequencer", join(root, "scripts/mutants-sequencer.mjs")],
      ...["--setupFilesAfterEnv", join(root, "scripts/mutants-serial.mjs")],
      ...["--silent", ...more, "--runTestsByPath", ...tests],
    ],
    {
      cwd: copy,
      env: { ...process.env, RUNS: "played", ...env },
      stdio: ["ignore", "ignore", "pipe"],
    },
  );
  let log = "";
  const stall = () => setTimeout(() => child.kill("SIGKILL"), stallMs);
  let timer = stall();
  child.stderr.setEncoding("utf8").on("data", (text) => {
    log += text;
    clearTimeout(timer);
    timer = stall();
  });
  const [code] = await once(child, "close");
  clearTimeout(timer);
  return { code, log };
}

/** The sources with a note of each drawn place, by its number, when it is run. */
function notePlaces(drawn) {
  for (const file of new Set(drawn.map((one) => one.file))) {
    const bytes = fs.readFileSync(file);
    const places = drawn.filter((one) => one.file === file);
    const insertions = places.flatMap(({ id, whole: [from, to] }) => [
      { at: from, text: `(globalThis.placesRun?.add(${id}), ` },
      { at: to, text: ")" },
    ]);
    let done = 0;
    const parts = insertions
      .sort((one, other) => one.at - other.at)
      .flatMap(({ at, text }) => {
        const before = bytes.subarray(done, at);
        done = at;
        return [before, Buffer.from(text)];
      });
    fs.writeFileSync(file, Buffer.concat([...parts, bytes.subarray(done)]));
  }
}

/** By test file that is green while nothing is changed: how long it takes, and the drawn places that it runs. */
async function reachedIn(copy, drawn, workers) {
  const out = join(copy, "unchanged.json");
  const reached = join(copy, "reached.jsonl");
  const originals = new Map(drawn.map(({ file }) => [file, fs.readFileSync(file)]));
  const tests = [...new Set(drawn.flatMap((one) => [...one.steps.keys()]))];
  notePlaces(drawn);
  const more = [
    ...["--json", `--outputFile=${out}`, `--maxWorkers=${workers}`],
    ...["--testEnvironment", join(root, "scripts/mutants-environment.mjs")],
  ];
  await runTests(copy, tests, { more, env: { REACHED: reached } });
  for (const [file, bytes] of originals) fs.writeFileSync(file, bytes);
  const places = new Map(
    fs
      .readFileSync(reached, "utf8")
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line)),
  );
  const { testResults } = JSON.parse(fs.readFileSync(out, "utf8"));
  const found = new Map();
  for (const { status, name, startTime, endTime } of testResults)
    if (status === "passed")
      found.set(name, { ms: endTime - startTime, places: new Set(places.get(name)) });
    else console.log(`left out, not green unchanged: ${relative(copy, name)}`);
  return found;
}

const contentsOf = ({ from, to, text }, before) =>
  Buffer.concat([before.subarray(0, from), Buffer.from(text), before.subarray(to)]);

function compiles(copy) {
  const arguments_ = ["-p", "tsconfig.build.json", "--noEmit", "--incremental"];
  try {
    execFileSync(
      process.execPath,
      [
        ...[join(root, "node_modules/typescript/bin/tsc"), ...arguments_],
        ...["--tsBuildInfoFile", join(copy, ".tsbuildinfo")],
      ],
      { cwd: copy, stdio: "ignore" },
    );
    return true;
  } catch {
    return false;
  }
}

/** Some places of a room to change, each such that the change compiles. */
function drawFrom({ copy, room, count, random, importers }) {
  const all = typescriptBelow(join(copy, "src", room)).flatMap((file) =>
    placesOf(fs.readFileSync(file)).map((place) => ({ room, file, ...place })),
  );
  const drawn = [];
  let refused = 0;
  while (drawn.length < count && all.length > 0) {
    const [one] = all.splice(Math.floor(random() * all.length), 1);
    const before = fs.readFileSync(one.file);
    fs.writeFileSync(one.file, contentsOf(one, before));
    if (compiles(copy)) drawn.push({ ...one, steps: testsOf(one.file, importers) });
    else refused += 1;
    fs.writeFileSync(one.file, before);
  }
  console.log(`${room}: ${drawn.length} mutants; ${refused} more do not compile`);
  return drawn;
}

/** What asks whether a mutant is noticed: the tests that run its place, the near and quick ones first. */
function askedFor({ id, steps }, reached) {
  const cost = (test) => steps.get(test) * (1_000 + reached.get(test).ms);
  return [...steps.keys()]
    .filter((test) => reached.get(test)?.places.has(id))
    .sort((one, other) => cost(one) - cost(other));
}

/** The first test that fails on a mutant, or undefined. */
async function noticedBy(copy, one, reached) {
  const { file, asked } = one;
  if (asked.length === 0) return undefined;
  const path = join(copy, file);
  const before = fs.readFileSync(path);
  const slowestMs = Math.max(...asked.map((test) => reached.get(test).ms));
  fs.writeFileSync(path, contentsOf(one, before));
  const { code, log } = await runTests(
    copy,
    asked.map((test) => test.replace(copies[0], copy)),
    { more: ["--bail", "--maxWorkers=1"], stallMs: 60_000 + TIMES_AS_LONG * slowestMs },
  );
  fs.writeFileSync(path, before);
  if (code === 0) return undefined;
  if (code === null) return "a test that does not end";
  const file_ = /^FAIL (\S+)/m.exec(log)?.[1];
  return `${file_ ?? "a run that breaks"}: ${/^ +● (.+)/m.exec(log)?.[1] ?? ""}`;
}

function describe(copy, { file, from, to, text }) {
  const bytes = fs.readFileSync(file);
  const line = bytes.subarray(0, from).toString("utf8").split("\n").length;
  return `${relative(copy, file)}:${line}: ${bytes.subarray(from, to).toString("utf8").trim()} → ${text.trim()}`;
}

const workers = Number(optionOf("workers", "1"));
const copies = Array.from({ length: workers }, copyRepository);
try {
  const [copy] = copies;
  const random = randomOf(Number(optionOf("seed", "1")));
  const count = Number(optionOf("count", "20"));
  const importers = importersIn(copy);
  const rooms = optionOf("room", "deploy,plan,gate,experiment,secrets").split(",");
  const drawn = rooms
    .flatMap((room) => drawFrom({ copy, room, count, random, importers }))
    .map((one, id) => ({ ...one, id }));
  const reached = await reachedIn(copy, drawn, workers);
  const queue = drawn.map((one) => ({
    ...one,
    words: describe(copy, one),
    file: relative(copy, one.file),
    asked: askedFor(one, reached),
  }));
  const survivors = [];
  const work = async (own) => {
    for (let one = queue.shift(); one !== undefined; one = queue.shift()) {
      const by = await noticedBy(own, one, reached);
      if (by === undefined) survivors.push(one.room);
      const end = by === undefined ? `SURVIVES ${one.asked.length} test files` : `noticed by ${by}`;
      console.log(`${one.words}\n    ${end}`);
    }
  };
  await Promise.all(copies.map(work));
  for (const room of rooms) {
    const of = drawn.filter((one) => one.room === room).length;
    console.log(`${room}: ${survivors.filter((one) => one === room).length} of ${of} survive`);
  }
} finally {
  for (const copy of copies) fs.rmSync(copy, { recursive: true, force: true });
}
