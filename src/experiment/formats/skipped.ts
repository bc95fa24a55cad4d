/** What was not run is no row, and is counted aloud. */
export function skippedWarnings(count: number, what: string): string[] {
  if (count === 0) return [];
  return [
    count === 1
      ? `1 skipped ${what} is not a row and is in no score`
      : `${count} skipped ${what}s are not rows and are in no score`,
  ];
}
