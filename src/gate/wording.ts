import { parseMetric } from "./metric.ts";

/**
 * Numbers as a reader compares them: two decimals, more where equal-looking numbers differ, fewer
 * where they are large.
 */
export function figures(...values: readonly number[]): string[] {
  const largest = Math.max(...values.map(Math.abs));
  const different = new Set(values.map((value) => tidy(value))).size;
  for (let decimals = fewestDecimals(largest); decimals < 10; decimals++) {
    const shown = values.map((value) => String(Number(value.toFixed(decimals)) + 0));
    const hidden = shown.some((text, at) => text === "0" && Math.abs(values[at]!) > 1e-9);
    if (!hidden && new Set(shown).size >= different) return shown;
  }
  return values.map((value) => String(tidy(value)));
}

function fewestDecimals(largest: number): number {
  if (largest >= 1000) return 0;
  return largest >= 100 ? 1 : 2;
}

/** Like `figures`, with the metric's unit. */
export function amounts(metric: string, ...values: readonly number[]): string[] {
  const unit = parseMetric(metric).kind === "latency" ? " s" : "";
  return figures(...values).map((figure) => figure + unit);
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
