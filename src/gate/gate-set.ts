import type { Diagnostic, Position } from "../spec/desired.ts";
import { parseMetric } from "./metric.ts";
import type { GateRule } from "./gate-rule.ts";

/** Rows that must pass whatever the averages say; chosen by tag, judged by counting. */
export interface MustPass {
  /**
   * Tag to accepted values; a row is chosen when every tag has one of its values. No values: any
   * but false, 0 and the empty text.
   */
  readonly select: Readonly<Record<string, readonly string[]>>;
  /** What a row must score, as gate lines; empty: the floors of the gate file, each row by itself. */
  readonly require: readonly GateRule[];
  /** Repeats of an example that must pass; null: all it has. */
  readonly at_least: number | null;
  readonly at: Position;
}

/** What a run is judged by: the parsed `gate` input. */
export interface GateSet {
  readonly rules: readonly GateRule[];
  readonly direction: Readonly<Record<string, "lower" | "higher">>;
  /** Accepted chance of failing an unchanged agent, all gates of the run together. */
  readonly alpha: number;
  /** `detect`: fail on a proven fall; `rule-out`: pass only where a fall beyond the limit is ruled out. */
  readonly proof: "detect" | "rule-out";
  /** `observed`: the score of this run decides about a floor; `proven`: what it proves of the agent. */
  readonly floors: "observed" | "proven";
  /** Whether new crashes count. */
  readonly errors: "count" | "ignore";
  /** Whether providers and prompts of one file are judged as one. */
  readonly pool: boolean;
  /** Version of what scored the head; null where the file itself says it. */
  readonly evaluator: string | null;
  /** Tag whose equal values are not independent (one document, one conversation). */
  readonly cluster_by: string | null;
  readonly must_pass: readonly MustPass[];
  /** Fewest rows of the head that did not error. */
  readonly min_rows: number;
  /** Smallest share of the baseline's examples that the head must have too. */
  readonly min_overlap: number;
  /** Where the set is written, for problems that no single rule has. */
  readonly at: Position;
}

/** Gates, or everything that is wrong with them (exit 2). */
export type ParsedGates =
  | { readonly state: "parsed"; readonly gates: GateSet }
  | { readonly state: "problems"; readonly problems: readonly Diagnostic[] };

/** What a gate file need not say. */
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

/** Said where there is not one gate. */
export const NONE =
  "the file holds no gate, so it would pass anything; write `gates:` and the gate lines below it";

/** Whether a gate is a floor that one row by itself can meet. */
export function isRowFloor({ kind, metric }: GateRule): boolean {
  const of = parseMetric(metric).kind;
  return kind === "floor" && (of === "score" || of === "latency");
}
