import { cut, toVisible } from "./escape.ts";
import { isDrop, isLowerBetter, readRule, scoreName } from "./gate-numbers.ts";
import { VERDICT_ICONS } from "./gate-words.ts";
import { limitAmount, number, outwardAmounts } from "./numbers.ts";
import type { GateReport } from "./report.ts";

const CELLS = 25;
const MAX_NAME = 13;
const MAX_ROWS = 8;

/**
 * Draws every change from the baseline on one axis, with worse always on the left: `●` this run,
 * `━` its 95 % interval, `┊` what the gate allows, `│` no change. Lines fit a phone. Empty if
 * there is nothing to draw.
 */
export function renderChangePlot(gates: readonly GateReport[]): readonly string[] {
  const rows = gates.flatMap(toRow).slice(0, MAX_ROWS);
  const ends = rows.flatMap(({ low, high, allowed }) => [low, high, allowed, 0]);
  const [least, most] = [Math.min(...ends), Math.max(...ends)];
  if (!(most > least)) return [];
  const cellOf = (value: number): number =>
    Math.round(((value - least) / (most - least)) * (CELLS - 1));
  const names = rows.map(({ gate }) => toVisible(scoreName(gate)));
  const width = Math.min(MAX_NAME, Math.max(...names.map((name) => name.length)));
  const shown = new Map(rows.flatMap(wordsOf));
  const right = most > 0 ? `+${shown.get(most)!}` : "";
  const left = least < 0 ? shown.get(least)! : "";
  const margin = " ".repeat(width);
  return [
    `${margin} ${"worse ◀".padEnd(CELLS - 8)}▶ better`,
    `${margin} ${drawScale(left, right, cellOf(0))}`,
    ...rows.map(
      (row, at) =>
        `${cut(names[at]!, width).padEnd(width)} ${drawRow(row, cellOf)} ${VERDICT_ICONS[row.gate.verdict]}`,
    ),
  ];
}

/** The 0 of the axis at its place, then its ends as far as they do not overlap. */
function drawScale(left: string, right: string, zero: number): string {
  const cells = " ".repeat(CELLS).split("");
  const write = (text: string, at: number): void => {
    const from = Math.max(0, Math.min(CELLS - text.length, at));
    const around = cells.slice(Math.max(0, from - 1), from + text.length + 1);
    if (around.every((cell) => cell === " ")) cells.splice(from, text.length, ...text);
  };
  write("0", zero);
  write(left, 0);
  write(right, CELLS);
  return cells.join("").trimEnd();
}

function drawRow(
  { low, high, value, allowed }: PlotRow,
  cellOf: (value: number) => number,
): string {
  const [from, to] = [cellOf(low), cellOf(high)];
  const cells = Array.from({ length: CELLS }, (_, at): string =>
    at >= from && at <= to ? "━" : "·",
  );
  cells[cellOf(0)] = "│";
  if (allowed < 0) cells[cellOf(allowed)] = "┊";
  cells[cellOf(value)] = "●";
  return cells.join("");
}

/**
 * A drop gate, turned so that worse is negative: so is the change that it allows, unless that is 0.
 * Only scores from 0 to 1: seconds and tokens would need other axes.
 */
function toRow(gate: GateReport) {
  const { ci, delta, limit } = gate;
  if (!isDrop(gate) || ci === null || delta === null) return [];
  if (Math.max(...[...ci, delta].map(Math.abs)) > 1) return [];
  const allowed = -(limit ?? 0);
  return isLowerBetter(gate)
    ? [{ gate, low: -ci[1], high: -ci[0], value: -delta, allowed }]
    : [{ gate, low: ci[0], high: ci[1], value: delta, allowed }];
}

type PlotRow = ReturnType<typeof toRow>[number];

/** The ends of a row as the table shows them. */
function wordsOf({ gate, low, high, allowed }: PlotRow): readonly (readonly [number, string])[] {
  const [lowWords, highWords] = outwardAmounts("", [low, high], allowed, 0);
  const isRelative = readRule(gate).limit.endsWith("%");
  return [
    [allowed, isRelative ? number(allowed) : limitAmount("", allowed)],
    [low, lowWords],
    [high, highWords],
  ];
}
