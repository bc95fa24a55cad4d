import {
  isCounted,
  isCrashGate,
  isDrop,
  isLowerBetter,
  messagesOf,
  scoreName,
} from "./gate-numbers.ts";
import type { GateMessage, GateReport, Report, Verdict } from "./report.ts";
import { listSome, plural } from "../model/count-words.ts";

/** The sign of a gate's verdict. */
export const VERDICT_ICONS: Readonly<Record<Verdict, string>> = {
  pass: "✅",
  fail: "❌",
  inconclusive: "❓",
};
const MAX_METRICS = 3;

function listNames(names: readonly string[], plain: (words: string) => string): string {
  if (names.length < 2 || names.length > MAX_METRICS) return listSome(names, plain, MAX_METRICS);
  const shown = names.map(plain);
  return `${shown.slice(0, -1).join(", ")} and ${shown.at(-1)!}`;
}

/**
 * Summarises failed gates: `correctness and tone fell; latency_p95 missed its limit`. Empty if none
 * failed. A failed drop is a change for the worse, whatever its two values suggest.
 */
export function gateFall(report: Report, plain: (words: string) => string): string {
  const failed = report.gates.filter((gate) => gate.verdict === "fail");
  const drops = failed.filter((gate) => isDrop(gate) && gate.head !== null);
  const dropped = new Set(drops.map(scoreName));
  const kinds = new Map<string, { one: string; many: string; gates: GateReport[] }>();
  for (const gate of failed) {
    const isOfDrop = dropped.has(scoreName(gate)) && !isCrashGate(gate);
    if (isOfDrop && !drops.includes(gate)) continue;
    const [one, many] = isOfDrop ? dropEnd(gate) : otherEnd(gate);
    const kind = kinds.get(one) ?? { one, many, gates: [] };
    kinds.set(one, kind);
    kind.gates.push(gate);
  }
  const sorted = [...kinds.values()].sort((a, b) => ORDER.indexOf(a.one) - ORDER.indexOf(b.one));
  return sorted
    .map(({ one, many, gates }) => {
      if (isCrashGate(gates[0]!)) return one;
      const names = new Set(gates.map(gateName));
      return `${listNames([...names], plain)} ${names.size === 1 ? one : many}`;
    })
    .join("; ");
}

const FELL = "fell";
const ROSE = "rose";
const SINCE = " since the accepted run";
const CRASHED = "more rows crashed";
const OTHERS_CRASHED = "other rows crashed";
const NOT_MET = "not met";
const MISSED = "missed its limit";
const UNJUDGED = "cannot be judged";
const ORDER = [
  FELL,
  ROSE,
  FELL + SINCE,
  ROSE + SINCE,
  CRASHED,
  OTHERS_CRASHED,
  NOT_MET,
  MISSED,
  UNJUDGED,
];

function dropEnd(gate: GateReport): readonly [string, string] {
  const word = isLowerBetter(gate) ? ROSE : FELL;
  const lossOf = (delta: number): number => (isLowerBetter(gate) ? delta : -delta);
  const lost = lossOf(gate.delta ?? 0);
  const isAllowed = lost <= (gate.limit ?? 0) + 1e-9;
  // Many small drops, each of them allowed.
  const bySeries = gate.anchor != null && isAllowed && lossOf(gate.anchor.delta) > lost;
  return bySeries ? [word + SINCE, word + SINCE] : [word, word];
}

function otherEnd(gate: GateReport): readonly [string, string] {
  if (isCrashGate(gate)) {
    // The same number of crashes may be different ones, which a drop counts with the worst score.
    const crashed = (gate.delta ?? 1) > 0 ? CRASHED : OTHERS_CRASHED;
    return [crashed, crashed];
  }
  // Without a value nothing was compared with the limit.
  if (gate.head === null && gate.n === 0) return [UNJUDGED, UNJUDGED];
  return isCounted(gate) ? [NOT_MET, NOT_MET] : [MISSED, "missed their limits"];
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
export function gateWords(report: Report, plain: (words: string) => string): string {
  const { gates: all, gate_verdict: verdict } = report;
  const gates = all.filter((gate) => !isCrashGate(gate));
  if (verdict === "none" || all.length === 0) return verdict === "none" ? "" : `gates: ${verdict}`;
  if (gates.length === 0 || !gates.some((gate) => gate.verdict === verdict))
    return crashWords(verdict, gates, report, plain);
  if (verdict === "pass") return passedWords(gates.length);
  const deciding = all.filter((gate) => gate.verdict === verdict);
  const names = [...new Set(deciding.map(scoreName))];
  if (deciding.every(lacksBaseline))
    return `No baseline: ${listNames(names, plain)} ${names.length === 1 ? "was" : "were"} not compared`;
  const own = gates.filter((gate) => gate.verdict === verdict).length;
  const count = gates.length === 1 ? "The gate" : `${own} of ${plural(gates.length, "gate")}`;
  // That gate is listed below too, so it must be part of the count.
  const withErrors = own < deciding.length ? `${count} and the errors gate` : count;
  if (verdict === "fail") return `${withErrors} failed: ${gateFall(report, plain)}`;
  const verb = withErrors === count ? " is" : " are";
  return `${withErrors}${gates.length === 1 ? verb : ""} inconclusive: ${listNames(names, plain)}`;
}

const passedWords = (count: number): string => `${PASSED[count] ?? `All ${count} gates`} passed`;

/** The same if only crashes decide. */
function crashWords(
  verdict: GateReport["verdict"],
  gates: readonly GateReport[],
  report: Report,
  plain: (words: string) => string,
): string {
  const isPassed = gates.length > 0 && gates.every((gate) => gate.verdict === "pass");
  const open = gates.length === 1 ? "The gate is inconclusive" : "Gates are inconclusive";
  const own = isPassed ? passedWords(gates.length) : open;
  const before = gates.length === 0 ? "" : `${own}, ${isPassed ? "but" : "and"} `;
  const crashed = {
    fail: gateFall(report, plain),
    inconclusive: "more rows may have crashed than before",
    pass: "no more rows crashed than before",
  }[verdict];
  return before === "" ? crashed[0]!.toUpperCase() + crashed.slice(1) : before + crashed;
}

/** A gate with what of its message no earlier gate said. */
export interface SaidOnce {
  readonly gate: GateReport;
  readonly said: GateMessage;
  /** Whether that is all of it. */
  readonly isWhole: boolean;
}

/** The messages of several gates, each finding and advice only where it first occurs: many end with the same advice. */
export function saidOnce(gates: readonly GateReport[], report: Report): readonly SaidOnce[] {
  const messages = messagesOf(report);
  const known = new Set<string>();
  const once = (words: string, about = ""): string => {
    const key = JSON.stringify([about, words]);
    if (known.has(key)) return "";
    known.add(key);
    return words;
  };
  return gates.map((gate) => {
    const whole = messages[report.gates.indexOf(gate)]!;
    const about = `${gate.no_baseline === true ? "" : (gate.group ?? "")} ${whole.subject}`;
    const finding = once(whole.finding, about);
    const advice = once(whole.advice);
    const isWhole = finding === whole.finding && advice === whole.advice;
    return { gate, said: { ...whole, finding, advice }, isWhole };
  });
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
