import { binomialUpperTail, normalCdf, normalQuantile, studentQuantile } from "./distribution.ts";
import { fallOfMarks } from "./mark-fall.ts";
import type { Scatter } from "./scatter.ts";
import { criticalStatistic, fewestWorse, overChanged } from "./single-pairs.ts";

/** Share of real falls that a stated fall is found with. */
const POWER = 0.8;
/** Standard errors beyond which a change is taken for a real one, and not for noise. */
const REAL_CHANGE = 2;
/** Pairs added to those that changed: few changed pairs scatter, and the fall grows with the root of their number. */
const UNSEEN_PAIRS = 0.25;
/** A stated fall is this exact, relative to itself. */
const CLOSE = 1e-3;
/** Keeps the error of values that do not scatter above 0. */
const LEAST_VARIANCE = 1e-30;
/** Pairs beyond which the power of single pass marks is that of a normal sum. */
const MOST_COUNTED = 2000;

/**
 * The smallest fall that a drop gate finds in 8 of 10 runs: this limit, this level within the family, these pairs and
 * repeats. Null where no fall is found that often.
 */
export function detectableFall({
  scatter,
  n,
  limit,
  level,
}: {
  readonly scatter: Scatter;
  readonly n: number;
  readonly limit: number;
  /** The p that the gate must beat by itself. */
  readonly level: number;
}): number | null {
  const power = powerOf(scatter, n, limit, level);
  const top = largestFall(scatter, n, limit);
  return top === null ? null : smallestWhere(top, power);
}

/** The largest fall to look at; null where the values do not scatter at all. */
function largestFall(scatter: Scatter, n: number, limit: number): number | null {
  switch (scatter.kind) {
    case "marks":
      return Math.max(scatter.good, 1 / n);
    case "spread":
      if (scatter.marks !== null) return scatter.marks.good;
      return scatter.se === 0 ? null : limit + 50 * scatter.se;
    case "quantile":
      return scatter.reach === 0 ? null : limit + scatter.reach;
  }
}

function powerOf(
  scatter: Scatter,
  n: number,
  limit: number,
  level: number,
): (fall: number) => number {
  switch (scatter.kind) {
    case "marks":
      return (fall) => powerOfMarks(scatter, n, limit, level, fall);
    case "spread":
      return powerOfSpread(scatter, n, limit, level);
    case "quantile":
      return (fall) => scatter.power(fall, limit, level);
  }
}

/**
 * Where power reaches its mark, no further off than a thousandth, never too small: false position with Illinois' rule,
 * since each look at the power of marks is a sum over binomial tails.
 */
function smallestWhere(top: number, power: (fall: number) => number): number | null {
  let [low, high] = [0, top];
  let [under, over] = [power(0) - POWER, power(top) - POWER];
  if (over < 0) return null;
  if (under >= 0) return 0;
  for (let i = 0; i < 60 && high - low > CLOSE * high; i++) {
    // A hair beyond the crossing, so that the upper end comes close as well.
    const guess = high - (over / (over - under)) * (high - low);
    const at = Math.min(high - 0.1 * (high - low), guess + (CLOSE / 4) * high);
    const found = power(at) - POWER;
    if (found >= 0) {
      [high, over, under] = [at, found, under / 2];
    } else [low, under, over] = [at, found, over / 2];
  }
  return high;
}

/** Every pass rate falls in proportion, so what passed surely breaks and what was a coin toss breaks less. */
function powerOfMarks(
  { changed, net, good }: Extract<Scatter, { kind: "marks" }>,
  n: number,
  limit: number,
  level: number,
  fall: number,
): number {
  const excess = Math.max(0, Math.abs(net) - REAL_CHANGE * Math.sqrt(changed / n));
  const noise = Math.max(0, changed - excess) + UNSEEN_PAIRS / n;
  const share = good > 0 ? Math.min(1, noise / (2 * good)) : 0;
  const worse = Math.min(1, noise / 2 + fall * (1 - share));
  const better = Math.max(0, noise / 2 - fall * share);
  const all = Math.min(1, worse + better);
  if (all <= 0) return 0;
  const z = criticalStatistic(n, level);
  if (n > MOST_COUNTED) {
    const mean = worse - better;
    const sd = Math.sqrt((all - mean * mean) / n);
    return normalCdf((mean - Math.max(limit, z * Math.sqrt(all / n))) / sd);
  }
  return overChanged(n, all, (m) => {
    if (m === 0) return 0;
    const beyond = Math.floor((m + limit * n) / 2 + 1e-9) + 1;
    return binomialUpperTail(Math.max(fewestWorse(m, z), beyond), m, worse / all);
  });
}

function powerOfSpread(
  { se, df, skew, marks }: Extract<Scatter, { kind: "spread" }>,
  n: number,
  limit: number,
  level: number,
): (fall: number) => number {
  const even = df > 1e5 ? normalQuantile(1 - level) : studentQuantile(1 - level, Math.max(1, df));
  // Cornish and Fisher's first term: falls lie further out where exchanges reach further down than up.
  const critical = even - (skew * (even * even - 1)) / 6;
  const variance = se * se;
  const chance = (fall: number, own: number, seen: number): number => {
    const needed = Math.max(limit, critical * Math.sqrt(Math.max(LEAST_VARIANCE, seen)));
    // The critical value scatters with the error that it is made of.
    const wobble = needed > limit && df < 1e5 ? Math.sqrt(1 + (critical * critical) / (2 * df)) : 1;
    return normalCdf((fall - needed) / (Math.sqrt(Math.max(LEAST_VARIANCE, own)) * wobble));
  };
  if (marks === null) return (fall) => chance(fall, variance, variance);
  const { headInverse, baseInverse, exchanged } = marks;
  return (fall) => {
    const { broken, loss, shared, within } = fallOfMarks(marks, fall);
    const grown = (within - marks.within) / n;
    const own = variance + grown * headInverse;
    return overChanged(n, broken, (count) => {
      const apart = (count * loss * loss) / (n * n);
      const seen =
        exchanged === null
          ? own + apart * (1 - count / n)
          : variance + grown * baseInverse + apart * exchanged;
      return chance((count * loss) / n + shared, own, seen);
    });
  };
}
