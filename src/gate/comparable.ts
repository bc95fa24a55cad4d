import type { BaselineReport, GateMessage } from "../report/report.ts";
import type { GateGroup } from "./baseline.ts";
import { SLACK } from "./gate-rule.ts";
import type { GateSet } from "./gate-set.ts";
import { countErrors } from "./metric.ts";
import type { GateTable } from "./row.ts";
import { describeState, say, shortName, textOf } from "./sentence.ts";
import type { Judging } from "./judging.ts";
import type { ReferenceRun } from "./side.ts";
import { number } from "../report/numbers.ts";
import { listSome, plural } from "../model/count-words.ts";

/** Whether the baseline can be compared, and what prevents a pass. */
export type Comparable = (
  | { readonly state: "used"; readonly base: ReferenceRun }
  | {
      readonly state: "refused";
      readonly kind: BaselineReport["state"];
      /** If there is no baseline, its finding begins after the metric's name. */
      readonly message: GateMessage;
      /** Runs of other examples or another provider: their scores are not compared, but their crashes are. */
      readonly others: readonly GateTable[];
    }
) & { readonly overlap: GateMessage | null };

type Refused = Extract<Comparable, { readonly state: "refused" }>;

const refuse = (kind: Refused["kind"], finding: string, advice: string): Refused => ({
  state: "refused",
  kind,
  message: say(finding, advice),
  others: [],
  overlap: null,
});

/** Checks whether the head's run can be compared with the baseline's. */
export function compareWith(judging: Judging, absent?: GateGroup["absent"]): Comparable {
  const { base, gates, head } = judging;
  if (base === null)
    return refuse(
      "no-baseline",
      absent?.why[0] === undefined ? "." : `: ${shortName(absent.why[0], 140)}.`,
      absent?.next ?? "Run once with write-baseline and accept-baseline: true.",
    );
  const { shared, table } = base;
  const refused = refuseRun(judging, table);
  if (refused !== null) return refused;
  const [all, both] = [table.examples, shared.base.length];
  if (both === 0) {
    const [why, advice] = whyApart(head.table);
    return {
      ...refuse(
        "incomparable",
        `this run and the baseline ${shortName(table.file, 80)} share no examples: ${why}.`,
        advice,
      ),
      others: [table],
      overlap: say(
        `none of the baseline's ${plural(all, "example")} was run: nothing passes.`,
        advice,
      ),
    };
  }
  const wanted = number(100 * gates.min_overlap);
  return {
    state: "used",
    base,
    overlap: isTooFew(base, gates)
      ? say(
          `only ${both} of the baseline's ${plural(all, "example")} were run, under min_overlap ${wanted}%: nothing passes.`,
          "Run the missing examples, or accept a new baseline.",
        )
      : null,
  };
}

/** Whether fewer of a run's examples were run than `min_overlap` requires. */
export function isTooFew({ shared, table }: ReferenceRun, { min_overlap }: GateSet): boolean {
  return shared.base.length / table.examples < min_overlap - SLACK;
}

/** Why a baseline's run is no measure, whatever its examples; null if it is one. */
function refuseRun({ head }: Judging, table: GateTable): Refused | null {
  const file = shortName(table.file, 80);
  if (countErrors(table) === table.size)
    return refuse(
      "empty",
      `the baseline ${file} holds no row that ran without error.`,
      "Write a new baseline.",
    );
  if (table.state !== "complete")
    return refuse(
      "incomparable",
      `the baseline ${file} is ${describeState(table)}.`,
      "Use the baseline of a run that ended.",
    );
  const { judge } = head.table;
  if (table.judge === null || judge === null || table.judge === judge) return null;
  return refuse(
    "incomparable",
    `the baseline was scored by ${shortName(table.judge)}, this run by ${shortName(judge)}.`,
    "Score the baseline again.",
  );
}

/** Why no example is in both runs, and what to do: an input that each run makes up makes every example new. */
function whyApart({ madeUp = [] }: GateTable): readonly [why: string, advice: string] {
  if (madeUp.length === 0)
    return ["the datasets differ", "Run the same dataset, or accept a new baseline."];
  const names = listSome(madeUp, (name) => shortName(name, 40), 2);
  return [
    `${names} ${madeUp.length === 1 ? "seems" : "seem"} to be new in every run`,
    `Leave ${names} out of the inputs, or name what identifies an example under identity in a mapping.`,
  ];
}

/** Why a drop on a metric was not compared. */
export function refusalOf(comparable: Comparable, metric: string): GateMessage | null {
  if (comparable.state !== "refused") return null;
  const { kind, message } = comparable;
  const about = `no-baseline: nothing to compare ${shortName(metric)} with`;
  return kind === "no-baseline" ? { ...message, finding: about + message.finding } : message;
}

/** Prevents a pass while a provider or prompt of the baseline was not run, since it may contain what broke. */
export function withoutGone(
  comparable: Comparable,
  { gates }: Judging,
  gone: NonNullable<GateGroup["gone"]>,
): Comparable {
  if (gone.length === 0 || comparable.overlap !== null || gates.min_overlap === 0)
    return comparable;
  const overlap = goneWords(gone, gates.pool);
  // Without a baseline of its own, this group may be the missing one under another name.
  return comparable.state === "refused" && comparable.kind === "no-baseline"
    ? {
        ...comparable,
        kind: "incomparable",
        message: overlap,
        others: gone.map(({ table }) => table),
        overlap,
      }
    : { ...comparable, overlap };
}

/** Names missing groups, unless only one side is pooled: then every provider may have run. */
function goneWords(gone: NonNullable<GateGroup["gone"]>, isPooled: boolean): GateMessage {
  const labels = gone.map(({ label }) => label);
  if (isPooled)
    return say(
      "the baseline has results by provider and prompt, and pool: true joins this run's: nothing passes.",
      "Remove pool, or accept a new baseline.",
    );
  if (labels.includes(""))
    return say(
      "the baseline's results name no provider or prompt, or pool: true joined them, and this run's are judged one by one: nothing passes.",
      "Judge both alike, or accept a new baseline.",
    );
  const more = labels.length === 1 ? "" : ` and ${plural(labels.length - 1, "other")}`;
  return say(
    `the baseline's results of ${shortName(labels[0]!, 60)}${more} have no counterpart in this run: nothing passes.`,
    "Run what is missing, or accept a new baseline.",
  );
}

/** A group with what its head can be compared with. */
export interface ComparedGroup {
  readonly group: GateGroup;
  readonly judging: Judging;
  readonly comparable: Comparable;
}

/** The baseline in the report: which it was, and whether it could be used. */
export function describeBaseline({
  group,
  judging: { base },
  comparable,
}: ComparedGroup): BaselineReport {
  const others = comparable.state === "refused" ? comparable.others : [];
  const tables = base === null ? others : [base.table];
  const { file = "", commit = null, created_at = null } = tables[0] ?? {};
  const rows = tables.reduce((sum, { size }) => sum + size, 0);
  const about = { file, commit, created_at, rows };
  if (comparable.state === "used") {
    const { shared, table } = comparable.base;
    const message = `${shared.base.length} of ${plural(table.examples, "example")} shared`;
    return { ...about, state: "used", message };
  }
  const { kind, message } = comparable;
  const none = "there is no baseline to compare with; make one with write-baseline";
  const why = kind === "no-baseline" ? group.absent?.why.join("; ") || none : textOf(message);
  return { ...about, state: kind, message: why };
}

/**
 * Chooses the report that speaks for all groups: that of an unusable baseline if there is one. A
 * baseline that lacks only some groups counts as used.
 */
export function worstBaseline(all: readonly BaselineReport[]): BaselineReport {
  const used = all.find(({ state }) => state === "used");
  const open = all.find(({ state }) => state !== "used" && state !== "no-baseline");
  const none = all.find(({ state }) => state === "no-baseline");
  if (open !== undefined || used === undefined || none === undefined) return open ?? none ?? used!;
  return { ...used, message: `${used.message}; ${none.message}` };
}
