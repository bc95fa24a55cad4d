/**
 * The values of examples whose labels (this run, baseline) an unchanged agent could have had the other way round. All
 * of them lie in one array: most of a large gate's time went into making and collecting one for each.
 */
export interface Pools {
  readonly count: number;
  /** The values of example i are those from `start[i]` to before `start[i + 1]`; those of this run come first. */
  readonly values: Float64Array;
  readonly start: Int32Array;
  /** How many of them are of this run; the mean difference counts examples alike, whatever their repeats. */
  readonly head: Int32Array;
}

/** One example's values, as a view. */
export interface Pool {
  readonly values: Float64Array;
  readonly head: number;
}

/** One view for each example, for work on few of them. */
export function listPools({ count, values, start, head }: Pools): Pool[] {
  return Array.from({ length: count }, (_, i) => ({
    values: values.subarray(start[i]!, start[i + 1]!),
    head: head[i]!,
  }));
}

/** Whether the values of an example differ at all. */
export function isVaried({ values, start }: Pools, example: number): boolean {
  const first = values[start[example]!];
  for (let at = start[example]! + 1; at < start[example + 1]!; at++)
    if (values[at] !== first) return true;
  return false;
}

/** Whether exchanging an example's labels can change anything. */
function isOpen(pools: Pools, example: number): boolean {
  const head = pools.head[example]!;
  const size = pools.start[example + 1]! - pools.start[example]!;
  return head > 0 && head < size && isVaried(pools, example);
}

/** The examples whose labels matter, without the others. */
export function keepOpen(pools: Pools): Pools {
  const values = new Float64Array(pools.values.length);
  const start = new Int32Array(pools.count + 1);
  const head = new Int32Array(pools.count);
  let count = 0;
  for (let i = 0; i < pools.count; i++) {
    if (!isOpen(pools, i)) continue;
    let to = start[count]!;
    for (let at = pools.start[i]!; at < pools.start[i + 1]!; at++) values[to++] = pools.values[at]!;
    head[count] = pools.head[i]!;
    start[++count] = to;
  }
  return { count, values, start, head };
}
