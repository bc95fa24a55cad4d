import {
  type Agent,
  agentOfMarks,
  agentOfValues,
  createRuns,
  type Marks,
  MOST_UNITS,
  SEED,
  type Shift,
  type Simulated,
} from "./agent.ts";
import { shareBelow } from "./chance.ts";
import type { Comparison } from "./comparison.ts";
import { extentOf } from "./extent.ts";
import { meanOf } from "./interval.ts";
import { quantileOf } from "./metric.ts";
import { createSeededRandom } from "./random.ts";

/** Runs drawn of a quantile, which are sorted at every step: their power has an error of 4.5 points. */
const QUANTILE_RUNS = 80;

/** The unchanged agent that a comparison shows: its examples drawn anew, their labels exchanged. */
export function agentOf(comparison: Comparison): Agent {
  const { column, clusterOf, quantile, binary, rows } = comparison;
  const { differences, sign } = column;
  if (quantile !== null) return agentOfQuantile(comparison, quantile);
  if (clusterOf !== null) return agentOfClusters(differences, clusterOf);
  const pairs = readPairs(comparison);
  const n = pairs.length;
  const units = Math.min(n, MOST_UNITS);
  const any = (random: () => number): number => Math.floor(random() * n);
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

/** Pairs that runs are drawn from, spread over all: the spread of so many is right to one percent. */
const MOST_PAIRS = 10_000;

/** The values of one pair's rows, this run's first. */
interface PairRows {
  readonly values: Float64Array;
  readonly head: number;
}

const placeOf = (at: number, many: number, n: number): number => Math.floor((at * n) / many);

function readPairs({ column: { pairing, differences }, rows }: Comparison): PairRows[] {
  const n = differences.length;
  const many = Math.min(n, MOST_PAIRS);
  return Array.from({ length: many }, (_, at) => {
    const pair = placeOf(at, many, n);
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
  const mean = meanOf(values);
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
    const key = clusterOf?.[placeOf(at, pairs.length, clusterOf.length)] ?? at;
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

/**
 * The change of the quantile; of the values clipped to its window each unit's difference, and their
 * exchange variance.
 */
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
      sum += sign * (meanOf(clipped.subarray(0, head)) - meanOf(clipped.subarray(head)));
      if (!isWhole) variance += exchangeOf({ values: clipped, head }).variance;
    }
    if (isWhole) variance += sum * sum;
    return sum;
  });
  return { change: sign * change, sums, variance };
}
