import { randomAt } from "./chance.ts";

/** The examples that two runs scored for a metric, paired. */
export interface Pairing {
  /** Positions in the examples of head and reference. */
  readonly head: Int32Array;
  readonly base: Int32Array;
  /** Rows of a pair on one side. */
  readonly rowsOf: (side: "head" | "base", pair: number) => Int32Array;
  /** Rows left out, and examples that the reference scored and the head did not. */
  readonly dropped: number;
  readonly lost: number;
  /** Whether every example has one value on each side. */
  readonly single: boolean;
}

/** One hypothesis: the difference of each pair, negative is worse. */
export interface ExchangeColumn {
  readonly pairing: Pairing;
  readonly differences: Float64Array;
  /** Sum of the differences. */
  readonly total: number;
  /** Values of the rows on both sides, if any example has repeats; null: differences change their sign. */
  readonly rows: { readonly head: Float64Array; readonly base: Float64Array } | null;
  /** How the values of one side are combined; null: their mean. */
  readonly statistic: ((values: Float64Array, count: number) => number) | null;
  /** -1 if less is better. */
  readonly sign: 1 | -1;
  /** For single pass marks, which use McNemar's test: how many changed each way; else null. */
  readonly marks: { readonly worse: number; readonly better: number } | null;
}

/** What changes sides, by head example: an example, a cluster, or a block of examples. */
export interface Units {
  readonly of: Int32Array;
  readonly count: number;
  /** Whether all differences of a unit change their sign together. */
  readonly whole: boolean;
}

/** More units would take seconds, and a sum of a thousand is practically normal (Berry-Esseen). */
const MAX_UNITS = 1000;
/** Draws for all columns: at p = 0.05 the error is 0.3 points. */
export const DRAWS = 4096;
/** Draws for very wide families, where more steps would take a second: the error is 0.7 points. */
const [FEWEST_DRAWS, MAX_STEPS] = [1024, 4e8] as const;
/**
 * Label arrangements kept per unit with repeats, in mirrored pairs, and numbers kept in all (32 MB).
 * With these, twenty gates failed an unchanged agent in 14 of 300 simulated runs ("0/1 noisy" of
 * benchmarks/gate-agents.mjs, 800 examples, 3:3).
 */
const [ARRANGEMENTS, FEWEST_ARRANGEMENTS, MAX_KEPT] = [64, 16, 4e6] as const;
/** Draws when rows are dealt, which takes longer: the error is 0.5 points. */
const ROW_DRAWS = 2048;
/**
 * The most rows dealt over all draws, a second or two; beyond that so many examples vary that
 * blocks of them do as well.
 */
const MAX_ROW_STEPS = 1e8;
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
  const count = Math.min(examples, MAX_UNITS);
  for (let e = 0; e < examples; e++) of[e] = Math.floor((e * count) / examples);
  return { of, count, whole: false };
}

/** A column over all draws. */
export interface Drawn {
  /** The difference divided by its exchange deviation. */
  readonly z: number;
  /** The same for every draw; empty if no exchange changes anything. */
  readonly draws: Float64Array;
}

/** Draws all columns together: within a draw, each unit has the same labels in every column. */
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
    if (work * FEWEST_DRAWS <= MAX_ROW_STEPS)
      return drawRows(
        columns,
        parts,
        Math.min(ROW_DRAWS, Math.floor(MAX_ROW_STEPS / work)),
        SEED + group,
      );
  }
  const room = MAX_KEPT / Math.max(1, units.count * columns.length);
  const many = Math.max(FEWEST_ARRANGEMENTS, Math.min(ARRANGEMENTS, 2 * Math.floor(room / 2)));
  const kept = hasRows ? many : 2;
  const tables = columns.map((column) => arrange(column, units, kept));
  const open = [...new Set(tables.flatMap(({ active }) => [...active]))];
  // Patterns of two groups that are enumerated would be correlated.
  const isCounted = kept === 2 && of === 1 && 2 ** open.length <= DRAWS;
  const steps = tables.reduce((sum, { active }) => sum + active.size, 1);
  const most = Math.max(FEWEST_DRAWS, Math.min(DRAWS, Math.floor(MAX_STEPS / steps)));
  const count = isCounted ? 2 ** open.length : most;
  const draws = tables.map(({ active }) => new Float64Array(active.size === 0 ? 0 : count));
  const chosen = new Uint8Array(count);
  for (const [bit, unit] of [...open.entries()].sort((a, b) => a[1] - b[1])) {
    // Every pattern of the relevant units, one per draw; or numbers from one seed, draw by draw.
    for (let draw = 0; draw < count; draw++)
      chosen[draw] = isCounted
        ? (draw >> bit) & 1
        : Math.floor(randomAt(SEED + group, draw * units.count + unit) * kept);
    for (const [c, { active, sums }] of tables.entries())
      if (active.has(unit))
        addChosen(draws[c]!, sums.subarray(unit * kept, (unit + 1) * kept), chosen);
  }
  return tables.map(({ deviation, exact }, c) => {
    const own = draws[c]!;
    if (own.length === 0) return { z: 0, draws: own };
    for (let draw = 0; draw < count; draw++)
      own[draw] = deviation === 0 ? 0 : own[draw]! / deviation;
    return { z: columns[c]!.total / exact, draws: own };
  });
}

/** Adds a unit's chosen arrangement to each draw. */
function addChosen(draws: Float64Array, sums: Float64Array, chosen: Uint8Array): void {
  for (let draw = 0; draw < draws.length; draw++) draws[draw]! += sums[chosen[draw]!]!;
}

/** Sums of a column by unit and arrangement. */
interface Arranged {
  readonly sums: Float64Array;
  /** Units whose exchange changes something. */
  readonly active: ReadonlySet<number>;
  /** Deviation of the stored sums, and of the examples themselves. */
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
    } else {
      const values = readPair(column, i);
      const orders = dealRows(pairing, i, { from: 0, count: kept });
      addSplits(sums.subarray(at, at + kept), column, values, orders);
      variance += exchangeVariance(values);
    }
  }
  let kepts = 0;
  const active = new Set<number>();
  for (let unit = 0; unit < units.count; unit++) {
    const spread = centre(sums.subarray(unit * kept, (unit + 1) * kept));
    kepts += spread;
    if (spread > 0) active.add(unit);
  }
  const isExact = !units.whole && (rows === null || variance > 0);
  const [deviation, exact] = [Math.sqrt(kepts), Math.sqrt(isExact ? variance : kepts)];
  return { sums, active, deviation, exact };
}

/** Centres the few stored arrangements, since exchanging all labels has mean 0. Returns their variance. */
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
    // What is left of equal sums are rounding errors.
    sums[k] = Math.abs(value) < 1e-12 * most ? 0 : value;
    spread += value ** 2 / sums.length;
  }
  return spread <= 1e-24 * most * most ? 0 : spread;
}

/** The values of one pair's rows, this run's first; NaN if a row has none. */
interface PairValues {
  readonly of: Float64Array;
  /** How many values each side has, and their sum. */
  readonly head: number;
  readonly base: number;
  readonly total: number;
}

/** Reads one pair of a column; one without rows is its difference and 0. */
export function readPair(
  { pairing, rows, differences }: Pick<ExchangeColumn, "pairing" | "rows" | "differences">,
  pair: number,
): PairValues {
  if (rows === null) {
    const total = differences[pair]!;
    return { of: Float64Array.of(total, 0), head: 1, base: 1, total };
  }
  const [mine, others] = [pairing.rowsOf("head", pair), pairing.rowsOf("base", pair)];
  const of = new Float64Array(mine.length + others.length);
  let [head, base, total] = [0, 0, 0];
  for (let s = 0; s < of.length; s++) {
    const isMine = s < mine.length;
    of[s] = isMine ? rows.head[mine[s]!]! : rows.base[others[s - mine.length]!]!;
    if (Number.isNaN(of[s]!)) continue;
    if (isMine) head++;
    else base++;
    total += of[s]!;
  }
  return { of, head, base, total };
}

/** An example with differing repeats: its columns, and how many rows it has. */
interface Varying {
  readonly pair: number;
  readonly pairing: Pairing;
  readonly slots: number;
  readonly of: readonly { readonly column: number; readonly values: PairValues }[];
}

/** The examples whose labels matter in some column, separately for baseline and anchor. */
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
    return { pair, pairing, slots: values.of.length, of };
  });
}

/** Deals the rows of every example anew in each draw, identically for all columns. */
function drawRows(
  columns: readonly ExchangeColumn[],
  parts: readonly Varying[],
  count: number,
  seed: number,
): Drawn[] {
  const sums = columns.map(() => new Float64Array(count));
  const variances = columns.map(() => 0);
  const active = new Set<number>();
  for (const { pair, pairing, of } of parts) {
    for (const { column, values } of of) {
      active.add(column);
      variances[column]! += exchangeVariance(values);
    }
    const orders = dealRows(pairing, pair, { from: seed, count });
    for (const { column, values } of of) addSplits(sums[column]!, columns[column]!, values, orders);
  }
  return columns.map(({ total, statistic }, c) => {
    if (!active.has(c)) return { z: 0, draws: new Float64Array(0) };
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

/**
 * Deals the rows of a pair: each random order serves two arrangements, since one takes its first
 * rows as this run's, the other its last. The same for every column, whichever rows it lacks.
 */
function dealRows(
  pairing: Pairing,
  pair: number,
  { from, count }: { readonly from: number; readonly count: number },
): Int32Array {
  const mine = pairing.rowsOf("head", pair).length;
  const size = mine + pairing.rowsOf("base", pair).length;
  const orders = new Int32Array(size * Math.ceil(count / 2));
  const keys = new Float64Array(size);
  // Baseline and anchor get equal keys, so that the rows of this run, which is compared with both, are dealt alike.
  const slotOf = (s: number): number => (s < mine ? 2 * s : 2 * (s - mine) + 1);
  const slots = Int32Array.from({ length: size }, (_, s) => Math.imul(slotOf(s) + 1, 0xc2b2ae35));
  const hand = Math.imul(pairing.head[pair]! + 1, 0x9e3779b1);
  for (let begin = 0, k = from; begin < orders.length; begin += size, k += 2) {
    const deal = hand ^ Math.imul(k + 1, 0x85ebca6b);
    // A key has 32 bits; the rest of the double holds the row, so that keys sort together with their rows.
    for (let s = 0; s < size; s++) keys[s] = mix(deal ^ slots[s]!) * size + s;
    keys.sort();
    for (let s = 0; s < size; s++) orders[begin + s] = keys[s]! % size;
  }
  return orders;
}

/** A pseudo-random number that is the same on every machine (finalizer and factors of MurmurHash3, xxHash). */
function mix(from: number): number {
  let hash = Math.imul(from, 0x27d4eb2f);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** One order of a pair's rows: its start among all orders, and the end it is read from. */
interface Order {
  readonly orders: Int32Array;
  readonly begin: number;
  readonly isMirrored: boolean;
}

/** Adds a pair's difference under each arrangement of its labels. */
function addSplits(
  into: Float64Array,
  { statistic, sign, rows }: ExchangeColumn,
  values: PairValues,
  orders: Int32Array,
): void {
  const size = values.of.length;
  for (let at = 0; at < into.length; at++) {
    const order = { orders, begin: (at >> 1) * size, isMirrored: (at & 1) === 1 };
    if (rows === null)
      into[at]! += (orders[order.begin] === 0) === order.isMirrored ? -values.total : values.total;
    else if (statistic === null) into[at]! += sign * splitMeans(values, order);
    else into[at]! += sign * splitBy(statistic, values, order);
  }
}

/** Difference of a statistic between the first rows of an order and the others. */
function splitBy(
  statistic: NonNullable<ExchangeColumn["statistic"]>,
  { of, head, base }: PairValues,
  { orders, begin, isMirrored }: Order,
): number {
  const [mine, others] = [new Float64Array(head), new Float64Array(base)];
  let [m, o] = [0, 0];
  for (let k = 0; k < of.length; k++) {
    const value = of[orders[begin + (isMirrored ? of.length - 1 - k : k)]!]!;
    if (Number.isNaN(value)) continue;
    if (m < head) mine[m++] = value;
    else others[o++] = value;
  }
  return statistic(mine, head) - statistic(others, base);
}

/** The same for means: the rows of the smaller side are at one end, and the other side has the rest of the sum. */
function splitMeans(
  { of, head, base, total }: PairValues,
  { orders, begin, isMirrored }: Order,
): number {
  const step = head <= base !== isMirrored ? 1 : -1;
  let [sum, left] = [0, Math.min(head, base)];
  for (let at = step === 1 ? begin : begin + of.length - 1; left > 0; at += step) {
    const value = of[orders[at]!]!;
    if (Number.isNaN(value)) continue;
    sum += value;
    left--;
  }
  return head <= base ? sum / head - (total - sum) / base : (total - sum) / head - sum / base;
}
