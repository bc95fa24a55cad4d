import type { Diagnostic, Position } from "../spec/desired.ts";

/** One line of the gate language. */
export interface GateRule {
  readonly metric: string;
  /**
   * `floor`: compares the metric with a number (a ceiling too). `drop` (or `rise`): limits the
   * change for the worse from the baseline.
   */
  readonly kind: "floor" | "drop";
  readonly operator: ">=" | "<=" | ">" | "<";
  /** In the metric's own unit; latencies in seconds. For a drop, the largest one allowed. */
  readonly threshold: number;
  /** Whether the allowed drop is a share of the baseline's mean: `drop <= 3%`. */
  readonly relative: boolean;
  /** Whether it comes from a rule on every metric. */
  readonly ofEvery?: boolean;
  /** The rule as written, without comment. */
  readonly text: string;
  readonly at: Position;
}

/** The name for every metric: `* drop <= 5%`. */
export const EVERY_METRIC = "*";

/** A problem with a rule for these results. */
export function problemOf(rule: GateRule, message: string): Diagnostic {
  return { ...rule.at, level: "error", path: rule.metric, message };
}

/** Tolerance for rounding in averages: 0.85 of twenty rows is 0.85. */
export const SLACK = 1e-12;

/** The same for numbers of any size: the averages of tokens are rounded at another digit than those of scores. */
export const slackOf = (one: number, other: number): number =>
  SLACK * (1 + Math.abs(one) + Math.abs(other));

/** The difference of two averages; 0 if only rounding differs. */
export function differenceOf(one: number, other: number): number {
  const difference = one - other;
  return Math.abs(difference) < slackOf(one, other) ? 0 : difference;
}

/** Whether a rule is a ceiling rather than a floor. */
export const isCeiling = ({ operator }: Pick<GateRule, "operator">): boolean =>
  operator.startsWith("<");

/** Whether a value is on the right side of a floor or ceiling. */
export function meetsRule(rule: Pick<GateRule, "operator" | "threshold">, value: number): boolean {
  const over = differenceOf(value, rule.threshold);
  if (over === 0) return rule.operator.endsWith("=");
  return isCeiling(rule) ? over < 0 : over > 0;
}

/** On which side of its limit a value is that misses it: one that is the limit misses a strict rule. */
export function sideOf(rule: Pick<GateRule, "operator" | "threshold">, value: number): string {
  const [side, other] = isCeiling(rule) ? ["above", "below"] : ["below", "above"];
  const operator = isCeiling(rule) ? "<=" : ">=";
  return meetsRule({ ...rule, operator }, value) ? `not ${other}` : side!;
}

/** The parts of a rule that decide whether it can fail and pass. */
type Limit = Pick<GateRule, "kind" | "operator" | "threshold"> &
  Partial<Pick<GateRule, "relative">>;

/** Why a limit on values between 0 and 1 is useless; null if it can both fail and pass. */
function senselessLimit(rule: Limit, lowerIsBetter = false): string | null {
  // A value above 0 can rise to any multiple of itself.
  if (rule.relative === true && lowerIsBetter) return null;
  const [least, most] = [meetsRule(rule, 0), meetsRule(rule, 1)];
  // A drop is 1 at most, and none is always allowed.
  if (most && (least || rule.kind === "drop")) return "can never fail";
  return most || least || rule.kind === "drop" ? null : "can never pass";
}

/** Whether a limit between 1 and 100 makes sense as a percentage. */
export function isPercentage({ threshold, ...rest }: Limit): boolean {
  const share = Number((threshold / 100).toPrecision(6));
  return (
    threshold > 1 && threshold <= 100 && senselessLimit({ ...rest, threshold: share }) === null
  );
}

/** Beyond ratios and ten-point scales: such a score counts to a hundred. */
const HIGHEST_TEN = 10;

/** What was meant by a floor of so many percent, which is a share, for a score that counts to a hundred; null if there is no such gate. */
function shareOfHundred(
  { text, kind, threshold, ...rule }: GateRule,
  [lowest, highest]: Range,
): string | null {
  if (kind !== "floor" || isCeiling(rule) || !text.trim().endsWith("%")) return null;
  if (lowest < 0 || highest <= HIGHEST_TEN || highest > 100) return null;
  const meant = text.trim().slice(0, -1).trim();
  return `\`${text}\` is ${threshold}, and the values go up to ${highest}; did you mean \`${meant}\`?`;
}

/** Lowest and highest value of a metric. */
type Range = readonly [lowest: number, highest: number];

/**
 * Why a limit is useless for values in a range, with a valid one to write; null if it is not.
 * `shown`: what shows the range.
 */
export function uselessLimit(
  rule: GateRule,
  range: Range,
  lowerIsBetter: boolean,
  shown = "all values lie between 0 and 1",
): string | null {
  const [lowest, highest] = range;
  if (lowest < 0 || highest > 1) return shareOfHundred(rule, range);
  const why = senselessLimit(rule, lowerIsBetter);
  if (why === null) return null;
  return `\`${rule.text}\` ${why}: ${shown}; ${suggestLimit(rule)}`;
}

const LIMIT = /\s*[<>=≥≤]+([^<>=≥≤]*)$/u;

/** A valid gate to write in place of a useless limit. */
function suggestLimit(rule: GateRule): string {
  const { text, kind, operator, threshold } = rule;
  const line = text.replace(LIMIT, "");
  const isPlain = /\d\.?$/u.test(text);
  if (isPlain && isPercentage(rule))
    return `did you mean \`${line} ${operator} ${Number((threshold / 100).toPrecision(6))}\`?`;
  const floor = operator.startsWith(">") ? "0.85" : "0.05";
  return kind === "drop"
    ? `write the fall you accept, such as \`${line} ${operator} 0.02\``
    : `write the value you accept, such as \`${line} ${operator} ${floor}\``;
}
