// npm run mutants -- [--room plan,gate] [--count 20] [--seed 1] [--all]: changes one place of src/ at a time in a copy of
// the repository, runs the tests that reach it by imports, the nearest first, and prints each mutant that no test notices,
// for a person to judge. Runs of dist/ are played by src/ there. `--all`: what those do not notice is tried on every test
// that reaches it, laws too (minutes a mutant).
import { execFileSync, spawnSync } from "node:child_process";
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
/** A mutant that hangs is noticed: after so many times what its tests take unchanged, and a minute. */
const TIMES_AS_LONG = 10;
/** Test files that run for one mutant, the nearest by imports first. */
const MAX_TESTS = 14;
/** What is not about the behaviour of a room: pages, and texts of the repository itself. */
const LEFT_OUT = /\/(docs|examples|editors|support)\/|\/(dist|check|architecture[\w-]*)\.test/;
/** Jest runs the files as they are named. */
const IN_ORDER = "scripts/mutants-sequencer.mjs";

const withAll = process.argv.includes("--all");

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

/** Every place that can be changed: byte offsets, and the new text. */
function placesOf(bytes) {
  // With a statement of our own in front, so that the module begins at a known byte, whatever comments come first.
  const module = parseSync(`0;${bytes.toString("utf8")}`, { syntax: "typescript" });
  const base = module.span.start + 2;
  const found = [];
  const visit = (node) => {
    if (typeof node !== "object" || node === null) return;
    if (Array.isArray(node)) {
      node.forEach(visit);
      return;
    }
    const at = (span) => [span.start - base, span.end - base];
    if (node.type === "BinaryExpression" && OPERATORS[node.operator] !== undefined) {
      const [, from] = at(node.left.span);
      const [to] = at(node.right.span);
      const gap = bytes.subarray(from, to).toString("utf8");
      if (gap.includes(node.operator))
        found.push([from, to, gap.replace(node.operator, OPERATORS[node.operator])]);
    }
    if (node.type === "BooleanLiteral") found.push([...at(node.span), String(!node.value)]);
    if (node.type === "NumericLiteral") found.push([...at(node.span), String(node.value + 1)]);
    if (node.type === "IfStatement" || node.type === "ConditionalExpression") {
      const [from, to] = at(node.test.span);
      found.push([from, to, `!(${bytes.subarray(from, to).toString("utf8")})`]);
    }
    Object.values(node).forEach(visit);
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

/** Test files that reach a file by imports: the nearest first, laws last. */
function testsOf(file, importers) {
  const seen = new Set([file]);
  for (const one of seen) for (const importer of importers.get(one) ?? []) seen.add(importer);
  const tests = [...seen].filter((one) => one.endsWith(".test.ts") && !LEFT_OUT.test(one));
  const isLaw = (one) => one.includes("/laws/");
  return [...tests.filter((one) => !isLaw(one)), ...tests.filter(isLaw)];
}

function runTests(copy, tests, more, timeout = 0) {
  return spawnSync(
    process.execPath,
    [
      ...["--experimental-vm-modules", "--disable-warning=ExperimentalWarning"],
      join(root, "node_modules/jest/bin/jest.js"),
      ...["--config", "jest.laws.config.js", "--testMatch", "**/*.test.ts"],
      ...["--testSequencer", join(root, IN_ORDER)],
      ...["--silent", "--maxWorkers=1", ...more, "--runTestsByPath", ...tests],
    ],
    {
      cwd: copy,
      env: { ...process.env, RUNS: "played" },
      stdio: "ignore",
      timeout,
      killSignal: "SIGKILL",
    },
  );
}

/** How long each test file takes while nothing is changed; null for one that fails, and would notice every mutant. */
function passingIn(copy, tests) {
  const out = join(copy, "unchanged.json");
  runTests(copy, tests, ["--json", `--outputFile=${out}`]);
  const { testResults } = JSON.parse(fs.readFileSync(out, "utf8"));
  const passing = new Map(tests.map((one) => [one, null]));
  for (const { status, name, startTime, endTime } of testResults)
    if (status === "passed") passing.set(name, endTime - startTime);
  for (const one of tests)
    if (passing.get(one) === null)
      console.log(`left out, not green unchanged: ${relative(copy, one)}`);
  return passing;
}

/** Some places of a room to change, each with the tests that are nearest to it. */
function drawFrom({ copy, room, count, random, importers }) {
  const all = typescriptBelow(join(copy, "src", room)).flatMap((file) =>
    placesOf(fs.readFileSync(file)).map((place) => ({ file, place })),
  );
  const drawn = [];
  while (drawn.length < count && all.length > 0) {
    const [one] = all.splice(Math.floor(random() * all.length), 1);
    drawn.push({ room, ...one, tests: testsOf(one.file, importers) });
  }
  return drawn;
}

/** Whether a test fails on a mutant. */
function isNoticed(copy, { file, place: [from, to, text], tests }, passing) {
  const before = fs.readFileSync(file);
  const mutant = Buffer.concat([before.subarray(0, from), Buffer.from(text), before.subarray(to)]);
  const failsOn = (some) => {
    const green = some.filter((test) => passing.get(test) !== null);
    const usualMs = green.reduce((sum, test) => sum + (passing.get(test) ?? 0), 0);
    const limitMs = 60_000 + TIMES_AS_LONG * usualMs;
    return green.length > 0 && runTests(copy, green, ["--bail"], limitMs).status !== 0;
  };
  fs.writeFileSync(file, mutant);
  const noticed =
    failsOn(tests.slice(0, MAX_TESTS)) || (withAll && failsOn(tests.slice(MAX_TESTS)));
  fs.writeFileSync(file, before);
  return noticed;
}

function describe(copy, { file, place: [from, to, text] }) {
  const bytes = fs.readFileSync(file);
  const line = bytes.subarray(0, from).toString("utf8").split("\n").length;
  return `${relative(copy, file)}:${line}: ${bytes.subarray(from, to).toString("utf8")} → ${text}`;
}

const copy = copyRepository();
try {
  const random = randomOf(Number(optionOf("seed", "1")));
  const count = Number(optionOf("count", "20"));
  const importers = importersIn(copy);
  const rooms = optionOf("room", "deploy,plan,gate,experiment,secrets").split(",");
  const drawn = rooms.map((room) => drawFrom({ copy, room, count, random, importers }));
  const first = drawn.flat().flatMap(({ tests }) => (withAll ? tests : tests.slice(0, MAX_TESTS)));
  const passing = passingIn(copy, [...new Set(first)]);
  for (const mutants of drawn) {
    let survived = 0;
    for (const one of mutants) {
      if (isNoticed(copy, one, passing)) continue;
      survived += 1;
      console.log(describe(copy, one));
    }
    console.log(`${mutants[0]?.room}: ${survived} of ${mutants.length} mutants survive`);
  }
} finally {
  fs.rmSync(copy, { recursive: true, force: true });
}
