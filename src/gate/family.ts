import { normalCdf, normalQuantile } from "./distribution.ts";
import { createSeededRandom } from "./random.ts";
import { nthSmallest } from "./selection.ts";

/** One question of a run's family: its own chance, and what each example adds to its estimate. */
export interface Question {
  /** One-sided chance, before the family. */
  readonly p: number;
  /** By head example; what two questions share is how far these go together. Null: on its own. */
  readonly influence: Float64Array | null;
  /** Clusters that `influence` is summed by; null or absent where it is by example. */
  readonly clusters?: number | null;
  /** False where these data could show nothing whatever happened: then it costs the others nothing. */
  readonly open: boolean;
  /**
   * What it takes from the others. `counted` (the default): its share of alpha. `beside`: nothing, it has a small share
   * of its own on top, so that one more crash never makes a fall look less sure. `shadow`: nothing, since a question
   * that is at least as strong stands for it.
   */
  readonly role?: "counted" | "beside" | "shadow";
  /** Its part of the alpha that one question has; absent: all of it. */
  readonly weight?: number;
}

/** Chances of the run: all of its questions taken together. */
export interface FamilyResult {
  /** By question, adjusted; 1 for those that are not open. */
  readonly adjusted: readonly number[];
  /** By question, what the adjusted chance has to be under: alpha, less where its weight is less. */
  readonly bars: readonly number[];
  /** The p that a single question must beat at level alpha. */
  readonly level: number;
  /** Questions counted. */
  readonly size: number;
}

const DRAWS = 8192;
const SEED = 20261121;
/** Bounds the work on very large families; beyond it Holm alone serves. */
const MOST_JOINT = 120;
/** What questions beside the family may add to alpha, as a share of it. */
const BESIDE_SHARE = 0.1;

/**
 * Step-down max-T: how often the most extreme of the questions would be as extreme as this when nothing changed. The
 * joint distribution has the correlations that exchanging whole examples gives; each margin is the question's own exact
 * test. Never worse than Holm.
 */
export function adjustFamily(questions: readonly Question[], alpha: number): FamilyResult {
  const rolesOf = (role: Question["role"]): number[] =>
    questions.flatMap((one, at) => (one.open && (one.role ?? "counted") === role ? [at] : []));
  const [counted, beside] = [rolesOf("counted"), rolesOf("beside")];
  const order = (counted.length === 0 ? beside : counted).sort(
    (a, b) => questions[a]!.p - questions[b]!.p || a - b,
  );
  const size = order.length;
  const adjusted = questions.map(() => 1);
  const extras = counted.length === 0 ? [] : beside;
  const joint = drawJoint(order, extras, questions);
  let largest = 0;
  order.forEach((at, rank) => {
    const { p } = questions[at]!;
    const holm = Math.min(1, (size - rank) * p);
    const together = joint === null ? holm : joint.chances[rank]!;
    largest = Math.max(largest, Math.min(holm, Math.max(p, together)));
    adjusted[at] = largest;
  });
  const single = alpha / Math.max(1, size);
  const level = joint === null ? single : Math.max(single, joint.level(alpha));
  for (const at of extras) {
    const { p } = questions[at]!;
    const added = joint === null ? p * extras.length : joint.besides(p, level);
    adjusted[at] = Math.min(1, Math.max(p, added / BESIDE_SHARE));
  }
  const among = (p: number): number => {
    if (size <= 1) return Math.min(1, p);
    return Math.min(1, Math.max(p, joint === null ? size * p : joint.chance(p)));
  };
  for (const at of rolesOf("shadow")) adjusted[at] = among(questions[at]!.p);
  const bars = questions.map(({ weight = 1 }) => (weight < 1 ? among(weight * level) : alpha));
  return { adjusted, bars, level, size };
}

function drawJoint(
  order: readonly number[],
  extras: readonly number[],
  questions: readonly Question[],
): Joint | null {
  const all = [...order, ...extras];
  if (all.length <= 1 || all.length > MOST_JOINT) return null;
  return exceedances(
    all.map((at) => questions[at]!),
    order.length,
  );
}

interface Joint {
  /** By rank: the chance that one of the questions from there on is as extreme as the question of that rank. */
  readonly chances: readonly number[];
  /** Chance that any question of the family is as extreme as p. */
  readonly chance: (p: number) => number;
  readonly level: (alpha: number) => number;
  /** Chance that a question beside the family is as extreme as p while none of the family reaches a level. */
  readonly besides: (p: number, level: number) => number;
}

/**
 * Draws of the largest of the family's questions from each rank on, and of the largest of those behind it; the same
 * draws for the same questions.
 */
function exceedances(questions: readonly Question[], size: number): Joint {
  const m = questions.length;
  const root = choleskyOf(correlations(questions));
  const normals = standardNormals(m);
  const largest = new Float64Array(DRAWS).fill(-Infinity);
  const extra = new Float64Array(DRAWS).fill(-Infinity);
  const z = new Float64Array(DRAWS);
  const chances = new Array<number>(size).fill(1);
  const chance = (p: number): number => (p >= 1 ? 1 : cautiousShare(countFrom(largest, barOf(p))));
  for (let i = m - 1; i >= 0; i--) {
    mix(z, normals, root.subarray(i * m, i * m + i + 1));
    raise(i < size ? largest : extra, z);
    if (i < size) chances[i] = chance(questions[i]!.p);
  }
  return {
    chances,
    chance,
    level: (alpha) => {
      if (size === 1) return alpha;
      let count = Math.floor(alpha * (DRAWS + 1));
      while (count > 1 && cautiousShare(count) > alpha) count--;
      return normalCdf(-nthSmallest(largest.slice(), DRAWS - count));
    },
    besides: (p, level) => {
      if (p >= 1) return 1;
      const [bar, other] = [barOf(p), barOf(level)];
      let count = 0;
      for (let draw = 0; draw < DRAWS; draw++)
        if (extra[draw]! >= bar && largest[draw]! < other) count++;
      return cautiousShare(count);
    },
  };
}

/** A share of the draws with their error counted against the run: one draw, and one standard error. */
function cautiousShare(count: number): number {
  const share = (count + 1) / (DRAWS + 1);
  return Math.min(1, share + Math.sqrt((share * (1 - share)) / (DRAWS + 1)));
}

function barOf(p: number): number {
  return p <= 0 ? Infinity : -normalQuantile(p);
}

function countFrom(values: Float64Array, bar: number): number {
  let count = 0;
  for (let i = 0; i < values.length; i++) if (values[i]! >= bar) count++;
  return count;
}

function raise(most: Float64Array, values: Float64Array): void {
  for (let i = 0; i < most.length; i++) if (values[i]! > most[i]!) most[i] = values[i]!;
}

/** A sum of columns by their weights, two at a time: this loop is most of the work of a large family. */
function mix(sum: Float64Array, columns: readonly Float64Array[], weights: Float64Array): void {
  sum.fill(0);
  for (let j = 0; j < weights.length; j += 2) {
    const [one, other] = [columns[j]!, columns[j + 1] ?? columns[j]!];
    const [p, q] = [weights[j]!, weights[j + 1] ?? 0];
    if (p !== 0 || q !== 0)
      for (let i = 0; i < sum.length; i++) sum[i]! += p * one[i]! + q * other[i]!;
  }
}

/** How far questions go together over the examples they share. */
function correlations(questions: readonly Question[]): Float64Array {
  const m = questions.length;
  const norms = questions.map(({ influence }) =>
    influence === null ? 0 : Math.sqrt(dot(influence, influence)),
  );
  const matrix = new Float64Array(m * m);
  const chance = { seen: 0, scatter: 0 };
  for (let i = 0; i < m; i++) {
    matrix[i * m + i] = 1;
    for (let j = 0; j < i; j++) {
      const [one, other] = [questions[i]!, questions[j]!];
      const [a, b] = [one.influence, other.influence];
      const scale = norms[i]! * norms[j]!;
      const apart = a === null || b === null || scale === 0 || a.length !== b.length;
      const value = apart ? 0 : dot(a, b) / scale;
      matrix[i * m + j] = value;
      matrix[j * m + i] = value;
      if (apart) continue;
      chance.seen += value * value;
      const clusters = Math.min(one.clusters ?? Infinity, other.clusters ?? Infinity);
      if (clusters === Infinity || clusters < 2) continue;
      const parts = squares(a, b) / (scale * scale);
      chance.scatter +=
        Math.max(0, parts - (value * value) / clusters) * (clusters / (clusters - 1));
    }
  }
  shrink(matrix, chance.seen === 0 ? 0 : Math.min(1, chance.scatter / chance.seen));
  return matrix;
}

/**
 * Takes from correlations between clusters what is chance in them (Schäfer and Strimmer 2005). Ten clusters show high
 * ones between questions that have nothing in common, and the family would count fewer questions than there are.
 */
function shrink(matrix: Float64Array, part: number): void {
  if (part === 0) return;
  const m = Math.round(Math.sqrt(matrix.length));
  for (let at = 0; at < matrix.length; at++) if (at % (m + 1) !== 0) matrix[at]! *= 1 - part;
}

/** Sum of the squared products. */
function squares(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i]! * b[i]!) ** 2;
  return sum;
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!;
  return sum;
}

/** Lower triangle whose square is the matrix; what goes wholly with earlier ones adds nothing of its own. */
function choleskyOf(matrix: Float64Array): Float64Array {
  const m = Math.round(Math.sqrt(matrix.length));
  const root = new Float64Array(m * m);
  for (let i = 0; i < m; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = matrix[i * m + j]!;
      for (let k = 0; k < j; k++) sum -= root[i * m + k]! * root[j * m + k]!;
      if (i === j) root[i * m + i] = Math.sqrt(Math.max(0, sum));
      else root[i * m + j] = root[j * m + j]! > 1e-7 ? sum / root[j * m + j]! : 0;
    }
  }
  return root;
}

const known: Float64Array[] = [];

/**
 * Columns of normal draws, each of which has one draw in every equal part of the distribution (Latin hypercube, McKay
 * 1979): the error of a level of independent questions is a sixth of that of plain draws.
 */
function standardNormals(m: number): readonly Float64Array[] {
  while (known.length < m) {
    const random = createSeededRandom(SEED + known.length);
    const column = new Float64Array(DRAWS);
    for (let i = 0; i < DRAWS; i++) {
      // Shuffled from the inside out; never at an end of the distribution.
      const other = Math.floor(random() * (i + 1));
      column[i] = column[other]!;
      column[other] = normalQuantile((i + 0.0005 + 0.999 * random()) / DRAWS);
    }
    known.push(column);
  }
  return known;
}
