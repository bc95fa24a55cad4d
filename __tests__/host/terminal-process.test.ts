import { existsSync } from "node:fs";
import { expect, test } from "@jest/globals";
import { createStage, REPOSITORY } from "../scenarios/stage.ts";
import { nodeUnderTest, startChild } from "../support/child.ts";
import { repositoryRoot } from "../support/tree.ts";

const SCRIPT = "/usr/bin/script";
/** `script` of util-linux gives a program a terminal; other systems have another one of that name. */
const onTerminal = process.platform === "linux" && existsSync(SCRIPT) ? test : test.skip;

async function runOnTerminal(stage: Awaited<ReturnType<typeof createStage>>): Promise<string> {
  const words = [
    nodeUnderTest,
    `${repositoryRoot}/dist/cli.js`,
    "apply",
    "--yes",
    "--poll-interval",
    "20ms",
  ];
  const { stdout } = await startChild(SCRIPT, ["-qfec", words.join(" "), "/dev/null"], {
    cwd: stage.workspace.path,
    env: {
      PATH: process.env["PATH"] ?? "",
      HOME: stage.workspace.path,
      TERM: "xterm",
      SHELL: "/bin/sh",
      ...stage.emulator.env,
    },
  }).done;
  return stdout;
}

onTerminal(
  "a terminal shows an animated line, and the log of a build as it is written",
  async () => {
    const stage = await createStage(REPOSITORY, {
      phases: { BUILDING: 2_000 },
      revisions: [{ outcome: "build-failed", log: ["step one", "No module named langfoo"] }],
    });
    const shown = await runOnTerminal(stage);
    expect(shown).toMatch(/support-agent {2}building \d+ s/);
    expect(shown).toContain("\u001b[J");
    expect(shown).toMatch(/support-agent \|.* step one/);
    expect(shown).toContain("BUILD_FAILED after");
  },
);

test("without a terminal each status is one line, and nothing is erased", async () => {
  const stage = await createStage(REPOSITORY);
  const run = await stage.cli(["apply", "--poll-interval", "20ms"]);
  expect(run.code).toBe(0);
  expect(run.stderr).not.toContain("\u001b");
  const told = run.stderr.match(/^support-agent: [A-Z_]+/gm) ?? [];
  expect(told.length).toBeGreaterThan(0);
  expect(told).toHaveLength(new Set(told).size);
  expect(run.stderr).not.toMatch(/^support-agent \|/m);
});
