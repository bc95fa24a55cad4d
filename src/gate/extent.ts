/**
 * Lowest and highest of some columns, NaN left out; Infinity and -Infinity where no number is.
 * Columns are gone through by index, here and elsewhere: `for … of` makes an object of each number.
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
