import { hashText } from "./sketch.ts";

/** Number of different hashes for parts of texts: their index takes 1 MB. */
const HASHES = 2 ** 18;
/** How many index entries are visited, and texts compared, per text. */
const [MAX_VISITED, MAX_COMPARED] = [2000, 5] as const;
/** Comparison steps of one search: half a second. */
const MAX_STEPS = 2e8;
/** A different number counts like this many letters: it is mostly another question. */
const NUMBER_WEIGHT = 3;
/** Symbols from here on are numbers; letters are UTF-16 code units. */
const FIRST_NUMBER = 0x10000;

/** A similar text: its index, and its edit distance. */
export interface FoundText {
  readonly of: number;
  readonly apart: number;
}

/** Searches a list of texts for similar ones: at most half of a text may differ. */
export function createTextSearch(texts: readonly string[]): (text: string) => FoundText[] {
  const { first, entries } = indexOf(texts);
  const symbols = texts.map(symbolsOf);
  const scores = new Float64Array(texts.length);
  const work = { left: MAX_STEPS };
  const likely = (text: string): number[] => {
    // The rarest parts first: they say most.
    const parts = Float64Array.from(
      partsOf(text),
      (part) => (first[part + 1]! - first[part]!) * HASHES + part,
    ).sort();
    const seen: number[] = [];
    let visited = 0;
    for (const key of parts) {
      const [part, many] = [key % HASHES, Math.floor(key / HASHES)];
      if (many === 0) continue;
      visited += many;
      if (visited > MAX_VISITED && seen.length > 0) break;
      const weight = Math.log(1 + texts.length / many);
      for (let at = first[part]!; at < first[part + 1]!; at++) {
        const of = entries[at]!;
        if (scores[of] === 0) seen.push(of);
        scores[of]! += weight;
      }
    }
    const best = seen.toSorted((a, b) => scores[b]! - scores[a]! || a - b).slice(0, MAX_COMPARED);
    for (const of of seen) scores[of] = 0;
    return best;
  };
  return (text) => {
    const own = symbolsOf(text);
    let nearest = Infinity;
    return likely(text).flatMap((of) => {
      const other = symbols[of]!;
      const most = Math.floor(Math.max(own.length, other.length) / 2);
      // A much more distant text is not worth comparing.
      const apart = symbolsApart(own, other, Math.min(most, 2 * nearest), work);
      if (apart === null) return [];
      nearest = Math.min(nearest, apart);
      return [{ of, apart }];
    });
  };
}

/** Index of parts: part p occurs in the texts `entries[first[p]]` to `entries[first[p + 1] - 1]`. */
function indexOf(texts: readonly string[]): { first: Int32Array; entries: Int32Array } {
  const parts = texts.map(partsOf);
  const first = new Int32Array(HASHES + 1);
  for (const own of parts) for (const part of own) first[part + 1]! += 1;
  for (let part = 0; part < HASHES; part++) first[part + 1]! += first[part]!;
  const entries = new Int32Array(first[HASHES]!);
  const next = first.slice();
  parts.forEach((own, of) => {
    for (const part of own) entries[next[part]!++] = of;
  });
  return { first, entries };
}

/** Hashes of a text's words, numbers and trigrams, each once. */
function partsOf(text: string): number[] {
  const plain = ` ${text.toLowerCase()} `;
  const parts = new Set<number>();
  for (const word of plain.match(/[\p{L}\p{M}]+|\p{N}+/gu) ?? [])
    parts.add(hashText(`word ${word}`) & (HASHES - 1));
  for (let at = 0; at + 3 <= plain.length; at++)
    parts.add(hashText(plain.slice(at, at + 3)) & (HASHES - 1));
  return [...parts];
}

/** Letters, with each number as one symbol. */
function symbolsOf(text: string): Int32Array {
  return Int32Array.from(text.match(/\d+|./gs) ?? [], (part) =>
    /\d/.test(part) ? (hashText(part) & 0x3fffffff) | 0x40000000 : part.charCodeAt(0),
  );
}

const weightOf = (symbol: number): number => (symbol < FIRST_NUMBER ? 1 : NUMBER_WEIGHT);

/** The edit distance of two texts; null beyond `most`, or once the search has used up its steps. */
function symbolsApart(
  a: Int32Array,
  b: Int32Array,
  most: number,
  work: { left: number },
): number | null {
  let begin = 0;
  while (begin < a.length && begin < b.length && a[begin] === b[begin]) begin++;
  let [endA, endB] = [a.length, b.length];
  for (; endA > begin && endB > begin && a[endA - 1] === b[endB - 1]; endA--) endB--;
  const [rows, columns] = [endA - begin, endB - begin];
  if (Math.abs(rows - columns) > most) return null;
  let before = new Float64Array(columns + 1);
  let now = new Float64Array(columns + 1);
  for (let j = 1; j <= columns; j++) before[j] = before[j - 1]! + weightOf(b[begin + j - 1]!);
  for (let i = 1; i <= rows; i++) {
    const symbol = a[begin + i - 1]!;
    const weight = weightOf(symbol);
    const [from, to] = [Math.max(1, i - most), Math.min(columns, i + most)];
    work.left -= to - from + 1;
    if (work.left < 0) return null;
    now.fill(Infinity);
    if (i <= most) now[0] = before[0]! + weight;
    let least = now[0]!;
    for (let j = from; j <= to; j++) {
      const other = b[begin + j - 1]!;
      const change = symbol === other ? 0 : Math.max(weight, weightOf(other));
      const cost = Math.min(
        before[j - 1]! + change,
        before[j]! + weight,
        now[j - 1]! + weightOf(other),
      );
      now[j] = cost;
      if (cost < least) least = cost;
    }
    if (least > most) return null;
    [before, now] = [now, before];
  }
  return before[columns]! > most ? null : before[columns]!;
}
