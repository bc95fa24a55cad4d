import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { createOwn, play, SITUATIONS } from "../../scripts/realworld/peers.mjs";
import { createOwnSource, SOURCE_SITUATIONS } from "../../scripts/realworld/source-peers.mjs";
import { repositoryRoot } from "../support/tree.ts";

/** Our own cell of a row of contributing/compare.md: exit code, revisions and writes, which no machine's speed changes. */
function ownCell({
  name,
}: {
  readonly name: string;
}): Record<"exit" | "revisions" | "writes", number> {
  const page = readFileSync(join(repositoryRoot, "contributing/compare.md"), "utf8");
  const row = page.split("\n").find((line) => line.startsWith(`| ${name} |`));
  const said = /\| exit (\d), (\d+) revisions?, \d+ requests? \((\d+) writes?\)/.exec(row ?? "");
  if (said === null) throw new Error(`contributing/compare.md says nothing of: ${name}`);
  const [exit, revisions, writes] = said.slice(1).map(Number) as [number, number, number];
  return { exit, revisions, writes };
}

const OWN = createOwn(repositoryRoot);
const OWN_SOURCE = createOwnSource(repositoryRoot);
const PLAYS = [
  ...SITUATIONS.map((situation) => ({ own: OWN, situation, name: situation.name })),
  ...SOURCE_SITUATIONS.map((situation) => ({ own: OWN_SOURCE, situation, name: situation.name })),
].filter(({ situation }) => !("slow" in situation));

// Most of a play is waiting.
test.concurrent.each(PLAYS)(
  "contributing/compare.md describes what agent-deploy does: $name",
  async ({ own, situation }) => {
    const played = await play(own, situation, { timeScale: 1 });
    const { exit, revisions, writes, deployments, output } = played;
    expect({ exit, revisions, writes, deployments, output }).toEqual({
      ...ownCell(situation),
      deployments: 1,
      output,
    });
  },
);
