import { isDrop, isLowerBetter, limitNumber } from "./gate-rule.ts";
import { number, numbersApart, unitOf } from "./numbers.ts";
import type { GateReport } from "./report.ts";

/** The value of a gate's run, with enough digits to differ from its baseline, or else from its limit. */
export function headWords({ metric, rule, base, head }: GateReport): string {
  if (head === null) return number(head);
  const limit = isDrop(rule) ? null : limitNumber(rule);
  const shown =
    base === null && limit === null ? [number(head)] : numbersApart(head, base ?? limit);
  return shown[0]! + unitOf(metric);
}

/** `−0.05 [−0.12, 0.02]`: a difference with its 95 % interval. */
export function deltaWords(gate: GateReport): string {
  const interval = gate.ci === null ? "" : ` [${intervalEnds(gate, gate.ci).join(", ")}]`;
  const [delta] = numbersApart(gate.delta, ...marksOf(gate)) as [string];
  const plus = gate.delta !== null && gate.delta > 0 ? "+" : "";
  return plus + delta + interval + unitOf(gate.metric);
}

/** `−0.12 … +0.02`: the 95 % interval, of the value for a floor, of the change for a drop. */
export function intervalWords(gate: GateReport): string {
  if (gate.ci === null) return "–";
  const ends = intervalEnds(gate, gate.ci);
  const signed = ends.map((end, at) => (isDrop(gate.rule) && gate.ci![at]! > 0 ? `+${end}` : end));
  return signed.join(" … ") + unitOf(gate.metric);
}

/** What a reader holds an interval against: the limit and, for a change, none. */
function marksOf(gate: GateReport): readonly number[] {
  const limit = limitNumber(gate.rule);
  if (limit === null) return [0];
  if (!isDrop(gate.rule)) return [limit];
  return [isLowerBetter(gate) ? limit : -limit, 0];
}

const MOST_MORE_DECIMALS = 9;

/**
 * Two decimals where an interval stays apart from its neighbours in them. No end is rounded inward,
 * nor onto a mark that it does not reach.
 */
function intervalEnds(gate: GateReport, [low, high]: readonly [number, number]): string[] {
  const isWide = high - low >= 0.05 && Math.max(-low, high) < 10;
  const ends = [
    { end: low, round: Math.floor },
    { end: high, round: Math.ceil },
  ];
  return ends.map(({ end, round }) => {
    const fewest = isWide ? 2 : decimalsOf(end);
    for (let more = 0; more < MOST_MORE_DECIMALS; more++) {
      const grain = 10 ** (fewest + more);
      const shown = round(Number((end * grain).toFixed(6))) / grain;
      const keepsSides = marksOf(gate).every(
        (mark) => Math.sign(shown - mark) === Math.sign(end - mark),
      );
      if (keepsSides) return digits(shown);
    }
    return digits(end);
  });
}

/** Decimals of three significant digits, of four from one on. */
function decimalsOf(value: number): number {
  if (value === 0) return 0;
  const magnitude = Math.floor(Math.log10(Math.abs(value)));
  return Math.max(0, magnitude < 0 ? 2 - magnitude : 3 - magnitude);
}

const digits = (value: number): string => String(value + 0).replace("-", "−");
