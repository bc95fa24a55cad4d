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
}

/** Chances of the run: all of its questions taken together. */
export interface FamilyResult {
  /** By question, adjusted; 1 for those that are not open. */
  readonly adjusted: readonly number[];
  /** The p that a single question must beat at level alpha. */
  readonly level: number;
  /** Questions counted. */
  readonly size: number;
}

const DRAWS = 8192;
const SEED = 20261121;
/** Bounds the work on very large families; beyond it Holm alone serves. */
const MOST_JOINT = 120;

/**
 * Step-down max-T: how often the most extreme of the questions would be as extreme as this when nothing changed. The
 * joint distribution has the correlations that exchanging whole examples gives; each margin is the question's own exact
 * test. Never worse than Holm.
 */
export function adjustFamily(questions: readonly Question[], alpha: number): FamilyResult {
  const open = questions.flatMap((question, at) => (question.open ? [at] : []));
  const order = open.sort((a, b) => questions[a]!.p - questions[b]!.p || a - b);
  const size = order.length;
  const adjusted = questions.map(() => 1);
  if (size === 0) return { adjusted, level: alpha, size };
  const joint =
    size === 1 || size > MOST_JOINT ? null : exceedances(order.map((at) => questions[at]!));
  let largest = 0;
  order.forEach((at, rank) => {
    const { p } = questions[at]!;
    const holm = Math.min(1, (size - rank) * p);
    const together = joint === null ? holm : joint.chance(rank, p);
    largest = Math.max(largest, Math.min(holm, Math.max(p, together)));
    adjusted[at] = largest;
  });
  return {
    adjusted,
    level: joint === null ? alpha / size : Math.max(alpha / size, joint.level(alpha)),
    size,
  };
}

interface Joint {
  /** Chance that one of the questions from a rank on is as extreme as p. */
  readonly chance: (rank: number, p: number) => number;
  readonly level: (alpha: number) => number;
}

/** Draws of the largest of the questions from each rank on; the same draws for the same questions. */
function exceedances(questions: readonly Question[]): Joint {
  const m = questions.length;
  const root = choleskyOf(correlations(questions));
  const normals = standardNormals(m);
  const largest = Array.from({ length: m }, () => new Float64Array(DRAWS));
  const z = new Float64Array(m);
  for (let draw = 0; draw < DRAWS; draw++) {
    for (let i = 0; i < m; i++) {
      let sum = 0;
      for (let j = 0; j <= i; j++) sum += root[i * m + j]! * normals[draw * m + j]!;
      z[i] = sum;
    }
    let most = -Infinity;
    for (let i = m - 1; i >= 0; i--) {
      if (z[i]! > most) most = z[i]!;
      largest[i]![draw] = most;
    }
  }
  return {
    chance: (rank, p) => {
      if (p >= 1) return 1;
      const bar = p <= 0 ? Infinity : -normalQuantile(p);
      let count = 0;
      for (const value of largest[rank]!) if (value >= bar) count++;
      return (count + 1) / (DRAWS + 1);
    },
    level: (alpha) => {
      const sorted = largest[0]!.slice().sort();
      const at = Math.min(DRAWS - 1, Math.ceil((1 - alpha) * (DRAWS + 1)));
      return normalCdf(-sorted[at]!);
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
