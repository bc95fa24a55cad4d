import { existsSync } from "node:fs";
import { expect, test } from "@jest/globals";
import { runTrial } from "../../../scripts/durability.mjs";

const CLI = new URL("../../../dist/cli.js", import.meta.url);
const built = existsSync(CLI);
if (!built)
  process.stdout.write("skipped: dist/cli.js is not built, so no emulator process can be killed\n");

(built ? test : test.skip)(
  "an emulator that is killed at random among writes of eight clients keeps every acknowledged write and no partial one",
  async () => {
    const { losses, left, kills, writes, deployments } = await runTrial({
      writes: 240,
      kills: 3,
      seed: 20261122,
    });
    expect(losses).toEqual([]);
    expect(left).toEqual([]);
    expect(kills).toBe(4);
    expect(writes).toBeGreaterThanOrEqual(240);
    expect(deployments).toBeGreaterThan(12);
  },
);
