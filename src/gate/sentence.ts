import type { GateMessage, Verdict } from "../report/report.ts";
import { parseMetric } from "./metric.ts";
import type { RunState } from "./row.ts";
import { pWords } from "../report/numbers.ts";
import { plural } from "../model/count-words.ts";
import { MAX_SENTENCE_CHARS } from "../report/gate-numbers.ts";

const MAX_NAME_CHARS = 48;

/** Shortens a name or an input so that a message keeps its end. */
export function shortName(name: string, most = MAX_NAME_CHARS): string {
  return name.length <= most ? name : `${name.slice(0, most - 1).trimEnd()}…`;
}

/** A message of a finding and what to do about it. */
export const say = (
  finding: string,
  advice = "",
  more: Partial<GateMessage> = {},
): GateMessage => ({
  subject: "",
  finding,
  advice,
  with_p: false,
  by_chance: false,
  ...more,
});

/** The whole message. */
export function textOf({ subject, finding, advice }: GateMessage): string {
  return [subject, finding, advice].filter((part) => part !== "").join(" ");
}

/** Why a file is not the whole of a run. */
export function describeState({ state }: { readonly state: RunState }): string {
  return state === "cancelled" ? "of a cancelled run" : "incomplete";
}

/** Prefixes the label and limits the length. */
export function finishSentence(label: string, message: GateMessage): string {
  const sentence = textOf(message);
  const whole = label === "" ? sentence : `${shortName(label, 40)}: ${sentence}`;
  return whole.length <= MAX_SENTENCE_CHARS
    ? whole
    : `${whole.slice(0, MAX_SENTENCE_CHARS - 1).trimEnd()}…`;
}

/** A p-value with its sign. */
export function chanceWords(p: number): string {
  const shown = pWords(p);
  return /^[<>]/.test(shown) ? `p ${shown}` : `p = ${shown}`;
}

/** How many of the rows crashed. */
export interface CrashCount {
  readonly crashes: number;
  readonly rows: number;
}

/** "40 of 100 rows crashed". */
export function describeCrashes({ crashes, rows }: CrashCount): string {
  return `${crashes} of ${plural(rows, "row")} crashed`;
}

/** What crashes without a score would do. */
export const asWorst = (crashed: CrashCount): string =>
  `${describeCrashes(crashed)}; with each at the worst score it would fail`;

/** Why neither a change nor a miss can be judged. */
export const ONE_CLUSTER = ", but all belong to one cluster, so chance cannot be judged";

const NO_ROW = say("the results hold no row.", "Check the evaluation.");

/** How many rows have a score, and how many are required. */
interface RowCount {
  readonly usable: number;
  readonly rows: number;
  readonly crashes: number;
  readonly wanted: number;
}

/** Fewer rows have a score than required. */
export function describeFewRows({ usable, rows, crashes, wanted }: RowCount): GateMessage {
  if (rows === 0) return NO_ROW;
  const asked = wanted === 1 ? "" : `, and min_rows asks for ${wanted}`;
  const crashed = crashes === 0 ? "" : `; ${crashes} crashed`;
  const finding = `${usable} of ${plural(rows, "row")} ${usable === 1 ? "has" : "have"} a score${asked}${crashed}.`;
  if (usable === rows) return say(finding, "Run the missing rows.");
  if (usable > 0) return say(finding, "Look at the rows without a score.");
  return say(finding, `Fix the ${crashes === 0 ? "scorer" : "crashes, or the scorer"}.`);
}

/** Why a gate on a metric without any values cannot hold. */
export function describeUnscored(metric: string, dropped: number): GateMessage {
  if (dropped === 0) return NO_ROW;
  const { kind } = parseMetric(metric);
  const none = `none of the ${plural(dropped, "row")}`;
  const sayWhy = (why: string, advice: string): GateMessage =>
    say(`cannot be judged: ${why}.`, advice, { subject: shortName(metric) });
  if (kind === "latency")
    return sayWhy(`${none} ran without error and has a duration`, "Look at these rows.");
  if (kind === "pass")
    return sayWhy("no example has that many scored repeats", "Run the examples more often.");
  return sayWhy(`${none} has a score for it`, "Fix the crashes or the scorer.");
}

/** What the gate on crashes found. */
interface CrashesFound {
  readonly verdict: Verdict;
  readonly now: CrashCount;
  readonly before: CrashCount;
  readonly p: number;
  readonly few: boolean;
  /** Which metric `falls` or `rises` too far with these crashes at the worst value; empty if none does. */
  readonly fall: string;
}

/** The verdict on crashes. */
export function describeErrors({ verdict, now, before, p, few, fall }: CrashesFound): GateMessage {
  const counted = `${describeCrashes(now)}, ${before.crashes} of ${before.rows} in the baseline`;
  if (few)
    return say(`${counted}: fewer than 10 examples cannot be tested.`, "Look at the crashes.");
  if (verdict === "pass")
    return say(`${counted}${now.crashes > 0 ? ": no more than chance would do" : ""}.`);
  const chance = chanceWords(p);
  if (verdict === "inconclusive")
    return say(`${counted} (${chance}): possibly more than before.`, "Look at the crashes.", {
      with_p: true,
    });
  const far = fall === "" ? "" : `; with each at the worst score ${fall} too far`;
  return say(`${counted}${far} (${chance}).`, "Fix the crashes.", { with_p: true });
}
