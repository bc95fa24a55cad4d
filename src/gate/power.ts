import type { Agent, Simulated } from "./agent.ts";
import { normalCdf } from "./distribution.ts";
import { meanOf } from "./interval.ts";

/** Share of real falls that a stated fall is found with. */
const POWER = 0.8;
/** A stated fall is this exact, relative to itself: far within the error of the draws. */
const CLOSE = 0.01;
/** What is more than rounding in a limit. */
const SLACK = 1e-12;

/** What a rule asks of a run. */
export interface Bar {
  readonly limit: number;
  /** Whether a fall of exactly the limit is too much. */
  readonly isStrict: boolean;
  /** The chance that a question has to be under by itself. */
  readonly level: number;
}

/** How often `units` examples, or clusters, of an agent that got worse so much fail the rule. */
function powerOf(simulated: Simulated, drawn: number, units: number, bar: Bar): number {
  const { change, z, chance } = simulated;
  // More units than were drawn: the mean stays, chance shrinks with the root of their number.
  const scale = Math.sqrt(units / drawn);
  const [meanChange, meanZ] = [meanOf(change), meanOf(z)];
  let found = 0;
  for (let run = 0; run < z.length; run++) {
    const fallen = -(meanChange + (change[run]! - meanChange) / scale);
    const p =
      chance !== null && units === drawn
        ? chance[run]!
        : normalCdf(meanZ * scale + (z[run]! - meanZ));
    const isBeyond = bar.isStrict ? fallen >= bar.limit - SLACK : fallen > bar.limit + SLACK;
    if (isBeyond && p < bar.level) found++;
  }
  return found / z.length;
}

/** The smallest fall that the rule finds in 8 of 10 runs; null where it finds none that often. */
export function detectableFall(agent: Agent, units: number, bar: Bar): number | null {
  const reaches = (fall: number): boolean =>
    powerOf(agent.simulate(fall), agent.units, units, bar) >= POWER;
  const { most, step } = agent;
  if (step === 0) return null;
  let [low, high] = [0, most ?? bar.limit + step];
  if (most === null) for (let i = 0; i < 40 && !reaches(high); i++) high *= 2;
  if (!reaches(high)) return null;
  while (high - low > CLOSE * high) {
    const middle = (low + high) / 2;
    if (reaches(middle)) high = middle;
    else low = middle;
  }
  return high;
}

/** Whether as many units as are drawn find a fall in 8 of 10 runs. */
export function isFound(agent: Agent, fall: number, bar: Bar): boolean {
  return powerOf(agent.simulate(fall), agent.units, agent.units, bar) >= POWER;
}

/** How many units it takes to find a fall in 8 of 10 runs; null where `most` do not. */
export function fewestUnits(agent: Agent, fall: number, bar: Bar, most: number): number | null {
  const simulated = agent.simulate(fall);
  const isEnough = (units: number): boolean => powerOf(simulated, agent.units, units, bar) >= POWER;
  if (!isEnough(most)) return null;
  let [low, high] = [0, most];
  while (high - low > Math.max(1, high / 100)) {
    const middle = Math.floor((low + high) / 2);
    if (isEnough(middle)) high = middle;
    else low = middle;
  }
  return high;
}
