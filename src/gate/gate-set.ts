import type { Diagnostic, Position } from "../spec/desired.ts";
import { parseMetric } from "./metric.ts";
import type { GateRule } from "./gate-rule.ts";

/** Rows that must pass whatever the averages are; selected by tag, judged by counting. */
export interface MustPass {
  /**
   * Accepted values by tag; a row is selected if every tag has one of its values. Without values:
   * anything but false, 0 and an empty text.
   */
  readonly select: Readonly<Record<string, readonly string[]>>;
  /** What a row must score, as gate lines; empty: the floors of the gate file, applied to each row. */
  readonly require: readonly GateRule[];
  /** How many repeats of an example must pass; null: all. */
  readonly at_least: number | null;
  readonly at: Position;
}

/** The parsed `gate` input. */
export interface GateSet {
  readonly rules: readonly GateRule[];
  readonly direction: Readonly<Record<string, "lower" | "higher">>;
  /** Accepted probability of failing an unchanged agent, for all gates of the run together. */
  readonly alpha: number;
  /** `detect`: fail on a proven drop; `rule-out`: pass only if a drop beyond the limit is ruled out. */
  readonly proof: "detect" | "rule-out";
  /** `observed`: this run's score decides about a floor; `proven`: what it proves about the agent. */
  readonly floors: "observed" | "proven";
  /** Whether new crashes count. */
  readonly errors: "count" | "ignore";
  /** Whether providers and prompts of one file are judged as one. */
  readonly pool: boolean;
  /** Version of what scored the head; null if the file says it. */
  readonly evaluator: string | null;
  /** Tag whose equal values are not independent (one document, one conversation). */
  readonly cluster_by: string | null;
  readonly must_pass: readonly MustPass[];
  /** The fewest rows of the head that did not crash. */
  readonly min_rows: number;
  /** The smallest share of the baseline's examples that the head must have too. */
  readonly min_overlap: number;
  /** Position of the set, for problems that belong to no single rule. */
  readonly at: Position;
}

/** The gates, or every problem with them (exit 2). */
export type ParsedGates =
  | { readonly state: "parsed"; readonly gates: GateSet }
  | { readonly state: "problems"; readonly problems: readonly Diagnostic[] };

/** Defaults of a gate file. */
export const DEFAULTS = {
  direction: {},
  alpha: 0.05,
  proof: "detect",
  floors: "observed",
  errors: "count",
  pool: false,
  evaluator: null,
  cluster_by: null,
  must_pass: [],
  min_rows: 1,
  min_overlap: 0.95,
} as const;

/** The message if there is no gate. */
export const NONE =
  "the file holds no gate, so it would pass anything; write `gates:` and the gate lines below it";

/** Whether a gate is a floor that a single row can meet. */
export function isRowFloor({ kind, metric }: GateRule): boolean {
  const of = parseMetric(metric).kind;
  return kind === "floor" && (of === "score" || of === "latency");
}
