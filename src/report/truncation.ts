import { utf8Bytes } from "./escape.ts";

const FULL = {
  /** Collapsed blocks of successful deployments, in a report of many. */
  greenDetails: true,
  /** 0: neither logs nor notes. */
  logLines: 60,
  worseRows: 20,
  /** Rows of unchanged deployments. */
  unchangedRows: true,
  valueChars: 200,
  sentenceChars: 2000,
  /** The most rows of a table and items of a list; the rest is a count. */
  rows: Infinity,
};

/** How much to show. A body is rendered again at each level, so its tables and fences are complete. */
export type Detail = Readonly<typeof FULL>;

/**
 * From complete to minimal, in the order of what is dropped: details, unchanged rows, long values,
 * then rows beyond a count.
 */
const LEVELS: readonly Detail[] = [
  FULL,
  { ...FULL, greenDetails: false, logLines: 20, worseRows: 10 },
  { ...FULL, greenDetails: false, logLines: 0, worseRows: 0 },
  ...[
    { valueChars: 200, rows: Infinity },
    { valueChars: 48, rows: Infinity },
    { valueChars: 48, rows: 200 },
    { valueChars: 48, rows: 100 },
    { valueChars: 48, rows: 50 },
    { valueChars: 48, rows: 20 },
    { valueChars: 48, rows: 5 },
    { valueChars: 24, rows: 1 },
    { valueChars: 24, rows: 0 },
  ].map((less) => ({
    ...FULL,
    greenDetails: false,
    logLines: 0,
    worseRows: 0,
    unchangedRows: false,
    sentenceChars: less.rows < 50 ? 300 : 1000,
    ...less,
  })),
];

/** The largest body of a sink; `maxChars` in UTF-16 units, `maxBytes` in UTF-8. */
export interface Limit {
  readonly maxChars: number;
  readonly maxBytes: number;
}

/** GitHub allows 65,536 characters and 262,144 bytes; the rest is room for what a proxy or a later edit adds. */
export const COMMENT_LIMIT: Limit = { maxChars: 60_000, maxBytes: 245_000 };
/** A step summary may be 1 MiB. */
export const SUMMARY_LIMIT: Limit = { maxChars: 1_000_000, maxBytes: 1_000_000 };

/**
 * The most detailed body within the limit, or the smallest one. Nearly every report fits whole.
 * Each level is shorter than the one before, so the search halves the others.
 */
export function truncate(
  render: (detail: Detail, level: number) => string,
  { maxChars, maxBytes }: Limit,
): string {
  const attempt = (level: number): string | null => {
    const body = render(LEVELS[level]!, level);
    return body.length <= maxChars && utf8Bytes(body) <= maxBytes ? body : null;
  };
  let best = attempt(0);
  if (best !== null) return best;
  let [low, high] = [1, LEVELS.length - 1];
  while (low < high) {
    const level = Math.floor((low + high) / 2);
    const body = attempt(level);
    if (body === null) low = level + 1;
    else [best, high] = [body, level];
  }
  return best ?? render(LEVELS[high]!, high);
}
