import { spellInput } from "../model/entry-point.ts";
import { isCounted, isCrashGate, isDrop, isLowerBetter, messageOf } from "./gate-numbers.ts";
import { lacksBaseline } from "./gate-words.ts";
import { isFailAccepted } from "./judgement.ts";
import { rankOf } from "./merge.ts";
import type { GateReport, Report } from "./report.ts";

/** What to do about gates that failed or are inconclusive, each step once. */
export function nextOfGates(report: Report): readonly string[] {
  if (isFailAccepted(report)) return [];
  const open = report.gates.filter((gate) => gate.verdict !== "pass");
  const ordered = open.sort((a, b) => rankOf(a.verdict) - rankOf(b.verdict));
  return [...new Set(ordered.map((gate) => stepOf(gate, report)))];
}

/** More examples help only against chance. For any other obstacle the gate's message has its own advice. */
function stepOf(gate: GateReport, report: Report): string {
  const { advice, by_chance: byChance } = messageOf(gate, report);
  if (gate.verdict === "fail") {
    if (!holdsMetric(gate)) return advice === "" ? gate.reason : advice;
    return isDrop(gate)
      ? dropStep(report)
      : "Running it again does not help a missed limit: fix the agent, or change the limit";
  }
  if (lacksBaseline(gate)) return [describeLack(gate, report), advice].join(" ").trim();
  return advice === "" || byChance
    ? "Inconclusive means that these examples do not decide it: run each several times, or add examples"
    : advice;
}

/** Whether a metric was compared with the limit, rather than rows or crashes counted, or nothing found to compare. */
function holdsMetric(gate: GateReport): boolean {
  return gate.head !== null && !isCrashGate(gate) && !isCounted(gate) && gate.metric !== "rows";
}

function dropStep({ gates, rows_worse: worse, entry_point: entryPoint }: Report): string {
  const failed = gates.filter((gate) => gate.verdict === "fail" && isDrop(gate));
  const sides = new Set(failed.map((gate) => (isLowerBetter(gate) ? "rise" : "fall")));
  const change = sides.size === 1 ? [...sides][0]! : "change";
  const fix =
    worse.length > 0 ? "read the examples that got worse, and fix the agent" : "fix the agent";
  return `${fix}. Is the ${change} the price of something you want? Then allow it in the gate, or accept a new baseline with \`${spellInput(entryPoint, "write-baseline")}\` and \`${spellInput(entryPoint, "accept-baseline", true)}\``;
}

function describeLack({ group }: GateReport, { command, baseline }: Report): string {
  if (group === undefined || baseline?.state !== "used")
    return "There is no baseline to compare with.";
  // A merged report has one baseline of its legs, which need not be that of this gate.
  return command === "report"
    ? `There is nothing to compare ${group} with.`
    : `The baseline has no results of ${group}.`;
}
