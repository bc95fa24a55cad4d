import type { GateGroup } from "./baseline.ts";
import type { ComparedGroup } from "./comparable.ts";
import { type GateRule, isCeiling } from "./gate-rule.ts";
import type { GateSet } from "./gate-set.ts";
import { isUsage, parseMetric } from "./metric.ts";
import { findNearMatches, describeNearMatches } from "./near-match.ts";
import type { GateTable } from "./row.ts";
import { describeCrashes, describeState, shortName, textOf } from "./sentence.ts";
import type { Judging } from "./judging.ts";
import { listSome, plural } from "../model/count-words.ts";

/** Lists what a reader of one group's verdicts must know. */
export function listWarnings({ judging, comparable, group }: ComparedGroup): string[] {
  const { table } = judging.head;
  const { gates, base, crashes } = judging;
  const warnings: string[] = [];
  if (table.state !== "complete")
    warnings.push(
      `${table.file} is ${describeState(table)}: the gates judge only the rows that are there`,
    );
  const limited = comparable.state === "used" ? comparable.overlap : comparable.message;
  if (base !== null && limited !== null) warnings.push(textOf(limited));
  const isMadeUp = comparable.state === "refused" && (table.madeUp ?? []).length > 0;
  if (base !== null && !isMadeUp) {
    const near = describeNearMatches(findNearMatches(table, base.table, base.shared));
    if (near !== null) warnings.push(near);
  }
  if (comparable.state === "used") warnings.push(...warnOfEvaluator(comparable.base.table, table));
  if (gates.errors === "ignore" && crashes.crashes > 0)
    warnings.push(`${describeCrashes(crashes)}; ignored, as the gate file says`);
  warnings.push(
    ...warnOfClusters(judging),
    ...warnOfDirections(judging),
    ...warnOfFloors(judging),
    ...warnOfWrongSides(gates.rules, gates, (metric) =>
      table.shown?.has(metric) === true ? undefined : judging.expected(metric),
    ),
    ...warnOfGone(judging),
    ...warnOfScores(judging, group),
  );
  return warnings;
}

/** Two different evaluators cannot be compared; a named one and an unnamed one may differ. */
function warnOfEvaluator(base: GateTable, head: GateTable): string[] {
  if ((base.judge === null) === (head.judge === null)) return [];
  const [named, silent] =
    base.judge === null ? ["this run", "the baseline"] : ["the baseline", "this run"];
  return [
    `${named} was scored by ${shortName(base.judge ?? head.judge!)}; ${silent} does not say by what. A change may be the evaluator's, not the agent's`,
  ];
}

/**
 * With so many clusters, none with a larger share of the examples, unchanged agents failed in at most
 * 5.5 % of 2,000 simulated runs (judge noise, n = 100), with fewer or larger ones in up to 5.8 %.
 */
const [ENOUGH_CLUSTERS, LARGEST_SHARE] = [10, 0.3] as const;

/** Warns if there are too few clusters, or too large a one, for the promised rate of false alarms. */
function warnOfClusters({ head: { table }, gates, clusterOf, untagged }: Judging): string[] {
  if (clusterOf === null) return [];
  const warnings: string[] = [];
  if (untagged > 0 && untagged < table.examples)
    warnings.push(
      `${plural(untagged, "example")} of ${table.file} ${untagged === 1 ? "has" : "have"} no ${gates.cluster_by}: each counts as a cluster of its own`,
    );
  const sizes = new Map<number, number>();
  for (const cluster of clusterOf) sizes.set(cluster, (sizes.get(cluster) ?? 0) + 1);
  const largest = Math.max(0, ...sizes.values()) / Math.max(1, clusterOf.length);
  if (sizes.size < ENOUGH_CLUSTERS || largest > LARGEST_SHARE)
    warnings.push(
      `${plural(sizes.size, "cluster")} by ${gates.cluster_by}, the largest with ${Math.round(100 * largest)}% of the examples: what is said of chance holds from ten clusters on, none of them over 30%`,
    );
  return warnings;
}

/** Warns if a floor or `direction` contradicts the file's own verdicts: the gate would pass what the tool fails. */
function warnOfDirections({ head: { table }, gates, direction }: Judging): string[] {
  const metrics = new Set(gates.rules.map(({ metric }) => metric));
  return [...metrics].flatMap((metric) => {
    const found = table.shown?.get(metric);
    return found === undefined || found === direction(metric)
      ? []
      : [
          `the verdicts in ${table.file} show that ${found === "higher" ? "more" : "less"} of ${metric} is better, but the gate says the opposite`,
        ];
  });
}

/** A wrong `direction` turns every drop of a metric around, which its floor reveals. */
function warnOfFloors({ gates: { rules, direction } }: Judging): string[] {
  return Object.entries(direction).flatMap(([metric, side]) => {
    const own = rules.filter((rule) => rule.metric === metric);
    const [floor, ...others] = own.filter(({ kind }) => kind === "floor");
    const opposite = side === "lower" ? ">" : "<";
    const isAgainst = [floor, ...others].every((rule) => rule?.operator.startsWith(opposite));
    return floor === undefined || !isAgainst || !own.some(({ kind }) => kind === "drop")
      ? []
      : [
          `direction says that ${side === "lower" ? "less" : "more"} of ${metric} is better, its floor \`${floor.text}\` the opposite: the drop goes by direction`,
        ];
  });
}

/** All latencies are one quantity. */
const quantityOf = (metric: string): string =>
  parseMetric(metric).kind === "latency" ? "latency" : metric;

/**
 * Warns of a floor on the wrong side, such as `latency >= 1s`, which passes what is worse and turns
 * the metric's drops around. Two limits of a quantity, one on each side, are a range.
 */
export function warnOfWrongSides(
  rules: readonly GateRule[],
  { direction }: GateSet,
  expected: Judging["expected"],
): string[] {
  const floors = rules.filter(({ kind }) => kind === "floor");
  const metrics = new Set(floors.map(({ metric }) => metric));
  return [...metrics].flatMap((metric) => {
    const own = floors.filter((rule) => rule.metric === metric);
    const alike = floors.filter((rule) => quantityOf(rule.metric) === quantityOf(metric));
    const sides = new Set(alike.map((rule) => (isCeiling(rule) ? "lower" : "higher")));
    const [side] = sides;
    const better = Object.hasOwn(direction, metric) ? undefined : expected(metric);
    if (better === undefined || better === "unclear" || sides.size > 1 || better === side)
      return [];
    const sign = better === "lower" ? "<=" : ">=";
    return [
      `\`${own[0]!.text}\` passes worse runs if ${better} ${metric} is better. Write \`${metric} ${sign} …\`, or say in the gate file which is better: \`direction: {${JSON.stringify(metric)}: ${better}}\`, or \`${side}\``,
    ];
  });
}

/** Scores that a drop on every metric had judged, if the head still had them. */
function warnOfGone({ head: { table }, base, gates }: Judging): string[] {
  if (
    base === null ||
    !gates.rules.some(({ kind, ofEvery }) => kind === "drop" && ofEvery === true)
  )
    return [];
  const gone = base.table.metrics.filter(
    (metric) =>
      !table.scores.has(metric) && table.unscored?.has(metric) !== true && !isUsage(metric),
  );
  if (gone.length === 0) return [];
  const named = listSome(gone, (metric) => shortName(metric, 40), 5);
  return [
    `${named}: in the baseline, but not in ${table.file}, so the drop on every score does not judge ${gone.length === 1 ? "it" : "them"}`,
  ];
}

function warnOfScores({ head: { table }, gates }: Judging, group: GateGroup): string[] {
  const warnings: string[] = [];
  const gated = new Set(gates.rules.map(({ metric }) => metric));
  const metrics = [...gated].filter((metric) => parseMetric(metric).kind === "score");
  for (const metric of metrics) {
    const values = table.scores.get(metric);
    if (values === undefined) continue;
    let missing = 0;
    for (let row = 0; row < table.size; row++)
      if (table.error[row] === 0 && Number.isNaN(values[row]!)) missing++;
    if (missing > 0 && missing < table.size)
      warnings.push(
        `${plural(missing, "row")} of ${table.file} ran without error but ${missing === 1 ? "has" : "have"} no ${metric}`,
      );
  }
  for (const metric of Object.keys(gates.direction))
    if (!gated.has(metric) && group.label === "")
      warnings.push(`direction names ${metric}, which no gate uses`);
  return warnings;
}
