import type { Comparison } from "./comparison.ts";
import { normalCdf } from "./distribution.ts";
import { mcnemar, shareBelow } from "./exchange.ts";
import { extentOf } from "./extent.ts";
import { quantileOf } from "./metric.ts";
import { createSeededRandom } from "./random.ts";

/** Share of real falls that a stated fall is found with. */
const POWER = 0.8;
/** Runs drawn of an unchanged agent, whose power then has an error of 2.8 points; of a quantile, whose runs are sorted. */
const [RUNS, QUANTILE_RUNS] = [200, 80] as const;
/** Units drawn for a run: beyond it a run's chance shrinks with the root of their number. */
const MOST_UNITS = 200;
const SEED = 20261127;
/** A stated fall is this exact, relative to itself: far within the error of the draws. */
const CLOSE = 0.01;
/** Of the marks' variance, how much lies within examples where worse agents break some for good, and where all waver. */
const [BREAKS, WAVERS] = [1 / 3, 2 / 3] as const;
/** What is more than rounding in a limit. */
const SLACK = 1e-12;

/** Runs of an agent that got worse by some fall: the change that each shows, and its difference over its deviation. */
interface Simulated {
  readonly change: Float64Array;
  readonly z: Float64Array;
  /** The chance of each, where it is not that of the normal: marks have few values. */
  readonly chance: Float64Array | null;
}

/** An unchanged agent, of which runs are drawn again and again. */
export interface Agent {
  readonly simulate: (fall: number) => Simulated;
  /** Units of one drawn run. */
  readonly units: number;
  /** The largest fall there can be; null: any. */
  readonly most: number | null;
  /** A fall of the size of chance, to look from; 0 where nothing scatters. */
  readonly step: number;
}

/** What a rule asks of a run. */
export interface Bar {
  readonly limit: number;
  /** Whether a fall of exactly the limit is too much. */
  readonly isStrict: boolean;
  /** The chance that a question has to be under by itself. */
  readonly level: number;
}

/** How often `units` examples, or clusters, of an agent that got worse so much fail the rule. */
function powerOf(simulated: Simulated, drawn: number, units: number, bar: Bar): number {
  const { change, z, chance } = simulated;
  // More units than were drawn: the mean stays, chance shrinks with the root of their number.
  const scale = Math.sqrt(units / drawn);
  const [meanChange, meanZ] = [average(change), average(z)];
  let found = 0;
  for (let run = 0; run < z.length; run++) {
    const fallen = -(meanChange + (change[run]! - meanChange) / scale);
    const p =
      chance !== null && units === drawn
        ? chance[run]!
        : normalCdf(meanZ * scale + (z[run]! - meanZ));
    const isBeyond = bar.isStrict ? fallen >= bar.limit - SLACK : fallen > bar.limit + SLACK;
    if (isBeyond && p < bar.level) found++;
  }
  return found / z.length;
}

function average(values: Float64Array): number {
  let sum = 0;
  for (const value of values) sum += value;
  return sum / values.length;
}

/** The smallest fall that the rule finds in 8 of 10 runs; null where it finds none that often. */
export function detectableFall(agent: Agent, units: number, bar: Bar): number | null {
  const reaches = (fall: number): boolean =>
    powerOf(agent.simulate(fall), agent.units, units, bar) >= POWER;
  const { most, step } = agent;
  if (step === 0) return null;
  let [low, high] = [0, most ?? bar.limit + step];
  if (most === null) for (let i = 0; i < 40 && !reaches(high); i++) high *= 2;
  if (!reaches(high)) return null;
  while (high - low > CLOSE * high) {
    const middle = (low + high) / 2;
    if (reaches(middle)) high = middle;
    else low = middle;
  }
  return high;
}

/** Whether as many units as are drawn find a fall in 8 of 10 runs. */
export function isFound(agent: Agent, fall: number, bar: Bar): boolean {
  return powerOf(agent.simulate(fall), agent.units, agent.units, bar) >= POWER;
}

/** How many units it takes to find a fall in 8 of 10 runs; null where `most` do not. */
export function fewestUnits(agent: Agent, fall: number, bar: Bar, most: number): number | null {
  const simulated = agent.simulate(fall);
  const isEnough = (units: number): boolean => powerOf(simulated, agent.units, units, bar) >= POWER;
  if (!isEnough(most)) return null;
  let [low, high] = [0, most];
  while (high - low > Math.max(1, high / 100)) {
    const middle = Math.floor((low + high) / 2);
    if (isEnough(middle)) high = middle;
    else low = middle;
  }
  return high;
}

/** One example's pass marks: runs on either side, and how many of them are good. */
export interface Marks {
  readonly head: number;
  readonly base: number;
  readonly headGood: number;
  readonly good: number;
}

/** An agent of pass marks; `good` is their mean, `within` the variance of a run about its example's own mean. */
export function agentOfMarks(
  units: number,
  draw: (random: () => number) => Marks,
  { good, within }: { readonly good: number; readonly within: number },
): Agent {
  const all = good * (1 - good);
  // Marks that are all alike do not say whether a worse agent breaks examples or single runs; those take more.
  const share = all === 0 ? 1 : within / all;
  const wavering = Math.min(1, Math.max(0, (share - BREAKS) / (WAVERS - BREAKS)));
  const drawn = drawMarks(units, draw);
  return {
    units,
    most: good,
    step: good,
    simulate: (fall) => simulateMarks(drawn, { broken: good === 0 ? 0 : fall / good, wavering }),
  };
}

/** Marks of all drawn runs, one example after the other, with numbers that decide which of them a worse agent breaks. */
interface DrawnMarks {
  readonly units: number;
  readonly head: Int32Array;
  readonly base: Int32Array;
  readonly headGood: Int32Array;
  readonly good: Int32Array;
  /** Of each example first one for all of its runs, then one for each good run. */
  readonly uniforms: Float32Array;
}

function drawMarks(units: number, draw: (random: () => number) => Marks): DrawnMarks {
  const all = RUNS * units;
  const counts = (): Int32Array => new Int32Array(all);
  const [head, base, headGood, good] = [counts(), counts(), counts(), counts()];
  let uniforms = new Float32Array(2 * all);
  let next = 0;
  for (let run = 0, at = 0; run < RUNS; run++) {
    const random = createSeededRandom(SEED + run);
    for (let unit = 0; unit < units; unit++, at++) {
      const one = draw(random);
      head[at] = one.head;
      base[at] = one.base;
      headGood[at] = one.headGood;
      good[at] = one.good;
      if (next + 1 + one.headGood > uniforms.length) {
        const longer = new Float32Array(2 * uniforms.length + one.headGood);
        longer.set(uniforms);
        uniforms = longer;
      }
      for (let k = 0; k <= one.headGood; k++) uniforms[next++] = random();
    }
  }
  return { units, head, base, headGood, good, uniforms };
}

/** What broke for good fails in all its runs; what wavers fails in each by itself. */
function simulateMarks(
  { units, head, base, headGood, good, uniforms }: DrawnMarks,
  { broken, wavering }: { readonly broken: number; readonly wavering: number },
): Simulated {
  const [change, z, chance] = createRuns(RUNS);
  let isSingle = true;
  const whole = broken * (1 - wavering);
  const each = whole >= 1 ? 1 : (broken - whole) / (1 - whole);
  for (let run = 0, at = 0, next = 0; run < RUNS; run++) {
    let [sum, variance, worse, better, least] = [0, 0, 0, 0, 0.5];
    for (let unit = 0; unit < units; unit++, at++) {
      const [h, b, passed] = [head[at]!, base[at]!, headGood[at]!];
      if (h !== 1 || b !== 1) isSingle = false;
      let left = passed;
      if (uniforms[next]! < whole) left = 0;
      else for (let k = 1; k <= passed; k++) if (uniforms[next + k]! < each) left--;
      next += 1 + passed;
      const rest = good[at]! - passed + left;
      const difference = left / h - (good[at]! - passed) / b;
      const rows = h + b;
      sum += difference;
      variance += (rest * (rows - rest)) / ((rows - 1) * h * b);
      // Few examples that vary cannot show less than the chance of all failures on one side.
      for (let f = 0; f < rows - rest && rest > 0 && least > 1e-6; f++)
        least *= Math.max(0, h - f) / (rows - f) || 1;
      if (difference < 0) worse++;
      else if (difference > 0) better++;
    }
    change[run] = sum / units;
    z[run] = variance === 0 ? 0 : sum / Math.sqrt(variance);
    chance[run] = isSingle ? mcnemar(worse, better) : Math.max(least, normalCdf(z[run]!));
  }
  return { change, z, chance };
}

const createRuns = (count: number): [Float64Array, Float64Array, Float64Array] => [
  new Float64Array(count),
  new Float64Array(count),
  new Float64Array(count),
];

/** One example, or cluster, of any values: its difference, its exchange variance, its rows less one, its examples. */
export interface Shift {
  readonly difference: number;
  readonly variance: number;
  readonly freedom: number;
  readonly size: number;
}

/** An agent whose values all fall alike. */
export function agentOfValues(units: number, draw: (random: () => number) => Shift): Agent {
  const runs = Array.from({ length: RUNS }, (_, run) => {
    const random = createSeededRandom(SEED + run);
    const sums = { total: 0, size: 0, variance: 0, tied: 0, square: 0 };
    for (let unit = 0; unit < units; unit++) {
      const { difference, variance, freedom, size } = draw(random);
      sums.total += difference;
      sums.size += size;
      sums.variance += variance;
      sums.tied += (size * difference) / freedom;
      sums.square += (size * size) / freedom;
    }
    return sums;
  });
  const spread = Math.sqrt(
    average(Float64Array.from(runs, ({ total, size }) => (total / size) ** 2)),
  );
  return {
    units,
    most: null,
    step: 2 * spread,
    simulate: (fall) => ({
      change: Float64Array.from(runs, ({ total, size }) => total / size - fall),
      z: Float64Array.from(runs, ({ total, size, variance, tied, square }) => {
        const spreadOf = variance - 2 * fall * tied + fall * fall * square;
        return spreadOf <= 0 ? 0 : (total - fall * size) / Math.sqrt(spreadOf);
      }),
      chance: null,
    }),
  };
}

/** The unchanged agent that a comparison shows: its examples drawn anew, their labels exchanged. */
export function agentOf(comparison: Comparison): Agent {
  const { column, clusterOf, quantile, binary, rows } = comparison;
  const { differences, sign } = column;
  if (quantile !== null) return agentOfQuantile(comparison, quantile);
  if (clusterOf !== null) return agentOfClusters(differences, clusterOf);
  const n = differences.length;
  const units = Math.min(n, MOST_UNITS);
  const any = (random: () => number): number => Math.floor(random() * n);
  const pairs = readPairs(comparison);
  if (binary) {
    const marks = pairs.map(({ values, head }) => ({
      head,
      base: values.length - head,
      good: values.filter((value) => value === (sign === 1 ? 1 : 0)).length,
    }));
    const good = marks.reduce((sum, one) => sum + one.good / (one.head + one.base) / n, 0);
    const within = marks.reduce((sum, one) => sum + varianceOf(one), 0) / n;
    return agentOfMarks(
      units,
      (random) => {
        const one = marks[any(random)]!;
        return { ...one, headGood: dealMarks(one, random) };
      },
      { good, within },
    );
  }
  const shifts = pairs.map(exchangeOf);
  return agentOfValues(units, (random) => {
    const at = any(random);
    return { ...shifts[at]!, difference: (rows === null ? 1 : sign) * relabel(pairs[at]!, random) };
  });
}

/** How many good marks come to the first side when all of an example's are dealt anew. */
function dealMarks({ head, base, good }: Omit<Marks, "headGood">, random: () => number): number {
  let [rows, left, dealt] = [head + base, good, 0];
  for (let k = 0; k < head; k++, rows--)
    if (random() * rows < left) {
      left--;
      dealt++;
    }
  return dealt;
}

function varianceOf({ head, base, good }: Omit<Marks, "headGood">): number {
  const rows = head + base;
  return ((good / rows) * (1 - good / rows) * rows) / (rows - 1);
}

/** The values of one pair's rows, this run's first. */
interface PairRows {
  readonly values: Float64Array;
  readonly head: number;
}

function readPairs({ column: { pairing, differences }, rows }: Comparison): PairRows[] {
  return Array.from({ length: differences.length }, (_, pair) => {
    // pass^k has one value an example.
    if (rows === null) return { values: Float64Array.of(differences[pair]!, 0), head: 1 };
    const pick = (side: "head" | "base"): Float64Array =>
      Float64Array.from(pairing.rowsOf(side, pair), (row) => rows[side][row]!).filter(
        (value) => !Number.isNaN(value),
      );
    const [mine, others] = [pick("head"), pick("base")];
    const values = new Float64Array(mine.length + others.length);
    values.set(mine);
    values.set(others, mine.length);
    return { values, head: mine.length };
  });
}

function exchangeOf({ values, head }: PairRows): Omit<Shift, "difference"> {
  const mean = average(values);
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  const freedom = values.length - 1;
  const inverse = 1 / head + 1 / (values.length - head);
  return { variance: (squares / freedom) * inverse, freedom, size: 1 };
}

/** The difference of a pair with its labels exchanged at random. */
function relabel({ values, head }: PairRows, random: () => number): number {
  if (values.length === 2)
    return random() < 0.5 ? values[0]! - values[1]! : values[1]! - values[0]!;
  const left = values.slice();
  let [mine, all] = [0, 0];
  for (const value of values) all += value;
  for (let k = 0; k < head; k++) {
    const at = k + Math.floor(random() * (left.length - k));
    mine += left[at]!;
    left[at] = left[k]!;
  }
  return mine / head - (all - mine) / (values.length - head);
}

function agentOfClusters(differences: Float64Array, clusterOf: Float64Array): Agent {
  const sums = new Map<number, { total: number; size: number }>();
  for (let i = 0; i < differences.length; i++) {
    const one = sums.get(clusterOf[i]!) ?? { total: 0, size: 0 };
    one.total += differences[i]!;
    one.size++;
    sums.set(clusterOf[i]!, one);
  }
  const clusters = [...sums.values()];
  return agentOfValues(Math.min(clusters.length, MOST_UNITS), (random) => {
    const { total, size } = clusters[Math.floor(random() * clusters.length)]!;
    return {
      difference: random() < 0.5 ? total : -total,
      variance: total * total,
      freedom: 1,
      size,
    };
  });
}

/**
 * Every value of the run gets worse by the fall; its quantile, and what the test sees of it, are found again. Labels
 * are dealt anew within examples; whole clusters keep theirs, and the change that was seen is taken off.
 */
function agentOfQuantile(comparison: Comparison, q: number): Agent {
  const { column, head, base, clusterOf } = comparison;
  const { sign } = column;
  const shift = clusterOf === null ? 0 : base - head;
  const deal = clusterOf === null ? shuffle : (pair: PairRows): PairRows => pair;
  const units = groupPairs(readPairs(comparison), clusterOf);
  const count = Math.min(units.length, MOST_UNITS);
  const [low, high] = extentOf(...units.flat().map(({ values }) => values));
  const simulate = (fall: number): Simulated => {
    const [change, z, chance] = createRuns(QUANTILE_RUNS);
    for (let run = 0; run < QUANTILE_RUNS; run++) {
      const random = createSeededRandom(SEED + run);
      const drawn = Array.from({ length: count }, () =>
        units[Math.floor(random() * units.length)]!.map((pair) =>
          worsen(deal(pair, random), shift - sign * fall),
        ),
      );
      const seen = testQuantile(drawn, { q, sign, isWhole: clusterOf !== null });
      const total = seen.sums.reduce((sum, one) => sum + one, 0);
      change[run] = seen.change;
      z[run] = seen.variance === 0 ? 0 : total / Math.sqrt(seen.variance);
      if (clusterOf !== null) chance[run] = chanceByFlips(seen.sums, total, random);
    }
    return { change, z, chance: clusterOf === null ? null : chance };
  };
  return { simulate, units: count, most: null, step: (high - low) / Math.sqrt(count) };
}

/** The pairs of each example or cluster, by their values, so that the names of the examples decide nothing. */
function groupPairs(pairs: readonly PairRows[], clusterOf: Float64Array | null): PairRows[][] {
  const groups = new Map<number, PairRows[]>();
  pairs.forEach((pair, at) => {
    const key = clusterOf?.[at] ?? at;
    groups.set(key, [...(groups.get(key) ?? []), pair]);
  });
  const compare = (a: PairRows, b: PairRows): number => {
    const at = a.values.findIndex((value, k) => value !== b.values[k]);
    return at === -1 ? 0 : a.values[at]! - (b.values[at] ?? 0);
  };
  return [...groups.values()]
    .map((group) => group.sort(compare))
    .sort((a, b) => compare(a[0]!, b[0]!));
}

function shuffle({ values, head }: PairRows, random: () => number): PairRows {
  const left = values.slice();
  for (let k = left.length - 1; k > 0; k--) {
    const at = Math.floor(random() * (k + 1));
    [left[k], left[at]] = [left[at]!, left[k]!];
  }
  return { values: left, head };
}

function worsen({ values, head }: PairRows, by: number): PairRows {
  return { values: values.map((value, k) => (k < head ? value + by : value)), head };
}

/** Sign patterns of few clusters that are drawn for a chance: at 5 % their error is a point. */
const FLIPS = 512;

/** How often the signs of whole clusters make their sum as low, ties half. */
function chanceByFlips(sums: readonly number[], total: number, random: () => number): number {
  const draws = Float64Array.from({ length: FLIPS }, () =>
    sums.reduce((sum, one) => sum + (random() < 0.5 ? one : -one), 0),
  );
  return shareBelow(draws, total, 0);
}

/** The change of the quantile; of the values clipped to its window each unit's difference, and their exchange variance. */
function testQuantile(
  units: readonly (readonly PairRows[])[],
  { q, sign, isWhole }: { readonly q: number; readonly sign: 1 | -1; readonly isWhole: boolean },
): { readonly change: number; readonly sums: readonly number[]; readonly variance: number } {
  const pairs = units.flat();
  const at = (pick: (pair: PairRows) => Float64Array): number => {
    const values: number[] = [];
    for (const pair of pairs) values.push(...pick(pair));
    return quantileOf(Float64Array.from(values).sort(), q);
  };
  const change =
    at(({ values, head }) => values.subarray(0, head)) -
    at(({ values, head }) => values.subarray(head));
  const sorted = new Map(pairs.map((pair) => [pair, pair.values.slice().sort()]));
  const sizes = [
    ({ head }: PairRows) => head,
    ({ head, values }: PairRows) => values.length - head,
  ];
  const low = Math.min(
    ...sizes.map((size) => at((pair) => sorted.get(pair)!.subarray(0, size(pair)))),
  );
  const high = Math.max(
    ...sizes.map((size) =>
      at((pair) => sorted.get(pair)!.subarray(pair.values.length - size(pair))),
    ),
  );
  let variance = 0;
  const sums = units.map((unit) => {
    let sum = 0;
    for (const { values, head } of unit) {
      const clipped = values.map((value) => Math.min(high, Math.max(low, value)));
      sum += sign * (average(clipped.subarray(0, head)) - average(clipped.subarray(head)));
      if (!isWhole) variance += exchangeOf({ values: clipped, head }).variance;
    }
    if (isWhole) variance += sum * sum;
    return sum;
  });
  return { change: sign * change, sums, variance };
}
