/**
 * Works on items with at most `limit` at once; results keep the items' order. Once `isStop` says so
 * of a result, what has begun is waited for and the rest gets `skip`.
 */
export async function runPool<T, R>(
  items: readonly T[],
  limit: number,
  work: (item: T) => Promise<R>,
  rest?: {
    readonly isStop: (result: R) => boolean;
    readonly skip: (item: T) => R;
  },
): Promise<R[]> {
  const results = new Array<R>(items.length);
  let next = 0;
  let stopped = false;
  const worker = async (): Promise<void> => {
    for (let index = next++; index < items.length; index = next++) {
      const item = items[index] as T;
      results[index] = stopped && rest !== undefined ? rest.skip(item) : await work(item);
      if (rest?.isStop(results[index] as R) === true) stopped = true;
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, Math.min(limit, items.length)) }, worker));
  return results;
}
