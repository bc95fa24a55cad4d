import { type Column, gather, type Metric, readRepeats } from "./metric.ts";
import type { Pools } from "./pool.ts";
import type { Judging, ReferenceRun } from "./side.ts";

/** Differences below this are what averaging leaves in the last bits. */
export const SLACK = 1e-12;

/** Pairs of one metric, before they are tested. */
export interface Pairs {
  /** Positions in the head's and the reference's examples. */
  readonly head: Int32Array;
  readonly base: Int32Array;
  readonly dropped: number;
  readonly lost: number;
  /** Whether every example has one value on either side. */
  readonly single: boolean;
}

/** Pairs the examples that both sides scored. */
export function pairUp(left: Column, right: Column, { shared }: ReferenceRun): Pairs {
  const head = new Int32Array(shared.head.length);
  const base = new Int32Array(shared.head.length);
  let n = 0;
  let dropped = 0;
  let lost = 0;
  let single = true;
  for (let i = 0; i < shared.head.length; i++) {
    const h = shared.head[i]!;
    const b = shared.base[i]!;
    dropped += Math.max(left.missing[h]!, right.missing[b]!);
    if (left.scored[h]! === 0 && right.scored[b]! > 0) lost++;
    if (left.scored[h]! === 0 || right.scored[b]! === 0) continue;
    if (left.scored[h]! !== 1 || right.scored[b]! !== 1) single = false;
    head[n] = h;
    base[n++] = b;
  }
  // Where every shared example is a pair, all metrics share one list.
  return n === shared.head.length
    ? { ...shared, dropped, lost, single }
    : { head: head.slice(0, n), base: base.slice(0, n), dropped, lost, single };
}

/** One metric of two runs, paired: what every comparison starts from. */
export interface Frame {
  readonly judging: Judging;
  readonly reference: ReferenceRun;
  readonly metric: Metric;
  readonly left: Column;
  readonly right: Column;
  readonly pairs: Pairs;
  readonly sign: 1 | -1;
}

/** Differences of example means without the last bits that averaging left in them. */
export function differencesOf({ left, right, pairs, sign }: Frame): Float64Array {
  const values = new Float64Array(pairs.head.length);
  for (let i = 0; i < values.length; i++) {
    const difference = left.mean[pairs.head[i]!]! - right.mean[pairs.base[i]!]!;
    values[i] = Math.abs(difference) < SLACK ? 0 : sign * difference;
  }
  return values;
}

/** How many examples got worse, and how many better. */
export function countChanged(differences: Float64Array): { worse: number; better: number } {
  let [worse, better] = [0, 0];
  for (let i = 0; i < differences.length; i++) {
    const value = differences[i]!;
    if (value < 0) worse++;
    else if (value > 0) better++;
  }
  return { worse, better };
}

/** All values of each pair, the head's first, signed so that lower is worse. */
export function poolsOf({ judging, reference, left, right, pairs, sign }: Frame): Pools {
  const count = pairs.head.length;
  const start = new Int32Array(count + 1);
  const head = new Int32Array(count);
  for (let i = 0; i < count; i++) {
    head[i] = left.scored[pairs.head[i]!]!;
    start[i + 1] = start[i]! + head[i]! + right.scored[pairs.base[i]!]!;
  }
  const values = new Float64Array(start[count]!);
  for (let i = 0; i < count; i++) {
    const after = readRepeats(judging.head.index, left, pairs.head[i]!, values, start[i]!);
    readRepeats(reference.side.index, right, pairs.base[i]!, values, after);
  }
  if (sign === -1) for (let at = 0; at < values.length; at++) values[at]! *= -1;
  return { count, values, start, head };
}

/** The clusters of the pairs, where examples are clustered. */
export function clustersOfPairs({ judging, pairs }: Frame): Float64Array | null {
  const { clusterOf } = judging;
  return clusterOf === null ? null : gather(pairs.head, (h) => clusterOf[h]!);
}
