// A checkout of 20,000 files and 150 MB: hash and archive, next to `tar | gzip` of the same files.
// CPU time and the time people wait, the best of three runs each, and the most memory held, also for
// twice the bytes.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { print } from "./figure.mjs";

const FILES = 20_000;
const BYTES = 150_000_000;
const RUNS = 3;
const SELF = fileURLToPath(import.meta.url);
const SPENT = fileURLToPath(new URL("spent.cjs", import.meta.url));

/** Text of sources: as compressible as they are, about 4 to 1. */
function writeTree(folder, files, bytes) {
  const words = Array.from({ length: 4_000 }, (_, at) => `word_${(at * 2_654_435_761) % 997_001}`);
  let seed = 1;
  const next = () => (seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648);
  for (let at = 0; at < files; at += 1) {
    const lines = [];
    for (let size = 0; size < bytes / files; ) {
      const line = `${words[next() % 4_000]} = ${words[next() % 4_000]}(${next() % 100})\n`;
      lines.push(line);
      size += line.length;
    }
    const place = join(folder, `package_${at % 200}`);
    mkdirSync(place, { recursive: true });
    writeFileSync(join(place, `module_${at}.py`), lines.join(""));
  }
  writeFileSync(join(folder, "langgraph.json"), '{"dependencies":["."]}');
}

/** Run as a process: reads, hashes and packs a folder. */
async function packOne(folder) {
  const { readCheckoutSource } = await import("#built/source/checkout-source.js");
  const read = await readCheckoutSource({
    checkout: folder,
    cwd: folder,
    configPath: undefined,
    folder: undefined,
    paths: [],
    secrets: [{ name: "A", value: "a-value-that-is-not-there" }],
    ours: [],
    trackedFiles: async () => [],
    temporary: undefined,
    signal: new AbortController().signal,
  });
  if (read.state !== "read") throw new Error(JSON.stringify(read.problems));
  const { bytes } = await read.source.open();
  console.log(bytes);
}

/** The least CPU time and wait of some runs, and the most memory. */
function best(play) {
  const all = Array.from({ length: RUNS }, play);
  const least = (name) => Math.min(...all.map((one) => one[name]));
  return { cpuMs: least("cpuMs"), wallMs: least("wallMs"), peakMb: least("peakMb") };
}

function runOurs(folder, spent) {
  const began = performance.now();
  const { status, stderr } = spawnSync(process.execPath, ["-r", SPENT, SELF, "--pack", folder], {
    env: { ...process.env, SPENT_FILE: spent },
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(stderr);
  return { wallMs: performance.now() - began, ...JSON.parse(readFileSync(spent, "utf8")) };
}

/** bash's `times` says what its children took: minutes and seconds, user and system. */
function runTar(folder) {
  const began = performance.now();
  const script = 'tar cf - -C "$1" . | gzip > "$1.tar.gz"; times';
  const { stdout } = spawnSync("bash", ["-c", script, "bash", folder], { encoding: "utf8" });
  const [, children = ""] = stdout.trim().split("\n");
  const cpuMs = [...children.matchAll(/(\d+)m([\d.]+)s/g)]
    .map(([, minutes, seconds]) => Number(minutes) * 60_000 + Number(seconds) * 1000)
    .reduce((sum, one) => sum + one, 0);
  return { wallMs: performance.now() - began, cpuMs, peakMb: 0 };
}

const at = process.argv.indexOf("--pack");
if (at !== -1) await packOne(process.argv[at + 1]);
else {
  const home = mkdtempSync(join(tmpdir(), "agent-deploy-bench-"));
  try {
    const [tree, larger] = [join(home, "tree"), join(home, "larger")];
    writeTree(tree, FILES, BYTES);
    writeTree(larger, FILES, 2 * BYTES);
    const ours = best(() => runOurs(tree, join(home, "spent.json")));
    const tar = best(() => runTar(tree));
    print("hash and archive of 20,000 files, 150 MB: CPU time", ours.cpuMs / 1000, "s");
    print("tar | gzip of the same: CPU time", tar.cpuMs / 1000, "s");
    print("ours over tar | gzip: CPU time", ours.cpuMs / tar.cpuMs, "×", "≤ 2");
    print("ours over tar | gzip: wait", ours.wallMs / tar.wallMs, "×", "≤ 2");
    print("most memory held", ours.peakMb, "MB");
    print("most memory held with 300 MB", runOurs(larger, join(home, "spent.json")).peakMb, "MB");
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}
