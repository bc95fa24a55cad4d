import type { Diagnostic } from "../spec/desired.ts";
import { estimateClusters } from "./cluster.ts";
import { DEFAULTS, type GateSet } from "./gate-set.ts";
import { meanOf } from "./interval.ts";
import { columnOf, parseMetric, readRepeats, type Column, type TableIndex } from "./metric.ts";
import { detectableFall } from "./power.ts";
import { allowedChange } from "./rule.ts";
import type { GateTable } from "./row.ts";
import type { Scatter } from "./scatter.ts";
import { createJudging, type Judging } from "./side.ts";
import { checkGates } from "./validity.ts";

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
  /** Clusters that share their chance; null without `cluster_by`. */
  readonly clusters: number | null;
  /** False where all values are equal and no marks, or are of one cluster: nothing shows what chance does to them. */
  readonly scatters: boolean;
  readonly falls: readonly { readonly fall: number; readonly needs: readonly SampleNeed[] }[];
}

/** A metric that no number can be given for. */
export interface Unplanned {
  readonly metric: string;
  /** `quantile`: it hangs on a few of the rows; `direction`: which side is better is not known. */
  readonly why: "quantile" | "direction";
}

/** The answer to "how many examples and repeats do I need?". */
export interface SamplePlan {
  readonly alpha: number;
  /** Gates that share alpha. */
  readonly gates: number;
  readonly metrics: readonly MetricPlan[];
  readonly unplanned: readonly Unplanned[];
}

const REPEATS = [1, 3, 5, 10] as const;
/** Falls asked for, as shares of the metric's scale. */
const FALLS = [0.02, 0.05, 0.1] as const;
const MOST_EXAMPLES = 1_000_000;
const FEWEST_EXAMPLES = 10;

/** What one agent's chance does to a metric, read off one run of it. */
interface Noise {
  /** Variance of one run of an example about that example's own mean; of clusters, what one run of the file scatters by, times its examples. */
  readonly within: number;
  readonly measured: boolean;
  /** Pass marks: the share that is good. Null for other values, and for clusters. */
  readonly good: number | null;
  /** Degrees of freedom for each example, where clusters share their chance. */
  readonly freedom: number | null;
  readonly clusters: number | null;
}

/**
 * Says for every drop gate, or for every score of the file where there are none, what a fall needs to be noticed.
 * `problems`: why these gates cannot be judged at all (exit 2); the plan is worth nothing then.
 */
export function planSamples(
  table: GateTable,
  gates: GateSet | null,
): { readonly problems: readonly Diagnostic[]; readonly plan: SamplePlan } {
  const judging = createJudging({
    label: "",
    head: table,
    base: null,
    anchor: null,
    gates: gates ?? NO_GATES,
  });
  const drops = judging.gates.rules.filter(({ kind }) => kind === "drop");
  const wanted =
    drops.length > 0
      ? drops.map((rule) => ({
          metric: rule.metric,
          limitOf: (mean: number) => allowedChange(rule, mean),
        }))
      : table.metrics.map((metric) => ({ metric, limitOf: () => 0 }));
  const size = drops.length === 0 ? 1 : judging.gates.rules.length;
  const { alpha } = judging.gates;
  const plan = (one: Wanted): MetricPlan | null =>
    planMetric({ ...one, judging, level: alpha / size });
  const unplanned = wanted.flatMap(({ metric }) => whyUnplanned(judging, metric));
  const planned = wanted.filter(({ metric }) => unplanned.every((one) => one.metric !== metric));
  return {
    problems: checkGates(judging),
    plan: { alpha, gates: size, metrics: planned.flatMap((one) => plan(one) ?? []), unplanned },
  };
}

/** Gates of a file that is planned for by its scores alone. */
const NO_GATES: GateSet = { ...DEFAULTS, rules: [], at: { file: "gate", line: 1, column: 1 } };

interface Wanted {
  readonly metric: string;
  readonly limitOf: (mean: number) => number;
}

function whyUnplanned(judging: Judging, metric: string): Unplanned[] {
  const { kind } = parseMetric(metric);
  if (kind !== "score" && kind !== "error_rate") return [{ metric, why: "quantile" }];
  return judging.direction(metric) === "unclear" ? [{ metric, why: "direction" }] : [];
}

function planMetric({
  judging,
  metric,
  limitOf,
  level,
}: Wanted & { readonly judging: Judging; readonly level: number }): MetricPlan | null {
  const { index } = judging.head;
  const column = columnOf(index, parseMetric(metric));
  const present = Array.from(column.scored, (scored, e) => (scored > 0 ? e : -1)).filter(
    (e) => e >= 0,
  );
  if (present.length === 0) return null;
  const mean = meanOf(present.map((e) => column.mean[e]!));
  const limit = limitOf(mean);
  const direction = judging.direction(metric) === "lower" ? "lower" : "higher";
  const good = direction === "higher" ? mean : 1 - mean;
  const noise = measure({ judging, index, column, present, good });
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
    clusters: noise.clusters,
    scatters: noise.clusters !== 1 && (noise.within > 0 || noise.good !== null),
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

/** 1 for values in 0…1, else the range that was seen. */
function scaleOf(column: Column): number {
  let [low, high] = [Infinity, -Infinity];
  for (const value of column.values) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return low >= 0 && high <= 1 ? 1 : high - low || 1;
}

function measure({
  judging,
  index,
  column,
  present,
  good,
}: {
  readonly judging: Judging;
  readonly index: TableIndex;
  readonly column: Column;
  readonly present: readonly number[];
  readonly good: number;
}): Noise {
  const { squares, freedom } = repeatsSpread(index, column, present);
  const own = freedom > 0 ? squares / freedom : 0;
  const { clusterOf } = judging;
  if (clusterOf !== null) return measureClusters({ clusterOf, column, present, own });
  const alone = { good: column.binary ? good : null, freedom: null, clusters: null };
  // Fewer would estimate the chance by chance.
  if (freedom >= FEWEST_EXAMPLES) return { ...alone, within: own, measured: true };
  const means = present.map((e) => column.mean[e]!);
  const mean = meanOf(means);
  const all = means.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return { ...alone, within: all / Math.max(1, means.length - 1), measured: false };
}

/** How far repeats of one example scatter about its mean. */
function repeatsSpread(
  index: TableIndex,
  column: Column,
  present: readonly number[],
): { readonly squares: number; readonly freedom: number } {
  let [squares, freedom] = [0, 0];
  for (const e of present) {
    if (column.scored[e]! < 2) continue;
    const values = new Float64Array(column.scored[e]!);
    readRepeats(index, column, e, values, 0);
    const mean = meanOf(values);
    for (const value of values) squares += (value - mean) ** 2;
    freedom += values.length - 1;
  }
  return { squares, freedom };
}

/** One run does not show how clusters move together, so all their spread counts as chance, and that of the repeats. */
function measureClusters({
  clusterOf,
  column,
  present,
  own,
}: {
  readonly clusterOf: ArrayLike<number>;
  readonly column: Column;
  readonly present: readonly number[];
  readonly own: number;
}): Noise {
  const values = present.map((e) => column.mean[e]!);
  const found = estimateClusters(
    values,
    present.map((e) => clusterOf[e]!),
  );
  // The means of repeats hold part of their scatter already.
  const held = meanOf(present.map((e) => 1 / column.scored[e]!));
  return {
    within: found.clusters === 1 ? 0 : found.se * found.se * present.length + own * (1 - held),
    measured: false,
    good: null,
    freedom: found.df / present.length,
    clusters: found.clusters,
  };
}

/** The scatter of a comparison of two runs with so many examples and repeats each, as a drop gate would see it. */
function scatterOf({ within, good, freedom }: Noise, n: number, repeats: number): Scatter {
  if (good !== null && repeats === 1)
    return { kind: "marks", changed: Math.min(1, 2 * within), net: 0, good };
  const share = 1 / repeats / n;
  const aloneDf = good === null ? n - 1 : 1e6;
  const inverse = 1 / repeats;
  return {
    kind: "spread",
    se: Math.sqrt(2 * within * share),
    df: freedom === null ? aloneDf : freedom * n,
    skew: 0,
    marks:
      good === null || good === 0
        ? null
        : {
            good,
            within,
            headInverse: inverse,
            baseInverse: inverse,
            exchanged: 1 / (2 * repeats - 1),
          },
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
