/** Larger files store no sketches: of so many examples they take 1.6 MB. */
export const MAX_SKETCHED = 20_000;
const BUCKETS = 32;
/** Files of older versions have half of the buckets, and no digits for numbers. */
const OLD_BUCKETS = 16;
/**
 * How many buckets must agree, of all and of the old ones. By chance each agrees in 1 of 16, so that
 * texts which share 43 % of their parts, or 60 %, agree in as many.
 */
const [ENOUGH, ENOUGH_OLD] = [15, 10] as const;
/** Equal numbers count like this many buckets, since "question 4" and "question 7" share almost all of theirs. */
const NUMBERS = 8;

/** A 32-bit hash of a text (FNV-1a). */
export function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash;
}

/**
 * Hexadecimal digits that are mostly equal for similar texts, and two more for the numbers in the
 * text. The text cannot be recovered from them.
 */
export function sketchOf(text: string): string {
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
  const numbers = hashText((plain.match(/\d+/gu) ?? []).join()) & 255;
  return (
    [...least].map((value) => (value & 15).toString(16)).join("") +
    numbers.toString(16).padStart(2, "0")
  );
}

/** The distance of two sketches; null if it is too large for similar texts. */
export function sketchesApart(a: string, b: string): number | null {
  const buckets = Math.min(a.length, b.length) < BUCKETS ? OLD_BUCKETS : BUCKETS;
  let same = 0;
  for (let at = 0; at < buckets; at++) if (a.charCodeAt(at) === b.charCodeAt(at)) same++;
  if (same < (buckets === BUCKETS ? ENOUGH : ENOUGH_OLD)) return null;
  const isOther = buckets === BUCKETS && a.slice(BUCKETS) !== b.slice(BUCKETS);
  return buckets - same + (isOther ? NUMBERS : 0);
}
