import { estimateClusters } from "./cluster.ts";
import { normalCdf, normalQuantile, studentQuantile } from "./distribution.ts";
import { meanOf, quantile } from "./interval.ts";
import { clustersOfPairs, type Frame, poolsOf } from "./pairs.ts";
import { listPools, type Pool } from "./pool.ts";
import { type Sized, windowOfPools } from "./quantile-window.ts";
import { createSeededRandom } from "./random.ts";

/** Pairs that a power is worked out from; more would cost time and change nothing. Clusters need more of theirs. */
const [MOST_PAIRS, MOST_CLUSTERED] = [500, 2000] as const;
const SEED = 20261122;
/** Times that the pairs are drawn anew, to see how far the difference of the quantiles scatters. */
const RESAMPLES = 100;
/** How far proof and a change beyond the limit go together: 0 not at all, 1 as far as they can. Seen in simulations. */
const TOGETHER = 0.75;

/** One example as it may fall out: the values of this run, and those of the other. */
interface Drawn {
  readonly head: Float64Array;
  readonly base: Float64Array;
}

/** Two runs of an unchanged agent. */
interface Unchanged {
  readonly drawn: readonly Drawn[];
  /** The cluster of each; null where examples stand alone. */
  readonly clusterOf: Float64Array | null;
  readonly part: Part;
  /** How far the difference of their quantiles scatters, and what it is on average: few values seldom reach far out. */
  readonly error: number;
  readonly bias: number;
}

/** The pairs that are kept, of all there are. */
interface Part {
  readonly share: number;
  /** How much more than examples that stand alone the quantiles of all scatter, and what their window holds. */
  readonly design: { readonly quantiles: number; readonly window: number };
}

/**
 * The power of the test of a quantile when every run of the head is worse by one amount: the values seen, without the
 * shift seen, with labels as they may fall out. The fall must be proven and the quantiles differ by more than the limit.
 */
export function powerOfQuantile(
  frame: Frame,
  q: number,
): (fall: number, limit: number, level: number) => number {
  let unchanged: Unchanged | undefined;
  return (fall, limit, level) => {
    unchanged ??= drawUnchanged(frame, q);
    const proven = chanceOfProof(frame, unchanged, { q, fall, level });
    const { error, bias } = unchanged;
    const above = fall - frame.sign * bias - limit;
    const beyond = error === 0 ? Number(above > 0) : normalCdf(above / error);
    const apart = proven * beyond;
    return apart + TOGETHER * (Math.min(proven, beyond) - apart);
  };
}

/** How often the test of what the window holds proves a fall. */
function chanceOfProof(
  { sign, pairs }: Frame,
  { drawn, clusterOf, part }: Unchanged,
  { q, fall, level }: { readonly q: number; readonly fall: number; readonly level: number },
): number {
  const pools = drawn.map(({ head, base }) =>
    toSized({ head: head.map((value) => value - sign * fall), base }),
  );
  const [low, high] = windowOfPools(pools, q);
  const clip = (value: number): number => Math.min(high, Math.max(low, value));
  const changesBy = (shift: number): number[] =>
    drawn.map(
      ({ head, base }) =>
        sign * (meanOf(head.map((value) => clip(value - shift))) - meanOf(base.map(clip))),
    );
  const changes = changesBy(sign * fall);
  const mean = meanOf(changes);
  const spread = meanOf(changes.map((change) => (change - mean) ** 2));
  if (clusterOf !== null) {
    const { se: ofPart, df } = estimateClusters(changes, clusterOf);
    const alone = spread / changes.length;
    const se = part.share === 1 ? ofPart : Math.sqrt(alone * part.share * part.design.window);
    // Labels stay as they fell, so what this draw shows by chance is taken from what the fall shows.
    const shown = meanOf(changesBy(0)) - mean;
    if (se === 0) return Number(shown > 0);
    const critical = studentQuantile(1 - level, Math.max(1, df));
    return normalCdf((shown / se - critical) / Math.sqrt(1 + critical ** 2 / (2 * df)));
  }
  const exchanged = meanOf(pools.map(({ values, sizes }) => varianceOf(values.map(clip), sizes)));
  const shown = -mean * Math.sqrt(pairs.head.length);
  const needed = normalQuantile(1 - level) * Math.sqrt(exchanged);
  return spread === 0 ? Number(shown > needed) : normalCdf((shown - needed) / Math.sqrt(spread));
}

function drawUnchanged(frame: Frame, q: number): Unchanged {
  const random = createSeededRandom(SEED);
  const all = listPools(poolsOf({ ...frame, sign: 1 }));
  const clusters = clustersOfPairs(frame);
  // By their values, so that the names of examples do not matter.
  const order = all.map((_, at) => at).sort((a, b) => comparePools(all[a]!, all[b]!));
  const step = Math.max(1, all.length / (clusters === null ? MOST_PAIRS : MOST_CLUSTERED));
  const kept: number[] = [];
  for (let at = 0; at < order.length; at += step) kept.push(order[Math.floor(at)]!);
  const pools = kept.map((at) => all[at]!);
  const shift = quantile(Float64Array.from(pools, shiftOf).sort(), 0.5);
  const clusterOf = clusters === null ? null : Float64Array.from(kept, (at) => clusters[at]!);
  const drawn = pools.flatMap(({ values, head }) => {
    const alike = values.map((value, i) => (i < head ? value - shift : value));
    return clusterOf === null ? drawTwice(alike, head, random) : [splitAt(alike, head)];
  });
  const part = { share: kept.length / all.length, design: designOf(all, clusters, { drawn, q }) };
  const isWhole = part.share === 1;
  const size = pools.length;
  const seen = resample({ drawn, clusterOf: isWhole ? clusterOf : null, size, q });
  const scale = isWhole ? 1 : part.share * part.design.quantiles;
  const [error, bias] = [Math.sqrt(scale) * seen.error, scale * seen.bias];
  return { drawn, clusterOf, part, error, bias };
}

function designOf(
  all: readonly Pool[],
  clusterOf: Float64Array | null,
  { drawn, q }: { readonly drawn: readonly Drawn[]; readonly q: number },
): Part["design"] {
  if (clusterOf === null || drawn.length === all.length) return { quantiles: 1, window: 1 };
  const pairs = all.map(({ values, head }) => splitAt(values, head));
  const units = pairs.map((pair) => [pair]);
  const [ofHead, ofBase] = [quantileOf(units, "head", q), quantileOf(units, "base", q)];
  const [low, high] = windowOfPools(drawn.map(toSized), q);
  const above = (values: Float64Array, limit: number): number =>
    meanOf(values.map((value) => Number(value > limit)));
  const within = (values: Float64Array): number =>
    meanOf(values.map((value) => Math.min(high, Math.max(low, value))));
  const moves = pairs.map(({ head, base }) => above(head, ofHead) - above(base, ofBase));
  const changes = pairs.map(({ head, base }) => within(head) - within(base));
  return { quantiles: excessOf(moves, clusterOf), window: excessOf(changes, clusterOf) };
}

/** The variance of a mean over clusters, over that of as many values that stand alone. */
function excessOf(values: readonly number[], clusterOf: Float64Array): number {
  const mean = meanOf(values);
  const sums = new Map<number, number>();
  let alone = 0;
  values.forEach((value, at) => {
    const cluster = clusterOf[at]!;
    sums.set(cluster, (sums.get(cluster) ?? 0) + value - mean);
    alone += (value - mean) ** 2;
  });
  let together = 0;
  for (const sum of sums.values()) together += sum ** 2;
  return alone === 0 ? 1 : together / alone;
}

function comparePools(a: Pool, b: Pool): number {
  if (a.head !== b.head || a.values.length !== b.values.length)
    return a.head - b.head || a.values.length - b.values.length;
  for (let i = 0; i < a.values.length; i++)
    if (a.values[i] !== b.values[i]) return a.values[i]! - b.values[i]!;
  return 0;
}

function shiftOf({ values, head }: Pool): number {
  return meanOf(values.subarray(0, head)) - meanOf(values.subarray(head));
}

function splitAt(values: Float64Array, head: number): Drawn {
  return { head: values.slice(0, head), base: values.slice(head) };
}

/** An example with its labels drawn, and once more with those of the other end. */
function drawTwice(values: Float64Array, head: number, random: () => number): Drawn[] {
  for (let i = values.length - 1; i > 0; i--) {
    const other = Math.floor(random() * (i + 1));
    [values[i], values[other]] = [values[other]!, values[i]!];
  }
  const rest = values.length - head;
  return [splitAt(values, head), { head: values.slice(rest), base: values.slice(0, rest) }];
}

/** How the difference of the quantiles falls out when examples, or whole clusters, are drawn again and again. */
function resample({
  drawn,
  clusterOf,
  size,
  q,
}: Pick<Unchanged, "drawn" | "clusterOf"> & {
  /** Examples of one run. */
  readonly size: number;
  readonly q: number;
}): Pick<Unchanged, "error" | "bias"> {
  const units = new Map<number, Drawn[]>();
  drawn.forEach((one, at) => {
    const unit = clusterOf === null ? at : clusterOf[at]!;
    const members = units.get(unit);
    if (members === undefined) units.set(unit, [one]);
    else members.push(one);
  });
  const list = [...units.values()];
  const count = clusterOf === null ? size : list.length;
  const random = createSeededRandom(SEED + 1);
  const differences = Float64Array.from({ length: RESAMPLES }, () => {
    const picked = Array.from({ length: count }, () => list[Math.floor(random() * list.length)]!);
    return differenceOf(picked, q);
  });
  const mean = meanOf(differences);
  const error = Math.sqrt(meanOf(differences.map((value) => (value - mean) ** 2)));
  return { error, bias: mean - differenceOf(list, q) };
}

function differenceOf(units: readonly (readonly Drawn[])[], q: number): number {
  return quantileOf(units, "head", q) - quantileOf(units, "base", q);
}

function quantileOf(units: readonly (readonly Drawn[])[], side: keyof Drawn, q: number): number {
  let size = 0;
  for (const unit of units) for (const one of unit) size += one[side].length;
  const values = new Float64Array(size);
  let at = 0;
  for (const unit of units) {
    for (const one of unit) {
      values.set(one[side], at);
      at += one[side].length;
    }
  }
  return quantile(values.sort(), q);
}

function toSized({ head, base }: Drawn): Sized {
  const values = new Float64Array(head.length + base.length);
  values.set(head);
  values.set(base, head.length);
  return { values: values.sort(), sizes: [head.length, base.length] };
}

/** Variance of the difference of two means when labels are exchanged. */
function varianceOf(values: Float64Array, [head, base]: Sized["sizes"]): number {
  const mean = meanOf(values);
  let squares = 0;
  for (const value of values) squares += (value - mean) ** 2;
  return (squares / (values.length - 1)) * (1 / head + 1 / base);
}
