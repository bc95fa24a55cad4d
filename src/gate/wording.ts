/** "1 shared example", "50 shared examples". */
export function count(n: number, singular: string, plural = `${singular}s`): string {
  return `${n} ${n === 1 ? singular : plural}`;
}

/** A needed number of things, rounded up to two digits so that it is never too few. */
export function atLeast(value: number): number {
  const step = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, value))) - 1);
  return Math.ceil(value / step - 1e-9) * step;
}
