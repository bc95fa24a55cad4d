import type { Mistake } from "./mistake.ts";

/** The points of one answer, 0 to 5. */
export interface Score {
  readonly place: boolean;
  readonly what: boolean;
  readonly todo: boolean;
  readonly once: boolean;
  readonly short: boolean;
}

const SHORT = 200;
/** A reader sees this many lines at a glance. */
const GLANCE = 20;
const PLACE = /^(?:error: |warning: |::(?:error|warning) [^:]*::)?(?:\S+:\d+:\d+: )?/;

/**
 * A point each for where, what, what to do, once (no other line says the same, and the whole answer
 * is seen at a glance), and fewer than 200 characters. An answer with the wrong exit code has none.
 */
export function score(
  { place, what, fix, code }: Mistake,
  run: { readonly code: number | null; readonly stdout: string; readonly stderr: string },
): Score {
  const lines = `${run.stderr}\n${run.stdout}`.split("\n").filter((line) => line.trim() !== "");
  // That something is tried again is progress, not the answer.
  const said = lines.filter((line) => what.test(line) && !/ Trying again in \S+ s\.$/.test(line));
  const right = run.code === code;
  const near = said.length === 0 ? lines : said;
  return {
    place: right && lines.some((line) => place.test(line)),
    what: right && said.length > 0,
    todo: right && lines.some((line) => fix.test(line)),
    once: right && said.length === 1 && lines.length <= GLANCE,
    short: right && near.every((line) => line.replace(PLACE, "").length < SHORT),
  };
}

export const sum = (one: Score): number => Object.values(one).filter(Boolean).length;
