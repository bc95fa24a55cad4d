// Gives the chunks of the bundle the names of what they load, and takes out what no run needs:
// comments, white space and code that nothing refers to.
import { minify, parse } from "@swc/core";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join, posix, relative, sep } from "node:path";

const MARKER = /\/\*! module (\S+) \*\//g;
const CHUNK_FILE = /^\d+\.index\.cjs\.js$/;
/** A module as the bundler writes it: its number, then its function in brackets. */
const BUNDLED_MODULE = /^\/\*\*\*\/ (\d+):\n\/\*\*\*\/ (\([\s\S]*?\n\/\*\*\*\/ \}\)),?$/gm;

/**
 * Node loads nine modules for `assert`, which undici calls on what holds unless it is broken: they
 * wait for the first assertion that does not hold.
 */
const ASSERT = `module.exports = require("node:assert");`;
const ASSERT_LATER = `const load = () => require("node:assert");
module.exports = (holds, ...rest) => { if (!holds) load()(holds, ...rest); };
Object.setPrototypeOf(module.exports, new Proxy({}, { get: (_, name) => load()[name] }));`;
const FILE_NAME = /return "" \+ chunkId \+ "\.index\.cjs\.js";/;

/**
 * Modules of undici that its client loads when an answer or a body needs them, and none before the
 * first request: file → its modules.
 */
const LATER = {
  "undici-parser.js": /\/\*! package undici\/lib\/llhttp\/llhttp-wasm\.js/,
  "undici-web.js": /\/\*! package undici\/lib\/web\//,
};
/** What stands in the chunk from which they are taken. */
const CLIENT = "/*! package undici/lib/dispatcher/client.js */";

function mark(folder, kind, from) {
  for (const path of readdirSync(from, { recursive: true, encoding: "utf8" })) {
    if (!path.endsWith(".js")) continue;
    const file = join(from, path);
    const module = relative(folder, file).split(sep).join("/");
    writeFileSync(file, `/*! ${kind} ${module} */\n${readFileSync(file, "utf8")}`);
  }
}

/** Marks each compiled module with its path, so that the bundle shows which module stands where. */
export const markModules = (build) => mark(build, "module", build);

/** The same for the modules of a package. */
export const markPackage = (packages, name) => mark(packages, "package", join(packages, name));

/** What the module loads with `import()`, in the order in which the code does. */
function importsOf(build, module) {
  const code = readFileSync(join(build, module), "utf8");
  return [...code.matchAll(/\bimport\(\s*"([^"]+)"\s*\)/g)].map(([, specifier]) =>
    specifier.startsWith(".") ? posix.join(posix.dirname(module), specifier) : specifier,
  );
}

/** `[target, chunk ids]` for each `import()` in a bundled file. */
function loadsOf(build, code) {
  const marks = [...code.matchAll(MARKER)];
  return marks.flatMap((mark, at) => {
    const segment = code.slice(mark.index, marks[at + 1]?.index);
    const targets = importsOf(build, mark[1]);
    const loads = [...segment.matchAll(/\/\* import\(\) \*\/([^;]*?)\.then\(/g)];
    if (targets.length !== loads.length)
      throw new Error(`${mark[1]}: ${targets.length} imports, ${loads.length} in the bundle`);
    return targets.map((target, i) => [
      target,
      [...loads[i][1].matchAll(/\b(\d+)\b/g)].map(([, id]) => id),
    ]);
  });
}

const toName = (target) =>
  target
    .replace(/\.js$/, "")
    .replace(/^@/, "")
    .replace(/[^\w-]+/g, "-");

/** A name for each chunk: that of the module it is loaded for; what several loads share says so. */
function nameChunks(build, files, ids) {
  const loads = Object.values(files).flatMap((code) => loadsOf(build, code));
  const names = new Map();
  for (const [target, chunks] of loads)
    if (chunks.length === 1) names.set(chunks[0], toName(target));
  for (const [target, chunks] of loads) {
    const own = chunks.filter((id) => !names.has(id)).at(-1);
    const isNew = ![...names.values()].includes(toName(target));
    if (chunks.length > 1 && own !== undefined && isNew) names.set(own, toName(target));
  }
  for (const id of ids) if (!names.has(id)) names.set(id, sharedName(files, id, loads));
  return makeUnique(names, ids);
}

/** Named after its first module of ours, or, for packages alone, after what is loaded together with it. */
function sharedName(files, id, loads) {
  const [first] = files[`${id}.index.cjs.js`].matchAll(MARKER);
  if (first !== undefined) return `shared-${toName(first[1])}`;
  const [target] = loads.find(([, chunks]) => chunks.includes(id)) ?? [id];
  return `packages-of-${toName(target)}`;
}

function makeUnique(names, ids) {
  const taken = new Map();
  for (const id of ids) {
    const name = names.get(id);
    const count = (taken.get(name) ?? 0) + 1;
    taken.set(name, count);
    names.set(id, count === 1 ? name : `${name}-${count}`);
  }
  return names;
}

/**
 * What nothing refers to is dropped, and declarations in a row are joined. Function names are
 * kept, so that a stack trace says where something went wrong.
 */
async function shrink(code) {
  const names = { keep_fnames: true, keep_classnames: true };
  const unused = { defaults: false, unused: true, dead_code: true, side_effects: true, passes: 3 };
  const shorter = { ...unused, join_vars: true };
  const options = { compress: { ...shorter, ...names, ecma: 2022 }, mangle: true, ...names };
  const format = { comments: false, asciiOnly: true };
  const small = await minify(code, { ...options, format, module: false });
  return `${await markCalled(small.code)}\n`;
}

/**
 * Puts brackets around the bundle's module functions. V8 takes that as a sign that a function is
 * called at once and compiles it on the way, where it would otherwise go over it twice. The code is
 * ASCII, so that the parser's byte offsets are the string's, and V8 keeps it at a byte a character.
 */
async function markCalled(code) {
  const { body, span } = await parse(code, { syntax: "ecmascript", script: true });
  const cuts = moduleFunctions(body).map(({ start, end }) => [
    start - span.start,
    end - span.start,
  ]);
  const pieces = cuts.map(
    ([start, end], at) => `${code.slice(cuts[at - 1]?.[1] ?? 0, start)}(${code.slice(start, end)})`,
  );
  return pieces.join("") + code.slice(cuts.at(-1)?.[1] ?? 0);
}

/** Places of the functions under numbers in the first such objects from the root on, in order. */
function moduleFunctions(node) {
  if (typeof node !== "object" || node === null) return [];
  const functions = (node.type === "ObjectExpression" ? node.properties : []).filter(
    ({ type, key, value }) =>
      type === "KeyValueProperty" &&
      key.type === "NumericLiteral" &&
      /^(?:Arrow)?FunctionExpression$/.test(value.type),
  );
  if (functions.length > 0) return functions.map(({ value }) => value.span);
  return Object.values(node).flatMap(moduleFunctions);
}

/** A chunk without the modules that are loaded later; they are added to `files`. */
function splitLater(code, files) {
  if (!code.includes(CLIENT)) return code;
  let left = code;
  for (const [name, pattern] of Object.entries(LATER)) {
    const members = [];
    left = left.replace(BUNDLED_MODULE, (whole, id, module) => {
      if (!pattern.test(module)) return whole;
      members.push(`${id}: ${module}`);
      return whole.replace(module, () => `((m, e, r) => require("./${name}")[${id}](m, e, r))`);
    });
    if (members.length === 0) throw new Error(`no module is left for ${name}: look at LATER again`);
    files[name] = `"use strict";\nmodule.exports = {\n${members.join(",\n")}\n};\n`;
  }
  return left;
}

/** Renames and shrinks the files of a bundle (name → text). */
export async function finishChunks(build, files) {
  const ids = Object.keys(files)
    .filter((name) => CHUNK_FILE.test(name))
    .map((name) => name.split(".")[0])
    .sort((a, b) => a - b);
  const bundled = { "main.js": files["main.js"] };
  for (const id of ids) bundled[`${id}.index.cjs.js`] = files[`${id}.index.cjs.js`];
  const names = nameChunks(build, bundled, ids);
  if (!FILE_NAME.test(bundled["main.js"])) throw new Error("main.js does not say where chunks are");
  const table = JSON.stringify(Object.fromEntries(names));
  if (!bundled["main.js"].includes(ASSERT)) throw new Error("main.js does not load node:assert");
  const main = bundled["main.js"]
    .replace(ASSERT, () => ASSERT_LATER)
    .replace(FILE_NAME, () => `return ${table}[chunkId] + ".js";`);
  const finished = { ...files, "main.js": await shrink(main) };
  for (const id of ids) {
    delete finished[`${id}.index.cjs.js`];
    const later = {};
    const code = splitLater(files[`${id}.index.cjs.js`], later);
    finished[`${names.get(id)}.js`] = await shrink(code);
    for (const name of Object.keys(later)) finished[name] = await shrink(later[name]);
  }
  return finished;
}
