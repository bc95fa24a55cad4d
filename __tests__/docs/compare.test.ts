import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { createOwn, play, SITUATIONS } from "../../scripts/realworld/peers.mjs";
import { repositoryRoot } from "../support/tree.ts";

/** Our own cell of a row of contributing/compare.md: exit code, revisions and writes, which no machine's speed changes. */
function ownCell({
  name,
}: (typeof SITUATIONS)[number]): Record<"exit" | "revisions" | "writes", number> {
  const page = readFileSync(join(repositoryRoot, "contributing/compare.md"), "utf8");
  const row = page.split("\n").find((line) => line.startsWith(`| ${name} |`));
  const said = /\| exit (\d), (\d+) revisions?, \d+ requests? \((\d+) writes?\)/.exec(row ?? "");
  if (said === null) throw new Error(`contributing/compare.md says nothing of: ${name}`);
  const [exit, revisions, writes] = said.slice(1).map(Number) as [number, number, number];
  return { exit, revisions, writes };
}

test.each(SITUATIONS.filter(({ slow }) => slow !== true))(
  "contributing/compare.md says of agent-deploy what it does: $name",
  async (situation) => {
    const played = await play(createOwn(repositoryRoot), situation, { timeScale: 1 });
    const { exit, revisions, writes, deployments, output } = played;
    expect({ exit, revisions, writes, deployments, output }).toEqual({
      ...ownCell(situation),
      deployments: 1,
      output,
    });
  },
);
