import { binomialUpperTail, normalCdf } from "./distribution.ts";

/**
 * From this many changed examples on, McNemar's z. Where their number varies from run to run (binomial, 20 to 1,000
 * examples), an unchanged agent is found worse at 5 % in 5.2 % of runs at most (__tests__/gate/engine.test.ts).
 */
const ENOUGH_FOR_Z = 15;
/** Sums that differ by less are equal, except for rounding. */
export const TIE = 1e-9;

/** 32 bits from a seed and their place in the sequence (mulberry32), the same on every machine. */
function bitsAt(seed: number, place: number): number {
  const state = (seed + Math.imul(place + 1, 0x6d2b79f5)) | 0;
  let mixed = Math.imul(state ^ (state >>> 15), state | 1);
  mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
  return mixed ^ (mixed >>> 14);
}

/** A uniform number in [0, 1) from a seed and its place in the sequence. */
export function randomAt(seed: number, place: number): number {
  return (bitsAt(seed, place) >>> 0) / 4294967296;
}

/** 1 if that number is at least one half, else 0. */
export function coinAt(seed: number, place: number): number {
  return bitsAt(seed, place) >>> 31;
}

/** Yields the numbers of a seed one after another, from a place in its sequence on. */
export function createSeededRandom(seed: number, from = 0): () => number {
  let place = from;
  return () => randomAt(seed, place++);
}

/** McNemar's test of changed marks: the mid-p binomial, or z if there are enough. */
export function mcnemar(worse: number, better: number): number {
  const all = worse + better;
  if (all === 0) return 1;
  if (all >= ENOUGH_FOR_Z) return normalCdf((better - worse) / Math.sqrt(all));
  return (binomialUpperTail(worse, all, 0.5) + binomialUpperTail(worse + 1, all, 0.5)) / 2;
}

/**
 * Share of the draws that are lower than `z`, counting ties half; if there are none, `tail` or half
 * a draw, whichever is smaller.
 */
export function shareBelow(draws: Float64Array, z: number, tail: number): number {
  let count = 0;
  for (let draw = 0; draw < draws.length; draw++) {
    if (draws[draw]! < z - TIE) count++;
    else if (draws[draw]! <= z + TIE) count += 0.5;
  }
  return count === 0 ? Math.min(0.5 / draws.length, tail) : count / draws.length;
}
