// Builds dist/: one bundle with lazy chunks behind three small launchers. `--check` compares a fresh build with the dist/ that is there.
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import ncc from "@vercel/ncc";
import { compile, root } from "./compile.mjs";

const DOORS = ["action", "cli", "post"];
const MAX_BYTES = 5 * 1024 * 1024;
const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

/** What runs before the bundle is loaded; a door is a module that exports `run`. */
const LAUNCHERS = {
  "index.js": `import { doors } from "./main.js";\nawait (await doors.action()).run();\n`,
  "post.js": `import { doors } from "./main.js";\nawait (await doors.post()).run();\n`,
  "cli.js": `#!/usr/bin/env node
// A reader that goes away (\`| head\`) is no crash.
for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", (error) => { if (error.code === "EPIPE") process.exit(process.exitCode ?? 0); else throw error; });
}
if (process.argv.length === 3 && process.argv[2] === "--version") console.log(${JSON.stringify(version)});
else {
  const { doors } = await import("./main.js");
  await (await doors.cli()).run();
}
`,
};

async function build(out) {
  compile();
  const entry = join(root, "build/main.js");
  writeFileSync(entry, `export const doors = {\n${DOORS.map((door) => `  ${door}: () => import("./${door}.js"),`).join("\n")}\n};\n`);
  const { code, assets } = await ncc(entry, { cache: false, minify: false, sourceMap: false, license: "licenses.txt", target: "es2022", quiet: true });
  rmSync(out, { recursive: true, force: true });
  const files = { "main.js": code, "package.json": '{ "type": "module" }\n', ...LAUNCHERS };
  for (const [name, { source }] of Object.entries(assets)) files[name] ??= source;
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
  return [...new Set([...a.keys(), ...b.keys()])].sort().filter((name) => !a.has(name) || !b.has(name) || !a.get(name).equals(b.get(name)));
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
    const differing = statSync(dist, { throwIfNoEntry: false }) ? differences(out, dist) : ["dist (missing)"];
    if (differing.length > 0) {
      console.error(`dist/ is not what the sources build to; run npm run build and commit. Differing:\n${differing.map((name) => `  ${name}`).join("\n")}`);
      process.exitCode = 1;
    } else console.log("dist: equal to a fresh build");
  }
} finally {
  if (checking) rmSync(out, { recursive: true, force: true });
}
