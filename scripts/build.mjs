// Builds dist/: one bundle with lazy chunks behind small launchers. `--check` compares a
// fresh build with the dist/ that is there.
import { deepStrictEqual } from "node:assert";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import ncc from "@vercel/ncc";
import { finishChunks, markModules } from "./chunks.mjs";
import { compile, root } from "./compile.mjs";
import { withEachNoticeOnce } from "./licenses.mjs";
import { stagePackages } from "./packages.mjs";

const ENTRY_POINTS = ["action", "cli", "post"];
const MAX_BYTES = 3 * 1024 * 1024;
const LICENSES = "licenses.txt";
const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

/**
 * An older Node fails in places that do not say why, so it is told before anything is loaded; in
 * words that any Node reads.
 */
const NODE_CHECK = `var node = process.versions.node.split(".").map(Number);
if (node[0] < 20 || (node[0] === 20 && (node[1] < 18 || (node[1] === 18 && node[2] < 1)))) {
  console.error("agent-deploy needs Node 20.18.1 or newer; this is " + process.version);
  process.exit(2);
}
`;

/** Commands that show something and change nothing. */
const SHOWN = [
  ...["completion", "emulator", "export", "help", "history", "list", "logs", "lookup", "open"],
  ...["render", "status", "validate", "whoami"],
];

/** What runs before the bundle is loaded; an entry point is a module that exports `run`. */
const LAUNCHERS = {
  "index.js": `${NODE_CHECK}require("./main.js").open("action");\n`,
  "gate.js": `${NODE_CHECK}require("./main.js").open("action", "gate");\n`,
  "post.js": `${NODE_CHECK}require("./main.js").open("post");\n`,
  "emulator.js": `exports.startEmulator = async (options) => (await require("./main.js").loadEmulator()).startEmulator(options);\n`,
  "cli.js": `#!/usr/bin/env node
${NODE_CHECK}// A reader that goes away (\`| head\`), or a full disk, ends no run that has more to do than to show something.
const isShown = ${JSON.stringify(SHOWN)}.includes(process.argv[2]);
let isTold = false;
const lose = (stream, error) => {
  if (stream === process.stderr || isTold) return;
  if (error.code === "EPIPE") { if (isShown) process.exit(process.exitCode || 0); return; }
  isTold = true;
  console.error("agent-deploy: stdout could not be written: " + error.message);
  process.once("exit", () => { process.exitCode = process.exitCode || 1; });
};
for (const stream of [process.stdout, process.stderr]) {
  const write = stream.write;
  stream.write = function (...args) {
    try { return write.apply(stream, args); }
    catch (error) {
      lose(stream, error);
      if (typeof args[args.length - 1] === "function") args[args.length - 1](error);
      return true;
    }
  };
  stream.on("error", (error) => lose(stream, error));
}
if (process.argv.length === 3 && process.argv[2] === "--version") console.log(${JSON.stringify(version)});
else require("./main.js").open("cli");
`,
};

/**
 * Opens an entry point. The bundle is CommonJS, which loads faster than as many ES modules. A run
 * that never ends must be as red as with a top-level await.
 */
const ENTRY = `
const entryPoints = {
${ENTRY_POINTS.map((entryPoint) => `  ${entryPoint}: () => import("./entry/${entryPoint}.js"),`).join("\n")}
};
exports.loadEmulator = () => import("./emulator/server.js");
exports.open = async (entryPoint, ...args) => {
  // Node would print the source line as well, and a line of this file is long.
  process.once("uncaughtException", (error) => {
    console.error(error instanceof Error ? error.stack : error);
    process.exit(1);
  });
  const stall = () => { console.error("agent-deploy: the run stopped before its end, with nothing left to wait for"); process.exitCode = 13; };
  process.once("beforeExit", stall);
  await (await entryPoints[entryPoint]()).run(...args);
  process.removeListener("beforeExit", stall);
};
`;

/** Plain objects, lists and maps as JavaScript that makes it again. */
function toLiteral(value) {
  if (value instanceof Map)
    return `new Map([${[...value].map((entry) => toLiteral(entry)).join(",\n")}])`;
  if (Array.isArray(value)) return `[${value.map(toLiteral).join(", ")}]`;
  if (typeof value !== "object" || value === null)
    return value === undefined ? "undefined" : JSON.stringify(value);
  return `{ ${Object.entries(value)
    .map(([key, of]) => `${JSON.stringify(key)}: ${toLiteral(of)}`)
    .join(", ")} }`;
}

/**
 * Reading the tree off the zod schemas takes a third of a short run, and gives the same each time:
 * it is done here, once.
 */
async function freezeShape() {
  const path = join(root, "build/model/deployment-shape.js");
  const { deploymentShape } = await import(pathToFileURL(path).href);
  writeFileSync(path, `export const deploymentShape = ${toLiteral(deploymentShape)};\n`);
  deepStrictEqual(
    (await import(`${pathToFileURL(path).href}?frozen`)).deploymentShape,
    deploymentShape,
  );
}

async function build(out) {
  compile();
  await freezeShape();
  markModules(join(root, "build"));
  const entry = join(root, "build/main.cjs");
  writeFileSync(entry, ENTRY);
  const unstage = stagePackages(join(root, "build"));
  const { code, assets } = await ncc(entry, {
    cache: false,
    minify: false,
    sourceMap: false,
    license: LICENSES,
    target: "es2022",
    quiet: true,
  }).finally(unstage);
  rmSync(out, { recursive: true, force: true });
  const bundled = { "main.js": code };
  for (const [name, { source }] of Object.entries(assets)) bundled[name] ??= String(source);
  bundled[LICENSES] = withEachNoticeOnce(bundled[LICENSES]);
  const files = {
    ...(await finishChunks(join(root, "build"), bundled)),
    "package.json": '{ "type": "commonjs" }\n',
    ...LAUNCHERS,
  };
  for (const name of Object.keys(files).sort()) {
    mkdirSync(dirname(join(out, name)), { recursive: true });
    writeFileSync(join(out, name), files[name]);
  }
  chmodSync(join(out, "cli.js"), 0o755);
}

function filesOf(folder) {
  const files = new Map();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath ?? entry.path, entry.name);
    if (entry.isFile()) files.set(relative(folder, path), readFileSync(path));
  }
  return files;
}

/** Paths in which two folders differ. */
function differences(left, right) {
  const [a, b] = [filesOf(left), filesOf(right)];
  return [...new Set([...a.keys(), ...b.keys()])]
    .sort()
    .filter((name) => !a.has(name) || !b.has(name) || !a.get(name).equals(b.get(name)));
}

const dist = join(root, "dist");
const checking = process.argv.includes("--check");
const out = checking ? mkdtempSync(join(tmpdir(), "agent-deploy-dist-")) : dist;
try {
  await build(out);
  const bytes = [...filesOf(out).values()].reduce((sum, file) => sum + file.length, 0);
  console.log(`dist: ${filesOf(out).size} files, ${(bytes / 1024).toFixed(0)} KiB`);
  if (bytes > MAX_BYTES) throw new Error(`dist is ${bytes} bytes, more than ${MAX_BYTES}`);
  if (checking) {
    const differing = statSync(dist, { throwIfNoEntry: false })
      ? differences(out, dist)
      : ["dist (missing)"];
    if (differing.length > 0) {
      console.error(
        `dist/ is not what the sources build to; run npm run build and commit. Differing:\n${differing.map((name) => `  ${name}`).join("\n")}`,
      );
      process.exitCode = 1;
    } else console.log("dist: equal to a fresh build");
  }
} finally {
  if (checking) rmSync(out, { recursive: true, force: true });
}
