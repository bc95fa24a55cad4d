const UNITS = [
  ["h", 3_600_000],
  ["m", 60_000],
  ["s", 1_000],
] as const;
const UNIT_MS: ReadonlyMap<string, number> = new Map([["ms", 1], ...UNITS]);

/** `1h5m`, `6m12s`, `40s`, `350ms`: whole units, no zero ones; milliseconds below one second. */
export function renderDuration(ms: number): string {
  if (ms < 1_000) return `${Math.max(0, Math.round(ms))}ms`;
  let rest = Math.round(ms / 1_000) * 1_000;
  let out = "";
  for (const [unit, size] of UNITS) {
    const count = Math.floor(rest / size);
    if (count > 0) out += `${count}${unit}`;
    rest -= count * size;
  }
  return out;
}

/** The longest duration of a timer (2^31 - 1 milliseconds, about 24 days). */
const MAX_MS = 2 ** 31 - 1;

/** Parses `500ms`, `90s`, `30m` or `1h` to milliseconds; undefined for anything else, for zero, and beyond 24 days. */
export function parseDuration(text: string): number | undefined {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h)$/u.exec(text);
  if (match === null) return undefined;
  const ms = Math.round(Number(match[1]) * UNIT_MS.get(match[2]!)!);
  return ms > 0 && ms <= MAX_MS ? ms : undefined;
}
