/**
 * Lowest and highest value of some columns, ignoring NaN; Infinity and -Infinity if there are no
 * numbers. Columns are iterated by index, here and elsewhere: `for … of` creates an object for
 * each number.
 */
export function extentOf(...columns: readonly Float64Array[]): readonly [number, number] {
  let low = Infinity;
  let high = -Infinity;
  for (const values of columns) {
    for (let i = 0; i < values.length; i++) {
      const value = values[i]!;
      if (value < low) low = value;
      if (value > high) high = value;
    }
  }
  return [low, high];
}

/** More values are sorted faster by the built-in sort. */
const FEW = 32;

/**
 * Sorts the values from `from` to before `to`, ascending. Examples have few repeats, for which a
 * call of `sort` costs more than the work.
 */
export function sortFew(values: Float64Array, from: number, to: number): void {
  if (to - from > FEW) {
    values.subarray(from, to).sort();
    return;
  }
  for (let i = from + 1; i < to; i++) {
    const value = values[i]!;
    let at = i;
    for (; at > from && values[at - 1]! > value; at--) values[at] = values[at - 1]!;
    values[at] = value;
  }
}
