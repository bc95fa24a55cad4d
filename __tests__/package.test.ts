import { beforeAll, expect, test } from "@jest/globals";
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { nodeUnderTest, startChild } from "./support/child.ts";
import { createTree, repositoryRoot, type Tree } from "./support/tree.ts";

const PROGRAM = `
import { startEmulator } from "agent-deploy";
const { url, emulator, close } = await startEmulator({ ids: "stable", seed: { deployments: [{ name: "a", source: "repohost" }] } });
const reply = await fetch(url + "/v2/deployments", { headers: { "x-api-key": "k" } });
console.log((await reply.json()).resources.map((one) => one.name + " " + one.id).join());
console.log(emulator.requests().length);
await close();
await startEmulator({ timeScal: 2 }).catch((error) => console.log(error.message));
`;

/** The archive of a release, unpacked as npm install does it. */
let unpacked: string;
beforeAll(async () => {
  const { path } = createTree();
  const packed = await startChild(
    "npm",
    ["pack", "--ignore-scripts", "--silent", "--pack-destination", path],
    { cwd: repositoryRoot, env: process.env as Record<string, string> },
  ).done;
  expect([packed.code, packed.stderr]).toEqual([0, ""]);
  execFileSync("tar", ["-xzf", packed.stdout.trim()], { cwd: path });
  unpacked = join(path, "package");
});

/** A folder in which the archive is installed. */
function installedIn(files: Readonly<Record<string, string>>): Tree {
  const tree = createTree(files);
  mkdirSync(join(tree.path, "node_modules"));
  symlinkSync(unpacked, join(tree.path, "node_modules", "agent-deploy"));
  return tree;
}

test("startEmulator can be imported from the archive, and gives the same ids in every run", async () => {
  const tree = installedIn({ "program.mjs": PROGRAM });
  const run = (): Promise<{ stdout: string; stderr: string }> =>
    startChild(nodeUnderTest, ["program.mjs"], { cwd: tree.path, env: {} }).done;
  const first = await run();
  expect([first.stderr, first.stdout.split("\n").slice(1, 3)]).toEqual([
    "",
    ["1", 'timeScal: unknown key "timeScal"; did you mean "timeScale"?'],
  ]);
  expect((await run()).stdout).toBe(first.stdout);
});

test("the release archive, which npm pack makes, has types", async () => {
  const tree = installedIn({
    "typed.mts": `import { startEmulator } from "agent-deploy";\nconst running = await startEmulator({ ids: "stable" });\nconst url: string = running.url;\nvoid url;\n`,
  });
  const tsc = join(repositoryRoot, "node_modules", "typescript", "bin", "tsc");
  const flags = [
    "--noEmit",
    "--strict",
    "--module",
    "nodenext",
    "--target",
    "es2023",
    "--types",
    "",
  ];
  const typed = await startChild(process.execPath, [tsc, ...flags, "typed.mts"], {
    cwd: tree.path,
    env: {},
  }).done;
  expect([typed.code, typed.stdout]).toEqual([0, ""]);
  const workflow = readFileSync(join(repositoryRoot, ".github/workflows/release.yml"), "utf8");
  expect(workflow).toContain("run: npm pack --ignore-scripts");
});

test("the archive contains the demo's files, and the check before publishing lists the placeholders to replace", async () => {
  const env = { PATH: process.env["PATH"] ?? "", OPENAI_API_KEY: "x", SEARCH_DB_URL: "x" };
  const run = (...args: string[]) =>
    startChild(nodeUnderTest, args, { cwd: join(unpacked, "examples"), env }).done;
  const cli = join(unpacked, "dist/cli.js");
  expect(await run(cli, "validate", "agent-deploy.yml")).toMatchObject({ code: 0 });
  const gate = ["gate", "evals/capitals.jsonl", "--gate", "correctness >= 0.8"];
  expect(await run(cli, ...gate)).toMatchObject({ code: 0 });
  const check = await run(join(repositoryRoot, "scripts/publish-check.mjs"));
  expect(check.code).toBe(1);
  expect(check.stdout).toMatch(/^README\.md:\d+: your-org$/m);
  expect(check.stdout).toMatch(/^package\.json:\d+: your-org$/m);
});

test("as an Action the emulator starts in the background of the job, and the post step stops it", async () => {
  const tree = createTree({
    output: "",
    state: "",
    "s.yml": "list: 404\nfaults: [{ route: GET /v2/listeners, kind: status }]\n",
  });
  const env = {
    PATH: process.env["PATH"] ?? "",
    INPUT_COMMAND: "emulator",
    RUNNER_TEMP: tree.path,
    GITHUB_OUTPUT: join(tree.path, "output"),
    GITHUB_STATE: join(tree.path, "state"),
    AGENT_DEPLOY_EMULATOR_SCENARIO: join(tree.path, "s.yml"),
  };
  const entry = (name: string): string => join(repositoryRoot, "dist", name);
  const started = await startChild(nodeUnderTest, [entry("index.js")], { cwd: tree.path, env })
    .done;
  expect([started.code, started.stderr]).toEqual([0, ""]);
  const url = /^http:\/\/127\.0\.0\.1:\d+$/m.exec(readFileSync(env.GITHUB_OUTPUT, "utf8"))![0];
  expect((await fetch(`${url}/_emulator/health`)).status).toBe(200);
  const saved = /agent_deploy_emulator<<.*\n(.*)\n/.exec(readFileSync(env.GITHUB_STATE, "utf8"))!;
  const post = await startChild(nodeUnderTest, [entry("post.js")], {
    cwd: tree.path,
    env: { ...env, STATE_agent_deploy_emulator: saved[1]! },
  }).done;
  expect(post.stdout).toContain("stopped the local emulator");
  expect(post.stdout).toContain("::warning::fault never met: GET /v2/listeners status");
  await expect(fetch(`${url}/_emulator/health`)).rejects.toThrow();
  writeFileSync(join(tree.path, "s.yml"), "lists: 404\n");
  const wrong = await startChild(nodeUnderTest, [entry("index.js")], { cwd: tree.path, env }).done;
  expect([wrong.code, wrong.stdout]).toEqual([1, expect.stringContaining('did you mean "list"?')]);
});
