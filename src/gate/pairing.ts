import { type ExchangeColumn, type Pairing, readPair } from "./exchange.ts";
import { differenceOf } from "./gate-rule.ts";
import { type MetricColumn, quantileOf, type TableIndex } from "./metric.ts";
import type { GateTable } from "./row.ts";
import { sortFew } from "./selection.ts";
import { createSide, type Shared, shareExamples, type Side } from "./side.ts";

/** A run that the head is compared with: the baseline or its anchor. */
export interface ReferenceRun extends Side {
  readonly shared: Shared;
  /** The pairing of columns that lack no value, which is the same for all of them: made once. */
  readonly pairAll: () => Pairing;
}

/** Groups a reference and finds the examples that it shares with the head. */
export function createReference(head: Side, table: GateTable): ReferenceRun {
  const side = createSide(table);
  return shareWith(head, side, shareExamples(head.index, side.index));
}

/** A reference whose shared examples are given. */
export function shareWith(head: Side, { index, column }: Side, shared: Shared): ReferenceRun {
  let all: Pairing | null = null;
  const side = { index, column, shared };
  const whole = { left: scoredOf(head), right: scoredOf(side) };
  return { ...side, pairAll: () => (all ??= pairScored(whole, head, side)) };
}

/** Which rows of an example have a value. */
type Scored = Pick<MetricColumn, "scored" | "missing">;

/** Of a column that lacks no value. */
const scoredOf = ({ index: { rows, none } }: Side): Scored => ({ scored: rows, missing: none });

/** Pairs the examples that both sides scored. */
export function pairUp(
  columns: { readonly left: MetricColumn; readonly right: MetricColumn },
  head: Side,
  reference: ReferenceRun,
): Pairing {
  return columns.left.whole && columns.right.whole
    ? reference.pairAll()
    : pairScored(columns, head, reference);
}

function pairScored(
  { left, right }: { readonly left: Scored; readonly right: Scored },
  head: Side,
  { shared, index }: Pick<ReferenceRun, "shared" | "index">,
): Pairing {
  const [inHead, inBase] = [new Int32Array(shared.head.length), new Int32Array(shared.head.length)];
  let [n, dropped, lost, single] = [0, 0, 0, true];
  for (let i = 0; i < shared.head.length; i++) {
    const h = shared.head[i]!;
    const b = shared.base[i]!;
    dropped += Math.max(left.missing[h]!, right.missing[b]!);
    if (left.scored[h]! === 0 && right.scored[b]! > 0) lost++;
    if (left.scored[h]! === 0 || right.scored[b]! === 0) continue;
    if (left.scored[h]! !== 1 || right.scored[b]! !== 1) single = false;
    inHead[n] = h;
    inBase[n++] = b;
  }
  const [pairsHead, pairsBase] = [inHead.subarray(0, n), inBase.subarray(0, n)];
  const rows = ({ order, start }: TableIndex, example: number): Int32Array =>
    order.subarray(start[example]!, start[example + 1]!);
  return {
    head: pairsHead,
    base: pairsBase,
    rowsOf: (of, pair) =>
      of === "head" ? rows(head.index, pairsHead[pair]!) : rows(index, pairsBase[pair]!),
    dropped,
    lost,
    single,
  };
}

/** Differences of example means, without rounding errors; negative is worse. */
export function differencesOf(
  pairing: Pairing,
  left: MetricColumn,
  right: MetricColumn,
  sign: 1 | -1,
): Float64Array {
  const values = new Float64Array(pairing.head.length);
  for (let i = 0; i < values.length; i++) {
    const difference = differenceOf(left.mean[pairing.head[i]!]!, right.mean[pairing.base[i]!]!);
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
  column: Pick<ExchangeColumn, "pairing" | "rows" | "differences">,
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
    sortFew(sorted, from, to);
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
