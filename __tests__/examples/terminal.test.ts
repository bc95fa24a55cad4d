import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "@jest/globals";
import { nodeUnderTest, startChild } from "../support/child.ts";
import { startTestEmulator } from "../support/emulator-process.ts";
import { createTree, repositoryRoot, type Tree } from "../support/tree.ts";

const SCRIPT = "/usr/bin/script";
const canMakeTerminals = existsSync(SCRIPT);
if (!canMakeTerminals)
  process.stdout.write("skipped: there is no script(1) to make a terminal with\n");

const SPEC = `name: search-agent
source: external_container
source_revision_config: { image_uri: "registry.example.com/a@sha256:${"a".repeat(64)}" }
secrets: []
`;
const ESCAPE = "\u001b[";

/** What a terminal shows of the command line, and what went into `out.txt` where the arguments send stdout there. */
async function onTerminal(
  args: string,
  env: Readonly<Record<string, string>>,
  workspace: Tree = createTree({ "agent-deploy.yml": SPEC }),
  { stdin, code = 0 }: { readonly stdin?: string; readonly code?: number } = {},
): Promise<string> {
  const command = `${nodeUnderTest} ${join(repositoryRoot, "dist/cli.js")} ${args}`;
  const done = await startChild(SCRIPT, ["-qec", command, "/dev/null"], {
    cwd: workspace.path,
    env: { PATH: process.env["PATH"] ?? "", HOME: workspace.path, TERM: "xterm-256color", ...env },
    ...(stdin === undefined ? {} : { stdin }),
  }).done;
  expect({ code: done.code, shown: done.stdout }).toEqual({ code, shown: done.stdout });
  return done.stdout;
}

(canMakeTerminals ? describe : describe.skip)("on a terminal", () => {
  test("there are colours, except with NO_COLOR, on a dumb terminal, and in what is sent to a file", async () => {
    const { env } = await startTestEmulator();
    expect(await onTerminal("plan", env)).toContain(ESCAPE);
    expect(await onTerminal("plan", { ...env, NO_COLOR: "1" })).not.toContain(ESCAPE);
    expect(await onTerminal("plan", { ...env, TERM: "dumb" })).not.toContain(ESCAPE);
    const workspace = createTree({ "agent-deploy.yml": SPEC });
    await onTerminal("plan > out.txt", env, workspace);
    expect(workspace.read("out.txt")).toContain("search-agent would be created");
    expect(workspace.read("out.txt")).not.toContain(ESCAPE);
  });

  test("apply shows the plan and asks, only yes deploys, and CI is never asked", async () => {
    const { env, writes } = await startTestEmulator();
    const no = await onTerminal("apply", env, undefined, { stdin: "n\n", code: 2 });
    expect(no).toMatch(/create[\s\S]*Apply these changes to search-agent\? \[y\/N\]/);
    expect(writes()).toEqual([]);
    const inCi = await onTerminal("apply --poll-interval 20ms", { ...env, CI: "true" });
    expect(inCi).not.toContain("[y/N]");
    expect(writes()).toEqual(["POST /v2/deployments"]);
  });

  test("the line of a deployment in progress is rewritten in place, and the last one stays", async () => {
    const { env } = await startTestEmulator({ timeScale: 5 });
    const shown = await onTerminal("apply --yes --poll-interval 20ms", env);
    expect(shown).toMatch(/search-agent {2}waiting for the service 0 s[^\n]*\u001b\[J/);
    expect(shown).toMatch(/search-agent: DEPLOYED after \d+ s\r?\n/);
  });
});
