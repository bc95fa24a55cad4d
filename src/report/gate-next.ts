import { spellInput } from "../model/entry-point.ts";
import { isCounted, isCrashGate, isDrop, isLowerBetter, messagesOf } from "./gate-numbers.ts";
import { lacksBaseline } from "./gate-words.ts";
import { isFailAccepted } from "./judgement.ts";
import type { GateReport, Report } from "./report.ts";

/** What to do, and whether the gate's own message already says so. */
interface NextStep {
  readonly line: string;
  readonly isSaid: boolean;
}

const step = (line: string): NextStep => ({ line, isSaid: false });

/** What to do about gates that failed or are inconclusive. */
export function nextOfGates(report: Report): readonly NextStep[] {
  if (isFailAccepted(report)) return [];
  const { gates, rows_worse: worse, entry_point: entryPoint } = report;
  const failed = gates.filter((gate) => gate.verdict === "fail");
  const judged = failed.filter(holdsMetric);
  const drops = judged.filter((gate) => isDrop(gate));
  const sides = new Set(drops.map((gate) => (isLowerBetter(gate) ? "rise" : "fall")));
  const change = sides.size === 1 ? [...sides][0]! : "change";
  const rows =
    worse.length > 0 ? "read the examples that got worse, and fix the agent" : "fix the agent";
  return [
    ...(drops.length > 0
      ? [
          step(
            `${rows}. Is the ${change} the price of something you want? Then allow it in the gate, or accept a new baseline with \`${spellInput(entryPoint, "write-baseline")}\` and \`${spellInput(entryPoint, "accept-baseline", true)}\``,
          ),
        ]
      : []),
    ...(judged.length > drops.length
      ? [step("Running it again does not help a missed limit: fix the agent, or change the limit")]
      : []),
    ...new Map(
      [
        ...failed.filter((gate) => !holdsMetric(gate)),
        ...gates.filter((gate) => gate.verdict === "inconclusive"),
      ].map((gate) => {
        const next = adviceOf(gate, report);
        return [next.line, next];
      }),
    ).values(),
  ];
}

/** Whether a metric was compared with the limit, rather than rows or crashes counted, or nothing found to compare. */
function holdsMetric(gate: GateReport): boolean {
  return gate.head !== null && !isCrashGate(gate) && !isCounted(gate) && gate.metric !== "rows";
}

/** More examples help only against chance. For any other obstacle the gate's message has its own advice. */
function adviceOf(gate: GateReport, report: Report): NextStep {
  const { advice, by_chance: byChance } = messagesOf(report)[report.gates.indexOf(gate)]!;
  if (lacksBaseline(gate)) return step([describeLack(gate, report), advice].join(" ").trim());
  if (gate.verdict === "inconclusive" && (advice === "" || byChance))
    return step(
      "Inconclusive means that these examples do not decide it: run each several times, or add examples",
    );
  // The message of must_pass names the rows to fix before its advice, so all of it is needed.
  const line = advice === "" || gate.metric === "must_pass" ? gate.reason : advice;
  return { line, isSaid: true };
}

function describeLack({ group }: GateReport, { command, baseline }: Report): string {
  if (group === undefined || baseline?.state !== "used")
    return "There is no baseline to compare with.";
  // A merged report has one baseline of its legs, which need not be that of this gate.
  return command === "report"
    ? `There is nothing to compare ${group} with.`
    : `The baseline has no results of ${group}.`;
}
