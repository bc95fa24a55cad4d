import { plural } from "../../model/count-words.ts";
import type { RunState } from "../../gate/row.ts";
import type { Counted, FileHeader } from "../input/row.ts";

const numberOf = (count: unknown): number =>
  typeof count === "number" && Number.isFinite(count) ? count : 0;

/** How many records that ran a file counts but lacks; having more than counted is no loss. */
export function countLost({ all, notRun = [], held }: Omit<Counted, "what">): number {
  const total = numberOf(all);
  const ran = total - notRun.reduce<number>((sum, count) => sum + numberOf(count), 0);
  return Math.max(0, Math.min(total - held.all, ran - held.run));
}

/**
 * State and warnings of a file. One that lost records by its own counts is, like that of a killed
 * run, no baseline unless accepted; skipped tests are no rows.
 */
export function completenessOf({
  isCancelled = false,
  incomplete = [],
  counted = [],
  skipped = 0,
  warnings = [],
}: FileHeader): { readonly state: RunState; readonly warnings: readonly string[] } {
  const losses = counted.flatMap((one): string[] => {
    const [lost, held] = [countLost(one), one.held.all];
    if (lost === 0) return [];
    return [
      `the file holds ${held} of the ${held + lost} ${one.what} that it counts itself: the others are in no score, and it makes no baseline unless you accept it`,
    ];
  });
  const tests = plural(
    skipped,
    "skipped test is not a row and is in no score",
    "skipped tests are not rows and are in no score",
  );
  const reasons = [...losses, ...incomplete];
  const ended = reasons.length > 0 ? "incomplete" : "complete";
  return {
    state: isCancelled ? "cancelled" : ended,
    warnings: [...reasons, ...warnings, ...(skipped === 0 ? [] : [tests])],
  };
}
