// Runs agent-deploy together with programs that nobody here wrote: npm run realworld [-- --only act,zizmor] [--out FILE].
// One line a party. What is not on this machine is skipped aloud; a check that does not hold makes the command fail.
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { Skipped } from "./realworld/toolbox.mjs";

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

/** Runs one party; `check` counts what holds, and keeps the rest with its reason. */
async function meet(party) {
  const held = [];
  const broken = [];
  const check = (what, holds, detail = "") => {
    if (holds) held.push(what);
    else broken.push(`${what}${detail === "" ? "" : `: ${String(detail).slice(-1500)}`}`);
  };
  const said = { name: party.name, version: party.version };
  try {
    const ran = await party.run({ root, check });
    return { ...said, ran, held: held.length, broken };
  } catch (error) {
    if (error instanceof Skipped) return { ...said, skipped: error.message, held: 0, broken: [] };
    return {
      ...said,
      ran: "",
      held: held.length,
      broken: [...broken, error.stack ?? String(error)],
    };
  }
}

function toLine({ name, version, ran, skipped, held, broken }) {
  if (skipped !== undefined) return `${name} ${version}: skipped: ${skipped}`;
  return `${name} ${version}: ${ran}: ${held} of ${held + broken.length} checks held`;
}

const only = optionOf("--only")?.split(",");
const parties = (await readParties()).filter(({ name }) => only?.includes(name) ?? true);
if (parties.length === 0) throw new Error(`no party is called ${only?.join(", ")}`);
const results = [];
for (const party of parties) {
  const result = await meet(party);
  results.push(result);
  console.log(toLine(result));
  for (const line of result.broken) console.log(`  does not hold: ${line}`);
}
const out = optionOf("--out");
if (out !== undefined) writeFileSync(out, `${JSON.stringify(results, null, 2)}\n`);
process.exitCode = results.some(({ broken }) => broken.length > 0) ? 1 : 0;
