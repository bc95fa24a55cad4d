import { directionOf, ruleOfEvery, type BetterSide } from "./direction.ts";
import { unitsOf, type Units } from "./exchange.ts";
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

/** The cluster number of every head example; one without the tag is its own cluster. */
function clustersOf(
  { examples, start, tag }: GateTable,
  name: string,
): { readonly of: Int32Array; readonly untagged: number } {
  const numbers = new Map<string, number>();
  const of = new Int32Array(examples);
  let untagged = 0;
  for (let e = 0; e < of.length; e++) {
    let value: string | undefined;
    for (let row = start[e]!; row < start[e + 1]!; row++) {
      const found = tag(row, name);
      // The smallest, so that the order of differing repeats does not matter.
      if (found !== undefined && (value === undefined || found < value)) value = found;
    }
    if (value === undefined) {
      untagged++;
      of[e] = -untagged;
    } else {
      if (!numbers.has(value)) numbers.set(value, numbers.size);
      of[e] = numbers.get(value)!;
    }
  }
  return { of, untagged };
}

/** Everything that the gates of one head are judged with. */
export interface Judging {
  readonly gates: GateSet;
  /** Rules on every metric that match none. */
  readonly unmatched: readonly GateRule[];
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
  readonly lowerIsBetter: (metric: string) => boolean;
}

/**
 * Expands rules on every metric: a drop for each score on both sides, a floor for each score of the
 * head. Leaves out the cost, tokens and time of the run. A score that the head names without any
 * number is one of its scores: its judge was down.
 */
function spellOut(
  rules: readonly GateRule[],
  head: GateTable,
  base: GateTable | null,
): readonly GateRule[] {
  const named = [...head.metrics, ...(head.unscored ?? [])].sort();
  return rules.flatMap((rule) =>
    rule.metric === EVERY_METRIC
      ? ruleOfEvery(
          rule,
          named.filter(
            (metric) => rule.kind === "floor" || base === null || base.scores.has(metric),
          ),
        )
      : [rule],
  );
}

/** Resolves references, directions and clusters for a head. */
export function createJudging(
  {
    label,
    head: table,
    base,
    anchor = null,
  }: Pick<GateGroup, "label" | "head" | "base" | "anchor">,
  asked: GateSet,
): Judging {
  const head = createSide(table);
  const gates = { ...asked, rules: spellOut(asked.rules, table, base) };
  const reference = base === null ? null : createReference(table, base);
  const clusters = gates.cluster_by === null ? null : clustersOf(table, gates.cluster_by);
  const own = <T extends string>(record: Readonly<Record<string, T>> | undefined, key: string) =>
    record !== undefined && Object.hasOwn(record, key) ? record[key] : undefined;
  const direction = once((metric) =>
    directionOf({
      metric,
      declared: own(gates.direction, metric),
      operators: gates.rules
        .filter((rule) => rule.kind === "floor" && rule.metric === metric && !rule.ofEvery)
        .map((rule) => rule.operator),
      known: own(table.known, scoreOf(metric) ?? metric),
    }),
  );
  return {
    gates,
    unmatched: asked.rules.filter(
      (rule) => rule.metric === EVERY_METRIC && spellOut([rule], table, base).length === 0,
    ),
    label,
    head,
    base: reference,
    crashes: reference?.crashes ?? findCrashes(table, null),
    anchor: anchor === null ? null : createReference(table, anchor),
    clusterOf: clusters?.of ?? null,
    untagged: clusters?.untagged ?? 0,
    units: unitsOf(table.examples, clusters?.of ?? null),
    direction,
    lowerIsBetter: (metric) => direction(metric) === "lower",
  };
}
