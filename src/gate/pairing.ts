import { type MetricColumn, quantileOf, readRepeats, type TableIndex } from "./metric.ts";
import type { ReferenceRun, Side } from "./side.ts";
import type { Pairing } from "./exchange.ts";
import { SLACK } from "./gate-rule.ts";

/** Pairs the examples that both sides scored. */
export function pairUp(
  { left, right }: { readonly left: MetricColumn; readonly right: MetricColumn },
  head: Side,
  { shared, side }: ReferenceRun,
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
      of === "head" ? rows(head.index, pairsHead[pair]!) : rows(side.index, pairsBase[pair]!),
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
    const difference = left.mean[pairing.head[i]!]! - right.mean[pairing.base[i]!]!;
    values[i] = Math.abs(difference) < SLACK ? 0 : sign * difference;
  }
  return values;
}

/**
 * The window that either run's quantile may be in, from that of the lowest values of each pair to
 * that of the highest. Exchanging labels does not move it, so means of values clipped to it can be
 * compared like any others.
 */
export function quantileWindow(
  pairing: Pairing,
  q: number,
  {
    head,
    base,
    left,
    right,
  }: {
    readonly head: TableIndex;
    readonly base: TableIndex;
    readonly left: MetricColumn;
    readonly right: MetricColumn;
  },
): readonly [number, number] {
  const lowest: [number[], number[]] = [[], []];
  const highest: [number[], number[]] = [[], []];
  const room = new Float64Array(head.repeats + base.repeats);
  for (let i = 0; i < pairing.head.length; i++) {
    const own = readRepeats(head, left, pairing.head[i]!, room, 0);
    const all = readRepeats(base, right, pairing.base[i]!, room, own);
    const sorted = room.slice(0, all).sort();
    for (const [side, size] of [own, all - own].entries())
      for (let k = 0; k < size; k++) {
        lowest[side]!.push(sorted[k]!);
        highest[side]!.push(sorted[all - size + k]!);
      }
  }
  const ends = (lists: readonly number[][]): number[] =>
    lists.map((values) => quantileOf(Float64Array.from(values).sort(), q));
  return [Math.min(...ends(lowest)), Math.max(...ends(highest))];
}
