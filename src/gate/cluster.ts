/** A mean whose values share their chance within clusters. */
export interface ClusterEstimate {
  readonly mean: number;
  readonly se: number;
  readonly df: number;
  readonly clusters: number;
}

/** What each cluster adds to a sum, in the order in which clusters are met. */
export function clusterSums(values: ArrayLike<number>, clusterOf: ArrayLike<number>): Float64Array {
  const sums = new Map<number, number>();
  for (let i = 0; i < values.length; i++)
    sums.set(clusterOf[i]!, (sums.get(clusterOf[i]!) ?? 0) + values[i]!);
  return Float64Array.from(sums.values());
}

/** The error of the mean from the clusters' sums, with one cluster more each way, as far off as the farthest seen. */
export function estimateClusters(
  values: Float64Array,
  clusterOf: ArrayLike<number>,
): ClusterEstimate {
  const n = values.length;
  const mean = values.reduce((sum, value) => sum + value / n, 0);
  const sums = clusterSums(
    values.map((value) => value - mean),
    clusterOf,
  );
  const clusters = sums.length;
  let [most, squares] = [0, 0];
  for (const sum of sums) {
    most = Math.max(most, Math.abs(sum));
    squares += sum * sum;
  }
  if (clusters < 2 || most < 1e-12) return { mean, se: 0, df: 0, clusters };
  const se = Math.sqrt(((squares + 2 * most * most) / (clusters + 1)) * clusters) / n;
  return { mean, se, df: clusters + 1, clusters };
}
