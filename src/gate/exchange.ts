import { coinAt, randomAt } from "./chance.ts";
import type { GateTable } from "./row.ts";
import type { Shared } from "./side.ts";

/** One hypothesis: the difference of each pair, negative is worse. */
export interface ExchangeColumn {
  /** The examples with a value in both runs. */
  readonly pairs: Shared;
  /** Both runs, and the values of their rows. */
  readonly head: RowValues;
  readonly base: RowValues;
  readonly differences: Float64Array;
  /** Sum of the differences. */
  readonly total: number;
  /** Whether every example has one value on each side: differences change their sign. */
  readonly single: boolean;
  /** How the values of one side are combined; null: their mean. */
  readonly statistic: ((values: Float64Array) => number) | null;
  /** -1 if less is better. */
  readonly sign: 1 | -1;
  /** For single pass marks, which use McNemar's test: how many changed each way; else null. */
  readonly marks: { readonly worse: number; readonly better: number } | null;
}

/** The rows of a run and their values, NaN if missing. */
interface RowValues {
  readonly start: GateTable["start"];
  readonly values: Float64Array;
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
/** Draws when rows are dealt, which takes longer: the error is 0.5 points. */
const DEALT_DRAWS = 2048;
/**
 * The most rows dealt, a second or two. For more, the draws choose from a few deals of each unit, in
 * mirrored pairs: twenty gates then failed an unchanged agent in 14 of 300 simulated runs ("0/1
 * noisy" of benchmarks/gate-agents.mjs, 800 examples, 3:3).
 */
const [MAX_DEALT, FEW_DEALS] = [1e8, 64] as const;
/** Units whose signs are drawn as one byte. */
const BYTE = 8;
const SEED = 20261125;

/** What changes sides without clusters: single examples or, in a large run, blocks of them. */
export function blocksOf(examples: number): Units {
  const of = new Int32Array(examples);
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
  const seed = SEED + group;
  // Patterns of two groups that are enumerated would be correlated.
  return units.whole || columns.every(({ single }) => single)
    ? drawSigns(columns, units, { seed, isAlone: of === 1 })
    : drawDeals(columns, units, seed);
}

/** Changes the sign of each unit's sum of differences. */
function drawSigns(
  columns: readonly ExchangeColumn[],
  units: Units,
  { seed, isAlone }: { readonly seed: number; readonly isAlone: boolean },
): Drawn[] {
  const sums = columns.map((column) => sumUnits(column, units));
  const open: number[] = [];
  let steps = 1;
  for (let unit = 0; unit < units.count; unit++) {
    const active = sums.filter((own) => own[unit] !== 0).length;
    if (active > 0) open.push(unit);
    steps += active;
  }
  const isCounted = isAlone && 2 ** open.length <= DRAWS;
  const most = Math.max(FEWEST_DRAWS, Math.min(DRAWS, Math.floor(MAX_STEPS / steps)));
  const count = isCounted ? 2 ** open.length : most;
  const draws = columns.map(() => new Float64Array(count));
  const signs = new Uint8Array(count);
  for (let from = 0; from < open.length; from += BYTE) {
    const byte = open.slice(from, from + BYTE);
    // Every pattern once, one per draw; or numbers from one seed.
    if (isCounted) for (let draw = 0; draw < count; draw++) signs[draw] = draw >> from;
    else drawByte(signs, byte, units.count, seed);
    for (let c = 0; c < draws.length; c++)
      addPatterns(draws[c]!, toPatterns(byte, sums[c]!), signs);
  }
  return columns.map((column, c) => {
    const spread = sumOfSquares(sums[c]!);
    const exact = units.whole ? spread : sumOfSquares(column.differences);
    return standardise(column, draws[c]!, { spread, exact });
  });
}

function sumUnits({ pairs, differences }: ExchangeColumn, { of, count }: Units): Float64Array {
  const sums = new Float64Array(count);
  for (let i = 0; i < differences.length; i++) sums[of[pairs.head[i]!]!]! += differences[i]!;
  return sums;
}

/**
 * Draws the signs of a few units, one bit each. Loops over all draws are functions of their own here:
 * in a small run most of the time goes into compiling them.
 */
function drawByte(signs: Uint8Array, byte: readonly number[], units: number, seed: number): void {
  for (let draw = 0; draw < signs.length; draw++) {
    let pattern = 0;
    for (let bit = 0; bit < byte.length; bit++)
      pattern |= coinAt(seed, draw * units + byte[bit]!) << bit;
    signs[draw] = pattern;
  }
}

function addPatterns(into: Float64Array, patterns: Float64Array, signs: Uint8Array): void {
  for (let draw = 0; draw < into.length; draw++) into[draw]! += patterns[signs[draw]!]!;
}

/** The sum of a few units under every pattern of signs; a bit that is set is a minus. */
function toPatterns(byte: readonly number[], sums: Float64Array): Float64Array {
  const patterns = new Float64Array(2 ** byte.length);
  for (let bit = 0; bit < byte.length; bit++) patterns[0]! += sums[byte[bit]!]!;
  for (let bit = 0; bit < byte.length; bit++)
    for (let lower = 0; lower < 1 << bit; lower++)
      patterns[lower | (1 << bit)] = patterns[lower]! - 2 * sums[byte[bit]!]!;
  return patterns;
}

function sumOfSquares(values: Float64Array): number {
  let squares = 0;
  for (let i = 0; i < values.length; i++) squares += values[i]! ** 2;
  return squares;
}

/** Divides by the exchange deviation: draws by that of what they were drawn from. */
function standardise(
  { total }: ExchangeColumn,
  draws: Float64Array,
  { spread, exact }: { readonly spread: number; readonly exact: number },
): Drawn {
  if (spread === 0) return { z: 0, draws: new Float64Array(0) };
  const deviation = Math.sqrt(spread);
  for (let draw = 0; draw < draws.length; draw++) draws[draw]! /= deviation;
  return { z: total / Math.sqrt(exact), draws };
}

/** The values of one pair's rows, this run's first; NaN if a row has none. */
interface PairValues {
  readonly of: Float64Array;
  /** How many values each side has, and their sum. */
  readonly head: number;
  readonly base: number;
  readonly total: number;
}

/** The values of both runs of one example, with their sum; rows without a value are NaN. */
export function readPair(
  { pairs, head: mine, base: others }: Pick<ExchangeColumn, "pairs" | "head" | "base">,
  pair: number,
): PairValues {
  const [from, to] = [mine.start[pairs.head[pair]!]!, mine.start[pairs.head[pair]! + 1]!];
  const [begin, end] = [others.start[pairs.base[pair]!]!, others.start[pairs.base[pair]! + 1]!];
  const own = to - from;
  const of = new Float64Array(own + end - begin);
  let [head, base, total] = [0, 0, 0];
  for (let s = 0; s < of.length; s++) {
    of[s] = s < own ? mine.values[from + s]! : others.values[begin + s - own]!;
    if (Number.isNaN(of[s]!)) continue;
    if (s < own) head++;
    else base++;
    total += of[s]!;
  }
  return { of, head, base, total };
}

/** The values of a head example's pair in each column whose labels matter there, by column. */
function createVarying(
  columns: readonly ExchangeColumn[],
  examples: number,
): (example: number) => (readonly [column: number, values: PairValues])[] {
  const places = columns.map(({ pairs }) => {
    const places = new Int32Array(examples).fill(-1);
    for (let pair = 0; pair < pairs.head.length; pair++) places[pairs.head[pair]!] = pair;
    return places;
  });
  return (example) =>
    columns.flatMap((one, column) => {
      const pair = places[column]![example]!;
      if (pair < 0) return [];
      const values = readPair(one, pair);
      return isVarying(values.of) ? [[column, values] as const] : [];
    });
}

function isVarying(values: Float64Array): boolean {
  const first = values.find((value) => !Number.isNaN(value));
  return values.some((value) => !Number.isNaN(value) && value !== first);
}

/** Deals the rows of every example, in each draw or, for many rows, a few times for the draws to choose from. */
function drawDeals(columns: readonly ExchangeColumn[], units: Units, seed: number): Drawn[] {
  const examples = units.of.length;
  const varying = createVarying(columns, examples);
  let work = 1;
  for (let e = 0; e < examples; e++) {
    const all = varying(e);
    for (const [, values] of all) work += values.of.length * (1 + 1 / all.length);
  }
  const affordable = Math.min(DEALT_DRAWS, Math.floor(MAX_DEALT / work));
  const isFew = affordable < FEWEST_DRAWS;
  const [count, deals] = isFew ? [DRAWS, FEW_DEALS] : [affordable, affordable];
  const [draws, sums] = [count, deals].map((size) => columns.map(() => new Float64Array(size)));
  const [spreads, variances] = [columns.map(() => 0), columns.map(() => 0)];
  const chosen = Uint16Array.from({ length: count }, (_, draw) => draw);
  const close = (unit: number): void => {
    for (let draw = 0; draw < count && isFew; draw++)
      chosen[draw] = randomAt(seed, draw * units.count + unit) * deals;
    for (const [c, own] of sums!.entries()) {
      if (own.every((sum) => sum === 0)) continue;
      if (isFew) centre(own);
      spreads[c]! += sumOfSquares(own) / deals;
      for (let draw = 0; draw < count; draw++) draws![c]![draw]! += own[chosen[draw]!]!;
      own.fill(0);
    }
  };
  for (let e = 0; e < examples; e++) {
    const orders = new Map<number, Int32Array>();
    for (const [column, values] of varying(e)) {
      const size = values.of.length;
      const { start } = columns[column]!.head;
      const how = { own: start[e + 1]! - start[e]!, size, deals, seed };
      const dealt = orders.get(size) ?? dealRows(e, how);
      orders.set(size, dealt);
      variances[column]! += exchangeVariance(values);
      addSplits(sums![column]!, columns[column]!, values, dealt);
    }
    if (units.of[e] !== units.of[e + 1]) close(units.of[e]!);
  }
  return columns.map((column, c) => {
    const exact = column.statistic === null ? variances[c]! : spreads[c]!;
    // Draws that equal what was seen are ties, so that both are on one scale.
    return standardise(column, draws![c]!, { spread: isFew ? spreads[c]! : exact, exact });
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

/** Centres a few deals, since exchanging all labels has mean 0. */
function centre(sums: Float64Array): void {
  const mean = sums.reduce((sum, value) => sum + value / sums.length, 0);
  for (let deal = 0; deal < sums.length; deal++) sums[deal]! -= mean;
}

/**
 * Deals the rows of a pair: each random order serves two arrangements, since one takes its first
 * rows as this run's, the other its last. The same for every column, whichever rows it lacks.
 */
function dealRows(
  example: number,
  { own, size, deals, seed }: Readonly<Record<"own" | "size" | "deals" | "seed", number>>,
): Int32Array {
  const orders = new Int32Array(size * Math.ceil(deals / 2));
  const keys = new Float64Array(size);
  // Baseline and anchor get equal keys, so that the rows of this run, which is compared with both, are dealt alike.
  const slotOf = (s: number): number => (s < own ? 2 * s : 2 * (s - own) + 1);
  const slots = Int32Array.from({ length: size }, (_, s) => Math.imul(slotOf(s) + 1, 0xc2b2ae35));
  const hand = Math.imul(example + 1, 0x9e3779b1);
  for (let begin = 0, k = seed; begin < orders.length; begin += size, k += 2) {
    const deal = hand ^ Math.imul(k + 1, 0x85ebca6b);
    // A key has 32 bits; the rest of the double holds the row, so that keys sort together with their rows.
    for (let s = 0; s < size; s++) keys[s] = mix(deal ^ slots[s]!) * size + s;
    keys.sort();
    // The remainder, which is exact for such keys; `%` of doubles takes many times as long.
    for (let s = 0; s < size; s++)
      orders[begin + s] = keys[s]! - size * Math.floor(keys[s]! / size);
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
  { statistic, sign }: ExchangeColumn,
  values: PairValues,
  orders: Int32Array,
): void {
  const size = values.of.length;
  for (let at = 0; at < into.length; at++) {
    const order = { orders, begin: (at >> 1) * size, isMirrored: (at & 1) === 1 };
    const difference =
      statistic === null ? splitMeans(values, order) : splitBy(statistic, values, order);
    into[at]! += sign * difference;
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
  return statistic(mine) - statistic(others);
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
