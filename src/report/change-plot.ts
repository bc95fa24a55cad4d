import { cut, toVisible } from "./escape.ts";
import { isDrop, isLowerBetter, readRule, scoreName } from "./gate-numbers.ts";
import { VERDICT_ICONS } from "./gate-words.ts";
import { limitAmount, number, outwardAmounts } from "./numbers.ts";
import type { GateReport } from "./report.ts";

const CELLS = 25;
const MAX_NAME = 13;
const MAX_ROWS = 8;

interface PlotRow {
  readonly name: string;
  readonly low: number;
  readonly high: number;
  readonly value: number;
  readonly limit: number;
  readonly verdict: GateReport["verdict"];
  /** `low`, `high` and the change that the limit allows, as the table shows them. */
  readonly words: readonly (readonly [value: number, words: string])[];
}

/**
 * Draws every change from the baseline on one axis, with worse always on the left: `●` this run,
 * `━` its 95 % interval, `┊` what the gate allows, `│` no change. Lines fit a phone. Empty if
 * there is nothing to draw.
 */
export function renderChangePlot(gates: readonly GateReport[]): readonly string[] {
  const rows = gates.flatMap(toRow).slice(0, MAX_ROWS);
  if (rows.length === 0) return [];
  const ends = rows.flatMap((row) => [row.low, row.high, -row.limit, 0]);
  const [least, most] = [Math.min(...ends), Math.max(...ends)];
  if (!(most > least)) return [];
  const cellOf = (value: number): number =>
    Math.round(((value - least) / (most - least)) * (CELLS - 1));
  const width = Math.min(MAX_NAME, Math.max(...rows.map((row) => row.name.length)));
  const head = `${" ".repeat(width)} ${"worse ◀".padEnd(CELLS - 8)}▶ better`;
  const shown = new Map(rows.flatMap(({ words }) => words));
  const scale = `${" ".repeat(width)} ${drawScale([least, most], shown, cellOf)}`;
  return [head, scale, ...rows.map((row) => drawRow(row, width, cellOf))];
}

/** The ends of the axis and its 0, at their places as far as they do not overlap. */
function drawScale(
  [least, most]: readonly [number, number],
  shown: ReadonlyMap<number, string>,
  cellOf: (value: number) => number,
): string {
  const cells = " ".repeat(CELLS).split("");
  const write = (text: string, at: number): void => {
    const from = Math.max(0, Math.min(CELLS - text.length, at));
    const isFree = cells
      .slice(Math.max(0, from - 1), from + text.length + 1)
      .every((c) => c === " ");
    if (isFree) cells.splice(from, text.length, ...text);
  };
  write("0", cellOf(0));
  if (least < 0) write(shown.get(least)!, 0);
  if (most > 0) write(`+${shown.get(most)!}`, CELLS);
  return cells.join("").trimEnd();
}

function drawRow(row: PlotRow, width: number, cellOf: (value: number) => number): string {
  const [from, to] = [cellOf(row.low), cellOf(row.high)];
  const cells = Array.from({ length: CELLS }, (_, at): string =>
    at >= from && at <= to ? "━" : "·",
  );
  cells[cellOf(0)] = "│";
  if (row.limit > 0) cells[cellOf(-row.limit)] = "┊";
  cells[cellOf(row.value)] = "●";
  return `${cut(row.name, width).padEnd(width)} ${cells.join("")} ${VERDICT_ICONS[row.verdict]}`;
}

/** Only scores from 0 to 1: seconds and tokens would need other axes. */
function toRow(gate: GateReport): PlotRow[] {
  const { ci, delta, limit, verdict } = gate;
  if (!isDrop(gate) || ci === null || delta === null) return [];
  if (Math.max(...[...ci, delta].map(Math.abs)) > 1) return [];
  const sign = isLowerBetter(gate) ? -1 : 1;
  const [low, high] = isLowerBetter(gate) ? [-ci[1], -ci[0]] : ci;
  const allowed = -(limit ?? 0);
  const ends = outwardAmounts("", [low, high], allowed, 0);
  return [
    {
      name: toVisible(scoreName(gate)),
      low,
      high,
      value: sign * delta,
      limit: limit ?? 0,
      verdict,
      words: [
        [allowed, readRule(gate).limit.endsWith("%") ? number(allowed) : limitAmount("", allowed)],
        [low, ends[0]],
        [high, ends[1]],
      ],
    },
  ];
}
