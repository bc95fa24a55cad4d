import { EVERY_METRIC, type GateRule } from "./gate-rule.ts";
import { isUsage, normalName, parseMetric, scoreOf, USAGE } from "./metric.ts";

/** Where an improving metric goes. */
export type BetterSide = "lower" | "higher";

const wordsOf = (...lines: readonly string[]): readonly string[] =>
  lines.flatMap((line) => line.split("|"));

/** Other names with values beyond 0…1, so that a limit above 1 can fail. */
const COUNTS = wordsOf(
  "cer|error_count|errors|failures|hallucinations|loss|perplexity|violations|wer",
);
const SHARES = wordsOf(
  "bias|error|error_rate|failure|failure_rate|hallucination|hallucination_rate|harm|harmfulness",
  "noise_sensitivity|pii_leakage|toxicity",
);
/** Complete names that mean "lower is better", listed in contributing/gate-method.md. */
const LOWER_NAMES: readonly string[] = [...USAGE, ...COUNTS, ...SHARES];

/** A rule on every metric, for each of these but the cost, tokens and time of the run. */
export function ruleOfEvery(rule: GateRule, metrics: readonly string[]): GateRule[] {
  return metrics
    .filter((metric) => !isUsage(metric))
    .map((metric) => ({
      ...rule,
      metric,
      ofEvery: true,
      text: rule.text.replace(EVERY_METRIC, metric),
    }));
}

/**
 * Words that turn a name around or count failures. A longer name that contains one of these, or of
 * the names above, does not show which side is better.
 */
const LOWER_WORDS: ReadonlySet<string> = new Set([
  ...LOWER_NAMES.filter((name) => !name.includes("_")),
  ...wordsOf(
    "abuse|abusive|adversarial|attack|attacked|attacks|asr|breach|breaches|crash|crashed|crashes",
    "defect|defects|deviation|distance|exploit|exploits|fail|failed|failing|fails|false|flag",
    "flagged|flags|fn|fnr|fp|fpr|hallucinate|hallucinated|hallucinates|harmful|harms|incorrect",
    "injection|injections|invalid|jailbreak|jailbreaks|jailbroken|leak|leakage|leaked|leaks|mae",
    "mape|misses|mistake|mistakes|mse|offensive|penalty|price|residual|retried|retries|retry|risk",
    "rmse|rmsle|seconds|severity|smape|time|timeout|timeouts|token|toxic|ttfb|ttft|unsafe|usd",
    "violation|vulnerability|vulnerable|wrong",
  ),
]);

const PASS_NAMES = /(?:^|[^\p{L}\p{N}])(?:pass|passed|success|successful|pass_rate)$/iu;
/** A verdict on another metric, as some formats add: `toxicity.pass`. */
const VERDICT_NAMES = /(?:^|[^\p{L}\p{N}\s_-])(?:pass|passed)$/iu;

/** Whether a name is that of a pass mark, for which higher is better: `jailbreak_success` is not one. */
function isPassMark(metric: string): boolean {
  return PASS_NAMES.test(metric) && (VERDICT_NAMES.test(metric) || !hasLowerWord(metric));
}

const hasLowerWord = (metric: string): boolean =>
  normalName(metric)
    .split("_")
    .some((word) => LOWER_WORDS.has(word) || LOWER_WORDS.has(word.replace(/s$/u, "")));

/** Whether a metric's name implies that its values may exceed 1. */
export function isUnbounded(metric: string): boolean {
  return COUNTS.includes(normalName(metric)) || isUsage(metric);
}

/** Which side of a metric is better; `unclear` if only a person knows. */
export function directionOf({
  metric,
  declared,
  operators,
  known,
}: {
  readonly metric: string;
  readonly declared: BetterSide | undefined;
  /** Operators of the floors on this metric. */
  readonly operators: readonly string[];
  /** What the file's format knows about the metric, or about the one that `pass^k` applies to. */
  readonly known: BetterSide | "unclear" | undefined;
}): BetterSide | "unclear" {
  if (declared !== undefined) return declared;
  const ceilings = operators.filter((operator) => operator.startsWith("<")).length;
  if (operators.length > 0 && (ceilings === 0 || ceilings === operators.length))
    return ceilings > 0 ? "lower" : "higher";
  return expectedSide(metric, known) ?? "higher";
}

/** The better side of a metric by its kind, the file's format or its name; undefined if none of them shows it. */
export function expectedSide(
  metric: string,
  known: BetterSide | "unclear" | undefined,
): BetterSide | "unclear" | undefined {
  const { kind } = parseMetric(metric);
  if (kind === "latency" || kind === "error_rate") return "lower";
  if (kind === "pass") return passDirection(metric, known);
  if (known !== undefined) return known;
  if (isPassMark(metric)) return "higher";
  return sideByName(metric);
}

function sideByName(metric: string): "lower" | "unclear" | undefined {
  const name = normalName(metric);
  if (LOWER_NAMES.includes(name)) return "lower";
  return hasLowerWord(metric) ? "unclear" : undefined;
}

/** `pass^k(metric)`: a repeat passes with a score of 1, which is a success only if higher is better. */
function passDirection(
  metric: string,
  known: BetterSide | "unclear" | undefined,
): BetterSide | "unclear" {
  if (known !== undefined) return known === "higher" ? "higher" : "unclear";
  const key = scoreOf(metric)!;
  return isPassMark(key) || sideByName(key) === undefined ? "higher" : "unclear";
}

/** Metrics of ragas where less is better; it adds a mode to the name of one. */
const RAGAS_LOWER =
  /^(?:noise_sensitivity(?:_(?:ir)?relevant|_mode_\w+)?|harmfulness|maliciousness)$/u;
/** Azure's content safety metrics count severity. */
const SEVERITY = /(?:^|_)(?:violence|sexual|self_harm|hate_unfairness)(?:_score)?$/u;
/** DeepEval metrics where more is better in every version, despite their names. */
const DEEPEVAL_HIGHER: readonly string[] = ["pii_leakage", "non_advice", "role_violation"];
/** For these less was better before DeepEval 4.2, and more is since. */
const DEEPEVAL_TURNED: readonly string[] = ["bias", "toxicity", "hallucination", "misuse"];

/** Formats whose scores are grades of assertions: higher is better, whatever the assertion's name. */
const GRADED: readonly string[] = ["promptfoo"];
/** Formats whose scores may be grades or measurements: a name that means "lower is better" does not decide. */
const MIXED: readonly string[] = ["inspect", "openai-evals"];

/** What a format knows about a metric; undefined if it knows nothing, so that the name decides. */
export function knownDirection(format: string, metric: string): BetterSide | "unclear" | undefined {
  if (GRADED.some((name) => format.startsWith(name))) return "higher";
  if (isPassMark(metric)) return "higher";
  if (MIXED.some((name) => format.startsWith(name)))
    return sideByName(metric) === undefined ? undefined : "unclear";
  const name = normalName(metric).replace(/_metric$/u, "");
  if (format.startsWith("ragas")) return RAGAS_LOWER.test(name) ? "lower" : undefined;
  if (/^(?:azure|openai-run)/u.test(format)) return SEVERITY.test(name) ? "lower" : undefined;
  if (!format.startsWith("deepeval")) return undefined;
  if (DEEPEVAL_HIGHER.includes(name)) return "higher";
  return DEEPEVAL_TURNED.includes(name) ? "unclear" : undefined;
}
