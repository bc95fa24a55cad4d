import { widthOf } from "../filled-lines.ts";
import { toVisible } from "./escape.ts";
import type { Style } from "./terminal-frame.ts";

const pad = (text: string, cells: number): string => text + " ".repeat(cells - widthOf(text));

/**
 * Renders rows as aligned columns under a head, a line each, with invisible characters spelled out;
 * the last column is not padded, and one that is empty in every row is left out. Empty if there are
 * no rows.
 */
export function renderColumns(
  head: readonly string[],
  rows: readonly (readonly string[])[],
): readonly string[] {
  if (rows.length === 0) return [];
  const isUsed = head.map((_, column) => rows.some((row) => row[column] !== ""));
  const lines = [head, ...rows].map((row) => row.filter((_, at) => isUsed[at]).map(toVisible));
  const widths = lines[0]!.map((_, column) =>
    Math.max(...lines.map((row) => widthOf(row[column]!))),
  );
  return lines.map((row) =>
    row
      .map((cell, column) => (column === row.length - 1 ? cell : pad(cell, widths[column]!)))
      .join("  ")
      .trimEnd(),
  );
}

/** A line to print, in a style or none. */
export interface Line {
  readonly text: string;
  readonly style?: Style | undefined;
}

/** A row of a table; what does not fit a column of 80 is below it, a line each. */
export interface TableRow extends Omit<Line, "text"> {
  readonly cells: readonly string[];
  readonly below?: readonly string[];
}

/** Renders rows as columns, each with its style; empty lines below them are left out. */
export function renderRows(head: readonly string[], rows: readonly TableRow[]): readonly Line[] {
  const cells = rows.map((row) => row.cells);
  return renderColumns(head, cells).flatMap((text, at): Line[] => {
    // The first line is the head.
    const { style, below = [] } = rows[at - 1] ?? {};
    const more = below.filter((line) => line !== "").map((line) => ({ text: `   ${line}` }));
    return [{ text, style }, ...more];
  });
}

/** The first eight characters of a UUID, as people quote it. */
export const shortId = (id: string | null): string => (id === null ? "–" : id.slice(0, 8));
