import type { GateReport } from "../report/report.ts";
import { judgeGates } from "./judge.ts";
import { SLACK } from "./gate-rule.ts";
import type { GateSet } from "./gate-set.ts";
import { createSeededRandom } from "./chance.ts";
import type { GateTable } from "./row.ts";
import { pickRows } from "./table.ts";
import { number } from "../report/numbers.ts";
import { plural } from "../model/count-words.ts";

/** How often one gate failed or was inconclusive when an unchanged agent was compared with itself. */
interface Tally {
  readonly rule: string;
  failed: number;
  inconclusive: number;
}

/** How often a set of gates fails an agent that did not change. */
interface Calibration {
  readonly state: "calibrated";
  /** How many comparisons were made. */
  readonly runs: number;
  readonly seed: number;
  /** Repeats on each side of a comparison. */
  readonly repeats: number;
  readonly examples: number;
  /** Comparisons in which any gate failed. */
  readonly failed: number;
  readonly gates: readonly Readonly<Tally>[];
  /** Comparisons that "fail on any drop" of a gated mean would have failed; null without a drop gate. */
  readonly naive: number | null;
  readonly reason: string;
}

/** No calibration: the file has no repeats to compare, or the gates do not fit it. */
interface NoCalibration {
  readonly state: "impossible";
  readonly reason: string;
}

const SEED = 20240711;
/** A share of 5 % then has a standard error of 1.1 points. */
const RUNS = 400;
/** Limits the rows judged in all: twenty gates on so many take ten seconds (npm run bench -- gate). */
const MAX_ROWS = 4_000_000;

/**
 * Splits the repeats of a file at random into two runs of the same agent, many times, and judges
 * each pair by the user's gates. Leaves out examples with fewer than two repeats.
 */
export function calibrateGates({
  table,
  gates,
  runs = RUNS,
}: {
  readonly table: GateTable;
  readonly gates: GateSet;
  readonly runs?: number;
}): Calibration | NoCalibration {
  const { examples, start } = table;
  const groups = Array.from({ length: examples }, (_, e) =>
    Array.from({ length: start[e + 1]! - start[e]! }, (__, k) => start[e]! + k),
  ).filter((rows) => rows.length >= 2);
  if (groups.length === 0)
    return {
      state: "impossible",
      reason: `${table.file} has no repeats: run every example at least twice (four times is better), then calibrate`,
    };
  const half = Math.min(...groups.map((rows) => Math.floor(rows.length / 2)));
  const times = Math.max(1, Math.min(runs, Math.floor(MAX_ROWS / (2 * half * groups.length))));
  const random = createSeededRandom(SEED);
  const tally: Tally[] = [];
  let failed = 0;
  let fell = 0;
  let drops = 0;
  for (let run = 0; run < times; run++) {
    const { head, base } = split(groups, half, random);
    const judged = judgeGates({
      head: { ...pickRows(table, head), state: "complete" },
      base: { ...pickRows(table, base), state: "complete" },
      gates,
      isMeasured: false,
    });
    if (judged.problems.length > 0)
      return { state: "impossible", reason: judged.problems[0]!.message };
    if (judged.verdict === "fail") failed++;
    judged.gates.forEach(({ rule, verdict }, at) => {
      const entry = tally[at] ?? { rule, failed: 0, inconclusive: 0 };
      if (verdict === "fail") entry.failed++;
      if (verdict === "inconclusive") entry.inconclusive++;
      tally[at] = entry;
    });
    const falls = judged.gates.filter((gate) => gate.delta !== null && gate.metric !== "errors");
    drops += falls.length;
    const change = (gate: GateReport): number =>
      gate.direction === "lower" ? -gate.delta! : gate.delta!;
    if (falls.some((gate) => change(gate) < -SLACK)) fell++;
  }
  const result = {
    runs: times,
    seed: SEED,
    repeats: half,
    examples: groups.length,
    failed,
    gates: tally,
    naive: drops === 0 ? null : fell,
  };
  return { state: "calibrated", ...result, reason: describe(result, table.file) };
}

function split(
  groups: readonly (readonly number[])[],
  half: number,
  random: () => number,
): { head: number[]; base: number[] } {
  const head: number[] = [];
  const base: number[] = [];
  for (const rows of groups) {
    const pool = [...rows];
    // Fisher-Yates, as far as rows are needed.
    for (let at = 0; at < 2 * half; at++) {
      const other = at + Math.floor(random() * (pool.length - at));
      [pool[at], pool[other]] = [pool[other]!, pool[at]!];
      (at < half ? head : base).push(pool[at]!);
    }
  }
  return { head, base };
}

function describe(
  { runs, repeats, examples, failed, naive, seed }: Omit<Calibration, "state" | "gates" | "reason">,
  file: string,
): string {
  const percent = (part: number): string => `${number((100 * part) / runs)} %`;
  const rough = failed === 0 ? `, so surely under ${percent(3)}` : "";
  const other =
    naive === null ? "" : `; a gate that fails on any drop would have failed ${percent(naive)}`;
  return (
    `${file} was split ${plural(runs, "time")} into two runs of the same agent (${plural(examples, "example")}, ${plural(repeats, "repeat")} a side, seed ${seed}): ` +
    `the gates failed ${failed} of them, ${percent(failed)}${rough}${other}`
  );
}
