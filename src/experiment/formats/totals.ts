import type { FileHeader } from "../input/row.ts";

/** A file's counts of its own records; a count that is not a number is ignored. */
export interface Totals {
  readonly all: unknown;
  /** Counts of records that were not run: some writers count them but leave them out of the list. */
  readonly notRun?: readonly unknown[];
}

const numberOf = (count: unknown): number =>
  typeof count === "number" && Number.isFinite(count) ? count : 0;

/** How many records that ran a file counts but lacks; having more than counted is no loss. */
export function countLost(
  { all, notRun = [] }: Totals,
  held: { readonly all: number; readonly run: number },
): number {
  const total = numberOf(all);
  const ran = total - notRun.reduce<number>((sum, count) => sum + numberOf(count), 0);
  return Math.max(0, Math.min(total - held.all, ran - held.run));
}

/** State and warning for a file that lost records: like that of a killed run, it is no baseline unless accepted. */
export function lossOf(
  lost: number,
  held: number,
  what: string,
): { readonly state?: NonNullable<FileHeader["state"]>; readonly warnings: readonly string[] } {
  if (lost === 0) return { warnings: [] };
  return {
    state: "incomplete",
    warnings: [
      `the file holds ${held} of the ${held + lost} ${what} that it counts itself: the others are in no score, and it makes no baseline unless you accept it`,
    ],
  };
}

/** Skipped tests are no rows; a warning counts them. */
export function skippedWarnings(count: number): string[] {
  if (count === 0) return [];
  return [
    count === 1
      ? "1 skipped test is not a row and is in no score"
      : `${count} skipped tests are not rows and are in no score`,
  ];
}
