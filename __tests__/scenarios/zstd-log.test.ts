import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { runCli } from "../support/cli-run.ts";
import { startTestEmulator } from "../support/emulator-process.ts";
import { createTree, repositoryRoot } from "../support/tree.ts";

test("an .eval log packed with zstd is uploaded on every Node", async () => {
  const workspace = createTree();
  copyFileSync(
    join(repositoryRoot, "__tests__/experiment/fixtures/zstd/inspect-2x2-epochs.eval"),
    join(workspace.path, "log.eval"),
  );
  const emulator = await startTestEmulator();
  const run = await runCli(["upload", "log.eval", "--json"], { workspace, env: emulator.env });
  expect(run.code).toBe(0);
  expect(JSON.parse(run.stdout).experiments).toMatchObject([
    { outcome: "uploaded", format: "inspect", rows: 4 },
  ]);
});
