import { binomialUpperTail, normalCdf } from "./distribution.ts";
import type { Drawn, ExchangeColumn } from "./exchange.ts";

/** From so many changed examples on McNemar's z is as good as the binomial (contributing/gate-method.md). */
const ENOUGH_FOR_Z = 15;
/** Sums that are equal but for their last bits. */
export const TIE = 1e-9;

/** One-sided chance of a column's difference by itself. */
export function ownChance({ marks, differences }: ExchangeColumn, { z, draws }: Drawn): number {
  if (draws.length === 0) return 1;
  return marks ? mcnemar(...countSides(differences)) : shareBelow(draws, z, normalCdf(z));
}

function countSides(differences: Float64Array): [worse: number, better: number] {
  let [worse, better] = [0, 0];
  for (const value of differences) {
    if (value < 0) worse++;
    else if (value > 0) better++;
  }
  return [worse, better];
}

/** McNemar's test of changed marks: the binomial with half of the tie, z where there are enough. */
export function mcnemar(worse: number, better: number): number {
  const all = worse + better;
  if (all === 0) return 1;
  if (all >= ENOUGH_FOR_Z) return normalCdf((better - worse) / Math.sqrt(all));
  return (binomialUpperTail(worse, all, 0.5) + binomialUpperTail(worse + 1, all, 0.5)) / 2;
}

/** Share of the draws that are at least as low, ties half; `tail` where none is. */
export function shareBelow(draws: Float64Array, z: number, tail: number): number {
  let count = 0;
  for (let draw = 0; draw < draws.length; draw++) {
    if (draws[draw]! < z - TIE) count++;
    else if (draws[draw]! <= z + TIE) count += 0.5;
  }
  return count === 0 ? Math.min(0.5 / draws.length, tail) : count / draws.length;
}
