import { createSeededRandom, mcnemar, shareBelow } from "./chance.ts";
import { FEWEST_PAIRS } from "./comparison.ts";
import { type Allowed, isBeyond } from "./decision.ts";
import { normalCdf } from "./distribution.ts";
import { meanOf } from "./interval.ts";
import { quantileOf } from "./metric.ts";
import { readSides } from "./pairing.ts";
import { createPairs, type Pairs, type Pool } from "./pool.ts";

/** The share of runs that find a real drop of the stated size. */
const POWER = 0.8;
/** Relative precision of a stated drop, well within the error of the draws. */
const CLOSE = 0.01;
/** A drop 2^40 times as large as the noise is larger than any metric: it will not be found. */
const MAX_DOUBLINGS = 40;
/** Runs drawn of an unchanged agent: the power has an error of 2.8 points. */
const RUNS = 200;
/** Runs drawn for a quantile, which are sorted at every step: the power has an error of 4.5 points. */
const QUANTILE_RUNS = 80;
/** Units drawn per run: with more units, the run's standard error shrinks with the root of their number. */
const MAX_UNITS = 200;
/** Below every level that a family of gates has. */
const NEGLIGIBLE = 1e-6;
/** Seed of every drawn run, with its number added. */
const SEED = 20261127;
/** Sign patterns drawn for a p-value of few clusters: at 5 % the error is one point. */
const FLIPS = 512;

/** More examples than anybody runs: larger numbers are not stated. */
const MAX_EXAMPLES = 1_000_000;

/** What a rule requires of a run. */
export interface Criterion extends Pick<Allowed, "limit" | "isStrict"> {
  /** The own p below which a hypothesis is significant. */
  readonly level: number;
}

/** One run of an unchanged agent, drawn once for all drops that are tried. */
interface DrawnRun extends Pairs {
  /** For marks: a random number for each pair and each of this run's values, which decides what a drop breaks. */
  readonly chances: Float64Array;
}

/** Draws runs: resamples units and deals their labels. */
function drawRuns(pool: Pool, units: number): DrawnRun[] {
  const count = Math.min(units, MAX_UNITS);
  const room = createPairs(count, count * pool.most.pairs, count * pool.most.values);
  const chances = new Float64Array(pool.marks === null ? 0 : room.head.length + room.values.length);
  return Array.from({ length: pool.quantile === null ? RUNS : QUANTILE_RUNS }, (_, at) =>
    drawRun(pool, { ...room, chances }, createSeededRandom(SEED + at)),
  );
}

function drawRun(pool: Pool, room: DrawnRun, random: () => number): DrawnRun {
  const { values, start, head, weight, first } = pool.pairs;
  let [pair, to, lot] = [0, 0, 0];
  for (let k = 1; k < room.first.length; k++) {
    const unit = Math.floor(random() * (first.length - 1));
    for (let from = first[unit]!; from < first[unit + 1]!; from++) {
      const begin = to;
      for (let i = start[from]!; i < start[from + 1]!; i++) room.values[to++] = values[i]!;
      if (pool.seen === null) shuffle(room.values, begin, to, random);
      if (pool.marks !== null)
        for (let i = -1; i < head[from]!; i++) room.chances[lot++] = random();
      room.head[pair] = head[from]!;
      room.weight[pair] = weight[from]!;
      room.start[++pair] = to;
    }
    room.first[k] = pair;
  }
  return {
    values: room.values.slice(0, to),
    start: room.start.slice(0, pair + 1),
    head: room.head.slice(0, pair),
    weight: room.weight.slice(0, pair),
    first: room.first.slice(),
    chances: room.chances.slice(0, lot),
  };
}

function shuffle(values: Float64Array, from: number, to: number, random: () => number): void {
  for (let k = to - 1; k > from; k--) {
    const at = from + Math.floor(random() * (k - from + 1));
    const value = values[k]!;
    values[k] = values[at]!;
    values[at] = value;
  }
}

/**
 * Fills `values` with the run made worse by a drop: values fall equally; a mark breaks in all runs
 * of its example, or in single ones.
 */
function worsen({ marks, seen }: Pool, run: DrawnRun, fall: number, values: Float64Array): void {
  const { start, head, chances } = run;
  values.set(run.values);
  const broken = marks === null || marks.good === 0 ? 0 : fall / marks.good;
  const whole = broken * (1 - (marks?.withinShare ?? 0));
  const each = whole >= 1 ? 1 : (broken - whole) / (1 - whole);
  for (let pair = 0, lot = 0; pair < head.length; pair++) {
    const isBroken = marks !== null && chances[lot++]! < whole;
    for (let i = start[pair]!; i < start[pair]! + head[pair]!; i++) {
      if (marks === null) values[i]! -= fall + (seen ?? 0);
      else if (chances[lot++]! < each || isBroken) values[i] = 0;
    }
  }
}

/** For runs of an agent: the change that each shows, its standardised difference, and its p-value. */
interface Simulated {
  readonly change: Float64Array;
  readonly z: Float64Array;
  /** Zeros if there are more units than are drawn. */
  readonly chance: Float64Array;
}

/** Evaluates the drawn runs with this run's side made worse by a drop. */
function simulate(pool: Pool, runs: readonly DrawnRun[], fall: number, units: number): Simulated {
  const [change, z, chance] = [0, 1, 2].map(() => new Float64Array(runs.length)) as [
    Float64Array,
    Float64Array,
    Float64Array,
  ];
  // One array of each for all runs: new ones would stay in memory until collected.
  const values = new Float64Array(Math.max(...runs.map((run) => run.values.length)));
  const sums = new Float64Array(Math.min(units, MAX_UNITS));
  for (const [at, run] of runs.entries()) {
    worsen(pool, run, fall, values);
    const moved = pool.quantile === null ? null : clipToWindow(run, values, pool.quantile);
    const { total, size, variance } = addUp(run, values, sums, pool.seen !== null);
    change[at] = moved ?? total / size;
    z[at] = variance === 0 ? 0 : total / Math.sqrt(variance);
    if (units > MAX_UNITS) continue;
    if (pool.marks !== null) chance[at] = chanceOfMarks(run, values, sums, z[at]!);
    // Drawing units that keep their labels took one number each.
    else if (pool.seen !== null)
      chance[at] = chanceByFlips(sums, total, createSeededRandom(SEED + at, sums.length));
    else chance[at] = normalCdf(z[at]!);
  }
  return { change, z, chance };
}

/** Differences of means by unit, and their exchange variance; for clusters that keep their labels, as a whole. */
function addUp(
  { start, head, weight, first }: Pairs,
  values: Float64Array,
  sums: Float64Array,
  isWhole: boolean,
): { readonly total: number; readonly size: number; readonly variance: number } {
  let total = 0;
  let size = 0;
  let variance = 0;
  for (let unit = 0; unit < sums.length; unit++) {
    let sum = 0;
    for (let pair = first[unit]!; pair < first[unit + 1]!; pair++) {
      const from = start[pair]!;
      const to = start[pair + 1]!;
      const own = head[pair]!;
      let mine = 0;
      let others = 0;
      let squares = 0;
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
  return { total, size, variance };
}

/** The change of the quantile; clips the values to the window that it may be in. */
function clipToWindow(run: Pairs, values: Float64Array, q: number): number {
  const used = values.subarray(0, run.values.length);
  const { own, window } = readSides({ ...run, values: used }, q);
  for (let i = 0; i < used.length; i++)
    used[i] = Math.min(window[1], Math.max(window[0], used[i]!));
  return quantileOf(own[0], q) - quantileOf(own[1], q);
}

/**
 * McNemar's p for single marks; few varying examples cannot show less than the probability that
 * all failures are on one side.
 */
function chanceOfMarks(
  { start, head }: Pairs,
  values: Float64Array,
  sums: Float64Array,
  z: number,
): number {
  let [worse, better, least, isSingle] = [0, 0, 0.5, true];
  for (let pair = 0; pair < sums.length; pair++) {
    const [rows, own] = [start[pair + 1]! - start[pair]!, head[pair]!];
    if (sums[pair]! < 0) worse++;
    else if (sums[pair]! > 0) better++;
    if (own !== 1 || rows !== 2) isSingle = false;
    let bad = rows;
    for (let i = start[pair]!; i < start[pair + 1]!; i++) bad -= values[i]!;
    for (let f = 0; f < bad && bad < rows && least > NEGLIGIBLE; f++)
      least *= Math.max(0, own - f) / (rows - f) || 1;
  }
  return isSingle ? mcnemar(worse, better) : Math.max(least, normalCdf(z));
}

/** How often random signs of whole clusters make their sum as low, counting ties half. */
function chanceByFlips(sums: Float64Array, total: number, random: () => number): number {
  const draws = new Float64Array(FLIPS);
  for (let draw = 0; draw < FLIPS; draw++)
    for (let unit = 0; unit < sums.length; unit++)
      draws[draw]! += random() < 0.5 ? sums[unit]! : -sums[unit]!;
  return shareBelow(draws, total, 0);
}

/** How many times as many units there are as are drawn. */
const scaleOf = (units: number): number => units / Math.min(units, MAX_UNITS);

/** How often runs of so many units fail the rule; the draws may have fewer units. */
function shareFound({ change, z, chance }: Simulated, units: number, criterion: Criterion): number {
  // With more units than were drawn, the mean stays and the standard error shrinks with the root of their number.
  const scale = Math.sqrt(scaleOf(units));
  const [meanChange, meanZ] = [meanOf(change), meanOf(z)];
  let found = 0;
  for (let run = 0; run < z.length; run++) {
    const p = scale === 1 ? chance[run]! : normalCdf(meanZ * scale + (z[run]! - meanZ));
    const moved = meanChange + (change[run]! - meanChange) / scale;
    if (p < criterion.level && isBeyond(criterion, moved)) found++;
  }
  return found / z.length;
}

/** The smallest drop that the rule finds in 8 of 10 runs; null if it finds none that often. */
export function detectableFall(pool: Pool, units: number, criterion: Criterion): number | null {
  const runs = drawRuns(pool, units);
  const reaches = (fall: number): boolean =>
    shareFound(simulate(pool, runs, fall, units), units, criterion) >= POWER;
  const most = pool.largest;
  const { change } = simulate(pool, runs, 0, units);
  const scatter = Math.sqrt(meanOf(change.map((one) => one * one)) / scaleOf(units));
  // Equal marks can still break.
  const step = 2 * scatter || (most < Infinity ? most : 0);
  if (step === 0) return null;
  let [low, high] = [0, Math.min(most, criterion.limit + step)];
  let isFound = reaches(high);
  for (let i = 0; i < MAX_DOUBLINGS && high < most && !isFound; i++) {
    [low, high] = [high, Math.min(most, 2 * high)];
    isFound = reaches(high);
  }
  if (!isFound) return null;
  while (high - low > CLOSE * high) {
    const middle = (low + high) / 2;
    if (reaches(middle)) high = middle;
    else low = middle;
  }
  return high;
}

/** How many units it takes to find a drop in 8 of 10 runs; null if a million are not enough. */
export function fewestUnits(pool: Pool, fall: number, criterion: Criterion): number | null {
  const drawn = (units: number): Simulated => simulate(pool, drawRuns(pool, units), fall, units);
  const large = drawn(MAX_EXAMPLES);
  const isEnough = (units: number): boolean =>
    shareFound(units > MAX_UNITS ? large : drawn(units), units, criterion) >= POWER;
  if (!isEnough(MAX_EXAMPLES)) return null;
  let [low, high] = [FEWEST_PAIRS - 1, MAX_EXAMPLES];
  while (high - low > Math.max(1, high / 100)) {
    const middle = Math.floor((low + high) / 2);
    if (isEnough(middle)) high = middle;
    else low = middle;
  }
  return high;
}
