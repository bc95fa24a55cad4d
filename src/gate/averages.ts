import { listSome } from "../model/count-words.ts";
import type { Diagnostic } from "../spec/desired.ts";
import { didYouMean } from "../spec/suggestion.ts";
import { expectedSide, isUnbounded, ruleOfEvery } from "./direction.ts";
import { type JudgedGate, toJudgedGate } from "./gate-report.ts";
import { warnOfWrongSides } from "./gate-warnings.ts";
import type { GateSet } from "./gate-set.ts";
import {
  EVERY_METRIC,
  type GateRule,
  isCeiling,
  meetsRule,
  problemOf,
  sideOf,
  uselessLimit,
} from "./gate-rule.ts";
import { say } from "./sentence.ts";
import { amountsWith, limitAmount } from "../report/numbers.ts";

/** The averages of a suite, from a file without rows. */
export interface Averages {
  readonly file: string;
  /** By metric; nested names are joined by dots. */
  readonly values: ReadonlyMap<string, number>;
  /** Metrics that have two values, since a key may itself have dots. */
  readonly unclear: ReadonlySet<string>;
}

/**
 * Reads averages from nested objects, with names joined by dots; null if any value is a list (then
 * the file has rows), or if there are no numbers.
 */
export function readAverages(json: unknown): Omit<Averages, "file"> | null {
  const values = new Map<string, number>();
  const unclear = new Set<string>();
  const add = (value: unknown, name: string): boolean => {
    if (Array.isArray(value)) return false;
    if (typeof value === "number" && Number.isFinite(value)) {
      if ((values.get(name) ?? value) !== value) unclear.add(name);
      values.set(name, value);
    }
    if (typeof value !== "object" || value === null) return name !== "";
    return Object.entries(value).every(([key, one]) =>
      add(one, name === "" ? key : `${name}.${key}`),
    );
  };
  return add(json, "") && values.size > 0 ? { values, unclear } : null;
}

/**
 * Judges floors by averages, each by every file that has its metric. `hasRows` says which metrics
 * the rows of other files have; null if there are no rows.
 */
export function judgeAverages(
  all: readonly Averages[],
  gates: GateSet,
  hasRows: ((metric: string) => boolean) | null,
): {
  readonly reports: readonly JudgedGate[];
  /** The gates for the rows. */
  readonly rest: GateSet;
  /** Usage errors: a gate that averages cannot answer. */
  readonly problems: readonly Diagnostic[];
  readonly warnings: readonly string[];
} {
  const reports: JudgedGate[] = [];
  const judged: GateRule[] = [];
  const problems: Diagnostic[] = [];
  const left: GateRule[] = [];
  for (const rule of gates.rules) {
    const found = all.flatMap((one) => askedOf(rule, one));
    const isOfRows =
      hasRows !== null &&
      (found.length === 0 || rule.metric === EVERY_METRIC || hasRows(rule.metric));
    if (isOfRows) left.push(rule);
    else if (found.length === 0) problems.push(problemOf(rule, unknownMetricProblem(rule, all)));
    else if (rule.kind === "drop") problems.push(problemOf(rule, rowsNeededProblem(rule, all)));
    if (rule.kind === "drop") continue;
    for (const one of found) {
      const wrong = findProblem(one, gates);
      if (wrong !== null) problems.push(problemOf(rule, wrong));
      else {
        reports.push(report(one, gates, all.length > 1));
        judged.push(one.rule);
      }
    }
  }
  if (hasRows === null) problems.push(...needsRows(gates));
  const warnings = warnOfWrongSides(judged, gates, (metric) => expectedSide(metric, undefined));
  return { reports, rest: { ...gates, rules: left }, problems, warnings };
}

interface Asked {
  readonly rule: GateRule;
  readonly value: number;
  readonly isUnclear: boolean;
  readonly file: string;
}

/** A rule with the averages that it applies to. */
function askedOf(rule: GateRule, { values, unclear, file }: Averages): Asked[] {
  const isOfEvery = !values.has(rule.metric) && rule.metric === EVERY_METRIC;
  return (isOfEvery ? ruleOfEvery(rule, [...values.keys()]) : [rule]).flatMap((one) => {
    const value = values.get(one.metric);
    const isUnclear = unclear.has(one.metric);
    return value === undefined ? [] : [{ rule: one, value, isUnclear, file }];
  });
}

function findProblem({ rule, value, isUnclear, file }: Asked, gates: GateSet): string | null {
  if (isUnclear)
    return `${rule.metric} has two values in ${file}: a key of this name, and one within another; rename one`;
  if (gates.floors === "proven")
    return `floors: proven needs rows, and ${file} holds averages; leave floors out, or give the file of the rows`;
  const shown = `${rule.metric} is ${value} in ${file}`;
  return isUnbounded(rule.metric)
    ? null
    : uselessLimit(rule, [value, value], isCeiling(rule), shown);
}

const filesOf = (all: readonly Averages[]): string => all.map(({ file }) => file).join(", ");

function rowsNeededProblem({ text }: GateRule, all: readonly Averages[]): string {
  return `\`${text}\` needs rows, and ${filesOf(all)} holds averages; give the file of the rows that they were made from${howToRead(all)}`;
}

function unknownMetricProblem(rule: GateRule, all: readonly Averages[]): string {
  const names = [...new Set(all.flatMap(({ values }) => [...values.keys()]))].sort();
  const meant = didYouMean(rule.metric, names);
  const seen = listSome(names, String, MAX_NAMES);
  return `${rule.metric} is not in ${filesOf(all)}${meant}; averages seen: ${seen}; every other metric needs rows${howToRead(all)}`;
}

const MAX_NAMES = 50;

/** Rows by name, as `DataFrame.to_json` writes them, look like nested averages. */
const howToRead = ([first]: readonly Averages[]): string =>
  `. If they are scores of rows, give a mapping: agent-deploy upload --explain ${first!.file} drafts one`;

/** Problems with settings of a gate file that need rows, for a run without any. */
function needsRows(gates: GateSet): Diagnostic[] {
  const asked = [
    ...(gates.must_pass.length > 0 ? ["must_pass"] : []),
    ...(gates.min_rows > 1 ? ["min_rows"] : []),
  ];
  return asked.map((path) => ({
    ...gates.at,
    level: "error",
    path,
    message: `${path} needs rows, and the results are averages`,
  }));
}

function report({ rule, value, file }: Asked, gates: GateSet, isNamed: boolean): JudgedGate {
  const isMet = meetsRule(rule, value);
  const limit = limitAmount(rule.metric, rule.threshold);
  const lower = isCeiling(rule);
  const [met, name] = lower ? ["at or below", "limit"] : ["at or above", "floor"];
  const side = isMet ? met : sideOf(rule, value);
  return toJudgedGate(
    { label: isNamed ? file : "", gates },
    {
      metric: rule.metric,
      rule: rule.text,
      verdict: isMet ? "pass" : "fail",
      n: 0,
      head: value,
      limit: rule.threshold,
      method: "average",
      lower,
      describe: (decimals) => {
        const [seen] = amountsWith(decimals, rule.metric, value, rule.threshold);
        return say(
          `is ${seen}, ${side} its ${name} of ${limit} (an average: without rows there is no interval).`,
          "",
          { subject: rule.metric },
        );
      },
    },
  );
}
