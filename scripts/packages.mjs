// Lays the packages that ship beside the compiled sources for the bundler, without the parts of
// them that no run reaches.
import { createHash } from "node:crypto";
import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { markPackage } from "./chunks.mjs";
import { root } from "./compile.mjs";

/**
 * File of a package → its SHA-256 when it was last read, and what stands there instead: another text,
 * or its own with some places edited. A file that has changed since, or is gone, stops the build:
 * somebody has to look again. Our own imports could avoid these files, those of @actions/* and
 * octokit cannot: ncc's `externals` would leave a `require` in dist/, and an override in package.json
 * would be a package of our own to publish.
 */
const INSTEAD = {
  // @actions/github and @actions/http-client ask the entry for two names, and it loads mocks,
  // caches, cookies and WebSocket.
  "undici/index.js": {
    sha256: "dca95e2bbf4bae18325a4e5d9c887427a8a63a1345ed92a46f1067360dec0ffa",
    text: `"use strict";
const Dispatcher = require("./lib/dispatcher/dispatcher");
Object.assign(Dispatcher.prototype, require("./lib/api"));
exports.EnvHttpProxyAgent = require("./lib/dispatcher/env-http-proxy-agent");
exports.ProxyAgent = require("./lib/dispatcher/proxy-agent");
exports.fetch = require("./lib/web/fetch").fetch;
`,
  },
  // The same parser twice: this build of it is for machines with SIMD, the other one runs everywhere.
  // Nearly all of it is one function, which V8 optimizes after a few answers: about a third of the
  // CPU time of a short run, and the process cannot end before. As first compiled, it parses fast
  // enough. V8 keeps one module for the same bytes, so that undici's own is this one. Compiled code
  // that Node keeps is good under V8's own flags alone, so the budget goes back at once.
  "undici/lib/llhttp/llhttp_simd-wasm.js": {
    sha256: "52c16227482700834512f2c2257eb44652f39b11f868600562274f476025e4bd",
    text: `"use strict";
const { setFlagsFromString } = require("node:v8");
const parser = require("./llhttp-wasm.js");
const setBudget = (bytes) => setFlagsFromString("--wasm-tiering-budget=" + bytes);
setBudget(2 ** 30);
try {
  parser.compiled = new WebAssembly.Module(parser);
} finally {
  setBudget(parseInt(process.versions.node) < 22 ? 1800000 : 13000000);
}
module.exports = parser;
`,
  },
  // Two files load Node's own HTTP, which no request goes through: for a number, and to know its
  // streams from others.
  "undici/lib/dispatcher/client.js": {
    sha256: "84205dc96cb9bf7432c4b3e80f0babaa11d6f4faf24ead3e7d9660e9d8fee0b3",
    edits: [
      ["const http = require('node:http')\n", ""],
      [
        `http &&
  http.maxHeaderSize &&
  Number.isInteger(http.maxHeaderSize) &&
  http.maxHeaderSize > 0
  ? () => http.maxHeaderSize
  : () => { throw new InvalidArgumentError('http module not available or http.maxHeaderSize invalid') }
`,
        `() =>
  /max.http.header.size/.test([process.env.NODE_OPTIONS, ...process.execArgv].join(" "))
    ? require("node:http").maxHeaderSize
    : 16384;
`,
      ],
    ],
  },
  "undici/lib/core/util.js": {
    sha256: "86cf260e28a97ad7e91c75523ac1dec5df95a7cb15bbd9e858be6a60890692b8",
    edits: [
      ["const { IncomingMessage } = require('node:http')\n", ""],
      [
        "Object.getPrototypeOf(stream).constructor === IncomingMessage",
        `Object.getPrototypeOf(stream).constructor.name === "IncomingMessage" &&
      stream instanceof require("node:http").IncomingMessage`,
      ],
    ],
  },
  // HTTP/2 is asked for by an option that we never set, and loads node:http2, a third of bare Node's start.
  "undici/lib/dispatcher/client-h2.js": {
    sha256: "e992a732c30c582676caf23193fb58097b4233ab328d0a77b7ff2c0338ad1eca",
    text: `"use strict";
module.exports = () => {
  throw new Error("HTTP/2 is not part of this bundle");
};
`,
  },
  // A method for each route of GitHub: routes are written out where they are asked (src/github/api.ts).
  "@octokit/plugin-rest-endpoint-methods/dist-src/generated/endpoints.js": {
    sha256: "6326e53030d9e12713a7003da416806a3df07f58c78bac5d1d0e9ed4795db7cf",
    text: "export default {};\n",
  },
};

/** Files of packages in whose place the bundle has others. */
export const REPLACED = Object.keys(INSTEAD);

/** What stands in the place of a file; throws where it is gone or is not the one that was looked at. */
export function replacementOf(file, bytes) {
  const { sha256, text, edits } = INSTEAD[file];
  if (bytes === null) throw new Error(`${file} is gone from its package: look at INSTEAD again`);
  const found = createHash("sha256").update(bytes).digest("hex");
  if (found !== sha256)
    throw new Error(
      `${file} has changed (sha256 ${found}): check what it exports, then write this into INSTEAD`,
    );
  return text ?? edited(file, bytes.toString("utf8"), edits);
}

function edited(file, text, edits) {
  return edits.reduce((left, [from, to]) => {
    if (left.split(from).length !== 2) throw new Error(`${file} does not hold once: ${from}`);
    return left.replace(from, () => to);
  }, text);
}

const LOADED = /\.(?:js|cjs|mjs|json)$|(?:^|\/)(?:LICEN[CS]E|NOTICE)[^/]*$/i;

/** Copies what package-lock.json says ships into `build`/node_modules; gives the way to take it away again. */
export function stagePackages(build) {
  const staged = join(build, "node_modules");
  const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));
  const shipped = Object.keys(packages).filter(
    (path) => path !== "" && packages[path].dev !== true && packages[path].devOptional !== true,
  );
  for (const path of shipped)
    cpSync(join(root, path), join(build, path), {
      recursive: true,
      filter: (from) =>
        !/[\\/]node_modules$/.test(from.slice(root.length + path.length)) && isLoaded(from),
    });
  for (const file of REPLACED) {
    const path = join(staged, file);
    writeFileSync(path, replacementOf(file, existsSync(path) ? readFileSync(path) : null));
  }
  markPackage(staged, "undici");
  return () => rmSync(staged, { recursive: true, force: true });
}

/** A folder, or a file that a bundler reads. */
function isLoaded(path) {
  return !/\.[a-z]+$/i.test(path) || LOADED.test(path);
}
