/** A number of a report: at most three significant digits below one, a real minus; a dash for none. */
export function number(value: number | null): string {
  return toDigits(value, 0);
}

function toDigits(value: number | null, more: number): string {
  if (value === null || !Number.isFinite(value)) return "–";
  const rounded =
    Math.abs(value) >= 1000
      ? Number(value.toFixed(more))
      : Number(value.toPrecision((Math.abs(value) >= 1 ? 4 : 3) + more));
  return String(Object.is(rounded, -0) ? 0 : rounded).replace("-", "−");
}

const MOST_MORE_DIGITS = 9;

/** Numbers side by side: like `number`, with more digits where different ones would look the same. */
export function numbersApart(...values: readonly (number | null)[]): string[] {
  const at = (more: number): string[] => values.map((value) => toDigits(value, more));
  const different = new Set(at(MOST_MORE_DIGITS)).size;
  for (let more = 0; more < MOST_MORE_DIGITS; more++) {
    const shown = at(more);
    if (new Set(shown).size === different) return shown;
  }
  return at(MOST_MORE_DIGITS);
}

/** The unit of a metric, after its number: latencies are seconds. */
export function unitOf(metric: string): string {
  return /^latency(?:_p[1-9]\d?)?$/u.test(metric) ? " s" : "";
}

/** `1.2 s`: a value of a metric, with its unit. */
export function valueWords(metric: string, value: number | null): string {
  return number(value) + (value === null ? "" : unitOf(metric));
}

/** `1.2 → 2 s`: a value of a metric before and now. */
export function fromTo({ metric, base, head }: Moved): string {
  const [before, now] = numbersApart(base, head);
  return `${before} → ${now}${unitOf(metric)}`;
}

interface Moved {
  readonly metric: string;
  readonly base: number | null;
  readonly head: number | null;
}

/** A change as `number` writes it; one for the better or worse keeps its plus. */
export function signed(value: number | null): string {
  return value !== null && value > 0 ? `+${number(value)}` : number(value);
}

/** A p-value; below 0.001 not to the digit. */
export function pWords(p: number | null): string {
  if (p === null) return "–";
  return p < 0.001 ? "< 0.001" : number(p);
}
