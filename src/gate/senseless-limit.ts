import type { GateRule } from "./gate-rule.ts";

/** What of a rule says whether it can fail and pass. */
type Limit = Pick<GateRule, "kind" | "operator" | "threshold"> &
  Partial<Pick<GateRule, "relative">>;

/** What a limit on values between 0 and 1 is no use for; null where it can both fail and pass. */
export function senselessLimit(
  { kind, operator, threshold, relative = false }: Limit,
  lowerIsBetter = false,
): string | null {
  // A value above 0 may rise to any multiple of itself.
  if (relative && lowerIsBetter) return null;
  if (kind === "drop")
    return threshold > 1 || (threshold === 1 && operator === "<=") ? "can never fail" : null;
  switch (operator) {
    case ">=":
      if (threshold <= 0) return "can never fail";
      return threshold > 1 ? "can never pass" : null;
    case ">":
      if (threshold < 0) return "can never fail";
      return threshold >= 1 ? "can never pass" : null;
    case "<=":
      if (threshold >= 1) return "can never fail";
      return threshold < 0 ? "can never pass" : null;
    case "<":
      if (threshold > 1) return "can never fail";
      return threshold <= 0 ? "can never pass" : null;
  }
}

/** Whether a limit between 1 and 100 makes sense as a percentage. */
export function isPercentage({ threshold, ...rest }: Limit): boolean {
  const share = Number((threshold / 100).toPrecision(6));
  return (
    threshold > 1 && threshold <= 100 && senselessLimit({ ...rest, threshold: share }) === null
  );
}

const LIMIT = /\s*[<>=≥≤]+([^<>=≥≤]*)$/u;

/** What to write in place of a limit that makes no sense: a gate that is accepted. */
export function suggestLimit(rule: GateRule): string {
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
