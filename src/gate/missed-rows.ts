import type { MissedRow } from "../report/report.ts";
import { type GateRule, meetsRule } from "./gate-rule.ts";
import { scoreOf } from "./metric.ts";
import { describeExample, MAX_ROWS, type WeighedRow } from "./row-delta.ts";
import type { Judging } from "./judging.ts";

/** Rows beyond a limit, the farthest first, and how many examples have one. */
interface MissedRows {
  readonly rows: readonly WeighedRow<MissedRow>[];
  readonly examples: number;
}

/**
 * The examples whose own score is beyond a floor or ceiling, the farthest first by the share of the
 * metric's range; at most MAX_ROWS. They are the rows to read where no baseline shows which got worse.
 */
export function listMissed(judging: Judging, rules: readonly GateRule[]): MissedRows {
  const found = rules.flatMap((rule) => {
    const metric = scoreOf(rule.metric);
    if (metric === null) return [];
    const { mean, extent } = judging.head.column(rule.metric);
    const [low, high] = extent;
    const far = (value: number): number => Math.abs(value - rule.threshold) / (high - low || 1);
    return Array.from(mean, (value, example) => ({ metric, example, weight: far(value) })).filter(
      ({ example }) => !Number.isNaN(mean[example]!) && !meetsRule(rule, mean[example]!),
    );
  });
  const sorted = found.sort((a, b) => b.weight - a.weight || a.example - b.example);
  // With several limits on one metric, the one that a score is farthest from.
  const once = new Map<string, (typeof sorted)[number]>();
  for (const one of sorted.slice(0, MAX_ROWS * rules.length)) {
    const key = JSON.stringify([one.metric, one.example]);
    if (!once.has(key)) once.set(key, one);
  }
  const rows = [...once.values()].slice(0, MAX_ROWS).map(({ metric, example, weight }) => ({
    weight,
    row: describeExample(judging, { metric, example }),
  }));
  return { rows, examples: new Set(sorted.map(({ example }) => example)).size };
}
