/** Edit distance with neighbour swaps, for short words. */
function distance(a: string, b: string): number {
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      let best = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + same);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        best = Math.min(best, before[j - 2]! + 1);
      row.push(best);
    }
    before = last;
    last = row;
  }
  return last[b.length]!;
}

/** Nobody misspells longer words. */
const MAX_WORD = 64;

/**
 * The known word that a misspelt one most likely means; undefined if more than a third of its
 * letters differ from any.
 */
export function nearestWord(word: string, known: readonly string[]): string | undefined {
  if (word.length > MAX_WORD) return undefined;
  const plain = (text: string): string => text.toLowerCase().replaceAll(/[-_ ]/gu, "");
  // A word of twice the length is never close; names chosen by strangers may have any length.
  const near = known
    .filter((candidate) => candidate.length <= 2 * MAX_WORD)
    .map((candidate) => ({ candidate, far: distance(plain(word), plain(candidate)) }))
    .filter(({ candidate, far }) => far <= Math.max(1, Math.floor(candidate.length / 3)))
    .sort((a, b) => a.far - b.far);
  return near[0]?.candidate;
}

/** " (did you mean X?)" with its leading space, or an empty string. */
export function didYouMean(word: string, known: readonly string[]): string {
  const near = nearestWord(word, known);
  return near === undefined ? "" : ` (did you mean ${near}?)`;
}
