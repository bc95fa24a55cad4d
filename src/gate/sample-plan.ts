import type { Diagnostic } from "../spec/desired.ts";
import { FEWEST_PAIRS } from "./comparison.ts";
import type { GateGroup } from "./baseline.ts";
import { DEFAULTS, type GateSet } from "./gate-set.ts";
import { judgeGates } from "./judge.ts";
import { estimateMean, meanOf } from "./interval.ts";
import { pick, parseMetric, type MetricColumn, scoredExamples, valuesOf } from "./metric.ts";
import { alonePairs, createPool, MAX_PAIRS, type Pool } from "./pool.ts";
import { detectableFall, fewestUnits } from "./power.ts";
import { createSeededRandom } from "./chance.ts";
import { allowedChange } from "./rule.ts";
import { EVERY_METRIC, type GateRule } from "./gate-rule.ts";
import type { GateTable } from "./row.ts";
import { ruleOfEvery } from "./direction.ts";
import { createJudging, type Judging } from "./judging.ts";
import { checkGates } from "./validity.ts";
import { roundFall } from "../report/numbers.ts";

/** How many examples it takes to judge one score. */
export interface MetricPlan {
  readonly metric: string;
  readonly direction: "higher" | "lower";
  readonly mean: number;
  /** The drop that the gate allows. */
  readonly limit: number;
  readonly examples: number;
  readonly repeats: number;
  /** The drop that runs like this one find in 8 of 10 runs; null if none is found that often. */
  readonly notices: number | null;
  /**
   * Whether repeats show how much of the spread is noise; if not, all of it counts, which never
   * gives too few examples.
   */
  readonly measured: boolean;
  /** Clusters of correlated examples; null without `cluster_by`. */
  readonly clusters: number | null;
  /** False if all values are equal and no marks, or belong to one cluster: the noise is unknown. */
  readonly scatters: boolean;
  /** By drop and number of runs of each example. */
  readonly falls: readonly {
    readonly fall: number;
    readonly needs: readonly {
      readonly repeats: number;
      /** Null if it takes more than a million, or the limit allows such a drop. */
      readonly examples: number | null;
    }[];
  }[];
}

/** The answer to "how many examples and repeats do I need?". */
export interface SamplePlan {
  readonly alpha: number;
  /** Number of drops that share alpha. */
  readonly gates: number;
  /** Whether no gate asks for a drop, so that every score of the file counts as one. */
  readonly every_score: boolean;
  readonly metrics: readonly MetricPlan[];
  /**
   * Metrics for which no number can be given. `quantile`: it depends on a few of the rows;
   * `direction`: the better side is unknown.
   */
  readonly unplanned: readonly {
    readonly metric: string;
    readonly why: "quantile" | "direction";
  }[];
  /**
   * The drops as the gate judges them against a baseline, with the drop that it finds in 8 of 10
   * runs as in its report; empty without a baseline.
   */
  readonly compared: readonly {
    readonly rule: string;
    readonly metric: string;
    readonly mde: number | null;
  }[];
}

const REPEATS = [1, 3, 5, 10] as const;
/** The drops to plan for, as shares of the metric's scale. */
const FALLS = [0.02, 0.05, 0.1] as const;
/** Seed of the examples that a simulated agent is made of. */
const SEED = 20261128;

/** The noise of one agent in a metric, estimated from one run. */
interface Noise {
  /**
   * Variance of one run of an example around that example's mean; for clusters, the variance of
   * one run of the file, times its examples.
   */
  readonly within: number;
  readonly measured: boolean;
  /** Pass marks: the share that is good. Null for other values, and for clusters. */
  readonly good: number | null;
  /** The largest possible drop: for pass marks, also in clusters, the share that is good; else Infinity. */
  readonly largest: number;
  readonly clusters: number | null;
}

/**
 * Plans for every drop gate, or for every score of the file if there are none, what it takes to
 * notice a drop. With a baseline, what runs like this one find is taken from the gate's report.
 * `problems`: why these gates cannot be judged (exit 2), which makes the plan worthless.
 */
export function planSamples(
  table: GateTable,
  gates: GateSet | null,
  compared: Pick<GateGroup, "base" | "anchor"> = { base: null },
): { readonly problems: readonly Diagnostic[]; readonly plan: SamplePlan } {
  const asked = gates ?? NO_GATES;
  const judged =
    compared.base === null ? null : judgeGates({ head: table, ...compared, gates: asked });
  const judging = createJudging({ label: "", head: table, base: compared.base }, asked);
  const rules = judging.gates.rules.filter(({ kind }) => kind === "drop");
  const drops = rules.length > 0 ? rules : dropsOfScores(table);
  const found = drops.flatMap(({ text, metric }) => {
    const gate = judged?.gates.find((one) => one.rule === text && one.metric === metric);
    return gate === undefined ? [] : [{ rule: text, metric, mde: gate.mde }];
  });
  const { alpha } = judging.gates;
  const unplanned = drops.flatMap(({ metric }) => whyUnplanned(judging, metric));
  const planned = drops.filter(({ metric }) => unplanned.every((one) => one.metric !== metric));
  return {
    problems: judged?.problems ?? checkGates(judging),
    plan: {
      alpha,
      gates: drops.length,
      every_score: rules.length === 0,
      metrics: planned.flatMap((rule) => {
        const plan = planMetric(judging, rule, alpha / drops.length);
        const own = found.find((one) => one.rule === rule.text);
        if (plan === null) return [];
        return own === undefined ? [plan] : [{ ...plan, notices: own.mde }];
      }),
      unplanned,
      compared: found,
    },
  };
}

const at = { file: "", line: 1, column: 1 };
const NO_GATES: GateSet = { ...DEFAULTS, rules: [], at };

/** A drop of every score, for a file without gates: what `* drop <= 0` judges. */
const dropsOfScores = ({ metrics }: GateTable): GateRule[] =>
  ruleOfEvery(
    {
      metric: EVERY_METRIC,
      kind: "drop",
      operator: "<=",
      threshold: 0,
      relative: false,
      text: `${EVERY_METRIC} drop <= 0`,
      at,
    },
    metrics,
  );

function whyUnplanned(judging: Judging, metric: string): SamplePlan["unplanned"] {
  const { kind } = parseMetric(metric);
  if (kind !== "score" && kind !== "error_rate") return [{ metric, why: "quantile" }];
  return judging.direction(metric) === "unclear" ? [{ metric, why: "direction" }] : [];
}

function planMetric(judging: Judging, rule: GateRule, level: number): MetricPlan | null {
  const { metric } = rule;
  const column = judging.head.column(metric);
  const present = scoredExamples(column);
  if (present.length === 0) return null;
  const mean = meanOf(pick(column.mean, present));
  const limit = allowedChange(rule, mean);
  const direction = judging.direction(metric) === "lower" ? "lower" : "higher";
  const good = direction === "higher" ? mean : 1 - mean;
  const noise = measure(judging, metric, present, good);
  const repeats = Math.max(1, ...present.map((e) => column.scored[e]!));
  const criterion = { limit, isStrict: false, level };
  const n = present.length;
  const pools = REPEATS.map((times) => ({ repeats: times, pool: poolOfNoise(noise, times) }));
  const noticed =
    n < FEWEST_PAIRS ? null : detectableFall(poolOfNoise(noise, repeats), n, criterion);
  return {
    metric,
    direction,
    mean,
    limit,
    examples: n,
    repeats,
    notices: noticed === null ? null : roundFall(noticed),
    measured: noise.measured,
    clusters: noise.clusters,
    scatters: noise.clusters !== 1 && (noise.within > 0 || noise.good !== null),
    falls: FALLS.map((share) => share * scaleOf(column)).map((fall) => ({
      fall,
      needs: pools.map(({ repeats: times, pool }) => ({
        repeats: times,
        examples:
          fall <= limit || (noise.within === 0 && noise.good === null)
            ? null
            : fewestUnits(pool, fall, criterion),
      })),
    })),
  };
}

/** 1 for values within 0…1, else the observed range. */
function scaleOf({ extent: [low, high] }: MetricColumn): number {
  return low >= 0 && high <= 1 ? 1 : high - low || 1;
}

/** Estimates the noise of a metric; `good`: its mean, turned so that more is better. */
function measure(judging: Judging, metric: string, present: Int32Array, good: number): Noise {
  const column = judging.head.column(metric);
  const { squares, freedom } = repeatsSpread(judging, metric, present);
  const own = freedom > 0 ? squares / freedom : 0;
  const largest = column.binary ? good : Infinity;
  const { clusterOf } = judging;
  const { scatter, clusters } = estimateMean(
    pick(column.mean, present),
    clusterOf === null ? null : pick(clusterOf, present),
  );
  const spread = (scatter?.se ?? 0) ** 2 * present.length;
  if (clusters !== null) {
    // The means of repeats already contain part of their noise.
    const held = meanOf(Float64Array.from(present, (e) => 1 / column.scored[e]!));
    const within = clusters === 1 ? 0 : spread + own * (1 - held);
    return { within, measured: false, good: null, largest, clusters };
  }
  const alone = { good: column.binary ? good : null, largest, clusters: null };
  // Fewer would make the estimate itself too noisy.
  if (freedom >= FEWEST_PAIRS) return { ...alone, within: own, measured: true };
  return { ...alone, within: spread, measured: false };
}

/**
 * How far the runs of an example scatter around their mean, over all examples. Those of a baseline
 * are further runs of the same: an unchanged agent is what the noise is of.
 */
function repeatsSpread(
  judging: Judging,
  metric: string,
  present: Int32Array,
): { readonly squares: number; readonly freedom: number } {
  const { head, base } = judging;
  const column = head.column(metric);
  const before = new Map<number, number>();
  base?.shared.head.forEach((e, at) => {
    before.set(e, base.shared.base[at]!);
  });
  let [squares, freedom] = [0, 0];
  for (const e of present) {
    const other = before.get(e);
    const values = [
      ...valuesOf(head.table, column, [e]),
      ...(other === undefined ? [] : valuesOf(base!.table, base!.column(metric), [other])),
    ];
    const mean = meanOf(values);
    for (const value of values) squares += (value - mean) ** 2;
    freedom += values.length - 1;
  }
  return { squares, freedom };
}

/** The agent with this noise, run equally often on both sides, as a drop gate would see it. */
function poolOfNoise({ within, good, largest }: Noise, repeats: number): Pool {
  const random = createSeededRandom(SEED);
  const isMarks = good !== null && good > 0;
  const draw = isMarks
    ? (): number[] => drawMarks({ good, within, rows: 2 * repeats }, random)
    : (): number[] => Array.from({ length: 2 * repeats }, () => Math.sqrt(within) * normal(random));
  const values = Float64Array.from(Array.from({ length: MAX_PAIRS }, draw).flat());
  const pairs = alonePairs(values, 2 * repeats, repeats);
  return createPool(pairs, isMarks, isMarks ? {} : { largest });
}

/** Runs of examples with individual pass rates, so that single runs scatter by `within` around them (Pólya's urn). */
function drawMarks(
  { good, within, rows }: { readonly good: number; readonly within: number; readonly rows: number },
  random: () => number,
): number[] {
  const all = good * (1 - good);
  // If all of the spread is noise, every example has the same rate.
  const weight = within >= all * (1 - 1e-9) ? Infinity : within / (all - within);
  const values: number[] = [];
  let hits = 0;
  for (let k = 0; k < rows; k++) {
    const rate = weight === Infinity ? good : (good * weight + hits) / (weight + k);
    const value = Number(random() < rate);
    hits += value;
    values.push(value);
  }
  return values;
}

/** A standard normal number (Box and Muller 1958). */
const normal = (random: () => number): number =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
