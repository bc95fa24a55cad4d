import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { nodeUnderTest, startChild } from "../support/child.ts";
import { createTree, repositoryRoot } from "../support/tree.ts";

test("the packed package runs its demo's files, and the check before publishing names what is left to replace", async () => {
  const folder = createTree().path;
  execFileSync("npm", ["pack", "--ignore-scripts", "--pack-destination", folder], {
    cwd: repositoryRoot,
    stdio: "ignore",
  });
  execFileSync("tar", ["-xzf", "agent-deploy-0.1.0.tgz"], { cwd: folder });
  const cli = join(folder, "package/dist/cli.js");
  const env = { PATH: process.env["PATH"] ?? "", OPENAI_API_KEY: "x", SEARCH_DB_URL: "x" };
  const run = (...args: string[]) =>
    startChild(nodeUnderTest, args, { cwd: join(folder, "package/examples"), env }).done;
  expect(await run(cli, "validate", "agent-deploy.yml")).toMatchObject({ code: 0 });
  expect(
    await run(cli, "gate", "evals/capitals.jsonl", "--gate", "correctness >= 0.8"),
  ).toMatchObject({ code: 0 });
  const check = await run(join(repositoryRoot, "scripts/publish-check.mjs"));
  expect(check.code).toBe(1);
  expect(check.stdout).toMatch(/^README\.md:\d+: your-org$/m);
  expect(check.stdout).toMatch(/^package\.json:\d+: your-org$/m);
});
