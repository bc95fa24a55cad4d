// Fuzzes every surface that reads something from outside: `npm run fuzz -- [--runs N] [--seed S] [--only name]`. Prints the inputs
// tried per surface, and fails on a crash or on an input that takes longer than 5 s. A crash is told with the seed that repeats it.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import fc from "fast-check";
import { compile, root } from "./compile.mjs";
import { createSurfaces } from "./fuzz-surfaces.mjs";

const HANG_MS = 5_000;
const corpusFolder = join(root, "__tests__/security/corpus");

/** Inputs that once crashed something, by surface: `<surface>--<what>.txt`. */
export function readCorpus() {
  const kept = {};
  for (const file of existsSync(corpusFolder) ? readdirSync(corpusFolder).sort() : []) {
    const [surface] = file.split("--");
    if (file.endsWith(".txt")) (kept[surface.replaceAll("_", " ")] ??= []).push(readFileSync(join(corpusFolder, file), "utf8"));
  }
  return kept;
}

/** The thread that does the work, so that a hang can be told and ended: takes one surface after the other. */
async function work({ progress }) {
  const surfaces = await createSurfaces((path) => import(new URL(`../build/${path}.js`, import.meta.url)), readCorpus());
  const done = new Int32Array(progress);
  parentPort.on("message", async ({ name, runs, seed }) => {
    const { arbitrary, check } = surfaces.find((surface) => surface.name === name);
    let slowestMs = 0;
    const property = fc.asyncProperty(arbitrary, async (input) => {
      const begin = performance.now();
      try { await check(input); } finally {
        slowestMs = Math.max(slowestMs, performance.now() - begin);
        Atomics.add(done, 0, 1);
      }
    });
    const result = await fc.check(property, { numRuns: runs, seed });
    const failure = result.failed ? { input: fc.stringify(result.counterexample).slice(0, 2000), error: String(result.errorInstance?.stack ?? "").slice(0, 1500) } : { input: "", error: "" };
    parentPort.postMessage({ failed: result.failed, slowestMs, tried: result.numRuns, ...failure });
  });
  parentPort.postMessage("ready");
}

/** Gives surfaces to a thread, and takes a new one where a surface killed or hung it. */
function createRunner({ runs, seed }) {
  const progress = new SharedArrayBuffer(4);
  const done = new Int32Array(progress);
  let thread;
  const start = async () => {
    const worker = new Worker(new URL(import.meta.url), { workerData: { progress }, resourceLimits: { maxOldGenerationSizeMb: 1024 } });
    await new Promise((resolve, reject) => { worker.once("message", resolve); worker.once("error", reject); });
    return worker;
  };
  const run = async (name) => {
    const worker = await (thread ??= start());
    const first = Atomics.load(done, 0);
    return new Promise((resolve) => {
      let [seen, since] = [-1, Date.now()];
      const end = (result, broken) => {
        clearInterval(watch);
        worker.off("message", onMessage).off("error", onError);
        if (broken) { thread = undefined; void worker.terminate(); }
        resolve({ name, tried: Atomics.load(done, 0) - first, hangs: 0, ...result });
      };
      const watch = setInterval(() => {
        const now = Atomics.load(done, 0);
        if (now !== seen) [seen, since] = [now, Date.now()];
        else if (Date.now() - since > HANG_MS) end({ failed: true, hangs: 1, slowestMs: Date.now() - since, input: `input ${now - first + 1} of seed ${seed}`, error: "no end within 5 s" }, true);
      }, 250);
      const onMessage = (result) => end(result, false);
      const onError = (error) => end({ failed: true, slowestMs: 0, input: "", error: String(error.stack) }, true);
      worker.on("message", onMessage).on("error", onError);
      worker.postMessage({ name, runs, seed });
    });
  };
  return { run, close: async () => { await (await thread)?.terminate(); } };
}

function option(name, fallback) {
  const at = process.argv.indexOf(`--${name}`);
  const inline = process.argv.find((word) => word.startsWith(`--${name}=`));
  return inline?.slice(name.length + 3) ?? (at < 0 ? fallback : process.argv[at + 1]);
}

async function main() {
  const runs = Number(option("runs", "1000"));
  const seed = Number(option("seed", String(Date.now() % 1_000_000_000)));
  const only = option("only");
  if (!Number.isSafeInteger(runs) || runs < 1 || !Number.isSafeInteger(seed)) throw new Error("--runs and --seed take whole numbers");
  if (!existsSync(join(root, "build/spec/spec.js"))) compile();
  const surfaces = await createSurfaces((path) => import(new URL(`../build/${path}.js`, import.meta.url)), readCorpus());
  const names = surfaces.map(({ name }) => name).filter((name) => only === undefined || name.includes(only));
  console.log(`node ${process.version}, seed ${seed}, ${runs} inputs a surface\n`);
  console.log(`${"surface".padEnd(26)}${"inputs".padStart(8)}${"crashes".padStart(9)}${"hangs".padStart(7)}${"slowest".padStart(10)}`);
  const results = [];
  const runner = createRunner({ runs, seed });
  for (const name of names) {
    const result = await runner.run(name);
    results.push(result);
    console.log(`${name.padEnd(26)}${String(result.tried).padStart(8)}${String(result.failed && result.hangs === 0 ? 1 : 0).padStart(9)}${String(result.hangs).padStart(7)}${`${result.slowestMs.toFixed(0)} ms`.padStart(10)}`);
    if (result.failed) console.log(`\n${name}: ${result.input}\n${result.error}\n`);
  }
  await runner.close();
  const slow = results.filter(({ slowestMs }) => slowestMs > HANG_MS);
  const failed = results.filter((result) => result.failed);
  const sum = (key) => results.reduce((total, result) => total + Number(result[key]), 0);
  console.log(`\n${results.length} surfaces, ${sum("tried")} inputs, ${failed.length - sum("hangs")} crashes, ${Math.max(slow.length, sum("hangs"))} hangs over ${HANG_MS / 1000} s`);
  if (failed.length + slow.length > 0) process.exitCode = 1;
}

if (!isMainThread && workerData?.progress !== undefined) await work(workerData);
else if (process.argv[1] !== undefined && import.meta.url.endsWith(process.argv[1].split("/").at(-1))) await main();
