import { parseMetric } from "./metric.ts";

/**
 * Numbers as a reader compares them: two decimals, more where equal-looking numbers differ, fewer
 * where they are large.
 */
export function figures(...values: readonly number[]): string[] {
  return figuresThat(() => true, values);
}

/** Like `figures`, with as many decimals as it takes to hold true what is said of the numbers. */
function figuresThat(
  holds: (shown: readonly number[]) => boolean,
  values: readonly number[],
): string[] {
  const different = new Set(values.map((value) => tidy(value))).size;
  for (let decimals = fewestDecimals(values); decimals < 10; decimals++) {
    const shown = values.map((value) => Number(value.toFixed(decimals)) + 0);
    const hidden = shown.some((number, at) => number === 0 && Math.abs(values[at]!) > 1e-9);
    if (!hidden && new Set(shown).size >= different && holds(shown)) return shown.map(String);
  }
  return values.map((value) => String(tidy(value)));
}

function fewestDecimals(values: readonly number[]): number {
  const largest = Math.max(...values.map(Math.abs));
  if (largest >= 1000) return 0;
  return largest >= 100 ? 1 : 2;
}

/** Like `figures`, with the metric's unit. */
export function amounts(metric: string, ...values: readonly number[]): string[] {
  return figures(...values).map((figure) => figure + unitOf(metric));
}

/** A limit as its rule has it: rounded, it would be another rule. */
export function limitAmount(metric: string, limit: number): string {
  return `${tidy(limit)}${unitOf(metric)}`;
}

/** Two values whose difference, as a reader takes it, is on the same side of the limit as the true one. */
export function amountsApart(
  metric: string,
  limit: number,
  before: number,
  after: number,
): string[] {
  const side = (from: number, to: number): number =>
    Math.sign(tidy(Math.abs(tidy(from - to)) - limit));
  const shown = figuresThat(
    ([from, to]) => side(from!, to!) === side(before, after),
    [before, after],
  );
  return shown.map((figure) => figure + unitOf(metric));
}

/** The ends of an interval, rounded outward, yet on the same side of the limit as they are. */
export function outwardAmounts(
  metric: string,
  [low, high]: readonly [number, number],
  limit: number,
): readonly [string, string] {
  const ends = [low, high].filter(Number.isFinite);
  const side = (end: number): number => Math.sign(tidy(end - limit));
  for (let decimals = fewestDecimals(ends); ; decimals++) {
    const grain = 10 ** decimals;
    const from = Math.floor(low * grain + 1e-9) / grain;
    const to = Math.ceil(high * grain - 1e-9) / grain;
    if (decimals >= 9 || (side(from) === side(low) && side(to) === side(high)))
      return [`${tidy(from)}${unitOf(metric)}`, `${tidy(to)}${unitOf(metric)}`];
  }
}

function unitOf(metric: string): string {
  return parseMetric(metric).kind === "latency" ? " s" : "";
}

/** A number to twelve digits: what reports carry, so that no machine's last bit shows. */
export function tidy(value: number): number {
  return Number.isFinite(value) ? Number(value.toPrecision(12)) + 0 : value;
}

/** "1 shared example", "50 shared examples". */
export function count(n: number, singular: string, plural = `${singular}s`): string {
  return `${n} ${n === 1 ? singular : plural}`;
}

/** A needed number of things, rounded up to two digits so that it is never too few. */
export function atLeast(value: number): number {
  const step = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, value))) - 1);
  return Math.ceil(value / step - 1e-9) * step;
}

/** Short form of a commit; other words as they are. */
export function shortCommit(commit: string): string {
  return /^[0-9a-f]{12,64}$/u.test(commit) ? commit.slice(0, 7) : commit;
}
