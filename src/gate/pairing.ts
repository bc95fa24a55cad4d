import { type ExchangeColumn, readPair } from "./exchange.ts";
import { differenceOf } from "./gate-rule.ts";
import { type MetricColumn, quantileOf } from "./metric.ts";
import type { GateTable } from "./row.ts";
import type { Shared } from "./side.ts";

/** The examples that two runs scored for a metric. */
export interface Pairing {
  readonly pairs: Shared;
  /** Rows left out, and examples that the reference scored and the head did not. */
  readonly dropped: number;
  readonly lost: number;
  /** Whether every example has one value on each side. */
  readonly single: boolean;
}

/** Pairs the examples that both sides scored. */
export function pairUp(
  { left, right }: { readonly left: MetricColumn; readonly right: MetricColumn },
  shared: Shared,
  [head, base]: readonly [GateTable, GateTable],
): Pairing {
  const all = shared.head.length;
  let [n, dropped, lost, single] = [0, 0, 0, true];
  for (let i = 0; i < all; i++) {
    const h = shared.head[i]!;
    const b = shared.base[i]!;
    const mine = left.scored[h]!;
    const others = right.scored[b]!;
    const rows = head.start[h + 1]! - head.start[h]!;
    dropped += Math.max(rows - mine, base.start[b + 1]! - base.start[b]! - others);
    if (mine === 0 && others > 0) lost++;
    if (mine === 0 || others === 0) continue;
    if (mine !== 1 || others !== 1) single = false;
    n++;
  }
  // Most columns lack nothing: they have their pairs in common.
  if (n === all) return { pairs: shared, dropped, lost, single };
  const isPaired = (_: number, i: number): boolean =>
    left.scored[shared.head[i]!]! > 0 && right.scored[shared.base[i]!]! > 0;
  const pairs = { head: shared.head.filter(isPaired), base: shared.base.filter(isPaired) };
  return { pairs, dropped, lost, single };
}

/** Differences of example means, without rounding errors; negative is worse. */
export function differencesOf(
  { head, base }: Shared,
  left: MetricColumn,
  right: MetricColumn,
  sign: 1 | -1,
): Float64Array {
  const values = new Float64Array(head.length);
  for (let i = 0; i < values.length; i++) {
    const difference = differenceOf(left.mean[head[i]!]!, right.mean[base[i]!]!);
    values[i] = difference === 0 ? 0 : sign * difference;
  }
  return values;
}

/** The values of pairs in sequence, this run's first; rows without a value are left out. */
export interface Layout {
  readonly values: Float64Array;
  /** Where each pair's values begin; one more entry for their end. */
  readonly start: Int32Array;
  /** How many of a pair's values are this run's. */
  readonly head: Int32Array;
}

/** Lays out the values of some pairs of a column. */
export function layOut(
  column: Pick<ExchangeColumn, "pairs" | "head" | "base">,
  pairs: ArrayLike<number>,
): Layout {
  const found = Array.from(pairs, (pair) => readPair(column, pair));
  const start = new Int32Array(found.length + 1);
  for (const [at, { head, base }] of found.entries()) start[at + 1] = start[at]! + head + base;
  const values = new Float64Array(start.at(-1)!);
  let to = 0;
  for (const { of } of found)
    for (const value of of) if (!Number.isNaN(value)) values[to++] = value;
  return { values, start, head: Int32Array.from(found, ({ head }) => head) };
}

/** Both runs at a quantile. */
interface QuantileSides {
  /** All values of this run and of the reference, ascending. */
  readonly own: readonly [Float64Array, Float64Array];
  /**
   * What either run's quantile may be, from that of the lowest values of each pair to that of the
   * highest. Exchanging labels does not move it, so means of values clipped to it can be compared
   * like any others.
   */
  readonly window: readonly [number, number];
}

/** Reads the values of both sides, and the window of their quantile. */
export function readSides({ values, start, head }: Layout, q: number): QuantileSides {
  const mine = head.reduce((sum, size) => sum + size, 0);
  const room = (): [Float64Array, Float64Array] => [
    new Float64Array(mine),
    new Float64Array(start[head.length]! - mine),
  ];
  const [own, lowest, highest] = [room(), room(), room()];
  const sorted = values.slice();
  const filled = [0, 0];
  for (let pair = 0; pair < head.length; pair++) {
    const [from, to] = [start[pair]!, start[pair + 1]!];
    sorted.subarray(from, to).sort();
    for (let side = 0, at = from; side < 2; side++) {
      const size = side === 0 ? head[pair]! : to - from - head[pair]!;
      for (let k = 0; k < size; k++) {
        const place = filled[side]!++;
        own[side]![place] = values[at++]!;
        lowest[side]![place] = sorted[from + k]!;
        highest[side]![place] = sorted[to - size + k]!;
      }
    }
  }
  const ends = (sides: readonly Float64Array[]): number[] =>
    sides.map((side) => quantileOf(side.sort(), q));
  for (const side of own) side.sort();
  return { own, window: [Math.min(...ends(lowest)), Math.max(...ends(highest))] };
}
