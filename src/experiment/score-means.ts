import { isMissing } from "./input/scored.ts";

/** Mean of a metric and how many rows it is of. */
export interface Mean {
  readonly mean: number;
  readonly n: number;
}

/**
 * Two ways to count, as a gate does and as the service does; a score on a row that failed is a
 * score for both. They differ
 * only where a row has several scores of one metric.
 */
export interface ScoreMeans {
  /** Over rows; a metric given twice in a row counts as its mean. */
  readonly scores: Readonly<Record<string, Mean>>;
  /** Over every score that is sent. */
  readonly sent: Readonly<Record<string, Mean>>;
  /** Rows that did not fail and say a metric in words only, by metric. */
  readonly worded: ReadonlyMap<string, number>;
}

interface Given {
  readonly key: string;
  readonly score?: number | undefined;
  readonly value?: string | undefined;
}

const MAX_METRICS = 10_000;

interface Sum {
  sum: number;
  n: number;
}

function add(to: Sum, score: number): void {
  to.sum += score;
  to.n += 1;
}

/** Sums by metric; beyond the most metrics, sums that nobody sees. */
function createSums(): {
  readonly of: (key: string) => Sum;
  readonly means: () => Record<string, Mean>;
} {
  const sums = new Map<string, Sum>();
  return {
    of: (key) => {
      const known = sums.get(key);
      if (known !== undefined) return known;
      const entry = { sum: 0, n: 0 };
      if (sums.size < MAX_METRICS) sums.set(key, entry);
      return entry;
    },
    means: () =>
      Object.fromEntries([...sums].map(([key, { sum, n }]) => [key, { mean: sum / n, n }])),
  };
}

/** Means by metric over rows that come one after the other; `found` is what `rowScores` says of a row. */
export function createMeans(): {
  readonly add: (
    scores: readonly Given[],
    found: ReadonlyMap<string, number>,
    failed: boolean,
  ) => void;
  readonly finish: () => ScoreMeans;
} {
  const sent = createSums();
  const scored = createSums();
  const worded = new Map<string, number>();
  const countWords = (key: string): void => {
    const before = worded.get(key);
    if (before !== undefined || worded.size < MAX_METRICS) worded.set(key, (before ?? 0) + 1);
  };
  return {
    add: (scores, found, failed) => {
      for (const { key, score } of scores) if (score !== undefined) add(sent.of(key), score);
      for (const [key, score] of found) add(scored.of(key), score);
      if (failed) return;
      for (const key of wordedMetrics(scores)) if (!found.has(key)) countWords(key);
    },
    finish: () => ({ sent: sent.means(), scores: scored.means(), worded }),
  };
}

/** Metrics that a row says in words; nearly all rows share the empty set. */
function wordedMetrics(scores: readonly Given[]): ReadonlySet<string> {
  let keys: Set<string> | undefined;
  for (const { key, value } of scores) {
    if (value === undefined || isMissing(value)) continue;
    keys ??= new Set();
    keys.add(key);
  }
  return keys ?? NO_KEYS;
}

const NO_KEYS: ReadonlySet<string> = new Set();

/** Numeric scores of one row by metric; one given several times is its mean. */
export function rowScores(
  scores: readonly { readonly key: string; readonly score?: number | undefined }[],
): Map<string, number> {
  const found = new Map<string, number>();
  let counts: Map<string, number> | undefined;
  for (const { key, score } of scores) {
    if (score === undefined) continue;
    const before = found.get(key);
    if (before === undefined) {
      found.set(key, score);
      continue;
    }
    counts ??= new Map();
    const n = (counts.get(key) ?? 1) + 1;
    counts.set(key, n);
    found.set(key, before + (score - before) / n);
  }
  return found;
}
