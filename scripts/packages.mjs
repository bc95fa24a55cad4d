// Lays the packages that ship beside the compiled sources for the bundler, without the parts of
// them that no run reaches.
import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./compile.mjs";

/**
 * File of a package → what stands there instead. The packages are pinned exactly, so these files
 * stay what they are; one that is gone stops the build.
 */
const INSTEAD = {
  // @actions/github and @actions/http-client ask the entry for two names, and it loads mocks,
  // caches, cookies and WebSocket.
  "undici/index.js": `"use strict";
const Dispatcher = require("./lib/dispatcher/dispatcher");
Object.assign(Dispatcher.prototype, require("./lib/api"));
exports.EnvHttpProxyAgent = require("./lib/dispatcher/env-http-proxy-agent");
exports.ProxyAgent = require("./lib/dispatcher/proxy-agent");
exports.fetch = require("./lib/web/fetch").fetch;
`,
  // The same parser twice: this build of it is for machines with SIMD, the other one runs everywhere.
  "undici/lib/llhttp/llhttp_simd-wasm.js": `"use strict";
module.exports = require("./llhttp-wasm.js");
`,
  // HTTP/2 is asked for by an option that we never set, and loads node:http2, a third of bare Node's start.
  "undici/lib/dispatcher/client-h2.js": `"use strict";
module.exports = () => {
  throw new Error("HTTP/2 is not part of this bundle");
};
`,
  // A method for each route of GitHub: routes are written out where they are asked (src/host/github-api.ts).
  "@octokit/plugin-rest-endpoint-methods/dist-src/generated/endpoints.js": "export default {};\n",
};
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
        !/\/node_modules$/.test(from.slice(root.length + path.length)) && isLoaded(from),
    });
  for (const [file, text] of Object.entries(INSTEAD)) {
    const path = join(staged, file);
    if (!existsSync(path))
      throw new Error(`${file} is gone from its package: look at INSTEAD anew`);
    writeFileSync(path, text);
  }
  return () => rmSync(staged, { recursive: true, force: true });
}

/** A folder, or a file that a bundler reads. */
function isLoaded(path) {
  return !/\.[a-z]+$/i.test(path) || LOADED.test(path);
}
