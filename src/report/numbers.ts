import type { GateReport } from "./report.ts";

/** The only place where scores, latencies and costs are rounded, shared by sentences, tables and pictures. */

const MAX_DECIMALS = 10;

type Statement = (shown: readonly number[]) => boolean;

/** The fewest decimals that keep different numbers apart and a statement true; `MAX_DECIMALS` if all are needed. */
export function decimalsOf(exact: readonly number[], holds: Statement = () => true): number {
  const values = exact.map(tidy);
  const different = new Set(values).size;
  for (let decimals = Math.min(...values.map(ownDecimals)); decimals < MAX_DECIMALS; decimals++) {
    const shown = values.map((value) => roundTo(decimals, value));
    const hidden = shown.some((number, at) => number === 0 && Math.abs(values[at]!) > 1e-9);
    if (!hidden && new Set(shown).size >= different && holds(shown)) return decimals;
  }
  return MAX_DECIMALS;
}

/** A value of 1.52 keeps its decimals next to a limit of 3600. */
const roundTo = (decimals: number, value: number): number =>
  Number(value.toFixed(Math.max(decimals, ownDecimals(value)))) + 0;

const ownDecimals = (value: number): number => Math.min(MAX_DECIMALS, fewestDecimals([value]));

function fewestDecimals(values: readonly number[]): number {
  const largest = Math.max(...values.map(Math.abs));
  if (largest >= 1000) return 0;
  if (largest >= 100) return 1;
  // Two significant digits for values below a hundredth, such as costs.
  return largest > 0 && largest < 0.01 ? 1 - Math.floor(Math.log10(largest)) : 2;
}

/** With a real minus sign, and none before 0. */
const digits = (value: number): string => String(value + 0).replace("-", "−");

/** One number; a dash if there is none. */
export function number(value: number | null | undefined): string {
  return value == null || !Number.isFinite(value) ? "–" : amounts("", value)[0]!;
}

/**
 * Rounds a metric's values for comparison: two decimals; more if different ones would look equal or
 * a small one like 0; fewer if they are large.
 */
export function amounts(metric: string, ...values: readonly number[]): string[] {
  return amountsWith(0, metric, ...values);
}

/** The same with at least so many decimals, so that a value has one form in several gates. */
export function amountsWith(least: number, metric: string, ...exact: readonly number[]): string[] {
  const decimals = Math.max(least, decimalsOf(exact));
  // As in reports: a half must round the same way before and after it is stored.
  return exact.map(tidy).map((value) => {
    const shown = decimals < MAX_DECIMALS ? roundTo(decimals, value) : value;
    return digits(shown) + unitOf(metric);
  });
}

/** A limit exactly as in its rule: rounded, it would be another rule. */
export function limitAmount(metric: string, limit: number): string {
  return `${digits(tidy(limit))}${unitOf(metric)}`;
}

/** The decimals of two values whose rounded difference is on the same side of the limit as the true one. */
export function decimalsApart(limit: number, values: readonly [number, number]): number {
  const sideOf = ([from, to]: readonly number[]): number =>
    Math.sign(tidy(Math.abs(tidy(from! - to!)) - limit));
  const side = sideOf(values);
  return decimalsOf(values, (shown) => sideOf(shown) === side);
}

/**
 * A detectable drop, rounded once for all places that show it: three significant digits if the
 * first is 1 or 2, else two.
 */
export function roundFall(value: number): number {
  const isSmall = Number(value.toExponential()[0]) < 3;
  return Number(value.toPrecision(isSmall ? 3 : 2));
}

/** The ends of an interval rounded outward, but on the same side of every mark. */
export function outwardAmounts(
  metric: string,
  [low, high]: readonly [number, number],
  ...marks: readonly number[]
): [string, string] {
  const fewest = fewestDecimals([low, high].filter(Number.isFinite));
  const sides = (end: number): string => marks.map((mark) => Math.sign(tidy(end - mark))).join(" ");
  const round = (end: number, away: (scaled: number) => number): string => {
    for (let decimals = fewest; ; decimals++) {
      const shown = away(end * 10 ** decimals) / 10 ** decimals;
      if (decimals >= MAX_DECIMALS - 1 || sides(shown) === sides(end))
        return limitAmount(metric, shown);
    }
  };
  return [
    round(low, (scaled) => Math.floor(scaled + 1e-9)),
    round(high, (scaled) => Math.ceil(scaled - 1e-9)),
  ];
}

/** A number to twelve digits, as in reports, so that differences between machines do not show. */
export function tidy(value: number): number {
  return Number.isFinite(value) ? Number(value.toPrecision(12)) + 0 : value;
}

/** The unit after a metric's number: latencies are in seconds. */
export function unitOf(metric: string): string {
  return /^latency(?:_p[1-9]\d?)?$/u.test(metric) ? " s" : "";
}

/** `1.2 → 2 s`: a metric's value before and now; without one from before, only `2 s`. */
export function fromTo(score: Pick<GateReport, "metric" | "head"> & Partial<GateReport>): string {
  const { metric, base, head } = score;
  if (base === undefined) return number(head) + unitOf(metric);
  const [before, now] =
    base === null || head === null ? [number(base), number(head)] : amounts("", base, head);
  return `${before} → ${now}${unitOf(metric)}`;
}

/** A number with an explicit plus sign. */
export function signed(value: number | null): string {
  return value !== null && value > 0 ? `+${number(value)}` : number(value);
}

/** A p-value as papers print it: two digits, or only "< 0.001" or "> 0.99". */
export function pWords(p: number | null): string {
  if (p === null) return "–";
  if (p < 0.001) return "< 0.001";
  return p > 0.99 ? "> 0.99" : String(Number(tidy(p).toPrecision(2)));
}
