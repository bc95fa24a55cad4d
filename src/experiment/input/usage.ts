import { isObject } from "../../model/json.ts";
import { keeping } from "./column-names.ts";

/** The cost of a run, as far as its file states it. */
export interface Usage {
  readonly cost?: number;
  readonly total_tokens?: number;
  readonly prompt_tokens?: number;
  readonly completion_tokens?: number;
}

/** Each metric with its names in tools and model providers, in plain letters. */
const NAMES: { readonly [metric in keyof Usage]-?: readonly string[] } = {
  cost: [
    "cost",
    "totalcost",
    "costusd",
    "totalcostusd",
    "usdcost",
    "estimatedcost",
    "totalestimatedcost",
    "tokencost",
  ],
  total_tokens: ["totaltokens", "tokens", "total", "totaltokencount", "tokencount", "tokenstotal"],
  prompt_tokens: ["prompttokens", "inputtokens", "prompt", "prompttokencount", "inputtokencount"],
  completion_tokens: [
    ...["completiontokens", "outputtokens", "completion", "completiontokencount"],
    ...["outputtokencount", "candidatestokencount"],
  ],
};

/** The metrics for gates: lower is better for each. */
export const USAGE_METRICS = Object.keys(NAMES) as readonly (keyof Usage)[];

const plain = (name: string): string => name.toLowerCase().replace(/[^a-z]/g, "");

const METRIC_OF: ReadonlyMap<string, keyof Usage> = new Map(
  USAGE_METRICS.flatMap((metric) =>
    NAMES[metric].map((name): [string, keyof Usage] => [name, metric]),
  ),
);

/** The metric that a name means; undefined if it is not about usage. */
export const usageMetric = keeping((name) => METRIC_OF.get(plain(name)));

/** Usage from objects that state it, under any known name; the first number counts. */
export function usageOf(...stated: readonly unknown[]): Usage | undefined {
  const found: { -readonly [metric in keyof Usage]: number } = {};
  for (const one of stated) {
    if (!isObject(one)) continue;
    for (const name of Object.keys(one)) {
      const value = one[name];
      if (typeof value !== "number" || !Number.isFinite(value)) continue;
      const metric = usageMetric(name);
      if (metric !== undefined) found[metric] ??= value;
    }
  }
  const { prompt_tokens: prompt, completion_tokens: completion } = found;
  if (prompt !== undefined && completion !== undefined) found.total_tokens ??= prompt + completion;
  return Object.keys(found).length === 0 ? undefined : found;
}

/**
 * The sum over several model calls; a metric that one of them leaves out is unknown, because its
 * sum would be too low. An entry without any usage, such as a tool's turn, does not count as a model
 * call.
 */
export function sumUsage(all: readonly (Usage | undefined)[]): Usage | undefined {
  const stated = all.filter((usage) => usage !== undefined);
  const entries = USAGE_METRICS.flatMap((metric): [string, number][] => {
    const numbers = stated.flatMap((usage) => usage[metric] ?? []);
    const isWhole = numbers.length > 0 && numbers.length === stated.length;
    return isWhole ? [[metric, numbers.reduce((sum, one) => sum + one)]] : [];
  });
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}
