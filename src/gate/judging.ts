import { directionOf, expectedSide, ruleOfEvery, type BetterSide } from "./direction.ts";
import { blocksOf, type Units } from "./exchange.ts";
import type { GateGroup } from "./baseline.ts";
import { EVERY_METRIC, type GateRule } from "./gate-rule.ts";
import type { GateSet } from "./gate-set.ts";
import { scoreOf } from "./metric.ts";
import type { GateTable } from "./row.ts";
import {
  type Crashes,
  createReference,
  createSide,
  findCrashes,
  once,
  type ReferenceRun,
  type Side,
} from "./side.ts";

/** Numbers the clusters; a head example without the tag is its own cluster. */
function clustersOf(
  { examples, start, tag }: GateTable,
  name: string,
): { readonly units: Units; readonly untagged: number } {
  const numbers = new Map<string, number>();
  const of = new Int32Array(examples);
  let [count, untagged] = [0, 0];
  for (let e = 0; e < of.length; e++) {
    let value: string | undefined;
    for (let row = start[e]!; row < start[e + 1]!; row++) {
      const found = tag(row, name);
      // The smallest, so that the order of differing repeats does not matter.
      if (found !== undefined && (value === undefined || found < value)) value = found;
    }
    of[e] = (value === undefined ? undefined : numbers.get(value)) ?? count++;
    if (value === undefined) untagged++;
    else numbers.set(value, of[e]!);
  }
  return { units: { of, count, whole: true }, untagged };
}

/** Everything that the gates of one head are judged with. */
export interface Judging {
  readonly gates: GateSet;
  /** Rules on every metric that match none. */
  readonly unmatched: readonly GateRule[];
  /** Rules on scores that other heads of the run have and this one lacks; `gates` does not hold them. */
  readonly lacking: readonly GateRule[];
  /** Provider and prompt if a file has several; else empty. */
  readonly label: string;
  readonly head: Side;
  readonly base: ReferenceRun | null;
  readonly anchor: ReferenceRun | null;
  /** What crashed now and not in the baseline. */
  readonly crashes: Crashes;
  readonly clusterOf: Int32Array | null;
  /** What changes sides in the family's draws. */
  readonly units: Units;
  /** Examples without the field that clusters are made by. */
  readonly untagged: number;
  readonly direction: (metric: string) => BetterSide | "unclear";
  /** The same without what the gates say of it; undefined if nothing else shows it. */
  readonly expected: (metric: string) => BetterSide | "unclear" | undefined;
  readonly lowerIsBetter: (metric: string) => boolean;
}

/**
 * Expands a rule on every metric: a drop for each score on both sides, a floor for each score of the
 * head. Leaves out the cost, tokens and time of the run. A score that the head names without any
 * number is one of its scores: its judge was down.
 */
function spellOut(rule: GateRule, head: GateTable, base: GateTable | null): readonly GateRule[] {
  if (rule.metric !== EVERY_METRIC) return [rule];
  const named = [...head.metrics, ...(head.unscored ?? [])].sort();
  const isShared = (metric: string): boolean => base === null || base.scores.has(metric);
  return ruleOfEvery(rule, rule.kind === "floor" ? named : named.filter(isShared));
}

/**
 * Whether only other heads of a run have the score that a rule is on. A head without any score, and
 * one whose judge was down, fail instead.
 */
function isLacking(
  { metric }: GateRule,
  { head, base }: Pick<GateGroup, "head" | "base">,
  seen: ReadonlySet<string>,
): boolean {
  const key = scoreOf(metric);
  if (key === null || !seen.has(key) || head.metrics.length === 0) return false;
  const isKnown = head.scores.has(key) || base?.scores.has(key) === true;
  return !isKnown && head.unscored?.has(key) !== true;
}

/** Resolves references, directions and clusters for a head; `seen` are the scores of all heads. */
export function createJudging(
  {
    label,
    head: table,
    base,
    anchor = null,
  }: Pick<GateGroup, "label" | "head" | "base" | "anchor">,
  asked: GateSet,
  seen: ReadonlySet<string> = new Set(),
): Judging {
  const head = createSide(table);
  const spelled = asked.rules.map((rule) => spellOut(rule, table, base));
  const all = spelled.flat();
  const lacking = all.filter((rule) => isLacking(rule, { head: table, base }, seen));
  const gates = { ...asked, rules: all.filter((rule) => !lacking.includes(rule)) };
  const reference = base === null ? null : createReference(table, base);
  const clusters = gates.cluster_by === null ? null : clustersOf(table, gates.cluster_by);
  const own = <T extends string>(record: Readonly<Record<string, T>> | undefined, key: string) =>
    record !== undefined && Object.hasOwn(record, key) ? record[key] : undefined;
  const knownOf = (metric: string) => own(table.known, scoreOf(metric) ?? metric);
  const direction = once((metric) =>
    directionOf({
      metric,
      declared: own(gates.direction, metric),
      operators: all
        .filter((rule) => rule.kind === "floor" && rule.metric === metric && !rule.ofEvery)
        .map((rule) => rule.operator),
      known: knownOf(metric),
    }),
  );
  return {
    gates,
    unmatched: asked.rules.filter((_, at) => spelled[at]!.length === 0),
    lacking,
    label,
    head,
    base: reference,
    crashes: reference?.crashes ?? findCrashes(table, null),
    anchor: anchor === null ? null : createReference(table, anchor),
    clusterOf: clusters?.units.of ?? null,
    untagged: clusters?.untagged ?? 0,
    units: clusters?.units ?? blocksOf(table.examples),
    direction,
    expected: (metric) => expectedSide(metric, knownOf(metric)),
    lowerIsBetter: (metric) => direction(metric) === "lower",
  };
}
