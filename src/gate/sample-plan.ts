import type { Scatter } from "./scatter.ts";
import { directionOf } from "./direction.ts";
import type { GateSet } from "./gate-set.ts";
import {
  columnOf,
  createIndex,
  parseMetric,
  readRepeats,
  type Column,
  type TableIndex,
} from "./metric.ts";
import { meanOf } from "./interval.ts";
import { detectableFall } from "./power.ts";
import type { GateTable } from "./row.ts";

/** How many examples a fall needs, at some number of runs of each. */
export interface SampleNeed {
  readonly repeats: number;
  /** Null where more than a million would be needed, or the limit allows such a fall. */
  readonly examples: number | null;
}

/** What one metric needs. */
export interface MetricPlan {
  readonly metric: string;
  readonly direction: "higher" | "lower";
  readonly mean: number;
  /** The fall that the gate allows. */
  readonly limit: number;
  readonly examples: number;
  readonly repeats: number;
  /** The fall that runs like this one find in 8 of 10 runs; null where none is found that often. */
  readonly notices: number | null;
  /** Whether repeats show how much of the spread is chance; else all of it counts, which is never too few examples. */
  readonly measured: boolean;
  readonly falls: readonly { readonly fall: number; readonly needs: readonly SampleNeed[] }[];
}

/** The answer to "how many examples and repeats do I need?". */
export interface SamplePlan {
  readonly alpha: number;
  /** Gates that share alpha. */
  readonly gates: number;
  readonly metrics: readonly MetricPlan[];
}

const REPEATS = [1, 3, 5, 10] as const;
/** Falls asked for, as shares of the metric's scale. */
const FALLS = [0.02, 0.05, 0.1] as const;
const MOST_EXAMPLES = 1_000_000;
const FEWEST_EXAMPLES = 10;

/** What one agent's chance does to a metric, read off one run of it. */
interface Noise {
  /** Variance of one run of an example about that example's own mean. */
  readonly within: number;
  readonly measured: boolean;
  /** Pass marks: the share that is good. Null for other values. */
  readonly good: number | null;
}

/** Says for every drop gate, or for every score of the file where there are none, what a fall needs to be noticed. */
export function planSamples(table: GateTable, gates: GateSet | null): SamplePlan {
  const index = createIndex(table);
  const drops = gates?.rules.filter(({ kind }) => kind === "drop") ?? [];
  const wanted =
    drops.length > 0
      ? drops.map(({ metric, threshold }) => ({ metric, limit: threshold }))
      : table.metrics.map((metric) => ({ metric, limit: 0 }));
  const size = gates === null || drops.length === 0 ? 1 : gates.rules.length;
  const alpha = gates?.alpha ?? 0.05;
  return {
    alpha,
    gates: size,
    metrics: wanted.flatMap(({ metric, limit }) => {
      const { kind } = parseMetric(metric);
      if (kind !== "score" && kind !== "error_rate") return [];
      return planMetric({ index, table, metric, limit, level: alpha / size, gates }) ?? [];
    }),
  };
}

function planMetric({
  index,
  table,
  metric,
  limit,
  level,
  gates,
}: {
  readonly index: TableIndex;
  readonly table: GateTable;
  readonly metric: string;
  readonly limit: number;
  readonly level: number;
  readonly gates: GateSet | null;
}): MetricPlan | null {
  const column = columnOf(index, parseMetric(metric));
  const present = Array.from(column.scored, (scored, e) => (scored > 0 ? e : -1)).filter(
    (e) => e >= 0,
  );
  if (present.length === 0) return null;
  const means = present.map((e) => column.mean[e]!);
  const mean = meanOf(means);
  const direction = sideOf(table, metric, gates);
  const noise = measure(index, column, present, direction === "higher" ? mean : 1 - mean);
  const repeats = Math.max(1, ...present.map((e) => column.scored[e]!));
  const found = (n: number, times: number): number | null =>
    detectableFall({ scatter: scatterOf(noise, n, times), n, limit, level });
  return {
    metric,
    direction,
    mean,
    limit,
    examples: present.length,
    repeats,
    notices: present.length < FEWEST_EXAMPLES ? null : found(present.length, repeats),
    measured: noise.measured,
    falls: FALLS.map((share) => share * scaleOf(column)).map((fall) => ({
      fall,
      needs: REPEATS.map((times) => ({
        repeats: times,
        examples:
          fall <= limit ? null : fewestExamples((n) => (found(n, times) ?? Infinity) <= fall),
      })),
    })),
  };
}

function sideOf(table: GateTable, metric: string, gates: GateSet | null): "higher" | "lower" {
  const own = <T extends string>(sides: Readonly<Record<string, T>> | undefined) =>
    sides !== undefined && Object.hasOwn(sides, metric) ? sides[metric] : undefined;
  const operators = (gates?.rules ?? [])
    .filter((rule) => rule.kind === "floor" && rule.metric === metric)
    .map(({ operator }) => operator);
  const declared = own(gates?.direction);
  const side = directionOf({ metric, declared, operators, known: own(table.known) });
  return side === "lower" ? "lower" : "higher";
}

/** 1 for values in 0…1, else the range that was seen. */
function scaleOf(column: Column): number {
  let [low, high] = [Infinity, -Infinity];
  for (const value of column.values) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return low >= 0 && high <= 1 ? 1 : high - low || 1;
}

function measure(
  index: TableIndex,
  column: Column,
  present: readonly number[],
  good: number,
): Noise {
  let [squares, freedom] = [0, 0];
  for (const e of present) {
    if (column.scored[e]! < 2) continue;
    const values = new Float64Array(column.scored[e]!);
    readRepeats(index, column, e, values, 0);
    const mean = meanOf(values);
    for (const value of values) squares += (value - mean) ** 2;
    freedom += values.length - 1;
  }
  const marks = column.binary ? good : null;
  // Fewer would estimate the chance by chance.
  if (freedom >= FEWEST_EXAMPLES) return { within: squares / freedom, measured: true, good: marks };
  const means = present.map((e) => column.mean[e]!);
  const mean = meanOf(means);
  const all = means.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return { within: all / Math.max(1, means.length - 1), measured: false, good: marks };
}

/** The scatter of a comparison of two runs with so many examples and repeats each, as a drop gate would see it. */
function scatterOf({ within, good }: Noise, n: number, repeats: number): Scatter {
  if (good !== null && repeats === 1)
    return { kind: "marks", changed: Math.min(1, 2 * within), net: 0, good };
  const share = 1 / repeats / n;
  const squared = good === null ? 0 : Math.max(0, good - within);
  const perFall = good === null || good === 0 ? 0 : share * ((2 * squared) / good - 1);
  const perSquare = good === null || good === 0 ? 0 : (-share * squared) / (good * good);
  return {
    kind: "spread",
    se: Math.sqrt(2 * within * share),
    df: good === null ? n - 1 : 1e6,
    perFall,
    perSquare,
    exchangedPerFall: perFall,
    exchangedPerSquare: perSquare,
  };
}

function fewestExamples(isEnough: (n: number) => boolean): number | null {
  if (!isEnough(MOST_EXAMPLES)) return null;
  let [low, high] = [FEWEST_EXAMPLES - 1, FEWEST_EXAMPLES];
  while (!isEnough(high)) {
    low = high;
    high *= 2;
  }
  while (high - low > Math.max(1, Math.floor(high / 100))) {
    const middle = Math.floor((low + high) / 2);
    if (isEnough(middle)) high = middle;
    else low = middle;
  }
  return high;
}
