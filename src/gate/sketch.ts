/** Larger files store no sketches: of so many examples they take 1.6 MB. */
export const MAX_SKETCHED = 20_000;
const BUCKETS = 32;
/** Eight hexadecimal digits a word: four of buckets, one of numbers. */
const WORDS = 5;
/**
 * How many buckets must agree. By chance each agrees in 1 of 16, so that texts which share 43 % of
 * their parts agree in as many.
 */
const ENOUGH = 15;
/** Equal numbers count like this many buckets, since "question 4" and "question 7" share almost all of theirs. */
const NUMBERS = 8;

/** A 32-bit hash of a text (FNV-1a). */
function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash;
}

/**
 * Hexadecimal digits that are mostly equal for similar texts, and `digits` more for the numbers in
 * the text. The text cannot be recovered from them.
 */
export function sketchOf(text: string, digits = 2): string {
  const least = new Uint32Array(BUCKETS).fill(0xffffffff);
  const plain = ` ${text.toLowerCase().replace(/\s+/gu, " ").trim()} `;
  for (let at = 0; at + 3 <= plain.length; at++) {
    const hash = hashText(plain.slice(at, at + 3));
    for (let bucket = 0; bucket < BUCKETS; bucket++) {
      let mixed = Math.imul(hash ^ (bucket * 0x9e3779b1), 0x85ebca6b);
      mixed = (mixed ^ (mixed >>> 13)) >>> 0;
      if (mixed < least[bucket]!) least[bucket] = mixed;
    }
  }
  const numbers = hashText((text.match(/\d+/gu) ?? []).join()) >>> 0;
  return (
    [...least].map((value) => (value & 15).toString(16)).join("") +
    numbers.toString(16).padStart(8, "0").slice(-digits)
  );
}

/** Sketches as numbers: four words of buckets and one of the numbers in the text. */
export interface PackedSketches {
  readonly count: number;
  readonly words: Uint32Array;
  /** Which bits of the numbers are known in all of them. */
  readonly mask: number;
}

/** Packs sketches for many comparisons; an empty one is that of an unknown text. */
export function packSketches(sketches: readonly string[]): PackedSketches {
  const words = new Uint32Array(WORDS * sketches.length);
  const isWhole = sketches.every(({ length }) => length === 0 || length > BUCKETS + 2);
  for (const [at, sketch] of sketches.entries())
    for (let word = 0; word < WORDS; word++)
      words[WORDS * at + word] = Number.parseInt(sketch.slice(8 * word, 8 * word + 8) || "0", 16);
  return { count: sketches.length, words, mask: isWhole ? 0xffffffff : 0xff };
}

/** The distance of two sketches; null if it is too large for similar texts, or one is unknown. */
export function sketchesApart(
  { words: a, mask }: PackedSketches,
  at: number,
  { words: b, mask: other }: PackedSketches,
  of: number,
): number | null {
  const [one, two] = [WORDS * at, WORDS * of];
  // An unknown text has no digits.
  if (a[one] === 0 || b[two] === 0) return null;
  let apart = 0;
  for (let word = 0; word < WORDS - 1; word++) {
    // Each hexadecimal digit that differs leaves one bit, and a multiplication adds up the bits.
    let bits = a[one + word]! ^ b[two + word]!;
    bits |= bits >>> 1;
    bits = (bits | (bits >>> 2)) & 0x11111111;
    apart += Math.imul(bits, 0x11111111) >>> 28;
  }
  if (apart > BUCKETS - ENOUGH) return null;
  const numbers = (a[one + WORDS - 1]! ^ b[two + WORDS - 1]!) & mask & other;
  return apart + (numbers === 0 ? 0 : NUMBERS);
}
