import { normalCdf, normalQuantile } from "./distribution.ts";
import { meanOf, quantile } from "./interval.ts";
import { type Frame, poolsOf } from "./pairs.ts";
import { listPools, type Pool } from "./pool.ts";
import { type Sized, windowOfPools } from "./quantile-window.ts";
import { createSeededRandom } from "./random.ts";

/** Pairs that a power is worked out from; more would cost time and change nothing. */
const MOST_PAIRS = 500;
const SEED = 20261122;

/** One example as it may fall out: the values of this run, and those of the other. */
interface Drawn {
  readonly head: Float64Array;
  readonly base: Float64Array;
}

/**
 * The power of the test of a quantile when every run of the head is worse by one amount: the values seen, without the
 * shift seen, with labels as they may fall out.
 */
export function powerOfQuantile(
  frame: Frame,
  q: number,
): (fall: number, limit: number, level: number) => number {
  let drawn: Drawn[] | undefined;
  const n = frame.pairs.head.length;
  return (fall, limit, level) => {
    drawn ??= drawTwice(listPools(poolsOf({ ...frame, sign: 1 })));
    const shifted = drawn.map(({ head, base }) => ({
      base,
      head: head.map((value) => value - frame.sign * fall),
    }));
    const pools = shifted.map(toSized);
    const [low, high] = windowOfPools(pools, q);
    const clip = (value: number): number => Math.min(high, Math.max(low, value));
    const changes = shifted.map(
      ({ head, base }) => frame.sign * (meanOf(head.map(clip)) - meanOf(base.map(clip))),
    );
    const mean = meanOf(changes);
    const spread = meanOf(changes.map((change) => (change - mean) ** 2));
    const exchanged = meanOf(pools.map(({ values, sizes }) => varianceOf(values.map(clip), sizes)));
    const shown = -mean * Math.sqrt(n);
    // What the fall is beyond the limit by counts in the same unit as what it shows.
    const allowed = fall > 0 ? (shown * limit) / fall : Infinity;
    const needed = Math.max(allowed, normalQuantile(1 - level) * Math.sqrt(exchanged));
    if (spread === 0) return Number(shown > needed);
    return normalCdf((shown - needed) / Math.sqrt(spread));
  };
}

/** Every example with its labels drawn, and once more with those of the other end. */
function drawTwice(pools: readonly Pool[]): Drawn[] {
  const step = Math.max(1, pools.length / MOST_PAIRS);
  const random = createSeededRandom(SEED);
  const kept: Pool[] = [];
  for (let at = 0; at < pools.length; at += step) kept.push(pools[Math.floor(at)]!);
  const shifts = kept.map(
    ({ values, head }) => meanOf(values.subarray(0, head)) - meanOf(values.subarray(head)),
  );
  const shift = quantile(Float64Array.from(shifts).sort(), 0.5);
  return kept.flatMap(({ values, head }) => {
    const alike = values.map((value, i) => (i < head ? value - shift : value));
    for (let i = alike.length - 1; i > 0; i--) {
      const other = Math.floor(random() * (i + 1));
      [alike[i], alike[other]] = [alike[other]!, alike[i]!];
    }
    const rest = alike.length - head;
    return [
      { head: alike.slice(0, head), base: alike.slice(head) },
      { head: alike.slice(rest), base: alike.slice(0, rest) },
    ];
  });
}

function toSized({ head, base }: Drawn): Sized {
  const values = new Float64Array(head.length + base.length);
  values.set(head);
  values.set(base, head.length);
  return { values: values.sort(), sizes: [head.length, base.length] };
}

/** Variance of the difference of two means when labels are exchanged. */
function varianceOf(values: Float64Array, [head, base]: Sized["sizes"]): number {
  const mean = meanOf(values);
  let squares = 0;
  for (const value of values) squares += (value - mean) ** 2;
  return (squares / (values.length - 1)) * (1 / head + 1 / base);
}
