import { createSeededRandom, mcnemar, shareBelow } from "./chance.ts";
import { type Comparison, FEWEST_PAIRS } from "./comparison.ts";
import { isBeyond } from "./decision.ts";
import { normalCdf } from "./distribution.ts";
import { meanOf } from "./interval.ts";
import { quantileOf } from "./metric.ts";
import { nthSmallest, sortFew } from "./selection.ts";

/** Share of real falls that a stated fall is found with. */
const POWER = 0.8;
/** A stated fall is this exact, relative to itself: far within the error of the draws. */
const CLOSE = 0.01;
/** Runs drawn of an unchanged agent, whose power then has an error of 2.8 points. */
const RUNS = 200;
/** Runs drawn of a quantile, which are sorted at every step: their power has an error of 4.5 points. */
const QUANTILE_RUNS = 80;
/** Units drawn for a run: beyond it a run's chance shrinks with the root of their number. */
const MOST_UNITS = 200;
/** Pairs that runs are drawn from, spread over all: the spread of so many is right to a good percent. */
export const MOST_PAIRS = 4000;
/** Of every drawn run, with its number added. */
const SEED = 20261127;
/** Of the marks' variance, how much is within examples where worse agents break some for good, and where all waver. */
const [BREAKS, WAVERS] = [1 / 3, 2 / 3] as const;
/** Sign patterns of few clusters that are drawn for a chance: at 5 % their error is a point. */
const FLIPS = 512;

/** What a rule asks of a run. */
export interface Bar {
  readonly limit: number;
  /** Whether a fall of exactly the limit is too much. */
  readonly isStrict: boolean;
  /** The chance that a question has to be under by itself. */
  readonly level: number;
}

/** Values of an example on both sides, this run's first; turned so that more is better. */
export interface Pair {
  readonly values: readonly number[];
  /** How many are this run's. */
  readonly head: number;
  /** How many examples it represents. */
  readonly weight: number;
}

/** Pairs one after the other: where each one's values start, and where each unit's pairs do. */
interface Pairs {
  readonly values: Float64Array;
  readonly start: Int32Array;
  readonly head: Int32Array;
  readonly weight: Float64Array;
  /** Units are examples, or clusters of them, that are drawn as one. */
  readonly first: Int32Array;
}

/** An unchanged agent: what runs of it are drawn from. */
export interface Pool {
  readonly pairs: Pairs;
  /** The most pairs, and the most values, that a unit has. */
  readonly most: { readonly pairs: number; readonly values: number };
  /** Of pass marks, how many are good, and how a worse agent loses them; else null. */
  readonly marks: { readonly good: number; readonly wavering: number } | null;
  readonly quantile: number | null;
  /** Of clusters that keep their labels, the change that was seen; else null: labels are dealt anew. */
  readonly seen: number | null;
}

function createPairs(units: number, pairs: number, values: number): Pairs {
  return {
    values: new Float64Array(values),
    start: new Int32Array(pairs + 1),
    head: new Int32Array(pairs),
    weight: new Float64Array(pairs),
    first: new Int32Array(units + 1),
  };
}

/** Makes a pool of units; of pass marks it learns how a worse agent fails. */
export function createPool(
  units: readonly (readonly Pair[])[],
  isMarks: boolean,
  { quantile = null, seen = null }: Partial<Pick<Pool, "quantile" | "seen">> = {},
): Pool {
  const sizes = units.map((unit) => unit.reduce((sum, { values }) => sum + values.length, 0));
  const add = (sum: number, one: number): number => sum + one;
  const pairs = createPairs(
    units.length,
    units.map(({ length }) => length).reduce(add, 0),
    sizes.reduce(add, 0),
  );
  let [pair, at] = [0, 0];
  for (const [unit, all] of units.entries()) {
    for (const { values, head, weight } of all) {
      pairs.values.set(values, at);
      pairs.head[pair] = head;
      pairs.weight[pair] = weight;
      pairs.start[++pair] = at += values.length;
    }
    pairs.first[unit + 1] = pair;
  }
  const longest = (counts: readonly number[]): number =>
    counts.reduce((most, one) => Math.max(most, one), 0);
  const most = { pairs: longest(units.map(({ length }) => length)), values: longest(sizes) };
  return { pairs, most, marks: isMarks ? learnMarks(units.flat()) : null, quantile, seen };
}

function learnMarks(pairs: readonly Pair[]): Pool["marks"] {
  const rates = pairs.map(({ values }) => meanOf(values));
  const good = meanOf(rates);
  const within = meanOf(
    rates.map((rate, at) => {
      const rows = pairs[at]!.values.length;
      return (rate * (1 - rate) * rows) / (rows - 1);
    }),
  );
  const all = good * (1 - good);
  // Marks that are all alike do not say whether a worse agent breaks examples or single runs; those take more.
  const share = all === 0 ? 1 : within / all;
  const wavering = Math.min(1, Math.max(0, (share - BREAKS) / (WAVERS - BREAKS)));
  return { good, wavering };
}

/** The unchanged agent that a comparison shows: its examples drawn anew, their labels exchanged. */
export function poolOf(comparison: Comparison): Pool {
  const { column, clusterOf, quantile, binary, change } = comparison;
  if (quantile === null && clusterOf !== null)
    return createPool(sumClusters(column.differences, clusterOf), false);
  const units = readUnits(comparison);
  if (quantile === null) return createPool(units, binary);
  return createPool(units, false, {
    quantile: column.sign === 1 ? quantile : 1 - quantile,
    seen: clusterOf === null ? null : change,
  });
}

/** Clusters change their sign as a whole, like a pair of their mean change and none. */
function sumClusters(differences: Float64Array, clusterOf: Float64Array): Pair[][] {
  const sums = new Map<number, { total: number; size: number }>();
  for (let i = 0; i < differences.length; i++) {
    const one = sums.get(clusterOf[i]!) ?? { total: 0, size: 0 };
    one.total += differences[i]!;
    one.size++;
    sums.set(clusterOf[i]!, one);
  }
  return [...sums.values()].map(({ total, size }) => [
    { values: [total / size, 0], head: 1, weight: size },
  ]);
}

/** The pairs of each example or cluster, in the order of their values: the names of the examples decide nothing. */
function readUnits({ column, rows, binary, clusterOf }: Comparison): Pair[][] {
  const { pairing, differences, sign } = column;
  const turn = (value: number): number => (binary && sign === -1 ? 1 - value : sign * value);
  const n = differences.length;
  const many = Math.min(n, MOST_PAIRS);
  const units = new Map<number, Pair[]>();
  for (let at = 0; at < many; at++) {
    const pair = Math.floor((at * n) / many);
    const values: number[] = [];
    let head = 1;
    // pass^k has one value an example.
    if (rows === null) values.push(differences[pair]!, 0);
    else
      for (const side of ["head", "base"] as const) {
        for (const row of pairing.rowsOf(side, pair))
          if (!Number.isNaN(rows[side][row]!)) values.push(turn(rows[side][row]!));
        if (side === "head") head = values.length;
      }
    const unit = units.get(clusterOf?.[pair] ?? pair);
    const one = { values, head, weight: 1 };
    if (unit === undefined) units.set(clusterOf?.[pair] ?? pair, [one]);
    else unit.push(one);
  }
  const compare = (a: Pair, b: Pair): number => {
    const at = a.values.findIndex((value, k) => value !== b.values[k]);
    return at === -1 ? 0 : a.values[at]! - (b.values[at] ?? 0);
  };
  return [...units.values()]
    .map((unit) => unit.sort(compare))
    .sort((a, b) => compare(a[0]!, b[0]!));
}

/** Draws units anew, deals their labels, and lets this run's side get worse by a fall; returns how many pairs. */
function drawRun(pool: Pool, run: Pairs, fall: number, random: () => number): number {
  const { values, start, head, weight, first } = pool.pairs;
  const worsen = worsenBy(pool, fall, random);
  let [pair, to] = [0, 0];
  for (let k = 1; k < run.first.length; k++) {
    const unit = Math.floor(random() * (first.length - 1));
    for (let from = first[unit]!; from < first[unit + 1]!; from++) {
      const begin = to;
      for (let i = start[from]!; i < start[from + 1]!; i++) run.values[to++] = values[i]!;
      if (pool.seen === null) shuffle(run.values, begin, to, random);
      worsen(run.values, begin, begin + head[from]!);
      run.head[pair] = head[from]!;
      run.weight[pair] = weight[from]!;
      run.start[++pair] = to;
    }
    run.first[k] = pair;
  }
  return pair;
}

function shuffle(values: Float64Array, from: number, to: number, random: () => number): void {
  for (let k = to - 1; k > from; k--) {
    const at = from + Math.floor(random() * (k - from + 1));
    const value = values[k]!;
    values[k] = values[at]!;
    values[at] = value;
  }
}

/** Values fall alike; a mark breaks for good in all runs of its example, or in each by itself. */
function worsenBy(
  { marks, seen }: Pool,
  fall: number,
  random: () => number,
): (values: Float64Array, from: number, to: number) => void {
  if (marks === null)
    return (values, from, to) => {
      for (let i = from; i < to; i++) values[i]! -= fall + (seen ?? 0);
    };
  const broken = marks.good === 0 ? 0 : fall / marks.good;
  const whole = broken * (1 - marks.wavering);
  const each = whole >= 1 ? 1 : (broken - whole) / (1 - whole);
  return (values, from, to) => {
    const isBroken = random() < whole;
    for (let i = from; i < to; i++) if (random() < each || isBroken) values[i] = 0;
  };
}

/** Of runs of an agent the change that each shows, its difference over its deviation, and the chance of that. */
interface Simulated {
  readonly change: Float64Array;
  readonly z: Float64Array;
  /** Of no more units than are drawn. */
  readonly chance: Float64Array;
}

function simulate(pool: Pool, fall: number, units: number): Simulated {
  const count = Math.min(units, MOST_UNITS);
  const run = createPairs(count, count * pool.most.pairs, count * pool.most.values);
  const runs = pool.quantile === null ? RUNS : QUANTILE_RUNS;
  const [change, z, chance] = [
    new Float64Array(runs),
    new Float64Array(runs),
    new Float64Array(runs),
  ];
  for (let at = 0; at < runs; at++) {
    const random = createSeededRandom(SEED + at);
    const pairs = drawRun(pool, run, fall, random);
    const moved = pool.quantile === null ? null : clipToWindow(run, pairs, pool.quantile);
    const { total, size, variance, sums } = addUp(run, pool.seen !== null);
    change[at] = moved ?? total / size;
    z[at] = variance === 0 ? 0 : total / Math.sqrt(variance);
    if (units > MOST_UNITS) continue;
    if (pool.marks !== null) chance[at] = chanceOfMarks(run, sums, z[at]!);
    else if (pool.seen !== null) chance[at] = chanceByFlips(sums, total, random);
    else chance[at] = normalCdf(z[at]!);
  }
  return { change, z, chance };
}

/** Differences of means by unit, and their exchange variance: of clusters that keep their labels as a whole. */
function addUp({ values, start, head, weight, first }: Pairs, isWhole: boolean) {
  const sums = new Float64Array(first.length - 1);
  let [total, size, variance] = [0, 0, 0];
  for (let unit = 0; unit < sums.length; unit++) {
    let sum = 0;
    for (let pair = first[unit]!; pair < first[unit + 1]!; pair++) {
      const [from, to, own] = [start[pair]!, start[pair + 1]!, head[pair]!];
      let [mine, others, squares] = [0, 0, 0];
      for (let i = from; i < from + own; i++) mine += values[i]!;
      for (let i = from + own; i < to; i++) others += values[i]!;
      const rows = to - from;
      const mean = (mine + others) / rows;
      for (let i = from; i < to; i++) squares += (values[i]! - mean) ** 2;
      sum += weight[pair]! * (mine / own - others / (rows - own));
      size += weight[pair]!;
      if (!isWhole)
        variance += (weight[pair]! ** 2 * squares * (1 / own + 1 / (rows - own))) / (rows - 1);
    }
    sums[unit] = sum;
    total += sum;
    if (isWhole) variance += sum * sum;
  }
  return { total, size, variance, sums };
}

/** The change of the quantile; the values are clipped to the window in which it may lie. */
function clipToWindow({ values, start, head }: Pairs, pairs: number, q: number): number {
  const sizes = [0, 0];
  for (let pair = 0; pair < pairs; pair++) {
    sizes[0]! += head[pair]!;
    sizes[1]! += start[pair + 1]! - start[pair]! - head[pair]!;
  }
  // Of each side its own values, and as many of the lowest and of the highest of each pair.
  const [own, lowest, highest] = [0, 1, 2].map(() => sizes.map((size) => new Float64Array(size)));
  const sorted = values.slice(0, start[pairs]);
  const filled = [0, 0];
  for (let pair = 0; pair < pairs; pair++) {
    const [from, to] = [start[pair]!, start[pair + 1]!];
    sortFew(sorted, from, to);
    for (let side = 0, at = from; side < 2; side++) {
      const size = side === 0 ? head[pair]! : to - from - head[pair]!;
      for (let k = 0; k < size; k++) {
        const place = filled[side]!++;
        own![side]![place] = values[at++]!;
        lowest![side]![place] = sorted[from + k]!;
        highest![side]![place] = sorted[to - size + k]!;
      }
    }
  }
  const quantiles = (sides: Float64Array[]): number[] =>
    sides.map((one) => {
      // In their places are the two that it is between.
      const below = Math.floor((one.length - 1) * q);
      nthSmallest(one, below);
      nthSmallest(one.subarray(below + 1), 0);
      return quantileOf(one, q);
    });
  const [now, before] = quantiles(own!) as [number, number];
  const [low, high] = [Math.min(...quantiles(lowest!)), Math.max(...quantiles(highest!))];
  for (let i = 0; i < sorted.length; i++) values[i] = Math.min(high, Math.max(low, values[i]!));
  return now - before;
}

/** McNemar's of single marks; few examples that vary cannot show less than the chance of all failures on one side. */
function chanceOfMarks({ values, start, head }: Pairs, sums: Float64Array, z: number): number {
  let [worse, better, least, isSingle] = [0, 0, 0.5, true];
  for (let pair = 0; pair < sums.length; pair++) {
    const [rows, own] = [start[pair + 1]! - start[pair]!, head[pair]!];
    if (sums[pair]! < 0) worse++;
    else if (sums[pair]! > 0) better++;
    if (own === 1 && rows === 2) continue;
    isSingle = false;
    let bad = rows;
    for (let i = start[pair]!; i < start[pair + 1]!; i++) bad -= values[i]!;
    for (let f = 0; f < bad && bad < rows && least > 1e-6; f++)
      least *= Math.max(0, own - f) / (rows - f) || 1;
  }
  return isSingle ? mcnemar(worse, better) : Math.max(least, normalCdf(z));
}

/** How often the signs of whole clusters make their sum as low, ties half. */
function chanceByFlips(sums: Float64Array, total: number, random: () => number): number {
  const draws = new Float64Array(FLIPS);
  for (let draw = 0; draw < FLIPS; draw++)
    for (let unit = 0; unit < sums.length; unit++)
      draws[draw]! += random() < 0.5 ? sums[unit]! : -sums[unit]!;
  return shareBelow(draws, total, 0);
}

/** How many times the units that are drawn. */
const scaleOf = (units: number): number => units / Math.min(units, MOST_UNITS);

/** How often runs of so many units fail the rule, where they were drawn of as many or of fewer. */
function shareFound({ change, z, chance }: Simulated, units: number, bar: Bar): number {
  // More units than were drawn: the mean stays, chance shrinks with the root of their number.
  const scale = Math.sqrt(scaleOf(units));
  const [meanChange, meanZ] = [meanOf(change), meanOf(z)];
  let found = 0;
  for (let run = 0; run < z.length; run++) {
    const p = scale === 1 ? chance[run]! : normalCdf(meanZ * scale + (z[run]! - meanZ));
    const moved = meanChange + (change[run]! - meanChange) / scale;
    if (p < bar.level && isBeyond(bar, moved)) found++;
  }
  return found / z.length;
}

/** The smallest fall that the rule finds in 8 of 10 runs; null where it finds none that often. */
export function detectableFall(pool: Pool, units: number, bar: Bar): number | null {
  const reaches = (fall: number): boolean =>
    shareFound(simulate(pool, fall, units), units, bar) >= POWER;
  const most = pool.marks?.good ?? Infinity;
  const { change } = simulate(pool, 0, units);
  const scatter = Math.sqrt(meanOf(change.map((one) => one * one)) / scaleOf(units));
  // Marks that are all alike can still break.
  const step = 2 * scatter || (most < Infinity ? most : 0);
  if (step === 0) return null;
  let [low, high] = [0, Math.min(most, bar.limit + step)];
  for (let i = 0; i < 40 && high < most && !reaches(high); i++)
    [low, high] = [high, Math.min(most, 2 * high)];
  if (!reaches(high)) return null;
  while (high - low > CLOSE * high) {
    const middle = (low + high) / 2;
    if (reaches(middle)) high = middle;
    else low = middle;
  }
  return high;
}

/** How many units it takes to find a fall in 8 of 10 runs; null where `most` do not. */
export function fewestUnits(pool: Pool, fall: number, bar: Bar, most: number): number | null {
  const large = simulate(pool, fall, most);
  const isEnough = (units: number): boolean => {
    const drawn = units > MOST_UNITS ? large : simulate(pool, fall, units);
    return shareFound(drawn, units, bar) >= POWER;
  };
  if (!isEnough(most)) return null;
  let [low, high] = [FEWEST_PAIRS - 1, most];
  while (high - low > Math.max(1, high / 100)) {
    const middle = Math.floor((low + high) / 2);
    if (isEnough(middle)) high = middle;
    else low = middle;
  }
  return high;
}
