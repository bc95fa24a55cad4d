import { TIE } from "./chance.ts";
import { logChoose } from "./distribution.ts";
import { countErrors, crashShares } from "./metric.ts";
import type { GateTable } from "./row.ts";
import { type Shared, unsharedOf } from "./side.ts";

/**
 * Adds crashes without a counterpart to the shared examples of a reference. A crash often loses
 * what identifies its example (a prompt that was never made, properties that were never written),
 * so that it seems to be a new one, and its own seems not to have been run. Each such crash is
 * paired with one of those; which one makes no difference, since all crashes have the worst value.
 * Crashes of the reference that lost their name are paired likewise and weigh against them, since a
 * run that crashes as often as before is not worse.
 */
export function withUnsharedCrashes(table: GateTable, other: GateTable, shared: Shared): Shared {
  if (!table.error.includes(1) || hasRepeats(table, other)) return shared;
  const head = splitUnshared(table, shared.head);
  const base = splitUnshared(other, shared.base);
  const falls = Math.min(head.crashed.length, base.ran.length);
  const gains = Math.min(base.crashed.length, head.ran.length);
  if (falls + gains === 0) return shared;
  const added = {
    head: [...head.crashed.slice(0, falls), ...head.ran.slice(0, gains)],
    base: [...base.ran.slice(0, falls), ...base.crashed.slice(0, gains)],
  };
  return {
    head: Int32Array.from([...shared.head, ...added.head]),
    base: Int32Array.from([...shared.base, ...added.base]),
  };
}

/** A repeat that lost its name seems to be a separate example, although its own example was run. */
const hasRepeats = (head: GateTable, base: GateTable): boolean =>
  head.repeats > 1 || base.repeats > 1;

/** The examples that only one side has, separated into those with a crashed row and the others. */
function splitUnshared(
  table: GateTable,
  shared: Int32Array,
): { readonly crashed: number[]; readonly ran: number[] } {
  const shares = crashShares(table);
  const found = unsharedOf(table, shared);
  return {
    crashed: found.filter((e) => shares[e]! > 0),
    ran: found.filter((e) => shares[e] === 0),
  };
}

/** Crashes of examples that are new in this run, compared with the crashes of all baseline examples. */
export interface NewExamples {
  readonly crashed: number;
  readonly count: number;
  readonly baseCrashed: number;
  readonly baseCount: number;
  /** Probability of at least as many crashes if they were like the baseline's examples (Fisher's exact test). */
  readonly p: number;
}

/**
 * Null if no new example crashed; for runs with repeats, both whole runs are counted. `whole` is the
 * reference with crashes without a counterpart paired.
 */
export function countNewExamples(
  table: GateTable,
  {
    table: base,
    shared,
    whole,
  }: { readonly table: GateTable; readonly shared: Shared; readonly whole: Shared },
): NewExamples | null {
  if (!table.error.includes(1)) return null;
  if (hasRepeats(table, base))
    return splitUnshared(table, shared.head).crashed.length > 0
      ? compareCounts(countRuns(table, base), countRuns(base, table))
      : null;
  // What replaces an example that was not run is not new.
  const replaced = base.examples - whole.base.length;
  const added = unsharedOf(table, whole.head);
  const shares = crashShares(table);
  const crashed = added.reduce((sum, e) => sum + shares[e]!, 0);
  return compareCounts({ count: added.length - replaced, crashed }, countCrashed(base));
}

/** Repeats of one example may all crash for one reason, also under separate names: that many rows count as one. */
function countRuns(table: GateTable, other: GateTable): Counted {
  // If names were lost, the run has fewer rows per name than it ran.
  const rows = table.repeats === 1 ? 1 : Math.max(table.repeats, other.repeats);
  return { count: Math.floor(table.size / rows), crashed: countErrors(table) / rows };
}

/** The same for a whole run compared with others that share no example; null if nothing crashed. */
export function countWholeRuns(head: GateTable, tables: readonly GateTable[]): NewExamples | null {
  const all = tables
    .map(countCrashed)
    .reduce((a, b) => ({ count: a.count + b.count, crashed: a.crashed + b.crashed }), {
      count: 0,
      crashed: 0,
    });
  return compareCounts(countCrashed(head), all);
}

interface Counted {
  readonly count: number;
  /** An example that crashed in some of its repeats counts partially. */
  readonly crashed: number;
}

function countCrashed(table: GateTable): Counted {
  return { count: table.examples, crashed: crashShares(table).reduce((a, b) => a + b, 0) };
}

/** Fractions of examples are rounded against the finding. */
function compareCounts(head: Counted, base: Counted): NewExamples | null {
  const crashed = Math.min(head.count, Math.floor(head.crashed + TIE));
  if (crashed <= 0) return null;
  const baseCrashed = Math.ceil(base.crashed - TIE);
  const p = fisherUpperTail(crashed, head.count, baseCrashed, base.count);
  return { crashed, count: head.count, baseCrashed, baseCount: base.count, p };
}

/** Probability of `hits` or more among the first n, if the hits of both lists are assigned at random. */
function fisherUpperTail(hits: number, n: number, otherHits: number, others: number): number {
  const all = hits + otherHits;
  const ways = logChoose(n + others, all);
  let sum = 0;
  for (let k = hits; k <= Math.min(n, all); k++)
    if (all - k <= others) sum += Math.exp(logChoose(n, k) + logChoose(others, all - k) - ways);
  return Math.min(1, sum);
}
