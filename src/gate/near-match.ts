import type { GateTable } from "./row.ts";
import { shortName } from "./sentence.ts";
import { nameOf, type Shared, unsharedOf } from "./side.ts";

/** A new example and a missing one with similar texts: most likely one whose input was edited. */
interface NearMatch {
  readonly now: string;
  readonly before: string;
}

/** The most pairs of texts to compare, which takes a second; with more, the datasets are simply different. */
const MAX_PAIRS = 20_000_000;
/** How many shared examples show how similar questions of the dataset are anyway. */
const MAX_SHARED = 1000;
/** The nearest texts that are kept for each. */
const MAX_KEPT = 8;
/** How many edits a warning shows. */
const MAX_NAMED = 5;
/** How much of a text is compared, how much is shown, and how much of that comes before the edit. */
const [MAX_TEXT, MAX_SHOWN, BEFORE_EDIT] = [2000, 60, 20] as const;

/** Some of the shared examples, evenly spread. */
function someOf(shared: Int32Array): number[] {
  const step = Math.max(1, Math.ceil(shared.length / MAX_SHARED));
  return Array.from({ length: Math.ceil(shared.length / step) }, (_, at) => shared[at * step]!);
}

function textOf({ preview, start }: GateTable, example: number): string {
  return preview(start[example]!).input.slice(0, MAX_TEXT);
}

/** A new text and an earlier one, by their positions, and how far apart they are. */
type Candidate = Readonly<Record<"at" | "of" | "apart", number>>;

/** Pairs of unshared examples that almost match, each used once. */
export function findNearMatches(head: GateTable, base: GateTable, shared: Shared): NearMatch[] {
  const unshared = unsharedOf(head, shared.head);
  const missing = unsharedOf(base, shared.base);
  const others = [...missing, ...someOf(shared.base)];
  const pairs = unshared.length * others.length;
  if (missing.length === 0 || pairs === 0 || pairs > MAX_PAIRS) return [];
  const { sketches } = base;
  const hasTexts = sketches === undefined || sketches.size === 0;
  const shown = (example: number): string =>
    hasTexts ? textOf(base, example) : nameOf(base, example);
  const sketch = (text: string): string => (text === "" ? "" : sketchOf(text, WHOLE_NUMBERS));
  const before = others.map((example) =>
    hasTexts ? sketch(textOf(base, example)) : (sketches.get(nameOf(base, example)) ?? ""),
  );
  const now = unshared.map((example) => textOf(head, example));
  const candidates = nearestOf(packSketches(now.map(sketch)), packSketches(before));
  return pairUp(candidates, missing.length).map(({ at, of }) => ({
    now: now[at]!,
    before: shown(missing[of]!),
  }));
}

/** Hexadecimal digits of a text's numbers, where both texts are known. */
const WHOLE_NUMBERS = 8;

function nearestOf(now: PackedSketches, before: PackedSketches): Candidate[] {
  return Array.from({ length: now.count }, (_, at) => {
    const nearest: Candidate[] = [];
    for (let of = 0; of < before.count; of++) {
      const apart = sketchesApart(now, at, before, of);
      if (apart === null || (nearest[MAX_KEPT - 1]?.apart ?? Infinity) <= apart) continue;
      nearest.push({ at, of, apart });
      nearest.sort((a, b) => a.apart - b.apart || a.of - b.of).splice(MAX_KEPT);
    }
    return nearest;
  }).flat();
}

/** Sketches estimate how similar texts are: a text counts as equally near if it is less than this farther. */
const MARGIN = 3;

/**
 * Pairs the nearest first, each used once. A text equally near to a shared example, or to two
 * remaining ones, is not paired: it is more likely another question of the same kind. `many`: how
 * many may be paired; the others are shared.
 */
function pairUp(candidates: readonly Candidate[], many: number): Candidate[] {
  const [usedNow, usedBefore] = [new Set<number>(), new Set<number>()];
  const pairs: Candidate[] = [];
  const distances = [...new Set(candidates.map(({ apart }) => apart))].sort((a, b) => a - b);
  for (const apart of distances) {
    const open = candidates.filter(
      (one) =>
        one.apart >= apart &&
        one.apart < apart + MARGIN &&
        !usedNow.has(one.at) &&
        !usedBefore.has(one.of),
    );
    const [choices, rivals] = [countBy(open, "at"), countBy(open, "of")];
    for (const pair of open.filter((one) => one.apart === apart)) {
      if (pair.of < many && choices.get(pair.at) === 1 && rivals.get(pair.of) === 1)
        pairs.push(pair);
      usedNow.add(pair.at);
      if (pair.of < many) usedBefore.add(pair.of);
    }
  }
  return pairs.sort((a, b) => a.at - b.at);
}

function countBy(candidates: readonly Candidate[], key: "at" | "of"): Map<number, number> {
  const counts = new Map<number, number>();
  for (const one of candidates) counts.set(one[key], (counts.get(one[key]) ?? 0) + 1);
  return counts;
}

function showEdit({ now, before }: NearMatch): string {
  let same = 0;
  while (same < now.length && now[same] === before[same]) same++;
  const from = same < MAX_SHOWN - BEFORE_EDIT ? 0 : same - BEFORE_EDIT;
  const show = (text: string): string =>
    `"${from === 0 ? "" : "…"}${shortName(text.slice(from), MAX_SHOWN)}"`;
  return `${show(before)} → ${show(now)}`;
}

/** One sentence about examples whose text changed; null if none did. */
export function describeNearMatches(pairs: readonly NearMatch[]): string | null {
  if (pairs.length === 0) return null;
  const named = pairs.slice(0, MAX_NAMED).map(showEdit);
  const more = pairs.length > MAX_NAMED ? `, and ${pairs.length - MAX_NAMED} more` : "";
  return `${pairs.length === 1 ? "1 example nearly matches one" : `${pairs.length} examples nearly match ones`} of the baseline, so the text was probably edited: ${named.join("; ")}${more}`;
}

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
interface PackedSketches {
  readonly count: number;
  readonly words: Uint32Array;
  /** Which bits of the numbers are known in all of them. */
  readonly mask: number;
}

/** Packs sketches for many comparisons; an empty one is that of an unknown text. */
function packSketches(sketches: readonly string[]): PackedSketches {
  const words = new Uint32Array(WORDS * sketches.length);
  const isWhole = sketches.every(({ length }) => length === 0 || length > BUCKETS + 2);
  for (const [at, sketch] of sketches.entries())
    for (let word = 0; word < WORDS; word++)
      words[WORDS * at + word] = Number.parseInt(sketch.slice(8 * word, 8 * word + 8) || "0", 16);
  return { count: sketches.length, words, mask: isWhole ? 0xffffffff : 0xff };
}

/** The distance of two sketches; null if it is too large for similar texts, or one is unknown. */
function sketchesApart(
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
