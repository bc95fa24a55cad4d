/**
 * How pass marks fall, for the size of fall that a rule can find. Runs of an unchanged agent cannot show it, so it is
 * taken from how the agent wavers: where an example passes always or never, a worse agent breaks some of them for
 * good; where it wavers, all of them pass less often. Repeats average out the second and not the first.
 */
export interface MarkNoise {
  /** Share of marks that are good, above 0. */
  readonly good: number;
  /** Variance of one run of an example about its own rate. */
  readonly within: number;
}

/** What a fall does to the marks. */
export interface MarkFall {
  /** The chance that an example breaks, and what one that does loses. */
  readonly broken: number;
  readonly loss: number;
  /** The part of the fall that all examples share. */
  readonly shared: number;
  /** Variance of one run of an example about its own rate, after the fall. */
  readonly within: number;
  /** Mean square of the rates, after the fall. */
  readonly squared: number;
}

/**
 * Share of the marks' variance that lies between examples: up to the first all of them waver, from
 * the second on they break.
 */
const [WAVERS_AT, BREAKS_AT] = [1 / 3, 2 / 3] as const;

/** The marks after their mean fell by some amount. */
export function fallOfMarks({ good, within }: MarkNoise, fall: number): MarkFall {
  const all = good * (1 - good);
  // Where all marks were good nothing tells which, and marks that fail one by one are harder to see.
  const between = good === 1 ? 0 : 1 - within / all;
  const breaking = Math.max(0, Math.min(1, (between - WAVERS_AT) / (BREAKS_AT - WAVERS_AT)));
  const squared = Math.max(good * good, good - within);
  const left = Math.max(0, good - fall);
  const kept = Math.max(0, 1 - (breaking * fall) / good);
  const rate = kept === 0 ? 0 : left / (good * kept);
  const after = kept * rate * rate * squared;
  const loss = squared / good;
  return {
    broken: Math.min(1, (breaking * fall) / loss),
    loss,
    shared: (1 - breaking) * fall,
    within: Math.max(0, left - after),
    squared: after,
  };
}
