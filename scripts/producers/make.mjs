// Makes the files of __tests__/experiment/producers anew; see README.md next to it.
import { execFileSync, spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { hostname, tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { compile } from "../compile.mjs";
import { RUNS, TOOLS } from "./tools.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const committed = resolve(here, "../../__tests__/experiment/producers/files");
const [cacheArgument, ...words] = process.argv.slice(2);
const names = words.filter((word) => !word.startsWith("--"));
const npmOnly = words.includes("--npm");
/** Only looks whether the product reads what is made now as it reads the committed files. */
const checking = words.includes("--check");
const cache = resolve(cacheArgument ?? join(tmpdir(), "agent-deploy-producers"));
const out = checking ? join(cache, "files") : committed;

/** What `upload` refuses is kept next to the files that it reads. */
const rootOf = ({ refused }, files) => (refused ? join(files, "../refused") : files);

/** Tools of the same packages share an installation. */
const homeOf = (/** @type {Record<string, any>} */ { npm, pip, alone }) =>
  [...(alone ?? []), ...(npm ?? []), ...(alone === undefined ? (pip ?? []) : [])]
    .join(" ")
    .replaceAll(/[^\w.=@-]+/g, "_") || "node";

/** @param {Record<string, any>} tool */
function prepare({ npm, pip, alone, build = [], optional = false }) {
  const folder = join(cache, homeOf({ npm, pip, alone }));
  if (!existsSync(join(folder, "ready"))) {
    mkdirSync(folder, { recursive: true });
    /** @type {import("node:child_process").ExecFileSyncOptions} */
    const quiet = { cwd: folder, stdio: ["ignore", "ignore", "inherit"] };
    if (npm?.length > 0) {
      writeFileSync(join(folder, "package.json"), '{ "name": "producer", "private": true }\n');
      execFileSync(
        "npm",
        [
          "install",
          "--no-audit",
          "--no-fund",
          "--ignore-scripts",
          "--legacy-peer-deps",
          ...(optional ? [] : ["--omit=optional"]),
          ...npm,
        ],
        quiet,
      );
      for (const name of build) execFileSync("npm", ["rebuild", name], quiet);
    }
    if (pip !== undefined) {
      execFileSync("python3", ["-m", "venv", "venv"], quiet);
      execFileSync("venv/bin/pip", ["install", "-q", ...pip], quiet);
      if (alone !== undefined)
        execFileSync("venv/bin/pip", ["install", "-q", "--no-deps", ...alone], quiet);
    }
    mkdirSync(join(folder, "ready"));
  }
  return folder;
}

function make(tool, variant) {
  const folder = prepare(tool);
  const work = join(folder, `${tool.tool}-${variant}`);
  rmSync(work, { recursive: true, force: true });
  cpSync(join(here, "suites"), work, { recursive: true });
  const target = join(rootOf(tool, out), tool.tool, variant, tool.file);
  const result = join(work, tool.file);
  const [program, ...args] = tool.run.map((word) =>
    word
      .replace("OUT", result)
      .replace("BIN", join(folder, "node_modules/.bin"))
      .replace("PY", join(folder, "venv/bin")),
  );
  const env = {
    ...process.env,
    VARIANT: variant,
    PROMPTFOO_DISABLE_TELEMETRY: "1",
    PROMPTFOO_DISABLE_UPDATE: "1",
    PROMPTFOO_CONFIG_DIR: join(work, "home"),
    CI: "1",
    NODE_PATH: join(folder, "node_modules"),
    CTRF_FILE: tool.file,
    LANGSMITH_TEST_TRACKING: "false",
    // LangSmith's tests write into the folder for temporary files.
    ...(tool.beside === undefined ? {} : { TMPDIR: work }),
  };
  // A red suite exits red; what counts is the file.
  const { stdout } = spawnSync(program, args, { cwd: work, env, timeout: 300_000 });
  if (tool.stdout) writeFileSync(result, stdout);
  const made = tool.made === undefined ? result : newest(join(work, dirname(tool.made)));
  if (!existsSync(made)) throw new Error(`${tool.tool} wrote no ${tool.file}`);
  rmSync(dirname(target), { recursive: true, force: true });
  mkdirSync(dirname(target), { recursive: true });
  if (/\.eval$/.test(made)) cpSync(made, target);
  else writeFileSync(target, withoutPlaces(readFileSync(made, "utf8"), work, folder));
  if (tool.beside !== undefined)
    cpSync(join(work, tool.beside), join(dirname(target), tool.beside), { recursive: true });
}

/** The text without the names of this machine and its folders. */
function withoutPlaces(text, work, folder) {
  const places = [
    [realpathSync(work), "/suite"],
    [work, "/suite"],
    [realpathSync(folder), "/tool"],
    [folder, "/tool"],
    [`hostname="${hostname()}"`, `hostname="host"`],
  ];
  return places.reduce((left, [place, name]) => left.replaceAll(place, name), text);
}

function newest(folder) {
  const files = existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [];
  return files.sort((x, y) => statSync(y).mtimeMs - statSync(x).mtimeMs)[0] ?? "";
}

const chosen = TOOLS.filter(
  ({ tool, pip, heavy }) =>
    (names.length === 0 || names.includes(tool)) && !(npmOnly && (pip !== undefined || heavy)),
);
const made = chosen.filter((tool) => {
  try {
    prepare(tool);
    return true;
  } catch (error) {
    console.error(
      `skipped: ${tool.tool} cannot be installed here (${error.message.split("\n")[0]})`,
    );
    if (!checking) process.exitCode = 1;
    return false;
  }
});
for (const tool of made) {
  for (const variant of RUNS) {
    try {
      make(tool, variant);
      console.log(`${tool.tool} ${variant}`);
    } catch (error) {
      console.error(`${tool.tool} ${variant}: ${error.message}`);
      process.exitCode = 1;
    }
  }
}
if (checking) await compare(made);
else readOnItsOwn();

/** What the product reads of a run's files: rows, errors, and the mean of each score. */
async function factsOf(root, folder) {
  const { readExperiments } = await import("#built/experiment/experiment.js");
  const paths = readdirSync(join(root, folder), { encoding: "utf8", recursive: true })
    .filter((name) => statSync(join(root, folder, name)).isFile())
    .map((name) => join(folder, name));
  const { experiments, problems } = await readExperiments({ paths, workspace: { root } });
  const told = experiments.map(({ format, rowCount, errorCount, scores }) => ({
    format,
    rowCount,
    errorCount,
    scores: Object.entries(scores).sort(),
  }));
  return JSON.stringify([told, problems.map(({ message }) => message)]);
}

async function compare(tools) {
  compile();
  for (const tool of tools)
    for (const variant of RUNS) {
      const path = join(tool.tool, variant);
      const now = await factsOf(rootOf(tool, out), path);
      const before = await factsOf(rootOf(tool, committed), path);
      if (now === before) continue;
      console.error(`${path}: made now ${now}, committed ${before}`);
      process.exitCode = 1;
    }
}

function readOnItsOwn() {
  // Inspect reads its own logs, packed as they are.
  const inspect = TOOLS.find(({ tool }) => tool.startsWith("inspect"));
  const python = join(cache, homeOf(inspect ?? {}), "venv/bin/python");
  execFileSync(existsSync(python) ? python : "python3", [join(here, "read.py"), out], {
    stdio: "inherit",
  });
}
