// Fuzzes every surface that reads something from outside: `npm run fuzz -- [--runs N] [--seed S]
// [--only name] [--write]`. Prints the inputs tried per surface, and fails on a crash, a leak, a
// step outside the workspace, or an input that takes longer than 5 s. What failed is reported with its
// smallest input and the seed that repeats it. `--write` keeps the counts in contributing/fuzzing.md.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import fc from "fast-check";
import { compile, root } from "./compile.mjs";
import { toSeeds } from "./fuzz-corpus.mjs";
import { createPlace, createSurfaces } from "./fuzz-surfaces.mjs";

/**
 * Of work: the processor may have others to serve, so a hang is known by the time the process was
 * given, or by a minute in which nothing moved.
 */
const HANG_MS = 5_000;
const STILL_MS = 60_000;
const workMs = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

/** The surfaces over what is compiled, with the kept corpus among what mutations begin from. */
async function loadSurfaces() {
  const load = (path) => import(new URL(`../build/${path}.js`, import.meta.url).href);
  const names = (await createSurfaces(load)).map(({ name }) => name);
  return createSurfaces(load, toSeeds(names));
}

/** What an error of a check represents; a write that the process may not do is one outside, whoever catches it. */
function kindOf(error) {
  if (error?.name === "Leak" || error?.name === "Outside") return error.name;
  return /ERR_ACCESS_DENIED/.test(String(error?.code) + String(error?.message))
    ? "Outside"
    : "Crash";
}

/** The thread that does the work, so that a hang can be reported and ended: takes one surface after the other. */
async function work({ progress }) {
  const surfaces = await loadSurfaces();
  const done = new Int32Array(progress);
  parentPort?.on("message", async ({ name, runs, seed }) => {
    const { arbitrary, check } = surfaces.find((surface) => surface.name === name);
    let slowestMs = 0;
    const property = fc.asyncProperty(arbitrary, async (input) => {
      const begin = workMs();
      try {
        await check(input);
      } finally {
        slowestMs = Math.max(slowestMs, workMs() - begin);
        Atomics.add(done, 0, 1);
      }
    });
    const result = await fc.check(property, { numRuns: runs, seed });
    const failure = result.failed
      ? {
          input: fc.stringify(result.counterexample).slice(0, 2000),
          error: String(/** @type {Error} */ (result.errorInstance)?.stack ?? "").slice(0, 1500),
          kind: kindOf(result.errorInstance),
        }
      : { input: "", error: "", kind: "" };
    parentPort?.postMessage({
      failed: result.failed,
      slowestMs,
      tried: result.numRuns,
      ...failure,
    });
  });
  parentPort?.postMessage("ready");
}

/** Gives surfaces to a thread, and takes a new one where a surface killed or hung it. */
function createRunner({ runs, seed }) {
  const progress = new SharedArrayBuffer(4);
  const done = new Int32Array(progress);
  let thread;
  const start = async () => {
    const worker = new Worker(new URL(import.meta.url), {
      workerData: { progress },
      resourceLimits: { maxOldGenerationSizeMb: 1024 },
    });
    await new Promise((resolve, reject) => {
      worker.once("message", resolve);
      worker.once("error", reject);
    });
    return worker;
  };
  const run = async (name) => {
    thread ??= start();
    const worker = await thread;
    const first = Atomics.load(done, 0);
    return new Promise((resolve) => {
      let [seen, since, work] = [-1, Date.now(), workMs()];
      const end = (result, broken) => {
        clearInterval(watch);
        worker.off("message", onMessage).off("error", onError);
        if (broken) {
          thread = undefined;
          void worker.terminate();
        }
        resolve({ name, tried: Atomics.load(done, 0) - first, hangs: 0, kind: "", ...result });
      };
      const watch = setInterval(() => {
        const now = Atomics.load(done, 0);
        if (now !== seen) [seen, since, work] = [now, Date.now(), workMs()];
        else if (workMs() - work > HANG_MS || Date.now() - since > STILL_MS)
          end(
            {
              failed: true,
              kind: "Hang",
              hangs: 1,
              slowestMs: Date.now() - since,
              input: `input ${now - first + 1} of seed ${seed}`,
              error: "no end within 5 s",
            },
            true,
          );
      }, 250);
      const onMessage = (result) => end(result, false);
      const onError = (error) =>
        end(
          { failed: true, kind: "Crash", slowestMs: 0, input: "", error: String(error.stack) },
          true,
        );
      worker.on("message", onMessage).on("error", onError);
      worker.postMessage({ name, runs, seed });
    });
  };
  return {
    run,
    close: async () => {
      await (await thread)?.terminate();
    },
  };
}

function option(name, fallback) {
  const at = process.argv.indexOf(`--${name}`);
  const inline = process.argv.find((word) => word.startsWith(`--${name}=`));
  return inline?.slice(name.length + 3) ?? (at < 0 ? fallback : process.argv[at + 1]);
}

/**
 * Runs this program again as one that may write nowhere but in the folder that the paths are tried
 * on, and start no program.
 */
function confine() {
  const place = createPlace();
  const flag = process.allowedNodeEnvironmentFlags.has("--permission")
    ? "--permission"
    : "--experimental-permission";
  try {
    const { status } = spawnSync(
      process.execPath,
      [
        flag,
        "--no-warnings",
        "--allow-worker",
        "--allow-fs-read=*",
        `--allow-fs-write=${place}/*`,
        fileURLToPath(import.meta.url),
        ...process.argv.slice(2),
      ],
      {
        stdio: "inherit",
        env: { ...process.env, AGENT_DEPLOY_FUZZ_PLACE: place },
      },
    );
    process.exitCode = status ?? 1;
    if (process.argv.includes("--write"))
      keep(JSON.parse(readFileSync(join(place, "counts.json"), "utf8")));
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

/** Puts the counts of this run into contributing/fuzzing.md, between its markers. */
function keep({ results, seed, node }) {
  const page = join(root, "contributing/fuzzing.md");
  const count = (number) => number.toLocaleString("en-US");
  const sum = (cell) => count(results.reduce((total, result) => total + cell(result), 0));
  const of = (kind) => (result) => (result.kind === kind ? 1 : 0);
  const rows = results.map(
    (result) =>
      `| ${result.name} | ${count(result.tried)} | ${of("Crash")(result)} | ${of("Leak")(result)} | ${of("Outside")(result)} | ${result.hangs} | ${result.slowestMs.toFixed(0)} ms |`,
  );
  const total = `| all ${results.length} | ${sum(({ tried }) => tried)} | ${sum(of("Crash"))} | ${sum(of("Leak"))} | ${sum(of("Outside"))} | ${sum(({ hangs }) => hangs)} | |`;
  const table = [
    `Node ${node}, seed ${seed}, ${new Date().toISOString().slice(0, 10)}:`,
    "",
    "| Surface | Inputs | Crashes | Leaks | Outside the workspace | Hangs over 5 s | Slowest |",
    "|---|---:|---:|---:|---:|---:|---:|",
    ...rows,
    total,
  ].join("\n");
  const [before, , after] = readFileSync(page, "utf8").split(/<!-- counts(?: end)? -->\n/);
  writeFileSync(page, `${before}<!-- counts -->\n${table}\n<!-- counts end -->\n${after}`);
}

async function main() {
  const runs = Number(option("runs", "1000"));
  const seed = Number(option("seed", String(Date.now() % 1_000_000_000)));
  const only = option("only");
  if (!Number.isSafeInteger(runs) || runs < 1 || !Number.isSafeInteger(seed))
    throw new Error("--runs and --seed take whole numbers");
  if (!existsSync(join(root, "build/spec/spec.js"))) compile();
  if (process.permission === undefined) {
    confine();
    return;
  }
  const surfaces = await loadSurfaces();
  const names = surfaces
    .map(({ name }) => name)
    .filter((name) => only === undefined || name.includes(only));
  console.log(`node ${process.version}, seed ${seed}, ${runs} inputs a surface\n`);
  const row = (name, cells) =>
    console.log(
      name.padEnd(26) +
        cells.map((cell, at) => String(cell).padStart([9, 9, 7, 9, 7, 10][at])).join(""),
    );
  row("surface", ["inputs", "crashes", "leaks", "outside", "hangs", "slowest"]);
  const results = [];
  const runner = createRunner({ runs, seed });
  const count = (result, kind) => (result.kind === kind ? 1 : 0);
  for (const name of names) {
    const result = await runner.run(name);
    results.push(result);
    row(name, [
      result.tried,
      count(result, "Crash"),
      count(result, "Leak"),
      count(result, "Outside"),
      result.hangs,
      `${result.slowestMs.toFixed(0)} ms`,
    ]);
    if (result.failed) console.log(`\n${name}: ${result.input}\n${result.error}\n`);
  }
  await runner.close();
  const slow = results.filter(({ slowestMs }) => slowestMs > HANG_MS).length;
  const sum = (kind) => results.reduce((total, result) => total + count(result, kind), 0);
  const tried = results.reduce((total, result) => total + result.tried, 0);
  console.log(
    `\n${results.length} surfaces, ${tried} inputs, ${sum("Crash")} crashes, ${sum("Leak")} leaks, ${sum("Outside")} writes or reads outside the workspace, ${Math.max(slow, sum("Hang"))} hangs over ${HANG_MS / 1000} s`,
  );
  writeFileSync(
    join(process.env.AGENT_DEPLOY_FUZZ_PLACE ?? "", "counts.json"),
    JSON.stringify({ results, seed, node: process.version }),
  );
  if (slow > 0 || results.some((result) => result.failed)) process.exitCode = 1;
}

if (!isMainThread && workerData?.progress !== undefined) await work(workerData);
else if (
  process.argv[1] !== undefined &&
  import.meta.url.endsWith(String(process.argv[1].split("/").at(-1)))
)
  await main();
