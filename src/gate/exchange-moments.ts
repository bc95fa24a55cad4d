import type { Pools } from "./pool.ts";

/** Variance of the exchanged sum: what the labels alone can make of these values. */
export function exchangeVariance({ count, values, start, head }: Pools): number {
  let sum = 0;
  for (let e = 0; e < count; e++) {
    const [from, to, own] = [start[e]!, start[e + 1]!, head[e]!];
    const others = to - from - own;
    if (own === 0 || others === 0) continue;
    const mean = meanBetween(values, from, to);
    let squares = 0;
    for (let at = from; at < to; at++) squares += (values[at]! - mean) ** 2;
    sum += (squares / (to - from - 1)) * (1 / own + 1 / others);
  }
  return sum;
}

/** How lopsided the summed difference is over exchanges of labels: none where both sides have as many runs. */
export function exchangeSkew(pools: Pools): number {
  const { count, values, start, head } = pools;
  let third = 0;
  for (let e = 0; e < count; e++) {
    const [from, to, own] = [start[e]!, start[e + 1]!, head[e]!];
    const all = to - from;
    const others = all - own;
    if (own === 0 || others === 0 || all < 3) continue;
    const mean = meanBetween(values, from, to);
    let cubes = 0;
    for (let at = from; at < to; at++) cubes += (values[at]! - mean) ** 3;
    const drawn = (own * others * (others - own)) / (all * (all - 1) * (all - 2));
    third += drawn * cubes * (1 / own + 1 / others) ** 3;
  }
  const variance = exchangeVariance(pools);
  return variance === 0 ? 0 : third / variance ** 1.5;
}

/** Mean of the values from one place to before another. */
export function meanBetween(values: Float64Array, from: number, to: number): number {
  let sum = 0;
  for (let at = from; at < to; at++) sum += values[at]!;
  return sum / (to - from);
}
