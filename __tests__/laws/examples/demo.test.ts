import { existsSync, readdirSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { startCli } from "../../support/cli-run.ts";
import { createTree } from "../../support/tree.ts";

const PROCESSES = "/proc/self/cwd";

/** Processes that work below a folder. */
function processesIn(folder: string): string[] {
  return readdirSync("/proc").filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readlinkSync(join("/proc", pid, "cwd")).startsWith(folder);
    } catch {
      return false;
    }
  });
}

test.each([
  ["in the first command", /What would happen/],
  ["while it waits for a revision", /Deploy both[\s\S]*apply/],
])("a demo whose reader exits %s leaves no processes or files", async (_, seen) => {
  if (!existsSync(PROCESSES)) {
    process.stderr.write("skipped: no /proc to look for processes in\n");
    return;
  }
  const temp = createTree();
  const child = startCli(["demo"], { env: { TMPDIR: temp.path } });
  await child.until(seen);
  expect(readdirSync(temp.path)).toHaveLength(1);
  child.process.stdout!.destroy();
  await child.done;
  // A process that was asked to end takes a moment.
  while (processesIn(temp.path).length > 0) await new Promise((resolve) => setTimeout(resolve, 20));
  expect(readdirSync(temp.path)).toEqual([]);
});
