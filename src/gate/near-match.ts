import type { TableIndex } from "./metric.ts";
import { shortName } from "./sentence.ts";

/** A new example and a missing one whose texts are nearly alike: most likely one whose input was edited. */
export interface NearMatch {
  readonly now: string;
  readonly before: string;
}

const BUCKETS = 16;
/** Buckets that must agree. */
const ENOUGH = 10;
/** Examples compared on either side: beyond that the datasets are simply different. */
const MOST_COMPARED = 500;
const MOST_TOLD = 5;
/** Of a text so much is looked at for where it was edited, so much is shown, and so much of it stands before that place. */
const [MOST_TEXT, MOST_SHOWN, BEFORE_EDIT] = [2000, 60, 20] as const;
/** Larger files keep no sketches. */
export const MOST_SKETCHED = 20_000;

/**
 * Sixteen hexadecimal digits that are mostly the same for texts that are nearly the same; no text
 * can be read from them.
 */
export function sketchOf(text: string): string {
  const least = new Uint32Array(BUCKETS).fill(0xffffffff);
  const plain = ` ${text.toLowerCase().replace(/\s+/gu, " ").trim()} `;
  for (let at = 0; at + 3 <= plain.length; at++) {
    let hash = 0x811c9dc5;
    for (let i = at; i < at + 3; i++) hash = Math.imul(hash ^ plain.charCodeAt(i), 0x01000193);
    for (let bucket = 0; bucket < BUCKETS; bucket++) {
      let mixed = Math.imul(hash ^ (bucket * 0x9e3779b1), 0x85ebca6b);
      mixed = (mixed ^ (mixed >>> 13)) >>> 0;
      if (mixed < least[bucket]!) least[bucket] = mixed;
    }
  }
  return [...least].map((value) => (value & 15).toString(16)).join("");
}

function agreement(a: string, b: string): number {
  let same = 0;
  for (let at = 0; at < BUCKETS; at++) if (a[at] === b[at]) same++;
  return same;
}

interface Sketched {
  readonly name: string;
  /** Whether the name is the text itself; a baseline file has only sketches. */
  readonly isText: boolean;
  readonly sketch: string;
}

function sketchesOf(index: TableIndex, shared: Int32Array): Sketched[] {
  const has = new Uint8Array(index.examples.length);
  for (let i = 0; i < shared.length; i++) has[shared[i]!] = 1;
  const found: Sketched[] = [];
  for (let e = 0; e < index.examples.length && found.length < MOST_COMPARED; e++) {
    if (has[e] === 1) continue;
    const example = index.examples.at(e)!;
    const { input } = index.table.preview(index.order[index.start[e]!]!);
    const sketch = input === "" ? index.table.sketches?.get(example) : sketchOf(input);
    if (sketch === undefined) continue;
    const name = (input || example).slice(0, MOST_TEXT);
    found.push({ name, isText: input !== "", sketch });
  }
  return found;
}

/** Pairs of unshared examples that nearly match, each used once. */
export function findNearMatches(
  head: TableIndex,
  base: TableIndex,
  shared: { readonly head: Int32Array; readonly base: Int32Array },
): NearMatch[] {
  const now = sketchesOf(head, shared.head);
  const before = sketchesOf(base, shared.base);
  const candidates = now.flatMap((one, at) =>
    before.flatMap((other, of) => {
      const same = agreement(one.sketch, other.sketch);
      if (same < ENOUGH) return [];
      const apart = one.isText && other.isText ? textApart(one.name, other.name) : MOST_TEXT;
      return [{ at, of, same, apart }];
    }),
  );
  // The nearest pairs first; a sketch is too coarse to tell "question 4" from "question 7".
  candidates.sort((a, b) => a.apart - b.apart || b.same - a.same || a.at - b.at || a.of - b.of);
  const [usedNow, usedBefore] = [new Set<number>(), new Set<number>()];
  const pairs: { readonly at: number; readonly of: number }[] = [];
  for (const { at, of } of candidates) {
    if (usedNow.has(at) || usedBefore.has(of)) continue;
    usedNow.add(at);
    usedBefore.add(of);
    pairs.push({ at, of });
  }
  pairs.sort((a, b) => a.at - b.at);
  return pairs.map(({ at, of }) => ({ now: now[at]!.name, before: before[of]!.name }));
}

/** How much of two texts lies between their equal beginning and their equal end. */
function textApart(a: string, b: string): number {
  const most = Math.min(a.length, b.length);
  let begin = 0;
  while (begin < most && a[begin] === b[begin]) begin++;
  let end = 0;
  while (end < most - begin && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
  return Math.max(a.length, b.length) - begin - end;
}

/** Both texts around the place where they part. */
function showEdit({ now, before }: NearMatch): string {
  let same = 0;
  while (same < now.length && now[same] === before[same]) same++;
  const from = same < MOST_SHOWN - BEFORE_EDIT ? 0 : same - BEFORE_EDIT;
  const show = (text: string): string =>
    `"${from === 0 ? "" : "…"}${shortName(text.slice(from), MOST_SHOWN)}"`;
  return `${show(before)} → ${show(now)}`;
}

/** One sentence about examples whose text changed; null where none did. */
export function sayNearMatches(pairs: readonly NearMatch[]): string | null {
  if (pairs.length === 0) return null;
  const named = pairs.slice(0, MOST_TOLD).map(showEdit);
  const more = pairs.length > MOST_TOLD ? `, and ${pairs.length - MOST_TOLD} more` : "";
  return `${pairs.length === 1 ? "1 example nearly matches one" : `${pairs.length} examples nearly match ones`} of the baseline, so the text was probably edited: ${named.join("; ")}${more}`;
}
