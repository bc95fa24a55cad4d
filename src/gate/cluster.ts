import { studentCdf } from "./distribution.ts";

/** A mean whose values share their chance within clusters: CR2 error with Satterthwaite's degrees of freedom. */
export interface ClusterEstimate {
  readonly mean: number;
  readonly se: number;
  readonly df: number;
  readonly clusters: number;
  /** Share of the values that the largest cluster holds. */
  readonly largest: number;
}

/** Bell and McCaffrey's CR2 for a mean, with the degrees of freedom of Pustejovsky and Tipton. */
export function estimateClusters(
  values: ArrayLike<number>,
  clusterOf: ArrayLike<number>,
): ClusterEstimate {
  const n = values.length;
  let mean = 0;
  for (let i = 0; i < n; i++) mean += values[i]! / n;
  const found = new Map<number, { size: number; sum: number }>();
  for (let i = 0; i < n; i++) {
    const key = clusterOf[i]!;
    const cluster = found.get(key) ?? { size: 0, sum: 0 };
    cluster.size++;
    cluster.sum += values[i]! - mean;
    found.set(key, cluster);
  }
  const clusters = [...found.values()];
  const largest = Math.max(...clusters.map(({ size }) => size)) / n;
  if (clusters.length < 2) return { mean, se: 0, df: 0, clusters: clusters.length, largest };
  let variance = 0;
  for (const { size, sum } of clusters) variance += (sum * sum) / (1 - size / n) / (n * n);
  const sizes = clusters.map(({ size }) => size);
  const df = Math.min(
    degreesOfFreedom(sizes, sizes),
    degreesOfFreedom(
      sizes,
      sizes.map((size) => size * size),
    ),
  );
  return { mean, se: Math.sqrt(variance), df, clusters: clusters.length, largest };
}

/**
 * Satterthwaite's degrees of freedom of the CR2 variance: the trace of its form squared over the trace of the form's
 * square. `variances` are those of the clusters' sums: their sizes where rows err independently, the squares of the
 * sizes where clusters err as a whole. The smaller of both is safe either way.
 */
function degreesOfFreedom(sizes: readonly number[], variances: readonly number[]): number {
  const n = sizes.reduce((sum, size) => sum + size, 0);
  const total = variances.reduce((sum, variance) => sum + variance, 0);
  let [trace, squares, shares, mixed, own] = [0, 0, 0, 0, 0];
  let spread = 0;
  sizes.forEach((size, c) => {
    const share = size / n;
    const weight = 1 / (1 - share);
    const variance = variances[c]!;
    const taken = 2 * share * variance - total * share * share;
    const entry = weight * (variance - taken);
    trace += entry;
    squares += entry * entry;
    shares += weight * share * share;
    mixed += weight * share * variance;
    spread += weight * variance * variance;
    own += (weight * taken) ** 2;
  });
  const pairs =
    2 * shares * spread + 2 * mixed ** 2 - 4 * total * shares * mixed + (total * shares) ** 2;
  return (trace * trace) / (squares + pairs - own);
}

/** One-sided p of a cluster mean below a value. */
export function clusterTail({ mean, se, df, clusters }: ClusterEstimate, against = 0): number {
  const gap = mean - against;
  if (se <= 1e-12 * Math.abs(gap) || se === 0) return gap < 0 ? 0.5 ** clusters : 1;
  return studentCdf(gap / se, df);
}
