import type { Position } from "../spec/desired.ts";

/** One line of the gate language. */
export interface GateRule {
  readonly metric: string;
  /**
   * `floor`: the metric against a number (a ceiling too); `drop` (or `rise`): against the baseline,
   * a change for the worse.
   */
  readonly kind: "floor" | "drop";
  readonly operator: ">=" | "<=" | ">" | "<";
  /** In the metric's own unit; latencies in seconds. For a drop, the fall that is allowed. */
  readonly threshold: number;
  /** Whether the fall that is allowed is a share of the baseline's mean: `drop <= 3%`. */
  readonly relative: boolean;
  /** Whether it comes from a rule on every metric. */
  readonly ofEvery?: boolean;
  /** The rule as written, without comment. */
  readonly text: string;
  readonly at: Position;
}
