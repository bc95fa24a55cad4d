import type { PlainRow } from "./row-scan.ts";

/** Mean of a metric and how many rows it is of. */
export interface Mean {
  readonly mean: number;
  readonly n: number;
}

/** Two ways to count: as a gate does, and as the service does. */
export interface ScoreMeans {
  /** Over rows that did not fail; a metric given twice in a row counts as its mean. */
  readonly scores: Readonly<Record<string, Mean>>;
  /** Over every score that is sent, as the service counts them. */
  readonly sent: Readonly<Record<string, Mean>>;
}

const MAX_METRICS = 10_000;

/** Means by metric over rows that come one after the other. */
export function createMeans(): {
  add: (scores: readonly { key: string; score?: number | undefined }[], failed: boolean) => void;
  addPlain: (row: PlainRow) => void;
  finish: () => ScoreMeans;
} {
  const sent = new Map<string, { sum: number; n: number }>();
  const scored = new Map<string, { sum: number; n: number }>();
  const count = (into: typeof sent, key: string, score: number): void => {
    const at = into.get(key);
    if (at !== undefined) {
      at.sum += score;
      at.n += 1;
    } else if (into.size < MAX_METRICS) into.set(key, { sum: score, n: 1 });
  };
  const means = (of: typeof sent): Record<string, Mean> =>
    Object.fromEntries([...of].map(([key, { sum, n }]) => [key, { mean: sum / n, n }]));
  return {
    add: (scores, failed) => {
      for (const { key, score } of scores) if (score !== undefined) count(sent, key, score);
      if (!failed) for (const [key, score] of rowScores(scores)) count(scored, key, score);
    },
    addPlain: ({ scores, failed }) => {
      for (const { key, score } of scores) {
        count(sent, key, score);
        if (!failed) count(scored, key, score);
      }
    },
    finish: () => ({ sent: means(sent), scores: means(scored) }),
  };
}

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
