// Builds dist/: tsc compiles src/, entries/main.js is bundled, and the other files of entries/ are
// copied. `--check` compares a fresh build with the dist/ that is there.
import { spawnSync } from "node:child_process";
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bundle } from "./bundle.mjs";
import { compile, root } from "./compile.mjs";

const BUNDLE = "main.js";

async function build(out) {
  compile();
  const entries = join(root, "entries");
  const files = await bundle(join(entries, BUNDLE));
  for (const name of fs.readdirSync(entries))
    if (name !== BUNDLE) files[name] = fs.readFileSync(join(entries, name), "utf8");
  fs.rmSync(out, { recursive: true, force: true });
  fs.mkdirSync(out);
  for (const [name, text] of Object.entries(files)) fs.writeFileSync(join(out, name), text);
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
