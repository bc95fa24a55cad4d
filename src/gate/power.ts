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

/** One run of an unchanged agent, drawn once for all drops that are tried; its first units are a run of fewer. */
interface DrawnRun extends Pairs {
  /** For marks: a random number for each pair and each of this run's values, which decides what a drop breaks. */
  readonly chances: Float64Array;
}

/** Draws runs: resamples units and deals their labels. */
function drawRuns(pool: Pool, units: number): DrawnRun[] {
  const count = Math.min(units, MAX_UNITS);
  const pairs = createPairs(count, count * pool.most.pairs, count * pool.most.values);
  const lots = pool.marks === null ? 0 : pairs.head.length + pairs.values.length;
  const room = { ...pairs, chances: new Float64Array(lots) };
  return Array.from({ length: pool.quantile === null ? RUNS : QUANTILE_RUNS }, (_, at) =>
    drawRun(pool, room, createSeededRandom(SEED + at)),
  );
}

function drawRun({ pairs, marks, seen }: Pool, room: DrawnRun, random: () => number): DrawnRun {
  const { values, start, head, weight, first } = pairs;
  let pair = 0;
  let to = 0;
  let lot = 0;
  for (let k = 1; k < room.first.length; k++) {
    const unit = Math.floor(random() * (first.length - 1));
    for (let from = first[unit]!; from < first[unit + 1]!; from++) {
      const begin = to;
      for (let i = start[from]!; i < start[from + 1]!; i++) room.values[to++] = values[i]!;
      if (seen === null) shuffle(room.values, begin, to, random);
      if (marks !== null) for (let i = -1; i < head[from]!; i++) room.chances[lot++] = random();
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

/** Runs with the room to evaluate one at a time: new arrays would stay in memory until collected. */
interface Sample {
  readonly pool: Pool;
  readonly runs: readonly DrawnRun[];
  /** The values of a run made worse, and what each of its units shows. */
  readonly values: Float64Array;
  readonly sums: Float64Array;
}

function createSample(pool: Pool, units: number): Sample {
  const runs = drawRuns(pool, units);
  const longest = Math.max(...runs.map((run) => run.values.length));
  const sums = new Float64Array(Math.min(units, MAX_UNITS));
  return { pool, runs, values: new Float64Array(longest), sums };
}

/**
 * Fills `values` with the run made worse by a drop: values fall equally; a mark breaks in all runs
 * of its example, or in single ones.
 */
function worsen({ pool, values }: Sample, run: DrawnRun, pairs: number, fall: number): void {
  const { marks, seen } = pool;
  const { start, head, chances } = run;
  values.set(run.values);
  const broken = marks === null || marks.good === 0 ? 0 : fall / marks.good;
  const whole = broken * (1 - (marks?.withinShare ?? 0));
  const each = whole >= 1 ? 1 : (broken - whole) / (1 - whole);
  const less = fall + (seen ?? 0);
  for (let pair = 0, lot = 0; pair < pairs; pair++) {
    const isBroken = marks !== null && chances[lot++]! < whole;
    for (let i = start[pair]!; i < start[pair]! + head[pair]!; i++) {
      if (marks === null) values[i]! -= less;
      else if (chances[lot++]! < each || isBroken) values[i] = 0;
    }
  }
}

/** What the first units of a run show: the change, the sum of their differences, and its exchange variance. */
interface Shown {
  /** The run's number. */
  readonly at: number;
  readonly units: number;
  readonly change: number;
  readonly total: number;
  readonly variance: number;
}

/** Evaluates the first units of a run with this run's side made worse by a drop. */
function evaluate(sample: Sample, at: number, units: number, fall: number): Shown {
  const { quantile } = sample.pool;
  const run = sample.runs[at]!;
  const pairs = run.first[units]!;
  worsen(sample, run, pairs, fall);
  const moved = quantile === null ? null : clipToWindow(sample.values, run, pairs, quantile);
  const { total, size, variance } = addUp(sample, run, units);
  return { at, units, change: moved ?? total / size, total, variance };
}

const standardise = ({ total, variance }: Shown): number =>
  variance === 0 ? 0 : total / Math.sqrt(variance);

/** Differences of means by unit, and their exchange variance; for clusters that keep their labels, as a whole. */
function addUp(
  { pool, values, sums }: Sample,
  { start, head, weight, first }: Pairs,
  units: number,
): { readonly total: number; readonly size: number; readonly variance: number } {
  const isWhole = pool.seen !== null;
  let total = 0;
  let size = 0;
  let variance = 0;
  for (let unit = 0; unit < units; unit++) {
    let sum = 0;
    for (let pair = first[unit]!; pair < first[unit + 1]!; pair++) {
      const from = start[pair]!;
      const to = start[pair + 1]!;
      const own = head[pair]!;
      const rows = to - from;
      const many = weight[pair]!;
      let mine = 0;
      let others = 0;
      for (let i = from; i < from + own; i++) mine += values[i]!;
      for (let i = from + own; i < to; i++) others += values[i]!;
      sum += many * (mine / own - others / (rows - own));
      size += many;
      if (isWhole) continue;
      const mean = (mine + others) / rows;
      let squares = 0;
      for (let i = from; i < to; i++) squares += (values[i]! - mean) * (values[i]! - mean);
      variance += (many * many * squares * (1 / own + 1 / (rows - own))) / (rows - 1);
    }
    sums[unit] = sum;
    total += sum;
    if (isWhole) variance += sum * sum;
  }
  return { total, size, variance };
}

/** The change of the quantile; clips the values to the window that it may be in. */
function clipToWindow(values: Float64Array, run: Pairs, pairs: number, q: number): number {
  const used = values.subarray(0, run.start[pairs]);
  const head = run.head.subarray(0, pairs);
  const { own, window } = readSides({ values: used, start: run.start, head }, q);
  for (let i = 0; i < used.length; i++)
    used[i] = Math.min(window[1], Math.max(window[0], used[i]!));
  return quantileOf(own[0], q) - quantileOf(own[1], q);
}

/** Whether the p-value of the run that was evaluated last is below a level. */
function isSignificant(sample: Sample, shown: Shown, level: number): boolean {
  const { pool, sums } = sample;
  const { at, units, total } = shown;
  if (pool.marks !== null) return isFallOfMarks(sample, shown, level);
  if (pool.seen === null) return normalCdf(standardise(shown)) < level;
  // Drawing units that keep their labels took one number each.
  const random = createSeededRandom(SEED + at, units);
  return chanceByFlips(sums.subarray(0, units), total, random) < level;
}

/** The same for marks, by McNemar's p if all are single. */
function isFallOfMarks(sample: Sample, shown: Shown, level: number): boolean {
  const { start, head } = sample.runs[shown.at]!;
  let worse = 0;
  let better = 0;
  let isSingle = true;
  for (let pair = 0; pair < shown.units; pair++) {
    if (sample.sums[pair]! < 0) worse++;
    else if (sample.sums[pair]! > 0) better++;
    if (head[pair] !== 1 || start[pair + 1]! - start[pair]! !== 2) isSingle = false;
  }
  if (isSingle) return mcnemar(worse, better) < level;
  return normalCdf(standardise(shown)) < level && canBeBelow(sample, shown, level);
}

/** Few varying examples cannot show less than the probability that all failures are on one side. */
function canBeBelow({ runs, values }: Sample, { at, units }: Shown, level: number): boolean {
  const { start, head } = runs[at]!;
  let least = 0.5;
  for (let pair = 0; pair < units && least > NEGLIGIBLE; pair++) {
    const own = head[pair]!;
    const rows = start[pair + 1]! - start[pair]!;
    let bad = rows;
    for (let i = start[pair]!; i < start[pair + 1]!; i++) bad -= values[i]!;
    for (let f = 0; f < bad && bad < rows && least > NEGLIGIBLE; f++)
      least *= Math.max(0, own - f) / (rows - f) || 1;
  }
  return least < level;
}

/** How often random signs of whole clusters make their sum as low, counting ties half. */
function chanceByFlips(sums: Float64Array, total: number, random: () => number): number {
  const draws = new Float64Array(FLIPS);
  for (let draw = 0; draw < FLIPS; draw++)
    for (let unit = 0; unit < sums.length; unit++)
      draws[draw]! += random() < 0.5 ? sums[unit]! : -sums[unit]!;
  return shareBelow(draws, total, 0);
}

/** Whether the rule fails 8 of 10 runs of at most MAX_UNITS units with a drop. */
function isFoundInFew(sample: Sample, units: number, fall: number, criterion: Criterion): boolean {
  const many = sample.runs.length;
  const needed = Math.ceil(POWER * many);
  let [found, missed] = [0, 0];
  // The runs after those that decide make no difference.
  for (let at = 0; found < needed && missed <= many - needed; at++) {
    const shown = evaluate(sample, at, units, fall);
    if (isBeyond(criterion, shown.change) && isSignificant(sample, shown, criterion.level)) found++;
    else missed++;
  }
  return found === needed;
}

/** For runs of an agent: the change that each shows, and its standardised difference. */
interface Simulated {
  readonly change: Float64Array;
  readonly z: Float64Array;
}

/** Evaluates all drawn runs whole. */
function simulate(sample: Sample, fall: number): Simulated {
  const { runs, sums } = sample;
  const change = new Float64Array(runs.length);
  const z = new Float64Array(runs.length);
  for (let at = 0; at < runs.length; at++) {
    const shown = evaluate(sample, at, sums.length, fall);
    change[at] = shown.change;
    z[at] = standardise(shown);
  }
  return { change, z };
}

/** How many times as many units there are as are drawn. */
const scaleOf = (units: number): number => units / Math.min(units, MAX_UNITS);

/** Runs of an unchanged agent, and the same made worse by a drop. */
interface Worsened {
  readonly fall: number;
  readonly unchanged: Simulated;
  readonly worse: Simulated;
}

/** Whether the rule fails 8 of 10 runs of more units than were drawn. */
function isFoundInMany(
  { fall, unchanged, worse: { change, z } }: Worsened,
  units: number,
  criterion: Criterion,
): boolean {
  // The mean stays and the standard error shrinks with the root of their number.
  const scale = Math.sqrt(scaleOf(units));
  const meanChange = meanOf(change);
  const meanZ = meanOf(z);
  // That mean is the drop. What these draws show by chance would not shrink, so it is left out.
  const shown = meanOf(unchanged.change) - meanChange;
  const expectedZ = shown === 0 ? 0 : ((meanZ - meanOf(unchanged.z)) * fall) / shown;
  let found = 0;
  for (let run = 0; run < z.length; run++) {
    const moved = (change[run]! - meanChange) / scale - fall;
    if (!isBeyond(criterion, moved)) continue;
    if (normalCdf(expectedZ * scale + (z[run]! - meanZ)) < criterion.level) found++;
  }
  return found / z.length >= POWER;
}

/** The smallest drop that the rule finds in 8 of 10 runs; null if it finds none that often. */
export function detectableFall(pool: Pool, units: number, criterion: Criterion): number | null {
  const sample = createSample(pool, units);
  const unchanged = simulate(sample, 0);
  const reaches = (fall: number): boolean =>
    units > MAX_UNITS
      ? isFoundInMany({ fall, unchanged, worse: simulate(sample, fall) }, units, criterion)
      : isFoundInFew(sample, units, fall, criterion);
  const most = pool.largest;
  const squares = unchanged.change.map((one) => one * one);
  const scatter = Math.sqrt(meanOf(squares) / scaleOf(units));
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
  const sample = createSample(pool, MAX_UNITS);
  const runs = { fall, unchanged: simulate(sample, 0), worse: simulate(sample, fall) };
  const isEnough = (units: number): boolean =>
    units > MAX_UNITS
      ? isFoundInMany(runs, units, criterion)
      : isFoundInFew(sample, units, fall, criterion);
  if (!isEnough(MAX_EXAMPLES)) return null;
  let [low, high] = [FEWEST_PAIRS - 1, MAX_EXAMPLES];
  while (high - low > Math.max(1, high / 100)) {
    const middle = Math.floor((low + high) / 2);
    if (isEnough(middle)) high = middle;
    else low = middle;
  }
  return high;
}
