// npm run mutants -- [--room plan,gate] [--count 20] [--seed 1] [--workers 1] [--laws]: changes one place of src/ at a time
// in a copy of the repository, asks every test that runs the place, and prints the first that fails. A mutant that all
// tests pass survives; a person judges it. A change that does not compile does not count: the type check notices it. Runs
// of dist/ are played by src/ there. `--laws`: the laws are asked too (minutes a mutant).
// All drawn changes are in the copy at once, each switched on by its number, so that one Jest asks about all of them.
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { root } from "./compile.mjs";
import { changed, placesOf, switched } from "./mutants-places.mjs";

/** A mutant that hangs is noticed: when a test file takes so many times as long as unchanged, and a minute. */
const TIMES_AS_LONG = 10;
const LEAST_MS = 60_000;
/** So many tests are asked about every mutant first: they notice most, and what they notice is asked no more. */
const NEAREST = 4;
/** What is not about the behaviour of a room: pages, and texts of the repository itself. */
const LEFT_OUT = /\/(docs|examples|editors|support)\/|\/(dist|check|architecture[\w-]*)\.test/;

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

/** The tracked files in a folder of their own, so that work continues in this one. */
function copyRepository() {
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
}

const typescriptBelow = (folder) =>
  fs
    .readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => join(folder, name));

/** By file: the files that import it. */
function importersOf() {
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

/** Starts Jest over the copy, in a process group of its own. */
function startJest(stdout, more) {
  return spawn(
    process.execPath,
    [
      ...["--experimental-vm-modules", "--disable-warning=ExperimentalWarning"],
      join(root, "node_modules/jest/bin/jest.js"),
      ...["--config", withLaws ? "jest.laws.config.js" : "jest.config.js"],
      ...["--testEnvironment", join(root, "scripts/mutants-environment.mjs")],
      ...["--setupFilesAfterEnv", join(root, "scripts/mutants-serial.mjs")],
      ...["--cacheDirectory", join(folder, "jest"), "--silent"],
      // Jest's modules stay in memory until their worker ends; to begin one costs as much as a test.
      ...[`--maxWorkers=${workers}`, "--workerIdleMemoryLimit=4GB"],
      ...more,
    ],
    {
      cwd: copy,
      env: { ...process.env, RUNS: "played", MUTANTS: folder },
      stdio: ["ignore", stdout, "ignore"],
      detached: true,
    },
  );
}

/** By test file that is green while nothing is changed: how long it takes, and the drawn places that it runs. */
async function reachedBy(tests) {
  const out = join(folder, "unchanged.json");
  const more = ["--json", `--outputFile=${out}`, "--testMatch", "**/*.test.ts"];
  const jest = startJest("ignore", [...more, "--runTestsByPath", ...tests]);
  await once(jest, "close");
  const lines = fs.readFileSync(join(folder, "reached.jsonl"), "utf8").trimEnd().split("\n");
  const places = new Map(lines.map((line) => JSON.parse(line)));
  const { testResults } = JSON.parse(fs.readFileSync(out, "utf8"));
  const found = new Map();
  for (const { status, name, startTime, endTime } of testResults)
    if (status === "passed")
      found.set(name, { ms: endTime - startTime, places: new Set(places.get(name)) });
    else console.log(`left out, not green unchanged: ${relative(copy, name)}`);
  return found;
}

/** The files of src/ that do not compile. */
function notCompiling() {
  const { stdout } = spawnSync(
    process.execPath,
    [
      join(root, "node_modules/typescript/bin/tsc"),
      ...["-p", "tsconfig.build.json", "--noEmit", "--pretty", "false"],
    ],
    { cwd: copy, encoding: "utf8", maxBuffer: 64 * 1024 * 1024 },
  );
  return new Set([...stdout.matchAll(/^(src\/[^(]+)\(/gm)].map(([, path]) => join(copy, path)));
}

/** Those of some changes, at most one a file, that compile. */
function compilingOf(places) {
  const originals = places.map(({ file }) => fs.readFileSync(file));
  for (const [at, one] of places.entries()) fs.writeFileSync(one.file, changed(originals[at], one));
  const refused = notCompiling();
  for (const [at, { file }] of places.entries()) fs.writeFileSync(file, originals[at]);
  const own = new Set(places.map(({ file }) => file));
  const blamesOthers = [...refused].some((file) => !own.has(file));
  if (blamesOthers && places.length > 1) return places.flatMap((one) => compilingOf([one]));
  return blamesOthers ? [] : places.filter(({ file }) => !refused.has(file));
}

/** Some places of a room to change, each such that the change compiles. */
function drawFrom({ room, count, random }) {
  const all = typescriptBelow(join(copy, "src", room)).flatMap((file) =>
    placesOf(fs.readFileSync(file)).map((place) => ({ room, file, ...place })),
  );
  const drawn = [];
  let refused = 0;
  while (drawn.length < count && all.length > 0) {
    const tried = new Map();
    while (tried.size < count - drawn.length && all.length > 0) {
      const [one] = all.splice(Math.floor(random() * all.length), 1);
      if (tried.has(one.file)) {
        all.push(one);
        break;
      }
      tried.set(one.file, one);
    }
    const compiling = compilingOf([...tried.values()]);
    drawn.push(...compiling);
    refused += tried.size - compiling.length;
  }
  console.log(`${room}: ${drawn.length} mutants; ${refused} more do not compile`);
  return drawn;
}

function describe({ file, from, to, text }) {
  const bytes = fs.readFileSync(file);
  const line = bytes.subarray(0, from).toString("utf8").split("\n").length;
  return `${relative(copy, file)}:${line}: ${bytes.subarray(from, to).toString("utf8").trim()} → ${text.trim()}`;
}

/** Puts a switch at each drawn place. */
function writeSwitched(drawn) {
  for (const file of new Set(drawn.map((one) => one.file))) {
    const places = drawn.filter((one) => one.file === file);
    fs.writeFileSync(file, switched(fs.readFileSync(file), places));
  }
}

/** What asks whether a mutant is noticed: the tests that run its place, the near and quick ones first. */
function askedFor({ id, steps }, reached) {
  const cost = (test) => steps.get(test) * (1_000 + reached.get(test).ms);
  return [...steps.keys()]
    .filter((test) => reached.get(test)?.places.has(id))
    .sort((one, other) => cost(one) - cost(other));
}

const folderOf = (id) => join(copy, "mutants", String(id).padStart(5, "0"));
const isNoticed = ({ id }) => fs.existsSync(join(folder, `noticed-${id}`));

/** A file for each of some tests that a mutant is asked of: the test itself, with the mutant switched on. */
function writeAsked({ id, asked }, { from, to }) {
  fs.mkdirSync(folderOf(id), { recursive: true });
  for (const [at, test] of asked.entries()) {
    if (at < from || at >= to) continue;
    fs.writeFileSync(
      join(folderOf(id), `${String(at).padStart(3, "0")}.test.ts`),
      [
        'if (globalThis.isMutantNoticed) test("is noticed", () => {});',
        `else await import("../../${relative(copy, test)}");`,
      ].join("\n"),
    );
  }
}

/** The mutants whose test file takes far longer than unchanged. */
function hangingOf(drawn, reached) {
  return fs.readdirSync(folder).flatMap((name) => {
    const [, id, at] = /^begun-.*?(\d+)%(\d+)\.test\.ts$/.exec(name) ?? [];
    if (id === undefined) return [];
    const mutant = drawn[Number(id)];
    const begun = fs.statSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs;
    const longestMs = LEAST_MS + TIMES_AS_LONG * reached.get(mutant.asked[Number(at)]).ms;
    return Date.now() - (begun ?? Date.now()) > longestMs ? [mutant] : [];
  });
}

/** Asks the tests that are written. Jest is started again where one had to be killed. */
async function askWritten(drawn, reached) {
  const left = () => typescriptBelow(join(copy, "mutants")).length;
  while (left() > 0) {
    const before = left();
    const jest = startJest("inherit", [
      ...["--testMatch", "**/mutants/**/*.test.ts"],
      ...["--testSequencer", join(root, "scripts/mutants-sequencer.mjs")],
      ...["--reporters", join(root, "scripts/mutants-reporter.mjs")],
    ]);
    const watch = setInterval(() => {
      const hanging = hangingOf(drawn, reached);
      if (hanging.length === 0) return;
      process.kill(-Number(jest.pid), "SIGKILL");
      for (const { id, words } of hanging) {
        fs.writeFileSync(join(folder, `noticed-${id}`), "");
        fs.rmSync(folderOf(id), { recursive: true, force: true });
        console.log(`${words}\n    noticed by a test that does not end`);
      }
    }, 1_000);
    await once(jest, "close");
    clearInterval(watch);
    for (const name of fs.readdirSync(folder))
      if (name.startsWith("begun-")) fs.rmSync(join(folder, name));
    if (left() === before) throw new Error("Jest asks no test");
  }
}

const workers = Number(optionOf("workers", "1"));
const folder = fs.mkdtempSync(join(tmpdir(), "agent-deploy-mutants-"));
const copy = join(folder, "copy");
try {
  copyRepository();
  const random = randomOf(Number(optionOf("seed", "1")));
  const count = Number(optionOf("count", "20"));
  const rooms = optionOf("room", "deploy,plan,gate,experiment,secrets").split(",");
  const importers = importersOf();
  const drawn = rooms
    .flatMap((room) => drawFrom({ room, count, random }))
    .map((one, id) => ({
      ...one,
      id,
      words: describe(one),
      steps: testsOf(one.file, importers),
    }));
  writeSwitched(drawn);
  const reached = await reachedBy([...new Set(drawn.flatMap((one) => [...one.steps.keys()]))]);
  const queue = drawn.map((one) => ({ ...one, asked: askedFor(one, reached) }));
  const shown = queue.map(({ words, asked }) => ({
    words,
    asked: asked.map((test) => relative(copy, test)),
  }));
  fs.writeFileSync(join(folder, "mutants.json"), JSON.stringify(shown));
  for (const part of [
    { from: 0, to: NEAREST },
    { from: NEAREST, to: Infinity },
  ]) {
    for (const one of queue.filter((mutant) => !isNoticed(mutant))) writeAsked(one, part);
    await askWritten(queue, reached);
  }
  for (const { words, asked } of queue.filter((mutant) => !isNoticed(mutant)))
    console.log(`${words}\n    SURVIVES ${asked.length} test files`);
  for (const room of rooms) {
    const of = drawn.filter((one) => one.room === room);
    const alive = of.filter((mutant) => !isNoticed(mutant));
    console.log(`${room}: ${alive.length} of ${of.length} survive`);
  }
} finally {
  fs.rmSync(folder, { recursive: true, force: true });
}
