import { isMissing } from "./feedback.ts";
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
  /** Rows that did not fail and say a metric in words alone, by metric. */
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

/** Means by metric over rows that come one after the other. */
export function createMeans(): {
  add: (scores: readonly Given[], failed: boolean) => void;
  addPlain: (row: PlainRow) => void;
  finish: () => ScoreMeans;
} {
  const sent = new Map<string, Sum>();
  const scored = new Map<string, Sum>();
  /** The same by the numbers that plain rows have for their metrics: looking a name up for every score is slow. */
  const plain: { readonly [way in "sent" | "scored"]: Sum[] } = { sent: [], scored: [] };
  /** Beyond the most metrics, sums that nobody sees. */
  const entryOf = (into: typeof sent, key: string): Sum => {
    const known = into.get(key);
    if (known !== undefined) return known;
    const entry = { sum: 0, n: 0 };
    if (into.size < MAX_METRICS) into.set(key, entry);
    return entry;
  };
  const count = (into: typeof sent, key: string, score: number): void => {
    add(entryOf(into, key), score);
  };
  const worded = new Map<string, number>();
  const countWords = (key: string): void => {
    const before = worded.get(key);
    if (before !== undefined || worded.size < MAX_METRICS) worded.set(key, (before ?? 0) + 1);
  };
  const means = (of: typeof sent): Record<string, Mean> =>
    Object.fromEntries([...of].map(([key, { sum, n }]) => [key, { mean: sum / n, n }]));
  return {
    add: (scores, failed) => {
      for (const { key, score } of scores) if (score !== undefined) count(sent, key, score);
      if (failed) return;
      const found = rowScores(scores);
      for (const [key, score] of found) count(scored, key, score);
      for (const key of wordedMetrics(scores)) if (!found.has(key)) countWords(key);
    },
    addPlain: ({ scores: { count: many, metrics, values, names }, worded: words, failed }) => {
      if (!failed) for (const metric of words) countWords(names[metric]!);
      for (let i = 0; i < many; i += 1) {
        const metric = metrics[i]!;
        plain.sent[metric] ??= entryOf(sent, names[metric]!);
        add(plain.sent[metric], values[i]!);
        if (failed) continue;
        plain.scored[metric] ??= entryOf(scored, names[metric]!);
        add(plain.scored[metric], values[i]!);
      }
    },
    finish: () => ({ sent: means(sent), scores: means(scored), worded }),
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
