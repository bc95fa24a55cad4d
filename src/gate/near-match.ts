import type { GateTable } from "./row.ts";
import { shortName } from "./sentence.ts";
import { nameOf, type Shared, unsharedOf } from "./side.ts";
import { type PackedSketches, packSketches, sketchesApart, sketchOf } from "./sketch.ts";

/** A new example and a missing one with similar texts: most likely one whose input was edited. */
export interface NearMatch {
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

interface Candidate {
  readonly at: number;
  readonly of: number;
  readonly apart: number;
}

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

/** The nearest texts of each. */
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

/** Both texts around their first difference. */
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
