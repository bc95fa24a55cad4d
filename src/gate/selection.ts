/** The value that would stand at a position if the values were sorted (Hoare's selection); moves them about. */
export function nthSmallest(values: Float64Array, position: number): number {
  let [low, high] = [0, values.length - 1];
  while (low < high) {
    const pivot = values[(low + high) >> 1]!;
    let [left, right] = [low, high];
    while (left <= right) {
      while (values[left]! < pivot) left++;
      while (values[right]! > pivot) right--;
      if (left > right) break;
      [values[left], values[right]] = [values[right]!, values[left]!];
      left++;
      right--;
    }
    if (position <= right) high = right;
    else if (position >= left) low = left;
    else break;
  }
  return values[position]!;
}
