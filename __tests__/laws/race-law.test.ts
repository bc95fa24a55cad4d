import { expect, test } from "@jest/globals";
import type { FaultRule } from "../../src/emulator/http/fault.ts";
import { isGreen } from "../../src/report/outcome.ts";
import { BRISK, createFlow, desiredOf, repohost } from "../survive/flow.ts";

const PAIRS = Number(process.env["RACE_PAIRS"] ?? "200");

/** A small seeded generator (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Two runs that create one name at about the same time, on a service whose list is up to 5 s late. */
async function race(seed: number): Promise<string | null> {
  const random = randomOf(seed);
  const names = random() < 0.5 ? "unique" : "duplicates";
  const lags = new Map<string, number>();
  const listLagMs = (id: string): number => {
    if (!lags.has(id)) lags.set(id, Math.floor(random() * 5_000));
    return lags.get(id)!;
  };
  const faults: FaultRule[] =
    random() < 0.4
      ? [
          {
            route: "POST /v2/deployments",
            kind: random() < 0.6 ? "reset-after" : "reset-before",
            nth: 1 + Math.floor(random() * 2),
          },
        ]
      : [];
  const first = createFlow({ emulator: { ...BRISK, names, faults }, random, listLagMs });
  const second = createFlow({ beside: first, random, listLagMs });
  const desired = desiredOf(repohost());
  const delayMs = Math.floor(random() * 6_000);
  const ends = await Promise.all([
    first.apply(desired),
    first.clock.sleep(delayMs).then(() => second.apply(desired)),
  ]);
  const live = first.deployments().length;
  const green = ends.filter(({ outcome }) => isGreen(outcome)).length;
  const told = `seed ${seed} (${names}): ${live} deployments, ${ends.map(({ outcome, reason }) => `${outcome} ${reason}`).join(" and ")}`;
  if (live > 1 && green > 1) return told;
  if (live > 2 || live < 1) return told;
  if (names === "unique" && live !== 1) return told;
  const told2 = ends.filter(({ outcome }) => outcome === "blocked");
  for (const { message } of told2)
    for (const { id } of first.deployments())
      if (!message.includes(id)) return `${told}: ${message}`;
  return null;
}

test("200 pairs of runs that create at once, with a list that lags by up to 5 s, make one deployment or are red", async () => {
  const wrong: string[] = [];
  for (let seed = 1; seed <= PAIRS; seed += 1) {
    const end = await race(seed);
    if (end !== null) wrong.push(end);
  }
  expect(wrong).toEqual([]);
});
