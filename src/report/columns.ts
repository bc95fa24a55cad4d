/**
 * Rows of text as aligned columns under a head, for a terminal; the last column is not padded.
 * Empty where there are no rows.
 */
export function renderColumns(
  head: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  if (rows.length === 0) return "";
  const lines = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...lines.map((row) => row[column]!.length)));
  return lines
    .map((row) =>
      row
        .map((cell, column) => (column === row.length - 1 ? cell : cell.padEnd(widths[column]!)))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

/** A UUID as people quote it: its first eight characters. */
export const shortId = (id: string | null): string => (id === null ? "–" : id.slice(0, 8));
