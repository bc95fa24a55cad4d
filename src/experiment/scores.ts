import { groupBy } from "../model/group-by.ts";
import type { LabelledTable } from "../gate/baseline.ts";
import { knownDirection } from "../gate/direction.ts";
import { listNames } from "../gate/example-names.ts";
import type { GateSet } from "../gate/gate-set.ts";
import type { GateTable, TableFacts, WordedMetric } from "../gate/row.ts";
import { createTableBuilder, joinTables } from "../gate/table.ts";
import type { Experiment } from "./experiment.ts";

/** The rows of an experiment by provider and prompt. */
function toJudged(experiment: Experiment) {
  const { label, group, gathered } = experiment;
  if (gathered === null) throw new Error(`${experiment.file} was read for no gate`);
  const isSplit = gathered.length > 1;
  return gathered.map((rows) => ({
    label: isSplit ? rows.part : label,
    group: rows.part === "" ? group : rows.part,
    experiment,
    rows,
  }));
}

type Judged = ReturnType<typeof toJudged>[number];

/**
 * Files that name different agents are judged each by itself where there are several heads anyway,
 * or two agents ran the same example: as repeats of one run, a good agent would hide a bad one.
 */
function nameAgents(all: readonly Judged[]): readonly Judged[] {
  const isSplit = all.some(({ label }) => label !== "") || shareExamples(all);
  return isSplit ? all.map((one) => (one.group === "" ? one : { ...one, label: one.group })) : all;
}

/** Whether two agents ran the same example. */
function shareExamples(all: readonly Judged[]): boolean {
  const named = all.filter(({ group }) => group !== "");
  if (new Set(named.map(({ group }) => group)).size < 2) return false;
  const firsts = new Map<string, string>();
  return named.some(({ group, rows }) =>
    listNames(rows.table.example).some((example) => {
      const first = firsts.get(example) ?? group;
      firsts.set(example, first);
      return first !== group;
    }),
  );
}

/** Their common provider and prompt; empty if they differ. */
function groupOf(members: readonly Judged[], gates: GateSet | null): string {
  const names = new Set(members.map(({ group }) => group));
  return gates?.pool === true || names.size !== 1 ? "" : [...names][0]!;
}

/**
 * The rows of result files as gates judge them: a table per provider and prompt, or per agent named
 * in its files, unless the gates pool them. An example is identified by its content, whichever file
 * it comes from.
 */
export function toGateTables(
  experiments: readonly Experiment[],
  gates: GateSet | null,
): LabelledTable[] {
  const all = experiments.flatMap(toJudged);
  const isPooled = gates?.pool === true;
  const groups = groupBy(isPooled ? all : nameAgents(all), ({ label }) => (isPooled ? "" : label));
  if (groups.size === 0) groups.set("", []);
  return Array.from(groups, ([label, members]) => ({
    label,
    group: groupOf(members, gates),
    table: joinMembers(members),
    wholeExperiments: members
      .filter(({ rows }) => rows.part === "")
      .map(({ experiment }) => experiment),
  }));
}

/** The fields that gates select rows by; only these are kept. */
export function tagsOf(gates: GateSet | null): ReadonlySet<string> {
  if (gates === null) return new Set();
  const names = gates.must_pass.flatMap((item) => Object.keys(item.select));
  return new Set(gates.cluster_by === null ? names : [...names, gates.cluster_by]);
}

function joinMembers(members: readonly Judged[]): GateTable {
  const experiments = [...new Set(members.map(({ experiment }) => experiment))];
  const first = experiments[0];
  const states = experiments.map(({ state }) => state);
  const finished = states.includes("incomplete") || first === undefined ? "incomplete" : "complete";
  const facts: TableFacts = {
    file: [...new Set(experiments.map(({ file }) => file))].join(", "),
    state: states.includes("cancelled") ? "cancelled" : finished,
    commit: first?.commit ?? null,
    created_at: first?.created_at ?? null,
    judge: first?.judge ?? null,
    known: knownDirections(experiments),
    shown: shownDirections(experiments),
    words: countWords(experiments),
    madeUp: [...new Set(experiments.flatMap(({ madeUp }) => madeUp))],
    unscored: new Set(experiments.flatMap(({ unscored }) => unscored)),
  };
  const tables = members.map(({ rows }) => rows.table);
  return tables.length === 0
    ? createTableBuilder().finish(facts)
    : { ...joinTables(tables), ...facts };
}

/** The better sides shown by verdicts; none for a metric on which two files disagree. */
function shownDirections(experiments: readonly Experiment[]): Map<string, "lower" | "higher"> {
  const all = experiments.flatMap(({ directions }) => [...directions]);
  return new Map(
    all.filter(([metric, side]) => all.every(([other, is]) => other !== metric || is === side)),
  );
}

type KnownSide = "lower" | "higher" | "unclear" | undefined;

/** If one file says nothing, the name may decide; if two disagree, only a person can. */
function joinSides(one: KnownSide, other: KnownSide): KnownSide {
  if (one === other) return one;
  return one === undefined || other === undefined ? undefined : "unclear";
}

/** The better side of every metric for which a file's verdicts or its format show it. */
function knownDirections(experiments: readonly Experiment[]): NonNullable<TableFacts["known"]> {
  const known = new Map<string, KnownSide>();
  for (const { format, scores, directions } of experiments) {
    for (const metric of Object.keys(scores)) {
      const side = directions.get(metric) ?? knownDirection(format, metric);
      known.set(metric, known.has(metric) ? joinSides(known.get(metric), side) : side);
    }
  }
  return Object.fromEntries(
    [...known].flatMap(([metric, side]) => (side === undefined ? [] : [[metric, side]])),
  );
}

function countWords(experiments: readonly Experiment[]): Record<string, WordedMetric> {
  const counts = new Map<string, WordedMetric>();
  for (const { words } of experiments)
    for (const [metric, { rows, mappable }] of Object.entries(words)) {
      const before = counts.get(metric) ?? { rows: 0, mappable: true };
      counts.set(metric, {
        rows: before.rows + rows,
        mappable: before.mappable && mappable,
      });
    }
  return Object.fromEntries(counts);
}
