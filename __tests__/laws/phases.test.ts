import { expect, test } from "@jest/globals";
import { timelineWords } from "../../src/report/phases.ts";
import { createFlow, desiredOf, repohost } from "../survive/flow.ts";
import { randomOf } from "../survive/green-world.ts";

const WORLDS = 200;
const UNITS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000 };

/** `6 m 12 s` in milliseconds. */
const toMs = (words: string): number =>
  [...words.matchAll(/(\d+) ([smh])\b/g)].reduce(
    (sum, [, n, unit]) => sum + Number(n) * UNITS[unit!]!,
    0,
  );

/** Seconds that each phase lasts, and how often the run looks. */
function worldOf(seed: number) {
  const random = randomOf(seed);
  const upTo = (most: number): number => Math.round(random() * most) * 1_000;
  return {
    pollMs: 1_000 + upTo(19),
    phases: {
      CREATING: upTo(20),
      QUEUED: upTo(60),
      AWAITING_BUILD: upTo(20),
      BUILDING: 1_000 + upTo(300),
      AWAITING_DEPLOY: upTo(random() < 0.5 ? 2 : 20),
      DEPLOYING: 1_000 + upTo(random() < 0.5 ? 8 : 120),
    },
    outcome: (["deployed", "build-failed", "deploy-failed"] as const)[Math.floor(random() * 3)]!,
  };
}

test("the phases of a report match the service's own times, within one poll", async () => {
  for (let seed = 1; seed <= WORLDS; seed += 1) {
    const { pollMs, phases, outcome } = worldOf(seed);
    const flow = createFlow({
      emulator: { phases, lags: { database: 0 }, revisions: [{ outcome }] },
      pollIntervalMs: pollMs,
    });
    const report = await flow.apply(desiredOf(repohost()));
    const words = timelineWords(report.timeline);
    const actual: Readonly<Record<string, number>> = {
      queued: phases.CREATING + phases.QUEUED + phases.AWAITING_BUILD,
      build: phases.BUILDING,
      deploy: outcome === "build-failed" ? 0 : phases.AWAITING_DEPLOY + phases.DEPLOYING,
    };
    for (const [phase, ms] of Object.entries(actual)) {
      const told = new RegExp(`(?:^|· )${phase} ([^·]*)`).exec(words)?.[1];
      // One that passed between two looks may be part of the rest.
      if (told === undefined && ms <= pollMs) continue;
      expect([seed, phase, words, Math.abs(toMs(told ?? "") - ms) <= pollMs + 1_000]).toEqual([
        seed,
        phase,
        words,
        true,
      ]);
    }
  }
}, 600_000);
