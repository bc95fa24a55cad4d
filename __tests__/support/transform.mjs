// Compiles TypeScript for Jest by swc, with the language's own globals as constants of each module. Jest's modules run in
// a context of their own, where every look at a global goes through a callback of Node: half of the time of tests that
// compute. A name that a module declares itself is left as it is.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import swc from "@swc/jest";

const GLOBALS = [
  ...["Array", "BigInt", "Boolean", "Error", "Infinity", "JSON", "Map", "Math", "NaN", "Number"],
  ...["Object", "Promise", "RegExp", "Set", "String", "Symbol", "WeakMap"],
  ...["Float64Array", "Int32Array", "Uint8Array", "Uint16Array", "Uint32Array"],
];
const own = readFileSync(fileURLToPath(import.meta.url));

/** The globals that a source uses and nowhere declares or imports. */
function globalsOf(source) {
  return GLOBALS.filter(
    (name) =>
      new RegExp(`(?<![.\\w$])${name}(?![\\w$])`).test(source) &&
      !new RegExp(`\\b(?:const|let|var|function|class|type|interface|enum|as)\\s+${name}\\b`).test(
        source,
      ) &&
      !new RegExp(`^import\\b[^;]*\\b${name}\\b`, "m").test(source),
  );
}

/** On the source's first line, so that every line keeps its number. */
function withConstants(source) {
  const names = globalsOf(source);
  return names.length === 0 ? source : `const { ${names.join(", ")} } = globalThis; ${source}`;
}

export default {
  createTransformer: (options) => {
    const { process, processAsync, getCacheKey, ...rest } = swc.createTransformer(options);
    return {
      ...rest,
      process: (source, ...more) => process(withConstants(source), ...more),
      processAsync: (source, ...more) => processAsync(withConstants(source), ...more),
      getCacheKey: (...args) =>
        createHash("sha1")
          .update(getCacheKey(...args))
          .update(own)
          .digest("hex"),
    };
  },
};
