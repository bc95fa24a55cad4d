import { execFileSync } from "node:child_process";
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { nodeUnderTest } from "../support/child.ts";
import { runCli } from "../support/cli-run.ts";
import { startTestEmulator } from "../support/emulator-process.ts";
import { createTree, repositoryRoot } from "../support/tree.ts";

const [version, hasZstd] = execFileSync(
  nodeUnderTest,
  [
    "-p",
    "process.versions.node + ' ' + (typeof require('node:zlib').zstdDecompressSync === 'function')",
  ],
  { encoding: "utf8" },
)
  .trim()
  .split(" ");

test("an .eval log packed with zstd is uploaded where Node can read it, else refused before anything is sent, with what to do", async () => {
  const workspace = createTree();
  copyFileSync(
    join(repositoryRoot, "__tests__/experiment/fixtures/zstd/inspect-2x2-epochs.eval"),
    join(workspace.path, "log.eval"),
  );
  const emulator = await startTestEmulator();
  const run = await runCli(["upload", "log.eval", "--json"], { workspace, env: emulator.env });
  console.log(`Node ${version}: ${hasZstd === "true" ? "has zstd" : "has no zstd"}`);
  if (hasZstd === "true") {
    expect(run.code).toBe(0);
    expect(JSON.parse(run.stdout).experiments).toMatchObject([
      { outcome: "uploaded", format: "inspect", rows: 4 },
    ]);
  } else {
    expect([run.code, run.stdout + run.stderr]).toEqual([
      2,
      expect.stringMatching(
        /packed with zstd, which Node [\d.]+ cannot read; use Node 22\.15 or later/,
      ),
    ]);
    expect(emulator.emulator.requests()).toEqual([]);
  }
});
