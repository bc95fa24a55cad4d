import { expect, test } from "@jest/globals";
import { playWorld } from "../survive/green-run.ts";
import { worldOf } from "../survive/green-world.ts";

const RUNS = Number(process.env["GREEN_RUNS"] ?? "1000");

test("green is never a lie: the active revision holds what the spec says, and verify and gates passed", async () => {
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
