import { isDrop } from "./gate-rule.ts";
import type { GateReport, Report } from "./report.ts";
import { plural } from "./wording.ts";

const MOST_METRICS = 3;

function listMetrics(gates: readonly GateReport[], plain: (words: string) => string): string {
  const metrics = [...new Set(gates.map((gate) => gate.metric))];
  const shown = metrics.slice(0, MOST_METRICS).map(plain);
  const more = metrics.length - shown.length;
  if (more > 0) return `${shown.join(", ")} and ${more} more`;
  return shown.length < 2
    ? shown.join("")
    : `${shown.slice(0, -1).join(", ")} and ${shown.at(-1)!}`;
}

/** What failed gates come to: `correctness and tone fell; latency_p95 missed its limit`. Empty where none failed. */
export function gateFall(report: Report, plain: (words: string) => string): string {
  const failed = report.gates.filter((gate) => gate.verdict === "fail");
  const drops = failed.filter((gate) => isDrop(gate.rule) && gate.head !== null);
  const isRise = ({ delta }: GateReport): boolean => delta !== null && delta > 0;
  const dropped = new Set(drops.map((gate) => gate.metric));
  const rest = failed.filter((gate) => !dropped.has(gate.metric));
  // Without a value nothing was held against the limit.
  const isUnscored = ({ head, n }: GateReport): boolean => head === null && n === 0;
  const parts = [
    [drops.filter((gate) => !isRise(gate)), "fell", "fell"],
    [drops.filter(isRise), "rose", "rose"],
    [rest.filter((gate) => !isUnscored(gate)), "missed its limit", "missed their limits"],
    [rest.filter(isUnscored), "cannot be judged", "cannot be judged"],
  ] as const;
  return parts
    .filter(([gates]) => gates.length > 0)
    .map(
      ([gates, one, many]) =>
        `${listMetrics(gates, plain)} ${new Set(gates.map((gate) => gate.metric)).size === 1 ? one : many}`,
    )
    .join("; ");
}

const PASSED: Readonly<Record<number, string>> = { 1: "The gate", 2: "Both gates" };

/** What the gates of a run come to, in a few words; empty where there were none. */
export function gateWords(report: Report, plain: (words: string) => string): string {
  const { gates, gate_verdict: verdict } = report;
  if (verdict === "none" || gates.length === 0)
    return verdict === "none" ? "" : `gates: ${verdict}`;
  if (verdict === "pass") return `${PASSED[gates.length] ?? `All ${gates.length} gates`} passed`;
  const deciding = gates.filter((gate) => gate.verdict === verdict);
  const count =
    gates.length === 1 ? "The gate" : `${deciding.length} of ${plural(gates.length, "gate")}`;
  return verdict === "fail"
    ? `${count} failed: ${gateFall(report, plain)}`
    : `${count} cannot tell: ${listMetrics(deciding, plain)}`;
}
