// Preloaded (node -r) into runs of dist/: keeps what V8 made of each file, which is a third of the CPU time of a short
// run. A runner starts every run without it, and so does RUNS=spawned.
const {
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} = require("node:fs");
const Module = require("node:module");
const { basename, dirname, join, sep } = require("node:path");
const { cachedDataVersionTag } = require("node:v8");
const { Script, constants } = require("node:vm");

const root = join(__dirname, "../..");
const dist = join(root, "dist") + sep;
// V8 refuses what it made as another version or with other flags; the tag stands for both.
const tag = String(cachedDataVersionTag());
const kept = join(root, "node_modules/.cache/agent-deploy-tests", tag);
const compile = Module.prototype._compile;

/** Undefined where nothing is kept for the file as it is now. */
function readKept(file) {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
}

/**
 * Takes the place of what was kept for another build. A run that is killed meanwhile leaves no half
 * file under the name.
 */
function keep(file, source, script) {
  try {
    mkdirSync(kept, { recursive: true });
    for (const name of readdirSync(kept))
      if (name.startsWith(`${source}-`)) rmSync(join(kept, name), { force: true });
    writeFileSync(`${file}-${process.pid}`, script.createCachedData());
    renameSync(`${file}-${process.pid}`, file);
  } catch {
    // Without a place to keep it, the next run compiles again.
  }
}

/** Files that were compiled anew; one listener keeps them all, since Node warns on stderr of eleven. */
const compiled = [];
process.once("exit", () => {
  if (compiled.length === 0) return;
  for (const { file, source, script } of compiled) keep(file, source, script);
});

/** A file of dist/, as this process runs it again and again. */
const scripts = new Map();

function toScript(content, filename) {
  const { mtimeMs, size } = statSync(filename);
  const file = join(kept, `${basename(filename)}-${size}-${mtimeMs}`);
  const cachedData = readKept(file);
  const [head] = Module.wrapper;
  const script = new Script(Module.wrap(content.replace(/^#!.*/, "")), {
    filename,
    columnOffset: -head.length,
    cachedData,
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
  if (cachedData === undefined) compiled.push({ file, source: basename(filename), script });
  return script;
}

Module.prototype._compile = function (content, filename, ...rest) {
  if (!filename.startsWith(dist)) return compile.call(this, content, filename, ...rest);
  const script = scripts.get(filename) ?? toScript(content, filename);
  scripts.set(filename, script);
  const require = Module.createRequire(filename);
  require.main = process.mainModule;
  const run = script.runInThisContext({ displayErrors: true });
  return run.call(this.exports, this.exports, require, this, filename, dirname(filename));
};
