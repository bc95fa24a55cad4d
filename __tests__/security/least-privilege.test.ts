import { execFileSync } from "node:child_process";
import { chmodSync, chownSync, cpSync, mkdirSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { CONTAINER } from "../scenarios/stage.ts";
import { actionDefaults, parseCommandFile } from "../support/action-run.ts";
import { nodeUnderTest, startChild } from "../support/child.ts";
import { startTestEmulator } from "../support/emulator-process.ts";
import { createTree, repositoryRoot } from "../support/tree.ts";

const NOBODY = 65_534;

/** How a child becomes somebody who owns nothing, or null where this machine has no way. */
function becomeNobody(): readonly string[] | null {
  if (process.getuid?.() !== 0) return [];
  try {
    execFileSync("setpriv", [`--reuid=${NOBODY}`, `--regid=${NOBODY}`, "--clear-groups", "true"], { stdio: "ignore" });
    return ["setpriv", `--reuid=${NOBODY}`, `--regid=${NOBODY}`, "--clear-groups", "--no-new-privs"];
  } catch {
    return null;
  }
}

test("a user who owns nothing deploys from a read-only workspace: only the runner's own files are written", async () => {
  const prefix = becomeNobody();
  if (prefix === null) { console.log("skipped: started as root, and there is no setpriv to become somebody else"); return; }
  const emulator = await startTestEmulator();
  const workspace = createTree({ "agent-deploy.yml": CONTAINER, "dist/.keep": "", "rows.json": '[{"inputs":{"q":1},"actual_outputs":{"a":1},"evaluation_scores":[{"key":"m","score":1}]}]' });
  cpSync(join(repositoryRoot, "dist"), join(workspace.path, "dist"), { recursive: true });
  const runner = createTree({ output: "", summary: "", state: "", "event.json": "{}", "temp/.keep": "" });
  const names = ["output", "summary", "state", "event.json", "temp", "temp/.keep", "."];
  if (prefix.length > 0) for (const name of names) chownSync(join(runner.path, name), NOBODY, NOBODY);
  const lock = (folder: string): void => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      if (entry.isDirectory()) lock(join(folder, entry.name));
      else chmodSync(join(folder, entry.name), 0o444);
    }
    chmodSync(folder, 0o555);
  };
  lock(workspace.path);
  const before = listing(workspace.path);
  const inputs = { ...actionDefaults(), command: "apply", "api-key": "test-key", "control-plane-url": emulator.url, "tracing-url": emulator.url, "poll-interval": "20ms", experiment: "rows.json", gate: "m >= 0" };
  const env = {
    PATH: process.env["PATH"] ?? "", HOME: "/nonexistent", GITHUB_ACTIONS: "true", GITHUB_REPOSITORY: "acme/agents", GITHUB_EVENT_NAME: "push", GITHUB_REF: "refs/heads/main", GITHUB_SHA: "1".repeat(40), GITHUB_RUN_ID: "1", GITHUB_RUN_ATTEMPT: "1",
    GITHUB_WORKSPACE: workspace.path, RUNNER_TEMP: join(runner.path, "temp"), GITHUB_OUTPUT: join(runner.path, "output"), GITHUB_STEP_SUMMARY: join(runner.path, "summary"), GITHUB_STATE: join(runner.path, "state"), GITHUB_EVENT_PATH: join(runner.path, "event.json"),
    ...Object.fromEntries(Object.entries(inputs).map(([name, value]) => [`INPUT_${name.toUpperCase()}`, value])),
  };
  const [command, ...args] = [...prefix, nodeUnderTest, join(workspace.path, "dist/index.js")];
  const run = await startChild(command!, args, { cwd: workspace.path, env }).done;
  const outputs = parseCommandFile(runner.read("output"));
  expect({ code: run.code, outcome: outputs["outcome"], log: run.code === 0 ? "" : run.stdout + run.stderr }).toEqual({ code: 0, outcome: "deployed", log: "" });
  expect(run.stdout + run.stderr).not.toMatch(/EACCES|EPERM|EROFS|was not written/);
  expect(statSync(outputs["report"]!).size).toBeGreaterThan(100);
  expect(outputs["report"]!.startsWith(join(runner.path, "temp"))).toBe(true);
  expect(runner.read("summary")).toContain("search-agent");
  expect(listing(workspace.path)).toEqual(before);
  // So that it can be removed.
  const unlock = (folder: string): void => { chmodSync(folder, 0o755); for (const entry of readdirSync(folder, { withFileTypes: true })) if (entry.isDirectory()) unlock(join(folder, entry.name)); };
  unlock(workspace.path);
  mkdirSync(join(workspace.path, "done"));
});

/** Names and times of everything below a folder. */
function listing(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => `${name} ${statSync(join(folder, name)).mtimeMs}`).sort();
}
