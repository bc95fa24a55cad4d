import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "@jest/globals";
import { agent, outcome, read } from "../source/checkout.ts";

test("5,000 levels of folders are refused without hanging", async () => {
  const tree = agent();
  const deepen = "import os\nfor _ in range(5000):\n  os.mkdir('d')\n  os.chdir('d')\n";
  execFileSync("python3", ["-c", deepen], { cwd: tree.path });
  const end = await outcome(await read(tree));
  expect(end.refused).toMatch(/longer than 4096 bytes|cannot be read/);
  execFileSync("rm", ["-rf", join(tree.path, "d")]);
});

test("more files than can be an agent's own are refused", async () => {
  const tree = agent();
  const fill =
    "import os\nfor d in range(200):\n  os.mkdir(f'd{d}')\n  for n in range(1000): open(f'd{d}/{n}', 'w').close()\n";
  execFileSync("python3", ["-c", fill], { cwd: tree.path });
  const end = await outcome(await read(tree));
  expect(end.refused).toMatch(/^there are more than 200000 files; leave out .* in \.gitignore/);
}, 600_000);

describe("the size", () => {
  const words = new Uint32Array((75 * 1024 * 1024) / 4);
  let state = 1;
  for (let at = 0; at < words.length; at += 1) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    words[at] = state ^ (state >>> 13);
  }
  const noise = (mib: number): Uint8Array => new Uint8Array(words.buffer, 0, mib * 1024 * 1024);

  test("over 50 MiB is a warning, and over 200 MiB a refusal with the largest folders", async () => {
    const tree = agent();
    mkdirSync(join(tree.path, "weights"));
    writeFileSync(join(tree.path, "weights/a.bin"), noise(55));
    const warned = await read(tree);
    expect(warned).toMatchObject({ state: "read" });
    if (warned.state === "read")
      expect(warned.source.warnings.join()).toMatch(
        /the archive has 5\d\.\d MiB.*weights \(55\.0 MiB\)/,
      );
    writeFileSync(join(tree.path, "weights/b.bin"), noise(75));
    writeFileSync(join(tree.path, "weights/c.bin"), noise(75));
    const refused = await outcome(await read(tree));
    expect(refused.refused).toMatch(/takes 200\.0 MiB.*weights \(205\.0 MiB\)/);
  }, 600_000);
});
