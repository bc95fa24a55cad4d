import { isObject, own, ownAt, ownString } from "../../model/json.ts";
import { listAt } from "./pick.ts";

/**
 * Named scores have the asserts' reasons; asserts without a metric are named by type, the second
 * of one type `contains#2`.
 */
export function scoresOf(row: unknown): unknown[] {
  const scores = new Map<string, { key: string; score: unknown; comment: string | undefined }>();
  for (const [key, score] of namedScoresOf(row))
    scores.set(key, { key, score, comment: undefined });
  const namedKeys = [...scores.keys()];
  const taken = new Map<string, number>();
  for (const component of componentsOf(row)) {
    const metric = ownAt(component, "assertion", "metric");
    const comment = ownString(component, "reason");
    const known = namedKeys.find((key) => namesMetric(metric, key));
    if (known !== undefined) {
      const entry = scores.get(known)!;
      if (comment !== undefined && entry.comment !== comment)
        entry.comment = entry.comment === undefined ? comment : `${entry.comment}\n${comment}`;
      continue;
    }
    const type = ownAt(component, "assertion", "type");
    const words = [metric, nameOfType(type, row)].find(
      (name) => typeof name === "string" && name !== "",
    );
    const key = freeKey(scores, taken, typeof words === "string" ? words : "assert");
    scores.set(key, { key, score: own(component, "score"), comment });
  }
  // Without a grading, only `error` says what did not pass.
  const comment =
    (own(row, "gradingResult") ?? null) === null ? ownString(row, "error") : undefined;
  const passed = own(row, "success");
  for (const [key, score] of [
    ["score", own(row, "score")],
    // A number, like most scores: those need no change by the checks.
    ["pass", typeof passed === "boolean" ? Number(passed) : passed],
  ] as const) {
    if (score !== undefined && score !== null && !scores.has(key))
      scores.set(key, { key, score, comment });
  }
  return [...scores.values()];
}

/** Assertions that grade what a row states itself. */
const GRADED: readonly (readonly [type: string, stated: string])[] = [
  ["latency", "latencyMs"],
  ["cost", "cost"],
];

/** The grade of a row's time or cost is not to be taken for the time or cost. */
function nameOfType(type: unknown, row: unknown): unknown {
  const graded = GRADED.find(([name]) => name === type);
  return graded !== undefined && typeof own(row, graded[1]) === "number"
    ? `${graded[0]}.pass`
    : type;
}

const componentsOf = (row: unknown): readonly unknown[] =>
  listAt(row, "gradingResult", "componentResults");

/** Whether an assert's metric, possibly a template (`{{topic}} tone`), is the one of a score. */
function namesMetric(metric: unknown, key: string): boolean {
  if (typeof metric !== "string" || metric === "") return false;
  if (metric === key || !metric.includes("{{")) return metric === key;
  const parts = metric.split(/\{\{[^{}]*\}\}/);
  let at = 0;
  for (const [index, part] of parts.entries()) {
    const found = key.indexOf(part, at);
    if (found < 0 || (index === 0 && found > 0)) return false;
    at = found + part.length;
  }
  const last = parts.at(-1)!;
  return last === "" || key.endsWith(last);
}

/**
 * Named scores as means. Up to 0.121.3 the file contains sums over the asserts of a metric; since
 * then weighted means, marked by `namedScoreWeights`.
 */
function namedScoresOf(row: unknown): (readonly [key: string, score: unknown])[] {
  const named = own(row, "namedScores");
  if (!isObject(named)) return [];
  const entries = Object.entries(named).filter(([key]) => key !== "");
  if (isObject(ownAt(row, "gradingResult", "namedScoreWeights"))) return entries;
  return entries.map(([key, score]) => [key, meanOf(row, key) ?? score] as const);
}

/** The weighted mean of one metric from the asserts themselves; undefined if none has it. */
function meanOf(row: unknown, key: string): number | undefined {
  let [sum, weights] = [0, 0];
  for (const component of componentsOf(row)) {
    const given = ownAt(component, "assertion", "weight");
    const weight = typeof given === "number" ? given : 1;
    // The scores of an assert-set are those of its asserts, which are listed too.
    const inner = Array.isArray(own(component, "componentResults"))
      ? undefined
      : ownAt(component, "namedScores", key);
    const score = namesMetric(ownAt(component, "assertion", "metric"), key)
      ? own(component, "score")
      : inner;
    if (typeof score !== "number") continue;
    sum += score * weight;
    weights += weight;
  }
  return weights > 0 ? sum / weights : undefined;
}

/**
 * `name`, `name#2`, …; `taken` stores the last number of a name, so that thousands of one type are
 * not counted again.
 */
function freeKey(
  scores: ReadonlyMap<string, unknown>,
  taken: Map<string, number>,
  name: string,
): string {
  let n = (taken.get(name) ?? 0) + 1;
  while (scores.has(n === 1 ? name : `${name}#${n}`)) n += 1;
  taken.set(name, n);
  return n === 1 ? name : `${name}#${n}`;
}

/** The share of all runs, crashed ones included, that passed, and how many crashed. */
export function summaryOf(passed: unknown, failed: unknown, errors: unknown): unknown[] {
  if (typeof passed !== "number" || typeof failed !== "number") return [];
  const broken = typeof errors === "number" ? errors : 0;
  const all = passed + failed + broken;
  return all === 0
    ? []
    : [
        { key: "pass_rate", score: passed / all },
        { key: "errors", score: broken },
      ];
}

/** The same by provider and prompt. */
export function summariesOf(prompts: unknown): Map<string, unknown[]> {
  return new Map(
    listAt(prompts).map((prompt, index): [string, unknown[]] => {
      const metrics = own(prompt, "metrics");
      return [
        JSON.stringify([own(prompt, "provider"), index]),
        summaryOf(
          own(metrics, "testPassCount"),
          own(metrics, "testFailCount"),
          own(metrics, "testErrorCount"),
        ),
      ];
    }),
  );
}

/** promptfoo computes derived metrics from sums over a whole prompt: no row has them. */
export const derivedNames = (document: unknown): string[] =>
  listAt(document, "config", "derivedMetrics").flatMap((one) => ownString(one, "name") ?? []);
