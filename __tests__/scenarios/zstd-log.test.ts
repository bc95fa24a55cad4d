import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { runCli } from "../support/cli-run.ts";
import { startTestEmulator } from "../support/emulator-process.ts";
import { createTree, repositoryRoot } from "../support/tree.ts";

test.each([
  ["one frame per entry", "inspect-2x2-epochs.eval"],
  ["several frames", "inspect-2x2-epochs-frames.eval"],
])("an .eval log packed with zstd in %s is uploaded on every Node", async (_, log) => {
  const workspace = createTree();
  copyFileSync(
    join(repositoryRoot, "__tests__/experiment/fixtures/zstd", log),
    join(workspace.path, "log.eval"),
  );
  const emulator = await startTestEmulator();
  const run = await runCli(["upload", "log.eval", "--json"], { workspace, env: emulator.env });
  expect(run.code).toBe(0);
  expect(JSON.parse(run.stdout).experiments).toMatchObject([
    { outcome: "uploaded", format: "inspect", rows: 4 },
  ]);
});
