import type { PatternSource } from "./mapping.ts";
import { keeping } from "./pick.ts";

/**
 * Creates a function that names a column which matches one of the patterns, ignoring case: without
 * the pattern's `part.` before and `/part` after it. Null for other columns.
 */
export function createColumnNames({ columns }: PatternSource): (column: string) => string | null {
  const patterns = columns.map((pattern) => pattern.toLowerCase().split("*"));
  return keeping((column): string | null => {
    const lower = column.toLowerCase();
    for (const [before = "", after] of patterns) {
      if (after === undefined && lower === before) return column;
      const isLong = lower.length > before.length + (after ?? "").length;
      if (after === undefined || !isLong || !lower.startsWith(before) || !lower.endsWith(after))
        continue;
      const end = /^[./]/.test(after) ? column.length - after.length : column.length;
      return column.slice(/[./]$/.test(before) ? before.length : 0, end);
    }
    return null;
  });
}

/** The first two columns of a record with one name, and the name. */
export function clashIn(
  record: object,
  nameOf: (column: string) => string | null,
): string | undefined {
  const named = new Map<string, string>();
  for (const column of Object.keys(record)) {
    const name = nameOf(column);
    if (name === null) continue;
    const before = named.get(name);
    if (before !== undefined) return `${before} and ${column} are both ${name}`;
    named.set(name, column);
  }
  return undefined;
}
