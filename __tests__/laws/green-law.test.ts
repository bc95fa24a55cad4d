import { expect, test } from "@jest/globals";
import { playWorld } from "../survive/green-run.ts";
import { playDocuments, playOverlap, playSecrets } from "../survive/green-others.ts";
import { worldOf } from "../survive/green-world.ts";

const RUNS = Number(process.env["GREEN_RUNS"] ?? "1000");

test("a green run is never wrong: the active revision holds what the spec says, and verify and gates passed", async () => {
  const given = process.env["GREEN_SEED"];
  const [first, count] =
    given === undefined
      ? [Number(process.env["GREEN_FIRST_SEED"] ?? "1"), RUNS]
      : [Number(given), 1];
  const outcomes = new Map<string, number>();
  const lies: string[] = [];
  for (let seed = first; seed < first + count; seed += 1) {
    const world = worldOf(seed);
    const found = await playWorld(seed, world, outcomes);
    if (found.length > 0) lies.push(...found, JSON.stringify(world));
  }
  console.log(
    [...outcomes]
      .sort()
      .map(([end, n]) => `${n} × ${end}`)
      .join("\n"),
  );
  expect(lies).toEqual([]);
  const greens = [...outcomes.keys()].filter((end) => end.includes(": green"));
  expect(greens.length).toBeGreaterThanOrEqual(given === undefined ? 12 : 0);
}, 1_800_000);

/** Runs of one kind of world, with how often each end was met. */
async function playAll(
  play: (seed: number, outcomes: Map<string, number>) => Promise<string[]>,
): Promise<{ lies: readonly string[]; ends: readonly string[] }> {
  const outcomes = new Map<string, number>();
  const lies: string[] = [];
  for (let seed = 1; seed <= Math.ceil(RUNS / 5); seed += 1)
    lies.push(...(await play(seed, outcomes)));
  const ends = [...outcomes].sort().map(([end, n]) => `${n} × ${end}`);
  console.log(ends.join("\n"));
  return { lies, ends };
}

test("a run that leaves out a document, or lets one fail, is red, whatever on-superseded says", async () => {
  const { lies, ends } = await playAll(playDocuments);
  expect(lies).toEqual([]);
  expect(ends.filter((end) => end.includes("red") && end.includes("not-run"))).not.toEqual([]);
});

test("a service that stores other secrets than it was sent makes no run green", async () => {
  const { lies, ends } = await playAll(playSecrets);
  expect(lies).toEqual([]);
  for (const kind of [
    "keeps, shown as plain: green",
    "drops, shown as plain: red",
    "trims, shown as plain: red",
  ])
    expect(ends.filter((end) => end.includes(kind))).not.toEqual([]);
});

test("a rollback in overlapping runs replaces only its own revision, with what served right before it", async () => {
  const { lies, ends } = await playAll(playOverlap);
  expect(lies).toEqual([]);
  expect(ends.filter((end) => end.includes("rollback deployed"))).not.toEqual([]);
});
