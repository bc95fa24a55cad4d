// Builds dist/: tsc compiles src/, ncc bundles entries/main.js, swc minifies, and the other files of
// entries/ are copied. `--check` compares a fresh build with the dist/ that is there.
import { spawnSync } from "node:child_process";
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { minify } from "@swc/core";
import ncc from "@vercel/ncc";
import { compile, root } from "./compile.mjs";

const BUNDLE = "main.js";
/** Stack traces keep the names of functions; a file of plain ASCII is held in half the memory. */
const MINIFY = {
  compress: { keep_fnames: true, keep_classnames: true },
  mangle: { keep_fnames: true, keep_classnames: true },
  format: { comments: /** @type {const} */ (false), asciiOnly: true },
};

async function build(out) {
  compile();
  const entries = join(root, "entries");
  const { code, assets } = await ncc(join(entries, BUNDLE), {
    cache: false,
    license: "licenses.txt",
    target: "es2022",
    quiet: true,
  });
  const files = { [BUNDLE]: code };
  for (const name of fs.readdirSync(entries))
    if (name !== BUNDLE) files[name] = fs.readFileSync(join(entries, name), "utf8");
  for (const [name, { source }] of Object.entries(assets)) files[name] ??= String(source);
  fs.rmSync(out, { recursive: true, force: true });
  fs.mkdirSync(out);
  for (const [name, text] of Object.entries(files)) {
    const isBundled = name === BUNDLE || (name in assets && name.endsWith(".js"));
    const small = isBundled ? (await minify(text, MINIFY)).code : text;
    fs.writeFileSync(join(out, name), small);
  }
  fs.chmodSync(join(out, "cli.js"), 0o755);
}

const dist = join(root, "dist");
if (process.argv.includes("--check")) {
  const fresh = fs.mkdtempSync(join(tmpdir(), "agent-deploy-dist-"));
  await build(fresh);
  const { status } = spawnSync("git", ["diff", "--no-index", "--stat", dist, fresh], {
    stdio: "inherit",
  });
  fs.rmSync(fresh, { recursive: true, force: true });
  if (status !== 0) {
    console.error("dist/ is not what the sources build to: run npm run build and commit it");
    process.exitCode = 1;
  }
} else await build(dist);
