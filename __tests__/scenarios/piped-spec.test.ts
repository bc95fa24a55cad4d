import { expect, test } from "@jest/globals";
import { runCli } from "../support/cli-run.ts";
import { startTestEmulator } from "../support/emulator-process.ts";
import { createTree } from "../support/tree.ts";
import { runAction } from "../support/action-run.ts";

const SPEC = `name: piped
source: external_container
source_revision_config: { image_uri: "registry.example.com/a@sha256:${"a".repeat(64)}" }
`;

test.each([[["--spec", "-"]], [["--spec=-"]], [["-"]]])(
  "a spec is deployed from a pipe: apply %j",
  async (args) => {
    const { env, writes } = await startTestEmulator({ timeScale: 0 });
    const run = await runCli(["apply", ...args], { env, stdin: SPEC });
    expect({ code: run.code, stderr: run.stderr }).toMatchObject({ code: 0 });
    expect(writes()).toEqual(["POST /v2/deployments"]);
    const again = await runCli(["plan", ...args, "--json"], { env, stdin: SPEC });
    expect(JSON.parse(again.stdout)).toMatchObject({ outcome: "unchanged" });
  },
);

test("a pipe and files form one spec", async () => {
  const optional = "secrets: [{ name: NOT_SET, optional: true }]\n";
  const workspace = createTree({ "b.yml": SPEC.replace("piped", "filed") + optional });
  const run = await runCli(["render", "-", "b.yml"], { workspace, stdin: SPEC });
  expect(run.code).toBe(0);
  expect(run.stdout.match(/^name: \S+/gm)).toEqual(["name: piped", "name: filed"]);
  expect(run.stdout).toContain("\n# optional and not set here: secrets.NOT_SET left out\n");
});

test("render shows which secrets have no value yet, and prints no empty lines", async () => {
  const stdin = `${SPEC}secrets: [NOT_SET, SET]\ndeploy: { targets: { dev: {} } }\n`;
  const run = await runCli(["render", "-", "--target", "dev"], {
    stdin,
    env: { SET: "set-value" },
  });
  expect(run.stdout).toMatch(/name: NOT_SET, value: "\(known after apply\)"/);
  expect(run.stdout).toMatch(/name: SET, value: "\*\*\*"/);
  expect(run.stderr).not.toMatch(/^dev:/m);
  expect(run.stderr).not.toMatch(/\n\n|^\n/);
});

test("problems are reported with stdin, the line and the column", async () => {
  const run = await runCli(["validate", "-"], { stdin: `${SPEC}replicas: 2\n` });
  expect(run.code).toBe(2);
  expect(run.stdout + run.stderr).toContain("stdin:4:1: replicas: is not a known key");
});

test.each([
  ["nothing", "", "stdin:1:1: the spec is empty"],
  ["UTF-16", "\ufeffn\0a\0m\0e\0", "stdin"],
])("%s in the pipe is reported in one sentence", async (_, stdin, words) => {
  const run = await runCli(["validate", "-"], { stdin });
  expect(run.code).toBe(2);
  expect(run.stdout + run.stderr).toContain(words);
});

test("a pipe that is larger than any spec is given up", async () => {
  const flood = await runCli(["validate", "-"], { stdin: "# comment\n".repeat(2_000_000) });
  expect(flood.code).toBe(2);
  expect(flood.stdout + flood.stderr).toMatch(/stdin has more than \d+ bytes/);
});

test("the Action does not accept a pipe", async () => {
  const run = await runAction({ command: "validate", spec: "-" });
  expect(run.code).toBe(1);
  expect(run.stdout).toContain("the Action does not have");
});
