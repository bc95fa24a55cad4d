import {
  amounts,
  amountsWith,
  decimalsApart,
  decimalsOf,
  fromTo,
  number,
  outwardAmounts,
  unitOf,
} from "./numbers.ts";
import type { GateMessage, GateReport, Report } from "./report.ts";

/** The longest message of a gate. */
export const MAX_SENTENCE_CHARS = 240;

/** A metric as a report names it: after its provider and prompt, if the run judges several of them separately. */
export function scoreName({ group = "", metric }: Pick<GateReport, "group" | "metric">): string {
  return group === "" ? metric : `${group}: ${metric}`;
}

/** What a gate compares, and its limit as written: `3%`, `200ms`; empty for one without a line of its own. */
interface RuleParts {
  readonly kind: "floor" | "rise" | "drop" | "errors" | "count";
  readonly sign: "≥" | "≤";
  readonly limit: string;
}

/** The contract fixes the fields of a gate, so its rule is what carries these facts: read here and nowhere else. */
export function readRule({ rule }: Pick<GateReport, "rule">): RuleParts {
  if (rule === "errors") return { kind: "errors", sign: "≤", limit: "" };
  if (/^(?:must_pass|min_rows) /.test(rule)) return { kind: "count", sign: "≥", limit: "" };
  const [, kind, sign = "", limit = ""] =
    /(?:\s(drop|rise)\s*)?([<>=≥≤]+)\s*([^<>=≥≤]+)$/u.exec(rule) ?? [];
  return {
    kind: kind === "drop" || kind === "rise" ? kind : "floor",
    sign: /[>≥]/.test(sign) ? "≥" : "≤",
    limit: limit.trim(),
  };
}

/** Whether a gate compares with the baseline; its interval is then that of the change rather than of the value. */
export function isDrop(gate: Pick<GateReport, "rule">): boolean {
  return ["drop", "rise"].includes(readRule(gate).kind);
}

/** Whether a gate is the implicit one on crashes, which every run with a baseline has. */
export const isCrashGate = (gate: GateReport): boolean => readRule(gate).kind === "errors";

/** Whether a gate counts rows (`must_pass`, `min_rows`) instead of comparing a metric with a limit. */
export const isCounted = (gate: GateReport): boolean => readRule(gate).kind === "count";

/** Whether lower is better for a metric, according to the gate. */
export function isLowerBetter(gate: GateReport): boolean {
  const { direction } = gate;
  return direction === undefined ? readRule(gate).kind === "rise" : direction === "lower";
}

/** The parts of each gate's message, which older report files have only as a whole. */
export function messagesOf({
  gates,
  gate_messages: found,
}: Pick<Report, "gates" | "gate_messages">): readonly GateMessage[] {
  if (found?.length === gates.length) return found;
  const none = { subject: "", advice: "", with_p: false, by_chance: false };
  return gates.map(({ reason }) => ({ ...none, finding: reason }));
}

/** The parts of one gate's message. */
export const messageOf = (
  gate: GateReport,
  report: Pick<Report, "gates" | "gate_messages">,
): GateMessage => messagesOf(report)[report.gates.indexOf(gate)]!;

/**
 * With how many decimals at least the gates of one metric show its values: one value must not have
 * two forms next to a floor and next to a baseline.
 */
export function decimalsOfMetric(
  gates: readonly GateReport[],
  { metric, group = "" }: Pick<GateReport, "metric" | "group">,
): number {
  const own = gates.filter((gate) => gate.metric === metric && (gate.group ?? "") === group);
  return Math.max(0, ...own.map(decimalsOfGate));
}

function decimalsOfGate(gate: GateReport): number {
  const { head, base, limit = null, p, anchor = null } = gate;
  if (head === null) return 0;
  if (!isDrop(gate))
    return Math.max(
      ...[limit, base].map((other) => decimalsOf(other === null ? [head] : [head, other])),
    );
  if (base === null) return 0;
  if (limit === null) return decimalsOf([base, head]);
  const from = [base, ...(anchor !== null && anchor.p === p ? [head - anchor.delta] : [])];
  return Math.max(...from.map((before) => decimalsApart(limit, [before, head])));
}

/** The value of a gate's run as its message shows it: distinguishable from its baseline or limit. */
function headWords(gate: GateReport, gates: readonly GateReport[]): string {
  const { metric, head } = gate;
  if (head === null) return number(head);
  return amountsWith(decimalsOfMetric(gates, gate), metric, head)[0]!;
}

/** `0.93 → 0.83`, as in the gate's message; `mark` marks the second value. */
export function movedWords(
  gate: GateReport,
  gates: readonly GateReport[],
  mark = (value: string): string => value,
): string {
  const { metric, base, head } = gate;
  if (base === null) return mark(headWords(gate, gates));
  if (head === null) return fromTo(gate);
  const [before, now] = amountsWith(decimalsOfMetric(gates, gate), metric, base, head);
  return `${before!.slice(0, before!.length - unitOf(metric).length)} → ${mark(now!)}`;
}

/** The mean of a metric, rounded as in its gate if there is one. */
export function meanWords(gates: readonly GateReport[], metric: string, mean: number): string {
  const judged = gates.find(
    (gate) => gate.metric === metric && gate.head !== null && Math.abs(gate.head - mean) < 1e-9,
  );
  return judged === undefined ? amounts(metric, mean)[0]! : headWords(judged, gates);
}

/** `30 worse, 7 better`: how many examples moved which way; empty if none did, or nothing was compared. */
export function countsWords(gate: GateReport, { row_counts: { changed } }: Report): string {
  const name = scoreName(gate);
  if (!isDrop(gate) || !Object.hasOwn(changed, name)) return "";
  const { worse, better } = changed[name]!;
  if (worse + better === 0) return "";
  return `${worse === 0 ? "none" : worse} worse${better === 0 ? "" : `, ${better} better`}`;
}

/** `−0.12 … +0.02`: the 95 % interval, of the value for a floor, of the change where there is a baseline. */
export function intervalWords(gate: GateReport): string {
  if (gate.ci === null) return "–";
  const ends = outwardAmounts("", gate.ci, ...marksOf(gate));
  const isChange = gate.base !== null;
  const shown = ends.map((end, at) => (isChange && gate.ci![at]! > 0 ? `+${end}` : end));
  return shown.join(" … ") + unitOf(gate.metric);
}

function marksOf(gate: GateReport): readonly number[] {
  const { limit = null } = gate;
  if (limit === null) return [0];
  if (!isDrop(gate)) return [limit];
  return [isLowerBetter(gate) ? limit : -limit, 0];
}
