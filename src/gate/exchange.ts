import { createSeededRandom } from "./chance.ts";

/** The examples that two runs scored for a metric, in pairs. */
export interface Pairing {
  /** Positions in the head's and the reference's examples. */
  readonly head: Int32Array;
  readonly base: Int32Array;
  /** Rows of a pair on one side. */
  readonly rowsOf: (side: "head" | "base", pair: number) => Int32Array;
  /** Rows left out, and examples that the reference scored and the head did not. */
  readonly dropped: number;
  readonly lost: number;
  /** Whether every example has one value on either side. */
  readonly single: boolean;
}

/** One question: by pair, how far this run is from the other one, worse counted as negative. */
export interface ExchangeColumn {
  readonly pairing: Pairing;
  readonly differences: Float64Array;
  /** Values of the rows on both sides, where one has repeats; null: the differences change their sign. */
  readonly rows: { readonly head: Float64Array; readonly base: Float64Array } | null;
  /** What is made of the values of one side; null: their mean. */
  readonly statistic: ((values: Float64Array, count: number) => number) | null;
  /** -1 where less is better. */
  readonly sign: 1 | -1;
  /** Single pass marks, which have McNemar's test. */
  readonly marks: boolean;
}

/** What changes sides: an example, a cluster, or a block of examples. By head example. */
export interface Units {
  readonly of: Int32Array;
  readonly count: number;
  /** Whether a unit's differences change their sign as a whole. */
  readonly whole: boolean;
}

/** More units than this would take seconds, and a sum of a thousand is normal for every purpose. */
const MOST_UNITS = 1000;
/** Draws of all columns: at p = 0.05 their error is 0.3 points. Fewer where the family is very wide. */
const [DRAWS, FEWEST_DRAWS, MOST_STEPS] = [4096, 1024, 4e8] as const;
/** Label arrangements kept of each unit with repeats, in mirrored pairs, and numbers kept in all (32 MB). */
const [ARRANGEMENTS, FEWEST_ARRANGEMENTS, MOST_KEPT] = [64, 16, 4e6] as const;
/** Draws where rows are dealt, which takes longer. */
const ROW_DRAWS = 2048;
/** Rows dealt in all draws, a second or two; beyond it so many examples vary that blocks of them do as well. */
const MOST_ROW_STEPS = 1e8;
const SEED = 20261125;

/** Chooses what changes sides. */
export function unitsOf(examples: number, clusterOf: Int32Array | null): Units {
  const of = new Int32Array(examples);
  if (clusterOf !== null) {
    const numbers = new Map<number, number>();
    for (let e = 0; e < examples; e++) {
      const known = numbers.get(clusterOf[e]!) ?? numbers.size;
      numbers.set(clusterOf[e]!, known);
      of[e] = known;
    }
    return { of, count: numbers.size, whole: true };
  }
  const count = Math.min(examples, MOST_UNITS);
  for (let e = 0; e < examples; e++) of[e] = Math.floor((e * count) / examples);
  return { of, count, whole: false };
}

/** A column over all draws. */
export interface Drawn {
  /** The difference over its exchange deviation. */
  readonly z: number;
  /** The same of every draw; empty where no exchange changes anything. */
  readonly draws: Float64Array;
}

/** Draws all columns together: each unit has the same labels in every column of a draw. */
export function drawColumns(
  columns: readonly ExchangeColumn[],
  units: Units,
  { group, of }: { readonly group: number; readonly of: number },
): Drawn[] {
  const hasRows = !units.whole && columns.some(({ rows }) => rows !== null);
  if (hasRows) {
    const parts = listVarying(columns);
    const work = parts.reduce(
      (sum, { slots, of: entries }) => sum + slots * (1 + entries.length),
      1,
    );
    if (work * FEWEST_DRAWS <= MOST_ROW_STEPS)
      return drawRows(
        columns,
        parts,
        Math.min(ROW_DRAWS, Math.floor(MOST_ROW_STEPS / work)),
        SEED + group,
      );
  }
  const room = MOST_KEPT / Math.max(1, units.count * columns.length);
  const many = Math.max(FEWEST_ARRANGEMENTS, Math.min(ARRANGEMENTS, 2 * Math.floor(room / 2)));
  const kept = hasRows ? many : 2;
  const tables = columns.map((column) => arrange(column, units, kept));
  const open = new Set(tables.flatMap(({ active }) => [...active]));
  // Patterns of two groups that are counted up would go together.
  const isCounted = kept === 2 && of === 1 && 2 ** open.size <= DRAWS;
  const steps = tables.reduce((sum, { active }) => sum + active.length, 1);
  const most = Math.max(FEWEST_DRAWS, Math.min(DRAWS, Math.floor(MOST_STEPS / steps)));
  const count = isCounted ? 2 ** open.size : most;
  const sums = tables.map(() => new Float64Array(count));
  const choose = isCounted ? countUp([...open]) : drawAny(kept, SEED + group);
  const chosen = new Uint8Array(units.count);
  for (let draw = 0; draw < count; draw++) {
    choose(chosen, draw);
    for (let c = 0; c < tables.length; c++) {
      const { active, sums: table, deviation } = tables[c]!;
      let sum = 0;
      for (let i = 0; i < active.length; i++)
        sum += table[active[i]! * kept + chosen[active[i]!]!]!;
      sums[c]![draw] = deviation === 0 ? 0 : sum / deviation;
    }
  }
  return tables.map(({ active, exact }, c) => {
    const total = columns[c]!.differences.reduce((sum, value) => sum + value, 0);
    if (active.length === 0) return { z: 0, draws: new Float64Array(0) };
    return { z: total / exact, draws: sums[c]! };
  });
}

/** Every pattern of the units that matter, one a draw. */
function countUp(open: readonly number[]): (chosen: Uint8Array, draw: number) => void {
  return (chosen, draw) => {
    open.forEach((unit, bit) => {
      chosen[unit] = (draw >> bit) & 1;
    });
  };
}

function drawAny(kept: number, seed: number): (chosen: Uint8Array, draw: number) => void {
  const random = createSeededRandom(seed);
  return (chosen) => {
    for (let unit = 0; unit < chosen.length; unit++) chosen[unit] = Math.floor(random() * kept);
  };
}

/** A column's sums by unit and arrangement. */
interface Arranged {
  readonly sums: Float64Array;
  readonly active: Int32Array;
  /** Of the sums as they are kept, and of the examples themselves. */
  readonly deviation: number;
  readonly exact: number;
}

function arrange(column: ExchangeColumn, units: Units, kept: number): Arranged {
  const { pairing, differences, rows } = column;
  const sums = new Float64Array(units.count * kept);
  let variance = 0;
  for (let i = 0; i < differences.length; i++) {
    const at = units.of[pairing.head[i]!]! * kept;
    if (units.whole || kept === 2) {
      sums[at]! += differences[i]!;
      sums[at + 1]! -= differences[i]!;
      variance += differences[i]! ** 2;
    } else variance += addArrangements(column, i, { sums, at, kept });
  }
  let kepts = 0;
  const active: number[] = [];
  for (let unit = 0; unit < units.count; unit++) {
    const spread = centre(sums.subarray(unit * kept, (unit + 1) * kept));
    kepts += spread;
    if (spread > 0) active.push(unit);
  }
  const isExact = !units.whole && (rows === null || variance > 0);
  const [deviation, exact] = [Math.sqrt(kepts), Math.sqrt(isExact ? variance : kepts)];
  return { sums, active: Int32Array.from(active), deviation, exact };
}

/** So few arrangements have a mean of their own, which exchanging all of them has not. Returns their variance. */
function centre(sums: Float64Array): number {
  let mean = 0;
  let most = 0;
  for (const sum of sums) {
    mean += sum / sums.length;
    most = Math.max(most, Math.abs(sum));
  }
  let spread = 0;
  for (let k = 0; k < sums.length; k++) {
    const value = sums[k]! - mean;
    sums[k] = Math.abs(value) < 1e-12 * most ? 0 : value;
    spread += value ** 2 / sums.length;
  }
  return spread <= 1e-24 * most * most ? 0 : spread;
}

/** Adds what a pair's difference is under each arrangement of its labels; returns the variance over all of them. */
function addArrangements(
  column: ExchangeColumn,
  pair: number,
  { sums, at, kept }: { readonly sums: Float64Array; readonly at: number; readonly kept: number },
): number {
  const { pairing } = column;
  const values = readPair(column, pair);
  const cards = createDeal(pairing, pair);
  for (let k = 0; k < kept; k += 2) {
    const order = deal(cards, pairing.head[pair]!, k);
    sums[at + k]! += splitBy(column, values, order, false);
    sums[at + k + 1]! += splitBy(column, values, order, true);
  }
  return exchangeVariance(values);
}

/** The values of one pair's rows, this run's first; NaN where a row has none. */
interface PairValues {
  readonly of: Float64Array;
  /** How many each side has. */
  readonly head: number;
  readonly base: number;
}

function readPair({ pairing, rows, differences }: ExchangeColumn, pair: number): PairValues {
  if (rows === null) return { of: Float64Array.of(differences[pair]!, 0), head: 1, base: 1 };
  const [mine, others] = [pairing.rowsOf("head", pair), pairing.rowsOf("base", pair)];
  const of = new Float64Array(mine.length + others.length);
  let [head, base] = [0, 0];
  for (let s = 0; s < mine.length; s++) {
    of[s] = rows.head[mine[s]!]!;
    if (!Number.isNaN(of[s]!)) head++;
  }
  for (let s = 0; s < others.length; s++) {
    of[mine.length + s] = rows.base[others[s]!]!;
    if (!Number.isNaN(of[mine.length + s]!)) base++;
  }
  return { of, head, base };
}

/** One example with repeats that differ: its columns, and how many rows it has. */
interface Varying {
  readonly example: number;
  readonly pair: number;
  readonly pairing: Pairing;
  readonly slots: number;
  readonly of: readonly { readonly column: number; readonly values: PairValues }[];
}

/** The examples whose labels matter in some column; those of baseline and anchor apart. */
function listVarying(columns: readonly ExchangeColumn[]): Varying[] {
  const found = new Map<
    string,
    { column: number; values: PairValues; pair: number; pairing: Pairing }[]
  >();
  for (const [column, { pairing, differences }] of columns.entries()) {
    for (let pair = 0; pair < differences.length; pair++) {
      const values = readPair(columns[column]!, pair);
      const first = values.of.find((value) => !Number.isNaN(value));
      if (values.of.every((value) => Number.isNaN(value) || value === first)) continue;
      const key = `${pairing.head[pair]!} ${values.of.length}`;
      const known = found.get(key);
      const entry = { column, values, pair, pairing };
      if (known === undefined) found.set(key, [entry]);
      else known.push(entry);
    }
  }
  return [...found.values()].map((of) => {
    const { pair, pairing, values } = of[0]!;
    return { example: pairing.head[pair]!, pair, pairing, slots: values.of.length, of };
  });
}

/** Deals the rows of every example anew in each draw, the same way for all columns. */
function drawRows(
  columns: readonly ExchangeColumn[],
  parts: readonly Varying[],
  count: number,
  seed: number,
): Drawn[] {
  const sums = columns.map(() => new Float64Array(count));
  const variances = columns.map(() => 0);
  const active = new Set<number>();
  for (const { example, pair, pairing, of } of parts) {
    for (const { column, values } of of) {
      active.add(column);
      variances[column]! += exchangeVariance(values);
    }
    const cards = createDeal(pairing, pair);
    for (let draw = 0; draw < count; draw += 2) {
      const order = deal(cards, example, seed + draw);
      for (const { column, values } of of) {
        const into = sums[column]!;
        into[draw]! += splitBy(columns[column]!, values, order, false);
        if (draw + 1 < count) into[draw + 1]! += splitBy(columns[column]!, values, order, true);
      }
    }
  }
  return columns.map(({ differences, statistic }, c) => {
    if (!active.has(c)) return { z: 0, draws: new Float64Array(0) };
    const total = differences.reduce((sum, value) => sum + value, 0);
    const draws = sums[c]!;
    const squares = draws.reduce((sum, value) => sum + value * value, 0);
    const deviation = Math.sqrt(statistic === null ? variances[c]! : squares / count);
    if (deviation === 0) return { z: 0, draws: new Float64Array(0) };
    for (let draw = 0; draw < count; draw++) draws[draw]! /= deviation;
    return { z: total / deviation, draws };
  });
}

/** Variance of the difference of means over all labels. */
function exchangeVariance({ of, head, base }: PairValues): number {
  const all = head + base;
  let [mean, squares] = [0, 0];
  for (const value of of) if (!Number.isNaN(value)) mean += value / all;
  for (const value of of) if (!Number.isNaN(value)) squares += (value - mean) ** 2;
  return (squares / (all - 1)) * (1 / head + 1 / base);
}

/** Rows of a pair in an order of its own for each arrangement: the same for every column, whichever rows it lacks. */
interface Deal {
  readonly mine: number;
  readonly order: Int32Array;
  readonly keys: Float64Array;
}

function createDeal(pairing: Pairing, pair: number): Deal {
  const mine = pairing.rowsOf("head", pair).length;
  const size = mine + pairing.rowsOf("base", pair).length;
  return { mine, order: new Int32Array(size), keys: new Float64Array(size) };
}

function deal({ mine, order, keys }: Deal, example: number, k: number): Int32Array {
  for (let s = 0; s < order.length; s++) {
    // Baseline and anchor have the same keys: what they share with this run stays shared.
    const slot = s < mine ? 2 * s : 2 * (s - mine) + 1;
    const key = mix(example, k, slot);
    let place = s;
    for (; place > 0 && keys[place - 1]! > key; place--) {
      keys[place] = keys[place - 1]!;
      order[place] = order[place - 1]!;
    }
    keys[place] = key;
    order[place] = s;
  }
  return order;
}

/** A number that looks random and is the same on every machine (the end of MurmurHash3). */
function mix(example: number, k: number, slot: number): number {
  let hash = Math.imul(example + 1, 0x9e3779b1) ^ Math.imul(k + 1, 0x85ebca6b);
  hash = Math.imul(hash ^ Math.imul(slot + 1, 0xc2b2ae35), 0x27d4eb2f);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** The difference where the first rows of an order, or the last, are taken for this run's. */
function splitBy(
  { statistic, sign, rows }: ExchangeColumn,
  { of, head, base }: PairValues,
  order: Int32Array,
  isMirrored: boolean,
): number {
  if (rows === null) return (order[0] === 0) !== isMirrored ? of[0]! : -of[0]!;
  if (statistic === null) return sign * splitMeans({ of, head, base }, order, isMirrored);
  const [mine, others] = [new Float64Array(head), new Float64Array(base)];
  let [m, o] = [0, 0];
  for (let at = 0; at < order.length; at++) {
    const value = of[order[isMirrored ? order.length - 1 - at : at]!]!;
    if (Number.isNaN(value)) continue;
    if (m < head) mine[m++] = value;
    else others[o++] = value;
  }
  return sign * (statistic(mine, head) - statistic(others, base));
}

function splitMeans(
  { of, head, base }: PairValues,
  order: Int32Array,
  isMirrored: boolean,
): number {
  let [mine, others, taken] = [0, 0, 0];
  const last = order.length - 1;
  for (let at = 0; at <= last; at++) {
    const value = of[order[isMirrored ? last - at : at]!]!;
    if (Number.isNaN(value)) continue;
    if (taken++ < head) mine += value;
    else others += value;
  }
  return mine / head - others / base;
}
