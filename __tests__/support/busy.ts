import { spawnSync } from "node:child_process";
import { expect } from "@jest/globals";
import { nodeUnderTest } from "./child.ts";

const SAMPLES = 3;

/**
 * How many times longer a process takes now than on a machine with nothing else to do: time on the clock over CPU time of
 * bare starts of Node, at least 1. A limit in seconds is a promise about a machine that has time for it.
 */
function busyness(): number {
  const factors = Array.from({ length: SAMPLES }, () => {
    const begin = performance.now();
    const { stdout } = spawnSync(
      nodeUnderTest,
      ["-p", "const { user, system } = process.cpuUsage(); (user + system) / 1000"],
      { encoding: "utf8" },
    );
    return (performance.now() - begin) / Number(stdout);
  });
  return Math.max(1, ...factors);
}

/** Fails where something took longer than `limitMs`, leaving out what a busy machine makes of it. */
export function expectWithin(ms: number, limitMs: number): void {
  if (ms >= limitMs) expect(ms).toBeLessThan(limitMs * busyness());
}

/** Milliseconds of CPU that this process has used so far: what a piece of work costs, whoever else is working. */
export function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** The least CPU time of three tries, in milliseconds. */
async function leastCpuMs(work: () => unknown): Promise<number> {
  const tries: number[] = [];
  for (let one = 0; one < 3; one++) {
    const before = cpuMs();
    await work();
    tries.push(cpuMs() - before);
  }
  return Math.min(...tries);
}

/** Fails where the work for `many` things takes far more than eight times the CPU time of an eighth of them. */
export async function expectLinear(many: number, work: (many: number) => unknown): Promise<void> {
  const few = await leastCpuMs(() => work(many / 8));
  // Sixty-four times as long, where each is compared with each.
  expect((await leastCpuMs(() => work(many))) / few).toBeLessThan(24);
}
