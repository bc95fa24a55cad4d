/**
 * Our own numerics, since no small library is exact enough: simple-statistics has no t
 * distribution, jstat is exact to about 1e-8, @stdlib is exact but comes as a tree of packages.
 * Tested against published values to 1e-10.
 */

/** Lanczos' approximation of the gamma function with g = 7 and nine terms (Godfrey 2001). */
const LANCZOS = [
  0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313,
  -176.61502916214059, 12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6,
  1.5056327351493116e-7,
] as const;
/** ln(2π) / 2. */
const HALF_LOG_TWO_PI = 0.9189385332046727;

function logGamma(x: number): number {
  let sum: number = LANCZOS[0];
  for (let i = 1; i < LANCZOS.length; i++) sum += LANCZOS[i]! / (x - 1 + i);
  const t = x + 6.5;
  return HALF_LOG_TWO_PI + (x - 0.5) * Math.log(t) - t + Math.log(sum);
}

/** log n! minus Stirling's approximation (Loader 2000): keeps large binomials exact where log-gammas would cancel. */
function stirlingError(n: number): number {
  if (n <= 15) return logGamma(n + 1) - (n + 0.5) * Math.log(n) + n - HALF_LOG_TWO_PI;
  const n2 = n * n;
  return (1 / 12 - (1 / 360 - (1 / 1260 - (1 / 1680 - 1 / 1188 / n2) / n2) / n2) / n2) / n;
}

/** x log(x/m) + m - x without cancellation near x = m (Loader 2000). */
function deviance(x: number, m: number): number {
  if (Math.abs(x - m) >= 0.1 * (x + m)) return x * Math.log(x / m) + m - x;
  const v = (x - m) / (x + m);
  let sum = (x - m) * v;
  let term = 2 * x * v;
  // Each term is less than a hundredth of the last one.
  for (let j = 1; ; j++) {
    term *= v * v;
    const next = sum + term / (2 * j + 1);
    if (Object.is(next, sum)) return next;
    sum = next;
  }
}

/** x^a (1-x)^b / B(a, b); `y` is 1 - x, passed separately so that neither end loses digits. */
function betaWeight(a: number, b: number, x: number, y: number): number {
  const n = a + b;
  const log =
    stirlingError(n) -
    stirlingError(a) -
    stirlingError(b) -
    deviance(a, n * x) -
    deviance(b, n * y);
  return Math.sqrt((a * b) / (2 * Math.PI * n)) * Math.exp(log);
}

/**
 * Continued fraction of the incomplete beta by Lentz's method, up to two last places of 1; converges
 * fast for x < (a+1)/(a+b+2).
 */
function betaFraction(a: number, b: number, x: number): number {
  const tiny = 1e-300;
  const guard = (value: number): number => (Math.abs(value) < tiny ? tiny : value);
  let c = 1;
  let d = 1 / guard(1 - ((a + b) * x) / (a + 1));
  let h = d;
  for (let m = 1; m < 10_000; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / guard(1 + even * d);
    c = guard(1 + even / c);
    h *= d * c;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / guard(1 + odd * d);
    c = guard(1 + odd / c);
    const step = d * c;
    h *= step;
    if (Math.abs(step - 1) < 4e-16) break;
  }
  return h;
}

/** Regularised incomplete beta I_x(a, b); `y` is 1 - x, which callers know more exactly. */
function incompleteBeta(a: number, b: number, x: number, y: number): number {
  const weight = betaWeight(a, b, x, y);
  return x < (a + 1) / (a + b + 2)
    ? (weight * betaFraction(a, b, x)) / a
    : 1 - (weight * betaFraction(b, a, y)) / b;
}

/** P(T <= t) of Student's t with `df` degrees of freedom. */
export function studentCdf(t: number, df: number): number {
  const tail = incompleteBeta(df / 2, 0.5, df / (df + t * t), (t * t) / (df + t * t)) / 2;
  return t > 0 ? 1 - tail : tail;
}

/** The t with P(T <= t) = `p`, for 0.5 <= p < 1. */
export function studentQuantile(p: number, df: number): number {
  let [low, high] = [0, 2];
  while (studentCdf(high, df) < p) high *= 2;
  while (high - low > 1e-14 * high) {
    const middle = (low + high) / 2;
    if (studentCdf(middle, df) < p) low = middle;
    else high = middle;
  }
  return high;
}

/** P(X >= k) for X binomial with `n` trials of probability `q`. */
export function binomialUpperTail(k: number, n: number, q: number): number {
  if (k <= 0) return 1;
  if (k > n) return 0;
  return incompleteBeta(k, n - k + 1, q, 1 - q);
}

/** Hart's numerator and denominator, as West prints them, the highest power first. */
const HART = [
  [
    3.52624965998911e-2, 0.700383064443688, 6.37396220353165, 33.912866078383, 112.079291497871,
    221.213596169931, 220.206867912376,
  ],
  [
    8.83883476483184e-2, 1.75566716318264, 16.064177579207, 86.7807322029461, 296.564248779674,
    637.333633378831, 793.826512519948, 440.413735824752,
  ],
] as const;

function polynomial(coefficients: readonly number[], x: number): number {
  let sum = 0;
  for (let i = 0; i < coefficients.length; i++) sum = sum * x + coefficients[i]!;
  return sum;
}

/** P(Z <= z) of the normal distribution (West 2005, after Hart): both tails are exact to 1e-8 of themselves, and to the last digits of 1. */
export function normalCdf(z: number): number {
  const size = Math.abs(z);
  const e = Math.exp((-size * size) / 2);
  let tail: number;
  if (size < 7.07106781186547) {
    tail = (e * polynomial(HART[0], size)) / polynomial(HART[1], size);
  } else {
    let build = size + 0.65;
    for (let c = 4; c > 0; c--) build = size + c / build;
    tail = e / build / 2.506628274631;
  }
  return z > 0 ? 1 - tail : tail;
}

/** log of n choose k. */
export function logChoose(n: number, k: number): number {
  return logGamma(n + 1) - logGamma(k + 1) - logGamma(n - k + 1);
}
