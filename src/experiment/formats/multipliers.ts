import type { Column } from "./mapping-draft-columns.ts";

/** More values are data rather than arms of a comparison. */
const MAX_ARMS = 30;
const MAX_TEXT = 80;

const textOf = (cell: unknown): string =>
  typeof cell === "object" ? JSON.stringify(cell) : String(cell ?? "");

/** Whether several examples have each of at least half of a column's values, like the arms of a comparison. */
function isShared({ cells }: Column, names: readonly string[]): boolean {
  const examples = new Map<string, Set<string>>();
  for (const [n, cell] of cells.entries()) {
    const text = textOf(cell);
    examples.set(text, (examples.get(text) ?? new Set()).add(names[n]!));
  }
  const shared = [...examples.values()].filter(({ size }) => size > 1).length;
  return 2 * shared >= examples.size;
}

function isArm({ cells }: Column): boolean {
  const texts = new Set(cells.map(textOf));
  return (
    texts.size > 1 && texts.size <= MAX_ARMS && [...texts].every((text) => text.length <= MAX_TEXT)
  );
}

/**
 * Columns with few values that multiply the rows: the same example appears once for each value, and
 * would otherwise pass for repeats. `identity` has the cells by which examples differ. Returns up
 * to four columns: the most preferred first and, of equally preferred ones, the most
 * distinguishing.
 */
export function multipliersOf(
  identity: readonly (readonly unknown[])[],
  columns: readonly Column[],
  preference: (column: Column) => number,
): readonly Column[] {
  if (identity.length === 0) return [];
  let names = identity[0]!.map((_, n) => identity.map((cells) => textOf(cells[n])).join("\u0000"));
  const found: Column[] = [];
  const left = columns.filter((one) => isArm(one) && (preference(one) > 0 || isShared(one, names)));
  while (found.length < 4) {
    const before = new Set(names).size;
    const ranked = left
      .map((one) => {
        const joined = names.map((name, n) => `${name}\u0000${textOf(one.cells[n])}`);
        return { one, joined, size: new Set(joined).size };
      })
      .sort((a, b) => preference(b.one) - preference(a.one) || b.size - a.size);
    const best = ranked.find(({ size }) => size > before);
    if (best === undefined) break;
    found.push(best.one);
    left.splice(left.indexOf(best.one), 1);
    names = best.joined;
  }
  return found;
}
