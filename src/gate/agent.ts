import { mcnemar } from "./chance.ts";
import { normalCdf } from "./distribution.ts";
import { meanOf } from "./interval.ts";
import { createSeededRandom } from "./random.ts";

/** Runs drawn of an unchanged agent, whose power then has an error of 2.8 points. */
const RUNS = 200;
/** Units drawn for a run: beyond it a run's chance shrinks with the root of their number. */
export const MOST_UNITS = 200;
/** Of every drawn run, with its number added. */
export const SEED = 20261127;
/** Of the marks' variance, how much is within examples where worse agents break some for good, and where all waver. */
const [BREAKS, WAVERS] = [1 / 3, 2 / 3] as const;

/** Runs of an agent that got worse by some fall: the change that each shows, and its difference over its deviation. */
export interface Simulated {
  readonly change: Float64Array;
  readonly z: Float64Array;
  /** The chance of each, where it is not that of the normal: marks have few values. */
  readonly chance: Float64Array | null;
}

/** An unchanged agent; runs of it are drawn again and again. */
export interface Agent {
  readonly simulate: (fall: number) => Simulated;
  /** Units of one drawn run. */
  readonly units: number;
  /** The largest fall there can be; null: any. */
  readonly most: number | null;
  /** A fall of the size of chance, to look from; 0 where nothing scatters. */
  readonly step: number;
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

/**
 * Marks of all drawn runs, one example after the other, with numbers that decide which of them a
 * worse agent breaks.
 */
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

/** Columns of so many drawn runs. */
export const createRuns = (count: number): [Float64Array, Float64Array, Float64Array] => [
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
    meanOf(Float64Array.from(runs, ({ total, size }) => (total / size) ** 2)),
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
