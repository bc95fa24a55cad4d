/** Rows of a file mostly have the same names; results for more names, and for long ones, are not cached. */
const [MAX_KEPT, MAX_CHARS] = [1000, 200] as const;

/** The same function with a cache by name. */
export function keeping<Made>(make: (name: string) => Made): (name: string) => Made {
  const kept = new Map<string, Made>();
  return (name) => {
    const known = kept.get(name);
    if (known !== undefined || kept.has(name)) return known as Made;
    const made = make(name);
    if (kept.size < MAX_KEPT && name.length <= MAX_CHARS) kept.set(name, made);
    return made;
  };
}

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
