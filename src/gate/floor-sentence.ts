import type { GateMessage } from "../report/report.ts";
import { type GateRule, meetsRule } from "./gate-rule.ts";
import type { Interval } from "./interval.ts";
import { parseMetric } from "./metric.ts";
import { asWorst, type CrashCount, ONE_CLUSTER, say, shortName } from "./sentence.ts";
import { amountsWith, limitAmount, outwardAmounts } from "../report/numbers.ts";
import { plural } from "../model/count-words.ts";

/** How a floor or ceiling ended. */
export type FloorEnd =
  | { readonly kind: "missed" }
  | { readonly kind: "near" }
  | { readonly kind: "few"; readonly of: "examples" | "clusters" }
  | { readonly kind: "alike" }
  | { readonly kind: "one-cluster" }
  | { readonly kind: "met" }
  | ({ readonly kind: "near-with-crashes" } & CrashCount)
  | ({ readonly kind: "crashed" } & CrashCount);

/** The parts of a floor's message. */
export interface FloorWords {
  readonly rule: GateRule;
  readonly n: number;
  readonly value: number;
  readonly ci: Interval | null;
  readonly dropped: number;
  /** The fewest decimals of the value. */
  readonly decimals?: number;
}

/** The rows that cause a missed floor. */
function describeCulprits({ metric }: GateRule): string {
  const { kind } = parseMetric(metric);
  if (kind === "error_rate") return "the crashes";
  return kind === "latency" ? "the slow rows" : "the rows that score badly";
}

/** The verdict of a floor or ceiling in one or two sentences, with what to do. */
export function describeFloor(words: FloorWords, end: FloorEnd): GateMessage {
  const { rule, n, value, dropped, decimals = 0 } = words;
  const [shown] = amountsWith(decimals, rule.metric, value, rule.threshold) as [string, string];
  const left = dropped > 0 ? ` (${plural(dropped, "row")} without a score)` : "";
  const [tail, advice] = endingOf(words, end);
  return say(`is ${shown} on ${plural(n, "example")}${left}${tail}.`, advice, {
    subject: shortName(rule.metric),
    by_chance: end.kind === "near",
  });
}

/** How the message ends, and what to do. */
function endingOf({ rule, value, ci }: FloorWords, end: FloorEnd): readonly [string, string?] {
  const higher = rule.operator.startsWith(">");
  const limit = limitAmount(rule.metric, rule.threshold);
  const wrong = higher ? `, below the floor of ${limit}` : `, above the limit of ${limit}`;
  const met = ` and meets the ${higher ? "floor" : "limit"} of ${limit}`;
  const span = intervalCaveat(rule, value, ci);
  const culprits = describeCulprits(rule);
  switch (end.kind) {
    case "missed":
      return [wrong + span, `Fix ${culprits}.`];
    case "near":
      return [`${wrong}, but not beyond chance${span}`, `Look at ${culprits}, or add examples.`];
    case "few":
      return [
        `${wrong}; fewer than 10 ${end.of} cannot prove it`,
        `Look at the rows, or add ${end.of}.`,
      ];
    case "alike":
      return [
        `${wrong}, but all values are alike, so chance cannot be judged`,
        `Look at ${culprits}.`,
      ];
    case "one-cluster":
      return [wrong + ONE_CLUSTER, "Add clusters or remove cluster_by."];
    case "met":
      return [met + span];
    case "near-with-crashes":
      return [`${wrong}, and ${asWorst(end)}`, `Fix the crashes and ${culprits}.`];
    case "crashed":
      return [`${met}, but ${asWorst(end)}`, "Fix the crashes."];
  }
}

/** The interval, worded as a caveat if it includes the other side of the limit. */
function intervalCaveat(rule: GateRule, value: number, ci: Interval | null): string {
  if (ci === null || !ci.some(Number.isFinite)) return "";
  const isMet = meetsRule(rule, value);
  const isOpen = ci.some((end) => meetsRule(rule, end) !== isMet);
  const [from, to] = outwardAmounts(rule.metric, ci, rule.threshold);
  const range = rangeWords(ci, from, to);
  return isOpen ? `; the true value may be ${range}` : ` (95% CI ${range})`;
}

/** Never rounds an end inward or onto the limit, and does not name an open end. */
function rangeWords(ci: Interval, from: string, to: string): string {
  if (ci[1] === Infinity) return `${from} or more`;
  return ci[0] === -Infinity ? `${to} or less` : `${from} to ${to}`;
}
