import { decimalsOfMetric } from "../report/gate-numbers.ts";
import type { GateMessage, GateReport, Report } from "../report/report.ts";
import { closed, type Interval } from "./interval.ts";
import { finishSentence } from "./sentence.ts";
import type { Judging } from "./judging.ts";
import { tidy } from "../report/numbers.ts";

/** What a gate found; missing fields are null or 0. */
export interface GateFacts
  extends Pick<GateReport, "metric" | "rule" | "verdict" | "n" | "method">,
    Partial<Pick<GateReport, "n_dropped" | "head" | "base" | "delta" | "p" | "p_own" | "mde">> {
  /** With at least so many decimals where it shows the metric's values. */
  readonly describe: (decimals: number) => GateMessage;
  readonly limit: number | null;
  readonly lower: boolean;
  readonly ci?: Interval | null;
  readonly anchor?: GateReport["anchor"];
  /** Whether there was nothing to compare with. */
  readonly noBaseline?: boolean;
  /** Set if it differs from the run's. */
  readonly alpha?: number;
}

/** A judged gate without its reason: how many decimals that shows depends on the other gates. */
export interface JudgedGate {
  readonly gate: GateReport;
  readonly describe: GateFacts["describe"];
  /**
   * For a tested drop: the drop that the suite could miss, the limit as in its rule, and how many
   * examples it takes to find one of twice the limit (null if that is more than a million or unknown).
   */
  readonly blind?: {
    readonly missed: number;
    readonly allowed: string;
    readonly needed: () => number | null;
  };
}

/** The only place that makes a gate's report: fixed field order, numbers to twelve digits. */
export function toJudgedGate(
  { label, gates, head }: Pick<Judging, "label" | "gates"> & Partial<Pick<Judging, "head">>,
  facts: GateFacts,
): JudgedGate {
  const round = (value: number | null | undefined): number | null =>
    value === null || value === undefined ? null : tidy(value);
  const gate: GateReport = {
    ...(label === "" ? {} : { group: label }),
    metric: facts.metric,
    rule: facts.rule,
    verdict: facts.verdict,
    n: facts.n,
    n_dropped: facts.n_dropped ?? 0,
    repeats: head?.table.repeats ?? 1,
    head: round(facts.head),
    base: round(facts.base),
    delta: round(facts.delta),
    ci: facts.ci === undefined || facts.ci === null ? null : closed(facts.ci),
    p: round(facts.p),
    method: facts.method,
    alpha: facts.alpha ?? gates.alpha,
    mde: facts.mde ?? null,
    reason: "",
    direction: facts.lower ? "lower" : "higher",
    anchor: facts.anchor ?? null,
    p_own: round(facts.p_own),
    limit: round(facts.limit),
    ...(facts.noBaseline === true ? { no_baseline: true as const } : {}),
  };
  return { gate, describe: facts.describe };
}

/** Adds the reasons, which show each value of a metric in one form. */
export function withReasons(
  judged: readonly JudgedGate[],
): Pick<Report, "gates"> & Required<Pick<Report, "gate_messages">> {
  const all = judged.map(({ gate }) => gate);
  const messages = judged.map(({ gate, describe }) => describe(decimalsOfMetric(all, gate)));
  return {
    gates: all.map((gate, at) => {
      // Without a baseline, the reason begins with `no-baseline` instead.
      const label = gate.no_baseline === true ? "" : (gate.group ?? "");
      return { ...gate, reason: finishSentence(label, messages[at]!) };
    }),
    gate_messages: messages,
  };
}
