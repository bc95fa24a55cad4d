const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };
/** Longest duration a timer can hold (2^31 - 1 milliseconds, about 24 days). */
const MAX_MS = 2 ** 31 - 1;

/** Milliseconds of `500ms`, `90s`, `30m` or `1h`; undefined for anything else, for zero, and beyond 24 days. */
export function parseDuration(text: string): number | undefined {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h)$/u.exec(text);
  if (match === null) return undefined;
  const ms = Math.round(Number(match[1]) * UNITS[match[2]!]!);
  return ms > 0 && ms <= MAX_MS ? ms : undefined;
}
