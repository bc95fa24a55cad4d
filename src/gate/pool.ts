/**
 * The values of one example whose labels (this run, baseline) an unchanged agent could have had the
 * other way round.
 */
export interface Pool {
  readonly values: Float64Array;
  /** How many of them are of this run; the mean difference counts examples alike, whatever their repeats. */
  readonly head: number;
}

/** Whether the values of an example differ at all. */
export function isVaried({ values }: Pool): boolean {
  for (let i = 1; i < values.length; i++) if (values[i] !== values[0]) return true;
  return false;
}

/** Whether exchanging labels can change anything. */
export function isOpen(pool: Pool): boolean {
  return pool.head > 0 && pool.head < pool.values.length && isVaried(pool);
}
