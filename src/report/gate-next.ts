import { isDrop, isLowerBetter } from "./gate-rule.ts";
import { isCounted, isCrashGate, lacksBaseline } from "./gate-words.ts";
import type { GateReport, Report } from "./report.ts";

/** What a person does about gates that failed, or that are inconclusive. */
export function nextOfGates({ gates, rows_worse: worse }: Report): readonly string[] {
  const failed = gates.filter((gate) => gate.verdict === "fail");
  const judged = failed.filter(holdsMetric);
  const drops = judged.filter((gate) => isDrop(gate.rule));
  const sides = new Set(drops.map((gate) => (isLowerBetter(gate) ? "rise" : "fall")));
  const change = sides.size === 1 ? [...sides][0]! : "change";
  const rows =
    worse.length > 0 ? "read the examples that got worse, and fix the agent" : "fix the agent";
  return [
    ...(drops.length > 0
      ? [
          `${rows}. Is the ${change} the price of something you want? Then allow it in the gate, or accept a new baseline with \`write-baseline\` and \`accept-baseline: true\``,
        ]
      : []),
    ...(judged.length > drops.length
      ? ["Running it again does not help a missed limit: fix the agent, or change the limit"]
      : []),
    ...new Set([
      ...failed.filter((gate) => !holdsMetric(gate)).map(adviceOf),
      ...gates.filter((gate) => gate.verdict === "inconclusive").map(adviceOf),
    ]),
  ];
}

/** Whether a metric was held against the limit, and not rows or crashes counted, or nothing found to hold. */
function holdsMetric(gate: GateReport): boolean {
  return gate.head !== null && !isCrashGate(gate) && !isCounted(gate) && gate.metric !== "rows";
}

/** How a sentence says that only chance keeps a gate from a verdict. */
const BY_CHANCE = /: possibly real, not proven|, but not beyond chance|is not ruled out/;

/** More examples only help against chance. A gate's own sentence ends with any other obstacle. */
function adviceOf(gate: GateReport): string {
  const [, own] = /\. ([A-Z][^.…]*\.)$/.exec(gate.reason) ?? [];
  if (gate.verdict === "inconclusive" && (own === undefined || BY_CHANCE.test(gate.reason)))
    return "Inconclusive means that these examples do not decide it: run each several times, or add examples";
  // The rows to fix come before the advice.
  if (own === undefined || gate.metric === "must_pass") return gate.reason;
  return lacksBaseline(gate) ? `There is no baseline to compare with. ${own}` : own;
}
