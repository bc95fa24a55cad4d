import { cpSync, readdirSync, readFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { expect, test } from "@jest/globals";
import { load } from "js-yaml";
import { expectWithin } from "../../support/busy.ts";
import { nodeUnderTest, startChild, type Finished } from "../../support/child.ts";
import { startTestEmulator } from "../../support/emulator-process.ts";
import { createTree, repositoryRoot, type Tree } from "../../support/tree.ts";
import { blocksOf } from "../../docs/documents.ts";

/** What a clone does not have. */
const NOT_CLONED = ["node_modules", "build", ".git"];
/** Needs what a newcomer on a plane has not: the registry. `.ci/run` does it on a clean checkout. */
const NEEDS_THE_REGISTRY = ["npm ci && npm test"];
const FIRST_DEPLOY_MS = 60_000;

/** A clone of this repository, next to the repository of an agent. */
function clone(): {
  readonly copy: Tree;
  readonly run: (script: string, env?: Readonly<Record<string, string>>) => Promise<Finished>;
} {
  const [copy, home] = [createTree({ "my-agent/langgraph.json": "{}" }), createTree()];
  for (const name of readdirSync(repositoryRoot).filter((entry) => !NOT_CLONED.includes(entry)))
    cpSync(join(repositoryRoot, name), join(copy.path, "agent-deploy", name), { recursive: true });
  // Nothing but the shell's own tools and the Node under test.
  const path = `${dirname(nodeUnderTest)}:/usr/local/bin:/usr/bin:/bin`;
  const run = (script: string, env: Readonly<Record<string, string>> = {}): Promise<Finished> =>
    startChild("bash", ["-e", "-c", script], {
      cwd: join(copy.path, "agent-deploy"),
      env: { PATH: path, HOME: home.path, ...env },
    }).done.then((done) => {
      expect(readdirSync(home.path)).toEqual([]);
      return done;
    });
  return { copy, run };
}

const commands = blocksOf("README.md")
  .filter(({ info }) => info[0] === "sh")
  .flatMap(({ text }) => text.trim().split("\n"))
  .filter((line) => !NEEDS_THE_REGISTRY.includes(line));

test(
  "on a clean clone with nothing installed, the README's first command deploys within a minute",
  async () => {
    expect(commands[0]).toBe("node dist/cli.js demo");
    const { run } = clone();
    const startedAt = performance.now();
    const done = await run(commands[0]!);
    expect({ code: done.code, said: done.stdout + done.stderr }).toEqual({
      code: 0,
      said: expect.stringContaining("2 deployments: all deployed") as unknown,
    });
    expectWithin(performance.now() - startedAt, FIRST_DEPLOY_MS);
  },
  FIRST_DEPLOY_MS + 30_000,
);

test(
  "a user's own spec deploys to the emulator at the first try, with only the lines of the README",
  async () => {
    const [block] = blocksOf("README.md").filter(({ info }) => info[0] === "bash");
    expect(block!.text).toContain("--port 4010");
    const { copy, run } = clone();
    // A machine that runs tests may have that port taken; whoever follows the page stops the emulator with the terminal.
    const port = await freePort();
    const script = block!.text
      .replaceAll("4010", String(port))
      .replace(" &\n", " > emulator.log &\n");
    const done = await run(`${script}kill %1\n`);
    expect({ code: done.code, said: done.stdout + done.stderr }).toEqual({
      code: 0,
      said: expect.stringMatching(/was created: .* is live/) as unknown,
    });
    expect(copy.read("my-agent/emulator.log")).toContain(`http://127.0.0.1:${port}`);
  },
  FIRST_DEPLOY_MS + 30_000,
);

/** A port that nothing listens on now. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

test("every other command of the README runs verbatim and in order", async () => {
  const rest = commands.slice(1);
  expect(rest.length).toBeGreaterThanOrEqual(2);
  const { copy, run } = clone();
  const { emulator, env } = await startTestEmulator();
  const [, id] = /--deployment-id (\S+)/.exec(rest.join("\n"))!;
  emulator.seed({
    deployments: [
      {
        id: id!,
        name: "grown-by-hand",
        source: "external_container",
        source_config: {},
        source_revision_config: { image_uri: `registry.example.com/a@sha256:${"a".repeat(64)}` },
        secrets: [],
      },
    ],
  });
  const done = await run(rest.join("\n"), env);
  expect({ code: done.code, said: done.stdout + done.stderr }).toEqual({
    code: 0,
    said: expect.stringContaining("wrote live.yml") as unknown,
  });
  expect(copy.read("agent-deploy/live.yml")).toContain("name: grown-by-hand");
  // What `init` proposes next works as well, in the same place.
  const proposed = [...done.stdout.matchAll(/^ {2}(node \S+cli\.js validate \S+)/gm)].map(
    ([, line]) => line!,
  );
  expect(proposed).toEqual(["node dist/cli.js validate live.yml"]);
  expect(await run(proposed.join("\n"))).toMatchObject({ code: 0 });
});

test("the workflow at the top of the README has fewer than 15 lines, and passes the secrets of the spec next to it", () => {
  const [workflow, spec] = blocksOf("README.md").filter(({ info }) => info[0] === "yaml");
  expect(workflow!.text.trim().split("\n").length).toBeLessThan(15);
  const { secrets } = load(spec!.text) as { secrets: string[] };
  expect(workflow!.text.match(/(?<=secrets\.)\w+/g)).toEqual(["AGENT_DEPLOY_API_KEY", ...secrets]);
  expect(workflow!.text).toBe(
    readFileSync(join(repositoryRoot, "examples/workflows/deploy.yml"), "utf8"),
  );
});
