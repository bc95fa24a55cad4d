import { keeping } from "../input/keeping.ts";

/**
 * Creates a function that names a column which matches one of the patterns, ignoring case: without
 * the pattern's `part.` before and `/part` after it. Null for other columns.
 */
export function createColumnNames(given: readonly string[]): (column: string) => string | null {
  const patterns = given.map((pattern) => pattern.toLowerCase().split("*"));
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
