import { createSeededRandom, mcnemar, shareBelow, TIE } from "./chance.ts";
import { normalCdf } from "./distribution.ts";
import { drawColumns, DRAWS, type Drawn, type ExchangeColumn, type Units } from "./exchange.ts";

/** Collects the hypotheses of a run and answers them together. */
export interface FamilyBuilder {
  /** Adds a hypothesis; returns the index of its answer. */
  readonly add: (column: ExchangeColumn, units: Units) => number;
  /** Adds a hypothesis that has its own independent test, with its p. */
  readonly addChance: (p: number) => number;
  readonly close: (alpha: number) => Family;
}

/** The answers: each own p, and adjusted among all hypotheses of the run. */
export interface Family {
  readonly p: (hypothesis: number) => number;
  readonly own: (hypothesis: number) => number;
  readonly isProven: (hypothesis: number) => boolean;
  /** The own p below which a hypothesis of this family is significant. */
  readonly level: number;
  /** How many hypotheses could show something. */
  readonly size: number;
}

const SEED = 20261126;

/** Creates an empty family. */
export function createFamily(): FamilyBuilder {
  const columns = new Map<ExchangeColumn, Units>();
  const hypotheses: (ExchangeColumn | number)[] = [];
  return {
    add: (column, units) => {
      columns.set(column, units);
      return hypotheses.push(column) - 1;
    },
    addChance: (p) => hypotheses.push(p) - 1,
    close: (alpha) => {
      const drawn = new Map<ExchangeColumn, Drawn>();
      // Groups of one run (providers, prompts) are separate heads with separate units.
      const groups = [...new Set(columns.values())];
      for (const [group, units] of groups.entries()) {
        const own = [...columns.keys()].filter((column) => columns.get(column) === units);
        const draws = drawColumns(own, units, { group, of: groups.length });
        for (const [at, column] of own.entries()) drawn.set(column, draws[at]!);
      }
      const asked = hypotheses.map((one, at) =>
        typeof one === "number" ? askChance(one, at) : askColumn(one, drawn.get(one)!),
      );
      return answer(asked, alpha);
    },
  };
}

/** A hypothesis with its draws: its own p, and its position among them. */
interface Asked {
  readonly p: number;
  readonly share: number;
  /** Empty if it could show nothing. */
  readonly draws: Float64Array;
}

function askColumn({ marks }: ExchangeColumn, { z, draws }: Drawn): Asked {
  const share = draws.length === 0 ? 1 : shareBelow(draws, z, normalCdf(z));
  const p = marks === null ? share : mcnemar(marks.worse, marks.better);
  return { p, share, draws };
}

/** Gives a hypothesis without draws its own random ones. */
function askChance(p: number, at: number): Asked {
  const random = createSeededRandom(SEED + at);
  const draws = Float64Array.from({ length: DRAWS }, random);
  return { p, share: shareBelow(draws, p, p), draws };
}

/** Answers all hypotheses: an adjusted p is never below the hypothesis's own p, nor above Holm's. */
function answer(asked: readonly Asked[], alpha: number): Family {
  const open = asked.flatMap(({ draws }, at) => (draws.length > 0 ? [at] : []));
  const adjusted = asked.map(() => 1);
  const size = open.length;
  // A single hypothesis needs no adjustment.
  const joint = size > 1 ? stepDown(asked, open) : null;
  let holm = 0;
  [...open]
    .sort((a, b) => asked[a]!.p - asked[b]!.p || a - b)
    .forEach((at, rank) => {
      const { p } = asked[at]!;
      holm = Math.max(holm, Math.min(1, (size - rank) * p));
      adjusted[at] = Math.min(holm, Math.max(p, joint?.together.get(at) ?? 0));
    });
  return {
    p: (at) => adjusted[at]!,
    own: (at) => asked[at]!.p,
    isProven: (at) => asked[at]!.draws.length > 0 && adjusted[at]! < alpha,
    level: joint === null ? alpha : levelOf(joint.lowest, size, alpha),
    size,
  };
}

/**
 * Step-down over the joint draws (Westfall and Young 1993), with each column on the scale of its
 * own p, so that a skewed one has no more weight than the others: the adjusted p of all hypotheses,
 * and the lowest p of each draw.
 */
function stepDown(asked: readonly Asked[], open: readonly number[]) {
  const lowest = new Float64Array(Math.max(...open.map((at) => asked[at]!.draws.length))).fill(1);
  const together = new Map<number, number>();
  const surest = [...open].sort((a, b) => asked[a]!.share - asked[b]!.share || a - b);
  surest.toReversed().forEach((at, index) => {
    const chances = chancesOf(asked[at]!.draws);
    // Enumerated columns are cycled through.
    for (let draw = 0; draw < lowest.length; draw++) {
      const chance = chances[draw % chances.length]!;
      if (chance < lowest[draw]!) lowest[draw] = chance;
    }
    const { share } = asked[at]!;
    together.set(at, shareBelow(lowest, share, (index + 1) * share));
  });
  let largest = 0;
  for (const at of surest) {
    largest = Math.max(largest, together.get(at)!);
    together.set(at, largest);
  }
  return { together, lowest } as const;
}

/** The share of all draws that are at least as low as each, counting ties half. */
function chancesOf(draws: Float64Array): Float64Array {
  const sorted = draws.slice().sort();
  const chances = new Float64Array(sorted.length);
  for (let from = 0, to = 0; from < sorted.length; from = to) {
    while (to < sorted.length && sorted[to]! <= sorted[from]! + TIE) to++;
    chances.fill((from + to) / 2 / sorted.length, from, to);
  }
  const found = new Float64Array(draws.length);
  for (let draw = 0; draw < draws.length; draw++)
    found[draw] = chances[placeOf(sorted, draws[draw]!)]!;
  return found;
}

/** First index of a value in a sorted array. */
function placeOf(sorted: Float64Array, value: number): number {
  let low = 0;
  let high = sorted.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The own p that the lowest of all hypotheses falls below in alpha of the draws. */
function levelOf(lowest: Float64Array, size: number, alpha: number): number {
  const critical = lowest.slice().sort()[Math.floor(alpha * lowest.length)]!;
  return Math.min(alpha, Math.max(alpha / size, critical));
}
