import { spellInput } from "../model/entry-point.ts";
import {
  isCounted,
  isCrashGate,
  isDrop,
  isLowerBetter,
  messageOf,
  scoreName,
} from "./gate-numbers.ts";
import { isFailAccepted } from "./judgement.ts";
import { rankOf } from "./merge.ts";
import type { GateMessage, GateReport, Report, Verdict } from "./report.ts";
import { listSome, plural } from "../model/count-words.ts";

/** The sign of a gate's verdict. */
export const VERDICT_ICONS: Readonly<Record<Verdict, string>> = {
  pass: "✅",
  fail: "❌",
  inconclusive: "❓",
};
const MAX_METRICS = 3;

function listNames(names: readonly string[]): string {
  if (names.length < 2 || names.length > MAX_METRICS)
    return listSome(names, (name) => name, MAX_METRICS);
  return `${names.slice(0, -1).join(", ")} and ${names.at(-1)!}`;
}

/**
 * Summarises failed gates: `correctness and tone fell; latency_p95 missed its limit`. Empty if none
 * failed. A metric that fell is not named for its other gates again.
 */
export function gateFall({ gates }: Report): string {
  const failed = gates.filter((gate) => gate.verdict === "fail");
  const fallen = new Set(failed.filter(isFallen).map(scoreName));
  const namesByEnd = new Map<string, Set<string>>();
  for (const gate of failed) {
    if (fallen.has(scoreName(gate)) && !isFallen(gate) && !isCrashGate(gate)) continue;
    const end = endOfFailed(gate);
    namesByEnd.set(end, (namesByEnd.get(end) ?? new Set()).add(gateName(gate)));
  }
  return [...namesByEnd]
    .map(([end, names]) => {
      if (end.endsWith("crashed")) return end;
      const words = names.size === 1 ? end : end.replace("its limit", "their limits");
      return `${listNames([...names])} ${words}`;
    })
    .join("; ");
}

const isFallen = (gate: GateReport): boolean => isDrop(gate) && gate.head !== null;

function endOfFailed(gate: GateReport): string {
  // The same number of crashes may be different ones, which a drop counts with the worst score.
  if (isCrashGate(gate)) return (gate.delta ?? 1) > 0 ? "more rows crashed" : "other rows crashed";
  if (isFallen(gate)) return fallWords(gate);
  // Without a value nothing was compared with the limit.
  if (gate.head === null && gate.n === 0) return "cannot be judged";
  return isCounted(gate) ? "not met" : "missed its limit";
}

function fallWords(gate: GateReport): string {
  const isRise = isLowerBetter(gate);
  const lossOf = (delta: number): number => (isRise ? delta : -delta);
  const lost = lossOf(gate.delta ?? 0);
  // Many small drops, each of them allowed.
  const isOfSeries =
    gate.anchor != null && lost <= (gate.limit ?? 0) + 1e-9 && lossOf(gate.anchor.delta) > lost;
  return `${isRise ? "rose" : "fell"}${isOfSeries ? " since the anchor" : ""}`;
}

/** Whether a gate had nothing to compare with, so that `on-no-baseline` decides. */
export function lacksBaseline({ verdict, no_baseline: without }: GateReport): boolean {
  return verdict === "inconclusive" && without === true;
}

const gateName = (gate: GateReport): string =>
  scoreName(
    isCounted(gate) ? { ...gate, metric: gate.rule.slice(0, gate.rule.indexOf(" ")) } : gate,
  );

const PASSED: Readonly<Record<number, string>> = { 1: "The gate", 2: "Both gates" };

/**
 * Summarises the gates of a run in a few words; empty if there were none. The gate on crashes does
 * not count: nobody wrote it.
 */
export function gateWords(report: Report): string {
  const { gates: all, gate_verdict: verdict } = report;
  if (verdict === "none") return "";
  if (all.length === 0) return "The gate could not be judged";
  const gates = all.filter((gate) => !isCrashGate(gate));
  const own = gates.filter((gate) => gate.verdict === verdict);
  const passed = `${PASSED[gates.length] ?? `All ${gates.length} gates`} passed`;
  if (own.length === 0) {
    const words = crashWords(verdict, report);
    const isPassed = gates.length > 0 && gates.every((gate) => gate.verdict === "pass");
    return isPassed ? `${passed}, but ${words}` : words.charAt(0).toUpperCase() + words.slice(1);
  }
  if (verdict === "pass") return passed;
  const deciding = all.filter((gate) => gate.verdict === verdict);
  const names = [...new Set(deciding.map(scoreName))];
  if (deciding.every(lacksBaseline))
    return `No baseline: ${listNames(names)} ${names.length === 1 ? "was" : "were"} not compared`;
  const count =
    gates.length === 1 ? "The gate" : `${own.length} of ${plural(gates.length, "gate")}`;
  // That gate is listed below too, so it must be part of the count.
  const errors = own.length < deciding.length ? " and the errors gate" : "";
  if (verdict === "fail") return `${count}${errors} failed: ${gateFall(report)}`;
  const verb = errors === "" ? " is" : " are";
  return `${count}${errors}${gates.length === 1 ? verb : ""} inconclusive: ${listNames(names)}`;
}

const crashWords = (verdict: Verdict, report: Report): string =>
  ({
    fail: gateFall(report),
    inconclusive: "more rows may have crashed than before",
    pass: "no more rows crashed than before",
  })[verdict];

/** The message of each gate, without those whose finding an earlier gate has. */
export function findingsOf(
  gates: readonly GateReport[],
  report: Report,
): ReadonlyMap<GateReport, GateMessage> {
  const found = new Map<string, readonly [GateReport, GateMessage]>();
  for (const gate of gates) {
    const message = messageOf(gate, report);
    const group = gate.no_baseline === true ? "" : (gate.group ?? "");
    const key = JSON.stringify([group, message.subject, message.finding]);
    if (!found.has(key)) found.set(key, [gate, message]);
  }
  return new Map(found.values());
}

/**
 * The smallest change that the gates would have noticed; empty if a warning, or the message of a
 * single gate, already says it.
 */
export function sensitivityOf({ gates, sensitivity = "" }: Report): string {
  const tested = gates.filter(({ mde }) => mde !== null);
  const isOnly = gates.filter(isDrop).length === 1;
  const isSaid = ({ mde, limit, verdict }: GateReport): boolean => {
    const allowed = limit ?? 0;
    return (allowed > 0 && mde! > 2 * allowed) || (isOnly && verdict === "pass" && mde! > allowed);
  };
  return tested.length > 0 && tested.every(isSaid) ? "" : sensitivity;
}

/** What to do about gates that failed or are inconclusive, each step once. */
export function nextOfGates(report: Report): readonly string[] {
  if (isFailAccepted(report)) return [];
  const open = report.gates.filter((gate) => gate.verdict !== "pass");
  const ordered = open.sort((a, b) => rankOf(a.verdict) - rankOf(b.verdict));
  const ofDrops = dropStep(report);
  return [...new Set(ordered.map((gate) => stepOf(gate, report, ofDrops)))];
}

/** More examples help only against chance. For any other obstacle the gate's message has its own advice. */
function stepOf(gate: GateReport, report: Report, ofDrops: string): string {
  const { advice, by_chance: byChance } = messageOf(gate, report);
  if (gate.verdict === "fail") {
    if (!holdsMetric(gate)) return advice === "" ? gate.reason : advice;
    return isDrop(gate)
      ? ofDrops
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

function dropStep({ gates, baseline, rows_worse: worse, entry_point: entryPoint }: Report): string {
  const failed = gates.filter((gate) => gate.verdict === "fail" && isDrop(gate));
  const sides = new Set(failed.map((gate) => (isLowerBetter(gate) ? "rise" : "fall")));
  const change = sides.size === 1 ? [...sides][0]! : "change";
  const fix =
    worse.length > 0 ? "Read the examples that got worse, and fix the agent" : "Fix the agent";
  const accept = spellInput(entryPoint, "accept-baseline", true);
  const how = baseline?.file.startsWith("experiment:")
    ? `upload this run on the base branch with \`${accept}\``
    : `accept a new baseline with \`${spellInput(entryPoint, "write-baseline")}\` and \`${accept}\``;
  return `${fix}. Is the ${change} the price of something you want? Then allow it in the gate, or ${how}`;
}

function describeLack({ group }: GateReport, { command, baseline }: Report): string {
  if (group === undefined || baseline?.state !== "used")
    return "There is no baseline to compare with.";
  // A merged report has one baseline of its legs, which need not be that of this gate.
  return command === "report"
    ? `There is nothing to compare ${group} with.`
    : `The baseline has no results of ${group}.`;
}
