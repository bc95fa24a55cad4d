// Runs agent-deploy together with programs that nobody here wrote: npm run realworld [-- --only act,zizmor] [--quick] [--all] [--out FILE].
// One line a party. What is not on this machine is skipped aloud; a check that does not hold makes the command fail. `--quick` leaves
// out what takes minutes; with `--all` nothing else may be skipped; `--out` keeps all of it as JSON.
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { Skipped } from "./realworld/toolbox.mjs";

const LEFT_OUT = "left out by --quick";
const root = fileURLToPath(new URL("..", import.meta.url));
const folder = join(root, "scripts/realworld");

function optionOf(name) {
  const at = process.argv.indexOf(name);
  return at === -1 ? undefined : process.argv[at + 1];
}

async function readParties() {
  const modules = readdirSync(folder)
    .filter((name) => name.endsWith(".mjs"))
    .sort()
    .map((name) => import(pathToFileURL(join(folder, name)).href));
  return (await Promise.all(modules)).flatMap(({ parties = [] }) => parties);
}

const toText = (detail) => (typeof detail === "string" ? detail : (JSON.stringify(detail) ?? ""));

/** Runs one party; `check` counts what holds, and keeps the rest with its reason. */
async function meet(party) {
  const held = [];
  const broken = [];
  const check = (what, holds, detail = "") => {
    if (holds) held.push(what);
    else broken.push({ what, detail: toText(detail) });
  };
  const { name, version, optional } = party;
  const said = { name, version, ...(optional === true ? { optional } : {}) };
  const began = performance.now();
  const end = (more) => ({ ...said, ...more, held, broken, seconds: since(began) });
  if (quick && party.slow === true) return end({ skipped: LEFT_OUT });
  try {
    const done = await party.run({ root, check, quick });
    return end(typeof done === "string" ? { ran: done } : done);
  } catch (error) {
    if (error instanceof Skipped) return end({ skipped: error.message });
    broken.push({ what: "it ran to its end", detail: error.stack ?? String(error) });
    return end({ ran: "" });
  }
}

const since = (began) => Math.round((performance.now() - began) / 1000);

function toLine({ name, version, ran, skipped, held, broken, seconds }) {
  if (skipped !== undefined) return `${name} ${version}: skipped: ${skipped}`;
  const all = held.length + broken.length;
  return `${name} ${version}: ${ran}: ${held.length} of ${all} checks held (${seconds} s)`;
}

const quick = process.argv.includes("--quick");

const only = optionOf("--only")?.split(",");
const parties = (await readParties()).filter(
  ({ name }) => only?.some((one) => name === one || name.startsWith(`${one}-`)) ?? true,
);
if (parties.length === 0) throw new Error(`no party is called ${only?.join(", ")}`);
const results = [];
for (const party of parties) {
  const result = await meet(party);
  results.push(result);
  console.log(toLine(result));
  for (const { what, detail } of result.broken)
    console.log(`  does not hold: ${what}${detail === "" ? "" : `: ${detail.slice(-1500)}`}`);
}
const out = optionOf("--out");
if (out !== undefined) writeFileSync(out, `${JSON.stringify(results, null, 2)}\n`);
const isMissing = ({ skipped, optional }) =>
  skipped !== undefined && skipped !== LEFT_OUT && optional !== true;
const isRed = (result) =>
  result.broken.length > 0 || (process.argv.includes("--all") && isMissing(result));
process.exitCode = results.some(isRed) ? 1 : 0;
