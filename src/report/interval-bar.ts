/** What an interval is drawn with; all in the metric's own unit. */
export interface Marks {
  /** Measured in this run. */
  readonly value: number;
  readonly low: number;
  readonly high: number;
  /** The gate's floor or ceiling. */
  readonly limit: number | null;
  readonly base: number | null;
}

const CELLS = 23;
/** What the signs of a bar mean, in the order in which a reader asks. */
export const BAR_LEGEND =
  "● this run · ━ where its true value lies, 95 % sure · ○ baseline · │ limit of the gate";

/**
 * An interval as one line of characters of equal width, such as `··━━━●━━━···○··`; what is drawn left of something else
 * is smaller. A limit or baseline that would fall on the value is drawn beside it, on its side. Empty where a number is none.
 */
export function renderBar({ value, low, high, limit, base }: Marks): string {
  const all = [
    value,
    low,
    high,
    ...(limit === null ? [] : [limit]),
    ...(base === null ? [] : [base]),
  ];
  if (!all.every(Number.isFinite)) return "";
  const [least, most] = [Math.min(...all), Math.max(...all)];
  // A cell stays free at each end, for a mark that has to give way.
  const cellOf = (one: number): number =>
    most === least
      ? Math.floor(CELLS / 2)
      : 1 + Math.round(((one - least) / (most - least)) * (CELLS - 3));
  const at = cellOf(value);
  const beside = (one: number): number =>
    cellOf(one) !== at || one === value ? cellOf(one) : at + Math.sign(one - value);
  const cells = Array.from({ length: CELLS }, (_, cell): string =>
    cell >= cellOf(low) && cell <= cellOf(high) ? "━" : "·",
  );
  if (base !== null) cells[beside(base)] = "○";
  if (limit !== null) cells[beside(limit)] = "│";
  cells[at] = "●";
  return cells.join("");
}

const UNITS: Readonly<Record<string, number>> = {
  "": 1,
  "%": 0.01,
  ms: 0.001,
  s: 1,
  m: 60,
  min: 60,
  h: 3600,
};

/** The number behind the comparison of a floor or ceiling, in the metric's unit; null for a drop, and for rules of another shape. */
export function limitOf(rule: string): number | null {
  const found =
    /(?:>=|<=|=>|=<|≥|≤|>|<)\s*([+-]?[\d.]+(?:e[+-]?\d+)?)\s*(%|ms|s|m|min|h|)\s*$/iu.exec(rule);
  if (found === null || isDrop(rule)) return null;
  const limit = Number(found[1]) * (UNITS[found[2]!.toLowerCase()] ?? 1);
  return Number.isFinite(limit) ? limit : null;
}

/** Whether a rule compares with the baseline: its interval is then that of the change, else that of the value. */
export function isDrop(rule: string): boolean {
  return /\sdrop\s*(?:<=|=<|≤|<)/u.test(rule);
}
