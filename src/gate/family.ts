import { normalCdf, normalQuantile } from "./distribution.ts";
import { createSeededRandom } from "./random.ts";

/** One question of a run's family: its own chance, and what each example adds to its estimate. */
export interface Question {
  /** One-sided chance, before the family. */
  readonly p: number;
  /** By head example; what two questions share is how far these go together. Null: on its own. */
  readonly influence: Float64Array | null;
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
    const together = joint === null ? holm : joint.chance(rank, p);
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
    return Math.min(1, Math.max(p, joint === null ? size * p : joint.chance(0, p)));
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
  /** Chance that one of the questions from a rank on is as extreme as p. */
  readonly chance: (rank: number, p: number) => number;
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
  const largest = Array.from({ length: size }, () => new Float64Array(DRAWS));
  const extra = new Float64Array(DRAWS).fill(-Infinity);
  const z = new Float64Array(m);
  for (let draw = 0; draw < DRAWS; draw++) {
    for (let i = 0; i < m; i++) {
      let sum = 0;
      for (let j = 0; j <= i; j++) sum += root[i * m + j]! * normals[draw * m + j]!;
      z[i] = sum;
    }
    for (let i = size; i < m; i++) if (z[i]! > extra[draw]!) extra[draw] = z[i]!;
    let most = -Infinity;
    for (let i = size - 1; i >= 0; i--) {
      if (z[i]! > most) most = z[i]!;
      largest[i]![draw] = most;
    }
  }
  const barOf = (p: number): number => (p <= 0 ? Infinity : -normalQuantile(p));
  return {
    chance: (rank, p) => {
      if (p >= 1) return 1;
      const bar = barOf(p);
      let count = 0;
      for (const value of largest[rank]!) if (value >= bar) count++;
      return (count + 1) / (DRAWS + 1);
    },
    level: (alpha) => {
      if (size === 1) return alpha;
      const sorted = largest[0]!.slice().sort();
      const at = Math.min(DRAWS - 1, Math.ceil((1 - alpha) * (DRAWS + 1)));
      return normalCdf(-sorted[at]!);
    },
    besides: (p, level) => {
      if (p >= 1) return 1;
      const [bar, other] = [barOf(p), barOf(level)];
      let count = 0;
      for (let draw = 0; draw < DRAWS; draw++)
        if (extra[draw]! >= bar && largest[0]![draw]! < other) count++;
      return (count + 1) / (DRAWS + 1);
    },
  };
}

/** How far questions go together over the examples they share. */
function correlations(questions: readonly Question[]): Float64Array {
  const m = questions.length;
  const norms = questions.map(({ influence }) =>
    influence === null ? 0 : Math.sqrt(dot(influence, influence)),
  );
  const matrix = new Float64Array(m * m);
  for (let i = 0; i < m; i++) {
    matrix[i * m + i] = 1;
    for (let j = 0; j < i; j++) {
      const [a, b] = [questions[i]!.influence, questions[j]!.influence];
      const scale = norms[i]! * norms[j]!;
      const shared = a === null || b === null || scale === 0 || a.length !== b.length;
      const value = shared ? 0 : dot(a, b) / scale;
      matrix[i * m + j] = value;
      matrix[j * m + i] = value;
    }
  }
  return matrix;
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

const known = new Map<number, Float64Array>();

function standardNormals(m: number): Float64Array {
  const before = known.get(m);
  if (before !== undefined) return before;
  const random = createSeededRandom(SEED);
  const values = new Float64Array(DRAWS * m);
  for (let i = 0; i < values.length; i += 2) {
    const radius = Math.sqrt(-2 * Math.log(1 - random()));
    const angle = 2 * Math.PI * random();
    values[i] = radius * Math.cos(angle);
    if (i + 1 < values.length) values[i + 1] = radius * Math.sin(angle);
  }
  if (known.size > 20) known.clear();
  known.set(m, values);
  return values;
}
