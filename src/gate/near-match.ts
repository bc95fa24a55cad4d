import type { GateTable } from "./row.ts";
import { shortName } from "./sentence.ts";
import { nameOf, type Shared, unsharedOf } from "./side.ts";
import { sketchesApart, sketchOf } from "./sketch.ts";
import { createTextSearch } from "./text-search.ts";

/** A new example and a missing one with similar texts: most likely one whose input was edited. */
export interface NearMatch {
  readonly now: string;
  readonly before: string;
}

/** The most examples per side to compare by text; with more, the datasets are simply different. */
const MAX_TEXTS = 10_000;
/** The most pairs of sketches to compare, which takes half a second. */
const MAX_SKETCH_PAIRS = 4_000_000;
/** How many shared examples show how similar questions of the dataset are anyway. */
const MAX_SHARED = 1000;
/** How many edits a warning shows. */
const MAX_NAMED = 5;
/** How much of a text is searched for the edit, how much is shown, and how much of that comes before it. */
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
  if (unshared.length === 0 || missing.length === 0) return [];
  if (Math.max(unshared.length, missing.length) > MAX_TEXTS) return [];
  const { sketches } = base;
  const now = unshared.map((example) => textOf(head, example));
  const names = missing.map((example) => nameOf(base, example));
  if (sketches === undefined || sketches.size === 0) {
    const before = missing.map((example) => textOf(base, example));
    const others = someOf(shared.base).map((example) => textOf(base, example));
    const pairs = pairUp(byText(now, [...before, ...others]), before.length);
    return pairs.map(({ at, of }) => ({ now: now[at]!, before: before[of]! }));
  }
  const others = someOf(shared.base).map((example) => nameOf(base, example));
  const kept = [...names, ...others].map((name) => sketches.get(name));
  if (now.length * kept.length > MAX_SKETCH_PAIRS) return [];
  const pairs = pairUp(bySketch(now, kept), names.length);
  return pairs.map(({ at, of }) => ({ now: now[at]!, before: names[of]! }));
}

function byText(now: readonly string[], before: readonly string[]): Candidate[] {
  const search = createTextSearch(before);
  return now.flatMap((text, at) =>
    text === "" ? [] : search(text).map(({ of, apart }) => ({ at, of, apart })),
  );
}

/** Candidates kept per text when comparing all sketches. */
const MAX_KEPT = 8;

function bySketch(now: readonly string[], before: readonly (string | undefined)[]): Candidate[] {
  return now.flatMap((text, at) => {
    if (text === "") return [];
    const sketch = sketchOf(text);
    const found: Candidate[] = [];
    for (const [of, other] of before.entries()) {
      const apart = other === undefined ? null : sketchesApart(sketch, other);
      if (apart !== null) found.push({ at, of, apart });
    }
    return found.sort((a, b) => a.apart - b.apart || a.of - b.of).slice(0, MAX_KEPT);
  });
}

/**
 * Pairs the nearest first, each used once. A text equally near to a shared example, or to two
 * remaining ones, is not paired: it is more likely another question of the same kind. `many`: how
 * many may be paired; the others are shared.
 */
function pairUp(candidates: Candidate[], many: number): Candidate[] {
  candidates.sort((a, b) => a.apart - b.apart || a.at - b.at || a.of - b.of);
  const [usedNow, usedBefore] = [new Set<number>(), new Set<number>()];
  const pairs: Candidate[] = [];
  for (let from = 0, to = 0; from < candidates.length; from = to) {
    while (to < candidates.length && candidates[to]!.apart === candidates[from]!.apart) to++;
    const open = candidates
      .slice(from, to)
      .filter(({ at, of }) => !usedNow.has(at) && !usedBefore.has(of));
    const [choices, rivals] = [countBy(open, "at"), countBy(open, "of")];
    for (const pair of open) {
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
