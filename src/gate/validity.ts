import { listSome } from "../model/count-words.ts";
import type { Diagnostic } from "../spec/desired.ts";
import { didYouMean } from "../spec/suggestion.ts";
import { type BetterSide, isUnbounded } from "./direction.ts";
import type { GateSet } from "./gate-set.ts";
import { DERIVED_METRICS, extentOf, parseMetric, scoreOf } from "./metric.ts";
import type { GateTable, WordedMetric } from "./row.ts";
import { type GateRule, problemOf, uselessLimit } from "./gate-rule.ts";
import { shortName } from "./sentence.ts";
import type { Judging } from "./judging.ts";
import type { Side } from "./side.ts";

/** How many metrics are listed, and how long each may be. */
const MAX_SHOWN = 50;
const MAX_SHOWN_CHARS = 80;
/** A larger value is a mistake of the scorer: squares of such values, added up, may not fit a double (1.8e308). */
const MAX_VALUE = 1e100;
/** A score beyond this, compared with one within 0…1, is on another scale; up to it, a share may just exceed its end. */
const OTHER_SCALE = 2;

/** Problems with the gates for these results: usage errors, so nothing is judged. */
export function checkGates(judging: Judging): Diagnostic[] {
  const { gates } = judging;
  const head = judging.head.table;
  const unknown = [...checkMetrics(judging), ...checkPatterns(judging)];
  if (unknown.length > 0) return [...unknown, ...checkTags(head, gates)];
  return [
    ...checkTags(head, gates),
    ...CHECKS.flatMap((check) => findProblems(gates.rules, judging, check)),
    ...findProblems(allRules(gates), judging, wordsProblem),
  ];
}

/** What is wrong with a rule for these results; null if nothing is, or the check does not apply. */
type Check = (rule: GateRule, judging: Judging) => string | null;

/** The problems that a check finds, each at the first rule that has it. */
function findProblems(rules: readonly GateRule[], judging: Judging, check: Check): Diagnostic[] {
  const found = new Map<string, Diagnostic>();
  for (const rule of rules) {
    const message = check(rule, judging);
    if (message !== null && !found.has(message)) found.set(message, problemOf(rule, message));
  }
  return [...found.values()];
}

const listNames = (names: readonly string[]): string =>
  listSome(names, (name) => shortName(name, MAX_SHOWN_CHARS), MAX_SHOWN);

/**
 * Gates on a metric that neither side has. A head without any scores is a failed gate rather than
 * a misspelling, and so is one that names the metric without scoring it: its judge was down.
 */
function checkMetrics({ head: side, base, gates }: Judging): Diagnostic[] {
  const head = side.table;
  if (head.metrics.length === 0) return [];
  const known = new Set([...head.metrics, ...(base?.table.metrics ?? [])]);
  const all = [...known].sort();
  const choice = `metrics seen: ${listNames(all)}; always there: ${DERIVED_METRICS.join(", ")}`;
  return allRules(gates).flatMap((rule) => {
    const key = scoreOf(rule.metric);
    if (key === null || known.has(key) || head.unscored?.has(key) === true) return [];
    const meant = didYouMean(key, [...all, ...DERIVED_METRICS]);
    return [problemOf(rule, `${key} is not in ${head.file}${meant}; ${choice}`)];
  });
}

/** A rule on every metric that matches none would pass anything. */
function checkPatterns({ unmatched, head: { table }, base }: Judging): Diagnostic[] {
  const { file, metrics } = table;
  if (metrics.length === 0) return [];
  const where = base === null ? `in ${file}` : `that both ${file} and the baseline have`;
  return unmatched.map((rule) =>
    problemOf(
      rule,
      `\`${rule.text}\` finds no score ${where}; metrics seen: ${listNames(metrics)}; name one${base === null ? "" : ", or write a new baseline"}`,
    ),
  );
}

const allRules = (gates: GateSet): readonly GateRule[] => [
  ...gates.rules,
  ...gates.must_pass.flatMap((item) => item.require),
];

const sidesOf = ({ head, base, anchor }: Judging): readonly Side[] =>
  [head, base, anchor].filter((side) => side !== null);

function checkTags(head: GateTable, gates: GateSet): Diagnostic[] {
  const name = gates.cluster_by;
  if (name === null || head.size === 0) return [];
  for (let row = 0; row < head.size; row++) if (head.tag(row, name) !== undefined) return [];
  const seen =
    head.tagNames.length === 0
      ? "the rows have no such fields"
      : `fields seen: ${head.tagNames.slice(0, 20).join(", ")}`;
  const message = `no row of ${head.file} has ${name}; ${seen}`;
  return [{ ...gates.at, level: "error", path: "cluster_by", message }];
}

/** Scores that are partly words: using only the numbers would ignore the words, which mostly say that a row failed. */
function wordsProblem({ metric }: GateRule, judging: Judging): string | null {
  const key = scoreOf(metric);
  // A head without any number for it is a failed gate.
  if (key === null || !judging.head.table.scores.has(key)) return null;
  const table = sidesOf(judging)
    .map(({ table }) => table)
    .find(({ words }) => words !== undefined && Object.hasOwn(words, key));
  return table === undefined ? null : describeWords(key, table.file, table.words![key]!);
}

function describeWords(key: string, file: string, { rows, mappable }: WordedMetric): string {
  const what =
    rows === 1
      ? `1 score of ${key} in ${file} is a word, not a number`
      : `${rows} scores of ${key} in ${file} are words, not numbers`;
  return mappable
    ? `${what}; give each word a number in a mapping: evaluation_scores.${key}: { column: ${key}, words: { pass: 1, fail: 0 } }, or mark rows that crashed: error: { column: ${key}, when: [error] }`
    : `${what} (a value without a score); write a score for each of these values, or an error on a row that was not judged`;
}

type Range = readonly [low: number, high: number];

/** Lowest and highest value of a metric in a run; null if it has none. */
function extremes(side: Side, metric: string): Range | null {
  const [low, high] = side.column(metric).extent;
  return low > high ? null : [low, high];
}

const isWithin = ([low, high]: Range): boolean => low >= 0 && high <= 1;

/**
 * Which side of a metric passes: from the file's verdicts as read, else from the pass marks next
 * to its scores, if some value separates all passed rows from all failed ones.
 */
function shownSide(table: GateTable, key: string): BetterSide | undefined {
  const known = table.shown?.get(key);
  if (known !== undefined) return known;
  const [scores, marks] = [table.scores.get(key), table.scores.get(`${key}.pass`)];
  if (scores === undefined || marks === undefined) return undefined;
  const pick = (mark: number): readonly [number, number] =>
    extentOf(scores.filter((_, row) => marks[row] === mark));
  const [passed, failed] = [pick(1), pick(0)];
  // Rows that all passed, or all failed, do not show it.
  if (passed[0] > passed[1] || failed[0] > failed[1]) return undefined;
  if (passed[0] > failed[1]) return "higher";
  return passed[1] < failed[0] ? "lower" : undefined;
}

/** A score with the name of what is computed from the rows: one would be judged, and the other meant. */
function nameProblem({ metric: name }: GateRule, judging: Judging): string | null {
  // The mean latency is that of the score where a file has one.
  if (name === "latency" || scoreOf(name) !== null) return null;
  const table = sidesOf(judging).find(({ table }) => table.scores.has(name))?.table;
  return table === undefined
    ? null
    : `${table.file} has a score named ${name}, but a gate on ${name} judges what is computed from the rows; rename the score`;
}

/** A limit that no value can break, or that none can meet: mostly a percentage written as a number, or the reverse. */
function limitProblem(rule: GateRule, { head, base, lowerIsBetter }: Judging): string | null {
  const { metric } = rule;
  const { kind } = parseMetric(metric);
  if (kind === "rows" || kind === "latency" || isUnbounded(metric)) return null;
  const lower = lowerIsBetter(metric);
  if (kind !== "score") return uselessLimit(rule, [0, 1], lower);
  const seen = [head, base].flatMap((side) => (side && extremes(side, metric)) ?? []);
  return seen.length === 0
    ? null
    : uselessLimit(rule, [Math.min(...seen), Math.max(...seen)], lower);
}

/** A drop on a metric whose name does not show which side is better. */
function directionProblem({ kind, metric }: GateRule, { direction }: Judging): string | null {
  if (kind !== "drop" || direction(metric) !== "unclear") return null;
  const line = `direction: {${JSON.stringify(metric)}: higher}`;
  return `which side of ${metric} is better is not clear from its name; add \`${line}\` (or lower) to the gate file`;
}

/**
 * A drop on a metric that another version of a tool has turned around: a better agent would look
 * worse, and vice versa.
 */
function sideProblem({ kind, metric }: GateRule, { head, base, anchor }: Judging): string | null {
  const key = scoreOf(metric);
  if (kind !== "drop" || key === null) return null;
  const { table } = head;
  const now = shownSide(table, key);
  const other = [base, anchor].find((run) => {
    const before = run === null ? undefined : shownSide(run.table, key);
    return before !== undefined && before !== (now ?? before);
  });
  if (!other || now === undefined) return null;
  const [here, there] = now === "lower" ? ["less", "more"] : ["more", "less"];
  return `the verdicts in ${table.file} show that ${here} of ${key} is better, those in the baseline ${other.table.file} that ${there} is: another version of the tool scored it the other way round. Score both with one version, or accept a new baseline`;
}

/** Scores within 0…1 on one side and beyond 2 on the other: a percentage or five-point scale compared with a share. */
function scaleProblem({ kind, metric }: GateRule, { head, base }: Judging): string | null {
  if (kind !== "drop" || parseMetric(metric).kind !== "score") return null;
  const now = extremes(head, metric);
  const before = base === null ? null : extremes(base, metric);
  if (base === null || now === null || before === null || isUnbounded(metric)) return null;
  const beyond = ([low, high]: Range): boolean => high > OTHER_SCALE || low < -OTHER_SCALE;
  if (!(isWithin(now) && beyond(before)) && !(isWithin(before) && beyond(now))) return null;
  const range = ([low, high]: Range): string => `${low} to ${high}`;
  return `${metric} is on another scale: ${range(now)} in ${head.table.file}, ${range(before)} in the baseline ${base.table.file}; score both alike, or write a new baseline`;
}

/** Squares and sums of larger values overflow, so nothing true could be said about them. */
function sizeProblem({ metric }: GateRule, judging: Judging): string | null {
  if (scoreOf(metric) === null) return null;
  const seen = sidesOf(judging).flatMap((side) => extremes(side, metric) ?? []);
  const largest = seen.find((value) => Math.abs(value) > MAX_VALUE);
  return largest === undefined
    ? null
    : `${metric} has a value of ${largest}, too large to be judged; look at the scorer`;
}

const CHECKS: readonly Check[] = [
  nameProblem,
  limitProblem,
  directionProblem,
  sideProblem,
  scaleProblem,
  sizeProblem,
];
